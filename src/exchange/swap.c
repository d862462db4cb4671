/* swap.c - see swap.h. */
#include "exchange/swap.h"

#include "base/memory.h"
#include "exchange/agree.h"

#include <string.h>

/* Parts that wait for each other's messages must all have posted their own first. */
static heddle_status post(hd_link *link, const char *out, const uint64_t *counts, size_t each, hd_swapped *in,
                          hd_message_way *ways) {
    uint64_t from = 0, to = 0;
    for (uint32_t p = 0; p < link->size; to += in->counts[p++])
        if (p != link->rank && in->counts[p])
            HD_TRY(link->receive(link, p, in->data + to * each, in->counts[p] * each, &ways[2 * p]));
    to = 0;
    for (uint32_t p = 0; p < link->size; to += in->counts[p], from += counts[p++]) {
        if (p == link->rank && counts[p])
            memcpy(in->data + to * each, out + from * each, counts[p] * each);
        else if (counts[p])
            HD_TRY(link->send(link, p, out + from * each, counts[p] * each, &ways[2 * p + 1]));
    }
    return HEDDLE_OK;
}

heddle_status hd_swap(hd_link *link, const void *out, const uint64_t *counts, size_t each, const char *what,
                      hd_swapped *in) {
    heddle_context *ctx = link->ctx;
    uint64_t ways_count = 2 * (uint64_t)link->size;
    hd_message_way *ways = NULL;
    heddle_status status;
    *in = (hd_swapped){.total = 0};
    HD_CHECK(HD_NEW_ZERO(ctx, &ways, ways_count, what));
    HD_CHECK(HD_NEW_ZERO(ctx, &in->counts, link->size, what));
    HD_CHECK(link->counts(link, counts, in->counts));
    for (uint32_t p = 0; p < link->size; p++)
        in->total += in->counts[p];
    in->bytes = in->total * each;
    HD_CHECK(hd_new(ctx, (void **)&in->data, in->total, each, false, what));
    HD_CHECK(post(link, out, counts, each, in, ways));
out:
    status = hd_link_drain(link, status, ways, ways ? ways_count : 0);
    HD_DELETE(&ctx->allocator, ways, ways_count);
    return status;
}

void hd_swapped_free(hd_link *link, hd_swapped *in) {
    HD_DELETE(&link->ctx->allocator, in->data, in->bytes);
    HD_DELETE(&link->ctx->allocator, in->counts, link->size);
    *in = (hd_swapped){.total = 0};
}

/* Rank 0 adds. */
heddle_status hd_sum_arrays(hd_link *link, uint64_t *numbers, uint64_t count) {
    heddle_context *ctx = link->ctx;
    uint64_t *other = NULL;
    hd_message_way way = {.open = false};
    heddle_status status;
    if (link->size == 1)
        return HEDDLE_OK;
    HD_CHECK(HD_NEW(ctx, &other, count, "sums of all ranks"));
    for (uint32_t p = 1; p < link->size && !link->rank; p++) {
        HD_CHECK(link->receive(link, p, other, count * sizeof *other, &way));
        HD_CHECK(link->wait(link, &way));
        for (uint64_t i = 0; i < count; i++)
            numbers[i] += other[i];
    }
    if (link->rank) {
        HD_CHECK(link->send(link, 0, numbers, count * sizeof *numbers, &way));
        HD_CHECK(link->wait(link, &way));
    }
    HD_CHECK(hd_broadcast(link, 0, numbers, count * sizeof *numbers));
out:
    status = hd_link_drain(link, status, &way, 1);
    HD_DELETE(&ctx->allocator, other, count);
    return status;
}
