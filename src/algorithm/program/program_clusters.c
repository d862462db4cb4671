/* program_clusters.c - a vertex program on a graph whose clusters are iterated by themselves (graffix/latency.c),
 * CPU or device. Vertices keep their numbers. Programs that count edges both ways run on the graph with every arc's
 * reverse. */
#include "algorithm/algorithm.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "engine/derived_graphs.h"

typedef struct clustered_run {
    const hd_graffix_result *changed;
    hd_program_run adapted;
} clustered_run;

/* With copies as well it is program_copies.c that does. */
static bool serves(const hd_run *run) {
    return run->plan.merges && run->plan.graffix && run->plan.graffix->clusters && !run->plan.graffix->copies;
}

heddle_status hd_program_check_clusters(const hd_run *run) {
    const hd_plan *plan = &run->plan;
    const char *why = NULL;
    const hd_incore_program *p = &run->program->program;
    if (hd_plan_shards(plan) && !hd_on_device(run))
        why = "schedule=shard: on the cpu shards hold values of their own; use schedule=edge instead";
    else if (hd_plan_shards(plan) && plan->strict == HD_NO)
        why = "sync=relaxed: shards write copies of values before clusters change them; use sync=strict instead";
    else if (p->strengths)
        why = "weights: they are given for the graph as it is; use graffix=divergence instead";
    else if (plan->transform)
        why = "transform: split vertices are in no cluster; use transform=none instead";
    else if (plan->strict == HD_YES && !hd_plan_shards(plan) && (p->traits & MONOTONE))
        why = "sync=strict: rounds inside a cluster run ahead of others; use sync=relaxed instead";
    return why ? hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: graffix=%s: %s", run->algorithm->info.name,
                         plan->graffix->name, why)
               : HEDDLE_OK;
}

/* Shards write their copies after a strict round, when clusters were iterated; sums are strict anyway. */
hd_choice hd_program_cluster_sync(const hd_run *run) {
    if (hd_plan_shards(&run->plan))
        return HD_YES;
    return run->program->program.traits & MONOTONE ? HD_NO : run->plan.strict;
}

static heddle_status open_clusters(hd_view *view) {
    const hd_run *run = view->run;
    const hd_derived_graffix *made;
    clustered_run *r;
    HD_TRY(HD_NEW_ZERO(run->ctx, &r, 1, "clusters"));
    view->own = r;
    HD_TRY(hd_program_graffix(run, &r->adapted, &made));
    r->changed = &made->result;
    r->adapted.setup.clusters = made->result.clusters.count ? &made->result.clusters : NULL;
    view->inner.program = &r->adapted;
    if (made->mirrored)
        view->inner.graph = made->mirrored;
    if (made->result.graph)
        view->inner.graph = made->result.graph;
    view->inner.plan = hd_plan_without_graffix(&run->plan);
    view->inner.plan.strict = hd_program_cluster_sync(run);
    return HEDDLE_OK;
}

static heddle_status map_result(hd_view *view) {
    const clustered_run *r = view->own;
    heddle_result *result = view->run->result;
    hd_result_figure(result, "clusters", (double)r->changed->clusters.count);
    hd_result_figure(result, "added_edges", (double)r->changed->added_edges);
    result->report.approximate =
        r->changed->added_edges > 0 && hd_shortcuts_change(view->run->algorithm, view->run->graph);
    return HEDDLE_OK;
}

static void close_clusters(hd_view *view) {
    clustered_run *r = view->own;
    HD_DELETE(&view->run->ctx->allocator, r, 1);
}

const hd_view_kind hd_view_program_clusters = {.keeps_numbers = true,
                                               .check = hd_program_check_clusters,
                                               .serves = serves,
                                               .open = open_clusters,
                                               .map_result = map_result,
                                               .close = close_clusters};
