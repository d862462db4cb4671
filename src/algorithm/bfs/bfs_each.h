/* bfs_each.h - a separate breadth-first search from each source. */
#ifndef HD_ALGORITHM_BFS_BFS_EACH_H
#define HD_ALGORITHM_BFS_BFS_EACH_H

#include "engine/run.h"

/* Fills the result: a column of levels for each source, figures, report. */
heddle_status hd_bfs_each(const hd_run *run);
heddle_status hd_bfs_each_on_device(const hd_run *run);
/* Bytes of such a run on a device that has `left` of them, rows included. */
heddle_status hd_bfs_each_device_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t sources, uint64_t left,
                                       uint64_t *bytes);
/* Figures of the columns. */
void hd_bfs_each_figures(heddle_context *ctx, heddle_result *result);

#endif
