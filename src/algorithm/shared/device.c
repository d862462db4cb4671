/* device.c - from an algorithm's options to its program's: types, checks, figures.
 *
 * Values have the types that the CPU's own code gives: whole-numbered distances are 32-bit sums, and 64-bit ones in a
 * second run when a sum that matters did not fit; widths by whole-numbered weights are double.
 */
#include "algorithm/shared/device.h"

#include "algorithm/bc/bc_device.h"
#include "algorithm/bc/bc_split.h"
#include "algorithm/bfs/bfs_device.h"
#include "algorithm/bfs/bfs_each.h"
#include "algorithm/scc/scc_split.h"
#include "algorithm/shared/device_parts.h"
#include "algorithm/shared/parents.h"
#include "algorithm/shared/paths.h"
#include "algorithm/shared/paths_device.h"
#include "algorithm/shared/structure_device.h"
#include "algorithm/shared/transformed.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/weights.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool hd_on_device(const heddle_run_options *options) { return hd_device_kind_of(options->device); }

static hd_cpu_setup setup_of(const heddle_run_options *options) {
    return (hd_cpu_setup){.sources = options->sources, .source_count = options->source_count};
}

heddle_status hd_device_execute(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                const hd_incore_program *program, const hd_cpu_setup *setup, heddle_result *result) {
    if (hd_transforms(ctx, options))
        return hd_transformed_execute(ctx, graph, options, program, NULL, setup, result);
    return hd_incore_execute(ctx, graph, program, setup, options->device, options->plan, result);
}

heddle_status hd_run_builtin(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const char *name, const hd_cpu_setup *setup, heddle_result *result) {
    bool in_double = options->precision == HEDDLE_PRECISION_DOUBLE;
    hd_incore_program program;
    if (!hd_on_device(options) && !hd_transforms(ctx, options))
        return hd_cpu_execute(ctx, graph, hd_cpu_program_find(name, in_double), setup, result);
    HD_TRY(hd_incore_find(ctx, name, in_double, &program));
    return hd_device_execute(ctx, graph, options, &program, setup, result);
}

/* ---- bfs and sssp ----------------------------------------------------------------------------------------------- */

/* The smallest vertex one level up. Rows are walked in ascending order: the first that fits stays. */
heddle_status hd_level_parents(heddle_context *ctx, const heddle_graph *graph, const uint32_t *levels,
                               heddle_vertex *parents) {
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    for (uint64_t v = 0; v < graph->vertices; v++)
        parents[v] = UINT32_MAX;
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t k = out.offsets[v]; levels[v] != UINT32_MAX && k < out.offsets[v + 1]; k++)
            if (levels[out.targets[k]] == levels[v] + 1 && parents[out.targets[k]] == UINT32_MAX)
                parents[out.targets[k]] = (heddle_vertex)v;
    return HEDDLE_OK;
}

static heddle_status run_bfs(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    if (options->each)
        return hd_bfs_each_on_device(ctx, graph, options, result);
    if (hd_plan_is_auto(options->plan))
        return hd_bfs_on_device(ctx, graph, options, HD_BFS_AUTO, result);
    hd_incore_program program;
    hd_cpu_setup setup = setup_of(options);
    HD_TRY(hd_incore_find(ctx, "bfs", false, &program));
    HD_TRY(hd_device_execute(ctx, graph, options, &program, &setup, result));
    if (options->parents) {
        HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
        HD_TRY(hd_level_parents(ctx, graph, result->values, result->parents));
    }
    hd_paths_figures(ctx, result, 0);
    return HEDDLE_OK;
}

/* One run with distances of that kind. `excess`: a sum may have been too large for the type. */
static heddle_status run_path(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              hd_path path, bool *excess, heddle_result *result) {
    hd_incore_program program;
    hd_cpu_setup setup = setup_of(options);
    *excess = true;
    if (hd_paths_serve(ctx, graph, options, &result->report))
        return hd_paths_sums(ctx, graph, options, path, excess, result);
    HD_TRY(hd_incore_find(ctx, "sssp", path == HD_SUM_F64 || path == HD_SUM_D64, &program));
    if (path == HD_SUM_U32 || path == HD_SUM_U64 || path == HD_SUM_I64) {
        program.defines = path == HD_SUM_U32 ? "#define DISTANCE u32\n" : "#define DISTANCE u64\n";
        program.value_size = program.message_size = path == HD_SUM_U32 ? 4 : 8;
        program.output = path == HD_SUM_U32 ? HEDDLE_VALUE_U32 : HEDDLE_VALUE_U64;
    }
    return hd_device_execute(ctx, graph, options, &program, &setup, result);
}

bool hd_device_counts_edges(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    if (!hd_plan_is_auto(options->plan) || options->delta > 0)
        return false;
    return graph->weight_type == HEDDLE_WEIGHT_NONE ||
           (heddle_graph_out(ctx, hd_graph_on_host(graph), &out) == HEDDLE_OK && hd_weights_all_one(ctx, graph, &out));
}

/* What a path's sums may come to, about: none of a smaller bound is too large. */
static double largest_sum(hd_path path) {
    return path == HD_SUM_U32 ? UINT32_MAX : path == HD_SUM_I64 ? 0x1p63 : path == HD_SUM_D64 ? DBL_MAX / 2 : INFINITY;
}

static heddle_status run_sssp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    heddle_adjacency out;
    double most;
    HD_TRY(heddle_graph_out(ctx, hd_graph_on_host(graph), &out));
    HD_TRY(hd_weights_check(ctx, hd_graph_on_host(graph), &out, true, "sssp", &most));
    if (hd_device_counts_edges(ctx, graph, options))
        return hd_bfs_on_device(ctx, graph, options, HD_BFS_AUTO, result);
    bool real = graph->weight_type == HEDDLE_WEIGHT_F32, overflow = most * (double)graph->vertices >= (double)FLT_MAX;
    bool excess;
    hd_path path = graph->weight_type == HEDDLE_WEIGHT_I64                     ? HD_SUM_I64
                   : graph->weight_type == HEDDLE_WEIGHT_F64                   ? HD_SUM_D64
                   : !real                                                     ? HD_SUM_U32
                   : overflow || options->precision == HEDDLE_PRECISION_DOUBLE ? HD_SUM_F64
                                                                               : HD_SUM_F32;
    HD_TRY(run_path(ctx, graph, options, path, &excess, result));
    excess = excess && most * (double)graph->vertices > largest_sum(path);
    if (excess) /* the rows that the values go with */
        HD_TRY(heddle_graph_out(ctx, result->home ? graph->original : graph, &out));
    if (excess && hd_paths_cut_short(ctx, graph, &out, path, result->values)) {
        if (path != HD_SUM_U32)
            return hd_paths_refuse_sum(ctx, result->type);
        hd_free(&result->allocator, result->values, result->count * hd_value_size(result->type));
        result->values = NULL;
        result->home = false;
        path = HD_SUM_U64;
        HD_TRY(run_path(ctx, graph, options, path, &excess, result));
    }
    if (options->parents) {
        HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
        HD_TRY(graph->weight_type == HEDDLE_WEIGHT_NONE
                   ? hd_level_parents(ctx, graph, result->values, result->parents)
                   : hd_parents(ctx, graph, options, path, result->values, result->parents));
    }
    hd_paths_figures(ctx, result, 0);
    return HEDDLE_OK;
}

/* ---- The others ------------------------------------------------------------------------------------------------- */

static heddle_status refuse(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    (void)graph, (void)options;
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s is not on this device yet: use cpu", result->report.algorithm);
}

static heddle_status run_bc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    return (hd_transforms(ctx, options) ? hd_bc_transformed : hd_device_bc)(ctx, graph, options, result);
}

static heddle_status run_scc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    return (hd_transforms(ctx, options) ? hd_scc_transformed : hd_device_scc)(ctx, graph, options, result);
}

hd_run_fn hd_device_run(const hd_algorithm *algorithm) {
    static const struct {
        const char *name;
        hd_run_fn run; /* NULL: the algorithm's own */
    } table[] = {{"bfs", run_bfs},     {"bc", run_bc},   {"sssp", run_sssp},     {"sswp", hd_device_sswp},
                 {"cc", hd_device_cc}, {"scc", run_scc}, {"mst", hd_device_mst}, {"pr", hd_device_pr},
                 {"hs", NULL},         {"cs", NULL},     {"nn", NULL},           {"program", NULL}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, algorithm->info.name) == 0)
            return table[i].run ? table[i].run : algorithm->run;
    return refuse;
}
