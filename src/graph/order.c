/* order.c - see order.h: two ways to a sequence of the vertices; order_rows.c goes on from there. */
#include "graph/order.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order_parts.h"

#include <string.h>

enum { SMALL_LEVEL = 1 << 15 /* edges of a level that one thread does alone */ };
static const uint32_t unseen = UINT32_MAX;

typedef struct renaming {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_vertex *sequence; /* the vertices in their new order */
    uint64_t *degrees;       /* n + 1 */
} renaming;

const char *hd_order_name(hd_order order) {
    return order == HD_ORDER_DEGREE ? "degree" : order == HD_ORDER_BFS ? "bfs" : "none";
}

hd_order hd_order_named(const char *name, size_t length) {
    for (hd_order order = HD_ORDER_NONE; order <= HD_ORDER_BFS; order++)
        if (strlen(hd_order_name(order)) == length && memcmp(hd_order_name(order), name, length) == 0)
            return order;
    return HD_ORDER_OPEN;
}

int heddle_graph_has_order(const heddle_graph *graph, const char *order) {
    return graph && order && hd_order_kept(graph, hd_order_named(order, strlen(order))) != NULL;
}

/* ---- By degree -------------------------------------------------------------------------------------------------- */

/* Past 4 per vertex, which only parallel arcs reach, degrees count as equal: the sort needs a counter for
 * each. Returns the largest. */
static uint64_t count_degrees(renaming *r) {
    uint64_t n = r->graph->vertices, most = 0, *degrees = r->degrees;
    const uint64_t *offsets = r->out.offsets;
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        degrees[v] = offsets[v + 1] - offsets[v];
    if (r->graph->directed) {
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

/* A counting sort; ranges of vertices count apart, as many as have no more counters than there are vertices. */
static heddle_status sort_by_degree(renaming *r) {
    uint64_t n = r->graph->vertices, most = count_degrees(r), keys = most + 1, sum = 0, *counts;
    uint64_t ranges = n / keys < (uint64_t)r->ctx->threads ? n / keys + 1 : (uint64_t)r->ctx->threads;
    HD_TRY(HD_NEW_ZERO(r->ctx, &counts, ranges * keys, "vertices by degree"));
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            counts[k * keys + most - r->degrees[v]]++;
    for (uint64_t key = 0; key < keys; key++)
        for (uint64_t k = 0; k < ranges; k++) {
            uint64_t count = counts[k * keys + key];
            counts[k * keys + key] = sum;
            sum += count;
        }
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            r->sequence[counts[k * keys + most - r->degrees[v]]++] = (heddle_vertex)v;
    HD_DELETE(&r->ctx->allocator, counts, ranges * keys);
    return HEDDLE_OK;
}

/* ---- Breadth first ---------------------------------------------------------------------------------------------- */

/* A search that gives the same sequence whoever finds a vertex first: it belongs to the first vertex of the level that
 * leads to it. `claims` are places of such vertices plus 1, 0 for those that searches begin at. */
typedef struct search {
    renaming *r;
    heddle_vertex *sequence;
    uint32_t *claims;
    uint64_t *counts; /* for each vertex of a large level: how many are its own, then where they go */
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

/* Hands over the targets that are the i-th vertex' own, each once: parallel arcs are neighbours in a row. */
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

/* Claims, counts, and fills in. What was claimed before this level is lower than all claims of it. */
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

/* From each vertex of `roots` that no search before it has come to; `end` are in the sequence already. */
static heddle_status search_all(search *s, const heddle_vertex *roots, uint64_t count, uint64_t end) {
    uint64_t from = end, told = end;
    for (uint64_t k = 0; k < count; k++) {
        if (s->claims[roots[k]] != unseen)
            continue;
        s->claims[roots[k]] = 0;
        s->sequence[end++] = roots[k];
        while (from < end) {
            uint64_t to = end;
            (is_large(s, from, to) ? large_level : small_level)(s, from, to, &end);
            from = to;
            if (end - told >= SMALL_LEVEL) {
                if (hd_advance(s->r->ctx, end - told))
                    return hd_cancelled_status(s->r->ctx);
                told = end;
            }
        }
    }
    return HEDDLE_OK;
}

static heddle_status sort_by_search(renaming *r) {
    uint64_t n = r->graph->vertices;
    search s = {.r = r, .counts = r->degrees};
    heddle_status status;
    HD_TRY(sort_by_degree(r));
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
    renaming r = {.ctx = ctx, .graph = graph};
    search s = {.r = &r, .sequence = sequence, .claims = claims};
    HD_TRY(hd_graph_bare(ctx, graph, false, &r.out));
    HD_TRY(HD_NEW(ctx, &s.counts, graph->vertices + 1, "the order of vertices"));
    heddle_status status = search_all(&s, roots, count, end);
    HD_DELETE(&ctx->allocator, s.counts, graph->vertices + 1);
    return status;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

static heddle_status sort(heddle_context *ctx, const heddle_graph *graph, hd_order order, heddle_vertex *sequence) {
    renaming r = {.ctx = ctx, .graph = graph, .sequence = sequence};
    HD_TRY(hd_graph_bare(ctx, graph, false, &r.out));
    HD_TRY(HD_NEW(ctx, &r.degrees, graph->vertices + 1, "degrees"));
    heddle_status status = order == HD_ORDER_BFS ? sort_by_search(&r) : sort_by_degree(&r);
    HD_DELETE(&ctx->allocator, r.degrees, graph->vertices + 1);
    return status;
}

heddle_status hd_order_hollow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **renamed) {
    heddle_status status;
    HD_TRY(hd_graph_new(ctx, renamed));
    heddle_graph *g = *renamed;
    g->vertices = graph->vertices;
    g->edges = graph->edges;
    g->directed = graph->directed;
    g->weight_type = graph->weight_type;
    g->origin = graph->serial;
    g->original = graph;
    g->out.owned = g->hollow = true;
    HD_CHECK(HD_NEW(ctx, &g->places, graph->vertices, "the order of vertices"));
    HD_CHECK(HD_NEW(ctx, &g->names, graph->vertices, "the order of vertices"));
    return HEDDLE_OK;
out:
    heddle_graph_destroy(renamed);
    return status;
}

heddle_status hd_order_names(heddle_context *ctx, hd_order order, heddle_graph *renamed) {
    uint64_t n = renamed->vertices;
    HD_TRY(sort(ctx, renamed->original, order, renamed->names));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < n; i++)
        renamed->places[renamed->names[i]] = (heddle_vertex)i;
    return HEDDLE_OK;
}

heddle_status hd_order_graph(heddle_context *ctx, const heddle_graph *graph, hd_order order, heddle_graph **renamed) {
    heddle_status status;
    *renamed = NULL;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS));
    HD_TRY(hd_order_hollow(ctx, graph, renamed));
    HD_CHECK(hd_order_names(ctx, order, *renamed));
    HD_CHECK(hd_order_rows(ctx, *renamed));
    return HEDDLE_OK;
out:
    heddle_graph_destroy(renamed);
    return status;
}
