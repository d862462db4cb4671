/* sswp.c - widest paths: the largest weight w such that a path of edges no lighter than w leads to the vertex.
 *
 * Widths are settled from the widest down by buckets, as distances are (engine/cpu/delta_stepping.h). A width is always
 * some edge's weight, so bucket bounds are weights too: a sorted sample's, which fits any distribution, and is every
 * weight when there are few different ones. Without weights every edge counts 1, and this is a breadth-first search.
 */
#include "algorithm/algorithm.h"
#include "algorithm/paths/parents.h"
#include "algorithm/paths/paths.h"
#include "algorithm/paths/paths_device.h"
#include "algorithm/program/program_run.h"
#include "algorithm/sswp/sswp_device.h"
#include "algorithm/sswp/sswp_disk.h"
#include "base/memory.h"
#include "check/check.h"
#include "engine/cpu/delta_stepping.h"
#include "engine/weight_check.h"
#include "operator/levels.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 1 << 13, BOUNDS = 1 << 10 };

static int compare(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Leaves ascending labels in `bounds`, which has room for SAMPLES; returns their number. */
static uint64_t choose_bounds(const heddle_graph *graph, const heddle_adjacency *out, hd_path path, uint64_t *bounds) {
    uint64_t samples = graph->edges < SAMPLES ? graph->edges : SAMPLES, different = 0;
    uint64_t most;
    for (uint64_t i = 0; i < samples; i++)
        bounds[i] = hd_wide_label(path, out->weights, hd_split(graph->edges, samples, i));
    qsort(bounds, samples, sizeof *bounds, compare);
    for (uint64_t i = 0; i < samples; i++)
        if (i == 0 || bounds[i] != bounds[i - 1])
            bounds[different++] = bounds[i];
    most = different < BOUNDS ? different : BOUNDS;
    for (uint64_t i = 0; i < most; i++)
        bounds[i] = bounds[hd_split(different, most, i)];
    return most;
}

/* The width of a label; it lies where its label lay. */
static double width_of(hd_path path, uint64_t label) {
    if (label == 0)
        return INFINITY;
    if (label == hd_path_unreached(path))
        return -INFINITY;
    if (path == HD_WIDE_U32)
        return (double)((INT64_C(1) << 32) - (int64_t)label);
    if (path == HD_WIDE_I32)
        return (double)((INT64_C(1) << 31) - (int64_t)label);
    if (path == HD_WIDE_F64)
        return hd_double_of(label >> 63 ? label : ~label & INT64_MAX);
    return (double)hd_float_of(label >> 31 ? (uint32_t)label : ~(uint32_t)label & INT32_MAX);
}

typedef struct widths {
    uint64_t reached;
    double most; /* but for sources */
} widths;

/* Turns labels of i64 weights into widths, in place: the label of sources becomes the largest, that of unreached
 * vertices the least. */
static void to_whole_widths(heddle_context *ctx, int64_t *values, uint64_t count) {
    HD_PARALLEL_FOR(ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++)
        values[v] = (int64_t)((uint64_t)INT64_MAX - (uint64_t)values[v]);
}

/* The same for others. */
static widths to_widths(heddle_context *ctx, hd_path path, void *values, uint64_t count) {
    uint64_t reached = 0;
    double most = -INFINITY;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : reached) reduction(max : most) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++) {
        double width = width_of(path, hd_path_label(path, values, v));
        reached += width > -INFINITY;
        most = width > most && width < INFINITY ? width : most;
        if (hd_path_is_32(path))
            ((uint32_t *)values)[v] = hd_bits_of((float)width);
        else
            ((uint64_t *)values)[v] = hd_bits_of_double(width);
    }
    return (widths){reached, most};
}

static heddle_status run_weighted(const hd_run *run, widths *found) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    hd_path path = hd_paths_widest(graph->weight_type);
    hd_stepping_setup setup = {.path = path,
                               .vertices = graph->vertices,
                               .sources = run->options.sources,
                               .source_count = run->options.source_count,
                               .labels = result->values,
                               .weight_bytes = hd_weight_size(graph->weight_type)};
    hd_stepping_report report;
    uint64_t *bounds = NULL;
    double most;
    heddle_status status;
    HD_CHECK(heddle_graph_out(ctx, graph, &setup.out));
    HD_CHECK(hd_weights_check(ctx, graph, &setup.out, false, "sswp", &most));
    HD_CHECK(hd_paths_check_widths(ctx, graph, &setup.out));
    HD_CHECK(HD_NEW(ctx, &bounds, SAMPLES, "bucket bounds"));
    setup.bound_count = choose_bounds(graph, &setup.out, path, bounds);
    setup.bounds = bounds;
    HD_CHECK(hd_stepping(ctx, &setup, &report));
    if (result->parents)
        HD_CHECK(hd_parents(ctx, graph, &run->options, path, setup.labels, result->parents));
    if (path == HD_WIDE_I64)
        to_whole_widths(ctx, setup.labels, graph->vertices);
    else
        *found = to_widths(ctx, path, setup.labels, graph->vertices);
    result->report.iterations = report.rounds;
    result->report.edges_walked = report.edges_walked;
out:
    HD_DELETE(&ctx->allocator, bounds, SAMPLES);
    return status;
}

static heddle_status run_unweighted(const hd_run *run, widths *found) {
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    const hd_levels_from asked = {run->options.sources, run->options.source_count, 0};
    uint32_t *levels;
    double *values = result->values;
    HD_TRY(HD_NEW(run->ctx, &levels, graph->vertices, "levels"));
    heddle_status status =
        hd_levels(run->ctx, graph, &asked, levels, result->parents, &result->report, &found->reached);
    found->most = -INFINITY;
    for (uint64_t v = 0; status == HEDDLE_OK && v < graph->vertices; v++) {
        values[v] = levels[v] == 0 ? INFINITY : levels[v] == UINT32_MAX ? -INFINITY : 1;
        found->most = values[v] == 1 ? 1 : found->most;
    }
    HD_DELETE(&run->ctx->allocator, levels, graph->vertices);
    return status;
}

static heddle_status run_sswp(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    widths found;
    result->widest = true;
    HD_TRY(hd_result_values_new(ctx, result, hd_paths_width_type(graph), graph->vertices));
    if (run->options.parents)
        HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
    if (graph->weight_type == HEDDLE_WEIGHT_NONE)
        HD_TRY(run_unweighted(run, &found));
    else
        HD_TRY(run_weighted(run, &found));
    if (result->type == HEDDLE_VALUE_I64) {
        hd_paths_figures(ctx, result, 0);
        return HEDDLE_OK;
    }
    hd_result_figure(result, "reached", (double)found.reached);
    if (found.most > -INFINITY && result->type == HEDDLE_VALUE_F32)
        hd_result_figure_single(result, "max", (float)found.most);
    else if (found.most > -INFINITY)
        hd_result_figure(result, "max", found.most);
    return HEDDLE_OK;
}

/* Widths without weights give no path: a separate search finds it. */
static heddle_status find_parents(const hd_run *run) {
    heddle_report unused = {.iterations = 0};
    const hd_levels_from asked = {run->options.sources, run->options.source_count, 0};
    uint64_t n = run->graph->vertices, reached;
    uint32_t *levels;
    if (run->graph->weight_type != HEDDLE_WEIGHT_NONE)
        return hd_width_parents(run);
    HD_TRY(hd_result_parents_new(run->ctx, run->result, n));
    HD_TRY(HD_NEW(run->ctx, &levels, n, "levels"));
    bool recording = hd_rounds_pause(run->ctx);
    heddle_status status = hd_levels(run->ctx, run->graph, &asked, levels, run->result->parents, &unused, &reached);
    hd_rounds_resume(run->ctx, recording);
    HD_DELETE(&run->ctx->allocator, levels, n);
    return status;
}

static heddle_status check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    (void)options;
    if (graph->weight_type != HEDDLE_WEIGHT_I64)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    return hd_paths_check_widths(ctx, graph, &out);
}

#define OPTIONS(X, WITH_WORDS) X(sources) X(parents)

const hd_algorithm hd_algorithm_sswp = {
    HD_ALGORITHM_INFO("sswp",
                      "widest paths from one or more sources: the lightest edge of a path, as heavy as possible",
                      OPTIONS),
    .column = "width",
    .forward = true,
    .weighs = true,
    .from_sources = true,
    .doubles = HD_DOUBLES_WIDTHS,
    HD_EXECUTORS({HD_ON_CPU, .run = run_sswp},
                 {HD_ON_CPU, HD_IN_FILE, .refuse = hd_sswp_disk_refuse, .wants = hd_sswp_disk_wants,
                  .run = hd_sswp_from_disk},
                 {HD_ON_DEVICE, .atomics64 = true, .doubles = true, .refuse = hd_paths_refuse,
                  .bytes = hd_sswp_device_bytes, .run = hd_device_sswp},
                 HD_PROGRAM_EXECUTOR(hd_device_sswp)),
    .host_bytes = {.vertex = 14},
    .program = "sswp",
    .weight_ranks = HD_WEIGHT_RANKS_OFF_CPU, /* labels have 32 bits there, and under transforms */
    .check = check,
    .results = HD_RESULTS_VALUES,
    .find_parents = find_parents,
    .cpu_orders = {&hd_order_bfs},
    .cost = {14, 0.05},
    .reference = hd_reference_sswp,
    .verify = hd_verify_sswp,
};
