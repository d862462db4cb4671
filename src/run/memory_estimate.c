/* memory_estimate.c - heddle_run_memory: bytes that a run would take on its device for graph, values and buffers,
 * counted by the functions that the run itself allocates with. */
#include "run/memory_estimate.h"

#include "algorithm/structure/structure_device.h"
#include "base/argument.h"
#include "engine/derived_graphs.h"
#include "engine/device/incore_parts.h"
#include "engine/device/resident.h"
#include "engine/primitive/rename.h"
#include "engine/primitive/restore_order.h"
#include "run/resolve.h"
#include "run/views.h"

#include <stdio.h>
#include <string.h>

const hd_device_info hd_common_device = {.warp = 32,
                                         .units = 132,
                                         .group_most = 1024,
                                         .local_bytes = 48 << 10,
                                         .local_most = 227 << 10,
                                         .atomics64 = true,
                                         .doubles = true,
                                         .grid_barrier = true};

/* 0 bytes if the size is not known beforehand: for split graphs and user programs. */
static heddle_status count(const hd_device_request *r, uint64_t *bytes) {
    hd_run run = *r->run;
    const hd_device_request request = {&run, r->info, r->left};
    hd_refusal refusal;
    *bytes = 0;
    run.executor = hd_executor_of(&run, r->info, &refusal);
    if (!run.executor)
        return hd_refuse_run(&run, refusal);
    bool counted = run.executor->bytes && (run.executor->program || !run.plan.transform);
    return counted ? run.executor->bytes(&request, bytes) : HEDDLE_OK;
}

/* Bytes of a run on the renamed graph, given those without an order: adds the buffers that map values back, and, if the
 * device renames, the original graph; the peak is higher while vertices are renamed. `plain`: without renaming. */
static uint64_t with_order(const hd_device_request *r, uint64_t bytes, uint64_t *plain) {
    const hd_run *run = r->run;
    const heddle_graph *graph = run->graph;
    hd_device like = {.info = *r->info};
    hd_resident made = {.device = &like, .vertices = graph->vertices, .edges = graph->edges};
    size_t size = hd_algorithm_in_double(run->algorithm, graph, &run->options) ? 8 : 4;
    bool weights = graph->weight_type && (run->algorithm->weighs || run->options.weighted);
    uint64_t own = hd_structure_rows(graph, HD_WANT_OUT | (weights ? HD_WANT_WEIGHTS : 0));
    if (!bytes)
        return 0;
    if (!(hd_run_spills(run) && run->algorithm->host_restores))
        bytes += hd_restore_order_bytes(graph->vertices, size, run->algorithm->results == HD_RESULTS_LABELS);
    *plain = bytes;
    if (hd_derived_order_ready(run->ctx, graph, run->plan.order) || !hd_rename_pays(r->info, graph))
        return bytes;
    made.wide = made.vertices + made.edges > UINT32_MAX;
    uint64_t on_the_way = own + made.vertices * 8 + hd_rename_bytes(&made, graph->directed, weights);
    return own + (bytes > on_the_way ? bytes : on_the_way);
}

/* Opens the device; NULL, with the reason in memory->missing, if there is none. */
static heddle_status ask_device(heddle_context *ctx, const char *name, heddle_device_memory *memory,
                                hd_device **device) {
    heddle_status status = hd_device_keep(ctx, name, NULL, device);
    if (status == HEDDLE_OK) {
        HD_TRY((*device)->memory(*device, &memory->free, &memory->total));
        memory->free += (*device)->budget.used; /* by earlier runs: freed when the memory is needed */
        return HEDDLE_OK;
    }
    *device = NULL;
    if (status != HEDDLE_E_DEVICE)
        return status;
    snprintf(memory->missing, sizeof memory->missing, "%.250s", ctx->error.message);
    hd_enter(ctx);
    return HEDDLE_OK;
}

/* ---- The host ---------------------------------------------------------------------------------------------------- */

static uint64_t id_bytes(const heddle_graph *graph) {
    uint64_t n = graph->vertices, text = graph->mapping.text_bytes; /* of a file: its starts may be wild */
    if (graph->ids.starts)
        return (n + 1) * 8 + (graph->mapping.address ? text : graph->ids.starts[n]);
    return graph->ids.values ? n * 8 : 0;
}

/* Parts of a file that the run does not use are not counted: they stay on the disk. */
static void measure_host(const hd_run *run, heddle_device_memory *memory) {
    const heddle_graph *graph = run->graph;
    const hd_algorithm *algorithm = run->algorithm;
    bool stored = graph->in.offsets != NULL, makes = graph->directed && algorithm->in_edges == HD_IN_MADE && !stored;
    bool weights = !graph->mapping.mapped || algorithm->weighs || run->options.weighted || makes;
    memory->host_edges = hd_row_bytes(graph, weights) + id_bytes(graph);
    if (graph->directed && (makes || (stored && algorithm->in_edges)))
        memory->host_in_edges = hd_row_bytes(graph, weights);
    if (hd_order_kept(graph, run->plan.order)) /* held against the graph */
        memory->host_edges += hd_row_bytes(graph, weights) + 2 * graph->vertices * sizeof(heddle_vertex);
}

static heddle_status measure_values(const hd_run *run, heddle_device_memory *memory) {
    static const hd_host_bytes assumed = {.vertex = 16, .in_double = 8};
    const hd_host_bytes *host = &run->algorithm->host_bytes;
    double more = 0;
    if (host->more)
        HD_TRY(host->more(run, &more));
    else if (host->vertex == 0)
        host = &assumed;
    double vertex = host->vertex + (run->options.parents ? sizeof(heddle_vertex) : 0) +
                    (hd_algorithm_in_double(run->algorithm, run->graph, &run->options) ? host->in_double : 0);
    memory->host_run = (uint64_t)((double)run->graph->vertices * vertex + more);
    uint64_t views;
    HD_TRY(hd_views_host_bytes(run, &views));
    memory->host_run += views;
    if (!hd_on_device(run) && hd_plan_shards(&run->plan)) /* sources, targets, degrees, weights, copies of values */
        memory->host_run += run->graph->edges * (3 * 4 + hd_weight_size(run->graph->weight_type) + 8);
    return HEDDLE_OK;
}

/* A run from a file checks the weights when it first reads them. */
heddle_status hd_run_check(const hd_run *run) {
    const hd_residency *residency = run->plan.residency;
    if (!run->algorithm->check || (residency && residency->from_file))
        return HEDDLE_OK;
    return run->algorithm->check(run->ctx, run->graph, &run->options);
}

heddle_status hd_run_measure(const hd_run *run, heddle_device_memory *memory, uint64_t *plain) {
    hd_device *device = NULL;
    *plain = 0;
    measure_host(run, memory);
    HD_TRY(measure_values(run, memory));
    snprintf(memory->device, sizeof memory->device, "%.20s", run->options.device);
    if (!hd_on_device(run))
        return HEDDLE_OK;
    HD_TRY(ask_device(run->ctx, run->options.device, memory, &device));
    uint64_t left = device && memory->free < run->limit ? memory->free : run->limit;
    hd_device_request r = {.run = run, .info = device ? &device->info : &hd_common_device, .left = left};
    HD_TRY(count(&r, &memory->wanted));
    *plain = memory->wanted;
    if (hd_renames(run->plan.order))
        memory->wanted = with_order(&r, memory->wanted, plain);
    return HEDDLE_OK;
}

/* Too little memory is part of the answer here. */
static heddle_status place_edges(hd_run *run, heddle_device_memory *memory) {
    heddle_status status = hd_residency_settle(run, memory);
    if (status != HEDDLE_E_MEMORY && status != HEDDLE_E_DEVICE_MEMORY)
        return status;
    snprintf(memory->refused, sizeof memory->refused, "%.255s", run->ctx->error.message);
    hd_enter(run->ctx);
    return HEDDLE_OK;
}

heddle_status heddle_run_memory(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                                heddle_device_memory *memory) {
    hd_run run;
    heddle_device_memory found = {.wanted = 0};
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS_ROOM(ctx, memory);
    if (ctx->link)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "what a run takes on %u ranks is not counted; use one process, without the launcher, instead",
                       ctx->link->size);
    HD_TRY(hd_run_resolve(ctx, __func__, graph, given, &run));
    hd_run_place(&run);
    if (!hd_on_device(&run) && (!run.plan.residency || run.plan.residency == &hd_residency_device))
        HD_TRY(hd_run_check_executor(&run));
    HD_TRY(hd_run_measure(&run, &found, &run.wanted));
    found.cpu_seconds = hd_run_cpu_seconds(&run);
    if (hd_in_parts(&run)) /* each part places its own, when it runs */
        snprintf(found.residency, sizeof found.residency, "%s", hd_residency_device.name);
    else
        HD_TRY(place_edges(&run, &found));
    if (!found.refused[0])
        HD_TRY(hd_run_check(&run));
    HD_GIVE(memory, &found);
    return HEDDLE_OK;
}
