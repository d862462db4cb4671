/* kcore.c - core numbers: the largest k for which a vertex lies in a subgraph in which all have at least k neighbours,
 * of the simple undirected graph underneath.
 * Idea: peeling (Matula and Beck, 1983). For k = 0, 1, 2 …: vertices with k neighbours left are removed, and those that
 * drop to k thereby, until none is left; their core number is k.
 *
 * Removed vertices go to one queue, in which each has a place once. What was added in one step is removed in the next,
 * by all threads, or by one if it is little, so that a long path takes no more steps of all threads than a short one.
 * Each level looks at the vertices that are left, which over all levels are as many as the sum of the core numbers: at
 * most the number of arcs.
 */
#include "algorithm/algorithm.h"
#include "algorithm/kcore/kcore_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "graph/simple.h"

enum {
    FEW = 1 << 11,    /* vertices that one thread removes alone */
    PIECE = 64,       /* vertices that a thread takes at once, to remove */
    SCAN = 1 << 12,   /* vertices that a thread takes at once, to look at */
    FOUND = 1 << 10,  /* vertices that a thread collects before it adds them to the queue */
    ADVANCE = 1 << 14 /* vertices that a single thread removes between two checks of the cancel flag */
};

typedef struct peeling {
    heddle_context *ctx;
    hd_simple simple;
    uint32_t *left;       /* per vertex: neighbours left; of one that is removed, its core number */
    heddle_vertex *queue; /* all vertices, in the order of their removal */
    heddle_vertex *rest, *spare;
    uint64_t queued, rest_count, spare_count;
} peeling;

/* Vertices that a thread has found, for a shared list. */
typedef struct finds {
    heddle_vertex *list;
    uint64_t *count;
    uint32_t found;
    heddle_vertex items[FOUND];
} finds;

static void flush(finds *f) {
    uint64_t place = f->found ? hd_fetch_add(f->count, f->found) : 0;
    for (uint32_t i = 0; i < f->found; i++)
        f->list[place + i] = f->items[i];
    f->found = 0;
}

static inline void add(finds *f, heddle_vertex v) {
    if (f->found == FOUND)
        flush(f);
    f->items[f->found++] = v;
}

/* Removes a vertex at level k: neighbours that drop to k are found. Two threads may lower a neighbour that is at k + 1
 * at the same time: the second finds that it was too late and takes that back. */
static inline void remove_vertex(const peeling *p, heddle_vertex v, uint32_t k, finds *next) {
    for (uint64_t e = p->simple.offsets[v]; e < p->simple.offsets[v + 1]; e++) {
        heddle_vertex w = p->simple.targets[e];
        if (hd_load(&p->left[w]) <= k)
            continue;
        uint32_t before = hd_fetch_add(&p->left[w], UINT32_MAX);
        if (before == k + 1)
            add(next, w);
        else if (before <= k)
            hd_fetch_add(&p->left[w], 1);
    }
}

/* One thread: removes queue[from …) until the queue has no more, or so many that others may help. Returns the first
 * that is left. */
static uint64_t remove_alone(peeling *p, uint64_t from, uint32_t k) {
    uint64_t steps = 0;
    while (from < p->queued && p->queued - from <= FEW) {
        heddle_vertex v = p->queue[from++];
        for (uint64_t e = p->simple.offsets[v]; e < p->simple.offsets[v + 1]; e++) {
            heddle_vertex w = p->simple.targets[e];
            if (p->left[w] > k && --p->left[w] == k)
                p->queue[p->queued++] = w;
        }
        if (++steps % ADVANCE == 0 && hd_advance(p->ctx, ADVANCE))
            break;
    }
    hd_advance(p->ctx, steps % ADVANCE);
    return from;
}

static uint64_t remove_together(peeling *p, uint64_t from, uint32_t k) {
    uint64_t to = p->queued;
    HD_PARALLEL(p->ctx) {
        finds next = {.list = p->queue, .count = &p->queued};
        HD_FOR(schedule(dynamic, PIECE))
        for (uint64_t i = from; i < to; i++) {
            if (i % PIECE == 0 && hd_advance(p->ctx, PIECE))
                continue;
            remove_vertex(p, p->queue[i], k, &next);
        }
        flush(&next);
    }
    return to;
}

/* Looks at the vertices that are left: those with k neighbours left are queued, those with more kept. Returns the
 * least number of neighbours that a kept one has. */
static uint32_t scan(peeling *p, uint32_t k) {
    uint32_t least = UINT32_MAX;
    p->spare_count = 0;
    HD_PARALLEL(p->ctx, if (p->rest_count >= HD_WORTH_THREADS) reduction(min : least)) {
        finds next = {.list = p->queue, .count = &p->queued}, kept = {.list = p->spare, .count = &p->spare_count};
        HD_FOR(schedule(dynamic, SCAN))
        for (uint64_t i = 0; i < p->rest_count; i++) {
            heddle_vertex v = p->rest[i];
            uint32_t left = p->left[v];
            if (left == k)
                add(&next, v);
            else if (left > k) {
                add(&kept, v);
                least = left < least ? left : least;
            }
        }
        flush(&next);
        flush(&kept);
    }
    heddle_vertex *list = p->rest;
    p->rest = p->spare;
    p->spare = list;
    p->rest_count = p->spare_count;
    return least;
}

static heddle_status peel(peeling *p, heddle_result *result) {
    uint64_t removed = 0;
    hd_rounds_mark(p->ctx);
    for (uint32_t k = 0; p->rest_count;) {
        uint64_t first = removed;
        uint32_t least = scan(p, k);
        if (p->queued == removed) { /* a level without vertices */
            k = least;
            continue;
        }
        while (removed < p->queued && !hd_cancelled(p->ctx))
            removed = p->queued - removed <= FEW ? remove_alone(p, removed, k) : remove_together(p, removed, k);
        HD_TRY(hd_cancelled_status(p->ctx));
        HD_ROUND(p->ctx, .rounds = 1, .vertices = removed - first, .edges = HD_NOT_KNOWN, .kernel = "peel");
        result->report.iterations++;
        k++;
    }
    return hd_cancelled_status(p->ctx);
}

static heddle_status open_peeling(peeling *p, const heddle_graph *graph, uint32_t *left) {
    uint64_t n = graph->vertices;
    HD_TRY(hd_simple_open(p->ctx, graph, false, &p->simple));
    HD_TRY(HD_NEW(p->ctx, &p->queue, n, "removed vertices"));
    HD_TRY(HD_NEW(p->ctx, &p->rest, n, "vertices left"));
    HD_TRY(HD_NEW(p->ctx, &p->spare, n, "vertices left"));
    p->left = left;
    p->rest_count = n;
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        left[v] = (uint32_t)(p->simple.offsets[v + 1] - p->simple.offsets[v]);
        p->rest[v] = (heddle_vertex)v;
    }
    return HEDDLE_OK;
}

static void close_peeling(peeling *p) {
    HD_DELETE(&p->ctx->allocator, p->queue, p->simple.vertices);
    HD_DELETE(&p->ctx->allocator, p->rest, p->simple.vertices);
    HD_DELETE(&p->ctx->allocator, p->spare, p->simple.vertices);
    hd_simple_close(p->ctx, &p->simple);
}

void hd_kcore_figures(heddle_context *ctx, heddle_result *result) {
    const uint32_t *core = result->values;
    uint64_t n = result->count, inside = 0;
    uint32_t most = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        most = core[v] > most ? core[v] : most;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : inside) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        inside += core[v] == most;
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "innermost", (double)inside);
}

static heddle_status run_kcore(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    peeling p = {.ctx = ctx};
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    result->plain = true;
    hd_phase_begin(ctx, "compute", run->graph->vertices);
    HD_CHECK(open_peeling(&p, run->graph, result->values));
    HD_CHECK(peel(&p, result));
    result->report.edges_walked = p.simple.edges;
    hd_kcore_figures(ctx, result);
out:
    hd_phase_end(ctx);
    close_peeling(&p);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    uint64_t simple;
    HD_TRY(hd_simple_bytes(run->ctx, run->graph, false, &simple));
    *bytes = (double)simple;
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_kcore = {
    HD_ALGORITHM_INFO("kcore", "core numbers: the largest k for which a vertex is in a subgraph of minimum degree k",
                      HD_NO_OPTIONS),
    .column = "core",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_kcore}, {HD_ON_DEVICE, .bytes = hd_kcore_device_bytes, .run = hd_device_kcore}),
    .host_bytes = {.vertex = 16, .more = more_host_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {10, 0.3},
    .reference = hd_reference_kcore,
    .verify = hd_verify_kcore,
};
