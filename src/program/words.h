/* words.h - a vertex program's interface on every target: its traits, its vertex, its run. Stands behind the target's
 * prelude, which has the types, and before the program; docs/programs.md is the manual. */
#ifndef HD_PROGRAM_WORDS_H
#define HD_PROGRAM_WORDS_H

#include "program/traits.h"

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))

/* The vertex, as update() and init() see it. */
typedef struct about {
    u32 vertex;
#ifndef HD_NO_IN_DEGREE /* where it would cost an array, and the program compiles without */
    u32 in_degree;
#endif
    u32 out_degree;
    u32 source;   /* 1: one of the sources */
    u32 fixed;    /* 1: keeps its value, by --fixed */
    real initial; /* by --init; 0 otherwise */
} about;

/* The run, as they see it, and with SEND_RUN send(). */
typedef struct run_info {
    u64 vertices;
    u64 iteration;
    u64 seed;
    f64 parameter[HD_PARAMETERS]; /* in the order of PARAMETERS */
    f64 hd_total[HD_TOTALS];
    u64 hd_phase_round;
    u32 hd_phase;
} run_info;

/* The edge, as send() sees it with SEND_EDGE. */
typedef struct hd_edge_ends {
    u32 source, target; /* as me->vertex */
} hd_edge_ends;

#define ABOUT const about *
#define RUN const run_info *
#define EDGE const hd_edge_ends *

/* TOTALS names the totals of a program, joined with |. */
#define ADDED(i) (1 << 2 * (i))
#define LARGEST(i) (2 << 2 * (i))
#define SMALLEST(i) (3 << 2 * (i))

/* Words that a program may use if it has declared TOTALS, FIRST_PHASE: without, they do not compile. */
#define TOTAL(run, i) ((run)->hd_total[(i) + 0 * (TOTALS)])
#define PHASE(run) ((run)->hd_phase + 0 * (FIRST_PHASE))
#define PHASE_ROUND(run) ((run)->hd_phase_round + 0 * (FIRST_PHASE))

#endif
