/* stream_round.c - the rounds of a streaming run (stream.h). */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stall.h"
#include "engine/device/stream.h"

#include <stdlib.h>
#include <string.h>

/* Events: the round's beginning, the end of each queue's work, then three for each partition that is timed. */
enum { EVENT_START, EVENT_QUEUE, EVENT_TIMES = EVENT_QUEUE + HD_QUEUES, TIMED = (HD_EVENTS - EVENT_TIMES) / 3 };

typedef struct rounds {
    incore *e;
    hd_stream *s;
    hd_device *d;
    bool used[HD_QUEUES + 1]; /* queues of this round */
    uint64_t timed;           /* partitions of this round with events */
    bool sent[TIMED], placed[TIMED];
    uint64_t walked_again; /* partitions of this round for which second walks are queued */
} rounds;

/* ---- Walking a partition ---------------------------------------------------------------------------------------- */

static heddle_status select_queue(rounds *r, uint64_t slot) {
    uint32_t queue = 1 + (uint32_t)(slot % r->s->queues);
    r->d->select(r->d, queue);
    if (r->used[queue])
        return HEDDLE_OK;
    r->used[queue] = true;
    return r->d->await(r->d, EVENT_START);
}

uint64_t hd_stream_bytes_of(const hd_stream *s, uint64_t index) {
    if (s->packed)
        return (s->store->packed_at[index + 1] - s->store->packed_at[index]) * 4;
    return hd_span_edges(&s->partition.spans[index]) *
           (s->each[STREAM_TARGETS] + s->each[STREAM_SOURCES] + s->each[STREAM_WEIGHTS]);
}

static heddle_status send(rounds *r, uint64_t index, hd_stream_slot *slot) {
    hd_stream *s = r->s;
    const hd_span *span = &s->partition.spans[index];
    if (s->packed)
        return r->d->send(r->d, &slot->packed, 0,
                          (const uint32_t *)s->store->array[STREAM_TARGETS] + s->store->packed_at[index],
                          hd_stream_bytes_of(s, index));
    for (int i = 0; i < STREAM_ARRAYS; i++)
        if (s->each[i])
            HD_TRY(r->d->send(r->d, &slot->edges.array[i], 0,
                              (const char *)s->store->array[i] + span->first_edge * s->each[i],
                              hd_span_edges(span) * s->each[i]));
    return HEDDLE_OK;
}

/* Queues the kernels for the span in this slot: the one that unpacks it, and that of the round. */
static heddle_status launch(rounds *r, uint64_t index, uint64_t slot_index, uint64_t round) {
    hd_stream *s = r->s;
    hd_stream_slot *slot = &s->slots[slot_index];
    s->span = &s->partition.spans[index];
    s->edges = s->packed ? &s->unpacked[slot_index % s->queues] : &slot->edges;
    if (s->packed)
        HD_TRY(hd_stream_unpack(r->e, s->span, &slot->packed, NULL, s->edges));
    return hd_incore_launch(r->e, KERNEL_ROUND, 1 + (uint32_t)(round % 2), 0, round % 2);
}

/* A partition that is processed: where, and what is sent for it before. */
typedef struct visit {
    uint64_t index, slot; /* gathered, in place: the slot is a number of its own, which gives the queue */
    bool copy, gathered, in_place;
    bool again; /* it is walked twice */
} visit;

static heddle_status send_for(rounds *r, const visit *v) {
    return v->gathered ? hd_stream_gather_send(r->e, v->index, (uint32_t)(v->slot % r->s->queues))
                       : send(r, v->index, &r->s->slots[v->slot]);
}

/* Queues the kernels for the rows that were gathered: the one that scatters them, and that of the round. */
static heddle_status launch_gathered(rounds *r, const visit *v, uint64_t round) {
    hd_stream *s = r->s;
    uint32_t queue = (uint32_t)(v->slot % s->queues);
    s->span = &s->gather.spans[v->index].span;
    s->edges = &s->unpacked[queue];
    HD_TRY(hd_stream_gather_scatter(r->e, v->index, queue, s->edges));
    return hd_incore_launch(r->e, KERNEL_ROUND, 1 + (uint32_t)(round % 2), 0, round % 2);
}

static const hd_buffer *active_bits(const incore *e, uint64_t round) {
    return &e->buffer[round % 2 ? QUEUED_NEXT : QUEUED];
}

/* Queues the kernels for active rows that are read in host memory: the one that unpacks them, and that of the round. */
static heddle_status launch_in_place(rounds *r, const visit *v, uint64_t round) {
    hd_stream *s = r->s;
    s->span = &s->partition.spans[v->index];
    s->edges = &s->unpacked[v->slot % s->queues];
    HD_TRY(hd_stream_place_unpack(r->e, v->index, active_bits(r->e, round), s->edges));
    return hd_incore_launch(r->e, KERNEL_ROUND, 1 + (uint32_t)(round % 2), 0, round % 2);
}

/* The bytes of rows that were read in place are known after the round. */
static void count(hd_stream *s, const visit *v) {
    s->round.parts_in_place += v->in_place;
    if (v->in_place) {
        s->round.parts_needed++;
        s->round_edges += hd_span_edges(&s->partition.spans[v->index]);
        return;
    }
    uint64_t bytes = v->gathered ? s->gather.spans[v->index].bytes : hd_stream_bytes_of(s, v->index);
    s->round_edges += v->gathered ? s->gather.spans[v->index].edges : hd_span_edges(&s->partition.spans[v->index]);
    s->round.parts_needed++;
    s->round.bytes_needed += bytes;
    *(v->copy ? &s->round.parts_sent : &s->round.parts_reused) += 1;
    *(v->copy ? &s->round.bytes_sent : &s->round.bytes_reused) += bytes;
    s->round.parts_gathered += v->gathered;
    s->round.bytes_gathered += v->gathered ? bytes : 0;
    if (v->copy && !v->gathered && s->gather.on)
        s->gather.spans[v->index].spent = 0;
}

/* Processes a partition, after its copy if something must be sent. */
static heddle_status walk(rounds *r, const visit *v, uint64_t round) {
    hd_stream *s = r->s;
    bool timed = r->timed < TIMED;
    uint32_t event = EVENT_TIMES + 3 * (uint32_t)(timed ? r->timed : 0);
    HD_TRY(select_queue(r, v->slot));
    if (timed && v->copy)
        HD_TRY(r->d->post(r->d, event));
    if (v->copy)
        HD_TRY(send_for(r, v));
    if (timed)
        HD_TRY(r->d->post(r->d, event + 1));
    if (!v->gathered && !v->in_place)
        s->slots[v->slot].used = ++s->clock;
    HD_TRY(v->in_place   ? launch_in_place(r, v, round)
           : v->gathered ? launch_gathered(r, v, round)
                         : launch(r, v->index, v->slot, round));
    r->walked_again += v->again;
    if (v->again)
        HD_TRY(hd_stream_again_walk(r->e, v->index, round));
    if (timed) {
        HD_TRY(r->d->post(r->d, event + 2));
        r->placed[r->timed] = v->in_place;
        r->sent[r->timed++] = v->copy;
    }
    count(s, v);
    return HEDDLE_OK;
}

static void mark_needed(rounds *r) {
    hd_stream *s = r->s;
    bool all = !(r->e->program->traits & MONOTONE) || r->e->plan.stream_active == HD_NO;
    for (uint64_t i = 0; i < s->partition.count; i++)
        s->needed[i] = all || s->flags[s->partition.spans[i].group];
}

static bool is_gathered(const hd_stream *s, uint64_t index) { return s->gather.on && s->gather.spans[index].bytes > 0; }

/* A few partitions at a time, so that blocks are gathered while earlier ones are on their way. */
static heddle_status walk_gathered(rounds *r, uint64_t round) {
    hd_stream *s = r->s;
    uint64_t batch = (uint64_t)r->e->ctx->threads * 2, number = 0;
    for (uint64_t from = 0, to; s->gather.on && s->gather.arena_used && from < s->partition.count; from = to) {
        uint64_t some = 0;
        for (to = from; to < s->partition.count && some < batch; to++)
            some += is_gathered(s, to);
        hd_stream_gather_fill(r->e, from, to);
        for (uint64_t i = from; i < to; i++)
            if (is_gathered(s, i))
                HD_TRY(walk(r, &(visit){.index = i, .slot = number++, .copy = true, .gathered = true}, round));
        if (hd_advance(r->e->ctx, 0))
            return hd_cancelled_status(r->e->ctx);
    }
    return HEDDLE_OK;
}

static bool is_in_place(const hd_stream *s, uint64_t index) { return s->place.any && s->place.chosen[index]; }

static heddle_status walk_in_place(rounds *r, uint64_t round) {
    hd_stream *s = r->s;
    uint64_t number = 0;
    for (uint64_t i = 0; s->place.any && i < s->partition.count; i++)
        if (s->needed[i] && is_in_place(s, i))
            HD_TRY(walk(r, &(visit){.index = i, .slot = number++, .in_place = true}, round));
    return HEDDLE_OK;
}

static bool is_sent(const hd_stream *s, uint64_t index) {
    return s->needed[index] && s->slot_of[index] == HD_NO_SPAN && !is_gathered(s, index) && !is_in_place(s, index);
}

/* Whether a partition is walked twice: if its slot is taken by one of the `more` that the round has yet to send, or is
 * emptied after it. */
static bool is_again(const rounds *r, uint64_t index, uint64_t slot, uint64_t more) {
    bool dropped = r->e->plan.stream_reuse == HD_NO || hd_stream_slots_drop(r->s, slot, more);
    return dropped && hd_stream_again_may(r->e, index);
}

/* Partitions that are on the device come first, before others overwrite them; then those that are sent, whose copies
 * keep the bus busy while the host gathers rows of the last ones. */
static heddle_status walk_all(rounds *r, uint64_t round) {
    hd_stream *s = r->s;
    uint64_t more = 0;
    for (uint64_t i = 0; i < s->partition.count; i++)
        more += is_sent(s, i);
    for (uint64_t i = 0; i < s->partition.count; i++)
        if (s->needed[i] && s->slot_of[i] != HD_NO_SPAN) {
            bool again = is_again(r, i, s->slot_of[i], more);
            HD_TRY(walk(r, &(visit){.index = i, .slot = s->slot_of[i], .again = again}, round));
            s->needed[i] = false;
        }
    for (uint64_t i = 0; i < s->partition.count; i++) {
        if (!is_sent(s, i))
            continue;
        uint64_t slot = hd_stream_slots_take(s, i);
        bool again = is_again(r, i, slot, --more);
        HD_TRY(walk(r, &(visit){.index = i, .slot = slot, .copy = true, .again = again}, round));
        if (hd_advance(r->e->ctx, 0))
            return hd_cancelled_status(r->e->ctx);
    }
    HD_TRY(walk_in_place(r, round));
    return walk_gathered(r, round);
}

/* ---- Times ------------------------------------------------------------------------------------------------------ */

typedef struct interval {
    double begin, end;
} interval;

static int by_begin(const void *a, const void *b) {
    const interval *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Time covered by at least one of the intervals. */
static double covered(interval *list, uint64_t count) {
    double sum = 0, end = -1;
    qsort(list, count, sizeof *list, by_begin);
    for (uint64_t i = 0; i < count; i++) {
        double begin = list[i].begin > end ? list[i].begin : end;
        sum += list[i].end > begin ? list[i].end - begin : 0;
        end = list[i].end > end ? list[i].end : end;
    }
    return sum;
}

/* *in_place: of kernels that read rows in host memory; 0 if not all of them were timed. */
static heddle_status take_times(rounds *r, double *in_place) {
    interval copies[TIMED], kernels[TIMED], placed[TIMED];
    uint64_t copied = 0, placed_count = 0;
    double at[3] = {0};
    for (uint64_t k = 0; k < r->timed; k++) {
        for (uint32_t i = r->sent[k] ? 0 : 1; i < 3; i++)
            HD_TRY(r->d->elapsed(r->d, EVENT_START, EVENT_TIMES + 3 * (uint32_t)k + i, &at[i]));
        kernels[k] = (interval){at[1], at[2]};
        if (r->placed[k])
            placed[placed_count++] = kernels[k];
        if (r->sent[k])
            copies[copied++] = (interval){at[0], at[1]};
    }
    r->s->round.copy_seconds = covered(copies, copied);
    r->s->round.kernel_seconds = covered(kernels, r->timed);
    *in_place = placed_count == r->s->round.parts_in_place ? covered(placed, placed_count) : 0;
    return HEDDLE_OK;
}

/* ---- A round ---------------------------------------------------------------------------------------------------- */

static heddle_status begin(rounds *r, uint64_t round, uint64_t vertices, uint64_t edges) {
    hd_stream *s = r->s;
    r->timed = r->walked_again = 0;
    s->busy = true;
    memset(r->used, 0, sizeof r->used);
    s->round = (hd_traffic){.parts_needed = 0};
    s->round_edges = 0;
    if (r->e->plan.stream_reuse == HD_NO)
        hd_stream_slots_clear(s);
    mark_needed(r);
    hd_stream_slots_begin(s);
    hd_stream_again_begin(r->e);
    HD_TRY(hd_stream_place_choose(r->e, vertices, edges));
    HD_TRY(hd_stream_gather_choose(r->e, active_bits(r->e, round), vertices, edges));
    HD_TRY(r->d->fill(r->d, &s->flagged_buffer, 0, 0, s->flag_words * 4));
    HD_TRY(r->d->fill(r->d, &r->e->buffer[WORDS], HD_ACTIVATED * 4, 0, (HD_AGAIN_HIGH + 1 - HD_ACTIVATED) * 4));
    return r->d->post(r->d, EVENT_START);
}

/* The device's default queue waits for all others. */
static heddle_status meet(rounds *r) {
    for (uint32_t q = 1; q <= r->s->queues; q++)
        if (r->used[q]) {
            r->d->select(r->d, q);
            HD_TRY(r->d->post(r->d, EVENT_QUEUE + q - 1));
        }
    r->d->select(r->d, 0);
    for (uint32_t q = 1; q <= r->s->queues; q++)
        if (r->used[q])
            HD_TRY(r->d->await(r->d, EVENT_QUEUE + q - 1));
    return HEDDLE_OK;
}

static heddle_status end(rounds *r, uint64_t round) {
    incore *e = r->e;
    hd_stream *s = r->s;
    hd_device *d = r->d;
    bool swapped = round % 2;
    uint32_t step = 1 + swapped;
    HD_TRY(meet(r));
    if (r->walked_again)
        HD_TRY(hd_stream_again_settle(e, round));
    if (e->shape.accumulate)
        HD_TRY(hd_incore_launch(e, KERNEL_SECOND, step, 0, swapped));
    HD_TRY(hd_incore_inside(e, step, swapped));
    HD_TRY(hd_incore_merge(e, step, swapped));
    HD_TRY(hd_incore_launch(e, KERNEL_TURN, step, e->groups * e->shape.warps, swapped));
    if (e->shape.active) /* this round's activity; the next round's has been written separately */
        HD_TRY(d->fill(d, &e->buffer[swapped ? QUEUED_NEXT : QUEUED], 0, 0, (e->rows.vertices / 32 + 1) * 4));
    HD_TRY(d->download(d, e->words, &e->buffer[WORDS], 0, sizeof e->words));
    HD_TRY(d->download(d, s->flags, &s->flagged_buffer, 0, s->flag_words * 4));
    HD_TRY(d->finish(d));
    s->busy = false;
    double in_place = 0;
    HD_TRY(take_times(r, &in_place));
    hd_stream_gather_note(e, s->round.bytes_sent, s->round.copy_seconds);
    hd_stream_again_note(e);
    return hd_stream_place_note(e, in_place);
}

static void record(rounds *r, uint64_t vertices, uint64_t edges) {
    incore *e = r->e;
    hd_stream *s = r->s;
    char name[24];
    uint64_t all = s->round_edges;
    hd_schedule_label(&e->plan, name, sizeof name);
    s->walked += edges == HD_NOT_KNOWN ? all : edges;
    HD_ROUND(e->ctx, .rounds = 1, .vertices = vertices,
             .edges = edges == HD_NOT_KNOWN && !e->shape.active ? all : edges, .weight_bytes = s->each[STREAM_WEIGHTS],
             .direction = HEDDLE_DIRECTION_PUSH, .kernel = name, .traffic = s->round);
}

static uint64_t join(const uint32_t *words) { return (uint64_t)words[1] << 32 | words[0]; }

/* Adds what the round walked again to what was active at its beginning. */
static void add_again(const incore *e, uint64_t *vertices, uint64_t *edges) {
    *vertices += *vertices != HD_NOT_KNOWN ? e->words[HD_AGAIN] : 0;
    *edges += *edges != HD_NOT_KNOWN ? join(&e->words[HD_AGAIN_LOW]) : 0;
}

/* Active vertices and edges of the next round, if they are counted. */
static void count_active(const incore *e, uint64_t *vertices, uint64_t *edges) {
    bool counted = e->shape.active, both = e->rows.second.offsets != NULL;
    uint64_t all = !(e->program->traits & MONOTONE) ? e->rows.vertices : HD_NOT_KNOWN;
    *vertices = counted ? e->words[HD_ACTIVATED] - e->words[HD_AGAIN] : all;
    *edges = counted && !both ? join(&e->words[HD_ACTIVATED_LOW]) - join(&e->words[HD_AGAIN_LOW]) : HD_NOT_KNOWN;
}

/* Whether a program with a frontier is finished: the vertices that changed last have no edges. */
static bool is_over(const rounds *r) {
    if (!(r->e->program->traits & MONOTONE))
        return false;
    if (r->e->shape.copies && r->e->setup->every > 1) /* copies may be waiting to be merged: hd_turn decides */
        return false;
    for (uint64_t g = 0; g < r->s->partition.groups; g++)
        if (r->s->flags[g])
            return false;
    return true;
}

void hd_stream_report(const incore *e, heddle_report *report) {
    const hd_stream *s = e->stream;
    uint64_t all = hd_stream_store_bytes(s->store), here = 0;
    for (uint64_t k = 0; k < s->slot_count; k++)
        here += s->slots[k].span != HD_NO_SPAN ? hd_stream_bytes_of(s, s->slots[k].span) : 0;
    report->edges_on_device += here;
    report->edges_on_host += all - (here < all ? here : all);
    report->host_bytes += all + s->store->bytes[STREAM_ARENA];
    report->bits_per_edge = s->packed && e->rows.edges ? (double)all * 8 / (double)e->rows.edges : 0;
}

heddle_status hd_stream_iterate(incore *e) {
    rounds r = {.e = e, .s = e->stream, .d = e->device};
    hd_stall stall = {.looks = 0};
    uint64_t vertices = e->stream->first_vertices, edges = e->stream->first_edges;
    double start = hd_clock();
    hd_rounds_mark(e->ctx);
    HD_TRY(hd_incore_launch(e, KERNEL_START, 0, 0, false));
    HD_TRY(hd_incore_launch(e, KERNEL_TURN, 0, e->groups * e->shape.warps, false));
    for (uint64_t round = 0; !e->words[HD_DONE]; round++) {
        if (is_over(&r)) {
            e->words[HD_DONE] = e->words[HD_CONVERGED] = 1;
            break;
        }
        HD_TRY(begin(&r, round, vertices, edges));
        HD_TRY(walk_all(&r, round));
        HD_TRY(end(&r, round));
        add_again(e, &vertices, &edges);
        record(&r, vertices, edges);
        count_active(e, &vertices, &edges);
        HD_TRY(hd_stall_check(&stall, e->ctx, e->device, e->words, sizeof e->words));
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    HD_TRY(hd_incore_merge(e, 0, e->words[HD_ITERATION] % 2 == 0));
    HD_TRY(e->device->finish(e->device));
    e->compute = hd_clock() - start;
    return HEDDLE_OK;
}
