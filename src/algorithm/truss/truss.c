/* truss.c - truss numbers: the largest k for which an edge lies in a subgraph in which every edge is in at least k - 2
 * triangles, of the simple undirected graph underneath (Cohen, 2008).
 * By peeling edges (engine/cpu/peel.h) by the triangles that they have left: an edge that is removed takes one from
 * both others of each triangle whose edges are all still there.
 *
 * Triangles are counted from rows that lead to vertices of more neighbours only, and found again for every edge that
 * is removed, from the shorter of its two rows. Rows lose the edges that are gone when these are a quarter of them, so
 * that edges of the dense middle, which go last, are looked for in short rows.
 */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/peel.h"
#include "graph/rows.h"
#include "graph/simple.h"

enum {
    STEP = 64, /* vertices that a thread takes at once */
    SHARE = 4  /* rows are shortened when 1/SHARE of their edges is gone */
};

static const uint64_t most_edges = UINT32_MAX - 1;

/* Rows that ascend, with the number of the edge of each entry. */
typedef struct edge_rows {
    const uint64_t *offsets;
    uint64_t *ends; /* of the rows: they may be shorter than their room */
    heddle_vertex *targets;
    uint32_t *number;
    uint64_t room;
} edge_rows;

typedef struct trusses {
    heddle_context *ctx;
    hd_simple simple;
    edge_rows rows;            /* of edges that are still there */
    const heddle_vertex *ends; /* two per edge; edges ascend by both, the smaller first */
    hd_peel peel;              /* left: triangles */
    uint64_t shortened;        /* edges that were gone when rows were shortened last */
} trusses;

/* The first entry in [from, to), a part of a row, whose target is `wanted` or above. */
static uint64_t find_entry(const heddle_vertex *targets, uint64_t from, uint64_t to, heddle_vertex wanted) {
    uint64_t step = 1;
    while (from + step < to && targets[from + step] < wanted) { /* often it is near */
        from += step;
        step *= 2;
    }
    uint64_t end = from + step < to ? from + step : to;
    return from + hd_row_find(targets + from, end - from, wanted);
}

/* ---- Triangles of an edge ---------------------------------------------------------------------------------------- */

/* Entries of a third vertex in the rows of both ends of an edge, and where these rows end. */
typedef struct thirds {
    uint64_t a, a_end, b, b_end;
} thirds;

static thirds thirds_of(const edge_rows *r, heddle_vertex u, heddle_vertex v) {
    bool turn = r->ends[u] - r->offsets[u] > r->ends[v] - r->offsets[v];
    heddle_vertex shorter = turn ? v : u, longer = turn ? u : v;
    return (thirds){r->offsets[shorter], r->ends[shorter], r->offsets[longer], r->ends[longer]};
}

static bool next_third(const edge_rows *r, thirds *s) {
    for (; s->a < s->a_end; s->a++) {
        s->b = find_entry(r->targets, s->b, s->b_end, r->targets[s->a]);
        if (s->b == s->b_end)
            return false;
        if (r->targets[s->b] == r->targets[s->a])
            return true;
    }
    return false;
}

/* A triangle counts for the edge of it that is removed first. */
static void remove_edge(hd_peel *p, uint64_t i, uint32_t k, hd_peel_finds *next) {
    const trusses *t = p->job;
    uint64_t edge = p->queue[i];
    thirds s = thirds_of(&t->rows, t->ends[2 * edge], t->ends[2 * edge + 1]);
    for (; next_third(&t->rows, &s); s.a++, s.b++) {
        uint32_t x = t->rows.number[s.a], y = t->rows.number[s.b];
        if (hd_load(&p->place[x]) < i || hd_load(&p->place[y]) < i)
            continue;
        hd_peel_lower(p, x, k, next);
        hd_peel_lower(p, y, k, next);
    }
}

/* Between two levels, when every edge that has a place in the queue is gone. */
static void shorten_rows(hd_peel *p) {
    trusses *t = p->job;
    edge_rows *r = &t->rows;
    if (p->queued - t->shortened < (p->items - t->shortened) / SHARE)
        return;
    t->shortened = p->queued;
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) if (t->simple.vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < t->simple.vertices; v++) {
        uint64_t end = r->offsets[v];
        for (uint64_t e = end; e < r->ends[v]; e++)
            if (p->place[r->number[e]] == UINT32_MAX) {
                r->targets[end] = r->targets[e];
                r->number[end++] = r->number[e];
            }
        r->ends[v] = end;
    }
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

static heddle_status open_rows(heddle_context *ctx, uint64_t vertices, const uint64_t *offsets, edge_rows *r) {
    r->offsets = offsets;
    r->room = offsets[vertices];
    HD_TRY(HD_NEW(ctx, &r->ends, vertices, "ends of rows"));
    HD_TRY(HD_NEW(ctx, &r->targets, r->room, "rows of edges"));
    return HD_NEW(ctx, &r->number, r->room, "numbers of edges");
}

static void close_rows(heddle_context *ctx, uint64_t vertices, edge_rows *r) {
    HD_DELETE(&ctx->allocator, r->ends, vertices);
    HD_DELETE(&ctx->allocator, r->targets, r->room);
    HD_DELETE(&ctx->allocator, r->number, r->room);
}

/* Edges lead to the end of more neighbours; of as many, to the larger one. */
static bool leads(const hd_simple *g, heddle_vertex u, heddle_vertex v) {
    uint64_t a = g->offsets[u + 1] - g->offsets[u], b = g->offsets[v + 1] - g->offsets[v];
    return a != b ? a < b : u < v;
}

static heddle_status open_upward(const trusses *t, uint64_t *offsets, edge_rows *up) {
    const hd_simple *g = &t->simple;
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (g->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->vertices; v++) {
        offsets[v] = 0;
        for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
            offsets[v] += leads(g, (heddle_vertex)v, g->targets[e]);
    }
    hd_prefix_sum(t->ctx, offsets, g->vertices);
    HD_TRY(open_rows(t->ctx, g->vertices, offsets, up));
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (g->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->vertices; v++) {
        uint64_t end = offsets[v];
        for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
            if (leads(g, (heddle_vertex)v, g->targets[e])) {
                up->targets[end] = g->targets[e];
                up->number[end++] = t->rows.number[e];
            }
        up->ends[v] = end;
    }
    return HEDDLE_OK;
}

/* Every triangle has one edge from its first vertex to its second, and is found there. */
static void count_at(uint32_t *left, const edge_rows *up, uint64_t v) {
    for (uint64_t e = up->offsets[v]; e < up->ends[v]; e++) {
        thirds s = thirds_of(up, (heddle_vertex)v, up->targets[e]);
        uint32_t count = 0;
        for (; next_third(up, &s); s.a++, s.b++, count++) {
            hd_fetch_add(&left[up->number[s.a]], 1);
            hd_fetch_add(&left[up->number[s.b]], 1);
        }
        if (count)
            hd_fetch_add(&left[up->number[e]], count);
    }
}

static heddle_status count_triangles(trusses *t) {
    uint64_t n = t->simple.vertices, *offsets;
    edge_rows up = {0};
    heddle_status status;
    HD_TRY(HD_NEW(t->ctx, &offsets, n + 1, "rows of edges"));
    HD_CHECK(open_upward(t, offsets, &up));
    HD_PARALLEL_FOR(t->ctx, schedule(static) if (t->peel.items >= HD_WORTH_THREADS))
    for (uint64_t edge = 0; edge < t->peel.items; edge++)
        t->peel.left[edge] = 0;
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(t->ctx, v, STEP, STEP))
            count_at(t->peel.left, &up, v);
    status = hd_cancelled_status(t->ctx);
out:
    close_rows(t->ctx, n, &up);
    HD_DELETE(&t->ctx->allocator, offsets, n + 1);
    return status;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

/* Numbers the edges, and lists their ends. */
static heddle_status number_edges(trusses *t, heddle_result *result) {
    const hd_simple *g = &t->simple;
    uint32_t *number = t->rows.number;
    uint64_t n = g->vertices, *first;
    HD_TRY(HD_NEW(t->ctx, &first, n + 1, "edges of rows"));
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) { /* neighbours above v come last in its row */
        uint64_t begin = g->offsets[v], count = g->offsets[v + 1] - begin;
        first[v] = count - hd_row_find(g->targets + begin, count, (heddle_vertex)v);
        t->rows.ends[v] = begin + count;
    }
    hd_prefix_sum(t->ctx, first, n);
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t edge = first[v + 1];
        for (uint64_t e = g->offsets[v + 1]; edge-- > first[v];) {
            number[--e] = (uint32_t)edge;
            result->forest_ends[2 * edge] = (heddle_vertex)v;
            result->forest_ends[2 * edge + 1] = g->targets[e];
        }
    }
    HD_PARALLEL_FOR(t->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
            heddle_vertex u = t->rows.targets[e] = g->targets[e];
            if (u < v)
                number[e] = number[hd_row_arc(g->offsets, g->targets, u, (heddle_vertex)v)];
        }
    HD_DELETE(&t->ctx->allocator, first, n + 1);
    return HEDDLE_OK;
}

static heddle_status open_trusses(trusses *t, const hd_run *run) {
    heddle_result *result = run->result;
    HD_TRY(hd_simple_open(t->ctx, run->graph, false, &t->simple));
    uint64_t edges = t->simple.edges / 2;
    if (edges > most_edges)
        return hd_fail(t->ctx, HEDDLE_E_REFUSED, "truss takes at most %llu edges: the graph has %llu",
                       (unsigned long long)most_edges, (unsigned long long)edges);
    HD_TRY(open_rows(t->ctx, t->simple.vertices, t->simple.offsets, &t->rows));
    HD_TRY(hd_result_edges_new(t->ctx, result, edges, HEDDLE_WEIGHT_U32));
    HD_TRY(number_edges(t, result));
    t->ends = result->forest_ends;
    t->peel = (hd_peel){.ctx = t->ctx,
                        .items = edges,
                        .left = result->forest_weights,
                        .remove = remove_edge,
                        .begin = shorten_rows,
                        .kernel = "peel",
                        .job = t,
                        .placed = true};
    HD_TRY(count_triangles(t));
    return hd_peel_open(&t->peel);
}

/* Of the triangles that edges had when they were removed. */
static void finish(const trusses *t, heddle_result *result) {
    uint32_t *number = t->peel.left, most = 0;
    uint64_t inside = 0;
    HD_PARALLEL_FOR(t->ctx, schedule(static) reduction(max : most) if (t->peel.items >= HD_WORTH_THREADS))
    for (uint64_t edge = 0; edge < t->peel.items; edge++) {
        number[edge] += 2;
        most = number[edge] > most ? number[edge] : most;
    }
    HD_PARALLEL_FOR(t->ctx, schedule(static) reduction(+ : inside) if (t->peel.items >= HD_WORTH_THREADS))
    for (uint64_t edge = 0; edge < t->peel.items; edge++)
        inside += number[edge] == most;
    hd_result_figure_whole(result, "max", most);
    hd_result_figure_whole(result, "innermost", inside);
}

static heddle_status run_truss(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    trusses t = {.ctx = ctx};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_trusses(&t, run));
    HD_CHECK(hd_peel_run(&t.peel, &run->result->report));
    run->result->report.edges_walked = t.simple.edges;
    finish(&t, run->result);
out:
    hd_phase_end(ctx);
    hd_peel_close(&t.peel);
    close_rows(ctx, t.simple.vertices, &t.rows);
    hd_simple_close(ctx, &t.simple);
    return status;
}

/* Per edge: two entries in rows, of 8 bytes, both ends and the truss number, and either a third entry or its place in
 * four lists. */
static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    uint64_t simple;
    HD_TRY(hd_simple_bytes(run->ctx, run->graph, false, &simple));
    *bytes = (double)simple + (double)run->graph->edges * (run->graph->directed ? 44 : 22);
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_truss = {
    HD_ALGORITHM_INFO("truss",
                      "truss numbers: the largest k for which an edge is in a subgraph of k - 2 triangles at each",
                      HD_NO_OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_truss}),
    .host_bytes = {.vertex = 16, .more = more_host_bytes},
    .no_order = "rows are edges",
    .cost = {10, 0},
    .reference = hd_reference_truss,
    .verify = hd_verify_truss,
};
