/* cdlp_device.h - label propagation on a device. */
#ifndef HD_ALGORITHM_CDLP_CDLP_DEVICE_H
#define HD_ALGORITHM_CDLP_CDLP_DEVICE_H

#include "algorithm/algorithm.h"

heddle_status hd_device_cdlp(const hd_run *run);
heddle_status hd_cdlp_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* Figures of labels, for the CPU too; `size` has a word per vertex to work with. */
void hd_cdlp_figures(heddle_context *ctx, heddle_result *result, uint32_t *size, uint64_t changed);

#endif
