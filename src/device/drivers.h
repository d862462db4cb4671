/* drivers.h - drivers belong to the process: one thread at a time opens them, and only where they were opened do they
 * work. Two threads that open OpenCL at once crash in its loader; a child of fork has a driver's memory without its
 * threads. */
#ifndef HD_DEVICE_DRIVERS_H
#define HD_DEVICE_DRIVERS_H

#include "device/device.h"

/* A kind's own functions of these names, one thread at a time. */
uint32_t hd_drivers_discover(const hd_device_kind *kind, char *missing, size_t size);
heddle_status hd_drivers_describe(heddle_context *ctx, const hd_device_kind *kind, uint32_t index,
                                  hd_device_info *info);
heddle_status hd_drivers_open(heddle_context *ctx, const hd_device_kind *kind, uint32_t index, hd_device **device);
/* True in a child of the process that opened them: nothing of theirs may be called here. */
bool hd_drivers_lost(void);

#endif
