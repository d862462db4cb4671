/* pr_state.h - contents of `words` and `numbers` in PageRank on devices. Kernels, host and the tests' fake
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
    RANK_SUMS,                  /* and the next: what rank_turn adds up */
    RANK_FIRST = RANK_SUMS + 2, /* the first ranks: this */
    RANK_FIRST_EDGE,            /* and this for each edge */
    RANK_EDGE_SHARE,            /* 1 / number of edges */
    RANK_NUMBERS = 10
};

#endif
