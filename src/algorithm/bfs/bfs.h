/* bfs.h - breadth-first search as other algorithms use it: sssp and sswp without weights. */
#ifndef HD_ALGORITHM_BFS_BFS_H
#define HD_ALGORITHM_BFS_BFS_H

#include "engine/result.h"

/* Fills `levels` (UINT32_MAX: unreached) and, unless NULL, `parents` (UINT32_MAX: none), both one per vertex; the
 * report's iterations, edges_walked and prepare; and the number of vertices reached. */
heddle_status hd_bfs(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                     uint32_t *levels, heddle_vertex *parents, heddle_report *report, uint64_t *reached);

#endif
