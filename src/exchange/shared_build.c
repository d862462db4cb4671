/* shared_build.c - see shared_build.h: the survey of all ranks, the ids; shared_rows.c makes the rows. */
#include "exchange/shared_build.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "exchange/agree.h"
#include "exchange/shared_rows.h"
#include "exchange/together.h"

/* ---- A share of a source ---------------------------------------------------------------------------------------- */

/* Some consecutive parts of a source as a source; if there are none, an empty one. */
typedef struct share {
    const hd_edge_source *whole;
    uint64_t first, count;
} share;

static void begin(void *self, hd_cursor *cursor) {
    const share *mine = self;
    if (!mine->count)
        return;
    cursor->part += mine->first;
    mine->whole->begin(mine->whole->self, cursor);
}

static void next(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    const share *mine = self;
    if (mine->count)
        mine->whole->next(mine->whole->self, cursor, batch);
}

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    const share *mine = self;
    return mine->whole->fail(mine->whole->self, ctx, cursor);
}

static heddle_status complete(void *self, heddle_context *ctx, uint64_t edges) {
    const share *mine = self;
    return mine->whole->complete(mine->whole->self, ctx, edges);
}

static hd_edge_source share_of(const hd_edge_source *whole, hd_link *link, share *mine) {
    hd_edge_source own = *whole;
    *mine = (share){.whole = whole, .first = hd_split(whole->parts, link->size, link->rank)};
    mine->count = hd_split(whole->parts, link->size, link->rank + 1) - mine->first;
    if (whole->apart)
        *mine = (share){.whole = whole, .count = whole->parts};
    own.self = mine;
    own.parts = mine->count ? mine->count : 1;
    own.work = whole->apart ? whole->work : whole->work / link->size;
    own.more_count = link->rank + 1 < link->size ? 0 : whole->more_count; /* they come behind all that occur */
    own.begin = begin;
    own.next = next;
    own.fail = fail;
    own.complete = whole->complete ? complete : NULL;
    return own;
}

/* ---- The survey ------------------------------------------------------------------------------------------------- */

/* Gives the findings of passes over parts from all ranks to all. */
static heddle_status tell_facts(hd_link *link, const hd_edge_source *whole) {
    for (uint32_t p = 0; p < link->size && whole->facts; p++) {
        uint64_t first = hd_split(whole->parts, link->size, p), end = hd_split(whole->parts, link->size, p + 1);
        if (first < end)
            HD_TRY(hd_broadcast(link, p, (char *)whole->facts + first * whole->fact_size,
                                (size_t)(end - first) * whole->fact_size));
    }
    return HEDDLE_OK;
}

/* Joins the surveys of all ranks, in the place of the first part's. */
static heddle_status join_surveys(hd_link *link, hd_builder *b) {
    hd_part_survey all = {.weight_min = b->parts[0].weight_min, .weight_max = b->parts[0].weight_max};
    for (uint64_t part = 0; part < b->source->parts; part++) {
        const hd_part_survey *one = &b->parts[part];
        all.weight_min = one->weight_min < all.weight_min ? one->weight_min : all.weight_min;
        all.weight_max = one->weight_max > all.weight_max ? one->weight_max : all.weight_max;
        all.inexact |= one->inexact;
        all.fraction |= one->fraction;
        all.cursor.seen_real |= one->cursor.seen_real;
        all.cursor.seen_negative |= one->cursor.seen_negative;
        all.cursor.seen_large |= one->cursor.seen_large;
    }
    uint64_t flags[] = {all.inexact, all.fraction, all.cursor.seen_real,
                        all.cursor.seen_negative || b->source->more_negative,
                        all.cursor.seen_large || b->source->more_large};
    HD_TRY(link->reduce(link, HD_LINK_MAX, flags, 5));
    HD_TRY(link->reduce(link, HD_LINK_SUM, &b->edges, 1));
    HD_TRY(link->reduce_real(link, HD_LINK_MIN, &all.weight_min, 1));
    HD_TRY(link->reduce_real(link, HD_LINK_MAX, &all.weight_max, 1));
    hd_part_survey *first = &b->parts[0];
    first->weight_min = all.weight_min;
    first->weight_max = all.weight_max;
    first->inexact = flags[0];
    first->fraction = flags[1];
    first->cursor.seen_real = flags[2];
    first->cursor.seen_negative = flags[3];
    first->cursor.seen_large = b->ids_unsigned = flags[4];
    return HEDDLE_OK;
}

/* ---- Ids -------------------------------------------------------------------------------------------------------- */

/* As one process decides: small ids without gaps need no list. */
static heddle_status settle_ids(hd_shared_builder *s, uint64_t sampled) {
    hd_shared_graph *graph = s->graph;
    const hd_shared_ids *ids = &graph->ids;
    hd_builder *b = &s->b;
    bool small = !ids->vertices || hd_builder_ids_are_small(b->source, sampled, ids->highest);
    graph->vertices = ids->vertices;
    graph->id_type = b->ids_unsigned ? HEDDLE_ID_U64 : HEDDLE_ID_I64;
    if (b->source->vertices) {
        if (!small)
            return hd_builder_fail_outside(b);
        HD_TRY(hd_builder_demand_vertices(b, ids->vertices ? ids->lowest : 0, ids->vertices ? ids->highest : 0));
        s->numbers = NULL;
        graph->vertices = b->map.vertices;
        graph->id_base = (int64_t)b->map.base;
        return HEDDLE_OK;
    }
    graph->id_values = !small || (ids->vertices && ids->highest - ids->lowest + 1 != ids->vertices);
    graph->id_base = graph->id_values || !ids->vertices ? 0 : (int64_t)ids->lowest;
    return HEDDLE_OK;
}

static heddle_status number_ids(hd_shared_builder *s) {
    hd_builder *b = &s->b;
    hd_shared_graph *graph = s->graph;
    uint64_t sampled = 0;
    if (b->source->ids == HD_IDS_KNOWN) {
        graph->vertices = b->map.vertices;
        graph->id_type = HEDDLE_ID_I64;
        graph->id_base = (int64_t)b->map.base;
        return HEDDLE_OK;
    }
    if (b->source->ids == HD_IDS_TEXT) {
        HD_TRY(hd_shared_labels_number(s->link, &b->map, &graph->ids, &graph->labels));
        graph->vertices = graph->ids.vertices;
        graph->id_type = HEDDLE_ID_STRING;
        s->numbers = graph->ids.numbers;
        return HEDDLE_OK;
    }
    sampled = hd_builder_largest_sampled(b);
    HD_TRY(s->link->reduce(s->link, HD_LINK_MAX, &sampled, 1));
    HD_TRY(hd_shared_ids_number(s->link, b->map.values, b->map.vertices, b->ids_unsigned, &graph->ids));
    s->numbers = graph->ids.numbers;
    return hd_agree(s->link, settle_ids(s, sampled));
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static heddle_status refuse(heddle_context *ctx, const char *what) {
    return hd_fail(ctx, HEDDLE_E_REFUSED, "several ranks: %s; use one process, without the launcher, instead", what);
}

static heddle_status check(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options) {
    if (source->ids == HD_IDS_TEXT && source->apart)
        return refuse(ctx, "labels are identified by their positions in a file that all ranks have");
    if (options->drop_isolated || source->drop_isolated)
        return refuse(ctx, "vertices without edges are dropped from a whole graph");
    if (!source->facts && source->complete)
        return refuse(ctx, "this input cannot be read in shares");
    return HEDDLE_OK;
}

static heddle_status compare(hd_link *link, const hd_edge_source *source, const heddle_build_options *options) {
    const uint64_t words[] = {source->apart ? 0 : source->parts,
                              source->apart ? 0 : source->work,
                              source->vertices,
                              (uint64_t)source->ids,
                              source->more_count,
                              source->weighted,
                              (uint64_t)options->symmetrize,
                              (uint64_t)options->drop_loops,
                              (uint64_t)options->duplicates,
                              (uint64_t)link->ctx->weight_type};
    return hd_agree_same(link, hd_hash_block(words, sizeof words),
                         "the ranks see different files, or were given different options");
}

static heddle_status build(hd_shared_builder *s, const hd_edge_source *whole) {
    hd_link *link = s->link;
    hd_builder *b = &s->b;
    HD_TRY(hd_agree(link, hd_builder_survey_share(b)));
    HD_TRY(tell_facts(link, whole));
    HD_TRY(join_surveys(link, b));
    HD_TRY(hd_agree(link, hd_builder_conclude(b)));
    HD_TRY(number_ids(s));
    hd_builder_weigh(b, s->graph->vertices);
    s->graph->weight_type = b->weight_type;
    s->graph->directed = !b->undirected;
    HD_TRY(hd_shared_rows(s));
    HD_TRY(link->reduce(link, HD_LINK_SUM, &b->unequal, 1));
    hd_builder_note_unequal(b);
    return HEDDLE_OK;
}

heddle_status hd_shared_build(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options) {
    share mine;
    hd_shared_builder s = {.b = {.ctx = ctx}, .link = hd_together(ctx), .graph = ctx->building};
    hd_edge_source own = share_of(source, s.link, &mine);
    HD_TRY(check(ctx, source, options));
    HD_TRY(hd_together_meet(ctx));
    HD_TRY(compare(s.link, source, options));
    hd_builder_take(&s.b, &own, options);
    heddle_status status = build(&s, source);
    hd_builder_release(&s.b);
    return status == HEDDLE_OK ? (heddle_status)HD_ELSEWHERE : status;
}

static heddle_status find_firsts(hd_link *link, hd_shared_graph *g) {
    HD_TRY(HD_NEW(link->ctx, &g->in.firsts, link->size + 1, "ranks"));
    g->in.firsts[link->size] = g->vertices;
    return hd_tell_all(link, g->first, g->in.firsts);
}

heddle_status hd_shared_turn(hd_link *link, hd_shared_graph *g) {
    hd_own_rows out = {.offsets = g->offsets, .targets = g->targets, .weights = g->weights};
    uint64_t all;
    if (!g->directed)
        return HEDDLE_OK;
    g->in_edges = true;
    g->in.own = g->own;
    HD_TRY(find_firsts(link, g));
    HD_TRY(hd_rank_rows_turn(link, &out, hd_weight_size(g->weight_type), &g->in));
    HD_TRY(hd_prefix(link, g->in.edges, &g->in_first, &all));
    for (uint64_t v = 0; v <= g->own; v++)
        g->in.offsets[v] += g->in_first;
    return HEDDLE_OK;
}

void hd_shared_graph_free(heddle_context *ctx, hd_shared_graph *graph) {
    const heddle_allocator *allocator = &ctx->allocator;
    hd_shared_ids_free(ctx->link, &graph->ids);
    hd_shared_labels_free(ctx->link, &graph->labels);
    hd_rank_rows_close(ctx->link, &graph->in);
    HD_DELETE(allocator, graph->offsets, graph->own + 1);
    HD_DELETE(allocator, graph->targets, graph->room);
    if (graph->weights)
        hd_free(allocator, graph->weights, graph->room * hd_weight_size(graph->weight_type));
    *graph = (hd_shared_graph){.vertices = 0};
}
