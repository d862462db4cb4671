/* sssp_device.h - shortest paths on devices. */
#ifndef HD_ALGORITHM_SSSP_SSSP_DEVICE_H
#define HD_ALGORITHM_SSSP_SSSP_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_sssp(const hd_run *run);
/* Whether it is a breadth-first search there: under plan auto, without weights or where all are 1. */
bool hd_device_counts_edges(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);

#endif
