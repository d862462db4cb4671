/* joined_edges.c - see joined_edges.h. */
#include "engine/device/joined_edges.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/edge_room.h"
#include "graph/pack.h"

#include <string.h>

enum {
    LINE_WORDS = HD_EDGE_LINE / 4,
    LINE_BITS = HD_EDGE_LINE * 8,
    MOST_BITS = 48,   /* of an edge: more do not save enough */
    AT_ONCE = 1 << 19 /* lines converted and sent at a time */
};

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

heddle_status hd_joined_choose(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                               hd_joined *joined) {
    hd_weight_span range;
    double begun = hd_clock();
    *joined = (hd_joined){.want = HD_WANT_OUT | HD_WANT_WEIGHTS};
    if ((graph->weight_type != HEDDLE_WEIGHT_U32 && graph->weight_type != HEDDLE_WEIGHT_I32) || graph->vertices < 2 ||
        !graph->edges)
        return HEDDLE_OK;
    HD_TRY(find_range(ctx, graph, &range));
    uint32_t target = hd_pack_width((uint32_t)(graph->vertices - 1));
    uint32_t bits = target + hd_pack_width(range.most - range.least);
    if (range.most <= INT32_MAX && bits <= MOST_BITS) {
        bits = bits < 32 ? 32 : bits;
        *joined = (hd_joined){.want = HD_WANT_OUT | HD_WANT_BARE | HD_WANT_JOINED,
                              .bits = bits,
                              .target = target,
                              .line = LINE_BITS / bits,
                              .least = range.least};
    }
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

/* Adds an edge at a bit of a line that was cleared. */
static void put(uint32_t *line, uint32_t bit, uint64_t edge) {
    uint32_t *word = line + bit / 32, shift = bit % 32;
    word[0] |= (uint32_t)(edge << shift);
    if (edge >> (32 - shift))
        word[1] |= (uint32_t)(edge >> (32 - shift));
    if (shift && edge >> (64 - shift))
        word[2] |= (uint32_t)(edge >> (64 - shift));
}

/* Lines `from` .. `from` + `count` of all edges. */
static void convert(heddle_context *ctx, const hd_joined *joined, const heddle_adjacency *out, uint64_t edges,
                    uint64_t from, uint64_t count, uint32_t *block) {
    const uint32_t *weights = out->weights, *targets = out->targets;
    HD_PARALLEL_FOR(ctx, schedule(static) if (count * joined->line >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++) {
        uint64_t first = (from + i) * joined->line, last = first + joined->line;
        uint32_t *line = block + i * LINE_WORDS, bit = 0;
        memset(line, 0, LINE_WORDS * sizeof *line);
        for (uint64_t e = first; e < last && e < edges; e++, bit += joined->bits)
            put(line, bit, hd_joined_edge(joined, targets[e], weights[e]));
    }
}

static heddle_status send(hd_resident *r, const hd_joined *joined, const heddle_adjacency *out, uint64_t lines,
                          uint32_t *block) {
    hd_device *d = r->device;
    for (uint64_t from = 0; from < lines; from += AT_ONCE) {
        uint64_t count = lines - from < AT_ONCE ? lines - from : AT_ONCE;
        convert(r->ctx, joined, out, r->edges, from, count, block);
        HD_TRY(d->upload(d, &joined->edges, from * HD_EDGE_LINE, block, count * HD_EDGE_LINE));
        HD_TRY(d->finish(d));
        if (hd_advance(r->ctx, 0))
            return hd_cancelled_status(r->ctx);
    }
    return HEDDLE_OK;
}

static const char name[] = "edges with weights";

bool hd_joined_known(const hd_resident *r) { return hd_resident_extra_known(r, name).handle != 0; }

heddle_status hd_joined_open(hd_resident *r, const heddle_graph *graph, hd_joined *joined) {
    uint32_t *block = NULL;
    heddle_adjacency out;
    bool fresh;
    if (!joined->bits)
        return HEDDLE_OK;
    uint64_t lines = (r->edges + joined->line - 1) / joined->line, room = lines < AT_ONCE ? lines : AT_ONCE;
    HD_TRY(heddle_graph_out(r->ctx, graph, &out));
    HD_TRY(hd_edge_extra(r, HD_WANT_JOINED, out.offsets, joined->line, name, lines * HD_EDGE_LINE, &joined->edges,
                         &fresh));
    if (!fresh)
        return HEDDLE_OK;
    heddle_status status = HD_NEW(r->ctx, &block, room * LINE_WORDS, name);
    if (status == HEDDLE_OK)
        status = send(r, joined, &out, lines, block);
    HD_DELETE(&r->ctx->allocator, block, room * LINE_WORDS);
    if (status != HEDDLE_OK)
        hd_resident_extra_drop(r, name); /* it is not whole */
    return status;
}
