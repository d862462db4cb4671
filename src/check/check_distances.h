/* check_distances.h - the validator of closeness with another budget, for tests. */
#ifndef HD_CHECK_CHECK_DISTANCES_H
#define HD_CHECK_CHECK_DISTANCES_H

#include "check/check.h"

/* Vertices and edges that searches look at, about. */
#define HD_DISTANCES_BUDGET (UINT64_C(1) << 30)

heddle_status hd_verify_closeness_within(heddle_context *ctx, const heddle_graph *graph,
                                         const heddle_run_options *options, const heddle_result *result,
                                         uint64_t budget);

#endif
