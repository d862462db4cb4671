/* power_state.h - contents of `words` and `numbers` in power iterations on devices; kinds of norms. Kernels, host
 * and the tests' fake drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_POWER_POWER_STATE_H
#define HD_ALGORITHM_POWER_POWER_STATE_H

/* Norms: the sum of |x|, the square root of the sum of x^2, the largest |x|. */
enum { POWER_SUM, POWER_LENGTH, POWER_MOST };

enum {
    POWER_DONE, /* the first: row_sums.cl reads it too */
    POWER_CONVERGED,
    POWER_ITERATION,
    POWER_LIMIT,
    POWER_TOO_LARGE,
    POWER_MARKED,  /* of a proof: there are values that have grown by 1 or more, */
    POWER_SMALLER, /* and one whose sum is smaller than it */
    POWER_WORDS
};

enum {
    POWER_TOLERANCE,
    POWER_CHANGE,
    POWER_GROWN, /* the norm of the values after a round */
    POWER_SCALE, /* what they are multiplied with then; 0: the values before it stay */
    POWER_NUMBERS
};

/* Of a proof that sums diverge: they must be larger than values by this part, which is well above that of rounding. */
#define POWER_ROUNDING 1e-9
#define POWER_LARGEST 1e300 /* beyond it sums count as too large */

/* The purpose of a measurement (power_measure, power_turn). */
enum {
    POWER_STEP,  /* the norm of the first of two steps */
    POWER_NORM,  /* the norm of values that are to be divided by it */
    POWER_ROUND, /* the change in a round, whose end it is */
    POWER_RATIO  /* of alpha: the largest y / x */
};

#endif
