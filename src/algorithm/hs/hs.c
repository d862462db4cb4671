/* hs.c - heat on a graph: q' = q + rate * sum w (q_source - q) / sum |w| over in-edges. */
#include "algorithm/shared/steady.h"
#include "check/check.h"

static heddle_status run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         heddle_result *result) {
    return hd_run_steady(ctx, graph, options, "hs", 0, true, false, result);
}

const hd_algorithm hd_algorithm_hs = {
    .info = {"hs", "heat on a graph: q' = q + rate * sum w (q_source - q) / sum |w| over in-edges",
             "rate initial fixed tolerance max_iterations precision"},
    .weighs = true,
    .in_edges = HD_IN_MADE,
    .in_real = true,
    .run = run,
    .device_run = run,
    .check = hd_steady_check,
    .reference = hd_reference_hs,
    .verify = hd_verify_hs,
    .tolerance = 1e-4,
    .max_iterations = 1000,
};
