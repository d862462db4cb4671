/* check_forest.c - mst: Kruskal's algorithm as the reference, and the certificate of a result.
 *
 * Edges are ordered by weight, then smaller end, then larger end, so the minimum spanning forest is unique. A set of
 * edges of the graph is this forest if and only if
 *   1. it closes no cycle,
 *   2. both ends of every arc lie in the same tree, and
 *   3. no arc comes before the last edge, in that order, on the path between its ends in the tree.
 * For 3. the forest's edges are joined in order, by union by size without path compression. The depth of any vertex is
 * then at most log2(vertices), the times of joining grow towards the root, and the latest time on the way between two
 * vertices is that of the last edge on their path.
 */
#include "base/memory.h"
#include "check/check.h"
#include "engine/vertex_name.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 }; /* vertices between two checks of the cancel flag */

typedef struct edge {
    uint64_t weight; /* an integer with the same order */
    uint32_t u, v;
} edge;

static bool stop(heddle_context *ctx, uint64_t step) { return step % STEP == 0 && hd_advance(ctx, STEP); }

static int compare(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

static int compare_ends(const void *left, const void *right) {
    const edge *a = left, *b = right;
    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

/* An unsigned integer with the same order as the k-th weight; zeros of either sign are equal. */
static uint64_t key_at(const void *weights, heddle_weight_type type, uint64_t k) {
    const uint64_t sign = UINT64_C(1) << 63;
    if (!hd_weight_real(type))
        return (uint64_t)hd_weight_whole(weights, type, k) ^ sign;
    double weight = hd_weight_at(weights, type, k) + 0.0;
    uint64_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static void put_weight(void *weights, heddle_weight_type type, uint64_t k, uint64_t key) {
    const uint64_t sign = UINT64_C(1) << 63;
    int64_t whole = (int64_t)(key ^ sign);
    uint64_t bits = key & sign ? key ^ sign : ~key;
    double real;
    memcpy(&real, &bits, sizeof real);
    switch (type) {
    case HEDDLE_WEIGHT_U32: ((uint32_t *)weights)[k] = (uint32_t)whole; break;
    case HEDDLE_WEIGHT_I32: ((int32_t *)weights)[k] = (int32_t)whole; break;
    case HEDDLE_WEIGHT_I64: ((int64_t *)weights)[k] = whole; break;
    case HEDDLE_WEIGHT_F32: ((float *)weights)[k] = (float)real; break;
    case HEDDLE_WEIGHT_F64: ((double *)weights)[k] = real; break;
    case HEDDLE_WEIGHT_NONE: break;
    }
}

static edge edge_of(const heddle_graph *graph, const heddle_adjacency *out, uint64_t v, uint64_t e) {
    uint32_t source = (uint32_t)v, target = out->targets[e];
    return (edge){key_at(out->weights, graph->weight_type, e), source < target ? source : target,
                  source < target ? target : source};
}

/* ---- Reference ----------------------------------------------------------------------------------------------- */

static uint32_t find(uint32_t *parent, uint32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Leaves the forest's edges at the front of `edges`; returns their number. */
static uint64_t kruskal(edge *edges, uint64_t count, uint32_t *parent) {
    uint64_t kept = 0;
    qsort(edges, count, sizeof *edges, compare);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t u = find(parent, edges[i].u), v = find(parent, edges[i].v);
        if (u == v)
            continue;
        parent[u] = v;
        edges[kept++] = edges[i];
    }
    qsort(edges, kept, sizeof *edges, compare_ends);
    return kept;
}

static heddle_status write_forest(heddle_context *ctx, const heddle_graph *graph, const edge *edges, uint64_t count,
                                  heddle_result *result) {
    result->forest_edges = count;
    result->forest_type = graph->weight_type;
    HD_TRY(HD_NEW(ctx, &result->forest_ends, 2 * count, "forest"));
    if (graph->weight_type != HEDDLE_WEIGHT_NONE)
        HD_TRY(hd_new(ctx, &result->forest_weights, count, hd_weight_size(graph->weight_type), false, "forest"));
    for (uint64_t i = 0; i < count; i++) {
        result->forest_ends[2 * i] = edges[i].u;
        result->forest_ends[2 * i + 1] = edges[i].v;
        put_weight(result->forest_weights, graph->weight_type, i, edges[i].weight);
    }
    hd_result_figure(result, "edges", (double)count);
    hd_result_total_weight(result);
    hd_result_figure(result, "components", (double)(graph->vertices - count));
    return HEDDLE_OK;
}

heddle_status hd_reference_mst(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    uint64_t n = graph->vertices, count = 0;
    heddle_adjacency out;
    edge *edges = NULL;
    uint32_t *parent = NULL;
    heddle_status status;
    (void)options;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(HD_NEW(ctx, &edges, graph->edges, "edges"));
    HD_CHECK(HD_NEW(ctx, &parent, n, "trees"));
    for (uint64_t v = 0; v < n; v++) {
        parent[v] = (uint32_t)v;
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++)
            if (out.targets[e] != v)
                edges[count++] = edge_of(graph, &out, v, e);
    }
    HD_CHECK(hd_cancelled_status(ctx));
    count = kruskal(edges, count, parent);
    status = write_forest(ctx, graph, edges, count, result);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, edges, graph->edges);
    HD_DELETE(&ctx->allocator, parent, n);
    return status;
}

/* ---- Certificate --------------------------------------------------------------------------------------------- */

typedef struct certificate {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    edge *edges; /* the forest's, in order of weight */
    uint64_t count;
    uint32_t *parent;
    uint32_t *size;
    uint32_t *joined; /* when a vertex got its parent: index of the edge; UINT32_MAX for roots */
} certificate;

static heddle_status wrong_edge(certificate *c, const edge *which, const char *what) {
    return hd_fail(c->ctx, HEDDLE_E_VERIFY, "edge %s - %s: %s", hd_vertex_name(c->ctx, c->graph, which->u).text,
                   hd_vertex_name(c->ctx, c->graph, which->v).text, what);
}

/* Whether the graph has the arc from -> to with that weight. Rows ascend. */
static bool has_arc(const certificate *c, uint32_t from, uint32_t to, uint64_t weight) {
    uint64_t low = c->out.offsets[from], end = c->out.offsets[from + 1], high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (c->out.targets[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < end && c->out.targets[low] == to; low++)
        if (key_at(c->out.weights, c->graph->weight_type, low) == weight)
            return true;
    return false;
}

/* Copies the edges; they must be in order, and be edges of the graph. */
static heddle_status check_edges(certificate *c, const heddle_result *result) {
    uint64_t n = c->graph->vertices;
    for (uint64_t i = 0; i < c->count; i++) {
        edge *e = &c->edges[i];
        *e = (edge){key_at(result->forest_weights, result->forest_type, i), result->forest_ends[2 * i],
                    result->forest_ends[2 * i + 1]};
        if (e->u >= n || e->v >= n)
            return hd_fail(c->ctx, HEDDLE_E_VERIFY, "edge %llu of the forest: an end is no vertex",
                           (unsigned long long)i);
        if (e->u >= e->v)
            return wrong_edge(c, e, "the smaller end must come first");
        if (i > 0 && compare_ends(e - 1, e) >= 0)
            return wrong_edge(c, e, "not in ascending order");
        if (!has_arc(c, e->u, e->v, e->weight) && !has_arc(c, e->v, e->u, e->weight))
            return wrong_edge(c, e, "the graph has no such edge of that weight");
    }
    return HEDDLE_OK;
}

static uint32_t root_of(const certificate *c, uint32_t v) {
    while (c->parent[v] != v)
        v = c->parent[v];
    return v;
}

/* 1. */
static heddle_status join_edges(certificate *c) {
    for (uint64_t v = 0; v < c->graph->vertices; v++) {
        c->parent[v] = (uint32_t)v;
        c->size[v] = 1;
        c->joined[v] = UINT32_MAX;
    }
    for (uint64_t i = 0; i < c->count; i++) {
        uint32_t small = root_of(c, c->edges[i].u), large = root_of(c, c->edges[i].v);
        if (small == large)
            return wrong_edge(c, &c->edges[i], "closes a cycle");
        if (c->size[small] > c->size[large]) {
            uint32_t swap = small;
            small = large;
            large = swap;
        }
        c->parent[small] = large;
        c->size[large] += c->size[small];
        c->joined[small] = (uint32_t)i;
    }
    return HEDDLE_OK;
}

/* The last edge on the path between two vertices, as index; UINT32_MAX when there is no path. */
static uint32_t last_between(const certificate *c, uint32_t u, uint32_t v) {
    uint32_t last = 0;
    while (u != v) {
        uint32_t *lower = c->joined[u] < c->joined[v] ? &u : &v;
        if ((last = c->joined[*lower]) == UINT32_MAX)
            return UINT32_MAX;
        *lower = c->parent[*lower];
    }
    return last;
}

/* 2. and 3. */
static heddle_status check_arcs(certificate *c) {
    for (uint64_t v = 0; v < c->graph->vertices && !stop(c->ctx, v); v++)
        for (uint64_t e = c->out.offsets[v]; e < c->out.offsets[v + 1]; e++) {
            edge arc = edge_of(c->graph, &c->out, v, e);
            if (arc.u == arc.v)
                continue;
            uint32_t last = last_between(c, arc.u, arc.v);
            if (last == UINT32_MAX)
                return wrong_edge(c, &arc, "the forest does not connect its ends");
            if (compare(&arc, &c->edges[last]) < 0)
                return wrong_edge(c, &arc, "lighter than an edge of the forest that it could replace");
        }
    return hd_cancelled_status(c->ctx);
}

heddle_status hd_verify_mst(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    certificate c = {.ctx = ctx, .graph = graph, .count = result->forest_edges};
    uint64_t n = graph->vertices;
    heddle_status status;
    (void)options;
    if (result->forest_type != graph->weight_type || c.count >= (n ? n : 1))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected fewer than %llu edges, weighted as the graph is",
                       (unsigned long long)n);
    HD_TRY(heddle_graph_out(ctx, graph, &c.out));
    hd_phase_begin(ctx, "verify", n);
    HD_CHECK(HD_NEW(ctx, &c.edges, c.count, "edges"));
    HD_CHECK(HD_NEW(ctx, &c.parent, n, "trees"));
    HD_CHECK(HD_NEW(ctx, &c.size, n, "trees"));
    HD_CHECK(HD_NEW(ctx, &c.joined, n, "trees"));
    HD_CHECK(check_edges(&c, result));
    qsort(c.edges, c.count, sizeof *c.edges, compare);
    HD_CHECK(join_edges(&c));
    status = check_arcs(&c);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, c.edges, c.count);
    HD_DELETE(&ctx->allocator, c.parent, n);
    HD_DELETE(&ctx->allocator, c.size, n);
    HD_DELETE(&ctx->allocator, c.joined, n);
    return status;
}
