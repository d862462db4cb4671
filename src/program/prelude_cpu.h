/* prelude_cpu.h - the types and functions a vertex program is written in, for the CPU. Each target has a prelude that
 * defines the same; words.h has what is alike on all. */
#ifndef HD_PROGRAM_PRELUDE_CPU_H
#define HD_PROGRAM_PRELUDE_CPU_H

typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;

/* The type of programs that leave single or double to the user. */
#ifdef HEDDLE_DOUBLE
typedef double real;
#define real_abs fabs
#define real_tanh tanh
#define real_sqrt sqrt
#define real_exp exp
#define real_log log
#else
typedef float real;
#define real_abs fabsf
#define real_tanh tanhf
#define real_sqrt sqrtf
#define real_exp expf
#define real_log logf
#endif

#define INFINITE INFINITY
#define PROGRAM static inline __attribute__((always_inline, unused))

#include "program/words.h"

#endif
