/* derived_graphs.c - see derived_graphs.h. */
#include "engine/derived_graphs.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/resident.h"
#include "engine/primitive/coefficients.h"
#include "engine/primitive/rename.h"
#include "engine/view.h"
#include "graffix/recipe.h"
#include "graph/kept.h"
#include "graph/rebuild.h"

/* Seconds that the device spends on compiling and copying are reported as such, not as transforming. */
static double reported(const heddle_report *report) { return report->compile + report->prepare + report->transfer; }

/* ---- Splits ----------------------------------------------------------------------------------------------------- */

typedef struct split_key {
    hd_split_change change;
    const hd_split_options *options;
} split_key;

static bool same_split(const hd_derived *entry, const void *wanted) {
    const hd_derived_split *e = (const hd_derived_split *)entry;
    const split_key *key = wanted;
    const hd_split_options *a = &e->options, *b = key->options;
    return e->change == key->change && a->transform == b->transform && a->pull == b->pull && a->K == b->K &&
           a->weights == b->weights && !(a->dumb < b->dumb) && !(a->dumb > b->dumb) && a->ids == b->ids &&
           (a->seed == b->seed || a->transform->tree);
}

static bool has_parallel(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out) {
    bool found = false;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) reduction(|| : found))
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t k = out->offsets[v] + 1; !found && k < out->offsets[v + 1]; k++)
            found = out->targets[k] == out->targets[k - 1];
    return found;
}

/* *changed is NULL if the graph needs no change. */
static heddle_status change(heddle_context *ctx, const heddle_graph *graph, hd_split_change how,
                            heddle_graph **changed) {
    heddle_build_options build;
    heddle_adjacency out;
    heddle_build_options_init(&build);
    HD_TRY(heddle_graph_out(ctx, graph, &out)); /* checks a file's rows */
    build.symmetrize = how == HD_SPLIT_MIRRORED;
    build.duplicates = how == HD_SPLIT_SIMPLE ? HEDDLE_DUPLICATES_FIRST : HEDDLE_DUPLICATES_KEEP;
    if (how == HD_SPLIT_MIRRORED ? graph->directed : how == HD_SPLIT_SIMPLE && has_parallel(ctx, graph, &out))
        return hd_graph_rebuild(ctx, graph, &build, changed);
    return HEDDLE_OK;
}

static heddle_status make_split(heddle_context *ctx, const heddle_graph *graph, const void *wanted, hd_derived *entry) {
    hd_derived_split *e = (hd_derived_split *)entry;
    const split_key *key = wanted;
    e->change = key->change;
    e->options = *key->options;
    HD_TRY(change(ctx, graph, key->change, &e->changed));
    HD_TRY(hd_split_graph(ctx, e->changed ? e->changed : graph, key->options, &e->split));
    if (e->split.graph)
        e->split.graph->origin = entry->root;
    if (e->changed)
        e->changed->origin = entry->root;
    entry->graphs[0] = e->changed;
    entry->graphs[1] = e->split.graph;
    return HEDDLE_OK;
}

static uint64_t split_bytes(const hd_derived *entry) {
    const hd_split_result *split = &((const hd_derived_split *)entry)->split;
    return split->added_vertices * sizeof *split->family + (split->graph ? split->graph->edges / 8 : 0);
}

static void destroy_split(heddle_context *ctx, hd_derived *entry) {
    hd_derived_split *e = (hd_derived_split *)entry;
    hd_split_free(ctx, &e->split);
    heddle_graph_destroy(&e->changed);
}

static const hd_derived_kind splits = {sizeof(hd_derived_split), same_split, make_split, split_bytes, destroy_split};

heddle_status hd_derived_split_of(heddle_context *ctx, const heddle_graph *graph, hd_split_change how,
                                  const hd_split_options *options, bool *fresh, const hd_derived_split **split) {
    split_key key = {how, options};
    hd_derived *entry;
    HD_TRY(hd_derived_get(ctx, &splits, graph, &key, fresh, &entry));
    *split = (const hd_derived_split *)entry;
    return HEDDLE_OK;
}

/* ---- Graffix ---------------------------------------------------------------------------------------------------- */

static bool same_graffix(const hd_derived *entry, const void *wanted) {
    const hd_graffix_options *a = &((const hd_derived_graffix *)entry)->options, *b = wanted;
    return hd_graffix_same(a, b) && a->weigh_unit == b->weigh_unit && a->mirror == b->mirror &&
           a->simple == b->simple && a->links == b->links;
}

/* By what the user's graph has kept for this, or anew. */
static heddle_status from_recipe(heddle_context *ctx, const heddle_graph *graph, hd_graffix_options *options,
                                 hd_graffix_result *result) {
    const heddle_graph *by = options->kept_by;
    bool old = false;
    for (uint32_t i = 0; by && i < by->kept_count; i++) {
        hd_recipe recipe;
        HD_TRY(hd_kept_check(ctx, by, i));
        hd_recipe_fit fit =
            hd_recipe_open(by->kept[i].words, by->kept[i].count, graph, options, options->kept_order, &recipe);
        old |= fit == HD_RECIPE_VERSION;
        if (fit != HD_RECIPE_FITS)
            continue;
        options->recipe = &recipe;
        return hd_graffix_graph(ctx, graph, options, result);
    }
    if (by && by->kept_count && options->kind != &hd_graffix_divergence) /* which keeps nothing */
        hd_note(ctx, "graffix=%s: the graph's file has it prepared %s: it is made anew", options->kind->name,
                old ? "by another version" : "for other techniques, knobs or orders");
    return hd_graffix_graph(ctx, graph, options, result);
}

/* Lets the run's graph be changed by what the user's has kept. */
static void use_kept(const hd_run *run, const heddle_graph *graph, hd_graffix_options *options) {
    const hd_run *original = run;
    while (original->view)
        original = original->view->run;
    if (graph != run->graph)
        return;
    options->kept_by = original->graph;
    options->kept_order =
        graph != original->graph && hd_renames(original->plan.order) ? original->plan.order->number : 0;
}

static heddle_status make_graffix(heddle_context *ctx, const heddle_graph *graph, const void *wanted,
                                  hd_derived *entry) {
    hd_derived_graffix *e = (hd_derived_graffix *)entry;
    e->options = *(const hd_graffix_options *)wanted;
    if (e->options.mirror || e->options.simple)
        HD_TRY(change(ctx, graph, e->options.mirror ? HD_SPLIT_MIRRORED : HD_SPLIT_SIMPLE, &e->mirrored));
    if (e->mirrored) /* before a device gets it: it does not take the place of the user's there */
        e->mirrored->origin = entry->root;
    HD_TRY(e->mirrored ? hd_graffix_graph(ctx, e->mirrored, &e->options, &e->result)
                       : from_recipe(ctx, graph, &e->options, &e->result));
    e->options.recipe = NULL;
    e->options.counter = NULL;
    e->options.kept_by = NULL;
    if (e->result.graph)
        e->result.graph->origin = entry->root;
    entry->graphs[0] = e->result.graph;
    entry->graphs[1] = e->mirrored;
    return HEDDLE_OK;
}

static uint64_t graffix_bytes(const hd_derived *entry) {
    const hd_graffix_result *r = &((const hd_derived_graffix *)entry)->result;
    const hd_copies *c = &r->copies;
    return (c->vertices + 2 * c->places) * sizeof(heddle_vertex) + c->count * sizeof(hd_copy) + r->clusters.room * 12 +
           r->clusters.vertices * 8 + r->clusters.edges * 8;
}

static void destroy_graffix(heddle_context *ctx, hd_derived *entry) {
    hd_derived_graffix *e = (hd_derived_graffix *)entry;
    hd_graffix_free(ctx, &e->result);
    heddle_graph_destroy(&e->mirrored);
}

static const hd_derived_kind graffixes = {sizeof(hd_derived_graffix), same_graffix, make_graffix, graffix_bytes,
                                          destroy_graffix};

heddle_status hd_derived_graffix_of(const hd_run *run, const heddle_graph *graph, const hd_graffix_options *options,
                                    const hd_derived_graffix **changed) {
    heddle_report *report = &run->result->report;
    hd_graffix_options all = *options;
    hd_link_counter counter = {run, hd_coefficients_count};
    hd_derived *entry;
    bool fresh;
    double start = hd_clock(), other = reported(report);
    use_kept(run, graph, &all);
    all.counter = hd_on_device(run) && run->plan.prepare != HD_NO ? &counter : NULL;
    HD_TRY(hd_derived_get(run->ctx, &graffixes, graph, &all, &fresh, &entry));
    report->transforming += fresh ? hd_clock() - start - (reported(report) - other) : 0;
    hd_result_transform(run->result, options->kind->in_reports);
    *changed = (const hd_derived_graffix *)entry;
    return HEDDLE_OK;
}

/* ---- Orders ----------------------------------------------------------------------------------------------------- */

typedef struct order_key {
    const hd_order *order;
    const char *device; /* that builds it; NULL: the host */
    heddle_report *report;
} order_key;

typedef struct derived_order {
    hd_derived head;
    const hd_order *order;
    heddle_graph *renamed;
} derived_order;

static bool same_order(const hd_derived *entry, const void *key) {
    return ((const derived_order *)entry)->order == ((const order_key *)key)->order;
}

/* `verify` of a hollow graph: fetches or builds the parts requested. */
static heddle_status bring_rows(heddle_context *ctx, heddle_graph *graph, int what, const struct hd_hash_tap *tap) {
    bool all = what & (HD_VERIFY_TARGETS | HD_VERIFY_WEIGHTS), found = false;
    (void)tap;
    if (!graph->hollow || !(what & HD_VERIFY_OUT) || (!all && graph->out.offsets))
        return HEDDLE_OK;
    HD_TRY(hd_resident_fetch(ctx, graph, all, &found));
    return found ? HEDDLE_OK : hd_order_rows(ctx, graph);
}

static heddle_status make_there(heddle_context *ctx, const heddle_graph *graph, const order_key *key,
                                heddle_graph **renamed) {
    hd_resident *own, *place;
    HD_TRY(hd_order_hollow(ctx, graph, renamed));
    (*renamed)->verify = bring_rows;
    HD_TRY(hd_resident_open(ctx, graph, key->device, HD_WANT_OUT, false, key->report, &own));
    HD_TRY(hd_resident_claim(ctx, *renamed, key->device, key->report, &place));
    return hd_rename_names(own, key->order, *renamed, place, key->report);
}

static heddle_status make_order(heddle_context *ctx, const heddle_graph *graph, const void *wanted, hd_derived *entry) {
    derived_order *e = (derived_order *)entry;
    const order_key *key = wanted;
    if (!key->device) /* a file's rows are checked in runs without an order, too */
        HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT));
    double start = hd_clock(), other = reported(key->report);
    e->order = key->order;
    heddle_status status =
        key->device ? make_there(ctx, graph, key, &e->renamed) : hd_order_graph(ctx, graph, key->order, &e->renamed);
    entry->graphs[0] = e->renamed;
    key->report->transforming += hd_clock() - start - (reported(key->report) - other);
    return status;
}

static void destroy_order(heddle_context *ctx, hd_derived *entry) {
    (void)ctx;
    heddle_graph_destroy(&((derived_order *)entry)->renamed);
}

static const hd_derived_kind orders = {sizeof(derived_order), same_order, make_order, NULL, destroy_order};

const heddle_graph *hd_derived_order_ready(const heddle_context *ctx, const heddle_graph *graph,
                                           const hd_order *order) {
    const heddle_graph *kept = hd_order_kept(graph, order);
    const order_key key = {.order = order};
    if (kept || !hd_renames(order))
        return kept;
    const derived_order *e = (const derived_order *)hd_derived_find(ctx, &orders, graph, &key);
    return e ? e->renamed : NULL;
}

static heddle_status get_order(heddle_context *ctx, const heddle_graph *graph, const order_key *key,
                               const heddle_graph **renamed) {
    hd_derived *entry;
    heddle_status status = hd_derived_get(ctx, &orders, graph, key, NULL, &entry);
    *renamed = status == HEDDLE_OK ? ((const derived_order *)entry)->renamed : NULL;
    return status;
}

heddle_status hd_derived_order_there(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                     const char *device, heddle_report *report, const heddle_graph **renamed) {
    const order_key key = {order, device, report};
    hd_derived_drop(ctx, hd_derived_find(ctx, &orders, graph, &key));
    return get_order(ctx, graph, &key, renamed);
}

/* One that exists: a run on the CPU fetches rows that are only on a device. */
static heddle_status take_ready(heddle_context *ctx, const order_key *key, const heddle_graph *renamed) {
    double start = hd_clock();
    HD_TRY(hd_graph_verify(ctx, renamed, HD_VERIFY_PLACES));
    if (key->device || !renamed->hollow)
        return HEDDLE_OK;
    HD_TRY(hd_graph_verify(ctx, renamed, HD_VERIFY_OUT));
    key->report->transforming += hd_clock() - start;
    return HEDDLE_OK;
}

heddle_status hd_derived_order_of(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                  const char *device, heddle_report *report, const heddle_graph **renamed) {
    order_key key = {order, device, report};
    hd_device *there = NULL;
    *renamed = hd_order_kept(graph, order);
    if (!*renamed && hd_derived_order_ready(ctx, graph, order))
        HD_TRY(get_order(ctx, graph, &key, renamed));
    if (*renamed)
        return take_ready(ctx, &key, *renamed);
    if (device)
        HD_TRY(hd_device_keep(ctx, device, report, &there));
    if (there && !there->budget.spills && hd_rename_pays(&there->info, graph)) {
        heddle_status status = get_order(ctx, graph, &key, renamed);
        if (status != HEDDLE_E_DEVICE_MEMORY)
            return status;
        hd_enter(ctx); /* the host has more memory */
    }
    key.device = NULL;
    return get_order(ctx, graph, &key, renamed);
}
