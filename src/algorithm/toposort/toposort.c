/* toposort.c - the levels of a directed acyclic graph: the most edges, or with weights the largest sum, of a path that
 * ends in each vertex; or, if there is a cycle, its edges. Without weights, vertices by level are in
 * topological order.
 * Idea: vertices that no edge enters are removed, then those that none enters any more, and so on (Kahn, 1962), a
 * level at a time, by all threads. If no vertex can be removed, each of the rest has a predecessor among the rest:
 * walking from one to the other ends in a cycle. */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"

#include <string.h>

enum {
    FEW = 1 << 10, /* vertices that one thread removes alone */
    PIECE = 128,   /* vertices that a thread takes at once */
    STEP = 1 << 12
};

typedef struct sorting {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency rows;
    heddle_weight_type type; /* of weights that count; NONE: edges do */
    uint64_t *entering;      /* per vertex: arcs from vertices that are left */
    heddle_vertex *queue;    /* removed vertices, in the order of their removal */
    uint64_t queued;
    void *values;
    int too_large;
} sorting;

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static inline void raise_level(uint32_t *value, uint32_t level) {
    uint32_t old = hd_load(value);
    while (level > old && !hd_compare_swap(value, &old, level)) {
    }
}

static inline void raise_whole(int64_t *value, int64_t sum) {
    int64_t old = hd_load(value);
    while (sum > old && !hd_compare_swap(value, &old, sum)) {
    }
}

/* Doubles that are not negative have the order of their bits. */
static inline void raise_real(uint64_t *value, double sum) {
    uint64_t bits, old = hd_load(value);
    memcpy(&bits, &sum, sizeof bits);
    while (sum > 0 && bits > old && !hd_compare_swap(value, &old, bits)) {
    }
}

/* Along arc e of v, whose value is final. Values begin with 0: a path may begin anywhere. */
static inline void carry(sorting *s, heddle_vertex v, uint64_t e) {
    heddle_vertex w = s->rows.targets[e];
    if (s->type == HEDDLE_WEIGHT_NONE) {
        uint32_t *levels = s->values;
        raise_level(&levels[w], hd_load(&levels[v]) + 1);
    } else if (hd_weight_real(s->type)) {
        uint64_t *sums = s->values, bits = hd_load(&sums[v]);
        double sum;
        memcpy(&sum, &bits, sizeof sum);
        raise_real(&sums[w], sum + hd_weight_at(s->rows.weights, s->type, e));
    } else {
        int64_t *sums = s->values, sum;
        if (__builtin_add_overflow(hd_load(&sums[v]), hd_weight_whole(s->rows.weights, s->type, e), &sum))
            hd_store(&s->too_large, 1);
        else
            raise_whole(&sums[w], sum);
    }
}

/* ---- Removing ---------------------------------------------------------------------------------------------------- */

static void remove_vertex(sorting *s, heddle_vertex v) {
    for (uint64_t e = s->rows.offsets[v]; e < s->rows.offsets[v + 1]; e++) {
        heddle_vertex w = s->rows.targets[e];
        carry(s, v, e);
        if (hd_fetch_add(&s->entering[w], UINT64_MAX) == 1)
            s->queue[hd_fetch_add(&s->queued, 1)] = w;
    }
}

static heddle_status count_entering(sorting *s) {
    uint64_t n = s->graph->vertices, m = s->graph->edges;
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (m >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < m; e++)
        if (!hd_advance_each(s->ctx, e, STEP, STEP))
            hd_fetch_add(&s->entering[s->rows.targets[e]], 1);
    for (uint64_t v = 0; v < n; v++)
        if (!s->entering[v])
            s->queue[s->queued++] = (heddle_vertex)v;
    return hd_cancelled_status(s->ctx);
}

static heddle_status remove_levels(sorting *s, heddle_result *result) {
    uint64_t from = 0;
    hd_rounds_mark(s->ctx);
    while (from < s->queued) {
        uint64_t to = s->queued;
        HD_PARALLEL_FOR(s->ctx, schedule(dynamic, PIECE) if (to - from > FEW))
        for (uint64_t i = from; i < to; i++)
            if (!hd_advance_each(s->ctx, i, STEP, STEP))
                remove_vertex(s, s->queue[i]);
        HD_TRY(hd_cancelled_status(s->ctx));
        HD_ROUND(s->ctx, .rounds = 1, .vertices = to - from, .edges = HD_NOT_KNOWN, .direction = HEDDLE_DIRECTION_PUSH,
                 .kernel = "levels");
        result->report.iterations++;
        from = to;
    }
    if (s->too_large)
        return hd_fail(s->ctx, HEDDLE_E_LIMIT, "toposort: the weights of a path sum up to more than 64 bits hold");
    return HEDDLE_OK;
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

/* The smallest vertex that is left and has an arc to it, for each that is left. */
static heddle_status find_predecessors(const sorting *s, heddle_vertex *before) {
    uint64_t n = s->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        before[v] = UINT32_MAX;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (hd_advance_each(s->ctx, v, STEP, STEP) || !s->entering[v])
            continue;
        for (uint64_t e = s->rows.offsets[v]; e < s->rows.offsets[v + 1]; e++)
            hd_lower(&before[s->rows.targets[e]], (heddle_vertex)v);
    }
    return hd_cancelled_status(s->ctx);
}

/* A vertex on a cycle: predecessors are walked from the smallest vertex that is left until one comes again. */
static heddle_vertex find_on_cycle(sorting *s, const heddle_vertex *before) {
    heddle_vertex v = 0;
    while (!s->entering[v])
        v++;
    for (; s->entering[v]; v = before[v])
        s->entering[v] = 0;
    return v;
}

static heddle_status give_cycle(sorting *s, heddle_vertex *before, heddle_result *result) {
    HD_TRY(find_predecessors(s, before));
    heddle_vertex v = find_on_cycle(s, before), first = v, w;
    uint64_t length = 1;
    for (w = before[v]; w != v; w = before[w]) {
        length++;
        first = w < first ? w : first;
    }
    HD_TRY(hd_result_edges_new(s->ctx, result, length, HEDDLE_WEIGHT_NONE));
    for (uint64_t k = length; k-- > 0; first = before[first]) { /* from the smallest, in the direction of its edges */
        result->forest_ends[2 * k + 1] = first;
        result->forest_ends[2 * k] = before[first];
    }
    hd_result_figure(result, "acyclic", 0);
    hd_result_figure_whole(result, "cycle", length);
    return HEDDLE_OK;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_value_type value_type(heddle_weight_type weights) {
    return weights == HEDDLE_WEIGHT_NONE ? HEDDLE_VALUE_U32
           : hd_weight_real(weights)     ? HEDDLE_VALUE_F64
                                         : HEDDLE_VALUE_I64;
}

static heddle_status open_sorting(sorting *s, bool weighted) {
    uint64_t n = s->graph->vertices;
    s->type = weighted ? s->graph->weight_type : HEDDLE_WEIGHT_NONE;
    if (s->type == HEDDLE_WEIGHT_NONE)
        HD_TRY(hd_graph_bare(s->ctx, s->graph, false, &s->rows));
    else
        HD_TRY(heddle_graph_out(s->ctx, s->graph, &s->rows));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->entering, n, "in-degrees"));
    HD_TRY(HD_NEW(s->ctx, &s->queue, n, "removed vertices"));
    HD_TRY(hd_new(s->ctx, &s->values, n, hd_value_size(value_type(s->type)), true, "vertex values"));
    return count_entering(s);
}

static void give_values(sorting *s, heddle_result *result) {
    result->plain = true;
    result->type = value_type(s->type);
    result->count = s->graph->vertices;
    result->values = s->values;
    s->values = NULL;
    hd_result_figure(result, "acyclic", 1);
    hd_result_figure_whole(result, "levels", result->report.iterations);
    uint64_t last = 0;
    for (uint64_t v = 0; v < result->count; v++)
        last = hd_result_at(result, v) > hd_result_at(result, last) ? v : last;
    if (!result->count || result->type != HEDDLE_VALUE_F64)
        hd_result_figure_whole(result, "longest",
                               !result->count                     ? 0
                               : result->type == HEDDLE_VALUE_U32 ? ((uint32_t *)result->values)[last]
                                                                  : ((int64_t *)result->values)[last]);
    else
        hd_result_figure(result, "longest", hd_result_at(result, last));
}

/* ---- Parents: the longest path ----------------------------------------------------------------------------------- */

/* Whether arc e of v is the last of a longest path to its end. */
static bool is_last(const heddle_result *result, const heddle_adjacency *rows, heddle_weight_type type, uint64_t v,
                    uint64_t e) {
    heddle_vertex w = rows->targets[e];
    if (result->type == HEDDLE_VALUE_U32)
        return ((uint32_t *)result->values)[w] == ((uint32_t *)result->values)[v] + 1;
    if (result->type == HEDDLE_VALUE_F64) {
        const double *sums = result->values;
        return sums[w] > 0 && sums[v] + hd_weight_at(rows->weights, type, e) == sums[w];
    }
    const int64_t *sums = result->values;
    int64_t sum;
    return sums[w] > 0 && !__builtin_add_overflow(sums[v], hd_weight_whole(rows->weights, type, e), &sum) &&
           sum == sums[w];
}

static heddle_status find_parents(const hd_run *run) {
    heddle_result *result = run->result;
    const heddle_graph *graph = run->graph;
    heddle_adjacency rows;
    if (!result->values)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(run->ctx, graph, &rows));
    HD_TRY(hd_result_parents_new(run->ctx, result, graph->vertices));
    heddle_vertex *parents = result->parents;
    for (uint64_t v = 0; v < graph->vertices; v++)
        parents[v] = UINT32_MAX;
    HD_PARALLEL_FOR(run->ctx, schedule(dynamic, STEP) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
            if (is_last(result, &rows, graph->weight_type, v, e))
                hd_lower(&parents[rows.targets[e]], (heddle_vertex)v);
    return HEDDLE_OK;
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

static heddle_status run_toposort(const hd_run *run) {
    heddle_result *result = run->result;
    uint64_t n = run->graph->vertices;
    sorting s = {.ctx = run->ctx, .graph = run->graph};
    heddle_status status;
    hd_phase_begin(s.ctx, "compute", 2 * run->graph->edges);
    HD_CHECK(open_sorting(&s, run->options.weighted != 0));
    HD_CHECK(remove_levels(&s, result));
    result->report.edges_walked = 2 * run->graph->edges;
    if (s.queued < n)
        status = give_cycle(&s, s.queue, result);
    else
        give_values(&s, result);
    if (status == HEDDLE_OK && run->options.parents)
        status = find_parents(run);
out:
    hd_phase_end(s.ctx);
    hd_free(&s.ctx->allocator, s.values, n * hd_value_size(value_type(s.type)));
    HD_DELETE(&s.ctx->allocator, s.queue, n);
    HD_DELETE(&s.ctx->allocator, s.entering, n);
    return status;
}

#define OPTIONS(X, WITH_WORDS) X(parents) WITH_WORDS(weighted, "the largest sum of weights, not the most edges")

const hd_algorithm hd_algorithm_toposort = {
    HD_ALGORITHM_INFO("toposort", "levels of a directed acyclic graph: the longest path to each vertex; or a cycle",
                      OPTIONS),
    .forward = true,
    HD_EXECUTORS({HD_ON_CPU, .run = run_toposort}),
    .column = "level",
    .host_bytes = {.vertex = 20},
    .no_order = "parents and cycles depend on the numbers of vertices",
    .find_parents = find_parents,
    .cost = {5, 0},
    .reference = hd_reference_toposort,
    .verify = hd_verify_toposort,
};
