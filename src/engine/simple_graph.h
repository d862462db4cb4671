/* simple_graph.h - the simple undirected graph underneath a graph (graph/simple.h) as a graph of its own, for devices:
 * from the cache (derived.h) or built now. */
#ifndef HD_ENGINE_SIMPLE_GRAPH_H
#define HD_ENGINE_SIMPLE_GRAPH_H

#include "engine/derived.h"

/* The graph itself if it is simple and undirected already. Belongs to the context, and is kept during the run. Building
 * it counts as report->prepare. With `directions` its edges, of a directed graph, have weights: how many directions of
 * the two the graph has, 1 or 2. */
heddle_status hd_derived_simple_of(heddle_context *ctx, const heddle_graph *graph, bool directions,
                                   heddle_report *report, const heddle_graph **simple);
/* Its arcs, at most. */
static inline uint64_t hd_derived_simple_arcs(const heddle_graph *graph) {
    return graph->directed ? 2 * graph->edges : graph->edges;
}

#endif
