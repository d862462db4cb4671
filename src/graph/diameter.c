/* diameter.c - a lower bound on the diameter by a few breadth-first sweeps, each from the far end of the one before.
 *
 * One queue holds all levels one after another. Small levels are expanded by the calling thread alone, since a long
 * path may have a million of them; large ones by all threads, and very large ones bottom-up: every unseen vertex looks
 * for a neighbour on the current level (Beamer). A vertex's mark holds the sweep that saw it and the parity of its
 * level; that is enough, since levels of neighbours differ by at most one.
 */
#include "graph/stats.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum {
    SWEEPS = 4,
    CHUNK = 256,           /* vertices of a level handled at a time */
    BLOCK = 4096,          /* vertices of the graph handled at a time, bottom-up */
    BUFFER = 1024,         /* vertices found by a thread before it writes them to the queue */
    SMALL_LEVEL = 1 << 14, /* levels of fewer arcs are expanded by one thread */
    BOTTOM_UP_SHARE = 8    /* bottom-up when a level has more than 1/8 of the arcs left */
};

typedef struct sweep {
    heddle_context *ctx;
    uint64_t vertices;
    const heddle_adjacency *sides[2]; /* out-edges and, when they differ, in-edges */
    unsigned side_count;
    uint64_t arcs; /* of the graph, all sides */
    uint8_t *mark; /* sweep << 1 | parity of the level; sweeps count from 1 */
    uint32_t *queue;
    uint64_t head, tail; /* the current level in the queue; threads append at tail */
    uint8_t now, next;   /* marks of the current and of the next level */
} sweep;

typedef struct finds { /* vertices that a thread found and has not queued yet */
    size_t count;
    uint64_t arcs; /* leaving all vertices it found */
    uint32_t vertex[BUFFER];
} finds;

static uint64_t arcs_of(const sweep *s, uint32_t v) {
    uint64_t arcs = 0;
    for (unsigned k = 0; k < s->side_count; k++)
        arcs += s->sides[k]->offsets[v + UINT64_C(1)] - s->sides[k]->offsets[v];
    return arcs;
}

static void flush(sweep *s, finds *found) {
    uint64_t at = hd_fetch_add(&s->tail, found->count);
    memcpy(s->queue + at, found->vertex, found->count * sizeof *found->vertex);
    found->count = 0;
}

static inline void add(sweep *s, finds *found, uint32_t v) {
    if (found->count == BUFFER)
        flush(s, found);
    found->vertex[found->count++] = v;
    found->arcs += arcs_of(s, v);
}

/* Top-down: all unseen neighbours of v are on the next level. */
static void expand(sweep *s, uint32_t v, finds *found) {
    for (unsigned k = 0; k < s->side_count; k++) {
        const heddle_adjacency *side = s->sides[k];
        uint64_t end = side->offsets[v + UINT64_C(1)];
        for (uint64_t e = side->offsets[v]; e < end; e++) {
            uint32_t u = side->targets[e];
            uint8_t seen = hd_load(&s->mark[u]);
            if (seen >> 1 != s->now >> 1 && hd_compare_swap(&s->mark[u], &seen, s->next))
                add(s, found, u);
        }
    }
}

/* Bottom-up: v is on the next level if a neighbour is on the current one. */
static bool touches_level(const sweep *s, uint32_t v) {
    for (unsigned k = 0; k < s->side_count; k++) {
        const heddle_adjacency *side = s->sides[k];
        uint64_t end = side->offsets[v + UINT64_C(1)];
        for (uint64_t e = side->offsets[v]; e < end; e++) {
            if (hd_load(&s->mark[side->targets[e]]) == s->now)
                return true;
        }
    }
    return false;
}

static void step_alone(sweep *s, uint64_t end, finds *found) {
    for (uint64_t k = s->head; k < end; k++)
        expand(s, s->queue[k], found);
}

static void step_top_down(sweep *s, uint64_t end, finds *found) {
    HD_FOR(schedule(dynamic, 1))
    for (uint64_t from = s->head; from < end; from += CHUNK) {
        uint64_t to = end - from < CHUNK ? end : from + CHUNK;
        if (hd_advance(s->ctx, 0))
            continue;
        for (uint64_t k = from; k < to; k++)
            expand(s, s->queue[k], found);
    }
}

static void step_bottom_up(sweep *s, finds *found) {
    HD_FOR(schedule(dynamic, 1))
    for (uint64_t from = 0; from < s->vertices; from += BLOCK) {
        uint64_t to = s->vertices - from < BLOCK ? s->vertices : from + BLOCK;
        if (hd_advance(s->ctx, 0))
            continue;
        for (uint64_t v = from; v < to; v++) {
            if (hd_load(&s->mark[v]) >> 1 != s->now >> 1 && touches_level(s, (uint32_t)v)) {
                hd_store(&s->mark[v], s->next);
                add(s, found, (uint32_t)v);
            }
        }
    }
}

/* Appends the next level to the queue; returns the number of arcs that leave it. `level` counts the arcs of the current
 * level, `left` those of the vertices that were unseen before it. */
static uint64_t advance_level(sweep *s, uint64_t level, uint64_t left) {
    uint64_t end = s->tail, arcs = 0;
    if (level <= SMALL_LEVEL) {
        finds found;
        found.count = found.arcs = 0;
        step_alone(s, end, &found);
        flush(s, &found);
        return found.arcs;
    }
    /* a bottom-up step visits every vertex: the level must have enough arcs to outweigh that */
    bool bottom_up = level > left / BOTTOM_UP_SHARE && level > s->vertices / 4;
    HD_PARALLEL(s->ctx, reduction(+ : arcs)) {
        finds found;
        found.count = found.arcs = 0;
        if (bottom_up)
            step_bottom_up(s, &found);
        else
            step_top_down(s, end, &found);
        flush(s, &found);
        arcs += found.arcs;
    }
    return arcs;
}

/* One breadth-first search. Returns its depth; *farthest becomes the smallest vertex of the last level. */
static uint64_t search(sweep *s, unsigned number, uint32_t start, uint32_t *farthest) {
    uint64_t depth = 0, level = arcs_of(s, start), left = s->arcs, unreported = 0;
    s->now = (uint8_t)(number << 1);
    s->next = s->now | 1;
    s->queue[0] = start;
    s->mark[start] = s->now;
    s->head = 0;
    s->tail = 1;
    for (;;) {
        uint64_t end = s->tail, next = advance_level(s, level, left);
        if (s->tail == end)
            break;
        depth++;
        left -= level;
        unreported += level + 1;
        level = next;
        s->head = end;
        s->now ^= 1;
        s->next ^= 1;
        if (unreported > SMALL_LEVEL) {
            if (hd_advance(s->ctx, unreported))
                break;
            unreported = 0;
        }
    }
    *farthest = s->queue[s->head];
    for (uint64_t k = s->head + 1; k < s->tail; k++)
        *farthest = s->queue[k] < *farthest ? s->queue[k] : *farthest;
    return depth;
}

heddle_status hd_estimate_diameter(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                   const heddle_adjacency *in, heddle_vertex start, uint64_t *diameter) {
    sweep s = {.ctx = ctx, .vertices = vertices, .sides = {out, in}};
    heddle_status status;

    *diameter = 0;
    if (vertices == 0 || out->offsets[vertices] == 0)
        return HEDDLE_OK;
    s.side_count = in->targets == out->targets ? 1 : 2;
    s.arcs = s.side_count * out->offsets[vertices];
    hd_phase_begin(ctx, "diameter", 0);
    HD_CHECK(HD_NEW_ZERO(ctx, &s.mark, vertices, "marks of vertices"));
    HD_CHECK(HD_NEW(ctx, &s.queue, vertices, "queue of vertices"));
    for (unsigned number = 1; number <= SWEEPS; number++) {
        uint64_t depth = search(&s, number, start, &start);
        HD_CHECK(hd_cancelled_status(ctx));
        if (depth <= *diameter)
            break;
        *diameter = depth;
    }
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, s.queue, vertices);
    HD_DELETE(&ctx->allocator, s.mark, vertices);
    return status;
}
