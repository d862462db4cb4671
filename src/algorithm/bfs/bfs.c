/* bfs.c - breadth-first search: its levels are found by operator/levels.h. */
#include "algorithm/algorithm.h"
#include "algorithm/bfs/bfs_device.h"
#include "algorithm/bfs/bfs_disk.h"
#include "algorithm/bfs/bfs_each.h"
#include "algorithm/paths/parents.h"
#include "algorithm/program/program_run.h"
#include "check/check.h"
#include "operator/levels.h"

static heddle_status run_bfs(const hd_run *run) {
    heddle_result *result = run->result;
    const hd_levels_from asked = {run->options.sources, run->options.source_count, 0};
    uint64_t reached;
    HD_TRY(hd_result_values_new(run->ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    if (run->options.parents)
        HD_TRY(hd_result_parents_new(run->ctx, result, run->graph->vertices));
    HD_TRY(hd_levels(run->ctx, run->graph, &asked, result->values, result->parents, &result->report, &reached));
    hd_result_figure(result, "reached", (double)reached);
    /* the last round found nothing */
    hd_result_figure(result, "max", result->report.iterations ? (double)(result->report.iterations - 1) : 0);
    return HEDDLE_OK;
}

/* With `each` a column per source, and three arrays with a bit per search. */
static heddle_status host_bytes_of_each(const hd_run *run, double *bytes) {
    uint64_t sources = run->options.source_count;
    if (run->options.each)
        *bytes =
            (double)run->graph->vertices * (4.0 * (double)(sources ? sources - 1 : 0) + (sources > 64 ? 96 : 24) + 1);
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS) X(sources) X(parents) X(each)

const hd_algorithm hd_algorithm_bfs = {
    HD_ALGORITHM_INFO("bfs", "levels from one or more sources, breadth first", OPTIONS),
    .column = "distance",
    .from_sources = true,
    .in_edges = HD_IN_STORED,
    HD_EXECUTORS({HD_ON_CPU, .each = true, .run = hd_bfs_each}, {HD_ON_CPU, .run = run_bfs},
                 {HD_ON_CPU, HD_IN_FILE, .wants = hd_bfs_disk_wants, .run = hd_bfs_from_disk},
                 {HD_ON_DEVICE, .each = true, .bytes = hd_bfs_each_device_bytes, .run = hd_bfs_each_on_device},
                 {HD_ON_DEVICE, .bytes = hd_bfs_device_bytes, .run = hd_device_bfs},
                 HD_PROGRAM_EXECUTOR(hd_bfs_program)),
    .host_bytes = {.vertex = 7, .more = host_bytes_of_each},
    .program = "bfs",
    .searches = hd_searches_each,
    .results = HD_RESULTS_VALUES,
    .find_parents = hd_level_parents,
    .cpu_orders = {&hd_order_degree}, /* on a device mapping values back costs what an order gains */
    .cost = {2, 0.004},
    .shortcuts = HD_SHORTCUTS_APPROXIMATE,
    .reference = hd_reference_bfs,
    .verify = hd_verify_bfs,
};
