/* mst_state.h - words of the state of minimum spanning forests. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_MST_MST_STATE_H
#define HD_ALGORITHM_MST_MST_STATE_H

#include "algorithm/structure/sets_state.h"

enum {
    MST_FOUND = SET_WORDS, /* items in the two lists */
    MST_FOREST = MST_FOUND + 2,
    MST_ENTRIES,
    MST_TOO_HEAVY,
    MST_LAST,
    MST_ALIVE, /* vertices with edges */
    MST_WORDS
};
/* How keys are read and compared. */
enum { MST_FIRST, MST_NEXT, MST_AGAIN };

#endif
