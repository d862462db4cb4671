/* cs.c - resistive circuit: v = sum w v_source / sum w over in-edges, terminals fixed. */
#include "algorithm/program/steady.h"
#include "check/check.h"

/* Conductances are positive. */
static heddle_status check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    HD_TRY(hd_steady_check(ctx, graph, options));
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    for (uint64_t v = 0; graph->weight_type != HEDDLE_WEIGHT_NONE && v < graph->vertices; v++)
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++)
            if (!(hd_weight_at(out.weights, graph->weight_type, e) > 0)) {
                char from[64], to[64];
                heddle_graph_id_text(graph, (heddle_vertex)v, from, sizeof from);
                heddle_graph_id_text(graph, out.targets[e], to, sizeof to);
                return hd_fail(ctx, HEDDLE_E_WEIGHT, "cs needs weights above 0: edge %s -> %s has %g", from, to,
                               hd_weight_at(out.weights, graph->weight_type, e));
            }
    return HEDDLE_OK;
}

static heddle_status run_cs(const hd_run *run) {
    HD_TRY(check(run->ctx, run->graph, &run->options));
    return hd_run_steady(run, "cs", 0, true, true);
}

#define OPTIONS(X, WITH_WORDS) X(initial) X(fixed) X(tolerance) X(max_iterations) X(precision)

const hd_algorithm hd_algorithm_cs = {
    HD_ALGORITHM_INFO("cs", "resistive circuit: v = sum w v_source / sum w over in-edges, terminals fixed", OPTIONS),
    .weighs = true,
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_REAL,
    HD_EXECUTORS(HD_STEADY_EXECUTOR(run_cs)),
    .host_bytes = {.vertex = 24, .in_double = 12},
    .program = "cs",
    .results = HD_RESULTS_VALUES,
    .cost = HD_COST_PROGRAM,
    .check = check,
    .reference = hd_reference_cs,
    .verify = hd_verify_cs,
    .tolerance = 1e-4,
    .max_iterations = 1000,
};
