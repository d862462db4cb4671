/* shared_rows.c - see shared_rows.h. */
#include "exchange/shared_rows.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "exchange/agree.h"
#include "exchange/swap.h"
#include "graph/batch_arcs.h"

enum { MOST_RANGES_LOG = 14, BUCKET_LOG = 12 };

_Static_assert(1 << BUCKET_LOG <= HD_BUCKET_VERTICES, "a bucket's vertices have local numbers");

/* The arcs of a share, grouped by the rank that owns their row, in input order within a group. */
typedef struct outgoing {
    uint64_t ranges;      /* of vertices: range = vertex >> the builder's shift */
    uint32_t *counts;     /* share's parts x ranges: arcs */
    uint64_t *sums;       /* arcs of each range, of all ranks */
    uint32_t *owner_of;   /* range -> rank */
    uint64_t *firsts;     /* ranks + 1: the first vertex of each */
    uint64_t *for_owners; /* ranks: arcs */
    hd_run_of_arcs *runs; /* share's parts x ranks: where their arcs go */
    uint32_t *from, *to;
    void *weights;
    unsigned char *tags; /* symmetrising: 1 for an arc that is added; else NULL */
    uint64_t arcs, tag_count;
} outgoing;

/* The same at their owner, in the order of the whole input. */
typedef struct incoming {
    hd_swapped from, to, weights, tags;
} incoming;

bool hd_shared_numbers(const hd_shared_builder *s, const uint64_t *raw, uint32_t *vertices, size_t count) {
    if (!hd_id_map_apply(&s->b.map, raw, vertices, count))
        return false;
    for (size_t i = 0; s->numbers && i < count; i++)
        vertices[i] = s->numbers[vertices[i]];
    return true;
}

/* ---- Who gets which vertices ------------------------------------------------------------------------------------ */

static bool count_arcs(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    const hd_shared_builder *s = (const hd_shared_builder *)b;
    const outgoing *o = s->pass;
    uint32_t from[HD_BATCH], to[HD_BATCH], *counts = o->counts + part * o->ranges;
    b->parts[part].changed = !hd_shared_numbers(s, batch->source, from, batch->count) ||
                             !hd_shared_numbers(s, batch->target, to, batch->count);
    if (b->parts[part].changed)
        return false;
    for (size_t i = 0; i < batch->count; i++) {
        counts[from[i] >> b->shift]++;
        if (b->both && from[i] != to[i])
            counts[to[i] >> b->shift]++;
    }
    return true;
}

static heddle_status count_share(hd_shared_builder *s, outgoing *o) {
    hd_builder *b = &s->b;
    uint64_t parts = b->source->parts;
    for (b->shift = 0; s->graph->vertices >> b->shift >= 1 << MOST_RANGES_LOG;)
        b->shift++;
    o->ranges = (s->graph->vertices >> b->shift) + 1;
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->counts, parts * o->ranges, "counting arcs"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->sums, o->ranges, "counting arcs"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->owner_of, o->ranges, "counting arcs"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->firsts, s->link->size + 1, "counting arcs"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->for_owners, s->link->size, "counting arcs"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &o->runs, parts * s->link->size, "counting arcs"));
    HD_TRY(hd_builder_walk(b, "count", count_arcs));
    for (uint64_t k = 0; k < parts * o->ranges; k++)
        o->sums[k % o->ranges] += o->counts[k];
    return HEDDLE_OK;
}

/* Whole ranges, with about as many vertices and arcs together for each rank. */
static void cut(const hd_shared_builder *s, outgoing *o) {
    uint64_t n = s->graph->vertices, ranks = s->link->size, before = 0, all = n;
    uint32_t rank = 0;
    for (uint64_t range = 0; range < o->ranges; range++)
        all += o->sums[range];
    for (uint64_t range = 0; range < o->ranges; range++) {
        uint64_t first = range << s->b.shift, end = (range + 1) << s->b.shift;
        while (rank + 1 < ranks && before >= hd_split(all, ranks, rank + 1))
            o->firsts[++rank] = first < n ? first : n;
        o->owner_of[range] = rank;
        before += o->sums[range] + ((end < n ? end : n) - (first < n ? first : n));
    }
    while (rank < ranks)
        o->firsts[++rank] = n;
}

/* Groups by owner, in a group the parts in order. */
static void lay_runs(const hd_shared_builder *s, outgoing *o) {
    uint64_t parts = s->b.source->parts, ranks = s->link->size;
    for (uint64_t part = 0; part < parts; part++)
        for (uint64_t range = 0; range < o->ranges; range++)
            o->runs[part * ranks + o->owner_of[range]].end += o->counts[part * o->ranges + range];
    for (uint64_t rank = 0; rank < ranks; rank++) {
        uint64_t start = o->arcs;
        for (uint64_t part = 0; part < parts; part++) {
            hd_run_of_arcs *run = &o->runs[part * ranks + rank];
            run->next = o->arcs;
            run->end = o->arcs += run->end;
        }
        o->for_owners[rank] = o->arcs - start;
    }
}

/* ---- Sending ---------------------------------------------------------------------------------------------------- */

static HD_ALWAYS_INLINE bool put_arc(const hd_builder *b, void *state, uint64_t range, uint32_t from, uint32_t to,
                                     uint64_t weight, uint32_t tag, const size_t size) {
    const outgoing *o = ((const hd_shared_builder *)b)->pass;
    hd_run_of_arcs *run = (hd_run_of_arcs *)state + o->owner_of[range];
    if (run->next == run->end)
        return false;
    uint64_t at = run->next++;
    o->from[at] = from;
    o->to[at] = to;
    if (size == 4)
        ((uint32_t *)o->weights)[at] = (uint32_t)weight;
    if (size == 8)
        ((uint64_t *)o->weights)[at] = weight;
    if (o->tags)
        o->tags[at] = tag != 0;
    return true;
}

static bool put_batch(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    const hd_shared_builder *s = (const hd_shared_builder *)b;
    uint32_t from[HD_BATCH], to[HD_BATCH];
    hd_run_of_arcs *runs = ((const outgoing *)s->pass)->runs + part * s->link->size;
    bool same = hd_shared_numbers(s, batch->source, from, batch->count) &&
                hd_shared_numbers(s, batch->target, to, batch->count);
    switch (same ? b->rules.weight_size : SIZE_MAX) {
    case 0: same = hd_place_edges(b, batch, from, to, 0, put_arc, runs); break;
    case 4: same = hd_place_edges(b, batch, from, to, 4, put_arc, runs); break;
    case 8: same = hd_place_edges(b, batch, from, to, 8, put_arc, runs); break;
    default: break;
    }
    b->parts[part].changed |= !same;
    return same;
}

static heddle_status fill(hd_shared_builder *s, outgoing *o) {
    hd_builder *b = &s->b;
    size_t size = b->rules.weight_size;
    o->tag_count = b->rules.symmetrize ? o->arcs : 0;
    HD_TRY(HD_NEW(b->ctx, &o->from, o->arcs, "edges for all ranks"));
    HD_TRY(HD_NEW(b->ctx, &o->to, o->arcs, "edges for all ranks"));
    if (size)
        HD_TRY(hd_new(b->ctx, &o->weights, o->arcs, size, false, "edges for all ranks"));
    if (b->rules.symmetrize)
        HD_TRY(HD_NEW(b->ctx, &o->tags, o->tag_count, "edges for all ranks"));
    HD_TRY(hd_builder_walk(b, "build", put_batch));
    for (uint64_t k = 0; k < b->source->parts * s->link->size; k++)
        if (o->runs[k].next != o->runs[k].end)
            return hd_builder_fail_changed(b);
    return HEDDLE_OK;
}

static void free_arcs(const hd_shared_builder *s, outgoing *o) {
    const heddle_allocator *allocator = &s->b.ctx->allocator;
    HD_DELETE(allocator, o->from, o->arcs);
    HD_DELETE(allocator, o->to, o->arcs);
    HD_DELETE(allocator, o->tags, o->tag_count);
    if (o->weights)
        hd_free(allocator, o->weights, o->arcs * s->b.rules.weight_size);
    o->weights = NULL;
}

static void free_outgoing(const hd_shared_builder *s, outgoing *o) {
    const heddle_allocator *allocator = &s->b.ctx->allocator;
    uint64_t parts = s->b.source->parts, ranks = s->link->size;
    free_arcs(s, o);
    HD_DELETE(allocator, o->counts, parts * o->ranges);
    HD_DELETE(allocator, o->sums, o->ranges);
    HD_DELETE(allocator, o->owner_of, o->ranges);
    HD_DELETE(allocator, o->firsts, ranks + 1);
    HD_DELETE(allocator, o->for_owners, ranks);
    HD_DELETE(allocator, o->runs, parts * ranks);
}

/* One kind of array after the other. */
static heddle_status send(hd_shared_builder *s, outgoing *o, incoming *in) {
    static const char what[] = "edges of a rank";
    HD_TRY(hd_swap(s->link, o->from, o->for_owners, sizeof *o->from, what, &in->from));
    HD_TRY(hd_swap(s->link, o->to, o->for_owners, sizeof *o->to, what, &in->to));
    if (s->b.rules.weight_size)
        HD_TRY(hd_swap(s->link, o->weights, o->for_owners, s->b.rules.weight_size, what, &in->weights));
    if (s->b.rules.symmetrize)
        HD_TRY(hd_swap(s->link, o->tags, o->for_owners, sizeof *o->tags, what, &in->tags));
    return HEDDLE_OK;
}

static void free_incoming(const hd_shared_builder *s, incoming *in) {
    hd_swapped_free(s->link, &in->from);
    hd_swapped_free(s->link, &in->to);
    hd_swapped_free(s->link, &in->weights);
    hd_swapped_free(s->link, &in->tags);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

typedef struct sorting {
    uint64_t *starts; /* buckets + 1: their arcs */
    uint64_t buckets, arcs;
    uint64_t *kept;
    uint16_t *local;
} sorting;

static heddle_status new_sorting(hd_shared_builder *s, const incoming *in, sorting *t) {
    heddle_context *ctx = s->b.ctx;
    hd_shared_graph *graph = s->graph;
    t->buckets = (graph->own >> BUCKET_LOG) + 1;
    t->arcs = graph->room = in->from.total;
    HD_TRY(HD_NEW_ZERO(ctx, &t->starts, t->buckets + 1, "sorting rows"));
    HD_TRY(HD_NEW_ZERO(ctx, &t->kept, t->buckets, "sorting rows"));
    HD_TRY(HD_NEW(ctx, &t->local, t->arcs, "sorting rows"));
    HD_TRY(HD_NEW_ZERO(ctx, &graph->offsets, graph->own + 1, "row offsets"));
    HD_TRY(HD_NEW(ctx, &graph->targets, graph->room, "edge targets"));
    if (s->b.rules.weight_size)
        HD_TRY(hd_new(ctx, &graph->weights, graph->room, s->b.rules.weight_size, false, "edge weights"));
    return HEDDLE_OK;
}

static void free_sorting(const hd_shared_builder *s, sorting *t) {
    const heddle_allocator *allocator = &s->b.ctx->allocator;
    HD_DELETE(allocator, t->starts, t->buckets + 1);
    HD_DELETE(allocator, t->kept, t->buckets);
    HD_DELETE(allocator, t->local, t->arcs);
}

/* Into buckets of consecutive vertices, in input order. */
static void to_buckets(const hd_shared_builder *s, const incoming *in, sorting *t) {
    const uint32_t *from = (const uint32_t *)(const void *)in->from.data;
    const uint32_t *to = (const uint32_t *)(const void *)in->to.data;
    hd_shared_graph *graph = s->graph;
    size_t size = s->b.rules.weight_size;
    for (uint64_t k = 0; k < t->arcs; k++)
        t->starts[((from[k] - graph->first) >> BUCKET_LOG) + 1]++;
    for (uint64_t i = 0; i < t->buckets; i++)
        t->starts[i + 1] += t->starts[i];
    for (uint64_t k = 0; k < t->arcs; k++) { /* starts become ends, which are the next ones' starts */
        uint64_t row = from[k] - graph->first, at = t->starts[row >> BUCKET_LOG]++;
        uint32_t local = (uint32_t)(row & ((1 << BUCKET_LOG) - 1));
        t->local[at] = (uint16_t)(local | (in->tags.data && in->tags.data[k] ? HD_BUCKET_REVERSE : 0));
        graph->targets[at] = to[k];
        if (size)
            memcpy((char *)graph->weights + at * size, in->weights.data + k * size, size);
    }
    for (uint64_t i = t->buckets; i; i--)
        t->starts[i] = t->starts[i - 1];
    t->starts[0] = 0;
}

static heddle_status finish_buckets(hd_shared_builder *s, sorting *t) {
    heddle_context *ctx = s->b.ctx;
    hd_shared_graph *graph = s->graph;
    size_t size = s->b.rules.weight_size;
    heddle_status worst = HEDDLE_OK;
    HD_PARALLEL(ctx) {
        hd_bucket_scratch scratch = {.capacity = 0};
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t i = 0; i < t->buckets; i++) {
            uint64_t row = i << BUCKET_LOG, at = t->starts[i], rest = graph->own - row;
            hd_arcs arcs = {t->local + at, graph->targets + at, size ? (char *)graph->weights + at * size : NULL};
            if (hd_cancelled(ctx))
                continue;
            heddle_status status = hd_bucket_finish(&ctx->allocator, &s->b.rules, arcs, t->starts[i + 1] - at,
                                                    (uint32_t)(graph->first + row),
                                                    (uint32_t)(rest < 1 << BUCKET_LOG ? rest : 1 << BUCKET_LOG),
                                                    &scratch, graph->offsets + row, &t->kept[i]);
            if (status != HEDDLE_OK)
                hd_store(&worst, status);
        }
        hd_bucket_scratch_free(&ctx->allocator, &scratch);
    }
    HD_TRY(hd_cancelled_status(ctx));
    return hd_builder_finished(&s->b, worst, t->arcs);
}

/* Closes the gaps that dropped arcs leave. */
static void close_gaps(hd_shared_builder *s, const sorting *t) {
    hd_shared_graph *graph = s->graph;
    size_t size = s->b.rules.weight_size;
    for (uint64_t i = 0; i < t->buckets; i++) {
        uint64_t at = t->starts[i], out = graph->own_edges;
        if (at != out && t->kept[i]) {
            memmove(graph->targets + out, graph->targets + at, t->kept[i] * sizeof *graph->targets);
            if (size)
                memmove((char *)graph->weights + out * size, (char *)graph->weights + at * size, t->kept[i] * size);
        }
        graph->own_edges += t->kept[i];
    }
}

static heddle_status sort(hd_shared_builder *s, const incoming *in, sorting *t) {
    HD_TRY(new_sorting(s, in, t));
    to_buckets(s, in, t);
    HD_TRY(finish_buckets(s, t));
    close_gaps(s, t);
    return HEDDLE_OK;
}

static heddle_status make_rows(hd_shared_builder *s, outgoing *o, incoming *in, sorting *t) {
    hd_link *link = s->link;
    hd_shared_graph *graph = s->graph;
    HD_TRY(hd_agree(link, count_share(s, o)));
    HD_TRY(hd_sum_arrays(link, o->sums, o->ranges));
    cut(s, o);
    lay_runs(s, o);
    graph->first = o->firsts[link->rank];
    graph->own = o->firsts[link->rank + 1] - graph->first;
    HD_TRY(hd_agree(link, fill(s, o)));
    HD_TRY(send(s, o, in));
    free_arcs(s, o);
    HD_TRY(hd_agree(link, sort(s, in, t)));
    HD_TRY(hd_prefix(link, graph->own_edges, &graph->first_edge, &graph->edges));
    uint64_t at = graph->first_edge;
    for (uint64_t v = 0; v <= graph->own; v++) {
        uint64_t length = v < graph->own ? graph->offsets[v] : 0;
        graph->offsets[v] = at;
        at += length;
    }
    return HEDDLE_OK;
}

heddle_status hd_shared_rows(hd_shared_builder *s) {
    outgoing o = {.ranges = 0};
    incoming in = {.from = {.total = 0}};
    sorting t = {.arcs = 0};
    s->pass = &o;
    heddle_status status = make_rows(s, &o, &in, &t);
    free_outgoing(s, &o);
    free_incoming(s, &in);
    free_sorting(s, &t);
    s->pass = NULL;
    return status;
}
