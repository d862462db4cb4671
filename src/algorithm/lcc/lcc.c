/* lcc.c - the local clustering coefficient: of all arcs that could join two neighbours of a vertex, the share that
 * exists. Neighbours are the distinct vertices that an arc of either direction joins to it, loops and parallel arcs
 * aside; of a directed graph each direction between two neighbours counts, as LDBC Graphalytics has it. */
#include "algorithm/algorithm.h"
#include "algorithm/triangles/triangles.h"
#include "algorithm/triangles/triangles_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"

/* In place: counts become shares. A triangle of an undirected graph is two arcs between neighbours. */
static void divide(heddle_context *ctx, const heddle_graph *graph, const uint64_t *counts, const uint32_t *degrees,
                   double *values) {
    uint64_t per_count = graph->directed ? 1 : 2;
    HD_PARALLEL_FOR(ctx, schedule(static) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        double degree = degrees[v];
        values[v] = degree < 2 ? 0 : (double)(per_count * counts[v]) / (degree * (degree - 1));
    }
}

static void add_figures(const heddle_graph *graph, heddle_result *result) {
    const double *values = result->values;
    hd_whole sum = 0; /* in units of 2^-60: the same in whatever order vertices are summed */
    for (uint64_t v = 0; v < graph->vertices; v++)
        sum += (int64_t)(values[v] * 0x1p60);
    hd_result_figure(result, "mean", graph->vertices ? (double)sum * 0x1p-60 / (double)graph->vertices : 0);
}

static heddle_status run_lcc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices, *counts = NULL;
    uint32_t *degrees = NULL;
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_F64, n));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(HD_NEW(ctx, &counts, n, "arcs between neighbours"));
    HD_CHECK(HD_NEW(ctx, &degrees, n, "degrees"));
    HD_CHECK(hd_triangles_of(run, true, counts, degrees));
    divide(ctx, run->graph, counts, degrees, run->result->values);
    add_figures(run->graph, run->result);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, counts, n);
    HD_DELETE(&ctx->allocator, degrees, n);
    return status;
}

/* The counts on a device, the division here: devices may have no double precision. */
static heddle_status run_on_device(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    uint64_t n = run->graph->vertices;
    uint32_t *degrees;
    HD_TRY(HD_NEW(ctx, &degrees, n, "degrees"));
    heddle_status status = hd_device_triangles(run, true, degrees);
    if (status == HEDDLE_OK) {
        divide(ctx, run->graph, result->values, degrees, result->values);
        result->type = HEDDLE_VALUE_F64;
        add_figures(run->graph, result);
    }
    HD_DELETE(&ctx->allocator, degrees, n);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) { return hd_triangles_bytes(run, true, bytes); }

const hd_algorithm hd_algorithm_lcc = {
    HD_ALGORITHM_INFO("lcc", "local clustering coefficient: the share of arcs between a vertex's neighbours that exist",
                      HD_NO_OPTIONS),
    .column = "clustering",
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_ALWAYS,
    HD_EXECUTORS({HD_ON_CPU, .run = run_lcc}, {HD_ON_DEVICE, .bytes = hd_lcc_device_bytes, .run = run_on_device}),
    .host_bytes = {.vertex = 20, .more = more_host_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {430, 1.3},
    .reference = hd_reference_lcc,
    .verify = hd_verify_lcc,
};
