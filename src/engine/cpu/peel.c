/* peel.c - see peel.h. */
#include "engine/cpu/peel.h"

#include "base/memory.h"

enum {
    FEW = 1 << 11,    /* items that one thread removes alone */
    PIECE = 64,       /* items that a thread takes at once, to remove */
    SCAN = 1 << 12,   /* items that a thread takes at once, to look at */
    ADVANCE = 1 << 14 /* items that a single thread removes between two checks of the cancel flag */
};

void hd_peel_flush(hd_peel_finds *f) {
    if (!f->found)
        return;
    uint64_t at = f->alone ? *f->count : hd_fetch_add(f->count, f->found);
    if (f->alone)
        *f->count += f->found;
    for (uint32_t i = 0; i < f->found; i++) {
        f->list[at + i] = f->items[i];
        if (f->place)
            hd_store(&f->place[f->items[i]], (uint32_t)(at + i));
    }
    f->found = 0;
}

/* One thread: removes queue[from …) until the queue has no more, or so many that others may help. Returns the first
 * that is left. */
static uint64_t remove_alone(hd_peel *p, uint64_t from, uint32_t k) {
    hd_peel_finds next = {.list = p->queue, .place = p->place, .count = &p->queued, .alone = true};
    uint64_t steps = 0;
    while (from < p->queued && p->queued - from <= FEW) {
        p->remove(p, from++, k, &next);
        hd_peel_flush(&next);
        if (++steps % ADVANCE == 0 && hd_advance(p->ctx, ADVANCE))
            break;
    }
    hd_advance(p->ctx, steps % ADVANCE);
    return from;
}

static uint64_t remove_together(hd_peel *p, uint64_t from, uint32_t k) {
    uint64_t to = p->queued;
    HD_PARALLEL(p->ctx) {
        hd_peel_finds next = {.list = p->queue, .place = p->place, .count = &p->queued};
        HD_FOR(schedule(dynamic, PIECE))
        for (uint64_t i = from; i < to; i++) {
            if (i % PIECE == 0 && hd_advance(p->ctx, PIECE))
                continue;
            p->remove(p, i, k, &next);
        }
        hd_peel_flush(&next);
    }
    return to;
}

/* Looks at the items that are left: those that have k are queued, those that have more kept. Returns the least that a
 * kept one has. */
static uint32_t scan(hd_peel *p, uint32_t k) {
    uint32_t least = UINT32_MAX;
    p->spare_count = 0;
    HD_PARALLEL(p->ctx, if (p->rest_count >= HD_WORTH_THREADS) reduction(min : least)) {
        hd_peel_finds next = {.list = p->queue, .place = p->place, .count = &p->queued};
        hd_peel_finds kept = {.list = p->spare, .count = &p->spare_count};
        HD_FOR(schedule(dynamic, SCAN))
        for (uint64_t i = 0; i < p->rest_count; i++) {
            uint32_t item = p->rest[i], left = p->left[item];
            if (left == k)
                hd_peel_find(&next, item);
            else if (left > k) {
                hd_peel_find(&kept, item);
                least = left < least ? left : least;
            }
        }
        hd_peel_flush(&next);
        hd_peel_flush(&kept);
    }
    uint32_t *list = p->rest;
    p->rest = p->spare;
    p->spare = list;
    p->rest_count = p->spare_count;
    return least;
}

heddle_status hd_peel_run(hd_peel *p, heddle_report *report) {
    uint64_t removed = 0;
    hd_rounds_mark(p->ctx);
    for (uint32_t k = 0; p->rest_count;) {
        uint64_t first = removed;
        if (p->begin)
            p->begin(p);
        uint32_t least = scan(p, k);
        if (p->queued == removed) { /* a level without items */
            k = least;
            continue;
        }
        while (removed < p->queued && !hd_cancelled(p->ctx))
            removed = p->queued - removed <= FEW ? remove_alone(p, removed, k) : remove_together(p, removed, k);
        HD_TRY(hd_cancelled_status(p->ctx));
        HD_ROUND(p->ctx, .rounds = 1, .vertices = removed - first, .edges = HD_NOT_KNOWN, .kernel = p->kernel);
        report->iterations++;
        k++;
    }
    return hd_cancelled_status(p->ctx);
}

heddle_status hd_peel_open(hd_peel *p) {
    HD_TRY(HD_NEW(p->ctx, &p->queue, p->items, "what is removed"));
    HD_TRY(HD_NEW(p->ctx, &p->rest, p->items, "what is left"));
    HD_TRY(HD_NEW(p->ctx, &p->spare, p->items, "what is left"));
    if (p->placed)
        HD_TRY(HD_NEW(p->ctx, &p->place, p->items, "places of what is removed"));
    p->rest_count = p->items;
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->items >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < p->items; i++) {
        p->rest[i] = (uint32_t)i;
        if (p->placed)
            p->place[i] = UINT32_MAX;
    }
    return HEDDLE_OK;
}

void hd_peel_close(hd_peel *p) {
    HD_DELETE(&p->ctx->allocator, p->queue, p->items);
    HD_DELETE(&p->ctx->allocator, p->rest, p->items);
    HD_DELETE(&p->ctx->allocator, p->spare, p->items);
    HD_DELETE(&p->ctx->allocator, p->place, p->items);
}
