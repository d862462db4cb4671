/* cc.c - weakly connected components; graph/components.c does the work, here it gets its graph. */
#include "algorithm/algorithm.h"
#include "algorithm/cc/cc_disk.h"
#include "algorithm/program/program_run.h"
#include "algorithm/structure/structure_device.h"
#include "check/check.h"
#include "graph/components.h"

/* In-edges save looking at every out-edge, but only when they are there already. */
static bool has_in_edges(const heddle_graph *graph) {
    pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&graph->lock;
    pthread_mutex_lock(lock);
    bool has = graph->in.offsets != NULL;
    pthread_mutex_unlock(lock);
    return has || !graph->directed;
}

static heddle_status run_cc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    bool both = has_in_edges(graph);
    heddle_adjacency out, in;
    hd_components components;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    if (both)
        HD_TRY(hd_graph_bare(ctx, graph, true, &in));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = hd_weak_labels(ctx, graph->vertices, &out, both ? &in : NULL, result->values, &components);
    hd_phase_end(ctx);
    result->report.edges_walked = components.walked;
    hd_result_figure(result, "components", (double)components.count);
    hd_result_figure(result, "largest", (double)components.largest);
    return status;
}

const hd_algorithm hd_algorithm_cc = {
    HD_ALGORITHM_INFO("cc",
                      "connected components, ignoring direction: each vertex gets the smallest id in its component",
                      HD_NO_OPTIONS),
    .column = "component",
    .in_edges = HD_IN_STORED,
    .device_one_way = true,
    HD_EXECUTORS({HD_ON_CPU, .run = run_cc}, {HD_ON_CPU, HD_IN_FILE, .wants = hd_cc_disk_wants, .run = hd_cc_from_disk},
                 {HD_ON_DEVICE, .bytes = hd_cc_device_bytes, .run = hd_device_cc}, HD_PROGRAM_EXECUTOR(hd_cc_program)),
    .host_bytes = {.vertex = 4},
    .program = "cc",
    .results = HD_RESULTS_LABELS,
    .cpu_orders = {&hd_order_bfs, &hd_order_degree}, /* not on devices: as for bfs */
    .cost = {2, 0.006},
    .shortcuts = HD_SHORTCUTS_EXACT,
    .reference = hd_reference_cc,
    .verify = hd_verify_cc,
};
