/* harmonic.c - harmonic centrality: the sum of the reciprocals of the distances from the other vertices; of one that
 * does not reach it, 0. */
#include "algorithm/distances/distances.h"
#include "base/parallel.h"
#include "check/check.h"

static void finish(hd_distances *d) {
    const heddle_run_options *options = &d->run->options;
    uint64_t n = d->run->graph->vertices;
    double *values = d->run->result->values, most = 0;
    bool mean = options->normalized || d->sampled;
    HD_PARALLEL_FOR(d->run->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        double others = (double)hd_distances_others(d, v);
        values[v] = (double)d->sums.near[v] / (double)HD_NEAR;
        if (mean && others > 0)
            values[v] /= others;
        if (d->sampled && !options->normalized)
            values[v] *= (double)n - 1;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure(d->run->result, "max", most);
    if (d->sampled) {
        double bound = hd_distances_sampling(n, d->sources.count, hd_distances_confidence(options));
        hd_distances_bound(d, bound < 1 ? bound : -1); /* reciprocals are between 0 and 1: 1 says nothing */
    }
}

static const hd_distance_measure measure = {HD_DISTANCES_NEAR, false, HEDDLE_VALUE_F64, finish};

static heddle_status run_harmonic(const hd_run *run) { return hd_distances_run(run, &measure); }

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    return hd_distances_host_bytes(run, &measure, bytes);
}

/* The least number of samples whose bound is within the budget; all vertices if that is not less. */
static heddle_status prepare(hd_run *run) {
    heddle_run_options *options = &run->options;
    uint64_t n = run->graph->vertices, low = 1, high = n;
    if (options->samples || options->source_count)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "%s and max_error: expected one or the other",
                       options->samples ? "samples" : "sources");
    while (low + 1 < high) {
        uint64_t middle = low + (high - low) / 2;
        if (hd_distances_sampling(n, middle, hd_distances_confidence(options)) <= options->max_error)
            high = middle;
        else
            low = middle;
    }
    options->samples = high < n ? high : 0;
    return HEDDLE_OK;
}

/* The budget is about means, whatever the values are. */
static double error_of(const heddle_graph *graph, const heddle_run_options *options, double sum, double most) {
    (void)sum;
    return options->normalized || graph->vertices < 2 ? most : most / ((double)graph->vertices - 1);
}

#define OPTIONS(X, WITH_WORDS) X(sources) X(samples) X(seed) X(normalized) X(reversed) X(confidence)

const hd_algorithm hd_algorithm_harmonic = {
    HD_ALGORITHM_INFO("harmonic",
                      "harmonic centrality: the sum of the reciprocals of the distances from the other vertices",
                      OPTIONS),
    .column = "harmonic",
    .doubles = HD_DOUBLES_ALWAYS,
    HD_DISTANCES_FIELDS(run_harmonic),
    .host_bytes = {.vertex = 8, .more = more_host_bytes},
    .reference = hd_reference_harmonic,
    .verify = hd_verify_harmonic,
    .budget = {.prepare = prepare, .exact = hd_distances_exact, .error = error_of},
};
