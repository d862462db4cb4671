/* paths_values.c - from weights to windows, and from labels to distances and widths, for runs on devices. */
#include "algorithm/paths/paths.h"
#include "algorithm/paths/paths_device.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "engine/weight_check.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 1 << 13, BOUNDS_MOST = 1 << 10 };

/* ---- Distances -------------------------------------------------------------------------------------------------- */

/* The narrowest window: one in which a vertex has about one edge that does not lead out of it. */
static double choose_width(const heddle_graph *graph, const heddle_adjacency *out, double delta) {
    if (delta > 0)
        return delta;
    if (!graph->weight_type || !graph->edges)
        return 1;
    return hd_weights_mean(graph, out) * (double)graph->vertices / (double)graph->edges;
}

heddle_status hd_paths_sums(const hd_run *run, hd_path path, bool *excess) {
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    heddle_value_type type = hd_paths_sum_type(path);
    HD_TRY(heddle_graph_out(run->ctx, hd_graph_on_host(graph), &out));
    HD_TRY(hd_result_values_new(run->ctx, run->result, type, graph->vertices));
    hd_paths_setup setup = {.wide_labels = !hd_path_is_32(path),
                            .real = type == HEDDLE_VALUE_F32 || type == HEDDLE_VALUE_F64,
                            .width = choose_width(graph, &out, run->options.delta)};
    return hd_paths_run(run, &setup, run->result->values, excess);
}

/* ---- Widths ----------------------------------------------------------------------------------------------------- */

/* Labels of 64 bits are those of engine/path_label.h. */
static uint64_t label_of(const heddle_graph *graph, const heddle_adjacency *out, uint64_t k, bool wide) {
    uint32_t bits = ((const uint32_t *)out->weights)[k];
    if (graph->weight_type == HEDDLE_WEIGHT_F32)
        return hd_wide_label(HD_WIDE_F32, out->weights, k);
    if (wide)
        return hd_wide_label(graph->weight_type == HEDDLE_WEIGHT_U32 ? HD_WIDE_U32 : HD_WIDE_I32, out->weights, k);
    return (uint32_t) ~(graph->weight_type == HEDDLE_WEIGHT_I32 ? bits ^ UINT32_C(1) << 31 : bits);
}

static int compare(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* A window may end behind any weight of a sample. */
static uint64_t choose_bounds(const heddle_graph *graph, const heddle_adjacency *out, bool wide, uint64_t *bounds) {
    uint64_t samples = graph->edges < SAMPLES ? graph->edges : SAMPLES, different = 0, most;
    for (uint64_t i = 0; i < samples; i++)
        bounds[i] = label_of(graph, out, hd_split(graph->edges, samples, i), wide);
    qsort(bounds, samples, sizeof *bounds, compare);
    for (uint64_t i = 0; i < samples; i++)
        if (i == 0 || bounds[i] != bounds[i - 1])
            bounds[different++] = bounds[i];
    most = different < BOUNDS_MOST ? different : BOUNDS_MOST;
    for (uint64_t i = 0; i < most; i++) {
        uint64_t bound = bounds[hd_split(different, most, i)];
        bounds[i] = bound < (wide ? UINT64_MAX : UINT32_MAX) ? bound + 1 : bound;
    }
    return most;
}

static double width_of(heddle_weight_type type, bool wide, uint64_t label) {
    if (label == (wide ? UINT64_MAX : UINT32_MAX))
        return -INFINITY;
    if (type == HEDDLE_WEIGHT_F32)
        return (double)hd_float_of(label >> 31 ? (uint32_t)label : ~(uint32_t)label & INT32_MAX);
    int64_t number = wide ? (INT64_C(1) << 32) - (int64_t)label : (int64_t)(uint32_t)~label;
    return (double)(type == HEDDLE_WEIGHT_I32 ? number - (INT64_C(1) << 31) : number);
}

/* Sources are infinitely wide, whatever their labels: the heaviest weight of all may have the same. */
static void to_widths(const hd_run *run, bool wide, const void *labels) {
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    bool single = result->type == HEDDLE_VALUE_F32;
    HD_PARALLEL_FOR(run->ctx, schedule(static) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t label = wide ? ((const uint64_t *)labels)[v] : ((const uint32_t *)labels)[v];
        double width = width_of(graph->weight_type, wide, label);
        if (single)
            ((float *)result->values)[v] = (float)width;
        else
            ((double *)result->values)[v] = width;
    }
    for (uint64_t i = 0; i < options->source_count; i++)
        if (single)
            ((float *)result->values)[options->sources[i]] = INFINITY;
        else
            ((double *)result->values)[options->sources[i]] = INFINITY;
}

static heddle_status widths_by(const hd_run *run, bool wide, void *labels, bool *cut) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    uint64_t *bounds;
    bool excess = false;
    HD_TRY(heddle_graph_out(ctx, hd_graph_on_host(graph), &out));
    HD_TRY(HD_NEW(ctx, &bounds, SAMPLES, "bounds"));
    hd_paths_setup setup = {.widest = true, .wide_labels = wide, .width = 1, .bounds = bounds};
    setup.bound_count = choose_bounds(graph, &out, wide, bounds);
    heddle_status status = hd_paths_run(run, &setup, labels, &excess);
    HD_DELETE(&ctx->allocator, bounds, SAMPLES);
    HD_TRY(status);
    if (!wide && excess)
        HD_TRY(heddle_graph_out(ctx, graph, &out));
    *cut = !wide && excess && hd_paths_cut_short(ctx, graph, &out, HD_SUM_U32, labels);
    if (!*cut)
        to_widths(run, wide, labels);
    return HEDDLE_OK;
}

heddle_status hd_paths_widths(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    bool real = graph->weight_type == HEDDLE_WEIGHT_F32, cut;
    uint64_t *labels;
    HD_TRY(hd_result_values_new(ctx, run->result, real ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64, graph->vertices));
    HD_TRY(HD_NEW(ctx, &labels, graph->vertices, "labels"));
    heddle_status status = widths_by(run, false, labels, &cut);
    if (status == HEDDLE_OK && cut)
        status = widths_by(run, true, labels, &cut);
    HD_DELETE(&ctx->allocator, labels, graph->vertices);
    return status;
}
