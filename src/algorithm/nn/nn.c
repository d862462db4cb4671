/* nn.c - neural network: x' = tanh(sum w x_source) over in-edges. */
#include "algorithm/shared/steady.h"
#include "check/check.h"

static heddle_status run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         heddle_result *result) {
    return hd_run_steady(ctx, graph, options, "nn", 1, false, false, result);
}

const hd_algorithm hd_algorithm_nn = {
    .info = {"nn", "neural network: x' = tanh(sum w x_source) over in-edges",
             "initial fixed tolerance max_iterations precision"},
    .weighs = true,
    .in_edges = HD_IN_MADE,
    .in_real = true,
    .run = run,
    .device_run = run,
    .check = hd_steady_check,
    .reference = hd_reference_nn,
    .verify = hd_verify_nn,
    .tolerance = 1e-4,
    .max_iterations = 1000,
};
