/* kcore_state.h - the words that kernels and host share. Kernels, host and the tests' fake drivers read it:
 * enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_KCORE_KCORE_STATE_H
#define HD_ALGORITHM_KCORE_KCORE_STATE_H

enum {
    KCORE_TURN,  /* what is to be done next, below */
    KCORE_K,     /* the level */
    KCORE_FROM,  /* vertices of the queue that are being removed: from here */
    KCORE_TO,    /* to before here */
    KCORE_TAIL,  /* where the queue ends */
    KCORE_LEAST, /* the least number of neighbours left, of vertices that have more than the level */
    KCORE_LEVELS,
    KCORE_STEPS,
    KCORE_WORDS
};

enum { KCORE_SCAN, KCORE_PEEL, KCORE_DONE };

#endif
