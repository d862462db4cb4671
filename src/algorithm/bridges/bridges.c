/* bridges.c - the edges without which the graph would have one component more, each with the number of vertices on its
 * smaller side. */
#include "algorithm/algorithm.h"
#include "algorithm/blocks/blocks.h"
#include "base/memory.h"
#include "check/check.h"

/* Vertices at and below each vertex of the forest. */
static void count_below(const hd_blocks *b, uint32_t *below) {
    uint64_t n = b->simple.vertices;
    for (uint64_t v = 0; v < n; v++)
        below[v] = 1;
    for (uint64_t i = n; i-- > 0;) {
        heddle_vertex v = b->order[i];
        if (!hd_blocks_root(b, v))
            below[b->parent[v]] += below[v];
    }
}

/* In place: of vertices whose edge to the parent is a bridge, those on its smaller side; of all others 0. Returns how
 * many bridges there are. */
static uint64_t keep_smaller_sides(const hd_blocks *b, uint32_t *below) {
    uint32_t all = 0;
    uint64_t count = 0;
    for (uint64_t i = 0; i < b->simple.vertices; i++) {
        heddle_vertex v = b->order[i];
        if (hd_blocks_root(b, v)) {
            all = below[v];
            below[v] = 0;
        } else if (hd_blocks_bridge(b, v)) {
            below[v] = below[v] < all - below[v] ? below[v] : all - below[v];
            count++;
        } else {
            below[v] = 0;
        }
    }
    return count;
}

/* In ascending order of both ends, as the rows are. */
static void list_bridges(const hd_blocks *b, const uint32_t *side, heddle_result *result) {
    const hd_simple *g = &b->simple;
    uint32_t *weights = result->forest_weights;
    uint64_t count = 0;
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            heddle_vertex w = g->targets[e], lower = hd_blocks_lower(b, (heddle_vertex)u, w);
            if (w < u || !side[lower] || b->parent[lower] != (lower == w ? u : w))
                continue;
            result->forest_ends[2 * count] = (heddle_vertex)u;
            result->forest_ends[2 * count + 1] = w;
            weights[count++] = side[lower];
        }
}

static heddle_status run_bridges(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices, most = 0;
    uint32_t *side = NULL;
    hd_blocks b;
    heddle_status status;
    hd_phase_begin(ctx, "compute", n);
    hd_rounds_mark(ctx);
    HD_CHECK(hd_blocks_open(ctx, run->graph, &b));
    HD_CHECK(HD_NEW(ctx, &side, n, "vertices below"));
    count_below(&b, side);
    HD_CHECK(hd_result_edges_new(ctx, run->result, keep_smaller_sides(&b, side), HEDDLE_WEIGHT_U32));
    list_bridges(&b, side, run->result);
    for (uint64_t v = 0; v < n; v++)
        most = side[v] > most ? side[v] : most;
    hd_result_figure_whole(run->result, "bridges", run->result->forest_edges);
    hd_result_figure_whole(run->result, "max", most);
    run->result->report.edges_walked = 2 * b.simple.edges;
    HD_ROUND(ctx, .rounds = 1, .vertices = n, .edges = b.simple.edges, .kernel = "depth-first");
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, side, n);
    hd_blocks_close(ctx, &b);
    return status;
}

const hd_algorithm hd_algorithm_bridges = {
    HD_ALGORITHM_INFO("bridges",
                      "edges whose removal disconnects their ends, with the vertices that the smaller side has",
                      HD_NO_OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_bridges}),
    .host_bytes = {.vertex = 28, .more = hd_blocks_bytes},
    .no_order = "rows are edges",
    .cost = {60, 0},
    .reference = hd_reference_bridges,
    .verify = hd_verify_bridges,
};
