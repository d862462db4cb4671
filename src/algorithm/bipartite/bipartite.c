/* bipartite.c - a side, 0 or 1, for every vertex, such that all edges join different sides; or, if there is none, an
 * odd cycle. The smallest vertex of a component is on side 0, so that sides are unique.
 * Idea: breadth-first levels from the smallest vertex of each component, of all components at once, over the edges of
 * both directions. Sides are the parities of levels. The ends of an edge whose levels have the same parity are on the
 * same level: their paths upwards meet, and close an odd cycle. */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "graph/components.h"

enum {
    FEW = 1 << 10, /* vertices that one thread looks at alone */
    PIECE = 128,   /* vertices that a thread takes at once */
    STEP = 1 << 12
};

typedef struct leveling {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency sides[2]; /* out-edges; in-edges of a directed graph */
    int side_count;
    uint32_t *level; /* UINT32_MAX: not reached yet */
    heddle_vertex *queue;
    uint64_t queued;
} leveling;

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static heddle_status queue_roots(leveling *l) {
    hd_components components;
    heddle_vertex *label = l->queue; /* read at v before the queue, which is never ahead of it, is written there */
    HD_TRY(hd_weak_labels(l->ctx, l->graph->vertices, &l->sides[0], l->side_count > 1 ? &l->sides[1] : &l->sides[0],
                          label, &components));
    for (uint64_t v = 0; v < l->graph->vertices; v++) {
        bool root = label[v] == v;
        l->level[v] = root ? 0 : UINT32_MAX;
        if (root)
            l->queue[l->queued++] = (heddle_vertex)v;
    }
    return hd_cancelled_status(l->ctx);
}

static inline void reach(leveling *l, heddle_vertex w, uint32_t level) {
    uint32_t none = UINT32_MAX;
    if (hd_load(&l->level[w]) == UINT32_MAX && hd_compare_swap(&l->level[w], &none, level))
        l->queue[hd_fetch_add(&l->queued, 1)] = w;
}

static void expand(leveling *l, heddle_vertex v, uint32_t level) {
    for (int k = 0; k < l->side_count; k++) {
        const heddle_adjacency *rows = &l->sides[k];
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            reach(l, rows->targets[e], level);
    }
}

static heddle_status walk_levels(leveling *l, heddle_result *result) {
    uint64_t from = 0;
    hd_rounds_mark(l->ctx);
    for (uint32_t level = 1; from < l->queued; level++) {
        uint64_t to = l->queued;
        HD_PARALLEL_FOR(l->ctx, schedule(dynamic, PIECE) if (to - from > FEW))
        for (uint64_t i = from; i < to; i++)
            if (!hd_advance_each(l->ctx, i, STEP, STEP))
                expand(l, l->queue[i], level);
        HD_TRY(hd_cancelled_status(l->ctx));
        HD_ROUND(l->ctx, .rounds = 1, .vertices = to - from, .edges = HD_NOT_KNOWN, .direction = HEDDLE_DIRECTION_PUSH,
                 .kernel = "levels");
        result->report.iterations++;
        from = to;
    }
    return HEDDLE_OK;
}

/* ---- Odd cycles -------------------------------------------------------------------------------------------------- */

/* The smallest vertex of the lowest level that has an edge to its own level, as level and vertex; UINT64_MAX: none. */
static uint64_t find_odd_edge(const leveling *l) {
    const heddle_adjacency *rows = &l->sides[0];
    uint64_t least = UINT64_MAX, n = l->graph->vertices;
    HD_PARALLEL_FOR(l->ctx, schedule(dynamic, STEP) reduction(min : least) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (hd_advance_each(l->ctx, v, STEP, STEP))
            continue;
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            heddle_vertex w = rows->targets[e];
            uint64_t here = (uint64_t)l->level[v] << 32 | (w < v ? w : v);
            if (l->level[w] == l->level[v] && here < least)
                least = here;
        }
    }
    return least;
}

/* The smallest neighbour on a level, which there is. */
static heddle_vertex neighbour_on(const leveling *l, heddle_vertex v, uint32_t level) {
    heddle_vertex least = UINT32_MAX;
    for (int k = 0; k < l->side_count; k++) {
        const heddle_adjacency *rows = &l->sides[k];
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            if (l->level[rows->targets[e]] == level && rows->targets[e] < least)
                least = rows->targets[e];
    }
    return least;
}

static void put_edge(heddle_result *result, uint64_t k, heddle_vertex from, heddle_vertex to) {
    result->forest_ends[2 * k] = from;
    result->forest_ends[2 * k + 1] = to;
}

/* The cycle of the edge between a and b and their paths upwards, to where these meet: its edges in order, each from
 * where the one before ends. */
static heddle_status close_cycle(const leveling *l, heddle_vertex a, heddle_vertex b, heddle_result *result) {
    heddle_vertex x = a, y = b;
    uint64_t height = 0;
    for (; x != y; height++) {
        x = neighbour_on(l, x, l->level[x] - 1);
        y = neighbour_on(l, y, l->level[y] - 1);
    }
    uint64_t length = 2 * height + 1;
    HD_TRY(hd_result_edges_new(l->ctx, result, length, HEDDLE_WEIGHT_NONE));
    put_edge(result, 0, a, b);
    for (uint64_t k = 0; k < height; k++) {
        x = neighbour_on(l, a, l->level[a] - 1);
        y = neighbour_on(l, b, l->level[b] - 1);
        put_edge(result, 1 + k, b, y);
        put_edge(result, length - 1 - k, x, a);
        a = x;
        b = y;
    }
    return HEDDLE_OK;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_status open_leveling(leveling *l) {
    uint64_t n = l->graph->vertices;
    HD_TRY(hd_graph_bare(l->ctx, l->graph, false, &l->sides[0]));
    if (l->side_count > 1)
        HD_TRY(hd_graph_bare(l->ctx, l->graph, true, &l->sides[1]));
    HD_TRY(HD_NEW(l->ctx, &l->queue, n, "reached vertices"));
    HD_TRY(HD_NEW(l->ctx, &l->level, n, "levels"));
    return queue_roots(l);
}

static heddle_status give_sides(leveling *l, heddle_result *result) {
    uint64_t n = l->graph->vertices, second = 0;
    result->plain = true;
    result->type = HEDDLE_VALUE_U32;
    result->count = n;
    result->values = l->level;
    for (uint64_t v = 0; v < n; v++)
        second += l->level[v] &= 1;
    l->level = NULL;
    hd_result_figure(result, "bipartite", 1);
    hd_result_figure_whole(result, "left", n - second);
    hd_result_figure_whole(result, "right", second);
    return HEDDLE_OK;
}

static heddle_status run_bipartite(const hd_run *run) {
    heddle_result *result = run->result;
    leveling l = {.ctx = run->ctx, .graph = run->graph, .side_count = run->graph->directed ? 2 : 1};
    uint64_t odd;
    heddle_status status;
    hd_phase_begin(l.ctx, "compute", 0);
    HD_CHECK(open_leveling(&l));
    HD_CHECK(walk_levels(&l, result));
    odd = find_odd_edge(&l);
    HD_CHECK(hd_cancelled_status(l.ctx));
    result->report.edges_walked = run->graph->edges * (unsigned)(l.side_count + 1);
    if (odd == UINT64_MAX) {
        status = give_sides(&l, result);
    } else {
        heddle_vertex a = (heddle_vertex)odd;
        HD_CHECK(close_cycle(&l, a, neighbour_on(&l, a, l.level[a]), result));
        hd_result_figure(result, "bipartite", 0);
        hd_result_figure_whole(result, "odd_cycle", result->forest_edges);
    }
out:
    hd_phase_end(l.ctx);
    HD_DELETE(&l.ctx->allocator, l.queue, run->graph->vertices);
    HD_DELETE(&l.ctx->allocator, l.level, run->graph->vertices);
    return status;
}

const hd_algorithm hd_algorithm_bipartite = {
    HD_ALGORITHM_INFO("bipartite", "two sides such that all edges join different ones, or an odd cycle", HD_NO_OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_bipartite}),
    .column = "side",
    .host_bytes = {.vertex = 12},
    .no_order = "sides and cycles depend on the numbers of vertices",
    .cost = {10, 0},
    .reference = hd_reference_bipartite,
    .verify = hd_verify_bipartite,
};
