/* sharing.c - see sharing.h. */
#include "exchange/sharing.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { WAY_IN = 2, WAYS = 3 };

heddle_status hd_sharing_new(hd_link *link, const hd_slice *slice, size_t size, hd_sharing *s) {
    *s = (hd_sharing){.link = link, .slice = slice, .size = size};
    HD_TRY(HD_NEW_ZERO(link->ctx, &s->ways, (uint64_t)slice->parts * WAYS, "messages between parts"));
    HD_TRY(HD_NEW(link->ctx, &s->stage[0], slice->boundary_count * size, "outboxes"));
    return HD_NEW(link->ctx, &s->stage[1], slice->boundary_count * size, "outboxes");
}

heddle_status hd_sharing_free(hd_sharing *s, heddle_status status) {
    if (!s->link)
        return status;
    const heddle_allocator *allocator = &s->link->ctx->allocator;
    uint64_t ways = (uint64_t)s->slice->parts * WAYS, bytes = s->slice->boundary_count * s->size;
    if (s->ways)
        status = hd_link_drain(s->link, status, s->ways, ways);
    HD_DELETE(allocator, s->ways, ways);
    HD_DELETE(allocator, s->stage[0], bytes);
    HD_DELETE(allocator, s->stage[1], bytes);
    *s = (hd_sharing){.link = NULL};
    return status;
}

heddle_status hd_sharing_open(hd_sharing *s, void *remote) {
    const hd_slice *slice = s->slice;
    for (uint32_t p = 0; p < slice->parts; p++)
        if (hd_slice_reads(slice, p))
            HD_TRY(s->link->receive(s->link, p, (char *)remote + slice->remote_start[p] * s->size,
                                    hd_slice_reads(slice, p) * s->size, &s->ways[p * WAYS + WAY_IN]));
    return HEDDLE_OK;
}

#define GATHER(type)                                                          \
    HD_PARALLEL_FOR(ctx, schedule(static) if (to - from >= HD_WORTH_THREADS)) \
    for (uint64_t i = from; i < to; i++)                                      \
        ((type *)(void *)stage)[i] = ((const type *)own)[boundary[i]];

/* The messages from .. to. */
static void gather(heddle_context *ctx, const uint32_t *boundary, uint64_t from, uint64_t to, size_t size,
                   const void *own, char *stage) {
    if (size == sizeof(uint32_t)) {
        GATHER(uint32_t)
    } else {
        GATHER(uint64_t)
    }
}

heddle_status hd_sharing_post(hd_sharing *s, const void *own) {
    const hd_slice *slice = s->slice;
    uint32_t turn = s->turn++ % 2;
    char *stage = s->stage[turn];
    for (uint32_t i = 1; i < slice->parts; i++) { /* not all to the same part first */
        uint32_t p = (slice->part + i) % slice->parts;
        hd_message_way *way = &s->ways[p * WAYS + turn];
        uint64_t from = slice->boundary_start[p], to = slice->boundary_start[p + 1];
        if (from == to)
            continue;
        HD_TRY(s->link->wait(s->link, way)); /* the message of the round before the last */
        gather(s->link->ctx, slice->boundary, from, to, s->size, own, stage);
        HD_TRY(s->link->send(s->link, p, stage + from * s->size, (to - from) * s->size, way));
    }
    return HEDDLE_OK;
}

heddle_status hd_sharing_take(hd_sharing *s) {
    const hd_slice *slice = s->slice;
    for (uint32_t p = 0; p < slice->parts; p++) {
        hd_message_way *way = &s->ways[p * WAYS + WAY_IN];
        HD_TRY(s->link->wait(s->link, way));
        if (way->bytes != hd_slice_reads(slice, p) * s->size)
            return hd_fail(s->link->ctx, HEDDLE_E_INTERNAL,
                           "part %u: a message of part %u has %zu bytes, expected %llu", slice->part, p, way->bytes,
                           (unsigned long long)(hd_slice_reads(slice, p) * s->size));
    }
    return HEDDLE_OK;
}
