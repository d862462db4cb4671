/* prelude_cpu.h - the words a vertex program is written in, for the CPU. Each target has a prelude that defines the
 * same words; docs/programs.md is their manual. */
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
#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))

/* What update() and init() are told about their vertex. */
typedef struct about {
    u32 vertex;
    u32 in_degree, out_degree;
    u32 source;   /* 1: one of the sources */
    u32 fixed;    /* 1: keeps its value, by --fixed */
    real initial; /* by --init; 0 otherwise */
} about;

/* What they are told about the run. */
typedef struct run_info {
    u64 vertices;
    u64 iteration;
    f64 parameter[8]; /* in the order of PARAMETERS */
} run_info;

#define PROGRAM static inline __attribute__((always_inline, unused))
#define ABOUT const about *
#define RUN const run_info *

#endif
