/* compare.h - for validators that compute a result again, in other code than the run's: compares the two. */
#ifndef HD_CHECK_COMPARE_H
#define HD_CHECK_COMPARE_H

#include "engine/result.h"

typedef heddle_status hd_reference_fn(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                      heddle_result *result);

/* Runs the reference and compares its values, edges and figures with the result's, which must be the same. `value` and
 * `weight` are the words for a vertex' value and an edge's weight in messages. Errors: HEDDLE_E_VERIFY, with the first
 * vertex or edge that differs; those of the reference. */
heddle_status hd_compare_reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   const heddle_result *result, hd_reference_fn *reference, const char *value,
                                   const char *weight);

#endif
