/* prepare_graph.c - heddle_graph_prepare: decides once what a technique of Graffix does to a graph, or renames its
 * edges for residency stream, and keeps that for runs, and for the graph's .hdl file (graffix/recipe.h,
 * residency/virtual_ids.h). */
#include "base/argument.h"
#include "base/memory.h"
#include "base/threads.h"
#include "engine/derived_graphs.h"
#include "graffix/recipe.h"
#include "graph/kept.h"
#include "plan/plan.h"
#include "residency/residency.h"
#include "residency/virtual_ids.h"

#include <string.h>

enum { PARTITIONS = 128 /* if the plan does not say: those of a device with a quarter of the edges' memory */ };

/* Divergence decides nothing that takes time, unless its order does, which files keep too. */
static heddle_status read_plan(heddle_context *ctx, const char *text, hd_plan *plan) {
    HD_TRY(hd_plan_parse(ctx, text, plan));
    if (!plan->graffix && plan->residency == &hd_residency_stream && plan->stream_packed != HD_YES)
        return HEDDLE_OK;
    if (!plan->graffix)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "prepare: plan '%.200s': expected one with graffix, or with residency=stream, not packed", text);
    if (plan->graffix == &hd_graffix_divergence)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "prepare: graffix=divergence: there is nothing to keep but its order: save with order degree");
    return HEDDLE_OK;
}

/* The recipe's words belong to the graph, and have no room behind them. */
static heddle_status hand_over(heddle_context *ctx, heddle_graph *graph, const hd_recipe *recipe) {
    size_t bytes = recipe->count * sizeof *recipe->words;
    uint64_t *words = hd_alloc(&graph->allocator, bytes);
    if (!words)
        return hd_fail_memory(ctx, bytes, "what is kept of graffix");
    memcpy(words, recipe->words, bytes);
    heddle_status status = hd_kept_add(ctx, graph, words, recipe->count, HD_RECIPE_HEAD);
    if (status != HEDDLE_OK)
        hd_free(&graph->allocator, words, bytes);
    return status;
}

/* Graphie's second renaming, of the graph in the plan's order. */
static heddle_status keep_virtual_ids(heddle_context *ctx, heddle_graph *graph, const hd_plan *plan) {
    heddle_report report = {.algorithm = NULL};
    const heddle_graph *base = graph;
    heddle_adjacency rows;
    hd_derived_begin(ctx, graph, false);
    if (plan->order && hd_renames(plan->order))
        HD_TRY(hd_derived_order_of(ctx, graph, plan->order, NULL, &report, &base));
    HD_TRY(heddle_graph_out(ctx, base, &rows));
    return hd_virtual_keep(ctx, graph, &rows, plan->stream_partitions ? plan->stream_partitions : PARTITIONS);
}

heddle_status heddle_graph_prepare(heddle_context *ctx, heddle_graph *graph, const char *plan) {
    hd_plan read;
    hd_recipe recipe;
    hd_graffix_result result = {.graph = NULL};
    heddle_report report = {.algorithm = NULL};
    const heddle_graph *base = graph;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, plan);
    HD_TRY(read_plan(ctx, plan, &read));
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, 1));
    if (!read.graffix)
        return keep_virtual_ids(ctx, graph, &read);
    const hd_order *order = read.order ? read.order : read.graffix->order;
    hd_derived_begin(ctx, graph, false);
    if (hd_renames(order))
        HD_TRY(hd_derived_order_of(ctx, graph, order, NULL, &report, &base));
    hd_graffix_options options = hd_plan_graffix(&read);
    HD_TRY(hd_recipe_begin(ctx, &recipe, base, &options, order->number));
    options.recipe = &recipe;
    hd_phase_begin(ctx, "prepare", 0);
    heddle_status status = hd_graffix_graph(ctx, base, &options, &result);
    hd_phase_end(ctx);
    hd_graffix_free(ctx, &result);
    if (status == HEDDLE_OK)
        status = hand_over(ctx, graph, &recipe);
    hd_recipe_free(ctx, &recipe);
    return status;
}
