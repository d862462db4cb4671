/* check_toposort.c - toposort: the sequential reference, and the certificate of a result.
 *
 * Levels, or sums of weights, are computed again along a topological order that is found by other code, one vertex
 * after the other, and compared: it proves that there is no cycle. Without levels there is a cycle: arcs that follow
 * each other and exist in the graph.
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/compare.h"
#include "engine/vertex_name.h"

enum { STEP = 1 << 14 }; /* vertices between two checks of the cancel flag */

typedef struct order {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_weight_type type;
    uint64_t *entering; /* arcs from vertices that are not in `list` yet */
    heddle_vertex *list;
    uint64_t listed;
} order;

static heddle_status open_order(order *o, const heddle_run_options *options) {
    uint64_t n = o->graph->vertices;
    o->type = options->weighted ? o->graph->weight_type : HEDDLE_WEIGHT_NONE;
    if (o->type == HEDDLE_WEIGHT_NONE)
        HD_TRY(hd_graph_bare(o->ctx, o->graph, false, &o->out));
    else
        HD_TRY(heddle_graph_out(o->ctx, o->graph, &o->out));
    HD_TRY(HD_NEW_ZERO(o->ctx, &o->entering, n, "in-degrees"));
    HD_TRY(HD_NEW(o->ctx, &o->list, n, "topological order"));
    for (uint64_t e = 0; e < o->graph->edges; e++)
        o->entering[o->out.targets[e]]++;
    for (uint64_t v = 0; v < n; v++)
        if (!o->entering[v])
            o->list[o->listed++] = (heddle_vertex)v;
    for (uint64_t i = 0; i < o->listed && !(i % STEP == 0 && hd_advance(o->ctx, STEP)); i++) {
        heddle_vertex v = o->list[i];
        for (uint64_t e = o->out.offsets[v]; e < o->out.offsets[v + 1]; e++)
            if (--o->entering[o->out.targets[e]] == 0)
                o->list[o->listed++] = o->out.targets[e];
    }
    return hd_cancelled_status(o->ctx);
}

static void close_order(order *o) {
    HD_DELETE(&o->ctx->allocator, o->entering, o->graph->vertices);
    HD_DELETE(&o->ctx->allocator, o->list, o->graph->vertices);
}

/* ---- Reference --------------------------------------------------------------------------------------------------- */

/* The smallest vertex that is in no order and has an arc to v. */
static heddle_vertex before(const order *o, heddle_vertex v) {
    for (uint64_t u = 0; u < o->graph->vertices; u++)
        for (uint64_t e = o->out.offsets[u]; o->entering[u] && e < o->out.offsets[u + 1]; e++)
            if (o->out.targets[e] == v)
                return (heddle_vertex)u;
    return UINT32_MAX;
}

static heddle_status give_cycle(order *o, heddle_result *result) {
    heddle_vertex v = 0, *walk = o->list;
    uint64_t steps = 0, length = 0, first = 0;
    while (!o->entering[v])
        v++;
    for (;; v = before(o, v)) { /* the list is free now */
        uint64_t k = 0;
        while (k < steps && walk[k] != v)
            k++;
        if (k < steps) {
            length = steps - k;
            walk += k;
            break;
        }
        walk[steps++] = v;
    }
    for (uint64_t k = 0; k < length; k++)
        first = walk[k] < walk[first] ? k : first;
    HD_TRY(hd_result_edges_new(o->ctx, result, length, HEDDLE_WEIGHT_NONE));
    for (uint64_t k = 0; k < length; k++) { /* the walk went backwards */
        result->forest_ends[2 * (length - 1 - k) + 1] = walk[(first + k) % length];
        result->forest_ends[2 * (length - 1 - k)] = walk[(first + k + 1) % length];
    }
    hd_result_figure(result, "acyclic", 0);
    hd_result_figure_whole(result, "cycle", length);
    return HEDDLE_OK;
}

/* The sum at the end of arc e of v; false: it exceeds 64 bits. */
static bool sum_of(const order *o, const heddle_result *result, heddle_vertex v, uint64_t e, int64_t *whole,
                   double *real) {
    *whole = 0;
    *real = 0;
    if (result->type == HEDDLE_VALUE_U32)
        *whole = (int64_t)((const uint32_t *)result->values)[v] + 1;
    else if (result->type == HEDDLE_VALUE_F64)
        *real = ((const double *)result->values)[v] + hd_weight_at(o->out.weights, o->type, e);
    else
        return !__builtin_add_overflow(((const int64_t *)result->values)[v],
                                       hd_weight_whole(o->out.weights, o->type, e), whole);
    return true;
}

static bool relax(const order *o, heddle_result *result, heddle_vertex v, uint64_t e) {
    heddle_vertex w = o->out.targets[e];
    int64_t whole;
    double real;
    if (!sum_of(o, result, v, e, &whole, &real))
        return false;
    if (result->type == HEDDLE_VALUE_U32 && whole > ((uint32_t *)result->values)[w])
        ((uint32_t *)result->values)[w] = (uint32_t)whole;
    if (result->type == HEDDLE_VALUE_I64 && whole > ((int64_t *)result->values)[w])
        ((int64_t *)result->values)[w] = whole;
    if (result->type == HEDDLE_VALUE_F64 && real > ((double *)result->values)[w])
        ((double *)result->values)[w] = real;
    return true;
}

/* Whether arc e of v is the last of a longest path to its end. */
static bool is_tight(const order *o, const heddle_result *result, heddle_vertex v, uint64_t e) {
    heddle_vertex w = o->out.targets[e];
    int64_t whole;
    double real;
    if (hd_result_at(result, w) <= 0 || !sum_of(o, result, v, e, &whole, &real))
        return false;
    switch (result->type) {
    case HEDDLE_VALUE_U32: return whole == ((const uint32_t *)result->values)[w];
    case HEDDLE_VALUE_I64: return whole == ((const int64_t *)result->values)[w];
    default: return real == ((const double *)result->values)[w];
    }
}

static heddle_status give_values(order *o, const heddle_run_options *options, heddle_result *result) {
    uint64_t n = o->graph->vertices, levels = 0, longest = 0;
    uint32_t *level;
    bool fits = true;
    HD_TRY(hd_result_values_new(o->ctx, result,
                                o->type == HEDDLE_WEIGHT_NONE ? HEDDLE_VALUE_U32
                                : hd_weight_real(o->type)     ? HEDDLE_VALUE_F64
                                                              : HEDDLE_VALUE_I64,
                                n));
    result->plain = true;
    for (uint64_t v = 0; v < n * hd_value_size(result->type); v++)
        ((char *)result->values)[v] = 0;
    HD_TRY(HD_NEW_ZERO(o->ctx, &level, n, "levels"));
    for (uint64_t i = 0; i < n; i++) {
        heddle_vertex v = o->list[i];
        for (uint64_t e = o->out.offsets[v]; e < o->out.offsets[v + 1]; e++) {
            uint32_t *above = &level[o->out.targets[e]];
            fits = relax(o, result, v, e) && fits;
            *above = *above > level[v] ? *above : level[v] + 1;
        }
        levels = level[v] + UINT64_C(1) > levels ? level[v] + UINT64_C(1) : levels;
        longest = hd_result_at(result, v) > hd_result_at(result, longest) ? v : longest;
    }
    HD_DELETE(&o->ctx->allocator, level, n);
    if (!fits)
        return hd_fail(o->ctx, HEDDLE_E_LIMIT, "toposort: the weights of a path sum up to more than 64 bits hold");
    hd_result_figure(result, "acyclic", 1);
    hd_result_figure_whole(result, "levels", levels);
    hd_result_figure(result, "longest", n ? hd_result_at(result, longest) : 0);
    if (!options->parents)
        return HEDDLE_OK;
    HD_TRY(hd_result_parents_new(o->ctx, result, n));
    for (uint64_t v = 0; v < n; v++)
        result->parents[v] = UINT32_MAX;
    for (uint64_t v = n; v-- > 0;)
        for (uint64_t e = o->out.offsets[v]; e < o->out.offsets[v + 1]; e++)
            if (is_tight(o, result, (heddle_vertex)v, e))
                result->parents[o->out.targets[e]] = (heddle_vertex)v;
    return HEDDLE_OK;
}

heddle_status hd_reference_toposort(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                    heddle_result *result) {
    order o = {.ctx = ctx, .graph = graph};
    hd_phase_begin(ctx, "compute", graph->vertices);
    heddle_status status = open_order(&o, options);
    if (status == HEDDLE_OK)
        status = o.listed < graph->vertices ? give_cycle(&o, result) : give_values(&o, options, result);
    hd_phase_end(ctx);
    close_order(&o);
    return status;
}

/* ---- Certificate ------------------------------------------------------------------------------------------------- */

static heddle_status check_cycle(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    const heddle_vertex *ends = result->forest_ends;
    uint64_t length = result->forest_edges;
    heddle_adjacency out;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    if (!length || result->values || result->forest_type != HEDDLE_WEIGHT_NONE ||
        hd_result_figure_of(result, "acyclic") != 0 || hd_result_figure_of(result, "cycle") != (double)length)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the cycle has %llu edges, or the figures differ",
                       (unsigned long long)length);
    for (uint64_t k = 0; k < length; k++) {
        heddle_vertex v = ends[2 * k], w = ends[2 * k + 1];
        bool found = false;
        for (uint64_t e = v < graph->vertices ? out.offsets[v] : 0;
             !found && v < graph->vertices && e < out.offsets[v + 1]; e++)
            found = out.targets[e] == w;
        if (!found)
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %llu of the cycle is not in the graph", (unsigned long long)k);
        if (w != ends[2 * ((k + 1) % length)])
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %llu of the cycle does not begin where the one before ends",
                           (unsigned long long)((k + 1) % length));
    }
    return HEDDLE_OK;
}

static heddle_status check_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   const heddle_result *result) {
    heddle_result *expected;
    heddle_status status;
    HD_TRY(hd_result_new(ctx, result->report.algorithm, &expected));
    HD_CHECK(hd_reference_toposort(ctx, graph, options, expected));
    for (uint64_t v = 0; v < graph->vertices && status == HEDDLE_OK; v++)
        if (!expected->parents || result->parents[v] != expected->parents[v])
            status = hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: its parent is not the smallest on a longest path to it",
                             hd_vertex_name(ctx, graph, (heddle_vertex)v).text);
out:
    heddle_result_destroy(&expected);
    return status;
}

heddle_status hd_verify_toposort(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 heddle_result *result) {
    if (result->forest_ends)
        return check_cycle(ctx, graph, result);
    HD_TRY(hd_compare_reference(ctx, graph, options, result, hd_reference_toposort, "level", ""));
    return result->parents ? check_parents(ctx, graph, options, result) : HEDDLE_OK;
}
