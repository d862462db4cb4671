/* stream_slots.c - which slot a partition is sent to (stream.h).
 *
 * Partitions that a round needs and that are on the device are processed before any is sent. Those that are sent
 * overwrite, in this order,
 *   1. partitions that the round does not need: free slots first, then the least recently used;
 *   2. a ring of one slot per queue.
 * All other slots keep their partitions for the next round. (If the least recently used slot were always taken, a
 * program that needs all partitions in every round would find none of them.)
 */
#include "base/memory.h"
#include "engine/device/stream.h"

#include <stdlib.h>

static int by_use(const void *a, const void *b) {
    const hd_stream_slot *x = *(const hd_stream_slot *const *)a, *y = *(const hd_stream_slot *const *)b;
    return x->used == y->used ? (x > y) - (x < y) : (x->used > y->used) - (x->used < y->used);
}

heddle_status hd_stream_slots_new(heddle_context *ctx, hd_stream *s) {
    HD_TRY(HD_NEW_ZERO(ctx, &s->slots, s->slot_count, "partitions on the device"));
    HD_TRY(HD_NEW(ctx, &s->free, s->slot_count, "partitions on the device"));
    HD_TRY(HD_NEW(ctx, &s->slot_of, s->partition.count, "partitions on the device"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->needed, s->partition.count, "partitions on the device"));
    for (uint64_t i = 0; i < s->partition.count; i++)
        s->slot_of[i] = HD_NO_SPAN;
    for (uint64_t k = 0; k < s->slot_count; k++)
        s->slots[k].span = HD_NO_SPAN;
    return HEDDLE_OK;
}

void hd_stream_slots_free(heddle_context *ctx, hd_stream *s) {
    HD_DELETE(&ctx->allocator, s->slots, s->slot_count);
    HD_DELETE(&ctx->allocator, s->free, s->slot_count);
    HD_DELETE(&ctx->allocator, s->slot_of, s->partition.count);
    HD_DELETE(&ctx->allocator, s->needed, s->partition.count);
}

void hd_stream_slots_clear(hd_stream *s) {
    for (uint64_t k = 0; k < s->slot_count; k++)
        if (s->slots[k].span != HD_NO_SPAN) {
            s->slot_of[s->slots[k].span] = HD_NO_SPAN;
            s->slots[k].span = HD_NO_SPAN;
        }
}

void hd_stream_slots_begin(hd_stream *s) {
    s->free_count = s->free_next = 0;
    for (uint64_t k = 0; k < s->slot_count; k++)
        if (s->slots[k].span == HD_NO_SPAN || !s->needed[s->slots[k].span])
            s->free[s->free_count++] = &s->slots[k];
    qsort(s->free, s->free_count, sizeof(hd_stream_slot *), by_use);
}

static uint64_t ring_slots(const hd_stream *s) { return s->slot_count < s->queues ? s->slot_count : s->queues; }

bool hd_stream_slots_drop(const hd_stream *s, uint64_t slot, uint64_t more) {
    uint64_t ring = ring_slots(s), first = s->slot_count - ring, free = s->free_count - s->free_next;
    if (slot < first || more <= free)
        return false;
    return (slot - first + ring - s->ring_next % ring) % ring < more - free;
}

uint64_t hd_stream_slots_take(hd_stream *s, uint64_t span) {
    uint64_t ring = ring_slots(s);
    uint64_t k = s->free_next < s->free_count ? (uint64_t)(s->free[s->free_next++] - s->slots)
                                              : s->slot_count - ring + s->ring_next++ % ring;
    if (s->slots[k].span != HD_NO_SPAN)
        s->slot_of[s->slots[k].span] = HD_NO_SPAN;
    s->slots[k].span = span;
    s->slot_of[span] = k;
    return k;
}
