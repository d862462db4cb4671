/* reference_paths.c - bfs by a queue; sssp and sswp by Dijkstra's algorithm with a binary heap. */
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "check/each.h"
#include "check/path_rule.h"
#include "engine/weight_check.h"

#include <float.h>
#include <math.h>

enum { OFTEN = 1 << 12 /* vertices between two checks of the cancel flag */ };

/* ---- A binary heap, the best value on top; outdated entries stay until they are popped ------------------------- */

typedef struct item {
    hd_number value;
    heddle_vertex vertex;
} item;

typedef struct heap {
    heddle_context *ctx;
    const hd_path_rule *rule;
    item *items;
    uint64_t count, room;
} heap;

static heddle_status push(heap *h, hd_number value, heddle_vertex vertex) {
    if (h->count == h->room) {
        uint64_t room = h->room * 2 + 64;
        item *items = hd_resize(&h->ctx->allocator, h->items, h->room * sizeof *items, room * sizeof *items);
        if (!items)
            return hd_fail_memory(h->ctx, room * sizeof *items, "heap");
        h->items = items;
        h->room = room;
    }
    uint64_t i = h->count++;
    for (; i > 0 && hd_better(h->rule, value, h->items[(i - 1) / 2].value); i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = (item){value, vertex};
    return HEDDLE_OK;
}

static item pop(heap *h) {
    item top = h->items[0], last = h->items[--h->count];
    uint64_t i = 0, child;
    while ((child = 2 * i + 1) < h->count) {
        if (child + 1 < h->count && hd_better(h->rule, h->items[child + 1].value, h->items[child].value))
            child++;
        if (!hd_better(h->rule, h->items[child].value, last.value))
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = last;
    return top;
}

static heddle_status dijkstra(heddle_context *ctx, const hd_path_rule *rule, const heddle_run_options *options,
                              hd_number *values) {
    heap h = {.ctx = ctx, .rule = rule};
    heddle_status status = HEDDLE_OK;
    HD_CHECK(HD_NEW(ctx, &h.items, 64, "heap"));
    h.room = 64;
    for (uint64_t i = 0; i < options->source_count; i++) {
        values[options->sources[i]] = hd_source_value(rule);
        HD_CHECK(push(&h, hd_source_value(rule), options->sources[i]));
    }
    for (uint64_t steps = 0; h.count; steps++) {
        item u = pop(&h);
        if (steps % OFTEN == 0 && hd_advance(ctx, OFTEN))
            HD_CHECK(hd_cancelled_status(ctx));
        if (u.value != values[u.vertex])
            continue;
        for (uint64_t k = rule->out.offsets[u.vertex]; k < rule->out.offsets[u.vertex + 1]; k++) {
            heddle_vertex v = rule->out.targets[k];
            hd_number value = hd_carry(rule, u.value, k);
            if (hd_better(rule, value, values[v])) {
                values[v] = value;
                HD_CHECK(push(&h, value, v));
            }
        }
    }
out:
    HD_DELETE(&ctx->allocator, h.items, h.room);
    return status;
}

static heddle_status breadth_first(heddle_context *ctx, const hd_path_rule *rule, const heddle_run_options *options,
                                   hd_number *values) {
    uint64_t head = 0, tail = 0;
    heddle_vertex *queue;
    HD_TRY(HD_NEW(ctx, &queue, rule->graph->vertices, "queue"));
    for (uint64_t i = 0; i < options->source_count; i++)
        if (!hd_has_value(values[options->sources[i]], rule)) {
            values[options->sources[i]] = 0;
            queue[tail++] = options->sources[i];
        }
    for (; head < tail && !hd_cancelled(ctx); head++)
        for (uint64_t k = rule->out.offsets[queue[head]]; k < rule->out.offsets[queue[head] + 1]; k++)
            if (!hd_has_value(values[rule->out.targets[k]], rule)) {
                values[rule->out.targets[k]] = values[queue[head]] + 1;
                queue[tail++] = rule->out.targets[k];
            }
    HD_DELETE(&ctx->allocator, queue, rule->graph->vertices);
    return hd_cancelled_status(ctx);
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

static void store(heddle_result *result, uint64_t v, hd_number value) {
    bool none = isinf(value);
    switch (result->type) {
    case HEDDLE_VALUE_U32: ((uint32_t *)result->values)[v] = none ? UINT32_MAX : (uint32_t)value; break;
    case HEDDLE_VALUE_U64: ((uint64_t *)result->values)[v] = none ? UINT64_MAX : (uint64_t)value; break;
    case HEDDLE_VALUE_F32: ((float *)result->values)[v] = (float)value; break;
    case HEDDLE_VALUE_I64:
        ((int64_t *)result->values)[v] = !none ? (int64_t)value : value > 0 ? INT64_MAX : INT64_MIN;
        break;
    default: ((double *)result->values)[v] = (double)value; break;
    }
}

static heddle_status fill_parents(heddle_context *ctx, const hd_path_rule *rule, const heddle_run_options *options,
                                  const hd_number *values, heddle_result *result) {
    uint64_t n = rule->graph->vertices;
    uint32_t *ranks = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &ranks, n, "ranks"));
    HD_CHECK(hd_result_parents_new(ctx, result, n));
    hd_path_ranks(ctx, rule, values, options, ranks, result->parents);
    hd_path_parents(ctx, rule, values, options, ranks, result->parents);
out:
    HD_DELETE(&ctx->allocator, ranks, n);
    return status;
}

/* Runs the search of the given rule and stores the result. Whole distances are stored in 32 bits if they fit. */
static heddle_status solve(heddle_context *ctx, hd_path_rule *rule, const heddle_run_options *options,
                           heddle_result *result) {
    uint64_t n = rule->graph->vertices, reached = 0;
    hd_number *values = NULL, most = 0;
    heddle_status status;
    HD_CHECK(heddle_graph_out(ctx, rule->graph, &rule->out));
    HD_CHECK(HD_NEW(ctx, &values, n, "values"));
    for (uint64_t v = 0; v < n; v++)
        values[v] = rule->widest ? -(hd_number)INFINITY : (hd_number)INFINITY;
    hd_phase_begin(ctx, "compute", 0);
    status = rule->hops ? breadth_first(ctx, rule, options, values) : dijkstra(ctx, rule, options, values);
    hd_phase_end(ctx);
    if (status != HEDDLE_OK)
        goto out;
    for (uint64_t v = 0; v < n; v++) {
        reached += hd_has_value(values[v], rule);
        most = !isinf(values[v]) && values[v] > most ? values[v] : most;
    }
    if (rule->type == HEDDLE_VALUE_U64 && !(most < (hd_number)UINT64_MAX)) {
        status = hd_fail(ctx, HEDDLE_E_WEIGHT, "sssp: a distance is too large for 64 bits");
        goto out;
    }
    if (rule->type == HEDDLE_VALUE_U64 && most < UINT32_MAX && rule->graph->weight_type != HEDDLE_WEIGHT_I64)
        rule->type = HEDDLE_VALUE_U32;
    HD_CHECK(hd_result_values_new(ctx, result, rule->type, n));
    for (uint64_t v = 0; v < n; v++)
        store(result, v, values[v]);
    if (options->parents)
        HD_CHECK(fill_parents(ctx, rule, options, values, result));
    hd_result_figure(result, "reached", (double)reached);
out:
    HD_DELETE(&ctx->allocator, values, n);
    return status;
}

heddle_status hd_reference_bfs(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    hd_path_rule rule = {.graph = graph, .type = HEDDLE_VALUE_U32, .hops = true};
    return options->each ? hd_reference_each(ctx, graph, options, hd_reference_bfs, result)
                         : solve(ctx, &rule, options, result);
}

heddle_status hd_reference_sssp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    if (options->each)
        return hd_reference_each(ctx, graph, options, hd_reference_sssp, result);
    hd_path_rule rule = {.graph = graph, .type = HEDDLE_VALUE_U64};
    double most;
    HD_TRY(heddle_graph_out(ctx, graph, &rule.out));
    HD_TRY(hd_weights_check(ctx, graph, &rule.out, true, "sssp", &most));
    if (graph->weight_type == HEDDLE_WEIGHT_F32) {
        bool may_overflow = most * (double)graph->vertices >= (double)FLT_MAX;
        rule.type =
            options->precision == HEDDLE_PRECISION_SINGLE && !may_overflow ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64;
    }
    if (graph->weight_type == HEDDLE_WEIGHT_F64)
        rule.type = HEDDLE_VALUE_F64;
    return solve(ctx, &rule, options, result);
}

heddle_status hd_reference_sswp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    hd_path_rule rule = {.graph = graph, .type = HEDDLE_VALUE_F64, .widest = true};
    double most;
    HD_TRY(heddle_graph_out(ctx, graph, &rule.out));
    HD_TRY(hd_weights_check(ctx, graph, &rule.out, false, "sswp", &most));
    if (graph->weight_type == HEDDLE_WEIGHT_F32)
        rule.type = HEDDLE_VALUE_F32;
    if (graph->weight_type == HEDDLE_WEIGHT_I64)
        rule.type = HEDDLE_VALUE_I64;
    result->widest = true;
    return solve(ctx, &rule, options, result);
}
