/* pr_device.h - PageRank on a device, without the vertex program. */
#ifndef HD_ALGORITHM_PR_PR_DEVICE_H
#define HD_ALGORITHM_PR_PR_DEVICE_H

#include "algorithm/algorithm.h"
#include "device/device.h"
#include "engine/run.h"

/* For single precision without weights or personalisation. Fills values, iterations and the residual. */
heddle_status hd_pr_device(const hd_run *run);
/* Upper bound of the bytes on a device, including the graph's rows. */
heddle_status hd_pr_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* Runs that take double precision. */
hd_refusal hd_pr_refuse_doubles(const hd_run *run);
hd_refusal hd_pr_refuse_program(const hd_run *run);
/* A run of pr by these kernels, and by the vertex program (pr_program.c). */
heddle_status hd_device_pr(const hd_run *run);
heddle_status hd_pr_program(const hd_run *run);
/* Adds the figures max and sum. */
void hd_pr_figures(heddle_context *ctx, heddle_result *result);

#endif
