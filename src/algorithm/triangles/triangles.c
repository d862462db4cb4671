/* triangles.c - counting triangles: for every arc u -> v of the oriented graph, the common entries of the rows of u and
 * v are the third corners.
 * Idea: forward counting in degree order (Schank and Wagner, 2005), here with the row of u prepared once for all its
 * arcs, and each corner credited per arc, not per triangle.
 *
 * Threads take pieces of CHUNK arcs. A piece may begin and end inside a row, so a long row is spread over threads; no
 * arc costs more than sqrt(2m) steps in degree order. Corners with small numbers, the hubs, are in most triangles: each
 * thread counts theirs by itself first.
 */
#include "algorithm/triangles/triangles.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/row_set.h"
#include "graph/rows.h"

#include <math.h>

enum {
    CHUNK = 1024,
    HUBS = 2048,
    AHEAD = 8 /* rows that are fetched before they are needed */
};

typedef struct worker {
    hd_row_set set;
    uint64_t *hubs; /* counts of the first HUBS rows */
    uint64_t walked;
} worker;

typedef struct counting {
    heddle_context *ctx;
    const hd_oriented *o;
    uint64_t *counts;
    worker *workers;
    uint64_t hubs;
    uint64_t next; /* piece */
} counting;

static inline void credit(const counting *c, const worker *w, heddle_vertex row, uint64_t count) {
    if (row < c->hubs)
        w->hubs[row] += count;
    else if (count)
        hd_fetch_add(&c->counts[row], count);
}

/* Rows lie anywhere: their offsets, then their entries, are on the way before they are used. */
static inline void fetch_row(const hd_oriented *o, const heddle_vertex *row, uint32_t i, uint32_t last) {
    if (i + AHEAD >= last)
        return;
    __builtin_prefetch(&o->offsets[row[i + AHEAD]]);
    __builtin_prefetch(&o->lengths[row[i + AHEAD]]);
    __builtin_prefetch(&o->targets[o->offsets[row[i + AHEAD / 2]]]);
}

/* The arcs [first, last) of row u: its two corners at once, the third ones at the end. */
static void count_arcs(const counting *c, worker *w, heddle_vertex u, uint32_t first, uint32_t last) {
    const hd_oriented *o = c->o;
    const heddle_vertex *row = o->targets + o->offsets[u];
    const uint8_t *both = o->both ? o->both + o->offsets[u] : NULL;
    uint64_t sum = 0;
    hd_row_set_take(&w->set, row, both, last); /* third corners come before the second */
    for (uint32_t i = first; i < last; i++) {
        heddle_vertex v = row[i];
        fetch_row(o, row, i, last);
        const heddle_vertex *other = o->targets + o->offsets[v];
        uint32_t length = o->lengths[v];
        uint64_t at_u = 0, at_v;
        if (both)
            at_v = hd_row_set_meet_arcs(&w->set, other, o->both + o->offsets[v], length, i, 1 + both[i], &at_u);
        else
            at_u = at_v = hd_row_set_meet(&w->set, other, length, i);
        credit(c, w, v, at_v);
        sum += at_u;
        w->walked += length;
    }
    credit(c, w, u, sum);
    const uint32_t *tally = hd_row_set_tally(&w->set);
    for (uint32_t i = 0; i < last; i++)
        credit(c, w, row[i], tally[i]);
    hd_row_set_drop(&w->set);
}

static void count_piece(const counting *c, worker *w, uint64_t from, uint64_t to) {
    const hd_oriented *o = c->o;
    for (uint64_t u = hd_row_of(o->offsets, o->vertices, from); u < o->vertices && o->offsets[u] < to; u++) {
        uint64_t begin = o->offsets[u], end = begin + o->lengths[u];
        uint32_t first = from > begin ? (uint32_t)(from - begin) : 0;
        uint32_t last = (uint32_t)((end < to ? end : to) - begin);
        if (last > first && last > 1)
            count_arcs(c, w, (heddle_vertex)u, first, last);
    }
}

static void count_all(counting *c) {
    uint64_t arcs = c->o->stored, pieces = arcs / CHUNK + (arcs % CHUNK != 0);
    HD_PARALLEL(c->ctx, if (arcs >= HD_WORTH_THREADS)) {
        worker *w = &c->workers[hd_thread()];
        uint64_t piece;
        while ((piece = hd_fetch_add(&c->next, 1)) < pieces && !hd_advance(c->ctx, CHUNK))
            count_piece(c, w, piece * CHUNK, (piece + 1) * CHUNK < arcs ? (piece + 1) * CHUNK : arcs);
    }
}

static heddle_status open_workers(counting *c) {
    const hd_oriented *o = c->o;
    bool table = o->names && hd_row_set_wants_table(c->ctx, o->vertices, o->stored, o->longest);
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->workers, (uint64_t)c->ctx->threads, "threads"));
    for (int t = 0; t < c->ctx->threads; t++) {
        HD_TRY(hd_row_set_open(c->ctx, o->vertices, o->longest, table, &c->workers[t].set));
        HD_TRY(HD_NEW_ZERO(c->ctx, &c->workers[t].hubs, HUBS, "counts of hubs"));
    }
    return HEDDLE_OK;
}

static void close_workers(counting *c, uint64_t *walked) {
    for (int t = 0; c->workers && t < c->ctx->threads; t++) {
        worker *w = &c->workers[t];
        for (uint64_t r = 0; w->hubs && r < c->hubs; r++)
            c->counts[r] += w->hubs[r];
        *walked += w->walked;
        hd_row_set_close(c->ctx, &w->set);
        HD_DELETE(&c->ctx->allocator, w->hubs, HUBS);
    }
    HD_DELETE(&c->ctx->allocator, c->workers, (uint64_t)c->ctx->threads);
}

heddle_status hd_triangles_count(heddle_context *ctx, const hd_oriented *o, uint64_t *counts, uint64_t *walked) {
    counting c = {.ctx = ctx, .o = o, .counts = counts, .hubs = o->vertices < HUBS ? o->vertices : HUBS};
    heddle_status status = open_workers(&c);
    if (status == HEDDLE_OK) {
        count_all(&c);
        status = hd_cancelled_status(ctx);
    }
    close_workers(&c, walked);
    return status;
}

/* Counts of rows, renamed, to those of vertices. */
static heddle_status count_renamed(heddle_context *ctx, const hd_oriented *o, uint64_t *counts, uint64_t *walked) {
    uint64_t *rows;
    HD_TRY(HD_NEW_ZERO(ctx, &rows, o->vertices, "triangles by row"));
    heddle_status status = hd_triangles_count(ctx, o, rows, walked);
    HD_PARALLEL_FOR(ctx, schedule(static) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < o->vertices; r++)
        counts[o->names[r]] = rows[r];
    HD_DELETE(&ctx->allocator, rows, o->vertices);
    return status;
}

static heddle_status count_in(const hd_run *run, const hd_simple *simple, uint64_t *counts) {
    heddle_context *ctx = run->ctx;
    uint64_t n = simple->vertices, *walked = &run->result->report.edges_walked;
    hd_oriented o;
    heddle_status status;
    HD_CHECK(hd_oriented_open(ctx, simple, &o));
    hd_phase_total(ctx, o.stored);
    if (!o.names)
        HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        counts[v] = 0;
    hd_rounds_mark(ctx);
    status = o.names ? count_renamed(ctx, &o, counts, walked) : hd_triangles_count(ctx, &o, counts, walked);
    *walked += 2 * simple->edges; /* orienting and taking rows */
    HD_ROUND(ctx, .rounds = 1, .vertices = n, .edges = *walked, .kernel = o.names ? "degree order" : "own order");
out:
    hd_oriented_close(ctx, &o);
    return status;
}

heddle_status hd_triangles_of(const hd_run *run, bool arcs, uint64_t *counts, uint32_t *degrees) {
    heddle_context *ctx = run->ctx;
    hd_simple simple;
    heddle_status status;
    HD_CHECK(hd_simple_open(ctx, run->graph, arcs, &simple));
    HD_CHECK(count_in(run, &simple, counts));
    for (uint64_t v = 0; v < simple.vertices && degrees; v++)
        degrees[v] = (uint32_t)(simple.offsets[v + 1] - simple.offsets[v]);
out:
    hd_simple_close(ctx, &simple);
    return status;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Adds the degrees up, as offsets: edges of both directions, which the run merges, count each. */
static heddle_status sum_degrees(heddle_context *ctx, const heddle_graph *graph, uint64_t *offsets) {
    uint64_t n = graph->vertices;
    heddle_adjacency out;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        offsets[v] = out.offsets[v + 1] - out.offsets[v];
    if (graph->directed)
        HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < graph->edges; e++)
        if (out.targets[e] < n) /* of a file that has not been checked yet */
            hd_fetch_add(&offsets[out.targets[e]], 1);
    hd_prefix_sum(ctx, offsets, n);
    return HEDDLE_OK;
}

static uint64_t longest_of(const uint64_t *offsets, uint64_t n) {
    uint64_t longest = 0;
    for (uint64_t v = 0; v < n; v++)
        longest = offsets[v + 1] - offsets[v] > longest ? offsets[v + 1] - offsets[v] : longest;
    return longest < UINT32_MAX ? longest : UINT32_MAX;
}

/* Renaming sorts vertices by degree, then rows; then threads count: one after the other. In degree order no row is
 * longer than sqrt(2 * stored). */
static double oriented_bytes(const hd_run *run, bool arcs, const uint64_t *offsets) {
    const heddle_graph *graph = run->graph;
    uint64_t n = graph->vertices, stored = graph->directed ? graph->edges : graph->edges / 2;
    uint64_t threads = (uint64_t)run->ctx->threads, longest = longest_of(offsets, n), sorting = (n + longest + 1) * 8;
    bool renames = hd_oriented_renames(run->ctx, n, offsets), table = false;
    if (renames) {
        uint64_t root = (uint64_t)sqrt(2 * (double)stored) + 1;
        longest = longest < root ? longest : root;
        table = hd_row_set_wants_table(run->ctx, n, stored, (uint32_t)longest);
    }
    uint64_t workers = threads * (sizeof(worker) + HUBS * 8 + hd_row_set_bytes(n, (uint32_t)longest, table));
    if (!renames)
        return (double)workers;
    uint64_t keys = threads * longest * 16, rows = stored * (arcs && graph->directed ? 5 : 4);
    uint64_t counting = rows + (workers > keys ? workers : keys);
    return (double)(n * 20 + 8 + (counting > sorting ? counting : sorting));
}

heddle_status hd_triangles_bytes(const hd_run *run, bool arcs, double *bytes) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices, simple, *offsets;
    heddle_status status;
    HD_TRY(hd_simple_bytes(ctx, run->graph, arcs, &simple));
    HD_TRY(HD_NEW(ctx, &offsets, n + 1, "degrees"));
    HD_CHECK(sum_degrees(ctx, run->graph, offsets));
    *bytes = (double)(simple + n * 4) + oriented_bytes(run, arcs, offsets);
out:
    HD_DELETE(&ctx->allocator, offsets, n + 1);
    return status;
}
