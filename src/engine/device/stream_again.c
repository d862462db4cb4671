/* stream_again.c - see stream_again.h. */
#include "engine/device/stream_again.h"

#include "engine/device/stream.h"

/* Programs that are told the round, or end by a rule of their own, would see that there are fewer of them. */
bool hd_stream_again_fits(const incore *e) {
    int traits = e->program->traits, counted = HD_HAS_DONE | HD_HAS_PHASES | HD_HAS_TOTALS | HD_SENDS_RUN;
    return e->plan.stream_again != HD_NO && e->plan.stream_active != HD_NO && traits & MONOTONE &&
           !(traits & counted) && e->shape.mixed && !e->shape.accumulate && !e->shape.copies && !e->shape.inside;
}

void hd_stream_again_open(incore *e) {
    hd_stream_again *a = &e->stream->again;
    a->on = e->shape.again && !e->setup->max_iterations && e->stream->partition.count > 1;
    a->pause = 1;
    a->slow = true; /* until a round has been timed: the first one gains nothing, with one source or all vertices */
}

void hd_stream_again_begin(incore *e) {
    hd_stream_again *a = &e->stream->again;
    a->now = a->on && (e->plan.stream_again == HD_YES || (!a->wait && !a->slow));
    a->wait -= a->wait > 0;
}

bool hd_stream_again_may(const incore *e, uint64_t index) {
    const hd_partition *p = &e->stream->partition;
    uint64_t group = p->spans[index].group;
    bool first = !index || p->spans[index - 1].group != group;
    bool last = index + 1 == p->count || p->spans[index + 1].group != group;
    return e->stream->again.now && first && last;
}

heddle_status hd_stream_again_walk(incore *e, uint64_t index, uint64_t round) {
    uint32_t group = (uint32_t)e->stream->partition.spans[index].group, step = 1 + (uint32_t)(round % 2);
    HD_TRY(hd_incore_launch(e, KERNEL_AGAIN, step, group, round % 2));
    return hd_incore_launch(e, KERNEL_ROUND, step, group + 1, round % 2);
}

heddle_status hd_stream_again_settle(incore *e, uint64_t round) {
    if (!e->stream->again.now || !e->shape.active)
        return HEDDLE_OK;
    return hd_incore_launch(e, KERNEL_UNFLAG, 1 + (uint32_t)(round % 2), 0, round % 2);
}

/* Second walks cost what does not fit beside the copies; what they saved is the time of sending the partitions that the
 * next round does not need now. After a loss they pause, longer each time, since rounds change: those of a wide
 * frontier activate every partition again, the later ones do not. */
static void judge(incore *e, double saved_bytes, const hd_stream_again_times *t) {
    hd_stream_again *a = &e->stream->again;
    double first = t->kernels - t->again, idle = t->overlap && t->copies > first ? t->copies - first : 0;
    double cost = t->again > idle ? (t->again - idle) / t->share : 0;
    if (saved_bytes / hd_stream_bus(e) >= cost) {
        a->pause = 1;
    } else {
        a->wait = a->pause;
        a->pause *= 2;
    }
}

void hd_stream_again_note(incore *e, const hd_stream_again_times *times) {
    hd_stream *s = e->stream;
    double saved = 0;
    for (uint64_t i = 0; s->again.now && i < s->partition.count; i++) {
        const hd_span *span = &s->partition.spans[i];
        if (!s->flags[s->partition.groups + 1 + span->group])
            continue;
        s->round.parts_again++;
        s->round_edges += e->shape.active ? 0 : hd_span_edges(span);
        saved += s->flags[span->group] ? 0 : (double)hd_stream_bytes_of(s, i);
    }
    if (s->round.parts_again)
        judge(e, saved, times);
    if (s->round.parts_sent)
        s->again.slow = times->kernels - times->again > times->copies;
}
