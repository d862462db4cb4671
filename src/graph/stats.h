/* stats.h - the part of the statistics that walks the graph as a whole, ignoring the direction of its arcs.
 *
 * It takes the out-edges and the in-edges; for an undirected graph these are one and the same adjacency.
 */
#ifndef HD_GRAPH_STATS_H
#define HD_GRAPH_STATS_H

#include "base/context.h"

/* A lower bound on the diameter of the component of `start`: the depth of the deepest of a few breadth-first searches,
 * each begun where the one before ended. Exact for trees. Linear time, 5 bytes per vertex of working memory. */
heddle_status hd_estimate_diameter(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                   const heddle_adjacency *in, heddle_vertex start, uint64_t *diameter);

#endif
