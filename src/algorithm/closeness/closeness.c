/* closeness.c - closeness centrality: the reciprocal of the mean distance from the others that reach a vertex, times
 * the share of the others that do (Wasserman and Faust, 1994), as NetworkX has it. */
#include "algorithm/distances/distances.h"
#include "base/parallel.h"
#include "check/check.h"

#include <math.h>

/* Bounds of sampled values: distances are from 1 to a bound that some search gives, so the mean distance m is
 * known up to e, and the closeness 1/m up to e / (m (m - e)); m is at least 1. Negative: nothing, or no more than that
 * the largest value may be 0 as well. */
static double largest_error(const hd_distances *d, double most_value) {
    const heddle_run_options *options = &d->run->options;
    uint64_t n = d->run->graph->vertices;
    uint32_t most = hd_distances_most(d);
    const double *values = d->run->result->values;
    double part = hd_distances_sampling(n, d->sources.count, hd_distances_confidence(options)), worst = 0;
    if (!most || isinf(part))
        return -1;
    for (uint64_t v = 0; v < n; v++) {
        double slack = part * (most - 1), mean = values[v] > 0 ? 1 / values[v] : 1;
        double error = slack * values[v] / (mean - slack > 1 ? mean - slack : 1);
        worst = error > worst ? error : worst;
    }
    return worst < most_value ? worst : -1;
}

static void finish(hd_distances *d) {
    heddle_context *ctx = d->run->ctx;
    uint64_t n = d->run->graph->vertices;
    double *values = d->run->result->values, most = 0;
    bool within = d->run->options.reachable_only;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        double reached = d->sums.reached[v], others = (double)hd_distances_others(d, v);
        values[v] = reached > 0 ? reached / (double)d->sums.sum[v] : 0;
        if (!within && others > 0)
            values[v] *= reached / others;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure(d->run->result, "max", most);
    if (d->sampled)
        hd_distances_bound(d, largest_error(d, most));
    if (d->sampled && d->run->result->report.error_bound < 0)
        hd_note(ctx, "closeness: so many samples prove no bound of the error; on connected undirected graphs more of "
                     "them do");
}

static const hd_distance_measure measure = {HD_DISTANCES_SUM, false, HEDDLE_VALUE_F64, finish};

static heddle_status run_closeness(const hd_run *run) { return hd_distances_run(run, &measure); }

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    return hd_distances_host_bytes(run, &measure, bytes);
}

/* Samples are requested by their number: the bound depends on distances that are not known before. */
static heddle_status prepare(hd_run *run) {
    if (run->options.samples)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "samples and max_error: expected one or the other");
    hd_note(run->ctx, "max_error: the result of closeness is exact; --samples makes it approximate, with a "
                      "bound that the report has");
    return HEDDLE_OK;
}

static double error_of(const heddle_graph *graph, const heddle_run_options *options, double sum, double most) {
    (void)graph, (void)options, (void)sum;
    return most;
}

#define OPTIONS(X, WITH_WORDS) X(sources) X(samples) X(seed) X(reversed) X(reachable_only)

const hd_algorithm hd_algorithm_closeness = {
    HD_ALGORITHM_INFO("closeness", "closeness centrality: the reciprocal of the mean distance from the other vertices",
                      OPTIONS),
    .column = "closeness",
    .doubles = HD_DOUBLES_ALWAYS,
    HD_DISTANCES_FIELDS(run_closeness),
    .host_bytes = {.vertex = 8, .more = more_host_bytes},
    .reference = hd_reference_closeness,
    .verify = hd_verify_closeness,
    .budget = {.prepare = prepare, .exact = hd_distances_exact, .error = error_of},
};
