/* eccentricity.c - the largest distance from a vertex to those that it reaches; the diameter and the radius of the
 * graph, or, if not all vertices are sources, bounds of the diameter. */
#include "algorithm/distances/distances.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"

#include <string.h>

/* Pairs of different vertices, source and other, between which there is no path. */
static hd_whole unreached(const hd_distances *d) {
    uint64_t n = d->run->graph->vertices;
    hd_whole missing = 0;
    for (uint64_t v = 0; v < n; v++)
        missing += hd_distances_others(d, v) - d->sums.reached[v];
    return missing;
}

static void finish(hd_distances *d) {
    heddle_result *result = d->run->result;
    uint64_t n = d->run->graph->vertices;
    uint32_t *values = result->values, most = 0, least = UINT32_MAX;
    result->plain = true;
    HD_PARALLEL_FOR(d->run->ctx, schedule(static) reduction(max
                                                            : most) reduction(min
                                                                              : least) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        values[v] = d->sums.far[v];
        most = values[v] > most ? values[v] : most;
        least = values[v] < least ? values[v] : least;
    }
    hd_result_figure_whole(result, "unreached", unreached(d));
    if (d->all) {
        hd_result_figure(result, "diameter", most);
        hd_result_figure(result, "radius", n ? least : 0);
        return;
    }
    uint32_t bound = hd_distances_most(d);
    hd_result_figure(result, "diameter_min", most);
    if (bound)
        hd_result_figure(result, "diameter_max", bound);
}

static const hd_distance_measure measure = {HD_DISTANCES_FAR, true, HEDDLE_VALUE_U32, finish};

static heddle_status run_eccentricity(const hd_run *run) { return hd_distances_run(run, &measure); }

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    return hd_distances_host_bytes(run, &measure, bytes);
}

static heddle_status prepare(hd_run *run) {
    if (run->options.samples)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "samples and max_error: expected one or the other");
    hd_note(run->ctx, "max_error: the result of eccentricity is exact");
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS)                                                                             \
    X(sources)                                                                                             \
    WITH_WORDS(samples, "distances to K vertices chosen by chance (--seed), instead of all: lower bounds") \
    X(seed) WITH_WORDS(reversed, "distances to a vertex, not from it")

const hd_algorithm hd_algorithm_eccentricity = {
    HD_ALGORITHM_INFO("eccentricity", "the largest distance from each vertex; diameter and radius, or bounds", OPTIONS),
    .column = "eccentricity",
    HD_DISTANCES_FIELDS(run_eccentricity),
    .host_bytes = {.vertex = 4, .more = more_host_bytes},
    .reference = hd_reference_eccentricity,
    .verify = hd_verify_eccentricity,
    .budget = {.prepare = prepare, .exact = hd_distances_exact},
};
