/* bfs_device.h - breadth-first search by kernels of its own (kernels/bfs.h). */
#ifndef HD_ALGORITHM_BFS_DEVICE_H
#define HD_ALGORITHM_BFS_DEVICE_H

#include "engine/result.h"

typedef enum hd_bfs_manner {
    HD_BFS_AUTO,  /* all levels inside few launches where the device allows it */
    HD_BFS_LEVELS /* launches for every level */
} hd_bfs_manner;

/* Fills the result: levels, parents when asked for, figures, report. */
heddle_status hd_bfs_on_device(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               hd_bfs_manner manner, heddle_result *result);

#endif
