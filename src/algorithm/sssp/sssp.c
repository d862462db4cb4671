/* sssp.c - shortest paths by delta-stepping (engine/cpu/delta_stepping.h).
 *
 * Distances are 32-bit sums; when one that matters does not fit, the run is done again with 64 bits. Weights of 64 bits
 * have 64-bit sums, and one that matters and does not fit is an error. Sums of real weights are doubles, rounded edge
 * by edge from the source on: rounding keeps order, so that the least sum, unlike most floating-point results, does not
 * depend on who came first. Without weights, and where all are 1, this is a breadth-first search.
 */
#include "algorithm/algorithm.h"
#include "algorithm/bfs/bfs_device.h"
#include "algorithm/bfs/bfs_each.h"
#include "algorithm/paths/parents.h"
#include "algorithm/paths/paths.h"
#include "algorithm/paths/paths_device.h"
#include "algorithm/program/program_run.h"
#include "algorithm/sssp/sssp_device.h"
#include "algorithm/sssp/sssp_disk.h"
#include "algorithm/sssp/sssp_width.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/delta_stepping.h"
#include "engine/weight_check.h"
#include "operator/levels.h"

#include <math.h>

/* Room for the values: a column, or with `each` one for each source. */
static heddle_status make_values(const hd_run *run, hd_path path) {
    heddle_result *result = run->result;
    uint64_t n = run->graph->vertices, old = result->columns ? result->columns : 1;
    if (result->values)
        hd_free(&result->allocator, result->values, n * old * hd_value_size(result->type));
    result->values = NULL;
    HD_DELETE(&result->allocator, result->column_sources, old);
    return run->options.each ? hd_result_columns_new(run->ctx, result, hd_paths_sum_type(path), n, &run->options)
                             : hd_result_values_new(run->ctx, result, hd_paths_sum_type(path), n);
}

/* From `count` of the sources, the first of which is number `first`, into `labels`. */
static heddle_status step(const hd_run *run, const heddle_adjacency *out, hd_path path, int width, uint64_t first,
                          uint64_t count, void *labels, hd_stepping_report *report) {
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    hd_stepping_setup setup = {.path = path,
                               .vertices = graph->vertices,
                               .out = *out,
                               .sources = first ? run->options.sources + first : run->options.sources,
                               .source_count = count,
                               .labels = labels,
                               .shift = width < 0    ? 0
                                        : width > 63 ? 63
                                                     : (unsigned)width,
                               .scale = ldexp(1, -width),
                               .weight_bytes = hd_weight_size(graph->weight_type)};
    HD_TRY(hd_stepping(run->ctx, &setup, report));
    result->report.iterations += report->rounds;
    result->report.edges_walked += report->edges_walked;
    return HEDDLE_OK;
}

/* All searches; *cut: some sum that matters does not fit the path's type. */
static heddle_status step_all(const hd_run *run, const heddle_adjacency *out, hd_path path, int width, bool *cut) {
    const heddle_run_options *options = &run->options;
    uint64_t searches = options->each ? options->source_count : 1, count = options->each ? 1 : options->source_count;
    hd_stepping_report report;
    *cut = false;
    HD_TRY(make_values(run, path));
    for (uint64_t k = 0; k < searches && !*cut; k++) {
        char *labels = (char *)run->result->values + k * run->graph->vertices * hd_value_size(run->result->type);
        HD_TRY(step(run, out, path, width, k, count, labels, &report));
        *cut = report.overflow && hd_paths_cut_short(run->ctx, run->graph, out, path, labels);
    }
    return HEDDLE_OK;
}

static heddle_status run_unweighted(const hd_run *run) {
    heddle_result *result = run->result;
    const hd_levels_from asked = {run->options.sources, run->options.source_count, 0};
    uint64_t reached;
    if (run->options.each)
        return hd_bfs_each(run);
    HD_TRY(hd_result_values_new(run->ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    HD_TRY(hd_levels(run->ctx, run->graph, &asked, result->values, result->parents, &result->report, &reached));
    hd_paths_figures(run->ctx, result, 0);
    return HEDDLE_OK;
}

static heddle_status run_weighted(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    heddle_adjacency out;
    double most;
    bool cut;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_weights_check(ctx, graph, &out, true, "sssp", &most));
    if (options->delta == 0 && hd_weights_all_one(ctx, graph, &out))
        return run_unweighted(run);
    hd_path path = hd_paths_sum_for(graph, options, most);
    int width = hd_sssp_width(graph, &out, options->delta);
    HD_TRY(step_all(run, &out, path, width, &cut));
    if (cut && hd_path_weight_size(path) == 8)
        return hd_paths_refuse_sum(ctx, result->type);
    if (cut) {
        path = HD_SUM_U64;
        HD_TRY(step_all(run, &out, path, width, &cut));
    }
    if (result->parents)
        HD_TRY(hd_parents(ctx, graph, options, path, result->values, result->parents));
    uint64_t columns = options->each ? options->source_count : 1;
    result->count *= columns; /* figures are those of all columns */
    hd_paths_figures(ctx, result, ldexp(1, width));
    result->count = graph->vertices;
    return HEDDLE_OK;
}

/* With `each` a column per source. */
static heddle_status host_bytes_of_each(const hd_run *run, double *bytes) {
    uint64_t sources = run->options.source_count;
    if (run->options.each)
        *bytes = (double)run->graph->vertices * 8 * (double)(sources ? sources - 1 : 0);
    return HEDDLE_OK;
}

static heddle_status check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    (void)options;
    if (graph->weight_type == HEDDLE_WEIGHT_NONE || graph->weight_type == HEDDLE_WEIGHT_U32)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    return hd_weights_check(ctx, graph, &out, true, "sssp", &most);
}

static heddle_status run_sssp(const hd_run *run) {
    if (run->options.parents)
        HD_TRY(hd_result_parents_new(run->ctx, run->result, run->graph->vertices));
    return run->graph->weight_type == HEDDLE_WEIGHT_NONE ? run_unweighted(run) : run_weighted(run);
}

static heddle_status find_parents(const hd_run *run) {
    heddle_result *result = run->result;
    if (run->graph->weight_type == HEDDLE_WEIGHT_NONE)
        return hd_level_parents(run);
    HD_TRY(hd_result_parents_new(run->ctx, result, run->graph->vertices));
    return hd_parents(run->ctx, run->graph, &run->options, hd_paths_sum(run->graph, result->type), result->values,
                      result->parents);
}

#define OPTIONS(X, WITH_WORDS) \
    X(sources)                 \
    X(parents) WITH_WORDS(each, "distances of its own from each source: a column for each") X(delta) X(precision)

const hd_algorithm hd_algorithm_sssp = {
    HD_ALGORITHM_INFO("sssp", "shortest distances from one or more sources", OPTIONS),
    .column = "distance",
    .forward = true,
    .weighs = true,
    .from_sources = true,
    .doubles = HD_DOUBLES_SUMS,
    HD_EXECUTORS({HD_ON_CPU, .each = true, .run = run_sssp}, {HD_ON_CPU, .run = run_sssp},
                 {HD_ON_CPU, HD_IN_FILE, .wants = hd_sssp_disk_wants, .run = hd_sssp_from_disk},
                 {HD_ON_DEVICE, .refuse = hd_sssp_refuse_weights, .bytes = hd_bfs_device_bytes, .run = hd_sssp_levels},
                 {HD_ON_DEVICE, .atomics64 = true, .doubles = true, .refuse = hd_paths_refuse,
                  .bytes = hd_sssp_device_bytes, .run = hd_device_sssp},
                 HD_PROGRAM_EXECUTOR(hd_device_sssp)),
    .host_bytes = {.vertex = 8, .in_double = 4, .more = host_bytes_of_each},
    .program = "sssp",
    .searches = hd_searches_each,
    .results = HD_RESULTS_VALUES,
    .find_parents = find_parents,
    .cpu_orders = {&hd_order_bfs},
    .device_orders = {&hd_order_bfs, &hd_order_degree},
    .cost = {13, 0.04},
    .check = check,
    .shortcuts = HD_SHORTCUTS_SUMS,
    .reference = hd_reference_sssp,
    .verify = hd_verify_sssp,
};
