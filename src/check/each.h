/* each.h - bfs from each source separately: reference and certificate of a single search, applied per source. */
#ifndef HD_CHECK_EACH_H
#define HD_CHECK_EACH_H

#include "engine/result.h"

heddle_status hd_reference_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result);
heddle_status hd_verify_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const heddle_result *result);

#endif
