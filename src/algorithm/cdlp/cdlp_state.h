/* cdlp_state.h - the words that kernels and host share. Kernels, host and the tests' fake drivers read it: enumerations
 * and preprocessor only. */
#ifndef HD_ALGORITHM_CDLP_CDLP_STATE_H
#define HD_ALGORITHM_CDLP_CDLP_STATE_H

enum {
    CDLP_CHANGED, /* labels that a round changed */
    CDLP_LONG,    /* rows of more than CDLP_SHORT entries */
    CDLP_UNITS,   /* of CDLP_UNIT slots, that their tables take */
    CDLP_WORDS
};

enum {
    CDLP_SHORT = 256, /* entries of a row whose table is in shared memory */
    CDLP_UNIT = 64
};

#endif
