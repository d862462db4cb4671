/* levels_up.c - bottom-up rounds: unvisited vertices look for an in-neighbour in the frontier and stop at the first.
 *
 * In-neighbours ascend, so the first one is the smallest valid parent. Threads own whole words of the bitmaps and need
 * no atomics.
 */
#include "operator/levels_search.h"

enum {
    WORDS = 16, /* taken at a time */
    OPEN = WORDS * 64,
    LOOKS = 4,
    LIKELY = 4,
    BLOCK = 8,  /* in-edges that a vertex looks at together */
    SECOND = 12 /* those from here on lie in the next cache line, more often than not */
};

typedef struct tally {
    uint64_t size, edges, walked;
} tally;

static inline void settle(hd_bfs_search *s, uint64_t v, heddle_vertex parent, tally *t) {
    s->levels[v] = s->depth;
    if (s->parents)
        s->parents[v] = parent;
    hd_bit_set(s->visited, v);
    hd_bit_set(s->next, v);
    t->size++;
    t->edges += hd_degree(&s->out, v);
}

/* Number of in-edges that are checked for all vertices of a word together, before the vertices are processed one by
 * one. That pays if the first few are likely to hit: if a large share of all edges leaves the frontier. */
static inline int looks(const hd_bfs_search *s) { return s->edges > s->out.offsets[s->vertices] / LIKELY ? LOOKS : 0; }

/* The first of the in-edges k .. end that comes from the frontier, or end. Some are looked at together, so that there
 * is less to guess. */
static inline uint64_t seek(const hd_bfs_search *s, uint64_t k, uint64_t end) {
    uint64_t all = s->in.offsets[s->vertices];
    for (; k < end && k + BLOCK <= all; k += BLOCK) {
        unsigned hits = 0;
        for (unsigned j = 0; j < BLOCK; j++)
            hits |= (unsigned)hd_bit(s->front, s->in.targets[k + j]) << j;
        if (hits) {
            k += (unsigned)__builtin_ctz(hits);
            break;
        }
    }
    while (k < end && !hd_bit(s->front, s->in.targets[k]))
        k++;
    return k < end ? k : end;
}

/* A vertex that still looks for a parent, from in-edge k on. */
typedef struct seeker {
    heddle_vertex vertex;
    uint64_t k, end;
} seeker;

/* Looks at in-edges from the seeker's k on, to the end. */
static inline void look_up(hd_bfs_search *s, const seeker *who, tally *t) {
    uint64_t stop = who->end - who->k > HD_FRONTIER_BIG && s->queue.big_room ? who->k + HD_FRONTIER_BIG : who->end;
    uint64_t k = seek(s, who->k, stop);
    t->walked += k - who->k;
    if (k < stop)
        settle(s, who->vertex, s->in.targets[k], t);
    else if (stop < who->end)
        hd_frontier_aside(&s->queue, who->vertex, hd_degree(&s->in, who->vertex));
}

/* Looks at one in-edge of each; those who found nothing and have more stay, and their number is returned. Whether an
 * edge comes from the frontier is as good as random, so nothing branches on it. */
static uint64_t look_once(hd_bfs_search *s, seeker *seekers, uint64_t count, tally *t) {
    heddle_vertex found[OPEN], parents[OPEN];
    uint64_t finds = 0, left = 0;
    for (uint64_t i = 0; i < count; i++) {
        seeker who = seekers[i];
        heddle_vertex u = s->in.targets[who.k++];
        bool hit = hd_bit(s->front, u);
        found[finds] = who.vertex;
        parents[finds] = u;
        finds += hit;
        seekers[left] = who;
        left += !hit & (who.k < who.end);
    }
    t->walked += count;
    for (uint64_t i = 0; i < finds; i++)
        settle(s, found[i], parents[i], t);
    return left;
}

/* Rows begin anywhere in memory, so those of all open vertices are requested before the first is read. */
static void look_up_words(hd_bfs_search *s, uint64_t word, uint64_t end, tally *t) {
    seeker seekers[OPEN];
    uint64_t count = 0;
    int first = looks(s);
    for (; word < end; word++) {
        uint64_t bits = ~s->visited[word];
        if (word == s->words - 1 && s->vertices % 64)
            bits &= (UINT64_C(1) << s->vertices % 64) - 1;
        for (; bits; bits &= bits - 1) {
            uint64_t v = word * 64 + (uint64_t)__builtin_ctzll(bits);
            seeker who = {(heddle_vertex)v, s->in.offsets[v], s->in.offsets[v + 1]};
            __builtin_prefetch(&s->in.targets[who.k]);
            if (!first)
                __builtin_prefetch(&s->in.targets[who.k] + SECOND);
            seekers[count] = who;
            count += who.k < who.end;
            s->visited[word] |= who.k < who.end ? 0 : bits & -bits; /* nothing leads there */
        }
        s->next[word] = 0;
    }
    for (int i = 0; i < first; i++)
        count = look_once(s, seekers, count, t);
    for (uint64_t i = 0; i < count; i++)
        look_up(s, &seekers[i], t);
}

static tally look_up_share(hd_bfs_search *s) {
    tally t = {0, 0, 0};
    uint64_t word;
    while ((word = hd_fetch_add(&s->cursor, WORDS)) < s->words && !hd_cancelled(s->ctx))
        look_up_words(s, word, s->words - word < WORDS ? s->words : word + WORDS, &t);
    return t;
}

/* A thread's share of the vertices set aside, whose first in-edges were in vain. */
static void look_up_big_share(hd_bfs_search *s) {
    uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
    for (uint64_t i = 0; i < s->queue.big_count; i++) {
        heddle_vertex v = s->queue.big[i];
        uint64_t first = s->in.offsets[v] + (uint64_t)looks(s) + HD_FRONTIER_BIG, rest = s->in.offsets[v + 1] - first;
        uint64_t end = first + hd_split(rest, parts, part + 1), k = seek(s, first + hd_split(rest, parts, part), end);
        if (k < end)
            hd_lower(&s->big_hits[i], s->in.targets[k]);
    }
}

static void look_up_big(hd_bfs_search *s, tally *t) {
    for (uint64_t i = 0; i < s->queue.big_count; i++)
        s->big_hits[i] = HD_BFS_NONE;
    HD_PARALLEL(s->ctx)
    look_up_big_share(s);
    for (uint64_t i = 0; i < s->queue.big_count; i++) {
        heddle_vertex v = s->queue.big[i];
        t->walked += hd_degree(&s->in, v) - HD_FRONTIER_BIG - (uint64_t)looks(s);
        if (s->big_hits[i] != HD_BFS_NONE)
            settle(s, v, s->big_hits[i], t);
    }
}

void hd_bfs_up(hd_bfs_search *s) {
    uint64_t size = 0, edges = 0, walked = 0;
    s->cursor = s->queue.big_count = 0;
    HD_PARALLEL(s->ctx, reduction(+ : size, edges, walked) if (s->words > WORDS)) {
        tally t = look_up_share(s);
        size += t.size;
        edges += t.edges;
        walked += t.walked;
    }
    tally all = {size, edges, walked};
    if (s->queue.big_count)
        look_up_big(s, &all);
    uint64_t *front = s->front;
    s->front = s->next;
    s->next = front;
    s->size = all.size;
    s->edges = all.edges;
    s->walked += all.walked;
}

static void visit_by_level(hd_bfs_search *s, uint64_t from, uint64_t to) {
    for (uint64_t w = from; w < to; w++) {
        uint64_t end = s->vertices - w * 64 < 64 ? s->vertices - w * 64 : 64, bits = 0;
        for (uint64_t i = 0; i < end; i++)
            bits |= (uint64_t)(s->levels[w * 64 + i] != HD_BFS_NONE) << i;
        s->visited[w] = bits;
    }
}

void hd_bfs_to_bits(hd_bfs_search *s) {
    HD_PARALLEL(s->ctx, if (s->vertices >= HD_WORTH_THREADS)) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        uint64_t from = hd_split(s->words, parts, part), to = hd_split(s->words, parts, part + 1);
        memset(s->front + from, 0, (to - from) * sizeof *s->front);
        if (s->parents)
            visit_by_level(s, from, to);
        HD_BARRIER
        to = s->queue.begin + hd_split(s->size, parts, part + 1);
        for (uint64_t i = s->queue.begin + hd_split(s->size, parts, part); i < to; i++)
            hd_bit_claim(s->front, s->queue.items[i]);
    }
    hd_frontier_slide(&s->queue);
}

void hd_bfs_to_queue(hd_bfs_search *s) {
    HD_PARALLEL(s->ctx, if (s->vertices >= HD_WORTH_THREADS)) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        hd_finds finds;
        hd_finds_begin(&finds, &s->queue);
        for (uint64_t w = hd_split(s->words, parts, part); w < hd_split(s->words, parts, part + 1); w++)
            for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
                if (hd_finds_push(&finds, (heddle_vertex)(w * 64 + (uint64_t)__builtin_ctzll(bits))))
                    hd_finds_flush(&finds);
        hd_finds_flush(&finds);
    }
    hd_frontier_slide(&s->queue);
}
