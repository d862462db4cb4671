/* edge_ranks.c - see edge_ranks.h. Arcs from a smaller to a larger end are in the order of their ends already, so a
 * stable sort by weight, by radix, gives the ranks. An arc of the other direction gets the lowest rank among the
 * parallel edges of its ends: only that one can be in a forest. */
#include "run/edge_ranks.h"

#include "algorithm/mst/mst.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rebuild.h"

#include <string.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

typedef struct ranking {
    heddle_context *ctx;
    const heddle_graph *graph; /* undirected */
    heddle_adjacency out;
    uint64_t *arcs, *spare, count;
    uint32_t *ranks; /* of arcs */
} ranking;

static uint32_t key(const ranking *r, uint64_t arc) { return hd_mst_key(r->out.weights, r->graph->weight_type, arc); }

static void collect(ranking *r) {
    for (uint64_t v = 0; v < r->graph->vertices; v++)
        for (uint64_t e = r->out.offsets[v]; e < r->out.offsets[v + 1]; e++)
            if (r->out.targets[e] > v)
                r->arcs[r->count++] = e;
}

static void sort(ranking *r) {
    uint64_t places[DIGITS];
    for (int shift = 0; shift < 32; shift += DIGIT) {
        uint64_t sum = 0;
        memset(places, 0, sizeof places);
        for (uint64_t i = 0; i < r->count; i++)
            places[key(r, r->arcs[i]) >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            uint64_t here = places[d];
            places[d] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < r->count; i++)
            r->spare[places[key(r, r->arcs[i]) >> shift & (DIGITS - 1)]++] = r->arcs[i];
        uint64_t *swap = r->arcs;
        r->arcs = r->spare;
        r->spare = swap;
    }
}

/* The lowest rank of the arcs from u to v, which follow each other. */
static uint32_t lowest(const ranking *r, heddle_vertex u, heddle_vertex v) {
    uint64_t low = r->out.offsets[u], high = r->out.offsets[u + 1], end = high;
    uint32_t rank = UINT32_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (r->out.targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < end && r->out.targets[low] == v; low++)
        rank = r->ranks[low] < rank ? r->ranks[low] : rank;
    return rank;
}

/* Loops are in no forest: they keep the highest. */
static void rank(ranking *r) {
    for (uint64_t e = 0; e < r->graph->edges; e++)
        r->ranks[e] = UINT32_MAX;
    for (uint64_t i = 0; i < r->count; i++)
        r->ranks[r->arcs[i]] = (uint32_t)i + 1;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 256) if (r->graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < r->graph->vertices; v++)
        for (uint64_t e = r->out.offsets[v]; e < r->out.offsets[v + 1]; e++)
            if (r->out.targets[e] < v)
                r->ranks[e] = lowest(r, r->out.targets[e], (heddle_vertex)v);
}

static heddle_status build(const ranking *r, heddle_graph **graph) {
    hd_rows rows = {.vertices = r->graph->vertices,
                    .edges = r->graph->edges,
                    .offsets = (const char *)r->out.offsets,
                    .targets = (const char *)r->out.targets,
                    .weights = (const char *)r->ranks,
                    .stride = sizeof(uint32_t),
                    .weight_stride = sizeof(uint32_t),
                    .weight_type = HEDDLE_WEIGHT_U32,
                    .undirected = true};
    heddle_build_options options;
    heddle_build_options_init(&options);
    hd_edge_source source = hd_rows_source(r->ctx, &rows);
    return hd_graph_build(r->ctx, &source, &options, graph);
}

/* ---- In the cache ------------------------------------------------------------------------------------------------ */

static bool same(const hd_derived *entry, const void *key) {
    (void)entry, (void)key;
    return true;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const void *key, hd_derived *entry) {
    hd_edge_ranks *e = (hd_edge_ranks *)entry;
    ranking r = {.ctx = ctx};
    heddle_build_options options;
    heddle_status status;
    (void)key;
    heddle_build_options_init(&options);
    options.symmetrize = 1;
    HD_TRY(heddle_graph_out(ctx, graph, &r.out)); /* checks a file's rows */
    if (graph->directed)
        HD_TRY(hd_graph_rebuild(ctx, graph, &options, &e->mirrored));
    r.graph = e->mirrored ? e->mirrored : graph;
    HD_TRY(heddle_graph_out(ctx, r.graph, &r.out));
    if (r.graph->edges / 2 >= UINT32_MAX - 1)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "mst: graffix: edges have more than 2^32 - 2 ranks; use plan auto instead");
    uint64_t room = r.graph->edges;
    HD_CHECK(HD_NEW(ctx, &r.arcs, room, "edges by rank"));
    HD_CHECK(HD_NEW(ctx, &r.spare, room, "edges by rank"));
    HD_CHECK(HD_NEW(ctx, &r.ranks, room, "ranks"));
    collect(&r);
    sort(&r);
    rank(&r);
    HD_CHECK(hd_cancelled_status(ctx));
    HD_CHECK(build(&r, &e->graph));
    HD_CHECK(HD_NEW(ctx, &e->arcs, r.count, "edges by rank"));
    memcpy(e->arcs, r.arcs, r.count * sizeof *e->arcs);
    e->count = r.count;
    e->graph->origin = entry->root;
    if (e->mirrored)
        e->mirrored->origin = entry->root;
    entry->graphs[0] = e->graph;
    entry->graphs[1] = e->mirrored;
out:
    HD_DELETE(&ctx->allocator, r.arcs, room);
    HD_DELETE(&ctx->allocator, r.spare, room);
    HD_DELETE(&ctx->allocator, r.ranks, room);
    return status;
}

static uint64_t bytes(const hd_derived *entry) { return ((const hd_edge_ranks *)entry)->count * 8; }

static void destroy(heddle_context *ctx, hd_derived *entry) {
    hd_edge_ranks *e = (hd_edge_ranks *)entry;
    HD_DELETE(&ctx->allocator, e->arcs, e->count);
    heddle_graph_destroy(&e->graph);
    heddle_graph_destroy(&e->mirrored);
}

static const hd_derived_kind ranked_edges = {sizeof(hd_edge_ranks), same, make, bytes, destroy};

heddle_status hd_edge_ranks_of(heddle_context *ctx, const heddle_graph *graph, bool *fresh,
                               const hd_edge_ranks **ranks) {
    hd_derived *entry;
    HD_TRY(hd_derived_get(ctx, &ranked_edges, graph, NULL, fresh, &entry));
    *ranks = (const hd_edge_ranks *)entry;
    return HEDDLE_OK;
}
