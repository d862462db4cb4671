/* shortcuts.c - see shortcuts.h. Each vertex's edges are a function of the graph and the vertex alone: neighbours'
 * neighbours in the order of the rows, without the vertex itself and its neighbours, until there are as many as wanted.
 * Vertices are given up after a number of steps in proportion to their degree, so that the time stays near-linear.
 */
#include "graffix/shortcuts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/extend.h"
#include "graffix/path_weight.h"

enum {
    STEPS = 16,      /* arcs looked at for each arc of the vertex, */
    FEW_STEPS = 256, /* and this many more */
    TOGETHER = 256   /* vertices that a thread takes at once */
};

typedef struct maker {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    uint32_t *extra;    /* edges that a vertex is to get, then that it gets */
    uint32_t **marks;   /* by thread and vertex: the last vertex that it is a neighbour of, plus 1 */
    uint64_t *starts;   /* per vertex: where its new edges are */
    hd_new_edge *edges; /* in this array, */
    uint64_t count;     /* which has this many */
} maker;

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

/* Finds up to `wanted` edges of v, and stores them from `at` on if `store`; returns how many there are. */
static uint32_t find_edges(maker *m, uint64_t v, uint32_t wanted, uint64_t at, bool store) {
    const uint64_t *offsets = m->out.offsets;
    const heddle_vertex *targets = m->out.targets;
    uint32_t *mark = m->marks[hd_thread()], now = (uint32_t)v + 1, count = 0;
    uint64_t begin = offsets[v], end = offsets[v + 1], steps = STEPS * (end - begin) + FEW_STEPS;
    mark[v] = now;
    for (uint64_t k = begin; k < end; k++)
        mark[targets[k]] = now;
    for (uint64_t k = begin; k < end && count < wanted; k++) {
        heddle_vertex w = targets[k];
        for (uint64_t j = offsets[w]; j < offsets[w + 1] && count < wanted && steps; j++, steps--) {
            heddle_vertex x = targets[j];
            if (mark[x] == now || !hd_path_weight(m->graph->weight_type, m->out.weights, k, j, NULL, 0))
                continue;
            mark[x] = now;
            if (store)
                m->edges[at + count] = (hd_new_edge){(heddle_vertex)v, x, k, j};
            count++;
        }
    }
    return count;
}

/* How many edges every vertex gets. */
static void count_edges(maker *m, hd_graffix_result *result) {
    uint64_t n = m->graph->vertices, added = 0, lifted = 0;
    HD_PARALLEL_FOR(m->ctx, schedule(dynamic, TOGETHER) reduction(+ : added, lifted))
    for (uint64_t v = 0; v < n; v++) {
        if (hd_advance_each(m->ctx, v, TOGETHER, 0))
            continue;
        if (m->extra[v])
            m->extra[v] = find_edges(m, v, m->extra[v], 0, false);
        added += m->extra[v];
        lifted += m->extra[v] > 0;
    }
    result->added_edges = added;
    result->lifted = lifted;
}

/* The second pass finds the same again. */
static heddle_status list_edges(maker *m) {
    uint64_t n = m->graph->vertices;
    HD_TRY(HD_NEW(m->ctx, &m->starts, n + 1, "new edges"));
    HD_PARALLEL_FOR(m->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        m->starts[v] = m->extra[v];
    uint64_t count = hd_prefix_sum(m->ctx, m->starts, n);
    HD_TRY(HD_NEW(m->ctx, &m->edges, count, "new edges"));
    m->count = count;
    HD_PARALLEL(m->ctx) {
        uint32_t *mark = m->marks[hd_thread()];
        for (uint64_t v = 0; v < n; v++)
            mark[v] = 0;
        HD_FOR(schedule(dynamic, TOGETHER))
        for (uint64_t v = 0; v < n; v++)
            if (m->extra[v] && !hd_advance_each(m->ctx, v, TOGETHER, 0))
                find_edges(m, v, m->extra[v], m->starts[v], true);
    }
    return hd_cancelled_status(m->ctx);
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

static void close_maker(maker *m) {
    const heddle_allocator *allocator = &m->ctx->allocator;
    uint64_t n = m->graph->vertices, threads = (uint64_t)m->ctx->threads;
    for (uint64_t t = 0; m->marks && t < threads; t++)
        HD_DELETE(allocator, m->marks[t], n);
    HD_DELETE(allocator, m->marks, threads);
    HD_DELETE(allocator, m->extra, n);
    HD_DELETE(allocator, m->starts, n + 1);
    HD_DELETE(allocator, m->edges, m->count);
}

heddle_status hd_shortcuts_add(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_shortcuts_plan plan, hd_graffix_result *result) {
    maker m = {.ctx = ctx, .graph = graph};
    uint64_t n = graph->vertices;
    heddle_status status;
    HD_CHECK(heddle_graph_out(ctx, graph, &m.out));
    HD_CHECK(HD_NEW_ZERO(ctx, &m.extra, n, "new edges"));
    HD_CHECK(HD_NEW_ZERO(ctx, &m.marks, (uint64_t)ctx->threads, "neighbours"));
    for (int t = 0; t < ctx->threads; t++)
        HD_CHECK(HD_NEW_ZERO(ctx, &m.marks[t], n, "neighbours"));
    HD_CHECK(plan(ctx, n, &m.out, options, m.extra));
    count_edges(&m, result);
    HD_CHECK(hd_cancelled_status(ctx));
    if (result->added_edges == 0)
        goto out;
    HD_CHECK(list_edges(&m));
    HD_CHECK(hd_graffix_extend(ctx, graph, options, m.edges, m.count, &result->graph));
    /* An undirected edge may have been found from both of its ends. */
    result->added_edges = (result->graph->edges - graph->edges) / (graph->directed ? 1 : 2);
out:
    close_maker(&m);
    return status;
}
