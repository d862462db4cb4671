/* inner.h - the options of runs that a run makes for itself: what they take over from the caller's is decided here, and
 * nowhere else. */
#ifndef HD_RUN_INNER_H
#define HD_RUN_INNER_H

#include "engine/run.h"

typedef enum hd_inner {
    HD_INNER_COMPARISON, /* the exact result, on the CPU, that an approximate one is compared with */
    HD_INNER_TRIAL       /* a plan of graffix, on a sample, to see how fast and how exact it is */
} hd_inner;

/* No inner run writes anything, keeps to the caller's memory limit, or counts lanes. */
heddle_run_options hd_inner_options(const heddle_run_options *given, hd_inner inner);

/* Runs with such options (run.c), of one process and without notes: what is to be noted was. `plain`: a user's program
 * in strict rounds over all in-edges, whatever it promises. */
heddle_status hd_run_inner(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           bool plain, heddle_result **result);

#endif
