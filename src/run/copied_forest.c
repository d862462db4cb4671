/* copied_forest.c - a minimum spanning forest on a graph with copies of vertices (copied.h).
 *
 * The graph's weights are replaced by ranks of its edges (edge_ranks.h), links between copies have weight 0: they are
 * lighter than all edges, so that a vertex and its copies are in one tree from the beginning, and an edge of the forest
 * is known by its rank. It is the same forest as on the graph itself.
 */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "graph/rows.h"
#include "run/copied.h"
#include "run/edge_ranks.h"

#include <string.h>

typedef struct ranked_run {
    const hd_edge_ranks *ranks;
    const hd_graffix_result *changed;
} ranked_run;

static bool serves(const hd_run *run) {
    return hd_plan_copies(&run->plan) && run->algorithm->copies == HD_COPIES_FOREST;
}

static heddle_status open_forest(hd_view *view) {
    const hd_run *run = view->run;
    ranked_run *r;
    bool fresh;
    double start = hd_clock();
    HD_TRY(HD_NEW_ZERO(run->ctx, &r, 1, "ranks"));
    view->own = r;
    HD_TRY(hd_edge_ranks_of(run->ctx, run->graph, &fresh, &r->ranks));
    run->result->report.transforming += fresh ? hd_clock() - start : 0;
    return hd_copied_open(view, r->ranks->graph, &r->changed);
}

/* Edges of the forest by arc, which is their order; links, of rank 0, are dropped. Returns how many there are. */
static uint64_t note_edges(const heddle_result *result, const hd_edge_ranks *ranks, uint64_t *bits) {
    const uint32_t *rank = result->forest_weights;
    uint64_t count = 0;
    for (uint64_t i = 0; i < result->forest_edges; i++)
        if (rank[i]) {
            uint64_t arc = ranks->arcs[rank[i] - 1];
            bits[arc / 64] |= UINT64_C(1) << (arc % 64);
            count++;
        }
    return count;
}

static void write_edges(const heddle_graph *graph, const heddle_adjacency *out, const uint64_t *bits,
                        heddle_vertex *ends, void *weights) {
    size_t size = hd_weight_size(graph->weight_type);
    uint64_t i = 0;
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            if (!(bits[e / 64] >> (e % 64) & 1))
                continue;
            ends[2 * i] = (heddle_vertex)v;
            ends[2 * i + 1] = out->targets[e];
            if (weights)
                memcpy((char *)weights + i * size, (const char *)out->weights + e * size, size);
            i++;
        }
}

static void replace_forest(heddle_result *result, heddle_vertex *ends, void *weights, uint64_t count,
                           heddle_weight_type type) {
    HD_DELETE(&result->allocator, result->forest_ends, 2 * result->forest_edges);
    hd_free(&result->allocator, result->forest_weights, result->forest_edges * hd_weight_size(result->forest_type));
    result->forest_ends = ends;
    result->forest_weights = weights;
    result->forest_edges = count;
    result->forest_type = type;
}

static heddle_status map_result(hd_view *view) {
    const ranked_run *r = view->own;
    heddle_context *ctx = view->run->ctx;
    heddle_result *result = view->run->result;
    const heddle_graph *graph = r->ranks->mirrored ? r->ranks->mirrored : view->run->graph;
    heddle_adjacency out;
    uint64_t words = graph->edges / 64 + 1, *bits, count;
    heddle_vertex *ends = NULL;
    void *weights = NULL;
    heddle_status status;
    if (!r->changed->graph)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(HD_NEW_ZERO(ctx, &bits, words, "forest"));
    count = note_edges(result, r->ranks, bits);
    HD_CHECK(HD_NEW(ctx, &ends, 2 * count, "forest"));
    if (graph->weight_type)
        HD_CHECK(hd_new(ctx, &weights, count, hd_weight_size(graph->weight_type), false, "forest"));
    write_edges(graph, &out, bits, ends, weights);
    replace_forest(result, ends, weights, count, graph->weight_type);
    ends = NULL;
    hd_result_figure(result, "edges", (double)count);
    hd_result_total_weight(result);
    hd_result_figure(result, "components", (double)(graph->vertices - count));
    hd_copied_figures(view, r->changed);
out:
    HD_DELETE(&ctx->allocator, ends, 2 * count);
    HD_DELETE(&ctx->allocator, bits, words);
    return status;
}

static void close_forest(hd_view *view) {
    ranked_run *r = view->own;
    HD_DELETE(&view->run->ctx->allocator, r, 1);
}

const hd_view_kind hd_view_copied_forest = {.serves = serves,
                                            .open = open_forest,
                                            .map_result = map_result,
                                            .close = close_forest};
