/* pr_state.h - what `words` and `numbers` hold in PageRank on devices. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_PR_PR_STATE_H
#define HD_ALGORITHM_PR_PR_STATE_H

enum {
    RANK_DONE,
    RANK_CONVERGED,
    RANK_ITERATION,
    RANK_LIMIT,
    RANK_LONG_ROWS, /* number of long rows */
    RANK_PIECES,
    RANK_WARP_ROWS, /* whether there are any */
    RANK_BARRIER,
    RANK_WORDS
};
enum {
    RANK_DAMPING,
    RANK_BASE, /* what every vertex gets besides its neighbours' shares */
    RANK_TOLERANCE,
    RANK_RESIDUAL,
    RANK_NUMBERS = 8
};

#endif
