/* stats.h - statistics that traverse the whole graph, ignoring the direction of its arcs.
 *
 * They take out-edges and in-edges; for an undirected graph these are the same adjacency.
 */
#ifndef HD_GRAPH_STATS_H
#define HD_GRAPH_STATS_H

#include "base/context.h"

/* A lower bound on the diameter of the component of `start`: the largest depth of a few breadth-first searches, each
 * started at the last vertex of the one before. Exact for trees. Linear time, 5 bytes of working memory per vertex. */
heddle_status hd_estimate_diameter(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                   const heddle_adjacency *in, heddle_vertex start, uint64_t *diameter);

#endif
