/* device_laws.h - the laws of reduce() before a program runs on a device: tested on the host, or, where no C compiler
 * has made the program for it, on the device. */
#ifndef HD_ENGINE_DEVICE_DEVICE_LAWS_H
#define HD_ENGINE_DEVICE_DEVICE_LAWS_H

#include "device/device.h"
#include "engine/device/incore.h"

/* Samples are rows of `rows`, in host memory, of that many vertices. HEDDLE_E_PROGRAM as hd_cpu_laws. Promises that
 * only the host can test, and laws on a device without double precision, are noted as not tested. */
heddle_status hd_device_laws(hd_device *device, const hd_incore_program *program, const hd_cpu_program *compiled,
                             const hd_cpu_setup *setup, uint64_t vertices, const heddle_adjacency *rows,
                             heddle_weight_type weight_type, heddle_report *report);

#endif
