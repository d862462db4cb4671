/* cpu_promises_check.h - a program's promises, tested before a run (the samples are in cpu_promises.h). */
#ifndef HD_ENGINE_CPU_CPU_PROMISES_CHECK_H
#define HD_ENGINE_CPU_CPU_PROMISES_CHECK_H

#include "engine/cpu/cpu.h"

/* HEDDLE_E_PROGRAM, with the sample's numbers, for a promise that a sample breaks. */
heddle_status hd_cpu_check_promises(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run);

/* The name of a promise. */
const char *hd_promise_name(int promise);

#endif
