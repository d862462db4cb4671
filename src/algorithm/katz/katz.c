/* katz.c - Katz centrality (1953): all walks that end in a vertex, those of k edges counting alpha^k: the solution of
 * x = 1 + alpha * (the sum of x over in-edges). */
#include "algorithm/shared/power.h"
#include "base/parallel.h"
#include "check/check.h"

#include <math.h>

static const double default_share = 0.9; /* of the largest alpha that surely converges */
static const double diverges = 1e200;

static double largest_row(const hd_power *p, const heddle_adjacency *rows) {
    double most = 0;
    HD_PARALLEL_FOR(p->ctx, schedule(static) reduction(max : most) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->vertices; v++) {
        double sum = 0;
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            sum += hd_weight_at(rows->weights, p->weights, e);
        most = sum > most ? sum : most;
    }
    return most;
}

/* Neither the largest sum of a row nor that of a column is exceeded by the largest eigenvalue. */
static heddle_status open_alpha(hd_power *p) {
    double in = largest_row(p, &p->in), out = largest_row(p, &p->out), bound = in < out ? in : out;
    p->alpha = p->options->alpha > 0 ? p->options->alpha : bound > 0 ? default_share / bound : 1;
    return HEDDLE_OK;
}

static double one_round(hd_power *p) {
    hd_power_pull(p, &p->in, p->x, 1, 0, p->alpha, p->y);
    return hd_power_most(p, p->x, p->y) / hd_power_most(p, p->y, NULL);
}

static heddle_status check_values(const hd_power *p) {
    double most = hd_power_most(p, p->y, NULL);
    if (most < diverges)
        return HEDDLE_OK;
    return hd_fail(p->ctx, HEDDLE_E_ARGUMENT,
                   "alpha %g: the sums grow without end, for it is above the reciprocal of the largest eigenvalue; "
                   "without it, one is chosen that converges",
                   p->alpha);
}

static void finish(hd_power *p, heddle_result *result) {
    if (p->options->normalized && p->vertices)
        hd_power_scale(p, p->x, 1 / sqrt(hd_power_sum_of(p, HD_POWER_SQUARE, p->x, NULL)));
    hd_result_figure(result, "alpha", p->alpha);
    hd_result_figure(result, "max", hd_power_most(p, p->x, NULL));
}

static const hd_power_rule rule = {
    .first = 1, .same = true, .open = open_alpha, .round = one_round, .check = check_values, .close = finish};

static heddle_status run_katz(const hd_run *run) { return hd_power_run(run, &rule); }

static heddle_status check_katz(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    if (!(options->alpha >= 0) || isinf(options->alpha))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "alpha %g: expected a finite number, 0 or more", options->alpha);
    return hd_power_check(ctx, graph, options);
}

const hd_algorithm hd_algorithm_katz = {
    .info = {"katz", "Katz centrality: the walks that end in a vertex, longer ones counting less",
             "weighted alpha normalized tolerance max_iterations"},
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_ALWAYS,
    .run = run_katz,
    .host_bytes = {.vertex = 24},
    .results = HD_RESULTS_VALUES,
    .cost = {60, 0},
    .check = check_katz,
    .reference = hd_reference_katz,
    .verify = hd_verify_katz,
    .tolerance = 1e-6,
    .max_iterations = 1000,
};
