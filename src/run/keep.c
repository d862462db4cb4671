/* keep.c - heddle_graph_prepare: decides once what a technique of Graffix does to a graph, and keeps that for runs, and
 * for the graph's .hdl file (graffix/recipe.h). */
#include "base/argument.h"
#include "base/memory.h"
#include "base/threads.h"
#include "engine/derived_graphs.h"
#include "graffix/recipe.h"
#include "graph/kept.h"
#include "plan/plan.h"

#include <string.h>

/* Divergence decides nothing that takes time, unless its order does, which files keep too. */
static heddle_status read_plan(heddle_context *ctx, const char *text, hd_plan *plan) {
    HD_TRY(hd_plan_parse(ctx, text, plan));
    if (!plan->graffix)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "prepare: plan '%.200s': expected one with graffix", text);
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
