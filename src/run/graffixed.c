/* graffixed.c - see graffixed.h. Vertices keep their numbers, so values come back as they are; they are marked as
 * approximate unless the new edges change nothing for the algorithm. */
#include "run/graffixed.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "engine/derived_graphs.h"
#include "plan/plan.h"

/* Why the run would not mean what it says; NULL: it does. */
static const char *why_not(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    if (run->algorithm->shortcuts == HD_SHORTCUTS_REFUSED)
        return "edges to neighbours' neighbours would change what it computes, not only how exactly";
    if (options->parents)
        return "a path along new edges is none of the graph";
    if (options->each)
        return "runs from many sources side by side have no plan but auto";
    if (options->max_error > 0)
        return "its error is measured by --verify, not bounded as max_error requires";
    if (run->plan.residency && run->plan.residency->from_file)
        return "edges are added in memory, not in a file";
    return NULL;
}

/* The same for copies of vertices, with what to use instead. */
static const char *why_no_copies(const hd_run *run) {
    const hd_plan *plan = &run->plan;
    bool program = run->algorithm->program != NULL;
    if (!program && run->algorithm->copies == HD_COPIES_REFUSED)
        return "values of copies cannot be merged there; use graffix=divergence instead";
    if (hd_renames(plan->order))
        return "it numbers the vertices itself; use order=none instead";
    if (plan->transform)
        return "copies share a vertex's edges already; use transform=none instead";
    if (plan->mean == HD_YES && (!program || run->algorithm->results != HD_RESULTS_VALUES))
        return "confluence=mean: labels and forests have no mean; use confluence=reduce instead";
    if ((plan->given & HD_GIVEN_EVERY) && !program)
        return "confluence.every is for vertex programs, here edges join the copies; use a plan without it instead";
    return NULL;
}

/* The same for rounds inside clusters. */
static const char *why_no_clusters(const hd_run *run) {
    if (run->algorithm->program && run->plan.mean == HD_YES)
        return "confluence=mean: rounds inside a cluster run ahead of others; use confluence=reduce instead";
    return NULL;
}

static heddle_status check(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const hd_graffix *kind = run->plan.graffix;
    const char *name = run->algorithm->info.name, *why = kind ? why_not(run) : NULL;
    if (!kind)
        return HEDDLE_OK;
    if (why)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: graffix=%s: %s; use plan auto instead", name, kind->name, why);
    if (!run->options.approximate)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: graffix=%s is approximate, which --approximate has to allow; use "
                       "plan auto instead",
                       name, kind->name);
    why = kind->copies ? why_no_copies(run) : NULL;
    if (!why && kind->clusters)
        why = why_no_clusters(run);
    return why ? hd_fail(ctx, HEDDLE_E_REFUSED, "%s: graffix=%s: %s", name, kind->name, why) : HEDDLE_OK;
}

/* Views of their own serve graphs with copies, and vertex programs with clusters. */
static bool serves(const hd_run *run) { return run->plan.graffix && !run->plan.graffix->copies && !run->plan.merges; }

static heddle_status open_graffix(hd_view *view) {
    const hd_run *run = view->run;
    hd_graffix_options options = hd_plan_graffix(&run->plan);
    const hd_derived_graffix *changed;
    options.weigh_unit = run->algorithm->weighs;
    HD_TRY(hd_derived_graffix_of(run, run->graph, &options, &changed));
    view->own = (void *)(uintptr_t)&changed->result;
    if (changed->result.graph)
        view->inner.graph = changed->result.graph;
    view->inner.plan = hd_plan_without_graffix(&run->plan);
    return HEDDLE_OK;
}

/* A forest of a graph without weights, which got some for the run: none of its edges is new. */
static void drop_weights(heddle_result *result) {
    if (result->forest_weights)
        hd_free(&result->allocator, result->forest_weights, result->forest_edges * hd_weight_size(result->forest_type));
    result->forest_weights = NULL;
    result->forest_type = HEDDLE_WEIGHT_NONE;
}

static heddle_status map_result(hd_view *view) {
    const hd_graffix_result *changed = view->own;
    heddle_result *result = view->run->result;
    if (result->forest_ends && view->run->graph->weight_type == HEDDLE_WEIGHT_NONE)
        drop_weights(result);
    hd_result_figure(result, "added_edges", (double)changed->added_edges);
    hd_result_figure(result, "lifted", (double)changed->lifted);
    result->report.approximate =
        changed->added_edges > 0 && hd_shortcuts_change(view->run->algorithm, view->run->graph);
    return HEDDLE_OK;
}

/* Of all techniques, about: an eighth more edges, which are built from a copy. */
static heddle_status host_bytes(const hd_run *run, uint64_t *bytes) {
    if (run->plan.graffix)
        *bytes += hd_row_bytes(run->graph, true) / 8 * 18 + run->graph->vertices * 24;
    return HEDDLE_OK;
}

const hd_view_kind hd_view_graffix = {.keeps_numbers = true,
                                      .check = check,
                                      .serves = serves,
                                      .host_bytes = host_bytes,
                                      .open = open_graffix,
                                      .map_result = map_result};
