/* lpa_state.h - the words that kernels and host share. Kernels, host and the tests' fake drivers read it: enumerations
 * and preprocessor only. */
#ifndef HD_ALGORITHM_LPA_LPA_STATE_H
#define HD_ALGORITHM_LPA_LPA_STATE_H

enum {
    LPA_CHANGED, /* labels that a round changed */
    LPA_WORDS
};

enum { LPA_SHORT = 256 }; /* entries of a row whose table is in shared memory */

#endif
