/* kept.h - data prepared for later runs on a graph, in memory or in its file (graph.h: hd_kept). */
#ifndef HD_GRAPH_KEPT_H
#define HD_GRAPH_KEPT_H

#include "graph/graph.h"

/* Compares the checksum of what lies in a file, once. HEDDLE_E_FORMAT: it is damaged. */
heddle_status hd_kept_check(heddle_context *ctx, const heddle_graph *graph, uint32_t index);
/* Hands over words from the graph's allocator; those that begin like them, in `head` words, are replaced.
 * HEDDLE_E_LIMIT: there are HD_KEPT_MOST already. */
heddle_status hd_kept_add(heddle_context *ctx, heddle_graph *graph, uint64_t *words, uint64_t count, uint64_t head);

#endif
