/* ascending.h - arrays of edges that are in the order of rows already: they become a graph by one copy. */
#ifndef HD_GRAPH_ASCENDING_H
#define HD_GRAPH_ASCENDING_H

#include "graph/graph.h"

/* The caller's edges. */
typedef struct hd_edge_arrays {
    const void *sources, *targets; /* uint32_t, or int64_t */
    bool narrow;                   /* uint32_t */
    const void *weights;
    heddle_weight_type type;
    uint64_t edges, vertices; /* ids are 0 .. vertices - 1; vertices 0: any ids */
} hd_edge_arrays;

static HD_ALWAYS_INLINE uint64_t hd_edge_source_at(const hd_edge_arrays *a, uint64_t e) {
    return a->narrow ? ((const uint32_t *)a->sources)[e] : ((const uint64_t *)a->sources)[e];
}

static HD_ALWAYS_INLINE uint64_t hd_edge_target_at(const hd_edge_arrays *a, uint64_t e) {
    return a->narrow ? ((const uint32_t *)a->targets)[e] : ((const uint64_t *)a->targets)[e];
}

/* Makes the graph if there are `vertices`, the edges ascend by source, then by target, and all ids and weights are
 * valid. Else *graph is NULL and there is no error: the builder takes such edges, or names the one that is wrong. */
heddle_status hd_graph_from_ascending(heddle_context *ctx, const hd_edge_arrays *given, heddle_graph **graph);

#endif
