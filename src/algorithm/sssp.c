/* sssp.c - shortest paths by delta-stepping (engine/stepping.h).
 *
 * Distances are 32-bit sums; when one that matters does not fit, the run is done again with 64 bits. Sums of f32
 * weights are rounded edge by edge from the source on: rounding keeps order, so that the least sum, unlike most
 * floating-point results, does not depend on who came first. Without weights this is a breadth-first search.
 */
#include "algorithm/algorithm.h"
#include "algorithm/bfs.h"
#include "algorithm/parents.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/stepping.h"
#include "engine/weights.h"

#include <float.h>
#include <math.h>

/* The width of buckets, as a power of two. */
static int choose_width(const heddle_graph *graph, const heddle_adjacency *out, double delta) {
    if (delta == 0) {
        double degree = graph->edges ? (double)graph->edges / (double)graph->vertices : 1;
        delta = 2 * hd_weights_mean(graph, out) / degree;
    }
    int exponent = delta > 0 ? (int)floor(log2(delta) + 0.5) : 0;
    return exponent < -120 ? -120 : exponent > 120 ? 120 : exponent;
}

static hd_path choose_path(const heddle_graph *graph, const heddle_run_options *options, double most) {
    if (graph->weight_type != HEDDLE_WEIGHT_F32)
        return HD_SUM_U32;
    bool may_overflow = most * (double)graph->vertices >= (double)FLT_MAX;
    return options->precision == HEDDLE_PRECISION_DOUBLE || may_overflow ? HD_SUM_F64 : HD_SUM_F32;
}

static heddle_value_type value_type(hd_path path) {
    switch (path) {
    case HD_SUM_U64: return HEDDLE_VALUE_U64;
    case HD_SUM_F32: return HEDDLE_VALUE_F32;
    case HD_SUM_F64: return HEDDLE_VALUE_F64;
    default: return HEDDLE_VALUE_U32;
    }
}

static heddle_status step(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                          const heddle_adjacency *out, hd_path path, int width, heddle_result *result,
                          hd_stepping_report *report) {
    hd_stepping_setup setup = {.path = path,
                               .vertices = graph->vertices,
                               .out = *out,
                               .sources = options->sources,
                               .source_count = options->source_count,
                               .shift = width < 0    ? 0
                                        : width > 63 ? 63
                                                     : (unsigned)width,
                               .scale = ldexp(1, -width)};
    if (result->values)
        hd_free(&result->allocator, result->values, graph->vertices * hd_value_size(result->type));
    result->values = NULL;
    HD_TRY(hd_result_values_new(ctx, result, value_type(path), graph->vertices));
    setup.labels = result->values;
    HD_TRY(hd_stepping(ctx, &setup, report));
    result->report.iterations += report->rounds;
    result->report.edges_walked += report->edges_walked;
    return HEDDLE_OK;
}

/* Whether a sum that did not fit leaves a vertex without its distance: an edge leads from a reached vertex to one that
 * is not. */
static bool cut_short(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                      const uint32_t *distances) {
    bool cut = false;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) reduction(|| : cut) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t k = out->offsets[v]; !cut && distances[v] != UINT32_MAX && k < out->offsets[v + 1]; k++)
            cut = distances[out->targets[k]] == UINT32_MAX;
    return cut;
}

static void add_figures(heddle_context *ctx, heddle_result *result, double delta) {
    uint64_t reached = 0, count = result->count;
    double most = 0;
    HD_PARALLEL_FOR(ctx, if (count >= HD_WORTH_THREADS) schedule(static) reduction(+ : reached) reduction(max : most))
    for (uint64_t v = 0; v < count; v++) {
        double distance = heddle_result_value(result, (heddle_vertex)v);
        if (isinf(distance))
            continue;
        reached++;
        most = distance > most ? distance : most;
    }
    hd_result_figure(result, "reached", (double)reached);
    hd_result_figure(result, "max", most);
    if (delta > 0)
        hd_result_figure(result, "delta", delta);
}

static heddle_status run_unweighted(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                    heddle_result *result) {
    uint64_t reached;
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    HD_TRY(hd_bfs(ctx, graph, options, result->values, result->parents, &result->report, &reached));
    add_figures(ctx, result, 0);
    return HEDDLE_OK;
}

static heddle_status run_weighted(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  heddle_result *result) {
    heddle_adjacency out;
    hd_stepping_report report;
    double most;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_weights_check(ctx, graph, &out, true, "sssp", &most));
    hd_path path = choose_path(graph, options, most);
    int width = choose_width(graph, &out, options->delta);
    HD_TRY(step(ctx, graph, options, &out, path, width, result, &report));
    if (report.overflow && cut_short(ctx, graph, &out, result->values)) {
        path = HD_SUM_U64;
        HD_TRY(step(ctx, graph, options, &out, path, width, result, &report));
    }
    if (result->parents)
        HD_TRY(hd_parents(ctx, graph, options, path, result->values, result->parents));
    add_figures(ctx, result, ldexp(1, width));
    return HEDDLE_OK;
}

static heddle_status run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         heddle_result *result) {
    if (options->parents)
        HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
    return graph->weight_type == HEDDLE_WEIGHT_NONE ? run_unweighted(ctx, graph, options, result)
                                                    : run_weighted(ctx, graph, options, result);
}

const hd_algorithm hd_algorithm_sssp = {
    .info = {"sssp", "shortest distances from one or more sources", "sources parents delta precision"},
    .from_sources = true,
    .run = run,
    .reference = hd_reference_sssp,
    .verify = hd_verify_sssp,
};
