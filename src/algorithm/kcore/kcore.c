/* kcore.c - core numbers: the largest k for which a vertex lies in a subgraph in which all have at least k neighbours,
 * of the simple undirected graph underneath.
 * By peeling (engine/cpu/peel.h). All levels together look at as many vertices as the sum of the core numbers: at most
 * the number of arcs.
 */
#include "algorithm/algorithm.h"
#include "algorithm/kcore/kcore_device.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/peel.h"
#include "graph/simple.h"

static void remove_vertex(hd_peel *p, uint64_t i, uint32_t k, hd_peel_finds *next) {
    const hd_simple *simple = p->job;
    heddle_vertex v = p->queue[i];
    for (uint64_t e = simple->offsets[v]; e < simple->offsets[v + 1]; e++)
        hd_peel_lower(p, simple->targets[e], k, next);
}

static heddle_status open_peeling(hd_peel *p, const heddle_graph *graph, hd_simple *simple) {
    HD_TRY(hd_simple_open(p->ctx, graph, false, simple));
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->items >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->items; v++)
        p->left[v] = (uint32_t)(simple->offsets[v + 1] - simple->offsets[v]);
    return hd_peel_open(p);
}

void hd_kcore_figures(heddle_context *ctx, heddle_result *result) {
    const uint32_t *core = result->values;
    uint64_t n = result->count, inside = 0;
    uint32_t most = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        most = core[v] > most ? core[v] : most;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : inside) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        inside += core[v] == most;
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "innermost", (double)inside);
}

static heddle_status run_kcore(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    hd_simple simple = {0};
    hd_peel p = {.ctx = ctx, .items = run->graph->vertices, .remove = remove_vertex, .kernel = "peel", .job = &simple};
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, p.items));
    result->plain = true;
    p.left = result->values;
    hd_phase_begin(ctx, "compute", p.items);
    HD_CHECK(open_peeling(&p, run->graph, &simple));
    HD_CHECK(hd_peel_run(&p, &result->report));
    result->report.edges_walked = simple.edges;
    hd_kcore_figures(ctx, result);
out:
    hd_phase_end(ctx);
    hd_peel_close(&p);
    hd_simple_close(ctx, &simple);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    uint64_t simple;
    HD_TRY(hd_simple_bytes(run->ctx, run->graph, false, &simple));
    *bytes = (double)simple;
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_kcore = {
    HD_ALGORITHM_INFO("kcore", "core numbers: the largest k for which a vertex is in a subgraph of minimum degree k",
                      HD_NO_OPTIONS),
    .column = "core",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_kcore}, {HD_ON_DEVICE, .bytes = hd_kcore_device_bytes, .run = hd_device_kcore}),
    .host_bytes = {.vertex = 16, .more = more_host_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {10, 0.3},
    .reference = hd_reference_kcore,
    .verify = hd_verify_kcore,
};
