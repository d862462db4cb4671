/* slice_transpose.c - see slice_transpose.h: the slice's edges sorted by their other end.
 *
 * Vertices are taken in chunks whose counters the cache holds. Threads write the edges of their rows into one stretch
 * for each chunk, one after the other; then each chunk is sorted by counting. So nothing is written at random over all
 * memory, and rows ascend.
 */
#include "engine/parts/slice_transpose.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { CHUNK = 1 << 16 /* vertices */ };

typedef struct edge {
    uint32_t source, target; /* of the transposed row: any vertex, and an own one */
} edge;

typedef struct sorting {
    heddle_context *ctx;
    const hd_slice *slice;
    hd_slice_transpose *t;
    uint64_t vertices, chunks;
    uint64_t shares;  /* of the rows, one for each thread */
    uint64_t *starts; /* chunks * shares + 1: where the edges of a chunk from a share of the rows begin */
    edge *edges;
    char *weights;    /* NULL: none */
    uint64_t *counts; /* room for CHUNK + 1 for each thread */
} sorting;

static inline void copy_weight(char *to, uint64_t at, const char *from, uint64_t k, size_t size) {
    if (size == sizeof(uint32_t))
        memcpy(to + at * sizeof(uint32_t), from + k * sizeof(uint32_t), sizeof(uint32_t));
    else
        memcpy(to + at * sizeof(uint64_t), from + k * sizeof(uint64_t), sizeof(uint64_t));
}

/* The first row of a share: shares have about the same edges. */
static uint64_t first_row(const sorting *o, uint64_t share) {
    const uint64_t *offsets = o->slice->offsets;
    uint64_t place = hd_split(o->slice->edges, o->shares, share), low = 0, high = o->slice->own;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        *(offsets[middle] < place ? &low : &high) = offsets[middle] < place ? middle + 1 : middle;
    }
    return share < o->shares ? low : o->slice->own;
}

static void count_share(sorting *o, uint64_t share) {
    const hd_slice *s = o->slice;
    uint64_t from = s->offsets[first_row(o, share)], to = s->offsets[first_row(o, share + 1)];
    for (uint64_t k = from; k < to; k++)
        o->starts[s->targets[k] / CHUNK * o->shares + share]++;
}

/* Moves `starts` on to where the next share's edges begin. */
static void move_share(sorting *o, uint64_t share) {
    const hd_slice *s = o->slice;
    uint64_t end = first_row(o, share + 1);
    for (uint64_t v = first_row(o, share); v < end && !hd_cancelled(o->ctx); v++)
        for (uint64_t k = s->offsets[v]; k < s->offsets[v + 1]; k++) {
            uint64_t at = o->starts[s->targets[k] / CHUNK * o->shares + share]++;
            o->edges[at] = (edge){s->targets[k], (uint32_t)v};
            if (o->weights)
                copy_weight(o->weights, at, s->weights, k, o->t->weight_size);
        }
}

/* Edges from .. to are those of the chunk. */
static void sort_chunk(sorting *o, uint64_t chunk, uint64_t from, uint64_t to) {
    uint64_t first = chunk * CHUNK, count = o->vertices - first < CHUNK ? o->vertices - first : CHUNK, sum = from;
    uint64_t *next = o->counts + (uint64_t)hd_thread() * (CHUNK + 1);
    hd_slice_transpose *t = o->t;
    memset(next, 0, count * sizeof *next);
    for (uint64_t k = from; k < to; k++)
        next[o->edges[k].source - first]++;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = next[i];
        t->offsets[first + i] = next[i] = sum;
        sum += length;
    }
    for (uint64_t k = from; k < to; k++) {
        uint64_t at = next[o->edges[k].source - first]++;
        t->targets[at] = o->edges[k].target;
        if (o->weights)
            copy_weight(t->weights, at, o->weights, k, t->weight_size);
    }
}

static heddle_status sort(sorting *o) {
    HD_PARALLEL_FOR(o->ctx, schedule(static, 1))
    for (uint64_t share = 0; share < o->shares; share++)
        count_share(o, share);
    hd_prefix_sum(o->ctx, o->starts, o->chunks * o->shares);
    HD_PARALLEL_FOR(o->ctx, schedule(static, 1))
    for (uint64_t share = 0; share < o->shares; share++)
        move_share(o, share);
    HD_TRY(hd_cancelled_status(o->ctx));
    HD_PARALLEL_FOR(o->ctx, schedule(dynamic, 1))
    for (uint64_t chunk = 0; chunk < o->chunks; chunk++) { /* where the last share of the chunk before has ended */
        uint64_t from = chunk ? o->starts[chunk * o->shares - 1] : 0;
        sort_chunk(o, chunk, from, o->starts[(chunk + 1) * o->shares - 1]);
    }
    o->t->offsets[o->vertices] = o->t->edges;
    return hd_cancelled_status(o->ctx);
}

static heddle_status allocate(sorting *o) {
    heddle_context *ctx = o->ctx;
    hd_slice_transpose *t = o->t;
    HD_TRY(HD_NEW(ctx, &t->offsets, o->vertices + 1, "rows by source"));
    HD_TRY(HD_NEW(ctx, &t->targets, t->edges, "rows by source"));
    HD_TRY(HD_NEW_ZERO(ctx, &o->starts, o->chunks * o->shares + 1, "rows by source"));
    HD_TRY(HD_NEW(ctx, &o->counts, (uint64_t)ctx->threads * (CHUNK + 1), "rows by source"));
    HD_TRY(HD_NEW(ctx, &o->edges, t->edges, "rows by source"));
    if (!t->weight_size)
        return HEDDLE_OK;
    HD_TRY(hd_new(ctx, &t->weights, t->edges, t->weight_size, false, "rows by source"));
    return hd_new(ctx, (void **)&o->weights, t->edges, t->weight_size, false, "rows by source");
}

heddle_status hd_slice_transpose_make(heddle_context *ctx, const hd_slice *s, hd_slice_transpose *t) {
    uint64_t n = s->own + s->remote;
    sorting o = {.ctx = ctx,
                 .slice = s,
                 .t = t,
                 .vertices = n,
                 .chunks = n / CHUNK + 1,
                 .shares = s->edges >= HD_WORTH_THREADS ? (uint64_t)ctx->threads : 1};
    if (t->offsets)
        return HEDDLE_OK;
    t->vertices = n;
    t->edges = s->edges;
    t->weight_size = s->weights ? s->weight_size : 0;
    heddle_status status = allocate(&o);
    if (status == HEDDLE_OK)
        status = sort(&o);
    HD_DELETE(&ctx->allocator, o.starts, o.chunks * o.shares + 1);
    HD_DELETE(&ctx->allocator, o.counts, (uint64_t)ctx->threads * (CHUNK + 1));
    HD_DELETE(&ctx->allocator, o.edges, t->edges);
    if (o.weights)
        hd_free(&ctx->allocator, o.weights, t->edges * t->weight_size);
    if (status != HEDDLE_OK)
        hd_slice_transpose_free(ctx, t);
    return status;
}

void hd_slice_transpose_free(heddle_context *ctx, hd_slice_transpose *t) {
    HD_DELETE(&ctx->allocator, t->offsets, t->vertices + 1);
    HD_DELETE(&ctx->allocator, t->targets, t->edges);
    HD_DELETE(&ctx->allocator, t->heavy, t->vertices);
    if (t->weights)
        hd_free(&ctx->allocator, t->weights, t->edges * t->weight_size);
    *t = (hd_slice_transpose){.vertices = 0};
}
