/* walks.c - random walks: from each source some of a given length, each step along an out-edge, drawn uniformly, by
 * weight, or by the rule of node2vec (engine/walk_step.h). A walk ends early at a vertex without out-edges.
 * A walk depends on the seed, its source and its number alone; threads take walks in any order. */
#include "algorithm/walks/walks.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/weight_check.h"

#include <math.h>

enum { STEP = 64 }; /* walks that a thread takes at once */

heddle_status hd_walks_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    hd_walk_plan plan = hd_walk_plan_of(graph, options);
    if (plan.steps >= UINT32_MAX || (plan.starts && plan.each > UINT64_MAX / 8 / plan.starts / (plan.steps + 1)))
        return hd_fail(ctx, HEDDLE_E_LIMIT, "walks: %llu walks of %llu edges from each of %llu vertices are too many",
                       (unsigned long long)plan.each, (unsigned long long)plan.steps, (unsigned long long)plan.starts);
    heddle_adjacency out;
    double most;
    if (!plan.rules.weighted)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    return hd_weights_check(ctx, graph, &out, true, "walks", &most);
}

static heddle_status sum_rows(hd_walks *w) {
    const heddle_graph *graph = w->run->graph;
    uint64_t n = graph->vertices;
    HD_TRY(HD_NEW(w->ctx, &w->sums, w->edges, "sums of weights"));
    HD_PARALLEL_FOR(w->ctx, schedule(dynamic, 1024) if (w->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        hd_walk_sums(w->out.weights, graph->weight_type, w->out.offsets[v], w->out.offsets[v + 1],
                     w->sums + w->out.offsets[v]);
    return HEDDLE_OK;
}

heddle_status hd_walks_open(const hd_run *run, hd_walks *w) {
    *w = (hd_walks){.ctx = run->ctx, .run = run, .edges = run->graph->edges};
    HD_TRY(hd_walks_check(run->ctx, run->graph, &run->options));
    w->plan = hd_walk_plan_of(run->graph, &run->options);
    if (!w->plan.rules.weighted)
        return hd_graph_bare(run->ctx, run->graph, false, &w->out);
    HD_TRY(heddle_graph_out(run->ctx, run->graph, &w->out));
    return sum_rows(w);
}

void hd_walks_close(hd_walks *w) { HD_DELETE(&w->ctx->allocator, w->sums, w->edges); }

heddle_status hd_walks_values(const hd_walks *w) {
    heddle_result *result = w->run->result;
    HD_TRY(hd_result_values_new(w->ctx, result, HEDDLE_VALUE_U32, w->plan.walks * (w->plan.steps + 1)));
    result->count = w->plan.walks;
    result->columns = w->plan.steps + 1;
    result->walks = true;
    return HEDDLE_OK;
}

void hd_walks_figures(const hd_run *run) {
    const heddle_result *result = run->result;
    const uint32_t *path = result->values;
    uint64_t count = result->count, all = count * (result->columns - 1), edges = 0, ended = 0;
    HD_PARALLEL_FOR(run->ctx, schedule(static) reduction(+ : edges) if (all >= HD_WORTH_THREADS))
    for (uint64_t i = count; i < count + all; i++)
        edges += path[i] != WALK_NONE;
    for (uint64_t i = 0; i < count; i++)
        ended += path[all + i] == WALK_NONE;
    hd_result_figure_whole(run->result, "walks", count);
    hd_result_figure_whole(run->result, "steps", edges);
    hd_result_figure_whole(run->result, "ended", ended);
    run->result->report.edges_walked = edges;
    run->result->report.iterations = 1;
    run->result->report.converged = 1;
}

static void walk(const hd_walks *w, uint64_t index, uint32_t *path) {
    const hd_walk_plan *plan = &w->plan;
    heddle_vertex before = WALK_NONE, at = hd_walk_start(plan, index);
    uint64_t stream = walk_stream(plan->rules.seed, at, index % plan->each), drawn = 0;
    path[index] = at;
    for (uint64_t k = 1; k <= plan->steps; k++) {
        heddle_vertex next = at == WALK_NONE ? WALK_NONE
                                             : walk_next(plan->rules, w->out.offsets, w->out.targets, w->sums, before,
                                                         at, stream, &drawn);
        before = at;
        at = path[k * plan->walks + index] = next;
    }
}

static heddle_status run_walks(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    hd_walks w = {.ctx = ctx};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_walks_open(run, &w));
    HD_CHECK(hd_walks_values(&w));
    hd_phase_total(ctx, w.plan.walks);
    hd_rounds_mark(ctx);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (w.plan.walks * w.plan.steps >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < w.plan.walks; i++)
        if (!hd_advance_each(ctx, i, STEP, STEP))
            walk(&w, i, run->result->values);
    HD_CHECK(hd_cancelled_status(ctx));
    hd_walks_figures(run);
    HD_ROUND(ctx, .rounds = 1, .vertices = w.plan.walks, .edges = run->result->report.edges_walked,
             .direction = HEDDLE_DIRECTION_PUSH, .kernel = "walks");
out:
    hd_phase_end(ctx);
    hd_walks_close(&w);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    hd_walk_plan plan = hd_walk_plan_of(run->graph, &run->options);
    *bytes = (double)plan.walks * (double)(plan.steps + 1) * 4;
    if (plan.rules.weighted)
        *bytes += (double)run->graph->edges * 8;
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS)                     \
    WITH_WORDS(sources, "begin at these vertices") \
    X(walks) X(length) WITH_WORDS(weighted, "edges are drawn by their weight") X(p) X(q) X(seed)

const hd_algorithm hd_algorithm_walks = {
    HD_ALGORITHM_INFO("walks", "random walks: uniform, by weight, or by the rule of node2vec", OPTIONS),
    .forward = true,
    HD_EXECUTORS({HD_ON_CPU, .run = run_walks}, {HD_ON_DEVICE, .bytes = hd_walks_device_bytes, .run = hd_device_walks}),
    .host_bytes = {.vertex = 0.001, .more = more_host_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "walks are drawn by the numbers of vertices",
    .cost = {1000, 1000}, /* a GPU only on demand: most of the time goes into writing the walks down */
    .check = hd_walks_check,
    .reference = hd_reference_walks,
    .verify = hd_verify_walks,
};
