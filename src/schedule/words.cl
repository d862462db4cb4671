/* words.cl - what every target tells a vertex program: its traits, its vertex, its run. Stands behind the prelude and
 * before the program; docs/programs.md is the manual. */
#define MONOTONE 1
#define ALL_ACTIVE 2
#define FROM_SOURCES 4
#define UNIQUE_FIXED_POINT 8
#define SUM 16

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))

typedef struct about {
    u32 vertex;
#ifndef HD_NO_IN_DEGREE /* where it would cost an array, and the program seems not to ask */
    u32 in_degree;
#endif
    u32 out_degree;
    u32 source;
    u32 fixed;
    real initial;
} about;

typedef struct run_info {
    u64 vertices;
    u64 iteration;
    f64 parameter[8];
} run_info;

#define ABOUT const about *
#define RUN const run_info *
