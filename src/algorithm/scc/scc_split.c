/* scc_split.c - see scc_split.h. */
#include "algorithm/scc/scc_split.h"

#include "algorithm/shared/builtin.h"
#include "algorithm/shared/structure_device.h"
#include "base/memory.h"
#include "engine/made.h"

/* Keeps the labels of the graph's own vertices. */
static heddle_status project(heddle_context *ctx, const heddle_graph *graph, heddle_result *result) {
    size_t size = hd_value_size(result->type);
    void *kept = hd_resize(&result->allocator, result->values, result->count * size, graph->vertices * size);
    if (!kept)
        return hd_fail_memory(ctx, graph->vertices * size, "vertex values");
    result->values = kept;
    result->count = graph->vertices;
    return hd_structure_figures(ctx, result);
}

heddle_status hd_scc_transformed(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    hd_run inner = *run;
    const hd_made_split *made;
    const hd_plan *plan = &run->plan;
    double start = hd_clock();
    hd_split_options split = {.transform = plan->transform,
                              .pull = plan->direction == HD_PULL,
                              .K = plan->K,
                              .weights = HD_SPLIT_NONE,
                              .seed = run->options.seed};
    HD_TRY(hd_made_split_of(ctx, graph, HD_MADE_AS_IS, &split, &made));
    result->report.transforming += made->fresh ? hd_clock() - start : 0;
    inner.plan = hd_plan_without_transform(plan);
    inner.graph = made->split.graph ? made->split.graph : graph;
    HD_TRY(hd_on_device(run) ? hd_device_scc(&inner) : hd_algorithm_scc.run(&inner));
    if (made->split.graph)
        HD_TRY(project(ctx, graph, result));
    result->report.transform = hd_transform_name(plan->transform);
    hd_result_figure(result, "K", made->split.K);
    hd_result_figure(result, "added_vertices", (double)made->split.added_vertices);
    hd_result_figure(result, "added_edges", (double)made->split.added_edges);
    return HEDDLE_OK;
}
