/* narrow_weights.c - see narrow_weights.h. */
#include "engine/device/narrow_weights.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/edge_room.h"

enum { AT_ONCE = 1 << 24 }; /* weights converted and sent at a time */

static heddle_status look(heddle_context *ctx, const heddle_graph *graph, bool *fit) {
    heddle_adjacency out;
    uint32_t bits = 0; /* the highest bit is set if one is negative */
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    const uint32_t *weights = out.weights;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(| : bits) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < graph->edges; e++)
        bits |= weights[e];
    *fit = bits <= UINT8_MAX;
    return HEDDLE_OK;
}

heddle_status hd_narrow_weights_fit(heddle_context *ctx, const heddle_graph *graph, heddle_report *report, bool *fit) {
    heddle_graph *known = (heddle_graph *)(uintptr_t)graph;
    double begun = hd_clock();
    *fit = false;
    if (graph->weight_type != HEDDLE_WEIGHT_U32 && graph->weight_type != HEDDLE_WEIGHT_I32)
        return HEDDLE_OK;
    pthread_mutex_lock(&known->lock);
    int narrow = known->narrow;
    pthread_mutex_unlock(&known->lock);
    *fit = narrow > 0;
    if (narrow)
        return HEDDLE_OK;
    HD_TRY(look(ctx, graph, fit));
    pthread_mutex_lock(&known->lock);
    known->narrow = *fit ? 1 : -1;
    pthread_mutex_unlock(&known->lock);
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

static heddle_status send(hd_resident *r, const uint32_t *weights, unsigned char *block, const hd_buffer *to) {
    hd_device *d = r->device;
    for (uint64_t from = 0; from < r->edges; from += AT_ONCE) {
        uint64_t count = r->edges - from < AT_ONCE ? r->edges - from : AT_ONCE;
        HD_PARALLEL_FOR(r->ctx, schedule(static) if (count >= HD_WORTH_THREADS))
        for (uint64_t i = 0; i < count; i++)
            block[i] = (unsigned char)weights[from + i];
        HD_TRY(d->upload(d, to, from, block, count));
        HD_TRY(d->finish(d));
        if (hd_advance(r->ctx, 0))
            return hd_cancelled_status(r->ctx);
    }
    return HEDDLE_OK;
}

heddle_status hd_narrow_weights_open(hd_resident *r, const heddle_graph *graph, hd_buffer *buffer) {
    static const char name[] = "narrow weights";
    uint64_t room = r->edges < AT_ONCE ? r->edges : AT_ONCE;
    unsigned char *block;
    heddle_adjacency out;
    bool fresh;
    HD_TRY(heddle_graph_out(r->ctx, graph, &out));
    HD_TRY(hd_edge_extra(r, HD_WANT_NARROW, out.offsets, name, r->edges, buffer, &fresh));
    if (!fresh)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(r->ctx, &block, room, name));
    heddle_status status = send(r, out.weights, block, buffer);
    HD_DELETE(&r->ctx->allocator, block, room);
    return status;
}
