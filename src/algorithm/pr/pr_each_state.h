/* pr_each_state.h - contents of `words` and `numbers` in PageRank from many sources on devices. Kernels, host and the
 * tests' fake drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_PR_PR_EACH_STATE_H
#define HD_ALGORITHM_PR_PR_EACH_STATE_H

enum {
    EACH_DONE, /* the first: row_sums.cl reads it too */
    EACH_ITERATION,
    EACH_LIMIT,
    EACH_LIVE, /* a bit for each column that has not converged */
    EACH_WORDS
};

enum {
    EACH_DAMPING,
    EACH_TOLERANCE,
    EACH_COLUMNS = 8,
    EACH_BASE = 2,                          /* per column: what the source gets besides its neighbours' shares, */
    EACH_CHANGE = EACH_BASE + EACH_COLUMNS, /* and the change in the last round that it took part in */
    EACH_NUMBERS = EACH_CHANGE + EACH_COLUMNS
};

#endif
