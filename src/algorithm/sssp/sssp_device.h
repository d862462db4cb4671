/* sssp_device.h - shortest paths on devices. */
#ifndef HD_ALGORITHM_SSSP_SSSP_DEVICE_H
#define HD_ALGORITHM_SSSP_SSSP_DEVICE_H

#include "algorithm/algorithm.h"

/* By kernels that are written for paths, or by the vertex program, as run->executor says. */
heddle_status hd_device_sssp(const hd_run *run);
/* Where every edge counts 1. */
hd_refusal hd_sssp_refuse_weights(const hd_run *run);
heddle_status hd_sssp_levels(const hd_run *run);
heddle_status hd_sssp_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
