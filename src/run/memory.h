/* memory.h - what estimates beforehand assume. */
#ifndef HD_RUN_MEMORY_H
#define HD_RUN_MEMORY_H

#include "device/device.h"

/* What is assumed of a device where there is none to ask. */
extern const hd_device_info hd_common_device;

#endif
