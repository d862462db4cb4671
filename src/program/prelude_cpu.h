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
#define HD_REAL(name) name
#else
typedef float real;
#define HD_REAL(name) name##f
#endif

/* Functions of the type of their argument, f32 or f64; of whole numbers they are `real`. */
#define HD_BY_TYPE(x, name) _Generic((x), f32 : name##f, f64 : name, default : HD_REAL(name))
#define real_abs(x) HD_BY_TYPE(x, fabs)(x)
#define real_sqrt(x) HD_BY_TYPE(x, sqrt)(x)
#define real_exp(x) HD_BY_TYPE(x, exp)(x)
#define real_log(x) HD_BY_TYPE(x, log)(x)
#define real_sin(x) HD_BY_TYPE(x, sin)(x)
#define real_cos(x) HD_BY_TYPE(x, cos)(x)
#define real_tanh(x) HD_BY_TYPE(x, tanh)(x)
#define real_floor(x) HD_BY_TYPE(x, floor)(x)
#define real_ceil(x) HD_BY_TYPE(x, ceil)(x)
#define real_pow(x, y) HD_BY_TYPE((x) + (y), pow)(x, y)

#define INFINITE INFINITY
#define PROGRAM static inline __attribute__((always_inline, unused))

#include "program/words.h"

#endif
