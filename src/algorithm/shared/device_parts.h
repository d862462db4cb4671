/* device_parts.h - what the files about algorithms on devices share. */
#ifndef HD_ALGORITHM_SHARED_DEVICE_PARTS_H
#define HD_ALGORITHM_SHARED_DEVICE_PARTS_H

#include "algorithm/shared/device.h"
#include "engine/device/incore.h"

/* Runs a program where the options say. */
heddle_status hd_device_execute(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                const hd_incore_program *program, const hd_cpu_setup *setup, heddle_result *result);
/* For each vertex the smallest one level up, UINT32_MAX for none. */
heddle_status hd_level_parents(heddle_context *ctx, const heddle_graph *graph, const uint32_t *levels,
                               heddle_vertex *parents);
/* The tree behind the widths of a result, by weights. */
heddle_status hd_width_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result);

heddle_status hd_device_pr(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result);
heddle_status hd_device_sswp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result);

#endif
