/* sets_state.h - the first words of a state of disjoint sets. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_STRUCTURE_SETS_STATE_H
#define HD_ALGORITHM_STRUCTURE_SETS_STATE_H

enum {
    SET_GIANT, /* the root of what is probably the largest set, */
    SET_VOTES, /* and how many of the samples had it */
    SET_OPEN,  /* for each turn, whether a vertex may still not point to its root */
    SET_WORDS = SET_OPEN + 16
};

#endif
