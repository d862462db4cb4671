/* similar_state.h - the words that kernels and host share. Kernels, host and the tests' fake drivers read it:
 * enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_SIMILAR_SIMILAR_STATE_H
#define HD_ALGORITHM_SIMILAR_SIMILAR_STATE_H

enum {
    SIMILAR_FOUND, /* pairs that were worth listing; more than there is room for: some were not listed */
    SIMILAR_WORDS
};

enum { SIMILAR_RECORD = 4 }; /* words of a listed pair: index of the source, the other vertex, their sum */

#endif
