/* drivers.h - drivers are process-wide: only one thread at a time may open them, and they work only in the process that
 * opened them. Two threads that open OpenCL at once crash in its loader; a forked child has a driver's memory without
 * its threads. */
#ifndef HD_DEVICE_DRIVERS_H
#define HD_DEVICE_DRIVERS_H

#include "device/device.h"

/* The device kind's functions of these names, serialised. */
uint32_t hd_drivers_discover(const hd_device_kind *kind, char *missing, size_t size);
heddle_status hd_drivers_describe(heddle_context *ctx, const hd_device_kind *kind, uint32_t index,
                                  hd_device_info *info);
heddle_status hd_drivers_open(heddle_context *ctx, const hd_device_kind *kind, uint32_t index, hd_device **device);
/* True in a forked child of the process that opened them: no driver function may be called here. */
bool hd_drivers_lost(void);

#endif
