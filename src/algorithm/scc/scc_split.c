/* scc_split.c - see scc_split.h. */
#include "algorithm/scc/scc_split.h"

#include "algorithm/shared/structure_device.h"
#include "base/memory.h"
#include "engine/made.h"

static bool serves(const hd_run *run) { return run->plan.transform; }

static heddle_status split(hd_view *view) {
    const hd_run *run = view->run;
    const hd_plan *plan = &run->plan;
    const hd_made_split *made;
    double start = hd_clock();
    hd_split_options options = {.transform = plan->transform,
                                .pull = plan->direction == HD_PULL,
                                .K = plan->K,
                                .weights = HD_SPLIT_NONE,
                                .seed = run->options.seed};
    HD_TRY(hd_made_split_of(run->ctx, run->graph, HD_MADE_AS_IS, &options, &made));
    run->result->report.transforming += made->fresh ? hd_clock() - start : 0;
    view->inner.plan = hd_plan_without_transform(plan);
    view->inner.graph = made->split.graph ? made->split.graph : run->graph;
    view->own = (void *)(uintptr_t)made;
    return HEDDLE_OK;
}

/* Keeps the labels of the graph's own vertices. */
static heddle_status project(heddle_context *ctx, uint64_t vertices, heddle_result *result) {
    size_t size = hd_value_size(result->type);
    void *kept = hd_resize(&result->allocator, result->values, result->count * size, vertices * size);
    if (!kept)
        return hd_fail_memory(ctx, vertices * size, "vertex values");
    result->values = kept;
    result->count = vertices;
    return hd_structure_figures(ctx, result);
}

static heddle_status bring_back(hd_view *view) {
    const hd_run *run = view->run;
    const hd_made_split *made = view->own;
    heddle_result *result = run->result;
    if (made->split.graph)
        HD_TRY(project(run->ctx, run->graph->vertices, result));
    result->report.transform = hd_transform_name(run->plan.transform);
    hd_result_figure(result, "K", made->split.K);
    hd_result_figure(result, "added_vertices", (double)made->split.added_vertices);
    hd_result_figure(result, "added_edges", (double)made->split.added_edges);
    return HEDDLE_OK;
}

const hd_view_kind hd_scc_split = {.keeps_numbers = true, .serves = serves, .open = split, .bring_back = bring_back};
