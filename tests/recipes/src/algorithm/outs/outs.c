/* outs.c - a toy: how many out-edges each vertex has. */
#include "algorithm/algorithm.h"

static heddle_status count(heddle_context *ctx, const heddle_graph *graph, heddle_result *result) {
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    uint32_t *values = result->values;
    for (uint64_t v = 0; v < graph->vertices; v++)
        values[v] = (uint32_t)(out.offsets[v + 1] - out.offsets[v]);
    result->report.iterations = 1;
    result->report.converged = 1;
    return HEDDLE_OK;
}

static heddle_status run_outs(const hd_run *run) { return count(run->ctx, run->graph, run->result); }

static heddle_status reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    (void)options;
    return count(ctx, graph, result);
}

static heddle_status verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    heddle_adjacency out;
    const uint32_t *values = result->values;
    (void)options;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (values[v] != out.offsets[v + 1] - out.offsets[v])
            return hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %llu has another number of out-edges", (unsigned long long)v);
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_outs = {
    HD_ALGORITHM_INFO("outs", "how many out-edges each vertex has", HD_NO_OPTIONS),
    .forward = true,
    HD_EXECUTORS({HD_ON_CPU, .run = run_outs}),
    .results = HD_RESULTS_VALUES,
    .reference = reference,
    .verify = verify,
};
