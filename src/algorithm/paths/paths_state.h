/* paths_state.h - contents of the state in shortest and widest paths. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_PATHS_PATHS_STATE_H
#define HD_ALGORITHM_PATHS_PATHS_STATE_H

/* Three slots of four, used in turn, then the others. */
enum {
    PATHS_PACKED, /* vertices << 36 | edges */
    PATHS_LOWEST, /* label that is pending */
    PATHS_ANY_LONG,
    PATHS_AGAIN, /* labels below the bound that may be pending after the round */
    PATHS_SLOT,
    PATHS_ROUND = 12,
    PATHS_BOUND,
    PATHS_WIDTH,
    PATHS_FINISHED,
    PATHS_LEAST, /* width */
    PATHS_WALKED,
    PATHS_EXCESS,
    PATHS_BOUNDS,
    PATHS_ROUNDS,
    PATHS_FLOOR,   /* no label below it is pending */
    PATHS_HIGHEST, /* bound so far: no label from here on was ever expanded */
    PATHS_LOTS,    /* edges of a round that is worth a narrow window */
    PATHS_WORDS,
    /* Only in a group's plan: */
    PATHS_COUNT = PATHS_WORDS,
    PATHS_EDGES,
    PATHS_IS_NARROW,
    PATHS_LOW,    /* LOWEST of this round */
    PATHS_STAGED, /* where the group's part of the stage begins, less LIST */
    PATHS_PLAN
};

#endif
