/* budget.h - the uses of a device's memory: a limit, the bytes in use, and, where a run allows it, buffers that
 * spill to the host's memory once the device's is used up.
 *
 * Every open device has one in front of its own functions `allocate`, `release` and `memory`: whatever is allocated is
 * counted, and no caller needs to check the limit. Without a limit it only counts.
 */
#ifndef HD_DEVICE_BUDGET_H
#define HD_DEVICE_BUDGET_H

#include "device/device.h"

/* Puts the budget in front of a device that was just opened. */
void hd_budget_install(hd_device *device);
/* Limits the device to so many bytes, those in use included; UINT64_MAX: no limit. `spills`: what does not fit goes to
 * the host's memory, if kernels can use that. Peaks and times are counted anew from here on. */
void hd_budget_limit(hd_device *device, uint64_t bytes, bool spills);
/* A buffer that may take all that is left, what is reserved for small ones included. */
heddle_status hd_budget_edges(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer);
/* A buffer in the host's memory, whatever is free on the device. */
heddle_status hd_budget_host(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer);
/* A buffer of parts here and there, as hd_device.allocate_pages makes it. */
heddle_status hd_budget_pages(hd_device *device, const hd_page_run *runs, uint32_t count, uint64_t bytes,
                              const char *what, hd_buffer *buffer);

#endif
