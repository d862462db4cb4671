/* spread.c - see spread.h. */
#include "engine/spread.h"

#include "base/memory.h"

#include <stdlib.h>

void hd_spread_join(heddle_context *ctx, const heddle_result *result, hd_link_operation operation, uint64_t *numbers,
                    uint32_t count) {
    if (result->spread)
        (void)ctx->link->reduce(ctx->link, operation, numbers, count);
}

void hd_spread_join_real(heddle_context *ctx, const heddle_result *result, hd_link_operation operation, double *numbers,
                         uint32_t count) {
    if (result->spread)
        (void)ctx->link->reduce_real(ctx->link, operation, numbers, count);
}

/* ---- The most frequent vertex ----------------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t vertex, count;
} tally;

typedef struct tallies {
    uint64_t *firsts;            /* ranks + 1: first vertex of each */
    uint64_t *for_them, *for_me; /* tallies for each rank, and from each */
    uint32_t *sorted;            /* own values */
    tally *out, *in;
    uint64_t out_count, in_count, own;
    uint32_t *sizes; /* of own vertices */
    hd_message_way *ways;
} tallies;

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void free_tallies(heddle_context *ctx, tallies *t) {
    const heddle_allocator *allocator = &ctx->allocator;
    uint64_t ranks = ctx->link->size;
    HD_DELETE(allocator, t->firsts, ranks + 1);
    HD_DELETE(allocator, t->for_them, ranks);
    HD_DELETE(allocator, t->for_me, ranks);
    HD_DELETE(allocator, t->sorted, t->own);
    HD_DELETE(allocator, t->out, t->own);
    HD_DELETE(allocator, t->in, t->in_count);
    HD_DELETE(allocator, t->sizes, t->own);
    HD_DELETE(allocator, t->ways, 2 * ranks);
}

static heddle_status new_tallies(heddle_context *ctx, tallies *t) {
    uint64_t ranks = ctx->link->size;
    HD_TRY(HD_NEW_ZERO(ctx, &t->firsts, ranks + 1, "component sizes"));
    HD_TRY(HD_NEW_ZERO(ctx, &t->for_them, ranks, "component sizes"));
    HD_TRY(HD_NEW_ZERO(ctx, &t->for_me, ranks, "component sizes"));
    HD_TRY(HD_NEW_ZERO(ctx, &t->ways, 2 * ranks, "component sizes"));
    HD_TRY(HD_NEW(ctx, &t->sorted, t->own, "component sizes"));
    HD_TRY(HD_NEW(ctx, &t->out, t->own, "component sizes"));
    return HD_NEW_ZERO(ctx, &t->sizes, t->own, "component sizes");
}

/* Values of one vertex are neighbours after sorting; vertices of one rank are, too. */
static void count_own(tallies *t, const uint32_t *values) {
    uint32_t rank = 0;
    for (uint64_t v = 0; v < t->own; v++)
        t->sorted[v] = values[v];
    qsort(t->sorted, (size_t)t->own, sizeof *t->sorted, by_number);
    for (uint64_t v = 0; v < t->own; v++) {
        if (t->out_count && t->out[t->out_count - 1].vertex == t->sorted[v]) {
            t->out[t->out_count - 1].count++;
            continue;
        }
        t->out[t->out_count++] = (tally){t->sorted[v], 1};
        while (t->sorted[v] >= t->firsts[rank + 1])
            rank++;
        t->for_them[rank]++;
    }
}

static heddle_status send_tallies(hd_link *link, tallies *t) {
    uint64_t at = 0, to = 0;
    for (uint32_t p = 0; p < link->size; at += t->for_me[p++])
        if (p != link->rank && t->for_me[p])
            HD_TRY(link->receive(link, p, t->in + at, t->for_me[p] * sizeof *t->in, &t->ways[2 * p]));
    for (uint32_t p = 0; p < link->size; to += t->for_them[p++])
        if (p != link->rank && t->for_them[p])
            HD_TRY(link->send(link, p, t->out + to, t->for_them[p] * sizeof *t->out, &t->ways[2 * p + 1]));
    return HEDDLE_OK;
}

static uint64_t add_up(tallies *t, uint64_t first, const tally *list, uint64_t count) {
    uint64_t largest = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t own = list[i].vertex - first;
        if (own >= t->own)
            continue;
        t->sizes[own] += list[i].count;
        largest = t->sizes[own] > largest ? t->sizes[own] : largest;
    }
    return largest;
}

static heddle_status join_tallies(heddle_context *ctx, const heddle_result *result, tallies *t, uint64_t *largest) {
    hd_link *link = ctx->link;
    uint64_t *starts = t->firsts, ranks = link->size;
    for (uint64_t p = 0; p < ranks; p++)
        t->for_them[p] = result->first;
    HD_TRY(link->counts(link, t->for_them, starts));
    starts[ranks] = UINT64_MAX;
    for (uint64_t p = 0; p < ranks; p++)
        t->for_them[p] = 0;
    count_own(t, result->values);
    HD_TRY(link->counts(link, t->for_them, t->for_me));
    for (uint64_t p = 0; p < ranks; p++)
        t->in_count += p == link->rank ? 0 : t->for_me[p];
    t->for_me[link->rank] = 0;
    HD_TRY(HD_NEW(ctx, &t->in, t->in_count, "component sizes"));
    HD_TRY(hd_link_drain(link, send_tallies(link, t), t->ways, 2 * ranks));
    uint64_t own = add_up(t, result->first, t->out, t->out_count),
             others = add_up(t, result->first, t->in, t->in_count);
    *largest = own > others ? own : others;
    return link->reduce(link, HD_LINK_MAX, largest, 1);
}

heddle_status hd_spread_largest(heddle_context *ctx, const heddle_result *result, uint64_t *largest) {
    tallies t = {.own = result->count};
    heddle_status status = new_tallies(ctx, &t);
    if (status == HEDDLE_OK)
        status = join_tallies(ctx, result, &t, largest);
    free_tallies(ctx, &t);
    return status;
}
