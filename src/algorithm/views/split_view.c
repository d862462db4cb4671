/* split_view.c - see split_view.h. */
#include "algorithm/views/split_view.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "engine/device/incore.h"

static heddle_status check(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const hd_plan *plan = &run->plan;
    const hd_algorithm *algorithm = run->algorithm;
    bool program = algorithm->program || run->options.program;
    if (program || algorithm->split)
        HD_TRY(hd_transform_check_bound(ctx, plan->transform, plan->K));
    if (program)
        return HEDDLE_OK; /* the engine knows */
    if (hd_plan_shards(plan))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: schedule=shard: it is no vertex program; use plan auto instead",
                       algorithm->info.name);
    if (!plan->transform)
        return HEDDLE_OK;
    if (!algorithm->split)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: transform: %s; use plan auto instead", algorithm->info.name,
                       algorithm->no_split ? algorithm->no_split : "it is no vertex program");
    if (algorithm->split->check)
        HD_TRY(algorithm->split->check(run));
    if (plan->schedule && plan->schedule->splits)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: schedule=%s: vertices that a transform has split are not split once more; "
                       "use schedule=thread instead",
                       algorithm->info.name, plan->schedule->name);
    return HEDDLE_OK;
}

/* ---- What splits share ------------------------------------------------------------------------------------------- */

heddle_status hd_split_open(hd_view *view, hd_split_change change, const hd_split_options *options,
                            const hd_derived_split **result) {
    const hd_run *run = view->run;
    const hd_derived_split *made;
    bool fresh;
    double start = hd_clock();
    HD_TRY(hd_derived_split_of(run->ctx, run->graph, change, options, &fresh, &made));
    run->result->report.transforming += fresh ? hd_clock() - start : 0;
    hd_result_transform(run->result, hd_transform_name(options->transform));
    if (made->split.graph || made->changed)
        view->inner.graph = made->split.graph ? made->split.graph : made->changed;
    *result = made;
    return HEDDLE_OK;
}

heddle_status hd_split_bring_back(const hd_view *view, const hd_split_result *split) {
    heddle_result *result = view->run->result;
    uint64_t n = view->run->graph->vertices;
    size_t size = hd_value_size(result->type);
    if (result->count > n) {
        void *kept = hd_resize(&result->allocator, result->values, result->count * size, n * size);
        if (!kept)
            return hd_fail_memory(view->run->ctx, n * size, "vertex values");
        result->values = kept;
        result->count = n;
    }
    hd_result_figure(result, "K", split->K);
    hd_result_figure(result, "added_vertices", (double)split->added_vertices);
    hd_result_figure(result, "added_edges", (double)split->added_edges);
    return HEDDLE_OK;
}

/* ---- Algorithms that are no vertex programs ---------------------------------------------------------------------- */

static bool serves(const hd_run *run) { return run->plan.transform && run->algorithm->split; }

static bool has_own_split(const hd_algorithm *algorithm) {
    for (const hd_executor *e = algorithm->executors; e->run; e++)
        if (e->split_only)
            return true;
    return false;
}

static heddle_status open_split(hd_view *view) {
    const hd_run *run = view->run;
    const hd_split_way *way = run->algorithm->split;
    const hd_derived_split *made;
    hd_split_options options = {.transform = run->plan.transform,
                                .pull = run->plan.direction == HD_PULL,
                                .K = run->plan.K,
                                .weights = HD_SPLIT_NONE,
                                .seed = run->options.seed};
    if (way->check) /* now for the device that was chosen */
        HD_TRY(way->check(run));
    HD_TRY(hd_split_open(view, way->simple ? HD_SPLIT_SIMPLE : HD_SPLIT_UNCHANGED, &options, &made));
    view->own = (void *)(uintptr_t)&made->split;
    view->inner.plan = hd_plan_without_transform(&run->plan);
    view->inner.on_split = made->split.graph != NULL;
    if (!view->inner.on_split) { /* nothing to split */
        view->inner.graph = run->graph;
        if (has_own_split(run->algorithm)) /* which takes no schedule, and is not refused where kernels under one are */
            view->inner.plan = (hd_plan){.name = "auto"};
    }
    return hd_run_take_executor(&view->inner);
}

static heddle_status map_result(hd_view *view) {
    const hd_split_result *split = view->own;
    const hd_split_way *way = view->run->algorithm->split;
    HD_TRY(hd_split_bring_back(view, split));
    return split->graph && way->figures ? way->figures(view->run->ctx, view->run->result) : HEDDLE_OK;
}

/* Of vertex programs too. In-edges that are not at hand are taken to be like out-edges. */
static heddle_status host_bytes(const hd_run *run, uint64_t *bytes) {
    const heddle_graph *graph = run->graph;
    const char *name = run->algorithm->program;
    hd_split_options options = {.transform = run->plan.transform,
                                .pull = run->plan.direction == HD_PULL,
                                .K = run->plan.K};
    hd_incore_program program = {.both_ways = false};
    uint64_t vertices, edges, weight = run->algorithm->weighs ? hd_weight_size(graph->weight_type) : 0;
    if (!options.transform)
        return HEDDLE_OK;
    if (name)
        HD_TRY(hd_incore_find(run->ctx, name, false, &program));
    HD_TRY(hd_split_count(run->ctx, graph, &options, &vertices, &edges));
    uint64_t rows = (graph->vertices + vertices + 1) * 8 + (graph->edges + edges) * (4 + weight);
    *bytes += rows * (options.pull ? 2 : 1) * (program.both_ways && graph->directed ? 2 : 1) +
              vertices * sizeof(heddle_vertex) + (graph->edges + edges) / 8;
    return HEDDLE_OK;
}

const hd_view_kind hd_view_split = {.keeps_numbers = true,
                                    .check = check,
                                    .serves = serves,
                                    .host_bytes = host_bytes,
                                    .open = open_split,
                                    .map_result = map_result};
