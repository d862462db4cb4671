/* narrow_weights.c - see narrow_weights.h. */
#include "engine/device/narrow_weights.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/edge_room.h"

enum { AT_ONCE = 1 << 24 }; /* edges converted and sent at a time */

static heddle_status look(heddle_context *ctx, const heddle_graph *graph, hd_weight_span *range) {
    heddle_adjacency out;
    uint32_t least = UINT32_MAX, most = 0;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    const uint32_t *weights = out.weights;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min
                                                    : least) reduction(max
                                                                       : most) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < graph->edges; e++) {
        least = weights[e] < least ? weights[e] : least;
        most = weights[e] > most ? weights[e] : most;
    }
    *range = (hd_weight_span){true, least < most ? least : most, most};
    return HEDDLE_OK;
}

static heddle_status find_range(heddle_context *ctx, const heddle_graph *graph, hd_weight_span *range) {
    heddle_graph *known = (heddle_graph *)(uintptr_t)graph;
    pthread_mutex_lock(&known->lock);
    *range = known->weight_span;
    pthread_mutex_unlock(&known->lock);
    if (range->known)
        return HEDDLE_OK;
    HD_TRY(look(ctx, graph, range));
    pthread_mutex_lock(&known->lock);
    known->weight_span = *range;
    pthread_mutex_unlock(&known->lock);
    return HEDDLE_OK;
}

static uint32_t bits_of(uint64_t most) {
    uint32_t bits = 0;
    for (; most; most >>= 1)
        bits++;
    return bits;
}

heddle_status hd_narrow_choose(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                               hd_narrow *narrow) {
    hd_weight_span range;
    double begun = hd_clock();
    *narrow = (hd_narrow){.want = HD_WANT_OUT | HD_WANT_WEIGHTS};
    if ((graph->weight_type != HEDDLE_WEIGHT_U32 && graph->weight_type != HEDDLE_WEIGHT_I32) || !graph->edges)
        return HEDDLE_OK;
    HD_TRY(find_range(ctx, graph, &range));
    uint32_t target = bits_of(graph->vertices - 1);
    if (range.most <= INT32_MAX && target && target + bits_of(range.most - range.least) <= 32)
        *narrow =
            (hd_narrow){.want = HD_WANT_OUT | HD_WANT_BARE | HD_WANT_JOINED, .target = target, .least = range.least};
    else if (range.most <= UINT8_MAX)
        *narrow = (hd_narrow){.want = HD_WANT_OUT | HD_WANT_NARROW, .bytes = true};
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

/* What the array holds of `count` edges. */
static void convert(heddle_context *ctx, const hd_narrow *narrow, const heddle_adjacency *out, uint64_t from,
                    uint64_t count, void *block) {
    const uint32_t *weights = (const uint32_t *)out->weights + from, *targets = out->targets + from;
    unsigned char *bytes = block;
    uint32_t *words = block;
    HD_PARALLEL_FOR(ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++)
        if (narrow->bytes)
            bytes[i] = (unsigned char)weights[i];
        else /* in 64 bits: a target may have all 32 */
            words[i] = targets[i] | (uint32_t)((uint64_t)(weights[i] - narrow->least) << narrow->target);
}

static heddle_status send(hd_resident *r, const hd_narrow *narrow, const heddle_adjacency *out, void *block) {
    uint64_t each = narrow->bytes ? 1 : 4;
    hd_device *d = r->device;
    for (uint64_t from = 0; from < r->edges; from += AT_ONCE) {
        uint64_t count = r->edges - from < AT_ONCE ? r->edges - from : AT_ONCE;
        convert(r->ctx, narrow, out, from, count, block);
        HD_TRY(d->upload(d, &narrow->edges, from * each, block, count * each));
        HD_TRY(d->finish(d));
        if (hd_advance(r->ctx, 0))
            return hd_cancelled_status(r->ctx);
    }
    return HEDDLE_OK;
}

heddle_status hd_narrow_open(hd_resident *r, const heddle_graph *graph, hd_narrow *narrow) {
    static const char bytes[] = "narrow weights", words[] = "edges of one word";
    const char *name = narrow->bytes ? bytes : words;
    uint64_t each = narrow->bytes ? 1 : 4, room = (r->edges < AT_ONCE ? r->edges : AT_ONCE) * each;
    int what = narrow->bytes ? HD_WANT_NARROW : HD_WANT_JOINED;
    unsigned char *block;
    heddle_adjacency out;
    bool fresh;
    if (!narrow->bytes && !narrow->target)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(r->ctx, graph, &out));
    HD_TRY(hd_edge_extra(r, what, out.offsets, each, name, r->edges * each, &narrow->edges, &fresh));
    if (!fresh)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(r->ctx, &block, room, name));
    heddle_status status = send(r, narrow, &out, block);
    HD_DELETE(&r->ctx->allocator, block, room);
    return status;
}
