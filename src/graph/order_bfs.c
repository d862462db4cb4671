/* order_bfs.c - vertices as a breadth-first search along out-edges finds them, rows from the front, so that neighbours
 * are near each other. It begins at the vertex of largest degree, and again at the largest that is left for as long as
 * there is one. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order_parts.h"

#include <string.h>

enum { SMALL_LEVEL = 1 << 15 /* levels of fewer edges are expanded by one thread */ };
static const uint32_t unseen = UINT32_MAX;

/* A breadth-first search whose sequence does not depend on the threads: the parent of a vertex is the first vertex of
 * the level, in sequence order, that has an arc to it. `claims` holds the parent's place in the sequence plus 1; 0 for
 * roots. */
typedef struct search {
    hd_order_sort *r;
    heddle_vertex *sequence;
    uint32_t *claims;
    uint64_t *counts; /* for each vertex of a large level: its number of children, then where they are written */
} search;

static void small_level(search *s, uint64_t from, uint64_t to, uint64_t *end) {
    const heddle_adjacency *out = &s->r->out;
    for (uint64_t i = from; i < to; i++) {
        hd_order_fetch(out, s->sequence, s->claims, i, to);
        for (uint64_t e = out->offsets[s->sequence[i]]; e < out->offsets[s->sequence[i] + 1]; e++)
            if (s->claims[out->targets[e]] == unseen) {
                s->claims[out->targets[e]] = (uint32_t)(i + 1);
                s->sequence[(*end)++] = out->targets[e];
            }
    }
}

/* Copies the children of the i-th vertex to `to`, if not NULL, and counts them; parallel arcs, which are adjacent in a
 * row, count once. */
static uint64_t take_own(const search *s, uint64_t i, heddle_vertex *to) {
    const heddle_adjacency *out = &s->r->out;
    uint64_t count = 0, first = out->offsets[s->sequence[i]];
    for (uint64_t e = first; e < out->offsets[s->sequence[i] + 1]; e++)
        if (s->claims[out->targets[e]] == i + 1 && (e == first || out->targets[e] != out->targets[e - 1])) {
            if (to)
                to[count] = out->targets[e];
            count++;
        }
    return count;
}

/* Three passes: claim, count, fill in. Claims of earlier levels are smaller than all claims of this one. */
static void large_level(search *s, uint64_t from, uint64_t to, uint64_t *end) {
    const heddle_adjacency *out = &s->r->out;
    uint64_t *counts = s->counts;
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        for (uint64_t e = out->offsets[s->sequence[i]]; e < out->offsets[s->sequence[i] + 1]; e++)
            hd_lower(&s->claims[out->targets[e]], (uint32_t)(i + 1));
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        counts[i - from] = take_own(s, i, NULL);
    uint64_t found = hd_prefix_sum(s->r->ctx, counts, to - from);
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        if (counts[i - from + 1] > counts[i - from])
            take_own(s, i, s->sequence + *end + counts[i - from]);
    *end += found;
}

static bool is_large(const search *s, uint64_t from, uint64_t to) {
    uint64_t edges = 0;
    const uint64_t *offsets = s->r->out.offsets;
    for (uint64_t i = from; i < to && edges < SMALL_LEVEL; i++)
        edges += offsets[s->sequence[i] + 1] - offsets[s->sequence[i]];
    return edges >= SMALL_LEVEL;
}

/* Searches from each vertex of `roots` that no earlier search has reached; `end` vertices are in the sequence already.
 * */
static heddle_status search_all(search *s, const heddle_vertex *roots, uint64_t count, uint64_t end) {
    uint64_t from = end, reported = end;
    for (uint64_t k = 0; k < count; k++) {
        if (s->claims[roots[k]] != unseen)
            continue;
        s->claims[roots[k]] = 0;
        s->sequence[end++] = roots[k];
        while (from < end) {
            uint64_t to = end;
            (is_large(s, from, to) ? large_level : small_level)(s, from, to, &end);
            from = to;
            if (end - reported >= SMALL_LEVEL) {
                if (hd_advance(s->r->ctx, end - reported))
                    return hd_cancelled_status(s->r->ctx);
                reported = end;
            }
        }
    }
    return HEDDLE_OK;
}

static heddle_status sort_by_search(hd_order_sort *r) {
    uint64_t n = r->graph->vertices;
    search s = {.r = r, .counts = r->counts};
    heddle_status status;
    HD_TRY(hd_sort_by_degree(r));
    HD_CHECK(HD_NEW(r->ctx, &s.sequence, n, "the order of vertices"));
    HD_CHECK(HD_NEW(r->ctx, &s.claims, n, "the order of vertices"));
    memset(s.claims, 0xff, n * sizeof *s.claims);
    hd_phase_begin(r->ctx, "order", n);
    status = search_all(&s, r->sequence, n, 0);
    hd_phase_end(r->ctx);
    if (status == HEDDLE_OK)
        memcpy(r->sequence, s.sequence, n * sizeof *s.sequence);
out:
    HD_DELETE(&r->ctx->allocator, s.sequence, n);
    HD_DELETE(&r->ctx->allocator, s.claims, n);
    return status;
}

heddle_status hd_order_go_on(heddle_context *ctx, const heddle_graph *graph, const heddle_vertex *roots, uint64_t count,
                             uint64_t end, uint32_t *claims, heddle_vertex *sequence) {
    hd_order_sort r = {.ctx = ctx, .graph = graph};
    search s = {.r = &r, .sequence = sequence, .claims = claims};
    HD_TRY(hd_graph_bare(ctx, graph, false, &r.out));
    HD_TRY(HD_NEW(ctx, &s.counts, graph->vertices + 1, "the order of vertices"));
    heddle_status status = search_all(&s, roots, count, end);
    HD_DELETE(&ctx->allocator, s.counts, graph->vertices + 1);
    return status;
}

const hd_order hd_order_bfs = {.info = {"bfs", "vertices as a breadth-first search finds them"},
                               .in_reports = "order-bfs",
                               .number = 2,
                               .sort = sort_by_search};
