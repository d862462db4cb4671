/* bfs_each.c - many breadth-first searches at once, side by side in the bits of words (Then et al.: The More the
 * Merrier: Efficient Multi-Source Graph Traversal, VLDB 2015).
 *
 * A vertex has a block of bits, one per search, in three arrays: searches that have seen it, that reach it in this
 * round, and in the next. One access to an edge serves all searches of a batch. Top-down, the vertices that some search
 * reached pass their bits on; bottom-up, if most edges lead to such vertices, those that some search has not seen
 * collect bits until none is missing. Small rounds run on the calling thread. On deep graphs searches share few
 * vertices: if that is detected, the remaining searches run separately, one per thread.
 */
#include "algorithm/bfs/bfs_each.h"

#include "base/memory.h"
#include "engine/cpu/bitmap.h"
#include "engine/cpu/frontier.h"
#include "engine/in_edges.h"

enum {
    WIDE = 4,         /* words of a block if there are more than 64 sources */
    UP = 4,           /* cost of an edge top-down, relative to bottom-up */
    BUILD = 16,       /* from this many sources on, building in-edges pays */
    UP_ROWS = 1024,   /* vertices taken at a time */
    SETTLE_ROWS = 64, /* likewise */
    DENSE = 16,       /* rounds that reach more than n/16 vertices are written column by column */
    LOOK = 32,        /* after this many rounds, searches with */
    TOGETHER = 4,     /* fewer than 4 set bits per vertex, on average, run separately */
    UPDATE = 1 << 16  /* edges of a separate search between two reports of progress */
};

typedef struct searches {
    heddle_context *ctx;
    uint64_t vertices;
    heddle_adjacency out, in; /* in.offsets NULL: never up */
    uint64_t words;           /* in a block: 1 or WIDE */
    uint64_t *seen, *front, *next;
    uint64_t *listed; /* a bit for each vertex: stands in the next frontier; where one word is not enough */
    uint64_t full[WIDE];
    hd_frontier queue, found; /* this round's vertices and the next one's */
    uint32_t *levels;         /* columns of the batch, or NULL: */
    const hd_distance_sums *sums;
    uint32_t *depths;    /* of the batch's sources, or NULL */
    uint64_t some[WIDE]; /* searches that reach anything in this round, if `depths` are wanted */
    uint64_t near;       /* HD_NEAR / depth */
    bool first;          /* batch */
    uint32_t depth;
    uint64_t edges;         /* of the frontier */
    uint64_t left;          /* edges into vertices that some search has not seen */
    uint64_t entries, bits; /* vertices of all rounds, and of their bits those that were set */
    bool apart;
    uint64_t walked, rounds;
} searches;

static void restart(hd_frontier *frontier) {
    frontier->begin = frontier->end = frontier->tail = frontier->cursor = frontier->big_count = 0;
}

static uint64_t length(const heddle_adjacency *rows, uint64_t v) { return rows->offsets[v + 1] - rows->offsets[v]; }

/* ---- One round --------------------------------------------------------------------------------------------------- */

/* Passes the bits of u to the neighbours that have not seen them. */
static inline __attribute__((always_inline)) void hand_on(searches *s, heddle_vertex u, uint64_t k, uint64_t end,
                                                          hd_finds *finds, uint64_t words) {
    const uint64_t *mine = s->front + u * words;
    for (; k < end; k++) {
        heddle_vertex v = s->out.targets[k];
        uint64_t *to = s->next + v * words, any = 0;
        const uint64_t *seen = s->seen + v * words;
        for (uint64_t w = 0; w < words; w++) {
            uint64_t fresh = mine[w] & ~seen[w];
            if (fresh & ~hd_load(&to[w]))
                any |= !hd_fetch_or(&to[w], fresh); /* one of the first to come */
        }
        if (any && (words == 1 || hd_bit_claim(s->listed, v)) && hd_finds_push(finds, v))
            hd_finds_flush(finds);
    }
}

static void hand_on_one(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds) {
    hand_on(self, u, k, end, finds, 1);
}
static void hand_on_wide(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds) {
    hand_on(self, u, k, end, finds, WIDE);
}

static void go_down(searches *s) {
    HD_PARALLEL(s->ctx, if (s->edges >= HD_FRONTIER_SMALL)) {
        hd_finds finds;
        hd_finds_begin(&finds, &s->found);
        if (s->words == 1)
            hd_frontier_walk(s->ctx, &s->queue, &s->out, hand_on_one, s, &finds);
        else
            hd_frontier_walk(s->ctx, &s->queue, &s->out, hand_on_wide, s, &finds);
        HD_BARRIER
        hd_frontier_walk_big(&s->queue, &s->out, s->words == 1 ? hand_on_one : hand_on_wide, s, &finds);
        hd_finds_flush(&finds);
    }
    s->walked += s->edges;
}

/* Collects the bits of v's in-neighbours that v lacks; false: none. */
static inline __attribute__((always_inline)) bool collect(searches *s, uint64_t v, uint64_t *looked, uint64_t words) {
    uint64_t lacks[WIDE], some[WIDE] = {0}, open = 0, any = 0, k = s->in.offsets[v], end = s->in.offsets[v + 1];
    for (uint64_t w = 0; w < words; w++)
        open |= lacks[w] = s->full[w] & ~s->seen[v * words + w];
    *looked -= k;
    for (; open && k < end; k++) {
        const uint64_t *theirs = s->front + s->in.targets[k] * words;
        open = 0;
        for (uint64_t w = 0; w < words; w++) {
            some[w] |= theirs[w];
            open |= lacks[w] & ~some[w];
        }
    }
    *looked += k;
    for (uint64_t w = 0; w < words; w++)
        any |= s->next[v * words + w] = some[w] & lacks[w];
    return any;
}

static void go_up(searches *s) {
    uint64_t blocks = (s->vertices + UP_ROWS - 1) / UP_ROWS, walked = 0;
    HD_PARALLEL(s->ctx, reduction(+ : walked)) {
        hd_finds finds;
        hd_finds_begin(&finds, &s->found);
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t b = 0; b < blocks; b++) {
            uint64_t end = s->vertices - b * UP_ROWS < UP_ROWS ? s->vertices : (b + 1) * UP_ROWS;
            for (uint64_t v = b * UP_ROWS; v < end; v++)
                if ((s->words == 1 ? collect(s, v, &walked, 1) : collect(s, v, &walked, WIDE)) &&
                    hd_finds_push(&finds, (heddle_vertex)v))
                    hd_finds_flush(&finds);
        }
        hd_finds_flush(&finds);
    }
    s->walked += walked;
}

/* ---- Between rounds ---------------------------------------------------------------------------------------------- */

static void forget(searches *s) {
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (s->queue.end >= HD_FRONTIER_SMALL))
    for (uint64_t i = 0; i < s->queue.end; i++)
        memset(s->front + s->queue.items[i] * s->words, 0, s->words * sizeof *s->front);
}

/* Levels of vertices v .. end, for the searches of word w: columns lie far apart, so one after the other. */
static void write_block(searches *s, uint64_t w, uint64_t v, uint64_t end) {
    uint64_t some = 0;
    for (uint64_t u = v; u < end; u++)
        some |= s->next[u * s->words + w];
    for (; some; some &= some - 1) {
        int bit = __builtin_ctzll(some);
        uint32_t *column = s->levels + (w * 64 + (uint64_t)bit) * s->vertices;
        for (uint64_t u = v; u < end; u++)
            column[u] = s->next[u * s->words + w] >> bit & 1 ? s->depth : column[u];
    }
}

static void write_blocks(searches *s) {
    uint64_t blocks = (s->vertices + UP_ROWS - 1) / UP_ROWS;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1))
    for (uint64_t b = 0; b < blocks; b++)
        for (uint64_t w = 0; w < s->words; w++)
            write_block(s, w, b * UP_ROWS, s->vertices - b * UP_ROWS < UP_ROWS ? s->vertices : (b + 1) * UP_ROWS);
}

/* `count` searches reach the vertex at this depth. */
static void add_up(const hd_distance_sums *sums, uint64_t v, uint64_t count, uint32_t depth, uint64_t near) {
    if (sums->reached)
        sums->reached[v] += (uint32_t)count;
    if (sums->sum)
        sums->sum[v] += count * depth;
    if (sums->far && sums->far[v] < depth)
        sums->far[v] = depth;
    if (sums->near)
        sums->near[v] += (hd_whole)count * near;
}

/* Notes which searches still reach anything. */
static void note_depth(searches *s, uint64_t w, uint64_t fresh) {
    if (fresh & ~hd_load(&s->some[w]))
        hd_fetch_or(&s->some[w], fresh);
}

/* Marks new finds as seen and, with `write`, stores them. Returns whether all searches have seen the vertex. */
static bool settle(searches *s, uint64_t v, bool write, uint64_t *bits) {
    bool all = true;
    uint64_t before = *bits;
    for (uint64_t w = 0; w < s->words; w++) {
        uint64_t at = v * s->words + w, fresh = s->next[at];
        s->next[at] = 0;
        s->front[at] = fresh;
        s->seen[at] |= fresh;
        all = all && s->seen[at] == s->full[w];
        *bits += (uint64_t)__builtin_popcountll(fresh);
        if (s->depths)
            note_depth(s, w, fresh);
        for (; write && fresh; fresh &= fresh - 1)
            s->levels[(w * 64 + (uint64_t)__builtin_ctzll(fresh)) * s->vertices + v] = s->depth;
    }
    if (s->sums && s->depth)
        add_up(s->sums, v, *bits - before, s->depth, s->near);
    return all;
}

static void settle_all(searches *s) {
    uint64_t edges = 0, done = 0, bits = 0, count = s->found.tail;
    bool many = count >= HD_FRONTIER_SMALL / 16, dense = s->levels && many && count > s->vertices / DENSE;
    bool write = s->levels && !dense;
    s->near = s->depth ? HD_NEAR / s->depth : 0;
    memset(s->some, 0, sizeof s->some);
    if (dense)
        write_blocks(s);
    HD_PARALLEL_FOR(s->ctx, if (many) schedule(dynamic, SETTLE_ROWS) reduction(+ : edges, done, bits))
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex v = s->found.items[i];
        edges += length(&s->out, v);
        if (settle(s, v, write, &bits))
            done += length(s->in.offsets ? &s->in : &s->out, v);
        hd_fetch_and(&s->listed[v / 64], ~(UINT64_C(1) << v % 64));
    }
    hd_frontier was = s->queue;
    s->queue = s->found;
    s->found = was;
    s->queue.begin = s->queue.cursor = s->queue.big_count = 0;
    s->queue.end = count;
    restart(&s->found);
    s->edges = edges;
    s->entries += count;
    s->bits += bits;
    s->left -= done < s->left ? done : s->left;
    for (uint64_t w = 0; w < s->words && s->depths; w++)
        for (uint64_t some = s->some[w]; some; some &= some - 1)
            s->depths[w * 64 + (uint64_t)__builtin_ctzll(some)] = s->depth;
}

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

static void start(searches *s, const heddle_vertex *sources, uint64_t count) {
    uint64_t bytes = s->vertices * s->words * sizeof *s->seen;
    memset(s->seen, 0, bytes);
    memset(s->front, 0, bytes);
    memset(s->next, 0, bytes);
    restart(&s->found);
    restart(&s->queue);
    for (uint64_t w = 0; w < WIDE; w++)
        s->full[w] = count >= 64 * (w + 1) ? UINT64_MAX : count <= 64 * w ? 0 : (UINT64_C(1) << (count - 64 * w)) - 1;
    for (uint64_t k = 0; k < count; k++) {
        heddle_vertex v = sources[k];
        if (!hd_bit(s->listed, v))
            s->found.items[s->found.tail++] = v;
        hd_bit_set(s->listed, v);
        s->next[v * s->words + k / 64] |= UINT64_C(1) << k % 64;
    }
    s->depth = 0;
    s->left = s->out.offsets[s->vertices];
    settle_all(s);
}

static heddle_status search(searches *s, const heddle_vertex *sources, uint64_t count) {
    start(s, sources, count);
    while (s->queue.end && !s->apart) {
        uint64_t before = s->walked, active = s->queue.end;
        bool up = s->in.offsets && s->edges * UP > s->left;
        s->depth++;
        if (up)
            go_up(s);
        else
            go_down(s);
        forget(s);
        settle_all(s);
        HD_ROUND(s->ctx, .rounds = 1, .vertices = active, .edges = s->walked - before,
                 .direction = up ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH,
                 .kernel = up ? "bottom-up, together" : "top-down, together");
        hd_advance(s->ctx, 0);
        HD_TRY(hd_cancelled_status(s->ctx));
        s->apart = s->depth == LOOK && count > 1 && s->bits < TOGETHER * s->entries && (!s->sums || s->first);
    }
    s->rounds += s->depth;
    return HEDDLE_OK;
}

/* ---- Apart ------------------------------------------------------------------------------------------------------- */

/* One search, by one thread; returns how many edges it walked. Cancelled, it stops half way. *depth, unless NULL: of
 * the last vertex. */
static uint64_t search_alone(const searches *s, heddle_vertex source, uint32_t *levels, heddle_vertex *queue,
                             uint32_t *depth) {
    uint64_t tail = 1, walked = 0, reported = 0;
    memset(levels, 0xff, s->vertices * sizeof *levels);
    queue[0] = source;
    levels[source] = 0;
    for (uint64_t i = 0; i < tail; i++) {
        heddle_vertex u = queue[i];
        for (uint64_t k = s->out.offsets[u]; k < s->out.offsets[u + 1]; k++) {
            heddle_vertex v = s->out.targets[k];
            if (levels[v] == UINT32_MAX) {
                levels[v] = levels[u] + 1;
                queue[tail++] = v;
            }
        }
        walked += length(&s->out, u);
        if (walked - reported >= UPDATE) {
            if (hd_advance(s->ctx, 0))
                break;
            reported = walked;
        }
    }
    hd_advance(s->ctx, 1);
    if (depth)
        *depth = levels[queue[tail - 1]];
    return walked;
}

static heddle_status search_apart(searches *s, const heddle_vertex *sources, uint64_t count) {
    uint64_t walked = 0, room = s->vertices * (uint64_t)s->ctx->threads;
    heddle_vertex *queues;
    HD_TRY(HD_NEW(s->ctx, &queues, room, "frontiers"));
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) reduction(+ : walked))
    for (uint64_t k = 0; k < count; k++)
        if (!hd_cancelled(s->ctx))
            walked += search_alone(s, sources[k], s->levels + k * s->vertices,
                                   queues + (uint64_t)hd_thread() * s->vertices, NULL);
    s->walked += walked;
    HD_ROUND(s->ctx, .rounds = 1, .vertices = HD_NOT_KNOWN, .edges = walked, .direction = HEDDLE_DIRECTION_PUSH,
             .kernel = "searches apart");
    HD_DELETE(&s->ctx->allocator, queues, room);
    return hd_cancelled_status(s->ctx);
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

static void clear_sums(const searches *s, uint64_t count) {
    const hd_distance_sums *sums = s->sums;
    if (sums->reached)
        memset(sums->reached, 0, s->vertices * sizeof *sums->reached);
    if (sums->sum)
        memset(sums->sum, 0, s->vertices * sizeof *sums->sum);
    if (sums->far)
        memset(sums->far, 0, s->vertices * sizeof *sums->far);
    if (sums->near)
        memset(sums->near, 0, s->vertices * sizeof *sums->near);
    if (sums->depths)
        memset(sums->depths, 0, count * sizeof *sums->depths);
}

static void add_columns(const searches *s, const uint32_t *columns, uint64_t count) {
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (s->vertices >= HD_WORTH_THREADS / 16))
    for (uint64_t v = 0; v < s->vertices; v++)
        for (uint64_t k = 0; k < count; k++) {
            uint32_t depth = columns[k * s->vertices + v];
            if (depth && depth != UINT32_MAX)
                add_up(s->sums, v, 1, depth, s->sums->near ? HD_NEAR / depth : 0);
        }
}

/* As many at a time as there are threads, each with a column of levels. */
static heddle_status sum_apart(searches *s, const hd_sources *sources) {
    uint64_t threads = (uint64_t)s->ctx->threads, room = s->vertices * threads, walked = 0;
    uint32_t *columns = NULL, *depths = s->sums->depths;
    heddle_vertex *queues = NULL;
    heddle_status status;
    clear_sums(s, sources->count);
    HD_CHECK(HD_NEW(s->ctx, &columns, room, "levels"));
    HD_CHECK(HD_NEW(s->ctx, &queues, room, "frontiers"));
    for (uint64_t k = 0; k < sources->count && !hd_cancelled(s->ctx); k += threads) {
        uint64_t count = sources->count - k < threads ? sources->count - k : threads;
        HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) reduction(+ : walked))
        for (uint64_t i = 0; i < count; i++)
            walked += search_alone(s, hd_source_at(sources, k + i), columns + i * s->vertices, queues + i * s->vertices,
                                   depths ? &depths[k + i] : NULL);
        add_columns(s, columns, count);
    }
    s->walked += walked;
    HD_ROUND(s->ctx, .rounds = 1, .vertices = HD_NOT_KNOWN, .edges = walked, .direction = HEDDLE_DIRECTION_PUSH,
             .kernel = "searches apart");
    status = hd_cancelled_status(s->ctx);
out:
    HD_DELETE(&s->ctx->allocator, columns, room);
    HD_DELETE(&s->ctx->allocator, queues, room);
    return status;
}

static heddle_status sum_together(searches *s, const hd_sources *sources) {
    uint64_t batch = s->words * 64;
    for (uint64_t k = 0; k < sources->count && !s->apart; k += batch) {
        heddle_vertex list[64 * WIDE];
        uint64_t count = sources->count - k < batch ? sources->count - k : batch;
        for (uint64_t i = 0; i < count; i++)
            list[i] = hd_source_at(sources, k + i);
        s->first = k == 0;
        s->depths = s->sums->depths ? s->sums->depths + k : NULL;
        HD_TRY(search(s, list, count));
        hd_advance(s->ctx, s->apart ? 0 : count);
    }
    return HEDDLE_OK;
}

static heddle_status open_searches(searches *s, uint64_t edges) {
    uint64_t blocks = s->vertices * s->words;
    HD_TRY(HD_NEW(s->ctx, &s->seen, blocks, "visited vertices"));
    HD_TRY(HD_NEW(s->ctx, &s->front, blocks, "frontier"));
    HD_TRY(HD_NEW(s->ctx, &s->next, blocks, "frontier"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->listed, hd_bitmap_words(s->vertices), "frontier"));
    HD_TRY(hd_frontier_new(s->ctx, &s->queue, s->vertices, edges));
    return hd_frontier_new(s->ctx, &s->found, s->vertices, edges);
}

static void close_searches(searches *s) {
    uint64_t blocks = s->vertices * s->words;
    HD_DELETE(&s->ctx->allocator, s->seen, blocks);
    HD_DELETE(&s->ctx->allocator, s->front, blocks);
    HD_DELETE(&s->ctx->allocator, s->next, blocks);
    HD_DELETE(&s->ctx->allocator, s->listed, hd_bitmap_words(s->vertices));
    hd_frontier_free(s->ctx, &s->queue, s->vertices);
    hd_frontier_free(s->ctx, &s->found, s->vertices);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static heddle_status open_graph(searches *s, const heddle_graph *graph, uint64_t sources, heddle_report *report) {
    double begin = hd_clock();
    HD_TRY(hd_graph_bare(s->ctx, graph, false, &s->out));
    if (hd_in_edges_ready(graph) || sources >= BUILD)
        HD_TRY(hd_graph_bare(s->ctx, graph, true, &s->in));
    report->prepare += hd_clock() - begin;
    return HEDDLE_OK;
}

void hd_bfs_each_figures(heddle_context *ctx, heddle_result *result) {
    const uint32_t *levels = result->values;
    uint64_t reached = 0, all = result->count * result->columns;
    uint32_t most = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : reached) reduction(max : most) if (all >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < all; i++) {
        reached += levels[i] != UINT32_MAX;
        most = levels[i] != UINT32_MAX && levels[i] > most ? levels[i] : most;
    }
    hd_result_figure(result, "sources", (double)result->columns);
    hd_result_figure(result, "reached", (double)reached);
    hd_result_figure(result, "max", most);
}

heddle_status hd_bfs_each(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    uint64_t n = graph->vertices, count = options->source_count, batch;
    searches s = {.ctx = ctx, .vertices = n, .words = count > 64 ? WIDE : 1};
    heddle_status status;
    batch = s.words * 64;
    HD_TRY(hd_result_columns_new(ctx, result, HEDDLE_VALUE_U32, n, options));
    HD_TRY(open_graph(&s, graph, count, &result->report));
    hd_phase_begin(ctx, "compute", count); /* sources */
    HD_CHECK(open_searches(&s, graph->edges));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < count; k++)
        if (!hd_cancelled(ctx))
            memset((uint32_t *)result->values + k * n, 0xff, n * sizeof(uint32_t));
    HD_CHECK(hd_cancelled_status(ctx));
    hd_rounds_mark(ctx);
    for (uint64_t k = 0; k < count; k += s.apart ? count : batch) {
        s.levels = (uint32_t *)result->values + k * n;
        HD_CHECK(search(&s, options->sources + k, count - k < batch ? count - k : batch));
        hd_advance(ctx, s.apart ? 0 : count - k < batch ? count - k : batch);
        if (s.apart)
            HD_CHECK(search_apart(&s, options->sources + k, count - k));
    }
    result->report.iterations = s.rounds;
    result->report.edges_walked = s.walked;
    hd_bfs_each_figures(ctx, result);
    hd_result_figure(result, "batch", s.apart ? 1 : (double)(count < batch ? count : batch));
out:
    hd_phase_end(ctx);
    close_searches(&s);
    return status;
}

heddle_status hd_bfs_sums(const hd_run *run, bool backward, const hd_sources *sources, const hd_distance_sums *sums) {
    heddle_context *ctx = run->ctx;
    heddle_report *report = &run->result->report;
    searches s = {.ctx = ctx, .vertices = run->graph->vertices, .words = sources->count > 64 ? WIDE : 1, .sums = sums};
    heddle_status status;
    HD_TRY(open_graph(&s, run->graph, backward ? BUILD : sources->count, report));
    if (backward) {
        heddle_adjacency out = s.out;
        s.out = s.in;
        s.in = out;
    }
    hd_phase_begin(ctx, "compute", sources->count);
    HD_CHECK(open_searches(&s, run->graph->edges));
    hd_rounds_mark(ctx);
    HD_CHECK(sum_together(&s, sources));
    if (s.apart) {
        close_searches(&s); /* columns take their memory */
        HD_CHECK(sum_apart(&s, sources));
    }
    report->iterations = s.rounds;
    report->edges_walked = s.walked;
out:
    hd_phase_end(ctx);
    close_searches(&s);
    return status;
}

/* Three bits for each search and vertex, two frontiers; searches apart have a column and a queue for each thread. */
uint64_t hd_bfs_sums_bytes(const hd_run *run, uint64_t sources) {
    uint64_t n = run->graph->vertices, together = (sources > 64 ? 3 * 8 * WIDE : 3 * 8) + 2 * sizeof(heddle_vertex);
    uint64_t apart = (sizeof(uint32_t) + sizeof(heddle_vertex)) * (uint64_t)run->ctx->threads;
    return n * (together > apart ? together : apart) + n / 8;
}
