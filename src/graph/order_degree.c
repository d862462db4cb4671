/* order_degree.c - vertices of most edges first, ties in the order of vertices; in- and out-edges count. Their values
 * then share few cache lines. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order_parts.h"

/* Fills in the degrees, with in-edges (`into`) or without, capped at 4 n, which only parallel arcs exceed: the counting
 * sort needs a counter for each degree. Returns the largest. */
static uint64_t count_degrees(hd_order_sort *r, bool into) {
    uint64_t n = r->graph->vertices, most = 0, *degrees = r->counts;
    const uint64_t *offsets = r->out.offsets;
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        degrees[v] = offsets[v + 1] - offsets[v];
    if (into && r->graph->directed) {
        HD_PARALLEL_FOR(r->ctx, schedule(static) if (r->graph->edges >= HD_WORTH_THREADS))
        for (uint64_t e = 0; e < r->graph->edges; e++)
            hd_fetch_add(&degrees[r->out.targets[e]], 1);
    }
    HD_PARALLEL_FOR(r->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        degrees[v] = degrees[v] < 4 * n ? degrees[v] : 4 * n;
        most = degrees[v] > most ? degrees[v] : most;
    }
    return most;
}

/* The largest counts first. A parallel counting sort: each range of vertices has its own counters; as many ranges as
 * keep the counters about as few as the vertices. */
static heddle_status sort_by_counts(hd_order_sort *r, uint64_t most) {
    uint64_t n = r->graph->vertices, keys = most + 1, sum = 0, *counts;
    uint64_t ranges = n / keys < (uint64_t)r->ctx->threads ? n / keys + 1 : (uint64_t)r->ctx->threads;
    HD_TRY(HD_NEW_ZERO(r->ctx, &counts, ranges * keys, "vertices by degree"));
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            counts[k * keys + most - r->counts[v]]++;
    for (uint64_t key = 0; key < keys; key++)
        for (uint64_t k = 0; k < ranges; k++) {
            uint64_t count = counts[k * keys + key];
            counts[k * keys + key] = sum;
            sum += count;
        }
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            r->sequence[counts[k * keys + most - r->counts[v]]++] = (heddle_vertex)v;
    HD_DELETE(&r->ctx->allocator, counts, ranges * keys);
    return HEDDLE_OK;
}

heddle_status hd_sort_by_degree(hd_order_sort *r) { return sort_by_counts(r, count_degrees(r, true)); }

heddle_status hd_places_by_out_degree(heddle_context *ctx, const heddle_graph *graph, heddle_vertex *places) {
    hd_order_sort r = {.ctx = ctx, .graph = graph};
    uint64_t n = graph->vertices;
    heddle_status status;
    HD_CHECK(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS));
    r.out.offsets = graph->out.offsets;
    HD_CHECK(HD_NEW(ctx, &r.counts, n + 1, "vertices by degree"));
    HD_CHECK(HD_NEW(ctx, &r.sequence, n, "vertices by degree"));
    HD_CHECK(sort_by_counts(&r, count_degrees(&r, false)));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < n; i++)
        places[r.sequence[i]] = (heddle_vertex)i;
out:
    HD_DELETE(&ctx->allocator, r.counts, n + 1);
    HD_DELETE(&ctx->allocator, r.sequence, n);
    return status;
}

const hd_order hd_order_degree = {.info = {"degree", "vertices of most edges first"},
                                  .in_reports = "order-degree",
                                  .number = 1,
                                  .sort = hd_sort_by_degree};
