/* builtin.h - runs a built-in vertex program where the options say: on the CPU, on a device, on a split graph. */
#ifndef HD_ALGORITHM_SHARED_BUILTIN_H
#define HD_ALGORITHM_SHARED_BUILTIN_H

#include "engine/cpu/cpu.h"
#include "engine/device/incore.h"
#include "engine/run.h"

/* The program of that name, in the precision that the options ask for. */
heddle_status hd_run_builtin(const hd_run *run, const char *name, const hd_cpu_setup *setup);

/* A program for devices: on the device, or, under a transform, wherever the options say. */
heddle_status hd_device_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup);

#endif
