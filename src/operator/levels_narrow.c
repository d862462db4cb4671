/* levels_narrow.c - many small top-down rounds in a row, as in road networks, with one barrier per round (base/team.h).
 *
 * Every thread keeps its finds in its own buffer; the next frontier is the concatenation of all buffers, divided
 * evenly. So a thread mostly continues with vertices that it found itself, whose cache lines others have not written,
 * and can afford an atomic operation per vertex. Rounds of very few edges are left to the first thread, while the
 * others wait.
 */
#include "operator/levels_search.h"

enum {
    FROM = 1 << 10, /* edges of a round from which on a team pays */
    TO = 1 << 15,   /* larger rounds are faster with bins */
    ALONE = 1 << 9, /* smaller rounds are processed by one thread */
    QUIET = 64,     /* this many of them in a row end the team */
    AHEAD = HD_FRONTIER_AHEAD
};

/* Words that threads exchange at a barrier. */
enum {
    FINDS,   /* vertices in the thread's buffer, */
    BUFFER,  /* its index, */
    EDGES,   /* and their out-edges */
    ROUNDS,  /* since the last meeting: */
    REACHED, /* vertices found */
    SEEN,    /* and their out-edges */
    STOP,    /* the first thread's word */
    WORDS
};

/* One thread's view; all threads have the same depth, size, edges, unseen, reached. */
typedef struct narrow {
    hd_bfs_search *s;
    hd_mate mate;
    heddle_vertex *buffers[2];
    uint64_t buffer; /* where finds go next */
    bool first;      /* the frontier is still the queue */
    uint32_t depth;
    uint64_t size, edges, unseen, reached;
    uint64_t summary[WORDS];
} narrow;

heddle_status hd_bfs_narrow_new(hd_bfs_search *s) {
    s->team_room = s->vertices < TO ? s->vertices : TO;
    HD_TRY(hd_team_new(s->ctx, &s->team));
    return HD_NEW(s->ctx, &s->team_finds, 2 * s->team.room * s->team_room, "frontier");
}

void hd_bfs_narrow_free(hd_bfs_search *s) {
    HD_DELETE(&s->ctx->allocator, s->team_finds, 2 * s->team.room * s->team_room);
    hd_team_free(s->ctx, &s->team);
}

bool hd_bfs_narrow_pays(const hd_bfs_search *s) {
    return s->team_finds && !s->crowded && s->edges >= FROM && s->edges < TO;
}

static heddle_vertex *buffer_of(const hd_bfs_search *s, uint64_t thread, uint64_t which) {
    return s->team_finds + (2 * thread + which) * s->team_room;
}

/* ---- One round --------------------------------------------------------------------------------------------------- */

/* Is v new? True for one caller. */
static inline bool visit(hd_bfs_search *s, heddle_vertex v, uint32_t depth) {
    if (hd_bit_shared(s->visited, v) || !hd_bit_claim(s->visited, v))
        return false;
    s->levels[v] = depth;
    return true;
}

/* The same, and u may become its parent. */
static inline bool visit_from(hd_bfs_search *s, heddle_vertex u, heddle_vertex v, uint32_t depth) {
    uint32_t level = hd_load(&s->levels[v]);
    if (level < depth)
        return false;
    bool is_new = level == HD_BFS_NONE && hd_compare_swap(&s->levels[v], &level, depth);
    hd_lower(&s->parents[v], u);
    return is_new;
}

static inline __attribute__((always_inline)) void walk_kind(narrow *n, const heddle_vertex *items, uint64_t count,
                                                            const bool parents) {
    hd_bfs_search *s = n->s;
    heddle_vertex *found = n->buffers[n->buffer];
    uint64_t finds = n->summary[FINDS];
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex u = items[i];
        if (i + AHEAD < count)
            __builtin_prefetch(&s->out.targets[s->out.offsets[items[i + AHEAD]]]);
        for (uint64_t k = s->out.offsets[u]; k < s->out.offsets[u + 1]; k++) {
            heddle_vertex v = s->out.targets[k];
            if (parents ? visit_from(s, u, v, n->depth) : visit(s, v, n->depth))
                found[finds++] = v;
        }
    }
    n->summary[FINDS] = finds;
}

static void walk(narrow *n, const heddle_vertex *items, uint64_t count) {
    if (n->s->parents)
        walk_kind(n, items, count, true);
    else
        walk_kind(n, items, count, false);
}

/* Ends a round of this thread. */
static void count_round(narrow *n) {
    const heddle_vertex *found = n->buffers[n->buffer];
    uint64_t edges = 0;
    for (uint64_t i = 0; i < n->summary[FINDS]; i++)
        edges += hd_degree(&n->s->out, found[i]);
    n->summary[EDGES] = edges;
    n->summary[BUFFER] = n->buffer;
    n->summary[ROUNDS]++;
    n->summary[REACHED] += n->summary[FINDS];
    n->summary[SEEN] += edges;
    n->buffer ^= 1;
}

/* Walks places from .. to of the frontier. */
static void walk_places(narrow *n, uint64_t from, uint64_t to) {
    uint64_t begin = 0;
    if (n->first)
        walk(n, n->s->queue.items + n->s->queue.begin + from, to - from);
    for (uint64_t t = 0; !n->first && t < n->mate.count && begin < to; t++) {
        const uint64_t *summary = hd_team_words(&n->mate, t);
        uint64_t end = begin + summary[FINDS], low = from > begin ? from : begin, high = to < end ? to : end;
        if (low < high)
            walk(n, buffer_of(n->s, t, summary[BUFFER]) + (low - begin), high - low);
        begin = end;
    }
    count_round(n);
}

/* ---- Many rounds --------------------------------------------------------------------------------------------- */

/* The first thread walks the frontier, and goes on while rounds are very small. */
static void walk_alone(narrow *n) {
    walk_places(n, 0, n->size);
    while (n->summary[FINDS] && n->summary[EDGES] < ALONE && n->summary[ROUNDS] < QUIET && n->depth < n->s->most) {
        uint64_t count = n->summary[FINDS];
        n->depth++;
        n->summary[FINDS] = 0;
        walk(n, n->buffers[n->buffer ^ 1], count);
        count_round(n);
    }
}

/* The first thread decides for all. */
static void lead(narrow *n) {
    hd_bfs_search *s = n->s;
    uint64_t vertices = n->size + n->summary[REACHED] - n->summary[FINDS],
             edges = n->edges + n->summary[SEEN] - n->summary[EDGES];
    s->walked += edges;
    HD_ROUND(s->ctx, .rounds = n->summary[ROUNDS], .vertices = vertices, .edges = edges,
             .direction = HEDDLE_DIRECTION_PUSH, .kernel = "top-down, narrow");
    if (s->walked - s->reported >= HD_BFS_UPDATE)
        hd_bfs_report(s);
    s->crowded = hd_team_crowded(&n->mate);
    n->summary[STOP] = s->crowded || n->summary[ROUNDS] == QUIET || hd_cancelled(s->ctx);
}

/* Reads the words of all threads after a barrier; false at the end. */
static bool listen(narrow *n, uint32_t depth) {
    uint64_t seen = 0;
    n->size = n->edges = 0;
    for (uint64_t t = 0; t < n->mate.count; t++) {
        const uint64_t *summary = hd_team_words(&n->mate, t);
        n->size += summary[FINDS];
        n->edges += summary[EDGES];
        n->reached += summary[REACHED];
        seen += summary[SEEN];
    }
    const uint64_t *first = hd_team_words(&n->mate, 0);
    n->first = false;
    n->depth = depth + (uint32_t)first[ROUNDS];
    n->unseen -= seen < n->unseen ? seen : n->unseen;
    return n->size && n->depth <= n->s->most && n->edges < TO && !first[STOP] &&
           !hd_bfs_turns_up(n->s, n->edges, n->unseen);
}

static bool go_on(narrow *n) {
    uint64_t parts = n->mate.count, self = n->mate.self;
    uint32_t depth = n->depth;
    memset(n->summary, 0, sizeof n->summary);
    if (n->edges >= ALONE)
        walk_places(n, hd_split(n->size, parts, self), hd_split(n->size, parts, self + 1));
    else if (self == 0)
        walk_alone(n);
    if (self == 0)
        lead(n);
    hd_team_meet(&n->mate, n->summary, WORDS);
    return listen(n, depth);
}

/* Puts this thread's finds into the queue. */
static void put_back(const narrow *n) {
    heddle_vertex *to = n->s->queue.items + n->s->queue.end;
    for (uint64_t t = 0; t < n->mate.self; t++)
        to += hd_team_words(&n->mate, t)[FINDS];
    memcpy(to, n->buffers[n->summary[BUFFER]], n->summary[FINDS] * sizeof *to);
}

static void narrow_share(hd_bfs_search *s, narrow *end) {
    narrow n = {.s = s, .mate = hd_team_join(&s->team), .first = true, .depth = s->depth};
    n.size = s->size;
    n.edges = s->edges;
    n.unseen = s->unseen;
    n.reached = s->reached;
    for (uint64_t k = 0; k < 2; k++)
        n.buffers[k] = buffer_of(s, n.mate.self, k);
    while (go_on(&n)) {
    }
    put_back(&n);
    if (n.mate.self == 0)
        *end = n;
}

void hd_bfs_narrow(hd_bfs_search *s) {
    narrow end = {.s = s};
    hd_team_ready(&s->team);
    HD_PARALLEL(s->ctx)
    narrow_share(s, &end);
    s->depth = end.depth;
    s->edges = end.edges;
    s->unseen = end.unseen;
    s->reached = end.reached;
    s->queue.tail += end.size;
    s->size = hd_frontier_slide(&s->queue);
}
