/* made.c - see made.h. */
#include "engine/made.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/resident.h"
#include "engine/primitive/rename.h"
#include "graph/rebuild.h"

typedef struct shards_key {
    uint64_t graph; /* its serial number; 0: there are none */
    hd_shards_wish wish;
    bool both_ways;
} shards_key;

typedef struct made {
    uint64_t split_of; /* serial number of the graph; 0: none */
    uint64_t split_root;
    hd_made_way way;
    hd_split_options options;
    hd_made_split split;
    heddle_graph *renamed[HD_ORDERS]; /* by number - 1; NULL: none */
    uint64_t root;                    /* of the shards' graph: what it was split from, or itself */
    shards_key key;
    hd_shards shards;
} made;

/* What a graph is derived from, or itself. */
static uint64_t root_of(const heddle_graph *graph) { return graph->origin ? graph->origin : graph->serial; }

static void drop_shards(heddle_context *ctx, made *m) {
    if (m->key.graph)
        hd_shards_free(ctx, &m->shards);
    m->key = (shards_key){.graph = 0};
}

/* Shards of the split graph go with it. */
static void drop_split(heddle_context *ctx, made *m) {
    if (m->split.split.graph && m->key.graph == m->split.split.graph->serial)
        drop_shards(ctx, m);
    hd_split_free(ctx, &m->split.split);
    heddle_graph_destroy(&m->split.changed);
    m->split_of = 0;
}

static void drop_orders(heddle_context *ctx, made *m) {
    for (int i = 0; i < HD_ORDERS; i++) {
        if (m->renamed[i] && m->key.graph == m->renamed[i]->serial)
            drop_shards(ctx, m);
        heddle_graph_destroy(&m->renamed[i]);
    }
}

void hd_made_forget(heddle_context *ctx) {
    made *m = ctx->made;
    if (!m)
        return;
    drop_split(ctx, m);
    drop_orders(ctx, m);
    drop_shards(ctx, m);
    ctx->made = NULL;
    hd_free(&ctx->allocator, m, sizeof *m);
}

void hd_made_keep_only(heddle_context *ctx, const heddle_graph *graph) {
    made *m = ctx->made;
    if (m && m->split_of && m->split_root != graph->serial)
        drop_split(ctx, m);
    for (int i = 0; m && i < HD_ORDERS; i++)
        if (m->renamed[i] && m->renamed[i]->origin != graph->serial)
            drop_orders(ctx, m);
    if (m && m->key.graph && m->root != graph->serial)
        drop_shards(ctx, m);
}

static heddle_status open_made(heddle_context *ctx, made **m) {
    if (!ctx->made) {
        HD_TRY(HD_NEW_ZERO(ctx, m, 1, "what was made of a graph"));
        ctx->made = *m;
        ctx->let_go_made = hd_made_forget;
    }
    *m = ctx->made;
    return HEDDLE_OK;
}

/* ---- Splits ----------------------------------------------------------------------------------------------------- */

static bool same_split(const hd_split_options *a, const hd_split_options *b) {
    return a->transform == b->transform && a->pull == b->pull && a->K == b->K && a->weights == b->weights &&
           !(a->dumb < b->dumb) && !(a->dumb > b->dumb) && a->ids == b->ids &&
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
static heddle_status change(heddle_context *ctx, const heddle_graph *graph, hd_made_way way, heddle_graph **changed) {
    heddle_build_options build;
    heddle_adjacency out;
    heddle_build_options_init(&build);
    HD_TRY(heddle_graph_out(ctx, graph, &out)); /* checks a file's rows */
    build.symmetrize = way == HD_MADE_MIRRORED;
    build.duplicates = way == HD_MADE_SIMPLE ? HEDDLE_DUPLICATES_FIRST : HEDDLE_DUPLICATES_KEEP;
    if (way == HD_MADE_MIRRORED ? graph->directed : way == HD_MADE_SIMPLE && has_parallel(ctx, graph, &out))
        return hd_graph_rebuild(ctx, graph, &build, changed);
    return HEDDLE_OK;
}

heddle_status hd_made_split_of(heddle_context *ctx, const heddle_graph *graph, hd_made_way way,
                               const hd_split_options *options, const hd_made_split **result) {
    made *m;
    HD_TRY(open_made(ctx, &m));
    *result = &m->split;
    m->split.fresh = false;
    if (m->split_of == graph->serial && m->way == way && same_split(&m->options, options))
        return HEDDLE_OK;
    drop_split(ctx, m);
    HD_TRY(change(ctx, graph, way, &m->split.changed));
    const heddle_graph *from = m->split.changed ? m->split.changed : graph;
    HD_TRY(hd_split_graph(ctx, from, options, &m->split.split));
    if (m->split.split.graph)
        m->split.split.graph->origin = root_of(graph);
    if (m->split.changed)
        m->split.changed->origin = root_of(graph);
    m->split.fresh = true;
    m->split_of = m->split.split.graph || m->split.changed ? graph->serial : 0; /* nothing to split: nothing to keep */
    m->split_root = root_of(graph);
    m->way = way;
    m->options = *options;
    return HEDDLE_OK;
}

/* ---- Orders ----------------------------------------------------------------------------------------------------- */

const heddle_graph *hd_made_order_ready(const heddle_context *ctx, const heddle_graph *graph, const hd_order *order) {
    const made *m = ctx->made;
    const heddle_graph *kept = hd_order_kept(graph, order);
    if (kept || !m || !hd_renames(order))
        return kept;
    const heddle_graph *here = m->renamed[order->number - 1];
    return here && here->origin == graph->serial ? here : NULL;
}

/* Room for one more. */
static heddle_status open_slot(heddle_context *ctx, const heddle_graph *graph, made **m) {
    HD_TRY(open_made(ctx, m));
    hd_made_keep_only(ctx, graph);
    return HEDDLE_OK;
}

/* For a run on the CPU: fetches rows that are only on a device. */
static heddle_status take_ready(heddle_context *ctx, const char *device, heddle_report *report,
                                const heddle_graph *renamed) {
    double start = hd_clock();
    HD_TRY(hd_graph_verify(ctx, renamed, HD_VERIFY_PLACES));
    if (device || !renamed->hollow)
        return HEDDLE_OK;
    HD_TRY(hd_graph_verify(ctx, renamed, HD_VERIFY_OUT));
    report->transforming += hd_clock() - start;
    return HEDDLE_OK;
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

static heddle_status name_there(heddle_context *ctx, const char *device, const hd_order *order, heddle_graph *renamed,
                                heddle_report *report) {
    hd_resident *own, *place;
    HD_TRY(hd_resident_open(ctx, renamed->original, device, HD_WANT_OUT, false, report, &own));
    HD_TRY(hd_resident_claim(ctx, renamed, device, report, &place));
    return hd_rename_names(own, order, renamed, place, report);
}

/* Time that the device spends on compiling and copying is reported as such, not as transforming. */
heddle_status hd_made_order_there(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                  const char *device, heddle_report *report, const heddle_graph **renamed) {
    heddle_graph *hollow;
    made *m;
    double start = hd_clock(), other = report->compile + report->prepare + report->transfer;
    HD_TRY(open_slot(ctx, graph, &m));
    HD_TRY(hd_order_hollow(ctx, graph, &hollow));
    hollow->verify = bring_rows;
    heddle_status status = name_there(ctx, device, order, hollow, report);
    report->transforming += hd_clock() - start - (report->compile + report->prepare + report->transfer - other);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(&hollow);
    heddle_graph_destroy(&m->renamed[order->number - 1]);
    *renamed = m->renamed[order->number - 1] = hollow;
    return status;
}

/* On the host. */
static heddle_status make_here(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                               heddle_report *report, const heddle_graph **renamed) {
    made *m;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT)); /* a file's rows are checked in runs without an order, too */
    double start = hd_clock();
    HD_TRY(open_slot(ctx, graph, &m));
    HD_TRY(hd_order_graph(ctx, graph, order, &m->renamed[order->number - 1]));
    *renamed = m->renamed[order->number - 1];
    report->transforming += hd_clock() - start;
    return HEDDLE_OK;
}

heddle_status hd_made_order_of(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                               const char *device, heddle_report *report, const heddle_graph **renamed) {
    hd_device *there = NULL;
    *renamed = hd_made_order_ready(ctx, graph, order);
    if (*renamed)
        return take_ready(ctx, device, report, *renamed);
    if (device)
        HD_TRY(hd_device_keep(ctx, device, report, &there));
    if (there && hd_rename_pays(&there->info, graph)) {
        heddle_status status = hd_made_order_there(ctx, graph, order, device, report, renamed);
        if (status != HEDDLE_E_DEVICE_MEMORY)
            return status;
        hd_enter(ctx); /* the host has more memory */
    }
    return make_here(ctx, graph, order, report, renamed);
}

/* ---- Shards ----------------------------------------------------------------------------------------------------- */

/* Given degrees are those of the graph that a split graph was made from: whether they are given is enough to compare.
 * */
static bool same_shards(const shards_key *a, const shards_key *b) {
    const hd_shards_wish *x = &a->wish, *y = &b->wish;
    return a->graph == b->graph && a->both_ways == b->both_ways && x->range == y->range && x->most == y->most &&
           x->listed == y->listed && x->wide == y->wide && x->weight_size == y->weight_size &&
           x->degrees == y->degrees && !x->out_degrees == !y->out_degrees;
}

heddle_status hd_made_shards_of(heddle_context *ctx, const heddle_graph *graph, const hd_incore_rows *rows,
                                const hd_shards_wish *wish, const hd_shards **result) {
    shards_key key = {.graph = graph->serial, .wish = *wish, .both_ways = rows->second.offsets != NULL};
    made *m;
    HD_TRY(open_made(ctx, &m));
    *result = &m->shards;
    if (m->key.graph && same_shards(&m->key, &key))
        return HEDDLE_OK;
    drop_shards(ctx, m);
    HD_TRY(hd_shards_new(ctx, rows, rows->first.offsets, *wish, &m->shards));
    m->root = root_of(graph);
    m->key = key;
    return HEDDLE_OK;
}
