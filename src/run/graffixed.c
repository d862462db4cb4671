/* graffixed.c - see graffixed.h. Vertices keep their numbers, so values come back as they are; they are marked as
 * approximate unless the new edges change nothing for the algorithm. */
#include "run/graffixed.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "engine/derived_graphs.h"
#include "plan/plan.h"

enum { WARP = 32 };

static heddle_status check(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const hd_graffix *kind = run->plan.graffix;
    const heddle_run_options *options = &run->options;
    const char *name = run->algorithm->info.name, *why = NULL;
    if (!kind)
        return HEDDLE_OK;
    if (run->algorithm->shortcuts == HD_SHORTCUTS_REFUSED)
        why = "edges to neighbours' neighbours would change what it computes, not only how exactly";
    else if (options->parents)
        why = "a path along new edges is none of the graph";
    else if (options->each)
        why = "searches side by side have no plan but auto";
    else if (options->max_error > 0)
        why = "its error is measured by --verify, not bounded as max_error asks";
    else if (run->plan.residency && run->plan.residency->from_file)
        why = "edges are added in memory, not in a file";
    if (why)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: graffix=%s: %s: plan auto would do", name, kind->name, why);
    if (!options->approximate)
        return hd_fail(
            ctx, HEDDLE_E_REFUSED,
            "%s: graffix=%s is approximate, which option approximate (--approximate) has to allow: plan auto "
            "would do",
            name, kind->name);
    return HEDDLE_OK;
}

static bool serves(const hd_run *run) { return run->plan.graffix != NULL; }

static hd_graffix_options options_of(const hd_run *run) {
    const hd_plan *plan = &run->plan;
    return (hd_graffix_options){.kind = plan->graffix,
                                .threshold =
                                    plan->said & HD_SAID_THRESHOLD ? plan->threshold : plan->graffix->threshold,
                                .fill = plan->said & HD_SAID_FILL ? plan->fill : HD_GRAFFIX_DEFAULT_FILL,
                                .warp = plan->warp ? plan->warp : WARP,
                                .weigh_unit = run->algorithm->weighs};
}

static heddle_status open_graffix(hd_view *view) {
    const hd_run *run = view->run;
    hd_graffix_options options = options_of(run);
    const hd_derived_graffix *changed;
    double start = hd_clock();
    bool fresh;
    HD_TRY(hd_derived_graffix_of(run->ctx, run->graph, &options, &fresh, &changed));
    run->result->report.transforming += fresh ? hd_clock() - start : 0;
    hd_result_transform(run->result, options.kind->in_reports);
    view->own = (void *)(uintptr_t)&changed->result;
    if (changed->result.graph)
        view->inner.graph = changed->result.graph;
    view->inner.plan.graffix = NULL;
    view->inner.plan.said &= ~(uint32_t)(HD_SAID_GRAFFIX | HD_SAID_THRESHOLD | HD_SAID_FILL);
    return HEDDLE_OK;
}

/* A forest of a graph without weights, which got some for the run: none of its edges is new. */
static void drop_weights(heddle_result *result) {
    if (result->forest_weights)
        hd_free(&result->allocator, result->forest_weights, result->forest_edges * hd_weight_size(result->forest_type));
    result->forest_weights = NULL;
    result->forest_type = HEDDLE_WEIGHT_NONE;
}

static heddle_status bring_back(hd_view *view) {
    const hd_graffix_result *changed = view->own;
    heddle_result *result = view->run->result;
    if (result->forest_ends && view->run->graph->weight_type == HEDDLE_WEIGHT_NONE)
        drop_weights(result);
    hd_result_figure(result, "added_edges", (double)changed->added_edges);
    hd_result_figure(result, "lifted", (double)changed->lifted);
    result->report.approximate = changed->added_edges > 0 && view->run->algorithm->shortcuts != HD_SHORTCUTS_EXACT;
    return HEDDLE_OK;
}

/* About: an eighth more edges, which are built from a copy. */
static heddle_status host_bytes(const hd_run *run, uint64_t *bytes) {
    if (serves(run))
        *bytes += hd_row_bytes(run->graph, true) / 8 * 18 + run->graph->vertices * 24;
    return HEDDLE_OK;
}

const hd_view_kind hd_view_graffix = {.keeps_numbers = true,
                                      .check = check,
                                      .serves = serves,
                                      .host_bytes = host_bytes,
                                      .open = open_graffix,
                                      .bring_back = bring_back};
