/* lpa_device.h - asynchronous label propagation on a device; and what both engines share. */
#ifndef HD_ALGORITHM_LPA_LPA_DEVICE_H
#define HD_ALGORITHM_LPA_LPA_DEVICE_H

#include "algorithm/algorithm.h"
#include "base/random.h"

heddle_status hd_device_lpa(const hd_run *run);
heddle_status hd_lpa_device_bytes(const hd_device_request *r, uint64_t *bytes);

/* For HD_LABEL_SALT. */
static inline uint32_t hd_lpa_seed(const heddle_run_options *options) {
    return (uint32_t)hd_random(options->seed, UINT64_MAX);
}

/* Labels become the smallest vertex of their communities; adds the figures. */
heddle_status hd_lpa_finish(const hd_run *run, uint64_t changed, uint64_t colours);

#endif
