/* bfs_down.c - the frontier looks for vertices that were not visited yet.
 *
 * Visited or not is one bit, which stays in the cache where a level would not. With parents all vertices of the
 * frontier that lead to v compete, and the smallest wins; then v's level decides, because it tells this round's
 * finds, for which the competition is open, from older ones.
 */
#include "algorithm/bfs_search.h"

/* On one thread. Most tests of an edge come out as if at random, so nothing branches on them. */
static uint64_t walk_alone(hd_bfs_search *s) {
    heddle_vertex *items = s->queue.items;
    uint64_t *visited = s->visited, tail = s->queue.tail, edges = 0;
    for (uint64_t i = s->queue.begin; i < s->queue.end; i++) {
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
    for (uint64_t i = s->queue.tail; i < tail; i++) {
        s->levels[items[i]] = s->depth;
        edges += hd_degree(&s->out, items[i]);
    }
    s->queue.tail = tail;
    return edges;
}

static uint64_t walk_alone_with_parents(hd_bfs_search *s) {
    heddle_vertex *items = s->queue.items, *parents = s->parents;
    uint32_t *levels = s->levels, depth = s->depth;
    uint64_t tail = s->queue.tail, edges = 0;
    for (uint64_t i = s->queue.begin; i < s->queue.end; i++) {
        heddle_vertex u = items[i];
        uint64_t k = s->out.offsets[u], end = s->out.offsets[u + 1];
        hd_frontier_prefetch(&s->queue, &s->out, i);
        if (hd_frontier_aside(&s->queue, u, end - k))
            continue;
        for (; k < end; k++) {
            heddle_vertex v = s->out.targets[k], parent = parents[v];
            uint32_t level = levels[v];
            items[tail] = v;
            tail += level == HD_BFS_NONE;
            level = level == HD_BFS_NONE ? depth : level;
            levels[v] = level;
            parents[v] = level == depth && u < parent ? u : parent;
        }
    }
    for (uint64_t i = s->queue.tail; i < tail; i++) {
        hd_bit_set(s->visited, items[i]);
        edges += hd_degree(&s->out, items[i]);
    }
    s->queue.tail = tail;
    return edges;
}

/* Makes v part of the next frontier unless it was visited; true for the one thread that did. */
static inline bool claim(hd_bfs_search *s, heddle_vertex u, heddle_vertex v) {
    if (!s->parents)
        return !hd_bit_shared(s->visited, v) && hd_bit_claim(s->visited, v);
    uint32_t level = hd_load(&s->levels[v]);
    bool first = level == HD_BFS_NONE && hd_compare_swap(&s->levels[v], &level, s->depth);
    if (first || level == s->depth)
        hd_lower(&s->parents[v], u);
    return first;
}

/* A thread's share of a round. */
typedef struct share {
    hd_finds finds;
    hd_bfs_search *search;
    uint64_t edges; /* out-edges of all it found */
} share;

/* Writes down what the thread found, apart from claiming it: an atomic operation waits for all earlier stores, and
 * these miss the cache. */
static void write_down(share *mine) {
    hd_bfs_search *s = mine->search;
    for (uint64_t i = 0; i < mine->finds.count; i++) {
        heddle_vertex v = mine->finds.items[i];
        if (s->parents)
            hd_bit_claim(s->visited, v);
        else
            s->levels[v] = s->depth;
        mine->edges += hd_degree(&s->out, v);
    }
    hd_finds_flush(&mine->finds);
}

static inline void walk(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds) {
    share *mine = self;
    for (; k < end; k++) {
        heddle_vertex v = mine->search->out.targets[k];
        if (claim(mine->search, u, v) && hd_finds_push(finds, v))
            write_down(mine);
    }
}

static uint64_t walk_share(hd_bfs_search *s, bool big) {
    share mine;
    mine.search = s;
    mine.edges = 0;
    hd_finds_begin(&mine.finds, &s->queue);
    if (big)
        hd_frontier_walk_big(&s->queue, &s->out, walk, &mine, &mine.finds);
    else
        hd_frontier_walk(s->ctx, &s->queue, &s->out, walk, &mine, &mine.finds);
    write_down(&mine);
    return mine.edges;
}

void hd_bfs_down(hd_bfs_search *s) {
    uint64_t edges = 0;
    s->walked += s->edges;
    if (s->edges < HD_FRONTIER_SMALL || s->ctx->threads == 1) {
        edges = s->parents ? walk_alone_with_parents(s) : walk_alone(s);
    } else {
        HD_PARALLEL(s->ctx, reduction(+ : edges))
        edges += walk_share(s, false);
    }
    if (s->queue.big_count) {
        HD_PARALLEL(s->ctx, reduction(+ : edges))
        edges += walk_share(s, true);
    }
    s->edges = edges;
    s->size = hd_frontier_slide(&s->queue);
}
