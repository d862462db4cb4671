/* rank_rows.c - see rank_rows.h. */
#include "exchange/rank_rows.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* Edges on their way to the owners of their targets: for each rank all targets, then all sources, then all weights. */
typedef struct parcel {
    uint64_t *counts, *places; /* edges for, or from, each rank; bytes before its own */
    char *bytes;
    uint64_t total; /* bytes */
} parcel;

typedef struct turning {
    hd_link *link;
    const hd_own_rows *rows_out;
    hd_rank_rows *rows;
    size_t weight_size, each; /* bytes of a weight, of an edge */
    parcel out, in;
} turning;

static uint32_t owner_of(const uint64_t *firsts, uint32_t ranks, uint64_t v) {
    uint32_t low = 0, high = ranks;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(firsts[middle] <= v ? &low : &high) = middle;
    }
    return low;
}

static void free_parcel(turning *t, parcel *p) {
    const heddle_allocator *allocator = &t->link->ctx->allocator;
    HD_DELETE(allocator, p->counts, t->link->size);
    HD_DELETE(allocator, p->places, t->link->size + 1);
    HD_DELETE(allocator, p->bytes, p->total);
}

static heddle_status new_parcel(turning *t, parcel *p) {
    HD_TRY(HD_NEW_ZERO(t->link->ctx, &p->counts, t->link->size, "edges for other ranks"));
    return HD_NEW_ZERO(t->link->ctx, &p->places, t->link->size + 1, "edges for other ranks");
}

static heddle_status room_for(turning *t, parcel *p) {
    for (uint32_t r = 0; r < t->link->size; r++)
        p->places[r + 1] = p->places[r] + p->counts[r] * t->each;
    p->total = p->places[t->link->size];
    return HD_NEW(t->link->ctx, &p->bytes, p->total, "edges for other ranks");
}

/* Rows ascend, so the owner changes rarely within one. */
static heddle_status count_targets(turning *t) {
    const uint64_t *firsts = t->rows->firsts, *offsets = t->rows_out->offsets;
    uint64_t from = offsets[0], to = offsets[t->rows->own];
    uint32_t owner = 0;
    for (uint64_t k = from; k < to; k++) {
        uint64_t v = t->rows_out->targets[k - from];
        if (k % 65536 == 0 && hd_advance(t->link->ctx, 0))
            return hd_cancelled_status(t->link->ctx);
        if (v < firsts[owner] || v >= firsts[owner + 1])
            owner = owner_of(firsts, t->link->size, v);
        t->out.counts[owner]++;
    }
    return HEDDLE_OK;
}

/* Edge k of own rows. */
static void put_edge(const turning *t, uint32_t owner, uint64_t at, uint64_t source, uint64_t k) {
    char *base = t->out.bytes + t->out.places[owner];
    uint64_t count = t->out.counts[owner];
    uint32_t target = t->rows_out->targets[k], from = (uint32_t)source;
    memcpy(base + at * 4, &target, 4);
    memcpy(base + (count + at) * 4, &from, 4);
    if (t->weight_size)
        memcpy(base + count * 8 + at * t->weight_size, (const char *)t->rows_out->weights + k * t->weight_size,
               t->weight_size);
}

static heddle_status pack(turning *t) {
    heddle_context *ctx = t->link->ctx;
    const uint64_t *firsts = t->rows->firsts, *offsets = t->rows_out->offsets;
    uint64_t *used, first = firsts[t->link->rank];
    uint32_t owner = 0;
    HD_TRY(HD_NEW_ZERO(ctx, &used, t->link->size, "edges for other ranks"));
    for (uint64_t v = 0; v < t->rows->own && !hd_cancelled(ctx); v++)
        for (uint64_t k = offsets[v] - offsets[0]; k < offsets[v + 1] - offsets[0]; k++) {
            uint64_t target = t->rows_out->targets[k];
            if (target < firsts[owner] || target >= firsts[owner + 1])
                owner = owner_of(firsts, t->link->size, target);
            put_edge(t, owner, used[owner]++, first + v, k);
        }
    HD_DELETE(&ctx->allocator, used, t->link->size);
    return hd_cancelled_status(ctx);
}

/* Ranks that wait for each other's messages must all have posted their own first. */
static heddle_status exchange(turning *t, hd_message_way *ways) {
    hd_link *link = t->link;
    for (uint32_t p = 0; p < link->size; p++)
        if (p != link->rank && t->in.counts[p])
            HD_TRY(link->receive(link, p, t->in.bytes + t->in.places[p], t->in.counts[p] * t->each, &ways[2 * p]));
    for (uint32_t p = 0; p < link->size; p++)
        if (p != link->rank && t->out.counts[p])
            HD_TRY(link->send(link, p, t->out.bytes + t->out.places[p], t->out.counts[p] * t->each, &ways[2 * p + 1]));
    if (t->in.counts[link->rank])
        memcpy(t->in.bytes + t->in.places[link->rank], t->out.bytes + t->out.places[link->rank],
               t->in.counts[link->rank] * t->each);
    for (uint32_t i = 0; i < 2 * link->size; i += 2)
        HD_TRY(link->wait(link, &ways[i]));
    for (uint32_t i = 1; i < 2 * link->size; i += 2)
        HD_TRY(link->wait(link, &ways[i]));
    return HEDDLE_OK;
}

static uint32_t number_at(const char *bytes, uint64_t i) {
    uint32_t number;
    memcpy(&number, bytes + i * 4, 4);
    return number;
}

/* Counting sort by target. Senders come in the order of ranks, and each sends in the order of its vertices: rows
 * ascend. */
static heddle_status arrange(turning *t) {
    heddle_context *ctx = t->link->ctx;
    hd_rank_rows *rows = t->rows;
    uint64_t first = rows->firsts[t->link->rank];
    rows->edges = t->in.total / t->each;
    HD_TRY(HD_NEW_ZERO(ctx, &rows->offsets, rows->own + 2, "in-edges of a rank"));
    HD_TRY(HD_NEW(ctx, &rows->targets, rows->edges, "in-edges of a rank"));
    if (t->weight_size)
        HD_TRY(hd_new(ctx, &rows->weights, rows->edges, t->weight_size, false, "in-edges of a rank"));
    for (uint32_t p = 0; p < t->link->size; p++)
        for (uint64_t i = 0; i < t->in.counts[p]; i++)
            rows->offsets[number_at(t->in.bytes + t->in.places[p], i) - first + 2]++;
    for (uint64_t v = 0; v < rows->own; v++) /* offsets[v + 1]: where the row of v begins, and then ends */
        rows->offsets[v + 2] += rows->offsets[v + 1];
    for (uint32_t p = 0; p < t->link->size && !hd_cancelled(ctx); p++) {
        const char *base = t->in.bytes + t->in.places[p];
        uint64_t count = t->in.counts[p];
        for (uint64_t i = 0; i < count; i++) {
            uint64_t at = rows->offsets[number_at(base, i) - first + 1]++;
            rows->targets[at] = number_at(base, count + i);
            if (t->weight_size)
                memcpy((char *)rows->weights + at * t->weight_size, base + count * 8 + i * t->weight_size,
                       t->weight_size);
        }
    }
    return hd_cancelled_status(ctx);
}

heddle_status hd_rank_rows_turn(hd_link *link, const hd_own_rows *out, size_t weight_size, hd_rank_rows *rows) {
    turning t = {.link = link, .rows_out = out, .rows = rows, .weight_size = weight_size, .each = 8 + weight_size};
    hd_message_way *ways = NULL;
    heddle_status status;
    rows->weight_size = t.weight_size;
    HD_CHECK(new_parcel(&t, &t.out));
    HD_CHECK(new_parcel(&t, &t.in));
    HD_CHECK(HD_NEW_ZERO(link->ctx, &ways, 2 * (uint64_t)link->size, "messages between ranks"));
    HD_CHECK(count_targets(&t));
    HD_CHECK(room_for(&t, &t.out));
    HD_CHECK(pack(&t));
    HD_CHECK(link->counts(link, t.out.counts, t.in.counts));
    HD_CHECK(room_for(&t, &t.in));
    HD_CHECK(exchange(&t, ways));
    HD_CHECK(arrange(&t));
    rows->in = (hd_slice_rows){rows->offsets, rows->targets, rows->weights};
out:
    status = hd_link_drain(link, status, ways, ways ? 2 * (uint64_t)link->size : 0);
    HD_DELETE(&link->ctx->allocator, ways, 2 * (uint64_t)link->size);
    free_parcel(&t, &t.out);
    free_parcel(&t, &t.in);
    return status;
}

static heddle_status turn(hd_link *link, const heddle_graph *graph, size_t size, hd_rank_rows *rows) {
    const uint64_t *offsets = graph->out.offsets + rows->firsts[link->rank];
    hd_own_rows own = {.offsets = offsets, .targets = graph->out.targets + offsets[0]};
    own.weights = size ? (const char *)graph->out.weights + offsets[0] * size : NULL;
    return hd_rank_rows_turn(link, &own, size, rows);
}

static heddle_status fill_degrees(hd_link *link, const uint64_t *offsets, uint64_t own, uint32_t **degrees) {
    HD_TRY(HD_NEW(link->ctx, degrees, own, "degrees"));
    HD_PARALLEL_FOR(link->ctx, schedule(static) if (own >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < own; v++)
        (*degrees)[v] = (uint32_t)(offsets[v + 1] - offsets[v]);
    return HEDDLE_OK;
}

/* The offsets by which rows are cut, as far as the file has them. */
typedef struct cutting {
    const hd_csr *in;
    const uint64_t *first, *second;
} cutting;

static cutting cutting_of(const heddle_graph *graph, hd_rows_wanted wanted) {
    bool instead = wanted == HD_ROWS_EITHER && !graph->in.offsets;
    const hd_csr *in = graph->directed && !instead ? &graph->in : &graph->out;
    return (cutting){.in = in,
                     .first = in->offsets ? in->offsets : graph->out.offsets,
                     .second = hd_rows_both(wanted, graph) && in->offsets ? graph->out.offsets : NULL};
}

void hd_rank_rows_cut_again(const heddle_graph *graph, hd_rows_wanted wanted, uint32_t ranks, const uint64_t *firsts,
                            const double *seconds, uint64_t *again) {
    const cutting c = cutting_of(graph, wanted);
    hd_slice_cut_again(c.first, c.second, graph->vertices, ranks, firsts, seconds, again);
}

heddle_status hd_rank_rows_open(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weights,
                                const uint64_t *firsts, hd_rank_rows *rows) {
    const cutting c = cutting_of(graph, wanted);
    const hd_csr *in = c.in;
    bool weighted = weights && graph->weight_type != HEDDLE_WEIGHT_NONE;
    *rows = (hd_rank_rows){.own = 0};
    HD_TRY(HD_NEW(link->ctx, &rows->firsts, link->size + 1, "ranks"));
    if (firsts)
        memcpy(rows->firsts, firsts, (link->size + 1) * sizeof *firsts);
    else
        hd_slice_cut(c.first, c.second, graph->vertices, link->size, NULL, rows->firsts);
    uint64_t first = rows->firsts[link->rank];
    rows->own = rows->firsts[link->rank + 1] - first;
    const uint64_t *out = graph->out.offsets + first;
    HD_TRY(fill_degrees(link, out, rows->own, &rows->degrees));
    if (in->offsets)
        rows->in = (hd_slice_rows){in->offsets + first, in->targets, weighted ? in->weights : NULL};
    else
        HD_TRY(turn(link, graph, weighted ? hd_weight_size(graph->weight_type) : 0, rows));
    if (!hd_rows_both(wanted, graph))
        return HEDDLE_OK;
    rows->second = (hd_slice_rows){out, graph->out.targets, weighted ? graph->out.weights : NULL};
    return fill_degrees(link, rows->in.offsets, rows->own, &rows->in_degrees);
}

void hd_rank_rows_sliced(hd_link *link, hd_rank_rows *rows) {
    HD_DELETE(&link->ctx->allocator, rows->offsets, rows->own + 2);
    HD_DELETE(&link->ctx->allocator, rows->targets, rows->edges);
    rows->in = rows->second = (hd_slice_rows){.offsets = NULL};
}

void hd_rank_rows_close(hd_link *link, hd_rank_rows *rows) {
    const heddle_allocator *allocator = &link->ctx->allocator;
    hd_rank_rows_sliced(link, rows);
    HD_DELETE(allocator, rows->firsts, link->size + 1);
    HD_DELETE(allocator, rows->degrees, rows->own);
    HD_DELETE(allocator, rows->in_degrees, rows->own);
    if (rows->weights)
        hd_free(allocator, rows->weights, rows->edges * rows->weight_size);
    *rows = (hd_rank_rows){.own = 0};
}
