/* check_walks.h - the validator of walks with another budget, for tests. */
#ifndef HD_CHECK_CHECK_WALKS_H
#define HD_CHECK_CHECK_WALKS_H

#include "check/check.h"

/* Arcs that are looked at while walks are made again, about. */
#define HD_WALKS_BUDGET (UINT64_C(1) << 28)

heddle_status hd_verify_walks_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                     const heddle_result *result, uint64_t budget);

#endif
