/* memory.c - what a run would take on its device, before it: graph, values and buffers, from the functions that count
 * them for the run itself. */
#include "run/memory.h"

#include "algorithm/algorithm.h"
#include "algorithm/bc/bc_device.h"
#include "algorithm/bc/bc_many.h"
#include "algorithm/bfs/bfs_device.h"
#include "algorithm/bfs/bfs_each.h"
#include "algorithm/pr/pr_device.h"
#include "algorithm/shared/builtin.h"
#include "algorithm/shared/paths_device.h"
#include "algorithm/shared/transformed.h"
#include "algorithm/sssp/sssp_device.h"
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
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_run_options *options;
    const char *name;
    const hd_device_info *info;
    const hd_device_kind *kind;
    uint64_t left; /* free on the device; as much as can be where that is not known */
} request;

static bool is_any(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A vertex program under a plan. */
static heddle_status program_bytes(const request *r, bool transforms, uint64_t *bytes) {
    bool in_double = hd_algorithm_in_double(hd_algorithm_find(r->name), r->graph, r->options);
    hd_incore_program program;
    hd_plan plan;
    hd_incore_size size = {.bytes = 0};
    HD_TRY(hd_incore_find(r->ctx, r->name, in_double, &program));
    HD_TRY(hd_plan_parse(r->ctx, r->options->plan, &plan));
    hd_plan_program facts = hd_incore_facts(&program);
    if (!transforms)
        HD_TRY(hd_plan_degrees(r->ctx, r->graph, &plan, &facts));
    HD_TRY(hd_plan_fit(r->ctx, &facts, r->info->warp, r->kind->warps, r->info->atomics64, &plan));
    if (!transforms)
        HD_TRY(hd_incore_measure(r->ctx, r->graph, &program, &plan, r->info, r->kind, &size));
    *bytes = size.bytes;
    return HEDDLE_OK;
}

heddle_status hd_walk_device_bytes(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *plan,
                                   const hd_device_info *info, uint64_t *bytes) {
    hd_walk walk;
    HD_TRY(hd_walk_of(ctx, name, plan, info, &walk));
    if (strcmp(name, "bc") == 0)
        return hd_bc_device_bytes(ctx, graph, hd_plan_is_auto(plan) ? NULL : &walk, bytes);
    return (strcmp(name, "scc") == 0 ? hd_scc_device_bytes : hd_mst_device_bytes)(ctx, graph, &walk, bytes);
}

/* Kernels that plan auto takes; 0 bytes where it does not. */
static heddle_status fast_bytes(const request *r, uint64_t *bytes) {
    static const char *const paths[] = {"sssp", "sswp", NULL};
    const heddle_run_options *options = r->options;
    if (!hd_plan_is_auto(options->plan))
        return HEDDLE_OK;
    if (strcmp(r->name, "cc") == 0)
        return hd_cc_device_bytes(r->ctx, r->graph, bytes);
    if (strcmp(r->name, "bfs") == 0 ||
        (strcmp(r->name, "sssp") == 0 && hd_device_counts_edges(r->ctx, r->graph, options))) {
        HD_TRY(hd_bfs_device_bytes(r->ctx, r->graph, bytes));
        *bytes += hd_structure_rows(r->graph, HD_WANT_OUT | HD_WANT_IN);
    } else if (is_any(r->name, paths) && r->info->atomics64 && r->info->doubles &&
               (hd_weight_size(r->graph->weight_type) <= 4 || strcmp(r->name, "sswp") == 0)) {
        *bytes = hd_paths_device_bytes(r->graph, r->info, options->source_count);
    } else if (strcmp(r->name, "pr") == 0 && options->precision != HEDDLE_PRECISION_DOUBLE && !options->weighted &&
               !options->personalization) {
        *bytes = hd_pr_device_bytes(r->graph, r->info);
    }
    return HEDDLE_OK;
}

/* Several sources of bc go side by side under plan auto; 0 bytes where they do not. */
static heddle_status many_bytes(const request *r, uint64_t *bytes) {
    const heddle_run_options *options = r->options;
    uint64_t n = r->graph->vertices, drawn = options->samples && options->samples < n ? options->samples : n;
    uint64_t sources = options->source_count ? options->source_count : drawn;
    if (strcmp(r->name, "bc") != 0 || !hd_plan_is_auto(options->plan) || sources < 2)
        return HEDDLE_OK;
    return hd_bc_many_bytes(r->ctx, r->graph, sources, r->left, bytes);
}

/* 0 bytes for what is only known once it is made: a split graph, a program of the user's own. */
static heddle_status count(const request *r, uint64_t *bytes) {
    static const char *const walks[] = {"bc", "scc", "mst", NULL};
    *bytes = 0;
    if (r->options->program)
        return HEDDLE_OK;
    if (hd_transforms(r->ctx, r->options)) /* may be refused all the same */
        return is_any(r->name, walks) ? HEDDLE_OK : program_bytes(r, true, bytes);
    if (r->options->each)
        return hd_bfs_each_device_bytes(r->ctx, r->graph, r->options->source_count, r->left, bytes);
    HD_TRY(many_bytes(r, bytes));
    if (is_any(r->name, walks) && !*bytes)
        return hd_walk_device_bytes(r->ctx, r->graph, r->name, r->options->plan, r->info, bytes);
    if (!*bytes)
        HD_TRY(fast_bytes(r, bytes));
    return *bytes ? HEDDLE_OK : program_bytes(r, false, bytes);
}

/* A run of so many bytes on the renamed graph: what brings values back stays beside it, and, where the device renames,
 * the graph itself; on the way there is more for a while. */
static uint64_t with_order(const request *r, const hd_order *order, uint64_t bytes) {
    static const char *const labelled[] = {"cc", "scc", NULL}, *const weighted[] = {"sssp", "sswp", NULL};
    hd_device like = {.info = *r->info};
    hd_resident made = {.device = &like, .vertices = r->graph->vertices, .edges = r->graph->edges};
    size_t size = strcmp(r->name, "bc") == 0 ? 8 : 4;
    bool weights = r->graph->weight_type && (is_any(r->name, weighted) || r->options->weighted);
    uint64_t own = hd_structure_rows(r->graph, HD_WANT_OUT | (weights ? HD_WANT_WEIGHTS : 0));
    if (!bytes)
        return 0;
    bytes += hd_bring_back_bytes(r->graph->vertices, size, is_any(r->name, labelled));
    if (hd_made_order_ready(r->ctx, r->graph, order) || !hd_rename_pays(r->info, r->graph))
        return bytes;
    made.wide = made.vertices + made.edges > UINT32_MAX;
    uint64_t on_the_way = own + made.vertices * 8 + hd_rename_bytes(&made, r->graph->directed, weights);
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
    if (!hd_algorithm_of(options))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no algorithm '%.60s'", options->algorithm ? options->algorithm : "");
    HD_TRY(hd_run_check(ctx, graph, options));
    measure_host(graph, options, memory);
    const char *given = options->device ? options->device : "auto";
    if (strcmp(given, "auto") == 0) {
        hd_run_choose(ctx, graph, hd_algorithm_of(options), options, &choice);
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
        HD_TRY(hd_order_take(ctx, &rest, hd_algorithm_of(options), plan, &order));
    rest.device = given;
    request r = {.ctx = ctx,
                 .graph = graph,
                 .options = &rest,
                 .name = options->algorithm,
                 .info = device ? &device->info : &hd_common_device,
                 .kind = hd_device_kind_of(given),
                 .left = device ? memory->free : UINT64_MAX};
    HD_TRY(count(&r, &memory->wanted));
    if (!order)
        order = hd_order_choose(graph, &rest, hd_algorithm_of(options));
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
