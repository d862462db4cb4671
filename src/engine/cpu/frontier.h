/* frontier.h - the frontier of a search, and balanced processing of its edges.
 *
 * A queue slides from round to round: items[begin .. end) is the current frontier, new vertices are appended. Threads
 * take a few vertices at a time; a vertex of very many edges is set aside, and once the queue is empty all threads
 * share its row. Each thread collects its finds in its own buffer and reserves room for all of them at once. The caller
 * makes sure that a vertex is pushed once, so that room for every vertex is enough.
 */
#ifndef HD_ENGINE_CPU_FRONTIER_H
#define HD_ENGINE_CPU_FRONTIER_H

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum {
    HD_FINDS = 512,            /* vertices in a thread's buffer */
    HD_TAKE = 64,              /* vertices taken at a time */
    HD_FRONTIER_BIG = 1 << 14, /* vertices of more edges are set aside */
    HD_FRONTIER_SMALL = 16384, /* rounds of fewer edges are faster on one thread */
    HD_FRONTIER_AHEAD = 8      /* vertices between prefetching a row and reading it */
};

typedef struct hd_frontier {
    heddle_vertex *items; /* room for all vertices and one more, for branch-free loops that write first */
    uint64_t begin, end;
    uint64_t tail;      /* where the next round's vertices end; shared */
    uint64_t cursor;    /* the next vertex that no thread has taken; shared */
    heddle_vertex *big; /* set aside this round */
    uint64_t big_room;  /* 0 with one thread: nothing is set aside */
    uint64_t big_count; /* shared */
} hd_frontier;

typedef struct hd_finds {
    hd_frontier *frontier;
    uint64_t count;
    heddle_vertex items[HD_FINDS];
} hd_finds;

static inline heddle_status hd_frontier_new(heddle_context *ctx, hd_frontier *frontier, uint64_t vertices,
                                            uint64_t edges) {
    *frontier = (hd_frontier){.big_room = ctx->threads > 1 ? edges / HD_FRONTIER_BIG + 1 : 0};
    HD_TRY(HD_NEW(ctx, &frontier->items, vertices + 1, "frontier"));
    return HD_NEW(ctx, &frontier->big, frontier->big_room, "frontier");
}

static inline void hd_frontier_free(heddle_context *ctx, hd_frontier *frontier, uint64_t vertices) {
    HD_DELETE(&ctx->allocator, frontier->items, vertices + 1);
    HD_DELETE(&ctx->allocator, frontier->big, frontier->big_room);
}

static inline void hd_finds_begin(hd_finds *finds, hd_frontier *frontier) {
    finds->frontier = frontier;
    finds->count = 0;
}

/* Appends a thread's finds to the queue. */
static inline void hd_finds_flush(hd_finds *finds) {
    uint64_t place = hd_fetch_add(&finds->frontier->tail, finds->count);
    memcpy(finds->frontier->items + place, finds->items, finds->count * sizeof *finds->items);
    finds->count = 0;
}

/* True if the buffer is full after this: flush it before the next one. */
static inline bool hd_finds_push(hd_finds *finds, heddle_vertex v) {
    finds->items[finds->count++] = v;
    return finds->count == HD_FINDS;
}

/* The finds become the frontier; returns its size. */
static inline uint64_t hd_frontier_slide(hd_frontier *frontier) {
    frontier->begin = frontier->cursor = frontier->end;
    frontier->end = frontier->tail;
    frontier->big_count = 0;
    return frontier->end - frontier->begin;
}

/* Takes up to `most` vertices of this round, at positions *from .. *to; false if none are left. */
static inline bool hd_frontier_take(hd_frontier *frontier, uint64_t most, uint64_t *from, uint64_t *to) {
    uint64_t place = hd_fetch_add(&frontier->cursor, most);
    if (place >= frontier->end)
        return false;
    *from = place;
    *to = frontier->end - place < most ? frontier->end : place + most;
    return true;
}

/* Sets a vertex aside if it has very many edges. */
static inline bool hd_frontier_aside(hd_frontier *frontier, heddle_vertex v, uint64_t edges) {
    if (edges <= HD_FRONTIER_BIG || !frontier->big_room)
        return false;
    frontier->big[hd_fetch_add(&frontier->big_count, 1)] = v;
    return true;
}

/* Prefetches the row of a vertex a little after position i. */
static inline void hd_frontier_prefetch(const hd_frontier *frontier, const heddle_adjacency *rows, uint64_t i) {
    if (i + HD_FRONTIER_AHEAD < frontier->end)
        __builtin_prefetch(&rows->targets[rows->offsets[frontier->items[i + HD_FRONTIER_AHEAD]]]);
}

/* Processes edges k .. end of u. */
typedef void (*hd_walk_fn)(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds);

/* One thread's part of processing the frontier; inlined, so that `walk` is too. */
static inline __attribute__((always_inline)) void hd_frontier_walk(const heddle_context *ctx, hd_frontier *frontier,
                                                                   const heddle_adjacency *rows, hd_walk_fn walk,
                                                                   void *self, hd_finds *finds) {
    uint64_t i, stop;
    while (hd_frontier_take(frontier, HD_TAKE, &i, &stop) && !hd_cancelled(ctx))
        for (; i < stop; i++) {
            heddle_vertex u = frontier->items[i];
            uint64_t k = rows->offsets[u], end = rows->offsets[u + 1];
            hd_frontier_prefetch(frontier, rows, i);
            if (!hd_frontier_aside(frontier, u, end - k))
                walk(self, u, k, end, finds);
        }
}

/* One thread's part of the rows that were set aside. */
static inline void hd_frontier_walk_big(const hd_frontier *frontier, const heddle_adjacency *rows, hd_walk_fn walk,
                                        void *self, hd_finds *finds) {
    uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
    for (uint64_t i = 0; i < frontier->big_count; i++) {
        heddle_vertex u = frontier->big[i];
        uint64_t first = rows->offsets[u], edges = rows->offsets[u + 1] - first;
        walk(self, u, first + hd_split(edges, parts, part), first + hd_split(edges, parts, part + 1), finds);
    }
}

#endif
