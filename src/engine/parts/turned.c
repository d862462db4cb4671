/* turned.c - see turned.h: a counting sort of the slice's edges by their other end. */
#include "engine/parts/turned.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

static void count_edges(heddle_context *ctx, const hd_slice *s, uint64_t *counts) {
    HD_PARALLEL_FOR(ctx, schedule(static) if (s->edges >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < s->edges; k++)
        hd_fetch_add(&counts[s->targets[k]], 1);
}

/* next[u]: where u's next edge goes. */
static void place_edges(heddle_context *ctx, const hd_slice *s, hd_turned *t, uint64_t *next) {
    const char *from = s->weights;
    char *to = t->weights;
    size_t size = t->weight_size;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) if (s->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < s->own; v++)
        for (uint64_t k = s->offsets[v]; k < s->offsets[v + 1] && !hd_cancelled(ctx); k++) {
            uint64_t at = hd_fetch_add(&next[s->targets[k]], 1);
            t->targets[at] = (uint32_t)v;
            if (to)
                memcpy(to + at * size, from + k * size, size);
        }
}

heddle_status hd_turned_make(heddle_context *ctx, const hd_slice *s, hd_turned *t) {
    uint64_t *next = NULL, n = s->own + s->remote;
    heddle_status status;
    if (t->offsets)
        return HEDDLE_OK;
    t->vertices = n;
    t->edges = s->edges;
    t->weight_size = s->weights ? s->weight_size : 0;
    HD_CHECK(HD_NEW(ctx, &next, n + 1, "rows by source"));
    HD_CHECK(HD_NEW_ZERO(ctx, &t->offsets, n + 1, "rows by source"));
    HD_CHECK(HD_NEW(ctx, &t->targets, t->edges, "rows by source"));
    if (s->weights)
        HD_CHECK(hd_new(ctx, &t->weights, t->edges, t->weight_size, false, "rows by source"));
    count_edges(ctx, s, t->offsets);
    hd_prefix_sum(ctx, t->offsets, n);
    memcpy(next, t->offsets, n * sizeof *next);
    place_edges(ctx, s, t, next);
    status = hd_cancelled_status(ctx);
out:
    HD_DELETE(&ctx->allocator, next, n + 1);
    if (status != HEDDLE_OK)
        hd_turned_free(ctx, t);
    return status;
}

void hd_turned_free(heddle_context *ctx, hd_turned *t) {
    HD_DELETE(&ctx->allocator, t->offsets, t->vertices + 1);
    HD_DELETE(&ctx->allocator, t->targets, t->edges);
    HD_DELETE(&ctx->allocator, t->heavy, t->vertices);
    if (t->weights)
        hd_free(&ctx->allocator, t->weights, t->edges * t->weight_size);
    *t = (hd_turned){.vertices = 0};
}
