/* turned.h - do two sets of rows hold the same arcs, one of them turned round?
 *
 * What a file says of itself (that it is undirected, that its in-edges are those of its out-edges) is not plain to see,
 * and code that believed it would write past its arrays. The answer is exact, and takes one walk over the arcs.
 */
#ifndef HD_GRAPH_TURNED_H
#define HD_GRAPH_TURNED_H

#include "graph/graph.h"

/* An arc that is not in the other rows as often, or not with the same weights. */
typedef struct hd_turn_fault {
    bool found;
    bool weight; /* it is the weights */
    bool added;  /* the arc is in the other rows alone */
    heddle_vertex from, to;
} hd_turn_fault;

/* Looks for an arc of `out` that is not in `in` with its ends exchanged, or the other way round; they may be the same
 * rows. Parallel arcs may have their weights in any order; with HEDDLE_WEIGHT_NONE weights are not looked at. Rows must
 * ascend. Parallel, in linear time but for the sorting of parallel arcs; 8 bytes for each vertex. */
heddle_status hd_turn_check(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                            heddle_weight_type type, hd_turn_fault *fault);

#endif
