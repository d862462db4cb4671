/* kcore_device.h - core numbers on a device. */
#ifndef HD_ALGORITHM_KCORE_KCORE_DEVICE_H
#define HD_ALGORITHM_KCORE_KCORE_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_kcore(const hd_run *run);
heddle_status hd_kcore_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* Figures of core numbers, for the CPU too. */
void hd_kcore_figures(heddle_context *ctx, heddle_result *result);

#endif
