/* shared_ids.c - see shared_ids.h. */
#include "exchange/shared_ids.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "exchange/agree.h"
#include "exchange/swap.h"
#include "graph/ids.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64 }; /* of each rank */

typedef struct numbering {
    hd_link *link;
    const uint64_t *ids;
    uint64_t count, flip; /* ids order as id ^ flip */
    uint64_t *splits;     /* ranks - 1: the first id of each owner but the first, flipped */
    uint64_t *counts;     /* ids for each owner */
    hd_swapped asked;     /* by each rank */
    uint32_t *answers;
} numbering;

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* ---- Owners ----------------------------------------------------------------------------------------------------- */

/* Every rank's sample, evenly from its ids, goes to all; what all sort alike, all cut alike. */
static heddle_status find_splits(numbering *n) {
    hd_link *link = n->link;
    heddle_context *ctx = link->ctx;
    uint64_t taken = n->count < SAMPLES ? n->count : SAMPLES, room = taken * link->size, *out = NULL;
    hd_swapped all = {.total = 0};
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &out, room, "samples of ids"));
    for (uint64_t i = 0; i < room; i++)
        out[i] = n->ids[hd_split(n->count, taken, i % taken)] ^ n->flip;
    for (uint32_t p = 0; p < link->size; p++)
        n->counts[p] = taken;
    HD_CHECK(hd_swap(link, out, n->counts, sizeof *out, "samples of ids", &all));
    uint64_t *sorted = (uint64_t *)(void *)all.data;
    if (all.total)
        qsort(sorted, (size_t)all.total, sizeof *sorted, by_value);
    for (uint32_t p = 1; p < link->size; p++)
        n->splits[p - 1] = all.total ? sorted[all.total * p / link->size] : 0; /* also if ids are fewer than ranks */
out:
    HD_DELETE(&ctx->allocator, out, room);
    hd_swapped_free(link, &all);
    return status;
}

static void count_for_owners(numbering *n) {
    uint32_t owner = 0;
    memset(n->counts, 0, n->link->size * sizeof *n->counts);
    for (uint64_t i = 0; i < n->count; i++) {
        while (owner + 1 < n->link->size && (n->ids[i] ^ n->flip) >= n->splits[owner])
            owner++;
        n->counts[owner]++;
    }
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* The place of an id that is there, from `low` on. */
static uint64_t place_of(const numbering *n, const hd_shared_ids *shared, uint64_t low, uint64_t id) {
    uint64_t high = shared->own_count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *((shared->own[middle] ^ n->flip) <= (id ^ n->flip) ? &low : &high) = middle;
    }
    return low;
}

/* All requested ids, sorted and each once; an id's place there is the answer, up to the number of the first. */
static heddle_status number_own(numbering *n, hd_shared_ids *shared) {
    heddle_context *ctx = n->link->ctx;
    const uint64_t *asked = (const uint64_t *)(const void *)n->asked.data;
    shared->own_room = n->asked.total;
    HD_TRY(HD_NEW(ctx, &shared->own, shared->own_room, "ids of all ranks"));
    HD_TRY(HD_NEW(ctx, &n->answers, n->asked.total, "ids of all ranks"));
    if (!n->asked.total)
        return HEDDLE_OK;
    memcpy(shared->own, asked, n->asked.bytes);
    HD_TRY(hd_sort_ids(ctx, shared->own, n->asked.total, n->flip));
    for (uint64_t i = 0; i < n->asked.total; i++)
        if (i == 0 || shared->own[i] != shared->own[i - 1])
            shared->own[shared->own_count++] = shared->own[i];
    for (uint64_t p = 0, i = 0; p < n->link->size; p++)
        for (uint64_t end = i + n->asked.counts[p], low = 0; i < end; i++) { /* they ascend */
            low = place_of(n, shared, low, asked[i]);
            n->answers[i] = (uint32_t)low;
        }
    return hd_cancelled_status(ctx);
}

static heddle_status find_range(hd_link *link, hd_shared_ids *shared) {
    shared->lowest = UINT64_MAX;
    shared->highest = 0;
    for (uint64_t i = 0; i < shared->own_count; i++) {
        shared->lowest = shared->own[i] < shared->lowest ? shared->own[i] : shared->lowest;
        shared->highest = shared->own[i] > shared->highest ? shared->own[i] : shared->highest;
    }
    HD_TRY(link->reduce(link, HD_LINK_MIN, &shared->lowest, 1));
    return link->reduce(link, HD_LINK_MAX, &shared->highest, 1);
}

static heddle_status answer(numbering *n, hd_shared_ids *shared) {
    hd_link *link = n->link;
    hd_swapped answered;
    HD_TRY(hd_prefix(link, shared->own_count, &shared->own_first, &shared->vertices));
    if (shared->vertices > UINT32_MAX - 1) {
        link->ctx->agreed = true; /* all have the same number */
        return hd_fail(link->ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    }
    for (uint64_t i = 0; i < n->asked.total; i++)
        n->answers[i] += (uint32_t)shared->own_first;
    heddle_status status =
        hd_swap(link, n->answers, n->asked.counts, sizeof *n->answers, "ids of all ranks", &answered);
    if (status == HEDDLE_OK) { /* in the order of owners, so in that of the ids */
        shared->numbers = (uint32_t *)(void *)answered.data;
        shared->asked = answered.total;
        answered.data = NULL;
    }
    hd_swapped_free(link, &answered);
    return status;
}

heddle_status hd_shared_ids_number(hd_link *link, const uint64_t *ids, uint64_t count, bool is_unsigned,
                                   hd_shared_ids *shared) {
    heddle_context *ctx = link->ctx;
    numbering n = {.link = link, .ids = ids, .count = count, .flip = is_unsigned ? 0 : UINT64_C(1) << 63};
    heddle_status status;
    *shared = (hd_shared_ids){.vertices = 0};
    HD_CHECK(HD_NEW_ZERO(ctx, &n.splits, link->size, "ids of all ranks"));
    HD_CHECK(HD_NEW_ZERO(ctx, &n.counts, link->size, "ids of all ranks"));
    HD_CHECK(find_splits(&n));
    count_for_owners(&n);
    HD_CHECK(hd_swap(link, ids, n.counts, sizeof *ids, "ids of all ranks", &n.asked));
    HD_CHECK(hd_agree(link, number_own(&n, shared)));
    HD_CHECK(find_range(link, shared));
    status = answer(&n, shared);
out:
    HD_DELETE(&ctx->allocator, n.splits, link->size);
    HD_DELETE(&ctx->allocator, n.counts, link->size);
    HD_DELETE(&ctx->allocator, n.answers, n.asked.total);
    hd_swapped_free(link, &n.asked);
    return status;
}

void hd_shared_ids_free(hd_link *link, hd_shared_ids *shared) {
    HD_DELETE(&link->ctx->allocator, shared->own, shared->own_room);
    HD_DELETE(&link->ctx->allocator, shared->numbers, shared->asked);
    *shared = (hd_shared_ids){.vertices = 0};
}
