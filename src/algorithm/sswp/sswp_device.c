/* sswp_device.c - widest paths on devices. Widths come from the device; the tree behind them is found by the same code
 * as on the CPU, which wants them as labels (engine/path_label.h). Without weights every path is as wide as any other,
 * and what counts is the number of edges: a breadth-first search. */
#include "algorithm/sswp/sswp_device.h"

#include "algorithm/paths/parents.h"
#include "algorithm/paths/paths.h"
#include "algorithm/paths/paths_device.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/weight_check.h"

#include <math.h>

/* Values that a checkpoint brought may be anything; NaN counts as `low`. */
static double clamp_width(double width, double low, double high) {
    return !(width >= low) ? low : width > high ? high : width;
}

static uint64_t label_of(hd_path path, double width) {
    if (width == INFINITY)
        return 0;
    if (width == -INFINITY)
        return hd_path_unreached(path);
    if (path == HD_WIDE_F64)
        return hd_wide_label(path, &width, 0);
    float single = (float)width;
    uint32_t number = path == HD_WIDE_U32 ? (uint32_t)clamp_width(width, 0, UINT32_MAX) : 0;
    int32_t signed_number = path == HD_WIDE_I32 ? (int32_t)clamp_width(width, INT32_MIN, INT32_MAX) : 0;
    const void *weight = path == HD_WIDE_U32   ? (const void *)&number
                         : path == HD_WIDE_I32 ? (const void *)&signed_number
                                               : (const void *)&single;
    return hd_wide_label(path, weight, 0);
}

void hd_width_labels(heddle_context *ctx, hd_path path, const heddle_result *widths, void *labels) {
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t v = 0; v < widths->count; v++) {
        uint64_t label = path == HD_WIDE_I64 ? (uint64_t)INT64_MAX - ((const uint64_t *)widths->values)[v]
                                             : label_of(path, heddle_result_value(widths, (heddle_vertex)v));
        if (hd_path_is_32(path))
            ((uint32_t *)labels)[v] = (uint32_t)label;
        else
            ((uint64_t *)labels)[v] = label;
    }
}

heddle_status hd_width_parents(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    hd_path path = hd_paths_widest(graph->weight_type);
    uint64_t *labels;
    HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
    HD_TRY(HD_NEW(ctx, &labels, graph->vertices, "labels"));
    hd_width_labels(ctx, path, result, labels);
    heddle_status status = hd_parents(ctx, graph, &run->options, path, labels, result->parents);
    HD_DELETE(&ctx->allocator, labels, graph->vertices);
    return status;
}

heddle_status hd_sswp_widen(heddle_context *ctx, heddle_result *result) {
    uint32_t *levels = result->values;
    uint64_t count = result->count;
    result->values = NULL;
    heddle_status status = hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, count);
    double *widths = result->values;
    for (uint64_t v = 0; status == HEDDLE_OK && v < count; v++)
        widths[v] = levels[v] == 0 ? INFINITY : levels[v] == UINT32_MAX ? -INFINITY : 1;
    hd_free(&result->allocator, levels, count * sizeof *levels);
    return status;
}

heddle_status hd_device_sswp(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    heddle_adjacency out;
    hd_incore_program program;
    hd_cpu_setup setup = {.sources = options->sources, .source_count = options->source_count};
    bool hops = graph->weight_type == HEDDLE_WEIGHT_NONE, excess;
    double most;
    HD_TRY(heddle_graph_out(ctx, hd_graph_on_host(graph), &out));
    HD_TRY(hd_weights_check(ctx, hd_graph_on_host(graph), &out, false, "sswp", &most));
    if (!run->executor->program) {
        HD_TRY(hops ? hd_paths_sums(run, HD_SUM_U32, &excess) : hd_paths_widths(run));
    } else {
        HD_TRY(hd_incore_find(ctx, hops ? "bfs" : "sswp", !hops && graph->weight_type != HEDDLE_WEIGHT_F32, &program));
        HD_TRY(hd_program_execute(run, &program, NULL, &setup));
    }
    if (options->parents && hops)
        HD_TRY(hd_level_parents(run));
    if (hops)
        HD_TRY(hd_sswp_widen(ctx, result));
    else if (options->parents)
        HD_TRY(hd_width_parents(run));
    result->widest = true;
    hd_paths_figures(ctx, result, 0);
    return HEDDLE_OK;
}

heddle_status hd_sswp_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    *bytes = hd_paths_device_bytes(r, false);
    return HEDDLE_OK;
}
