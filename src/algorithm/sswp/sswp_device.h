/* sswp_device.h - widest paths on devices. */
#ifndef HD_ALGORITHM_SSWP_SSWP_DEVICE_H
#define HD_ALGORITHM_SSWP_SSWP_DEVICE_H

#include "algorithm/algorithm.h"
#include "engine/path_label.h"

heddle_status hd_device_sswp(const hd_run *run);
heddle_status hd_sswp_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* The tree behind the widths of a result, by weights. */
heddle_status hd_width_parents(const hd_run *run);
/* Widths as labels of the path; room for 8 bytes per vertex. */
void hd_width_labels(heddle_context *ctx, hd_path path, const heddle_result *widths, void *labels);
/* Levels become widths: 1 wherever there is a way. */
heddle_status hd_sswp_widen(heddle_context *ctx, heddle_result *result);

#endif
