/* levels_down.c - top-down rounds: the frontier looks for unvisited vertices.
 *
 * Visited is one bit per vertex, in a bitmap that fits in the cache where an array of levels would not. Threads do not
 * race for vertices: each first puts candidates into bins by ranges of vertices, then takes whole ranges and processes
 * the candidates of all threads there. That is cheaper than it seems: an atomic operation on a word that another core
 * wrote last costs more. With parents, every frontier vertex with an edge to v is a candidate, and the smallest wins;
 * then v's level is tested instead of the bitmap, because it distinguishes this round's finds from older ones.
 */
#include "operator/levels_search.h"

enum {
    BATCH = 1 << 17, /* edges per thread between two phases that process the bins */
    MANY = 256,      /* finds */
    OFTEN = 1024     /* vertices between two checks of the cancel flag */
};

/* Out-edges of the vertices found, which decide the next direction: if there are many, estimated from every eighth,
 * because looking up all degrees would cost as much as finding the vertices. */
static uint64_t edges_of(const hd_bfs_search *s, const heddle_vertex *found, uint64_t count) {
    uint64_t edges = 0, step = count < MANY ? 1 : 8;
    for (uint64_t i = 0; i < count; i += step)
        edges += hd_degree(&s->out, found[i]);
    return edges * step;
}

/* On one thread. The outcome of a test is unpredictable, so the loop is branch-free. */
static uint64_t walk_alone(hd_bfs_search *s) {
    heddle_vertex *items = s->queue.items;
    uint64_t *visited = s->visited, tail = s->queue.tail, first = tail;
    for (uint64_t i = s->queue.begin; i < s->queue.end && !(i % OFTEN == 0 && hd_cancelled(s->ctx)); i++) {
        uint64_t k = s->out.offsets[items[i]], end = s->out.offsets[items[i] + 1];
        hd_frontier_prefetch(&s->queue, &s->out, i);
        if (hd_frontier_aside(&s->queue, items[i], end - k))
            continue;
        for (; k < end; k++) {
            heddle_vertex v = s->out.targets[k];
            uint64_t word = visited[v / 64], bit = UINT64_C(1) << (v % 64);
            items[tail] = v;
            tail += !(word & bit);
            visited[v / 64] = word | bit;
        }
    }
    for (uint64_t i = first; i < tail; i++)
        s->levels[items[i]] = s->depth;
    s->queue.tail = tail;
    return edges_of(s, items + first, tail - first);
}

static uint64_t walk_alone_with_parents(hd_bfs_search *s) {
    heddle_vertex *items = s->queue.items, *parents = s->parents;
    uint32_t *levels = s->levels, depth = s->depth;
    uint64_t tail = s->queue.tail, first = tail;
    for (uint64_t i = s->queue.begin; i < s->queue.end && !(i % OFTEN == 0 && hd_cancelled(s->ctx)); i++) {
        heddle_vertex u = items[i];
        uint64_t k = s->out.offsets[u], end = s->out.offsets[u + 1];
        hd_frontier_prefetch(&s->queue, &s->out, i);
        if (hd_frontier_aside(&s->queue, u, end - k))
            continue;
        for (; k < end; k++) {
            heddle_vertex v = s->out.targets[k];
            if (levels[v] < depth)
                continue;
            items[tail] = v;
            tail += levels[v] == HD_BFS_NONE;
            levels[v] = depth;
            parents[v] = u < parents[v] ? u : parents[v];
        }
    }
    s->queue.tail = tail;
    return edges_of(s, items + first, tail - first);
}

/* ---- All threads ----------------------------------------------------------------------------------------------- */

/* With parents also what an earlier batch of this round found. */
static inline void offer(const hd_bfs_search *s, hd_bins *bins, heddle_vertex u, uint64_t k, uint64_t end) {
    for (; k < end; k++) {
        heddle_vertex v = s->out.targets[k];
        if (s->parents ? s->levels[v] >= s->depth : !hd_bit(s->visited, v))
            hd_bins_put(bins, v >> s->range_shift, v, u);
    }
}

/* Goes through a part of the frontier. */
static void offer_batch(hd_bfs_search *s, hd_bins *bins) {
    uint64_t i, stop, edges = 0;
    if (hd_cancelled(s->ctx))
        hd_store(&s->queue.cursor, s->queue.end);
    while (edges < BATCH && hd_frontier_take(&s->queue, HD_TAKE, &i, &stop))
        for (; i < stop; i++) {
            heddle_vertex u = s->queue.items[i];
            uint64_t k = s->out.offsets[u], end = s->out.offsets[u + 1];
            hd_frontier_prefetch(&s->queue, &s->out, i);
            if (hd_frontier_aside(&s->queue, u, end - k))
                continue;
            offer(s, bins, u, k, end);
            edges += end - k;
        }
}

/* Goes through this thread's share of vertices set aside, from place i on; returns where it stopped, which is the same
 * for all threads. */
static uint64_t offer_big(hd_bfs_search *s, hd_bins *bins, uint64_t i) {
    uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread(), edges = 0;
    for (; i < s->queue.big_count && edges < BATCH * parts; i++) {
        heddle_vertex u = s->queue.big[i];
        uint64_t first = s->out.offsets[u], degree = hd_degree(&s->out, u);
        offer(s, bins, u, first + hd_split(degree, parts, part), first + hd_split(degree, parts, part + 1));
        edges += degree;
    }
    return i;
}

/* Writes down what was found and makes it part of the next frontier; returns its out-edges. */
static uint64_t write_down(hd_bfs_search *s, hd_finds *finds) {
    uint64_t edges = edges_of(s, finds->items, finds->count);
    for (uint64_t i = 0; i < finds->count; i++)
        s->levels[finds->items[i]] = s->depth;
    hd_finds_flush(finds);
    return edges;
}

static uint64_t settle_chunk(hd_bfs_search *s, const hd_chunk *chunk, hd_finds *finds) {
    uint64_t edges = 0;
    for (uint64_t i = 0; i < chunk->count; i++) {
        heddle_vertex v = chunk->entries[i].vertex, u = chunk->entries[i].label;
        bool seen = s->parents ? s->levels[v] == s->depth : hd_bit(s->visited, v);
        if (s->parents)
            s->parents[v] = u < s->parents[v] ? u : s->parents[v];
        if (seen)
            continue;
        if (s->parents)
            s->levels[v] = s->depth;
        else
            hd_bit_set(s->visited, v);
        if (hd_finds_push(finds, v))
            edges += write_down(s, finds);
    }
    return edges;
}

/* Processes ranges until none is left; each belongs to one thread. */
static uint64_t settle(hd_bfs_search *s, hd_bins *own) {
    uint64_t range, edges = 0;
    hd_finds finds;
    hd_finds_begin(&finds, &s->queue);
    while ((range = hd_fetch_add(&s->cursor, 1)) < s->ranges)
        for (int t = 0; t < s->ctx->threads; t++)
            for (hd_chunk *chunk = hd_chain_take(&s->bins[t].near[range]), *next; chunk; chunk = next) {
                next = chunk->next;
                edges += settle_chunk(s, chunk, &finds);
                hd_chunk_recycle(own, chunk);
            }
    return edges + write_down(s, &finds);
}

/* One thread's part of a round. Between the barriers no thread takes from the queue, so all see the same state and make
 * the same decision. */
static uint64_t walk_together(hd_bfs_search *s, bool queued) {
    hd_bins *own = &s->bins[hd_thread()];
    uint64_t edges = 0, big = 0;
    while (queued || big < s->queue.big_count) {
        hd_store(&s->cursor, 0);
        if (queued)
            offer_batch(s, own);
        else
            big = offer_big(s, own, big);
        HD_BARRIER
        queued = hd_load(&s->queue.cursor) < s->queue.end;
        edges += settle(s, own);
        HD_BARRIER
    }
    return edges;
}

void hd_bfs_down(hd_bfs_search *s) {
    uint64_t edges = 0;
    s->walked += s->edges; /* the frontier's out-edges, if only by estimate */
    bool alone = s->edges < HD_FRONTIER_SMALL || s->ctx->threads == 1;
    if (alone)
        edges = s->parents ? walk_alone_with_parents(s) : walk_alone(s);
    if (!alone || s->queue.big_count) {
        HD_PARALLEL(s->ctx, reduction(+ : edges))
        edges += walk_together(s, !alone);
    }
    s->edges = edges;
    s->size = hd_frontier_slide(&s->queue);
}
