/* traits.h - the traits that a vertex program may declare, for the host and for every compiler of programs;
 * docs/programs.md explains each. */
#ifndef HD_PROGRAM_TRAITS_H
#define HD_PROGRAM_TRAITS_H

#define MONOTONE 1           /* values only ever move one way: any order of updates ends at the same values */
#define ALL_ACTIVE 2         /* every vertex sends in every round */
#define FROM_SOURCES 4       /* only the sources are active at first (otherwise all vertices are) */
#define UNIQUE_FIXED_POINT 8 /* rounds may mix old and new values; the end is the same within tolerance */
#define SUM 16               /* reduce adds: a split vertex passes the reduced message on unchanged */
#define UNTIL_UNCHANGED 32   /* rounds end when no update() returns 1; the tolerance does not count */
#define REVERSED 64          /* messages go against the edges: from their targets to their sources */

/* Promises: each opens faster loops, and is tested on samples before the run (engine/cpu/cpu_promises.h). */
#define ONCE 128        /* in strict rounds a vertex changes at most once, and any message of its round will do */
#define LEAST_FIRST 256 /* reduce picks the lesser, along an edge nothing gets less, update goes by the message alone */
#define LARGEST_FIRST 512 /* the same with the larger */
#define CARRIED 1024      /* send(v) is v, update stores reduce(value, message) */
#define HD_PROMISES (ONCE | LEAST_FIRST | LARGEST_FIRST | CARRIED)

#define HD_ABSOLUTE (1 << 15) /* built-in programs: the tolerance is an absolute change */

/* Beside them: what a program has declared by macros of its own (declared.h). */
#define HD_SENDS_EDGE (1 << 16) /* SEND_EDGE: send() receives the edge's source and target */
#define HD_SENDS_RUN (1 << 17)  /* SEND_RUN: send() receives the run */
#define HD_HAS_DONE (1 << 18)   /* DONE: done() ends the run */
#define HD_HAS_PHASES (1 << 19) /* FIRST_PHASE: next_phase() gives each round's phase */
#define HD_TOTALS_AT 20         /* TOTALS: how each is joined, two bits: 0 not used, 1 added, 2 largest, 3 smallest */
#define HD_HAS_TOTALS (255 << HD_TOTALS_AT)
#define HD_TOTAL_KIND(traits, i) ((traits) >> (HD_TOTALS_AT + 2 * (i)) & 3)

/* Whether the tolerance ends a program's rounds: only sums of real numbers approach their limit without reaching it.
 * Any other program ends when no update() returns 1. */
#define HD_BY_TOLERANCE(traits, real_output) \
    ((real_output) && ((traits)&SUM) && !((traits) & (MONOTONE | UNTIL_UNCHANGED | HD_HAS_DONE)))
/* A change is relative to the larger of the two outputs, or to this share of the round's largest output. */
#define HD_SMALL_SHARE 0.001f

#define HD_TOTALS 4 /* values that are reduced over all vertices, at most */

#define HD_PARAMETERS 8 /* numbers that a program can be given, at most */

#endif
