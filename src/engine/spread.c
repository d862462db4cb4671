/* spread.c - see spread.h. */
#include "engine/spread.h"

#include "base/memory.h"
#include "exchange/swap.h"

#include <stdlib.h>
#include <string.h>

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
    uint64_t *firsts;     /* ranks + 1: first vertex of each */
    uint64_t *for_owners; /* tallies for each rank */
    uint32_t *sorted;     /* values of own vertices that are vertices of others */
    tally *out;
    uint32_t *sizes; /* of own vertices */
    uint64_t own;
    hd_swapped in;
} tallies;

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void free_tallies(hd_link *link, tallies *t) {
    const heddle_allocator *allocator = &link->ctx->allocator;
    HD_DELETE(allocator, t->firsts, link->size + 1);
    HD_DELETE(allocator, t->for_owners, link->size);
    HD_DELETE(allocator, t->sorted, t->own);
    HD_DELETE(allocator, t->out, t->own);
    HD_DELETE(allocator, t->sizes, t->own);
    hd_swapped_free(link, &t->in);
}

static heddle_status new_tallies(hd_link *link, tallies *t) {
    static const char what[] = "component sizes";
    HD_TRY(HD_NEW_ZERO(link->ctx, &t->firsts, link->size + 1, what));
    HD_TRY(HD_NEW_ZERO(link->ctx, &t->for_owners, link->size, what));
    HD_TRY(HD_NEW(link->ctx, &t->sorted, t->own, what));
    HD_TRY(HD_NEW(link->ctx, &t->out, t->own, what));
    return HD_NEW_ZERO(link->ctx, &t->sizes, t->own, what);
}

/* A value that more than half of those from elsewhere have, if there is one (Boyer and Moore's majority vote). */
static uint32_t majority(const tallies *t, const uint32_t *values, uint64_t first) {
    uint32_t best = UINT32_MAX;
    uint64_t votes = 0;
    for (uint64_t v = 0; v < t->own; v++) {
        if (values[v] - first < t->own)
            continue;
        if (!votes)
            best = values[v];
        votes = values[v] == best ? votes + 1 : votes - 1;
    }
    return best;
}

/* Own vertices are counted where they are. Of the others the most frequent one, the name of the giant, is counted
 * apart, so that few values are left to be sorted. */
static void count_own(tallies *t, const uint32_t *values, uint64_t first) {
    uint32_t rank = 0, common = majority(t, values, first), commons = 0;
    uint64_t count = 0, left = 0;
    for (uint64_t v = 0; v < t->own; v++) {
        if (values[v] - first < t->own)
            t->sizes[values[v] - first]++;
        else if (values[v] == common && commons++)
            continue; /* the first of them is sorted in */
        else
            t->sorted[left++] = values[v];
    }
    qsort(t->sorted, (size_t)left, sizeof *t->sorted, by_number);
    for (uint64_t i = 0; i < left; i++) {
        uint32_t value = t->sorted[i];
        if (count && t->out[count - 1].vertex == value) {
            t->out[count - 1].count++;
            continue;
        }
        t->out[count++] = (tally){value, value == common ? commons : 1};
        while (value >= t->firsts[rank + 1])
            rank++;
        t->for_owners[rank]++;
    }
}

static heddle_status join_tallies(hd_link *link, const heddle_result *result, tallies *t, uint64_t *largest) {
    for (uint32_t p = 0; p < link->size; p++)
        t->for_owners[p] = result->first;
    HD_TRY(link->counts(link, t->for_owners, t->firsts));
    t->firsts[link->size] = UINT64_MAX;
    memset(t->for_owners, 0, link->size * sizeof *t->for_owners);
    count_own(t, result->values, result->first);
    HD_TRY(hd_swap(link, t->out, t->for_owners, sizeof *t->out, "component sizes", &t->in));
    const tally *in = (const tally *)(const void *)t->in.data;
    for (uint64_t i = 0; i < t->in.total; i++)
        t->sizes[in[i].vertex - result->first] += in[i].count;
    *largest = 0;
    for (uint64_t v = 0; v < t->own; v++)
        *largest = t->sizes[v] > *largest ? t->sizes[v] : *largest;
    return link->reduce(link, HD_LINK_MAX, largest, 1);
}

heddle_status hd_spread_largest(heddle_context *ctx, const heddle_result *result, uint64_t *largest) {
    tallies t = {.own = result->count};
    heddle_status status = new_tallies(ctx->link, &t);
    if (status == HEDDLE_OK)
        status = join_tallies(ctx->link, result, &t, largest);
    free_tallies(ctx->link, &t);
    return status;
}
