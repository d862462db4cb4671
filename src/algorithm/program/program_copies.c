/* program_copies.c - a vertex program on a graph whose vertices are renumbered and partly copied (graffix/coalesce.c),
 * CPU or device.
 *
 * The program sees its vertex's facts in a copy: number, degrees, whether it is a source. The
 * engine merges values between rounds. Programs that count edges both ways run on the graph with every arc's
 * reverse, so that copies have no in-edges anywhere.
 */
#include "algorithm/algorithm.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/derived_graphs.h"

typedef struct copied_run {
    const hd_graffix_result *changed;
    hd_program_run adapted;
    heddle_vertex *sources, *names;
    uint64_t source_room;
} copied_run;

/* ---- What the program reads -------------------------------------------------------------------------------------- */

/* A source's copies start with it. */
static heddle_status copy_sources(heddle_context *ctx, copied_run *r, const hd_cpu_setup *setup) {
    const hd_copies *copies = &r->changed->copies;
    uint64_t count = setup->source_count, words = copies->places / 64 + 1, *marks;
    r->source_room = count + copies->count;
    HD_TRY(HD_NEW(ctx, &r->sources, r->source_room, "sources"));
    HD_TRY(HD_NEW_ZERO(ctx, &marks, words, "sources"));
    for (uint64_t i = 0; i < count; i++) {
        r->sources[i] = copies->place[setup->sources[i]];
        marks[r->sources[i] / 64] |= UINT64_C(1) << (r->sources[i] % 64);
    }
    for (uint64_t i = 0; i < copies->count; i++)
        if (marks[copies->list[i].owner / 64] >> (copies->list[i].owner % 64) & 1)
            r->sources[count++] = copies->list[i].copy;
    HD_DELETE(&ctx->allocator, marks, words);
    r->adapted.setup.sources = r->sources;
    r->adapted.setup.source_count = count;
    return HEDDLE_OK;
}

/* Holes have a number that no vertex has: it is not read. */
static heddle_status fill_inputs(const hd_run *run, copied_run *r) {
    const hd_copies *copies = &r->changed->copies;
    hd_cpu_setup *setup = &r->adapted.setup;
    HD_TRY(HD_NEW(run->ctx, &r->names, copies->places, "names of vertices"));
    HD_PARALLEL_FOR(run->ctx, schedule(static) if (copies->places >= HD_WORTH_THREADS))
    for (uint64_t p = 0; p < copies->places; p++)
        r->names[p] = copies->vertex[p];
    if (setup->source_count)
        HD_TRY(copy_sources(run->ctx, r, &run->program->setup));
    setup->names = r->names;
    setup->own_vertices = copies->vertices;
    setup->out_degrees = copies->degrees;
    setup->copies = copies;
    setup->mean = run->plan.mean == HD_YES;
    setup->every = run->plan.given & HD_GIVEN_EVERY ? run->plan.every : 1;
    setup->clusters = r->changed->clusters.count ? &r->changed->clusters : NULL;
    return HEDDLE_OK;
}

/* ---- The view ---------------------------------------------------------------------------------------------------- */

static bool serves(const hd_run *run) { return run->plan.merges && hd_plan_copies(&run->plan); }

static heddle_status refuse(const hd_run *run, const char *what, const char *why) {
    return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: graffix=%s: %s: %s", run->algorithm->info.name,
                   run->plan.graffix->name, what, why);
}

/* Shards write their copies of values after a strict round, when those of vertices are merged; the mean of values that
 * depend on timing would depend on it, too. */
static bool strict(const hd_run *run) { return hd_plan_shards(&run->plan) || run->plan.mean == HD_YES; }

static heddle_status check(const hd_run *run) {
    const hd_incore_program *p = &run->program->program;
    if (run->program->setup.initial || run->program->setup.fixed || p->strengths)
        return refuse(run, "weights or a personalisation",
                      "they are given for the graph as it is; use graffix=divergence instead");
    if (hd_plan_shards(&run->plan) && !hd_on_device(run))
        return refuse(run, "schedule=shard", "on the cpu shards hold values of their own; use schedule=edge instead");
    if (strict(run) && run->plan.strict == HD_NO)
        return refuse(run, "sync=relaxed",
                      "shards, and the mean, need values that do not depend on timing; use sync=strict instead");
    return run->plan.graffix->clusters ? hd_program_check_clusters(run) : HEDDLE_OK;
}

static heddle_status open_copies(hd_view *view) {
    const hd_run *run = view->run;
    const hd_derived_graffix *made;
    copied_run *r;
    HD_TRY(HD_NEW_ZERO(run->ctx, &r, 1, "copies"));
    view->own = r;
    HD_TRY(hd_program_graffix(run, &r->adapted, &made));
    r->changed = &made->result;
    view->inner.program = &r->adapted;
    if (made->result.graph) {
        view->inner.graph = made->result.graph;
        HD_TRY(fill_inputs(run, r));
    }
    view->inner.plan = hd_plan_without_graffix(&run->plan);
    if (run->plan.graffix->clusters)
        view->inner.plan.strict = hd_program_cluster_sync(run);
    else if (strict(run))
        view->inner.plan.strict = HD_YES;
    return HEDDLE_OK;
}

static heddle_status gather(const hd_view *view, const hd_copies *copies) {
    heddle_result *result = view->run->result;
    size_t size = hd_value_size(result->type);
    char *from = result->values;
    void *to;
    HD_TRY(hd_new(view->run->ctx, &to, copies->vertices, size, false, "vertex values"));
    HD_PARALLEL_FOR(view->run->ctx, schedule(static) if (copies->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < copies->vertices; v++) {
        if (size == 4)
            ((uint32_t *)to)[v] = ((const uint32_t *)(const void *)from)[copies->place[v]];
        else
            ((uint64_t *)to)[v] = ((const uint64_t *)(const void *)from)[copies->place[v]];
    }
    hd_free(&result->allocator, from, result->count * size);
    result->values = to;
    result->count = copies->vertices;
    return HEDDLE_OK;
}

/* Merging at the end only, or by the mean, is approximate by itself. So are rounds towards a limit between which copies
 * are not merged: that one of them changes little says nothing then. */
static heddle_status map_result(hd_view *view) {
    const copied_run *r = view->own;
    const hd_copies *copies = &r->changed->copies;
    const hd_run *run = view->run;
    const hd_cpu_setup *setup = &r->adapted.setup;
    heddle_result *result = run->result;
    if (!r->changed->graph)
        return HEDDLE_OK;
    HD_TRY(gather(view, copies));
    hd_result_figure(result, "copies", (double)copies->count);
    if (run->plan.graffix->clusters)
        hd_result_figure(result, "clusters", (double)r->changed->clusters.count);
    hd_result_figure(result, "added_edges", (double)r->changed->added_edges);
    bool exact = !r->changed->added_edges || !hd_shortcuts_change(run->algorithm, run->graph);
    bool merged = !copies->count || (!setup->mean && (run->algorithm->limit ? setup->every == 1 : setup->every));
    result->report.approximate = !exact || !merged;
    return HEDDLE_OK;
}

static void close_copies(hd_view *view) {
    copied_run *r = view->own;
    const heddle_allocator *allocator = &view->run->ctx->allocator;
    if (!r)
        return;
    HD_DELETE(allocator, r->names, r->changed ? r->changed->copies.places : 0);
    HD_DELETE(allocator, r->sources, r->source_room);
    HD_DELETE(allocator, r, 1);
}

const hd_view_kind hd_view_program_copies = {.keeps_numbers = true,
                                             .check = check,
                                             .serves = serves,
                                             .open = open_copies,
                                             .map_result = map_result,
                                             .close = close_copies};
