/* ids_subset.h - the ids of some of a graph's vertices, which are renumbered without gaps. */
#ifndef HD_GRAPH_IDS_SUBSET_H
#define HD_GRAPH_IDS_SUBSET_H

#include "graph/graph.h"

/* fresh[v] is the new number of a vertex, UINT32_MAX if it is dropped; `kept` are not. Fills `ids`, which own their
 * memory, with the ids of those that are kept; on error it is unchanged. */
heddle_status hd_ids_keep(heddle_context *ctx, const heddle_graph *graph, const uint32_t *fresh, uint64_t kept,
                          hd_ids *ids);

#endif
