/* device.h - algorithms that are vertex programs, on devices. */
#ifndef HD_ALGORITHM_SHARED_DEVICE_H
#define HD_ALGORITHM_SHARED_DEVICE_H

#include "algorithm/algorithm.h"
#include "engine/cpu/cpu.h"
#include "plan/choose.h"

/* Whether the options name a device other than the CPU. */
bool hd_on_device(const heddle_run_options *options);

/* Whether sssp is a breadth-first search there: under plan auto, without weights or where all are 1. */
bool hd_device_counts_edges(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);

/* What is assumed of a device where there is none to ask. */
extern const hd_device_info hd_common_device;

/* What --device auto chooses for a run. */
void hd_run_choose(heddle_context *ctx, const heddle_graph *graph, const char *name, const heddle_run_options *options,
                   hd_choose *choice);

/* What bc, scc or mst, which are no programs, take on such a device under a plan; HEDDLE_E_REFUSED where they cannot
 * have it. */
heddle_status hd_walk_device_bytes(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *plan,
                                   const hd_device_info *info, uint64_t *bytes);

/* What runs the algorithm on a device: the *_device.c files' functions, or the algorithm's own where that is a program
 * everywhere. One that is in neither list is refused. */
hd_run_fn hd_device_run(const hd_algorithm *algorithm);

/* Runs a built-in program where the options say: CPU or device. */
heddle_status hd_run_builtin(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const char *name, const hd_cpu_setup *setup, heddle_result *result);

#endif
