/* centrality.h - the check of bc with a given budget, for tests. */
#ifndef HD_CHECK_CENTRALITY_H
#define HD_CHECK_CENTRALITY_H

#include "engine/result.h"

/* Edges and vertices visited over all recomputed sources: a few seconds. */
#define HD_CENTRALITY_BUDGET (UINT64_C(1) << 30)

heddle_status hd_verify_bc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  const heddle_result *result, uint64_t budget);

#endif
