/* memory.c - what a run would take on its device, before it: graph, values and buffers, from the functions that count
 * them for the run itself. */
#include "run/memory.h"

#include "algorithm/algorithm.h"
#include "algorithm/shared/structure_device.h"
#include "algorithm/shared/transformed.h"
#include "base/argument.h"
#include "engine/device/incore_parts.h"
#include "engine/device/resident.h"
#include "engine/made.h"
#include "engine/primitive/bring_back.h"
#include "engine/primitive/rename.h"
#include "run/ordered.h"

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

typedef struct request {
    hd_device_request ask;
    const hd_algorithm *algorithm;
    const hd_device_kind *kind;
} request;

/* A vertex program under a plan. */
static heddle_status program_bytes(const request *r, bool transforms, uint64_t *bytes) {
    bool in_double = hd_algorithm_in_double(r->algorithm, r->ask.graph, r->ask.options);
    hd_incore_program program;
    hd_plan plan;
    hd_incore_size size = {.bytes = 0};
    HD_TRY(hd_incore_find(r->ask.ctx, r->algorithm->program, in_double, &program));
    HD_TRY(hd_plan_parse(r->ask.ctx, r->ask.options->plan, &plan));
    hd_plan_program facts = hd_incore_facts(&program);
    if (!transforms)
        HD_TRY(hd_plan_degrees(r->ask.ctx, r->ask.graph, &plan, &facts));
    HD_TRY(hd_plan_fit(r->ask.ctx, &facts, r->ask.info->warp, r->kind->warps, r->ask.info->atomics64, &plan));
    if (!transforms)
        HD_TRY(hd_incore_measure(r->ask.ctx, r->ask.graph, &program, &plan, r->ask.info, r->kind, &size));
    *bytes = size.bytes;
    return HEDDLE_OK;
}

/* 0 bytes for what is only known once it is made: a split graph, a program of the user's own. */
static heddle_status count(const request *r, uint64_t *bytes) {
    const hd_algorithm *algorithm = r->algorithm;
    *bytes = 0;
    if (hd_transforms(r->ask.ctx, r->ask.options)) /* may be refused all the same */
        return algorithm->program ? program_bytes(r, true, bytes) : HEDDLE_OK;
    if (algorithm->device_bytes)
        HD_TRY(algorithm->device_bytes(&r->ask, bytes));
    return *bytes || !algorithm->program ? HEDDLE_OK : program_bytes(r, false, bytes);
}

/* A run of so many bytes on the renamed graph: what brings values back stays beside it, and, where the device renames,
 * the graph itself; on the way there is more for a while. */
static uint64_t with_order(const request *r, const hd_order *order, uint64_t bytes) {
    hd_device like = {.info = *r->ask.info};
    hd_resident made = {.device = &like, .vertices = r->ask.graph->vertices, .edges = r->ask.graph->edges};
    size_t size = hd_algorithm_in_double(r->algorithm, r->ask.graph, r->ask.options) ? 8 : 4;
    bool weights = r->ask.graph->weight_type && (r->algorithm->weighs || r->ask.options->weighted);
    uint64_t own = hd_structure_rows(r->ask.graph, HD_WANT_OUT | (weights ? HD_WANT_WEIGHTS : 0));
    if (!bytes)
        return 0;
    bytes += hd_bring_back_bytes(r->ask.graph->vertices, size, r->algorithm->results == HD_RESULTS_LABELS);
    if (hd_made_order_ready(r->ask.ctx, r->ask.graph, order) || !hd_rename_pays(r->ask.info, r->ask.graph))
        return bytes;
    made.wide = made.vertices + made.edges > UINT32_MAX;
    uint64_t on_the_way = own + made.vertices * 8 + hd_rename_bytes(&made, r->ask.graph->directed, weights);
    return own + (bytes > on_the_way ? bytes : on_the_way);
}

/* The device, NULL with the reason in words where it is not there. */
static heddle_status ask_device(heddle_context *ctx, const char *name, heddle_device_memory *memory,
                                hd_device **device) {
    heddle_status status = hd_device_keep(ctx, name, NULL, device);
    if (status == HEDDLE_OK)
        return (*device)->memory(*device, &memory->free, &memory->total);
    *device = NULL;
    if (status != HEDDLE_E_DEVICE)
        return status;
    snprintf(memory->missing, sizeof memory->missing, "%.250s", ctx->error.message);
    hd_enter(ctx);
    return HEDDLE_OK;
}

/* ---- The host ---------------------------------------------------------------------------------------------------- */

static uint64_t row_bytes(const heddle_graph *graph, bool weights) {
    return (graph->vertices + 1) * 8 + graph->edges * (4 + (weights ? hd_weight_size(graph->weight_type) : 0));
}

static uint64_t id_bytes(const heddle_graph *graph) {
    uint64_t n = graph->vertices, text = graph->mapping.text_bytes; /* of a file: its starts may be wild */
    if (graph->ids.starts)
        return (n + 1) * 8 + (graph->mapping.address ? text : graph->ids.starts[n]);
    return graph->ids.values ? n * 8 : 0;
}

/* What a file holds and the run does not look at stays on the disk. */
static void measure_host(const heddle_graph *graph, const heddle_run_options *options, heddle_device_memory *memory) {
    const hd_algorithm *algorithm = hd_algorithm_of(options);
    bool stored = graph->in.offsets != NULL, makes = graph->directed && algorithm->in_edges == HD_IN_MADE && !stored;
    bool weights = !graph->mapping.mapped || algorithm->weighs || options->weighted || makes;
    const hd_order *order = hd_order_choose(graph, options, algorithm);
    memory->host_edges = row_bytes(graph, weights) + id_bytes(graph);
    if (graph->directed && (makes || (stored && algorithm->in_edges)))
        memory->host_in_edges = row_bytes(graph, weights);
    if (hd_renames(order)) /* the file's own, held against the graph */
        memory->host_edges += row_bytes(graph, weights) + 2 * graph->vertices * sizeof(heddle_vertex);
}

static heddle_status measure(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_device_memory *memory) {
    hd_device *device = NULL;
    hd_choose choice;
    const hd_algorithm *algorithm = hd_algorithm_of(options);
    if (!algorithm)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no algorithm '%.60s'", options->algorithm ? options->algorithm : "");
    HD_TRY(hd_run_check(ctx, graph, options));
    measure_host(graph, options, memory);
    const char *given = options->device ? options->device : "auto";
    if (strcmp(given, "auto") == 0) {
        hd_run_choose(ctx, graph, algorithm, options, &choice);
        given = choice.device;
    }
    snprintf(memory->device, sizeof memory->device, "%.20s", given);
    if (!hd_device_kind_of(given))
        return HEDDLE_OK;
    HD_TRY(ask_device(ctx, given, memory, &device));
    heddle_run_options rest = *options; /* without an order */
    char plan[HD_ORDER_REST];
    const hd_order *order = &hd_order_none;
    if (!options->program)
        HD_TRY(hd_order_take(ctx, &rest, algorithm, plan, &order));
    rest.device = given;
    request r = {.ask = {.ctx = ctx,
                         .graph = graph,
                         .options = &rest,
                         .info = device ? &device->info : &hd_common_device,
                         .left = device ? memory->free : UINT64_MAX},
                 .algorithm = algorithm,
                 .kind = hd_device_kind_of(given)};
    HD_TRY(count(&r, &memory->wanted));
    if (!order)
        order = hd_order_choose(graph, &rest, algorithm);
    if (hd_renames(order))
        memory->wanted = with_order(&r, order, memory->wanted);
    return HEDDLE_OK;
}

heddle_status heddle_run_memory(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                                heddle_device_memory *memory) {
    heddle_run_options options;
    heddle_device_memory found = {.wanted = 0};
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS_ROOM(ctx, memory);
    HD_TRY(hd_run_options_take(ctx, __func__, given, &options));
    HD_TRY(measure(ctx, graph, &options, &found));
    HD_GIVE(memory, &found);
    return HEDDLE_OK;
}
