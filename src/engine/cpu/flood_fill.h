/* flood_fill.h - parallel reachability: visits every reachable vertex once, in any order.
 *
 * Each thread searches depth-first on a small stack of its own, so that a long path needs no rounds; vertices that
 * overflow the stack, and those left when the thread has used up its share of work, go to the common frontier of the
 * next round. Very long rows are set aside and shared by all threads.
 * `visit` decides whether an arc leads to a new vertex: it must return true for exactly one of all calls that reach the
 * same vertex. It is a constant at each use and therefore inlined.
 */
#ifndef HD_ENGINE_CPU_FLOOD_FILL_H
#define HD_ENGINE_CPU_FLOOD_FILL_H

#include "base/memory.h"
#include "engine/cpu/frontier.h"

enum {
    HD_FLOOD_STACK = 512,
    HD_FLOOD_TAKE = 16,      /* vertices taken from the frontier at a time */
    HD_FLOOD_FEW = 1 << 8,   /* smaller frontiers are processed by one thread */
    HD_FLOOD_WIDE = 1 << 12, /* frontiers from this size on are processed breadth-first, with rows prefetched */
    HD_FLOOD_BIT = 1 << 15,  /* arcs per thread and round searched depth-first, before finds go to the next round */
    HD_FLOOD_LONG = 1 << 15, /* rows of this many arcs or more are set aside */
    HD_FLOOD_PIECE = 1 << 12 /* and are processed in pieces of this many */
};

typedef bool (*hd_flood_visit)(void *self, heddle_vertex from, heddle_vertex to);

enum { HD_FLOOD_OUT = 0, HD_FLOOD_IN = 1 };

typedef struct hd_flood {
    heddle_context *ctx;
    heddle_adjacency sides[2];
    hd_frontier frontier; /* items: room for every vertex */
    uint64_t vertices;
    uint64_t *long_rows; /* vertex * 2 + side, set aside this round */
    uint64_t long_room, long_count;
    uint64_t pieces; /* of long rows, taken so far in this round */
    uint64_t most;   /* a run pauses when the frontier has grown to this size */
    uint64_t walked;
    uint64_t recorded; /* arcs walked up to the last round */
    const char *name;  /* of the algorithm, for the records */
} hd_flood;

typedef struct hd_flooder {
    hd_flood *flood;
    void *self;
    uint64_t spent; /* arcs, in this round */
    bool shallow;   /* all finds go to the next round */
    uint32_t depth;
    heddle_vertex stack[HD_FLOOD_STACK];
    hd_finds finds;
} hd_flooder;

static inline heddle_status hd_flood_open(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                          const heddle_adjacency *in, hd_flood *flood) {
    *flood = (hd_flood){.ctx = ctx, .sides = {*out, *in}, .vertices = vertices};
    flood->long_room = (out->offsets[vertices] + in->offsets[vertices]) / HD_FLOOD_LONG;
    HD_TRY(HD_NEW(ctx, &flood->long_rows, flood->long_room, "long rows"));
    return HD_NEW(ctx, &flood->frontier.items, vertices, "frontier");
}

static inline void hd_flood_close(hd_flood *flood) {
    if (!flood->ctx)
        return;
    HD_DELETE(&flood->ctx->allocator, flood->long_rows, flood->long_room);
    HD_DELETE(&flood->ctx->allocator, flood->frontier.items, flood->vertices);
}

/* Starts a new flood fill from items[0 .. count), which the caller fills. */
static inline void hd_flood_start(hd_flood *flood, uint64_t count) {
    flood->most = UINT64_MAX;
    flood->frontier.begin = flood->frontier.cursor = 0;
    flood->frontier.end = flood->frontier.tail = count;
}

#define HD_FLOOD_INLINE static inline __attribute__((always_inline))

HD_FLOOD_INLINE void hd_flood_row(hd_flooder *here, hd_flood_visit visit, int side, heddle_vertex v, uint64_t e,
                                  uint64_t end) {
    const heddle_vertex *targets = here->flood->sides[side].targets;
    uint32_t room = here->shallow ? 0 : HD_FLOOD_STACK;
    here->spent += end - e;
    for (; e < end; e++) {
        if (!visit(here->self, v, targets[e]))
            continue;
        if (here->depth < room)
            here->stack[here->depth++] = targets[e];
        else if (hd_finds_push(&here->finds, targets[e]))
            hd_finds_flush(&here->finds);
    }
}

HD_FLOOD_INLINE void hd_flood_side(hd_flooder *here, hd_flood_visit visit, int side, heddle_vertex v) {
    hd_flood *flood = here->flood;
    uint64_t e = flood->sides[side].offsets[v], end = flood->sides[side].offsets[v + 1];
    if (end - e < HD_FLOOD_LONG)
        hd_flood_row(here, visit, side, v, e, end);
    else
        flood->long_rows[hd_fetch_add(&flood->long_count, UINT64_C(1))] = (uint64_t)v * 2 + (uint64_t)side;
}

HD_FLOOD_INLINE void hd_flood_vertex(hd_flooder *here, hd_flood_visit out, hd_flood_visit in, heddle_vertex v) {
    if (out)
        hd_flood_side(here, out, HD_FLOOD_OUT, v);
    if (in)
        hd_flood_side(here, in, HD_FLOOD_IN, v);
}

HD_FLOOD_INLINE void hd_flood_stack(hd_flooder *here, hd_flood_visit out, hd_flood_visit in) {
    while (here->depth && here->spent < HD_FLOOD_BIT)
        hd_flood_vertex(here, out, in, here->stack[--here->depth]);
    here->shallow |= here->spent >= HD_FLOOD_BIT;
    while (here->depth)
        if (hd_finds_push(&here->finds, here->stack[--here->depth]))
            hd_finds_flush(&here->finds);
}

/* Processes pieces of the rows set aside, taken dynamically. Shallow: a vertex found here may have a long row too, and
 * the list must not grow now. */
HD_FLOOD_INLINE void hd_flood_long_rows(hd_flooder *here, hd_flood_visit out, hd_flood_visit in) {
    hd_flood *flood = here->flood;
    uint64_t mine = hd_fetch_add(&flood->pieces, UINT64_C(1)), before = 0;
    here->shallow = true;
    for (uint64_t i = 0; i < flood->long_count; i++) {
        heddle_vertex v = (heddle_vertex)(flood->long_rows[i] / 2);
        int side = (int)(flood->long_rows[i] % 2);
        uint64_t first = flood->sides[side].offsets[v], last = flood->sides[side].offsets[v + 1];
        uint64_t count = (last - first + HD_FLOOD_PIECE - 1) / HD_FLOOD_PIECE;
        for (; mine < before + count && !hd_cancelled(flood->ctx); mine = hd_fetch_add(&flood->pieces, UINT64_C(1))) {
            uint64_t e = first + (mine - before) * HD_FLOOD_PIECE;
            uint64_t end = last - e < HD_FLOOD_PIECE ? last : e + HD_FLOOD_PIECE;
            if (out && side == HD_FLOOD_OUT)
                hd_flood_row(here, out, HD_FLOOD_OUT, v, e, end);
            if (in && side == HD_FLOOD_IN)
                hd_flood_row(here, in, HD_FLOOD_IN, v, e, end);
        }
        before += count;
    }
}

/* Prefetches rows that are processed next. */
HD_FLOOD_INLINE void hd_flood_prefetch(const hd_flood *flood, int side, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++)
        __builtin_prefetch(&flood->sides[side].targets[flood->sides[side].offsets[flood->frontier.items[i]]]);
}

/* Takes vertices of this round, as many as this thread can get. */
HD_FLOOD_INLINE void hd_flood_short_rows(hd_flooder *here, hd_flood_visit out, hd_flood_visit in) {
    hd_flood *flood = here->flood;
    here->spent = 0;
    here->shallow = flood->frontier.end - flood->frontier.begin >= HD_FLOOD_WIDE;
    uint64_t from, to;
    while (hd_frontier_take(&flood->frontier, HD_FLOOD_TAKE, &from, &to) && !hd_cancelled(flood->ctx)) {
        if (out && here->shallow)
            hd_flood_prefetch(flood, HD_FLOOD_OUT, from, to);
        if (in && here->shallow)
            hd_flood_prefetch(flood, HD_FLOOD_IN, from, to);
        for (; from < to; from++) {
            hd_flood_vertex(here, out, in, flood->frontier.items[from]);
            hd_flood_stack(here, out, in);
        }
    }
}

static inline void hd_flood_end_part(hd_flooder *here) {
    hd_finds_flush(&here->finds);
    hd_fetch_add(&here->flood->walked, here->spent);
    hd_advance(here->flood->ctx, here->spent);
}

static inline void hd_flood_record(hd_flood *flood, uint64_t vertices, heddle_direction direction, const char *name) {
    HD_ROUND(flood->ctx, .rounds = 1, .vertices = vertices, .edges = flood->walked - flood->recorded,
             .direction = direction, .kernel = name);
    flood->recorded = flood->walked;
}

/* Returns the size of the next frontier. */
static inline uint64_t hd_flood_end_round(hd_flood *flood) {
    flood->long_count = flood->pieces = 0;
    hd_flood_record(flood, flood->frontier.end - flood->frontier.begin, HEDDLE_DIRECTION_PUSH, flood->name);
    return hd_cancelled(flood->ctx) ? 0 : hd_frontier_slide(&flood->frontier);
}

/* Runs from the current frontier until nothing new is found, or until it holds flood->most vertices: along out-edges
 * with `out`, along in-edges with `in`; either may be NULL. Small rounds stay on the calling thread. */
HD_FLOOD_INLINE heddle_status hd_flood_run(hd_flood *flood, void *self, hd_flood_visit out, hd_flood_visit in) {
    uint64_t left = flood->frontier.end;
    flood->long_count = flood->pieces = 0;
    while (left && left < flood->most) {
        HD_PARALLEL(flood->ctx, if (left >= HD_FLOOD_FEW)) {
            hd_flooder here = {.flood = flood, .self = self};
            hd_finds_begin(&here.finds, &flood->frontier);
            bool together = left >= HD_FLOOD_FEW;
            do {
                hd_flood_short_rows(&here, out, in);
                HD_BARRIER
                hd_flood_long_rows(&here, out, in);
                hd_flood_end_part(&here);
                HD_BARRIER
                HD_SINGLE
                left = hd_flood_end_round(flood);
            } while (left && left < flood->most && (left >= HD_FLOOD_FEW) == together);
        }
    }
    return hd_cancelled_status(flood->ctx);
}

#endif
