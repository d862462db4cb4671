/* simple.h - the simple undirected graph underneath a graph: rows of distinct neighbours, whatever the direction of the
 * arcs, without loops. Triangles, cores and clustering are defined on it. */
#ifndef HD_GRAPH_SIMPLE_H
#define HD_GRAPH_SIMPLE_H

#include "graph/graph.h"

typedef struct hd_simple {
    uint64_t vertices, edges;     /* stored arcs: both of every edge */
    const uint64_t *offsets;      /* vertices + 1 */
    const heddle_vertex *targets; /* rows ascend */
    /* Per arc, of a directed graph if requested: 1 if the graph has arcs of both directions between the two, else 0.
     * NULL: all have both. */
    const uint8_t *both;
    uint64_t *own_offsets; /* NULL: the rows are the graph's own */
    heddle_vertex *own_targets;
    uint8_t *own_both;
} hd_simple;

/* Uses the graph's own rows if they are simple already, else writes new ones. `directions`: whether to fill in `both`.
 * Linear time. Close it in any case. */
heddle_status hd_simple_open(heddle_context *ctx, const heddle_graph *graph, bool directions, hd_simple *simple);
void hd_simple_close(heddle_context *ctx, hd_simple *simple);
/* Bytes that it allocates, at most: 0 if the rows are simple already, which takes a pass over them. */
heddle_status hd_simple_bytes(heddle_context *ctx, const heddle_graph *graph, bool directions, uint64_t *bytes);

#endif
