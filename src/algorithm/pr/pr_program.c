/* pr_program.c - PageRank on devices: uniform or personalised, with or without weights.
 *
 * As on the CPU, weighted ranks are computed in double: the sum of a vertex's weights may exceed single precision. The
 * personalisation, scaled to the sum 1, is what programs know as `initial`.
 */
#include "algorithm/pr/pr_device.h"
#include "algorithm/pr/pr_each.h"
#include "algorithm/pr/pr_part.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/resident.h"
#include "engine/rank_options.h"
#include "engine/spread.h"
#include "plan/plan.h"

#include <math.h>

static heddle_status add_strengths(heddle_context *ctx, const heddle_graph *graph, double *strengths) {
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        double sum = 0;
        for (uint64_t k = out.offsets[v]; k < out.offsets[v + 1]; k++)
            sum += hd_weight_at(out.weights, graph->weight_type, k);
        strengths[v] = sum > 0 ? sum : INFINITY;
    }
    return HEDDLE_OK;
}

static void scale(const hd_rank_terms *terms, uint64_t count, double *parts) {
    for (uint64_t v = 0; v < count; v++)
        parts[v] = terms->personal[v] * terms->personal_scale;
}

void hd_pr_figures(heddle_context *ctx, heddle_result *result) {
    double sum = 0, most = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : sum) reduction(max : most))
    for (uint64_t v = 0; v < result->count; v++) {
        double value = heddle_result_value(result, (heddle_vertex)(result->first + v));
        sum += value;
        most = value > most ? value : most;
    }
    hd_spread_join_real(ctx, result, HD_LINK_SUM, &sum, 1);
    hd_spread_join_real(ctx, result, HD_LINK_MAX, &most, 1);
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "sum", sum);
}

hd_refusal hd_pr_refuse_doubles(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    bool weighs = options->weighted && run->graph->weight_type != HEDDLE_WEIGHT_NONE;
    if (run->graph->vertices && !options->personalization && !weighs && options->precision != HEDDLE_PRECISION_DOUBLE &&
        options->tolerance >= HD_RANK_SINGLE_TOLERANCE)
        return (hd_refusal){NULL, NULL, NULL};
    return (hd_refusal){"its kernels compute uniform ranks in single precision", NULL, NULL};
}

/* Only kernels have words for weights and personalisations, and slices and changed graphs none. */
hd_refusal hd_pr_refuse_program(const hd_run *run) {
    const heddle_run_options *o = &run->options;
    hd_refusal refusal = hd_program_refuse_parts(run);
    bool terms = o->personalization || (o->weighted && run->graph->weight_type != HEDDLE_WEIGHT_NONE);
    if (hd_is_refused(refusal) || hd_on_device(run) || !terms)
        return refusal;
    return (hd_refusal){"rank by weights or from a personalisation", "it takes the graph as it is",
                        hd_in_parts(run) ? NULL : "plan auto"};
}

/* Without doubles, sums of many ranks are too rough to prove anything. */
static heddle_status check_doubles(const hd_run *run) {
    hd_device *device;
    if (!hd_on_device(run)) /* a transform on the CPU */
        return HEDDLE_OK;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, &run->result->report, &device));
    if (device->info.doubles)
        return HEDDLE_OK;
    return hd_fail(run->ctx, HEDDLE_E_REFUSED, "pr: max_error: %s has no double precision: use cpu, or a tolerance",
                   device->info.name);
}

heddle_status hd_device_pr(const hd_run *run) {
    HD_TRY(run->algorithm->check(run->ctx, run->graph, &run->options));
    if (run->options.max_error > 0)
        HD_TRY(check_doubles(run));
    HD_TRY(hd_pr_device(run));
    hd_pr_figures(run->ctx, run->result);
    return HEDDLE_OK;
}

heddle_status hd_pr_program(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_run_options *options = &run->options;
    static const char *const defines[] = {NULL, "#define PERSONAL\n", "#define STRENGTHS\n",
                                          "#define PERSONAL\n#define STRENGTHS\n"};
    hd_cpu_setup setup = {.parameter = {options->damping},
                          .tolerance = options->tolerance,
                          .max_iterations = options->max_iterations};
    const hd_pr_part part = hd_pr_part_of(run->graph);
    bool single = options->precision != HEDDLE_PRECISION_DOUBLE;
    double *parts = NULL, *strengths = NULL;
    uint64_t n = run->graph->vertices;
    hd_incore_program program;
    hd_rank_terms terms;
    heddle_status status;
    HD_TRY(run->algorithm->check(ctx, run->graph, options));
    HD_TRY(hd_rank_terms_of(ctx, run->graph, options, &terms));
    if (options->max_error > 0)
        HD_TRY(check_doubles(run));
    HD_TRY(
        hd_incore_find(ctx, "pr", !single || terms.weights || options->tolerance < HD_RANK_SINGLE_TOLERANCE, &program));
    if (!terms.personal && !terms.weights)
        setup.own = &part.own;
    program.defines = defines[(terms.personal ? 1 : 0) + (terms.weights ? 2 : 0)];
    if (terms.personal) {
        HD_CHECK(HD_NEW(ctx, &parts, n, "personalisation"));
        scale(&terms, n, parts);
        setup.initial = parts;
    }
    if (terms.weights) {
        HD_CHECK(HD_NEW(ctx, &strengths, n, "out-strengths"));
        HD_CHECK(add_strengths(ctx, run->graph, strengths));
        program.weighted = true;
        program.strengths = strengths;
    }
    HD_CHECK(hd_program_execute(run, &program, NULL, &setup));
    if (single && run->result->type == HEDDLE_VALUE_F64)
        HD_CHECK(hd_result_to_single(ctx, run->result));
    hd_pr_figures(ctx, run->result);
out:
    HD_DELETE(&ctx->allocator, parts, n);
    HD_DELETE(&ctx->allocator, strengths, n);
    return status;
}
