/* tc.c - triangles: how many each vertex is in, and how many there are. They are those of the simple undirected graph
 * underneath: direction, parallel arcs and loops do not matter. */
#include "algorithm/algorithm.h"
#include "algorithm/triangles/triangles.h"
#include "algorithm/triangles/triangles_device.h"
#include "base/parallel.h"
#include "check/check.h"

static void add_figures(heddle_context *ctx, heddle_result *result) {
    const uint64_t *counts = result->values;
    uint64_t sum = 0, most = 0;
    uint64_t n = result->count;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : sum) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        sum += counts[v];
        most = counts[v] > most ? counts[v] : most;
    }
    hd_result_figure_whole(result, "triangles", sum / 3);
    hd_result_figure_whole(result, "max", most);
}

static heddle_status run_tc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U64, run->graph->vertices));
    result->plain = true;
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = hd_triangles_of(run, false, result->values, NULL);
    hd_phase_end(ctx);
    if (status == HEDDLE_OK)
        add_figures(ctx, result);
    return status;
}

static heddle_status run_on_device(const hd_run *run) {
    run->result->plain = true;
    HD_TRY(hd_device_triangles(run, false, NULL));
    add_figures(run->ctx, run->result);
    return HEDDLE_OK;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) { return hd_triangles_bytes(run, false, bytes); }

const hd_algorithm hd_algorithm_tc = {
    HD_ALGORITHM_INFO("tc", "triangles that each vertex is in, ignoring direction, and how many there are",
                      HD_NO_OPTIONS),
    .column = "triangles",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_tc}, {HD_ON_DEVICE, .bytes = hd_tc_device_bytes, .run = run_on_device}),
    .host_bytes = {.vertex = 8, .more = more_host_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {400, 1.3},
    .reference = hd_reference_tc,
    .verify = hd_verify_tc,
};
