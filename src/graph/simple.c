/* simple.c - distinct neighbours: out-row and in-row of a vertex, both ascending, are merged; once to count, once to
 * write. */
#include "graph/simple.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { STEP = 512 }; /* vertices that a thread takes at once */

/* A row that is merged: what is left of it. */
typedef struct tail {
    const heddle_vertex *next, *end;
} tail;

static tail tail_of(const heddle_adjacency *rows, uint64_t v) {
    return (tail){rows->targets + rows->offsets[v], rows->targets + rows->offsets[v + 1]};
}

/* Skips all arcs to the vertex; whether there were any. */
static bool skip(tail *row, heddle_vertex vertex) {
    const heddle_vertex *first = row->next;
    while (row->next < row->end && *row->next == vertex)
        row->next++;
    return row->next > first;
}

/* The number of distinct neighbours; they are written to `targets` unless it is NULL. */
static uint64_t merge(tail out, tail in, heddle_vertex v, heddle_vertex *targets, uint8_t *both) {
    uint64_t count = 0;
    while (out.next < out.end || in.next < in.end) {
        heddle_vertex least = in.next == in.end || (out.next < out.end && *out.next < *in.next) ? *out.next : *in.next;
        bool leaves = skip(&out, least), enters = skip(&in, least);
        if (least == v)
            continue;
        if (targets)
            targets[count] = least;
        if (both)
            both[count] = leaves && enters;
        count++;
    }
    return count;
}

/* Whether all rows of an undirected graph are without loops and parallel arcs. */
static heddle_status is_simple(heddle_context *ctx, uint64_t n, const heddle_adjacency *out, bool *simple) {
    int found = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (hd_load(&found) || hd_advance_each(ctx, v, STEP, 0))
            continue;
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
            if (out->targets[e] == v || (e > out->offsets[v] && out->targets[e] == out->targets[e - 1])) {
                hd_store(&found, 1);
                break;
            }
    }
    *simple = !found;
    return hd_cancelled_status(ctx);
}

static heddle_status write_rows(heddle_context *ctx, const heddle_adjacency *out, const heddle_adjacency *in,
                                bool directions, hd_simple *simple) {
    uint64_t n = simple->vertices;
    HD_TRY(HD_NEW(ctx, &simple->own_offsets, n + 1, "offsets of distinct neighbours"));
    uint64_t *offsets = simple->own_offsets;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(ctx, v, STEP, 0))
            offsets[v] = merge(tail_of(out, v), in ? tail_of(in, v) : (tail){0}, (heddle_vertex)v, NULL, NULL);
    HD_TRY(hd_cancelled_status(ctx));
    simple->edges = hd_prefix_sum(ctx, offsets, n);
    HD_TRY(HD_NEW(ctx, &simple->own_targets, simple->edges, "distinct neighbours"));
    if (directions)
        HD_TRY(HD_NEW(ctx, &simple->own_both, simple->edges, "directions of edges"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(ctx, v, STEP, 0))
            merge(tail_of(out, v), in ? tail_of(in, v) : (tail){0}, (heddle_vertex)v, simple->own_targets + offsets[v],
                  directions ? simple->own_both + offsets[v] : NULL);
    simple->offsets = simple->own_offsets;
    simple->targets = simple->own_targets;
    simple->both = simple->own_both;
    return hd_cancelled_status(ctx);
}

heddle_status hd_simple_open(heddle_context *ctx, const heddle_graph *graph, bool directions, hd_simple *simple) {
    heddle_adjacency out, in;
    bool already = false;
    *simple = (hd_simple){.vertices = graph->vertices};
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    if (graph->directed)
        HD_TRY(hd_graph_bare(ctx, graph, true, &in));
    else
        HD_TRY(is_simple(ctx, graph->vertices, &out, &already));
    if (!already)
        return write_rows(ctx, &out, graph->directed ? &in : NULL, directions && graph->directed, simple);
    simple->offsets = out.offsets;
    simple->targets = out.targets;
    simple->edges = graph->edges;
    return HEDDLE_OK;
}

void hd_simple_close(heddle_context *ctx, hd_simple *simple) {
    HD_DELETE(&ctx->allocator, simple->own_offsets, simple->vertices + 1);
    HD_DELETE(&ctx->allocator, simple->own_targets, simple->edges);
    HD_DELETE(&ctx->allocator, simple->own_both, simple->edges);
}

heddle_status hd_simple_bytes(heddle_context *ctx, const heddle_graph *graph, bool directions, uint64_t *bytes) {
    heddle_adjacency out;
    bool already = false;
    if (!graph->directed) {
        HD_TRY(hd_graph_bare(ctx, graph, false, &out));
        HD_TRY(is_simple(ctx, graph->vertices, &out, &already));
    }
    uint64_t most = graph->directed ? 2 * graph->edges : graph->edges;
    *bytes = already ? 0 : (graph->vertices + 1) * 8 + most * (directions && graph->directed ? 5 : 4);
    return HEDDLE_OK;
}
