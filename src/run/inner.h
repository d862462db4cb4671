/* inner.h - the options of runs that a run makes for itself: what they take over from the caller's is decided here, and
 * nowhere else. */
#ifndef HD_RUN_INNER_H
#define HD_RUN_INNER_H

#include "heddle.h"

typedef enum hd_inner {
    HD_INNER_COMPARISON, /* the exact result, on the CPU, that an approximate one is compared with */
    HD_INNER_TRIAL,      /* a plan of graffix, on a sample, to see how fast and how exact it is */
    HD_INNER_REHEARSAL   /* on a graph of two vertices, one round, to see whether anything is refused */
} hd_inner;

/* No inner run writes anything, keeps to the caller's memory limit, or counts lanes. */
heddle_run_options hd_inner_options(const heddle_run_options *given, hd_inner inner);

#endif
