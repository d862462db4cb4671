/* biconnected.c - the biconnected component ("block") of each edge: two edges are in the same one if a cycle without
 * repeated vertices passes through both. Blocks are numbered in the order of their first edges. */
#include "algorithm/algorithm.h"
#include "algorithm/blocks/blocks.h"
#include "base/memory.h"
#include "check/check.h"

/* The edges in ascending order of both ends. Numbers replace labels in `number`, UINT32_MAX at first. Returns how many
 * there are. */
static uint32_t number_edges(const hd_blocks *b, const heddle_vertex *label, uint32_t *number, heddle_result *result) {
    const hd_simple *g = &b->simple;
    uint32_t *weights = result->forest_weights, blocks = 0;
    uint64_t k = 0;
    for (uint64_t v = 0; v < g->vertices; v++)
        number[v] = UINT32_MAX;
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            heddle_vertex w = g->targets[e];
            if (w < u)
                continue;
            uint32_t *block = &number[label[hd_blocks_lower(b, (heddle_vertex)u, w)]];
            if (*block == UINT32_MAX)
                *block = blocks++;
            result->forest_ends[2 * k] = (heddle_vertex)u;
            result->forest_ends[2 * k + 1] = w;
            weights[k++] = *block;
        }
    return blocks;
}

/* The most vertices that a block has: those whose edge to the parent is in it, and the one above them. */
static uint32_t largest_block(const hd_blocks *b, const heddle_vertex *label, uint32_t *size) {
    uint32_t most = 0;
    for (uint64_t v = 0; v < b->simple.vertices; v++)
        size[v] = 1;
    for (uint64_t v = 0; v < b->simple.vertices; v++)
        if (!hd_blocks_root(b, (heddle_vertex)v) && ++size[label[v]] > most)
            most = size[label[v]];
    return most;
}

static heddle_status run_biconnected(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices;
    heddle_vertex *label = NULL;
    uint32_t *number = NULL;
    hd_blocks b;
    heddle_status status;
    hd_phase_begin(ctx, "compute", n);
    hd_rounds_mark(ctx);
    HD_CHECK(hd_blocks_open(ctx, run->graph, &b));
    HD_CHECK(HD_NEW(ctx, &label, n, "labels of blocks"));
    HD_CHECK(HD_NEW(ctx, &number, n, "numbers of blocks"));
    hd_blocks_label(&b, label);
    HD_CHECK(hd_result_edges_new(ctx, run->result, b.simple.edges / 2, HEDDLE_WEIGHT_U32));
    hd_result_figure_whole(run->result, "blocks", number_edges(&b, label, number, run->result));
    hd_result_figure_whole(run->result, "largest", largest_block(&b, label, number));
    run->result->report.edges_walked = 2 * b.simple.edges;
    HD_ROUND(ctx, .rounds = 1, .vertices = n, .edges = b.simple.edges, .kernel = "depth-first");
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, label, n);
    HD_DELETE(&ctx->allocator, number, n);
    hd_blocks_close(ctx, &b);
    return status;
}

/* The edges of the result. */
static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    HD_TRY(hd_blocks_bytes(run, bytes));
    *bytes += (double)run->graph->edges * (run->graph->directed ? 12 : 6);
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_biconnected = {
    HD_ALGORITHM_INFO("biconnected", "biconnected components: the number of the component that each edge is in",
                      HD_NO_OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_biconnected}),
    .host_bytes = {.vertex = 28, .more = more_host_bytes},
    .no_order = "rows are edges",
    .cost = {70, 0},
    .reference = hd_reference_biconnected,
    .verify = hd_verify_biconnected,
};
