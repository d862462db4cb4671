/* copied.c - see copied.h. Edges between a vertex and its copies, in both directions, make them one for algorithms that
 * follow edges to the end, as scc does: it is exact. Labels come back as the smallest vertices that share them. */
#include "run/copied.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"

/* ---- What these views share -------------------------------------------------------------------------------------- */

heddle_status hd_copied_open(hd_view *view, const heddle_graph *graph, const hd_graffix_result **changed) {
    const hd_run *run = view->run;
    hd_graffix_options options = hd_plan_graffix(&run->plan);
    const hd_derived_graffix *made;
    options.links = true;
    HD_TRY(hd_derived_graffix_of(run, graph, &options, &made));
    view->inner.plan = hd_plan_without_graffix(&run->plan);
    if (made->result.graph)
        view->inner.graph = made->result.graph;
    *changed = &made->result;
    return HEDDLE_OK;
}

void hd_copied_figures(const hd_view *view, const hd_graffix_result *changed) {
    hd_result_figure(view->run->result, "copies", (double)changed->copies.count);
    hd_result_figure(view->run->result, "added_edges", (double)changed->added_edges);
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

static bool serves(const hd_run *run) {
    return hd_plan_copies(&run->plan) && run->algorithm->copies == HD_COPIES_LINKED;
}

static heddle_status open_copied(hd_view *view) {
    const hd_graffix_result *changed;
    HD_TRY(hd_copied_open(view, view->run->graph, &changed));
    view->own = (void *)(uintptr_t)changed;
    return HEDDLE_OK;
}

/* labels[p] is a place: the result has the smallest vertex of each label. */
static heddle_status name_components(const hd_view *view, const hd_copies *copies) {
    heddle_result *result = view->run->result;
    heddle_context *ctx = view->run->ctx;
    uint32_t *labels = result->values, *first, *named;
    uint64_t n = copies->vertices, places = copies->places;
    HD_TRY(HD_NEW(ctx, &named, n, "vertex values"));
    heddle_status status = HD_NEW(ctx, &first, places, "components");
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, named, n);
        return status;
    }
    HD_PARALLEL(ctx, if (places >= HD_WORTH_THREADS)) {
        HD_FOR(schedule(static))
        for (uint64_t p = 0; p < places; p++)
            first[p] = UINT32_MAX;
        HD_FOR(schedule(static))
        for (uint64_t v = 0; v < n; v++)
            hd_lower(&first[labels[copies->place[v]]], (uint32_t)v);
        HD_FOR(schedule(static))
        for (uint64_t v = 0; v < n; v++)
            named[v] = first[labels[copies->place[v]]];
    }
    HD_DELETE(&ctx->allocator, first, places);
    hd_free(&result->allocator, result->values, result->count * sizeof *labels);
    result->values = named;
    result->count = n;
    return HEDDLE_OK;
}

static heddle_status map_result(hd_view *view) {
    const hd_graffix_result *changed = view->own;
    const hd_split_way *split = view->run->algorithm->split;
    if (!changed->graph)
        return HEDDLE_OK;
    HD_TRY(name_components(view, &changed->copies));
    hd_copied_figures(view, changed);
    return split && split->figures ? split->figures(view->run->ctx, view->run->result) : HEDDLE_OK;
}

const hd_view_kind hd_view_copied = {.serves = serves, .open = open_copied, .map_result = map_result};
