/* shortcuts.c - see shortcuts.h. Each vertex's edges are a function of the graph and the vertex alone: neighbours'
 * neighbours in the order of the rows, without the vertex itself and its neighbours, until there are as many as wanted.
 * Vertices are given up after a number of steps in proportion to their degree, so that the time stays near-linear.
 */
#include "graffix/shortcuts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/path_weight.h"
#include "graph/rebuild.h"

#include <string.h>

enum {
    STEPS = 16,      /* arcs looked at for each arc of the vertex … */
    FEW_STEPS = 256, /* … and so many more */
    TOGETHER = 256   /* vertices that a thread takes at once */
};

typedef struct maker {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_weight_type type, to_type; /* of the graph, and of what is made of it */
    uint32_t *extra;                  /* edges that a vertex is to get, then that it gets */
    uint32_t **marks;                 /* by thread and vertex: the last vertex that it is a neighbour of, plus 1 */
    uint64_t *offsets;                /* of the new rows, whose new edges are at their ends */
    heddle_vertex *targets;
    void *weights;
    uint64_t edges;
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
            if (mark[x] == now || !hd_path_weight(m->type, m->out.weights, k, j, store ? m->weights : NULL, at + count))
                continue;
            mark[x] = now;
            if (store)
                m->targets[at + count] = x;
            count++;
        }
    }
    return count;
}

static void copy_row(maker *m, uint64_t v) {
    uint64_t from = m->out.offsets[v], count = m->out.offsets[v + 1] - from, at = m->offsets[v];
    size_t size = hd_weight_size(m->type);
    memcpy(m->targets + at, m->out.targets + from, count * sizeof *m->targets);
    if (m->type)
        memcpy((char *)m->weights + at * size, (const char *)m->out.weights + from * size, count * size);
    for (uint64_t k = 0; !m->type && m->to_type && k < count; k++)
        ((uint32_t *)m->weights)[at + k] = 1;
}

/* How many edges every vertex gets. */
static void count_edges(maker *m, hd_graffix_result *result) {
    uint64_t n = m->graph->vertices, added = 0, lifted = 0;
    HD_PARALLEL_FOR(m->ctx, schedule(dynamic, TOGETHER) reduction(+ : added, lifted))
    for (uint64_t v = 0; v < n; v++) {
        if (v % TOGETHER == 0 && hd_advance(m->ctx, 0))
            continue;
        if (m->extra[v])
            m->extra[v] = find_edges(m, v, m->extra[v], 0, false);
        added += m->extra[v];
        lifted += m->extra[v] > 0;
    }
    result->added_edges = added;
    result->lifted = lifted;
}

static void write_rows(maker *m) {
    uint64_t n = m->graph->vertices;
    HD_PARALLEL_FOR(m->ctx, schedule(dynamic, TOGETHER))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t at = m->offsets[v + 1] - m->extra[v];
        copy_row(m, v);
        if (m->extra[v])
            find_edges(m, v, m->extra[v], at, true);
    }
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

static heddle_status build(maker *m, heddle_graph **graph) {
    hd_rows rows = {.vertices = m->graph->vertices,
                    .edges = m->edges,
                    .offsets = (const char *)m->offsets,
                    .targets = (const char *)m->targets,
                    .weights = m->weights,
                    .stride = sizeof(uint32_t),
                    .weight_stride = hd_weight_size(m->to_type),
                    .weight_type = m->to_type};
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = !m->graph->directed; /* new edges have no reverse yet */
    hd_edge_source source = hd_rows_source(m->ctx, &rows);
    return hd_graph_build(m->ctx, &source, &options, graph);
}

static heddle_status open_rows(maker *m) {
    uint64_t n = m->graph->vertices;
    HD_TRY(HD_NEW(m->ctx, &m->offsets, n + 1, "row offsets"));
    for (uint64_t v = 0; v < n; v++)
        m->offsets[v] = m->out.offsets[v + 1] - m->out.offsets[v] + m->extra[v];
    m->offsets[n] = 0;
    m->edges = hd_prefix_sum(m->ctx, m->offsets, n);
    m->offsets[n] = m->edges;
    HD_TRY(HD_NEW(m->ctx, &m->targets, m->edges, "edges"));
    return m->to_type ? hd_new(m->ctx, &m->weights, m->edges, hd_weight_size(m->to_type), false, "weights") : HEDDLE_OK;
}

static void close_maker(maker *m) {
    const heddle_allocator *allocator = &m->ctx->allocator;
    uint64_t n = m->graph->vertices, threads = (uint64_t)m->ctx->threads;
    for (uint64_t t = 0; m->marks && t < threads; t++)
        HD_DELETE(allocator, m->marks[t], n);
    HD_DELETE(allocator, m->marks, threads);
    HD_DELETE(allocator, m->extra, n);
    HD_DELETE(allocator, m->offsets, n + 1);
    HD_DELETE(allocator, m->targets, m->edges);
    if (m->weights)
        hd_free(allocator, m->weights, m->edges * hd_weight_size(m->to_type));
}

heddle_status hd_shortcuts_add(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_shortcuts_plan plan, hd_graffix_result *result) {
    maker m = {.ctx = ctx, .graph = graph, .type = graph->weight_type};
    uint64_t n = graph->vertices;
    heddle_status status;
    m.to_type = m.type == HEDDLE_WEIGHT_NONE && options->weigh_unit ? HEDDLE_WEIGHT_U32 : m.type;
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
    for (int t = 0; t < ctx->threads; t++) /* a second pass finds the same again */
        memset(m.marks[t], 0, n * sizeof **m.marks);
    HD_CHECK(open_rows(&m));
    write_rows(&m);
    HD_CHECK(build(&m, &result->graph));
out:
    close_maker(&m);
    return status;
}
