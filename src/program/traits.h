/* traits.h - what a vertex program may declare of itself, for the host and for every compiler of programs;
 * docs/programs.md explains each. */
#ifndef HD_PROGRAM_TRAITS_H
#define HD_PROGRAM_TRAITS_H

#define MONOTONE 1           /* values only ever move one way: any order of updates ends at the same values */
#define ALL_ACTIVE 2         /* every vertex sends in every round */
#define FROM_SOURCES 4       /* only the sources are active at first (otherwise all vertices are) */
#define UNIQUE_FIXED_POINT 8 /* rounds may mix old and new values; the end is the same within tolerance */
#define SUM 16               /* reduce adds: a split vertex passes the reduced message on unchanged */

/* Beside them: what a program has declared by macros of its own (declared.h). */
#define HD_SENDS_EDGE (1 << 16) /* SEND_EDGE: send() is told the edge's source and target */
#define HD_SENDS_RUN (1 << 17)  /* SEND_RUN: send() is told about the run */

#define HD_PARAMETERS 8 /* numbers that a program can be given, at most */

#endif
