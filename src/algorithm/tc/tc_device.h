/* tc_device.h - triangles on a device. */
#ifndef HD_ALGORITHM_TC_TC_DEVICE_H
#define HD_ALGORITHM_TC_TC_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_tc(const hd_run *run);
heddle_status hd_tc_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* Figures of counts of triangles, for the CPU too. */
void hd_tc_figures(heddle_context *ctx, heddle_result *result);

#endif
