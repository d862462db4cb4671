/* articulation.c - how many components more the graph would have without a vertex: above 0 at articulation points. A
 * vertex of b blocks leaves b pieces of its component. */
#include "algorithm/algorithm.h"
#include "algorithm/blocks/blocks.h"
#include "base/memory.h"
#include "check/check.h"

/* In place of the blocks of each vertex, one less; those without any have none. */
static void count_pieces(const hd_blocks *b, uint32_t *values) {
    uint64_t n = b->simple.vertices;
    for (uint64_t v = 0; v < n; v++)
        values[v] = !hd_blocks_root(b, (heddle_vertex)v);
    for (uint64_t v = 0; v < n; v++)
        if (!hd_blocks_root(b, (heddle_vertex)v) && hd_blocks_first(b, (heddle_vertex)v))
            values[b->parent[v]]++;
    for (uint64_t v = 0; v < n; v++)
        values[v] -= values[v] > 0;
}

static void add_figures(heddle_result *result) {
    const uint32_t *values = result->values;
    uint64_t count = 0, most = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        count += values[v] > 0;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure_whole(result, "cut_vertices", count);
    hd_result_figure_whole(result, "max", most);
}

static heddle_status run_articulation(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices;
    hd_blocks b;
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_U32, n));
    run->result->plain = true;
    hd_phase_begin(ctx, "compute", n);
    hd_rounds_mark(ctx);
    HD_CHECK(hd_blocks_open(ctx, run->graph, &b));
    count_pieces(&b, run->result->values);
    add_figures(run->result);
    run->result->report.edges_walked = b.simple.edges;
    HD_ROUND(ctx, .rounds = 1, .vertices = n, .edges = b.simple.edges, .kernel = "depth-first");
out:
    hd_phase_end(ctx);
    hd_blocks_close(ctx, &b);
    return status;
}

const hd_algorithm hd_algorithm_articulation = {
    HD_ALGORITHM_INFO("articulation", "articulation points: how many components more there are without a vertex",
                      HD_NO_OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_articulation}),
    .column = "articulation",
    .host_bytes = {.vertex = 28, .more = hd_blocks_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {60, 0},
    .reference = hd_reference_articulation,
    .verify = hd_verify_articulation,
};
