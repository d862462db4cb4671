/* bus.h - the rate at which a device gets bytes from pinned host memory. */
#ifndef HD_DEVICE_BUS_H
#define HD_DEVICE_BUS_H

#include "device/device.h"

/* Copies `bytes` bytes from pinned memory, or from any if none can be pinned, to the buffer, whose contents are lost.
 * *rate: bytes per second of the fastest of some copies. */
heddle_status hd_bus_measure(hd_device *device, const hd_buffer *to, uint64_t bytes, double *rate);

#endif
