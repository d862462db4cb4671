/* katz.c - Katz centrality (1953): all walks that end in a vertex, those of k edges counting alpha^k: the solution of
 * x = 1 + alpha * (the sum of x over in-edges). */
#include "algorithm/power/power.h"
#include "check/check.h"

#include <math.h>

static const hd_power_rule rule = {.norm = POWER_MOST, .walks = true, .add = 1};

HD_POWER_FUNCTIONS(rule)

static heddle_status check_katz(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    if (!(options->alpha >= 0) || isinf(options->alpha))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "alpha %g: expected a finite number, 0 or more", options->alpha);
    return hd_power_check(ctx, graph, options);
}

const hd_algorithm hd_algorithm_katz = {
    .info = {"katz", "Katz centrality: the walks that end in a vertex, longer ones counting less",
             "weighted alpha normalized tolerance max_iterations"},
    .column = "katz",
    HD_POWER_FIELDS,
    .cost = {30, 0.15},
    .check = check_katz,
    .reference = hd_reference_katz,
    .verify = hd_verify_katz,
};
