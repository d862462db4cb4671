/* sswp_device.h - widest paths on devices. */
#ifndef HD_ALGORITHM_SSWP_SSWP_DEVICE_H
#define HD_ALGORITHM_SSWP_SSWP_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_sswp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result);
/* The tree behind the widths of a result, by weights. */
heddle_status hd_width_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result);

#endif
