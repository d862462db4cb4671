/* ascending.h - arrays of edges that are in the order of rows already: they become a graph by one copy. */
#ifndef HD_GRAPH_ASCENDING_H
#define HD_GRAPH_ASCENDING_H

#include "graph/graph.h"

/* The caller's edges, whose ids are 0 .. vertices - 1. */
typedef struct hd_edge_arrays {
    const int64_t *sources, *targets;
    const void *weights;
    heddle_weight_type type;
    uint64_t edges, vertices;
} hd_edge_arrays;

/* Makes the graph if the edges ascend by source, then by target, and all ids and weights are valid. Else *graph is NULL
 * and nothing is said: the builder takes such edges, or names the one that is wrong. */
heddle_status hd_graph_from_ascending(heddle_context *ctx, const hd_edge_arrays *given, heddle_graph **graph);

#endif
