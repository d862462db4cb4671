/* list.h - the built-in vertex programs: X(name, facts), one file each in this folder. */
#ifndef HD_PROGRAM_LIST_H
#define HD_PROGRAM_LIST_H

/* Facts of a built-in program that engines use beside its text. */
typedef enum hd_program_facts {
    HD_PROGRAM_PLAIN = 0,
    HD_PROGRAM_STEPS = 1,     /* values count edges: on a split graph it is sssp, where new edges weigh nothing */
    HD_PROGRAM_BOTH_WAYS = 2, /* edges count in both directions */
    HD_PROGRAM_RANKS = 4,     /* it stops by the sum of changes, and what sinks hold is spread between rounds */
    HD_PROGRAM_INITIAL = 8,   /* it starts from initial values */
    HD_PROGRAM_IN_DEGREE = 16 /* it uses in-degrees */
} hd_program_facts;

#define HD_PROGRAMS(X)                           \
    X(bfs, HD_PROGRAM_STEPS)                     \
    X(sssp, HD_PROGRAM_PLAIN)                    \
    X(sswp, HD_PROGRAM_PLAIN)                    \
    X(cc, HD_PROGRAM_BOTH_WAYS)                  \
    X(pr, HD_PROGRAM_RANKS | HD_PROGRAM_INITIAL) \
    X(hs, HD_PROGRAM_INITIAL)                    \
    X(cs, HD_PROGRAM_INITIAL)                    \
    X(nn, HD_PROGRAM_INITIAL | HD_PROGRAM_IN_DEGREE)

#endif
