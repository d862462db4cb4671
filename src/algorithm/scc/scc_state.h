/* scc_state.h - words of the state of strongly connected components. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_SCC_SCC_STATE_H
#define HD_ALGORITHM_SCC_SCC_STATE_H

#include "algorithm/structure/sets_state.h"

enum {
    SCC_SCORE = SET_WORDS,
    SCC_PIVOT,
    SCC_ROOT,
    SCC_LARGE,
    SCC_FOUND,
    SCC_ROUND,
    SCC_SPENT,                     /* entries processed by the last kernel of several levels */
    SCC_COUNTS,                    /* of the lists of three levels, cyclically */
    SCC_LISTED = SCC_COUNTS + 3,   /* vertices in the lists of three steps, cyclically */
    SCC_ENTRIES = SCC_LISTED + 3,  /* their edges' entries, out and in */
    SCC_CHANGED = SCC_ENTRIES + 2, /* in three rounds, cyclically */
    SCC_BARRIER = SCC_CHANGED + 3,
    SCC_WORDS
};

#endif
