/* levels.c - breadth-first search that changes direction (Beamer, Asanović, Patterson: Direction-Optimizing BFS, 2012).
 *
 * Top-down (levels_down.c), the vertices of the frontier look for unvisited neighbours; bottom-up (levels_up.c),
 * unvisited vertices look for a neighbour in the frontier and stop at the first, which skips most edges once the
 * frontier is large. Bottom-up needs in-edges: those of a directed graph are used if they exist, but never built,
 * because that costs more than visiting all out-edges. Small rounds run on the calling thread alone, so that a long
 * path costs little more than following it; many medium ones in a row on threads that spin between rounds
 * (levels_narrow.c).
 */
#include "operator/levels.h"

#include "base/memory.h"
#include "engine/in_edges.h"
#include "operator/levels_search.h"

enum {
    BETA = 18, /* top-down again when the frontier shrinks and is below 1/BETA of the vertices */
    RANGES = 8 /* of vertices for each thread, top-down */
};

/* One round, bottom-up or not. */
static void one_round(hd_bfs_search *s, bool was_up, bool up) {
    uint64_t size = s->size, walked = s->walked;
    if (up && !was_up)
        hd_bfs_to_bits(s);
    else if (was_up && !up)
        hd_bfs_to_queue(s);
    if (up)
        hd_bfs_up(s);
    else
        hd_bfs_down(s);
    s->unseen -= s->edges < s->unseen ? s->edges : s->unseen;
    s->reached += s->size;
    s->depth++;
    HD_ROUND(s->ctx, .rounds = 1, .vertices = size, .edges = s->walked - walked,
             .direction = up ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH, .kernel = up ? "bottom-up" : "top-down");
}

static heddle_status search(hd_bfs_search *s) {
    uint64_t last_size = 0;
    bool up = false;
    hd_rounds_mark(s->ctx);
    while (s->size && s->depth <= s->most) {
        bool was_up = up;
        up = was_up ? s->size >= last_size || s->size > s->vertices / BETA : hd_bfs_turns_up(s, s->edges, s->unseen);
        last_size = s->size;
        if (!up && !was_up && hd_bfs_narrow_pays(s))
            hd_bfs_narrow(s);
        else
            one_round(s, was_up, up);
        if (up || s->walked - s->reported >= HD_BFS_UPDATE)
            hd_bfs_report(s);
        if (s->bins)
            HD_TRY(hd_bins_status(s->ctx, s->bins));
        HD_TRY(hd_cancelled_status(s->ctx));
    }
    return HEDDLE_OK;
}

static void fill_none(heddle_context *ctx, uint32_t *words, uint64_t count) {
    HD_PARALLEL(ctx, if (count >= HD_WORTH_THREADS)) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        uint64_t from = hd_split(count, parts, part), to = hd_split(count, parts, part + 1);
        memset(words + from, 0xff, (to - from) * sizeof *words);
    }
}

static void start(hd_bfs_search *s, const hd_levels_from *from) {
    fill_none(s->ctx, s->levels, s->vertices);
    if (s->parents)
        fill_none(s->ctx, s->parents, s->vertices);
    for (uint64_t i = 0; i < from->source_count; i++) {
        heddle_vertex v = from->sources[i];
        if (s->levels[v] == 0)
            continue;
        s->levels[v] = 0;
        hd_bit_set(s->visited, v);
        s->queue.items[s->queue.tail++] = v;
        s->edges += hd_degree(&s->out, v);
    }
    s->size = s->reached = hd_frontier_slide(&s->queue);
    s->unseen = s->out.offsets[s->vertices] - s->edges;
    s->depth = 1;
}

/* Several ranges per thread, for load balance; none so small that two share a cache line of the visited bitmap. */
static void choose_ranges(hd_bfs_search *s) {
    uint64_t most = (uint64_t)s->ctx->threads * RANGES;
    most = most < HD_BINS_NEAR ? most : HD_BINS_NEAR;
    for (s->range_shift = 9; s->vertices >> s->range_shift >= most; s->range_shift++) {
    }
    s->ranges = (s->vertices >> s->range_shift) + 1;
}

heddle_status hd_levels(heddle_context *ctx, const heddle_graph *graph, const hd_levels_from *from, uint32_t *levels,
                        heddle_vertex *parents, heddle_report *report, uint64_t *reached) {
    uint64_t n = graph->vertices, words = hd_bitmap_words(n);
    hd_bfs_search s = {.ctx = ctx,
                       .vertices = n,
                       .words = words,
                       .levels = levels,
                       .parents = parents,
                       .most = from->most && from->most < HD_BFS_NONE ? (uint32_t)from->most : HD_BFS_NONE};
    heddle_status status;
    *reached = 0;
    HD_CHECK(hd_graph_bare(ctx, graph, false, &s.out));
    if (hd_in_edges_ready(graph))
        HD_CHECK(hd_graph_bare(ctx, graph, true, &s.in));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.visited, words, "visited vertices"));
    HD_CHECK(HD_NEW(ctx, &s.front, words, "frontier"));
    HD_CHECK(HD_NEW(ctx, &s.next, words, "frontier"));
    HD_CHECK(hd_frontier_new(ctx, &s.queue, n, graph->edges));
    HD_CHECK(HD_NEW(ctx, &s.big_hits, s.queue.big_room, "frontier"));
    if (ctx->threads > 1) {
        HD_CHECK(hd_bins_new(ctx, &s.bins));
        HD_CHECK(hd_bfs_narrow_new(&s));
    }
    choose_ranges(&s);
    hd_phase_begin(ctx, "compute", 0);
    start(&s, from);
    status = search(&s);
    *reached = s.reached;
    report->iterations += s.depth - 1;
    report->edges_walked += s.walked;
    hd_phase_end(ctx);
out:
    HD_DELETE(&ctx->allocator, s.visited, words);
    HD_DELETE(&ctx->allocator, s.front, words);
    HD_DELETE(&ctx->allocator, s.next, words);
    HD_DELETE(&ctx->allocator, s.big_hits, s.queue.big_room);
    hd_frontier_free(ctx, &s.queue, n);
    hd_bins_free(ctx, &s.bins);
    hd_bfs_narrow_free(&s);
    return status;
}
