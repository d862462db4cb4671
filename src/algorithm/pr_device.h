/* pr_device.h - PageRank on a device, without the vertex program. */
#ifndef HD_ALGORITHM_PR_DEVICE_H
#define HD_ALGORITHM_PR_DEVICE_H

#include "algorithm/algorithm.h"

/* In single precision, every edge counting 1, no personalisation; fills values, iterations and the residual. */
heddle_status hd_pr_device(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result);

#endif
