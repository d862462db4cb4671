/* hs.c - heat on a graph: q' = q + rate * sum w (q_source - q) / sum |w| over in-edges. */
#include "algorithm/program/steady.h"
#include "check/check.h"

static heddle_status run_hs(const hd_run *run) { return hd_run_steady(run, "hs", 0, true, false); }

#define OPTIONS(X, WITH_WORDS) X(rate) X(initial) X(fixed) X(tolerance) X(max_iterations) X(precision)

const hd_algorithm hd_algorithm_hs = {
    HD_ALGORITHM_INFO("hs", "heat on a graph: q' = q + rate * sum w (q_source - q) / sum |w| over in-edges", OPTIONS),
    .weighs = true,
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_REAL,
    HD_EXECUTORS(HD_STEADY_EXECUTOR(run_hs)),
    .host_bytes = {.vertex = 24, .in_double = 12},
    .program = "hs",
    .results = HD_RESULTS_VALUES,
    .cost = HD_COST_PROGRAM,
    .check = hd_steady_check,
    .reference = hd_reference_hs,
    .verify = hd_verify_hs,
    .tolerance = 1e-4,
    .max_iterations = 1000,
};
