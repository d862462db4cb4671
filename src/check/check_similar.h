/* check_similar.h - the validator of similar with another budget, for tests. */
#ifndef HD_CHECK_CHECK_SIMILAR_H
#define HD_CHECK_CHECK_SIMILAR_H

#include "check/check.h"

/* Neighbours of neighbours that are looked at, about. */
#define HD_SIMILAR_BUDGET (UINT64_C(1) << 30)

heddle_status hd_verify_similar_within(heddle_context *ctx, const heddle_graph *graph,
                                       const heddle_run_options *options, const heddle_result *result, uint64_t budget);

#endif
