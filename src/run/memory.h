/* memory.h - assumptions of the estimates. */
#ifndef HD_RUN_MEMORY_H
#define HD_RUN_MEMORY_H

#include "device/device.h"

/* The device that is assumed if there is none to query. */
extern const hd_device_info hd_common_device;

#endif
