/* verify_paths.c - certificates for bfs, sssp and sswp. docs/verification.md explains why they prove a result right.
 *
 *  1. Sources have the sources' value.
 *  2. No edge can be relaxed further: no vertex has a worse value than its in-neighbours give it.
 *  3. Every vertex that has a value is reached over tight edges, from a better vertex or, over edges between equal
 *     values, from one that is: no vertex claims a value that no path has.
 *  4. Parents, where given, are the smallest that the rule allows.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "check/each.h"
#include "check/path_rule.h"
#include "engine/vertex_name.h"

#include <math.h>

enum { ROWS = 256 /* that a thread takes at a time */ };

static hd_number value_at(const heddle_result *result, uint64_t v) {
    switch (result->type) {
    case HEDDLE_VALUE_U32: {
        uint32_t value = ((const uint32_t *)result->values)[v];
        return value == UINT32_MAX ? (hd_number)INFINITY : value;
    }
    case HEDDLE_VALUE_U64: {
        uint64_t value = ((const uint64_t *)result->values)[v];
        return value == UINT64_MAX ? (hd_number)INFINITY : value;
    }
    case HEDDLE_VALUE_I32: return ((const int32_t *)result->values)[v];
    case HEDDLE_VALUE_F32: return (hd_number)((const float *)result->values)[v];
    case HEDDLE_VALUE_F64: return (hd_number)((const double *)result->values)[v];
    case HEDDLE_VALUE_I64: {
        int64_t value = ((const int64_t *)result->values)[v];
        return value == INT64_MAX ? (hd_number)INFINITY : value == INT64_MIN ? -(hd_number)INFINITY : value;
    }
    }
    return NAN;
}

static heddle_status check_sources(heddle_context *ctx, const hd_path_rule *rule, const heddle_run_options *options,
                                   const hd_number *values) {
    for (uint64_t i = 0; i < options->source_count; i++) {
        heddle_vertex source = options->sources[i];
        if (values[source] != hd_source_value(rule))
            return hd_fail(ctx, HEDDLE_E_VERIFY, "the source %s has the value %Lg instead of %Lg",
                           hd_vertex_name(ctx, rule->graph, source).text, values[source], hd_source_value(rule));
    }
    return HEDDLE_OK;
}

/* The first of u's out-edges that improves a value, or the end of the row. NaN counts as improved. */
static uint64_t first_improving(const hd_path_rule *rule, const hd_number *values, uint64_t u) {
    uint64_t k = rule->out.offsets[u], end = rule->out.offsets[u + 1];
    for (; k < end; k++) {
        hd_number carried = hd_carry(rule, values[u], k), to = values[rule->out.targets[k]];
        if (to != carried && !hd_better(rule, to, carried))
            return k;
    }
    return end;
}

static heddle_status check_edges(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values) {
    const heddle_graph *graph = rule->graph;
    uint64_t blocks = (graph->vertices + ROWS - 1) / ROWS, bad = UINT64_MAX;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) reduction(min : bad) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t end = graph->vertices - b * ROWS < ROWS ? graph->vertices : (b + 1) * ROWS;
        bool stop = hd_advance(ctx, ROWS);
        for (uint64_t u = b * ROWS; u < end && u < bad && !stop; u++)
            if (hd_has_value(values[u], rule) && first_improving(rule, values, u) < rule->out.offsets[u + 1])
                bad = u;
    }
    HD_TRY(hd_cancelled_status(ctx));
    if (bad == UINT64_MAX)
        return HEDDLE_OK;
    uint64_t k = first_improving(rule, values, bad);
    heddle_vertex to = rule->out.targets[k];
    return hd_fail(ctx, HEDDLE_E_VERIFY, "the edge from %s (%Lg) to %s gives %Lg, but there stands %Lg",
                   hd_vertex_name(ctx, graph, (heddle_vertex)bad).text, values[bad],
                   hd_vertex_name(ctx, graph, to).text, hd_carry(rule, values[bad], k), values[to]);
}

static heddle_status check_ranks(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                                 const uint32_t *ranks) {
    for (uint64_t v = 0; v < rule->graph->vertices; v++)
        if (hd_has_value(values[v], rule) && ranks[v] == HD_NO_VERTEX)
            return hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s has the value %Lg, but no path from a source has it",
                           hd_vertex_name(ctx, rule->graph, (heddle_vertex)v).text, values[v]);
    return HEDDLE_OK;
}

static heddle_status check_parents(heddle_context *ctx, const hd_path_rule *rule, const heddle_vertex *expected,
                                   const heddle_vertex *parents) {
    for (uint64_t v = 0; v < rule->graph->vertices; v++)
        if (parents[v] != expected[v]) {
            hd_name none = {"none"}, name = hd_vertex_name(ctx, rule->graph, (heddle_vertex)v);
            hd_name given = parents[v] == HD_NO_VERTEX            ? none
                            : parents[v] >= rule->graph->vertices ? (hd_name){"out of range"}
                                                                  : hd_vertex_name(ctx, rule->graph, parents[v]);
            hd_name right = expected[v] == HD_NO_VERTEX ? none : hd_vertex_name(ctx, rule->graph, expected[v]);
            return hd_fail(ctx, HEDDLE_E_VERIFY, "the parent of vertex %s is %s instead of %s", name.text, given.text,
                           right.text);
        }
    return HEDDLE_OK;
}

/* Sums of f32 weights are in single precision only on request. */
static bool fits(const hd_path_rule *rule, const heddle_run_options *options, const heddle_result *result) {
    heddle_weight_type weights = rule->hops ? HEDDLE_WEIGHT_NONE : rule->graph->weight_type;
    bool real = weights == HEDDLE_WEIGHT_F32;
    heddle_value_type type = result->type;
    if (!result->values || result->count != rule->graph->vertices)
        return false;
    if (rule->widest)
        return type == (real ? HEDDLE_VALUE_F32 : weights == HEDDLE_WEIGHT_I64 ? HEDDLE_VALUE_I64 : HEDDLE_VALUE_F64);
    if (weights == HEDDLE_WEIGHT_F64)
        return type == HEDDLE_VALUE_F64;
    return real
               ? type == HEDDLE_VALUE_F64 || (type == HEDDLE_VALUE_F32 && options->precision == HEDDLE_PRECISION_SINGLE)
               : type == HEDDLE_VALUE_U32 || type == HEDDLE_VALUE_U64;
}

static heddle_status verify(heddle_context *ctx, hd_path_rule *rule, const heddle_run_options *options,
                            const heddle_result *result) {
    uint64_t n = rule->graph->vertices;
    hd_number *values = NULL;
    uint32_t *ranks = NULL;
    heddle_vertex *queue = NULL;
    heddle_status status;
    if (!fits(rule, options, result))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the result's type or size is not that of this algorithm and graph");
    rule->type = result->type;
    HD_CHECK(heddle_graph_out(ctx, rule->graph, &rule->out));
    HD_CHECK(HD_NEW(ctx, &values, n, "values"));
    HD_CHECK(HD_NEW(ctx, &ranks, n, "ranks"));
    HD_CHECK(HD_NEW(ctx, &queue, n, "queue"));
    for (uint64_t v = 0; v < n; v++)
        values[v] = value_at(result, v);
    hd_phase_begin(ctx, "verify", n);
    HD_CHECK(check_sources(ctx, rule, options, values));
    HD_CHECK(check_edges(ctx, rule, values));
    hd_path_ranks(ctx, rule, values, options, ranks, queue);
    HD_CHECK(check_ranks(ctx, rule, values, ranks));
    if (result->parents) {
        hd_path_parents(ctx, rule, values, options, ranks, queue);
        HD_CHECK(check_parents(ctx, rule, queue, result->parents));
    }
    if (!rule->widest && result->type == HEDDLE_VALUE_F32)
        hd_note(ctx, "%s: verified as sums in single precision: a path of k edges is within k / 2^24 of its length",
                result->report.algorithm);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, values, n);
    HD_DELETE(&ctx->allocator, ranks, n);
    HD_DELETE(&ctx->allocator, queue, n);
    return status;
}

heddle_status hd_verify_bfs(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    hd_path_rule rule = {.graph = graph, .hops = true};
    return options->each ? hd_verify_each(ctx, graph, options, hd_verify_bfs, result)
                         : verify(ctx, &rule, options, result);
}

heddle_status hd_verify_sssp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    if (options->each)
        return hd_verify_each(ctx, graph, options, hd_verify_sssp, result);
    hd_path_rule rule = {.graph = graph};
    return verify(ctx, &rule, options, result);
}

heddle_status hd_verify_sswp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    hd_path_rule rule = {.graph = graph, .widest = true};
    return verify(ctx, &rule, options, result);
}
