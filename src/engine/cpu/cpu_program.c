/* cpu_program.c - one built-in program for the CPU. The build compiles this file once for each program and precision,
 * with HD_PROGRAM_FILE, HD_PROGRAM_SYMBOL and, for double, HEDDLE_DOUBLE defined. */
#include "engine/cpu/cpu_abi.h"

#include "program/prelude_cpu.h"

#include HD_PROGRAM_FILE

#define HD_PROGRAM_VISIBILITY "hidden"
#include "engine/cpu/cpu_kernels.h"
