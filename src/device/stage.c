/* stage.c - see stage.h. The blocks are a ring; the mark of a block's last copy says when it is free again. */
#include "device/stage.h"

#include "base/parallel.h"

#include <string.h>

enum { PIECE = 1 << 18 /* bytes that a thread copies at a time */ };

static int mark_of(uint32_t which) { return HD_MARKS_TIME + (int)which; }

static heddle_status wait_for(hd_device *d, uint32_t which) {
    hd_stages *s = &d->stages;
    if (!s->busy[which])
        return HEDDLE_OK;
    s->busy[which] = false;
    return d->wait(d, mark_of(which));
}

/* Pins another block, if there is a free slot and memory. */
static bool grow(hd_device *d) {
    hd_stages *s = &d->stages;
    if (s->refused || s->count == HD_STAGES)
        return false;
    s->block[s->count] = d->pin(d, HD_STAGE_BYTES);
    s->refused = !s->block[s->count];
    s->count += !s->refused;
    return !s->refused;
}

heddle_status hd_stage_next(hd_device *d, void **block) {
    hd_stages *s = &d->stages;
    *block = NULL;
    s->current = (s->current + 1) % HD_STAGES;
    if (s->current >= s->count && !(d->wait && grow(d)))
        s->current = 0;
    if (!s->count)
        return HEDDLE_OK;
    HD_TRY(wait_for(d, s->current));
    *block = s->block[s->current];
    return HEDDLE_OK;
}

heddle_status hd_stage_send(hd_device *d, const hd_buffer *to, uint64_t offset, uint64_t bytes) {
    hd_stages *s = &d->stages;
    HD_TRY(d->send(d, to, offset, s->block[s->current], bytes));
    HD_TRY(d->mark(d, mark_of(s->current)));
    s->busy[s->current] = true;
    return HEDDLE_OK;
}

static void copy(heddle_context *ctx, void *to, const void *from, uint64_t bytes) {
    uint64_t pieces = (bytes + PIECE - 1) / PIECE;
    HD_PARALLEL_FOR(ctx, schedule(static) if (pieces > 1))
    for (uint64_t k = 0; k < pieces; k++) {
        uint64_t start = k * PIECE, some = bytes - start < PIECE ? bytes - start : PIECE;
        memcpy((char *)to + start, (const char *)from + start, (size_t)some);
    }
}

heddle_status hd_stage_upload(hd_device *d, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes) {
    uint64_t done = 0;
    void *block;
    while (bytes >= HD_STAGE_LEAST && done < bytes) {
        uint64_t some = bytes - done < HD_STAGE_BYTES ? bytes - done : HD_STAGE_BYTES;
        HD_TRY(hd_stage_next(d, &block));
        if (!block)
            break;
        copy(d->ctx, block, (const char *)from + done, some);
        HD_TRY(hd_stage_send(d, to, offset + done, some));
        done += some;
        if (hd_advance(d->ctx, 0))
            return hd_cancelled_status(d->ctx);
    }
    return done < bytes ? d->send(d, to, offset + done, (const char *)from + done, bytes - done) : HEDDLE_OK;
}

/* Copies a downloaded block to its destination. */
static heddle_status empty(hd_device *d, uint32_t which, char *to, uint64_t bytes) {
    uint64_t at = d->stages.from[which];
    bool busy = d->stages.busy[which];
    HD_TRY(wait_for(d, which));
    if (busy)
        copy(d->ctx, to + at, d->stages.block[which], bytes - at < HD_STAGE_BYTES ? bytes - at : HD_STAGE_BYTES);
    return HEDDLE_OK;
}

heddle_status hd_stage_download(hd_device *d, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes) {
    hd_stages *s = &d->stages;
    if (bytes < HD_STAGE_LEAST)
        return d->receive(d, to, from, offset, bytes);
    for (uint32_t i = 0; i < s->count; i++)
        HD_TRY(wait_for(d, i)); /* uploads */
    while (s->count * (uint64_t)HD_STAGE_BYTES < bytes && grow(d))
        ;
    if (!s->count)
        return d->receive(d, to, from, offset, bytes);
    uint32_t which = 0;
    for (uint64_t done = 0; done < bytes; done += HD_STAGE_BYTES, which = (which + 1) % s->count) {
        uint64_t some = bytes - done < HD_STAGE_BYTES ? bytes - done : HD_STAGE_BYTES;
        HD_TRY(empty(d, which, to, bytes));
        HD_TRY(d->receive(d, s->block[which], from, offset + done, some));
        HD_TRY(d->mark(d, mark_of(which)));
        s->busy[which] = true;
        s->from[which] = done;
    }
    for (uint32_t i = 0; i < s->count; i++, which = (which + 1) % s->count)
        HD_TRY(empty(d, which, to, bytes));
    return HEDDLE_OK;
}

void hd_stage_free(hd_device *d) {
    for (uint32_t i = 0; i < HD_STAGES; i++)
        if (d->stages.block[i])
            d->unpin(d, d->stages.block[i]);
    d->stages = (hd_stages){.count = 0};
}
