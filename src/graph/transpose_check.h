/* transpose_check.h - exact check that one CSR is the transpose of another.
 *
 * A file may claim that it is undirected, or that its in-edges match its out-edges; code that relied on a false claim
 * would write out of bounds. The check is exact, and takes one pass over the arcs.
 */
#ifndef HD_GRAPH_TRANSPOSE_CHECK_H
#define HD_GRAPH_TRANSPOSE_CHECK_H

#include "graph/graph.h"

/* An arc that the other rows do not have equally often and with the same weights. */
typedef struct hd_transpose_fault {
    bool found;
    bool weight; /* only the weights differ */
    bool added;  /* the arc is in the other rows only */
    heddle_vertex from, to;
} hd_transpose_fault;

/* Looks for an arc of `out` whose reverse is not in `in`, or vice versa; they may be the same rows. Parallel arcs may
 * have their weights in any order; with HEDDLE_WEIGHT_NONE weights are not compared. Rows must ascend. Parallel; linear
 * time except for sorting the weights of parallel arcs; 8 bytes per vertex. */
heddle_status hd_transpose_check(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                                 heddle_weight_type type, hd_transpose_fault *fault);

#endif
