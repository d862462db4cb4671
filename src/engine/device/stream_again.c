/* stream_again.c - see stream_again.h. */
#include "engine/device/stream_again.h"

#include "engine/device/stream.h"

/* Programs that read the round, or end by a rule of their own, would see that there are fewer of them. */
bool hd_stream_again_fits(const incore *e) {
    int traits = e->program->traits, counted = HD_HAS_DONE | HD_HAS_PHASES | HD_HAS_TOTALS | HD_SENDS_RUN;
    return e->plan.stream_again != HD_NO && e->plan.stream_active != HD_NO && traits & MONOTONE &&
           !(traits & counted) && e->shape.mixed && !e->shape.accumulate && !e->shape.copies && !e->shape.inside;
}

void hd_stream_again_open(incore *e) {
    hd_stream_again *a = &e->stream->again;
    a->on = e->shape.again && !e->setup->max_iterations && e->stream->partition.count > 1;
    a->slow = true; /* until a round has been timed: the first one gains nothing, with one source or all vertices */
}

void hd_stream_again_begin(incore *e) {
    hd_stream_again *a = &e->stream->again;
    a->now = a->on && (e->plan.stream_again == HD_YES || !a->slow);
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

/* Second walks do work of the next round early, and so cost little, unless kernels are the bottleneck. */
void hd_stream_again_note(incore *e) {
    hd_stream *s = e->stream;
    for (uint64_t i = 0; s->again.now && i < s->partition.count; i++) {
        const hd_span *span = &s->partition.spans[i];
        bool walked = s->flags[s->partition.groups + 1 + span->group];
        s->round.parts_again += walked;
        s->round_edges += walked && !e->shape.active ? hd_span_edges(span) : 0;
    }
    if (s->round.parts_sent)
        s->again.slow = s->round.kernel_seconds > 2 * s->round.copy_seconds;
}
