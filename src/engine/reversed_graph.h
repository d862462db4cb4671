/* reversed_graph.h - a directed graph with every edge reversed, over the same rows: from the cache (derived.h) or
 * made now. */
#ifndef HD_ENGINE_REVERSED_GRAPH_H
#define HD_ENGINE_REVERSED_GRAPH_H

#include "engine/derived.h"

/* The graph itself if it is undirected. Belongs to the context, and is kept during the run. In-edges that the graph
 * does not have yet are made, which counts as report->prepare. */
heddle_status hd_derived_reversed_of(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                                     const heddle_graph **reversed);

#endif
