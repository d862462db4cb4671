/* sssp_device.h - shortest paths on devices. */
#ifndef HD_ALGORITHM_SSSP_SSSP_DEVICE_H
#define HD_ALGORITHM_SSSP_SSSP_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_sssp(const hd_run *run);
heddle_status hd_sssp_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
