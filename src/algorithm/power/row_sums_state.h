/* row_sums_state.h - the words that kernels and host of row_sums.cl share. Kernels, host and the tests' fake drivers
 * read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_POWER_ROW_SUMS_STATE_H
#define HD_ALGORITHM_POWER_ROW_SUMS_STATE_H

enum { SUM_LONG_ROWS, SUM_PIECES, SUM_COUNTS = 4 };

#endif
