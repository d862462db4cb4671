/* check_triangles.h - the validators of tc and lcc with another budget, for tests. */
#ifndef HD_CHECK_CHECK_TRIANGLES_H
#define HD_CHECK_CHECK_TRIANGLES_H

#include "check/check.h"

/* Neighbours of neighbours that are looked at, about. */
#define HD_TRIANGLE_BUDGET (UINT64_C(1) << 30)

heddle_status hd_verify_tc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  const heddle_result *result, uint64_t budget);
heddle_status hd_verify_lcc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   const heddle_result *result, uint64_t budget);

#endif
