/* nn.c - neural network: x' = tanh(sum w x_source) over in-edges. */
#include "algorithm/program/steady.h"
#include "check/check.h"

static heddle_status run_nn(const hd_run *run) { return hd_run_steady(run, "nn", 1, false, false); }

#define OPTIONS(X, WITH_WORDS) X(initial) X(fixed) X(tolerance) X(max_iterations) X(precision)

const hd_algorithm hd_algorithm_nn = {
    HD_ALGORITHM_INFO("nn", "neural network: x' = tanh(sum w x_source) over in-edges", OPTIONS),
    .weighs = true,
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_REAL,
    HD_EXECUTORS(HD_STEADY_EXECUTOR(run_nn)),
    .host_bytes = {.vertex = 24, .in_double = 12},
    .program = "nn",
    .results = HD_RESULTS_VALUES,
    .cost = HD_COST_PROGRAM,
    .check = hd_steady_check,
    .reference = hd_reference_nn,
    .verify = hd_verify_nn,
    .tolerance = 1e-4,
    .max_iterations = 1000,
};
