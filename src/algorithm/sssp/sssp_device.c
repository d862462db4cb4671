/* sssp_device.c - shortest paths on devices.
 *
 * Values have the types that the CPU's own code gives: whole-numbered distances are 32-bit sums, and 64-bit ones in a
 * second run when a sum that matters did not fit.
 */
#include "algorithm/sssp/sssp_device.h"

#include "algorithm/bfs/bfs_device.h"
#include "algorithm/bfs/bfs_part.h"
#include "algorithm/paths/parents.h"
#include "algorithm/paths/paths.h"
#include "algorithm/paths/paths_device.h"
#include "algorithm/program/program_run.h"
#include "algorithm/sssp/sssp_part.h"
#include "algorithm/sssp/sssp_width.h"
#include "base/memory.h"
#include "engine/spread.h"
#include "engine/weight_check.h"
#include "exchange/together.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>

/* Every bucket takes parts a message and two reductions: theirs are 2^WIDER as wide as those of one process, which
 * merges up to as many. On R-MAT 18 in 4 parts this saves four fifths of the steps, for a fifth more bytes. */
enum { WIDER = 3 };

/* How parts of the CPU go about it: without weights by a breadth-first search: own.run NULL. */
static heddle_status go_in_parts(const hd_run *run, hd_path path, bool fits, hd_sssp_part *part) {
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    *part = (hd_sssp_part){.path = path};
    HD_TRY(heddle_graph_out(run->ctx, graph, &out));
    if (graph->weight_type != HEDDLE_WEIGHT_NONE)
        *part =
            hd_sssp_part_of(path, hd_sssp_width(graph, &out, run->options.delta) + (run->options.delta > 0 ? 0 : WIDER),
                            fits);
    return HEDDLE_OK;
}

/* One run with distances of that kind. `fits`: no sum is too large for it; `excess`: one may have been. */
static heddle_status run_path(const hd_run *run, hd_path path, bool fits, bool *excess) {
    hd_incore_program program;
    hd_sssp_part part;
    hd_cpu_setup setup = {.sources = run->options.sources, .source_count = run->options.source_count};
    *excess = true;
    if (!run->executor->program)
        return hd_paths_sums(run, path, excess);
    HD_TRY(hd_incore_find(run->ctx, "sssp", path == HD_SUM_F64 || path == HD_SUM_D64, &program));
    if (path == HD_SUM_U32 || path == HD_SUM_U64 || path == HD_SUM_I64) {
        program.defines = path == HD_SUM_U32 ? "#define DISTANCE u32\n" : "#define DISTANCE u64\n";
        program.value_size = program.message_size = path == HD_SUM_U32 ? 4 : 8;
        program.output = path == HD_SUM_U32 ? HEDDLE_VALUE_U32 : HEDDLE_VALUE_U64;
    }
    if (hd_in_parts(run)) {
        HD_TRY(go_in_parts(run, path, fits, &part));
        setup.own = part.own.run ? &part.own : hd_bfs_part_of(run->graph);
    }
    return hd_program_execute(run, &program, NULL, &setup);
}

/* Without weights, or where all are 1, it is a breadth-first search. */
hd_refusal hd_sssp_refuse_weights(const hd_run *run) {
    heddle_adjacency out;
    bool counts =
        run->options.delta == 0 && (run->graph->weight_type == HEDDLE_WEIGHT_NONE ||
                                    (heddle_graph_out(run->ctx, hd_graph_on_host(run->graph), &out) == HEDDLE_OK &&
                                     hd_weights_all_one(run->ctx, run->graph, &out)));
    return counts ? (hd_refusal){NULL, NULL, NULL} : (hd_refusal){"there are weights", NULL, NULL};
}

static heddle_status check_weights(const hd_run *run, heddle_adjacency *out, double *most) {
    const heddle_graph *host = hd_graph_on_host(run->graph);
    HD_TRY(heddle_graph_out(run->ctx, host, out));
    return hd_weights_check(run->ctx, host, out, true, "sssp", most);
}

heddle_status hd_sssp_levels(const hd_run *run) {
    heddle_adjacency out;
    double most;
    HD_TRY(check_weights(run, &out, &most));
    return hd_bfs_on_device(run, HD_BFS_AUTO);
}

/* About the largest distance that this label type can hold. */
static double largest_sum(hd_path path) {
    return path == HD_SUM_U32 ? UINT32_MAX : path == HD_SUM_I64 ? 0x1p63 : path == HD_SUM_D64 ? DBL_MAX / 2 : INFINITY;
}

/* 32-bit distances if all fit, as a run of one process gives. */
static heddle_status narrow(heddle_context *ctx, heddle_result *result) {
    uint64_t *wide = result->values, count = result->count, most = 0;
    for (uint64_t v = 0; v < count; v++)
        most = wide[v] != UINT64_MAX && wide[v] > most ? wide[v] : most;
    hd_spread_join(ctx, result, HD_LINK_MAX, &most, 1);
    if (most >= UINT32_MAX)
        return HEDDLE_OK;
    result->values = NULL;
    heddle_status status = hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, count);
    for (uint64_t v = 0; status == HEDDLE_OK && v < count; v++)
        ((uint32_t *)result->values)[v] = (uint32_t)wide[v]; /* UINT64_MAX becomes UINT32_MAX */
    hd_free(&result->allocator, wide, count * sizeof *wide);
    return status;
}

/* Parts cannot run again with wider distances, as one process can: they go by the largest weight, not by the type's. A
 * rank looks at its share of the edges. */
static heddle_status find_largest(const hd_run *run, const heddle_adjacency *out, double *most) {
    heddle_context *ctx = run->ctx;
    const uint32_t *weights = out->weights;
    uint32_t rank = hd_together(ctx) ? ctx->link->rank : 0, ranks = hd_together(ctx) ? ctx->link->size : 1;
    uint64_t from = hd_split(run->graph->edges, ranks, rank), to = hd_split(run->graph->edges, ranks, rank + 1);
    uint64_t largest = 0;
    if (!hd_in_parts(run) || run->graph->weight_type != HEDDLE_WEIGHT_U32)
        return HEDDLE_OK;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : largest) if (to - from >= HD_WORTH_THREADS))
    for (uint64_t e = from; e < to; e++)
        largest = weights[e] > largest ? weights[e] : largest;
    if (hd_together(ctx))
        HD_TRY(ctx->link->reduce(ctx->link, HD_LINK_MAX, &largest, 1));
    *most = (double)largest;
    return HEDDLE_OK;
}

heddle_status hd_device_sssp(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    heddle_adjacency out;
    double most;
    HD_TRY(check_weights(run, &out, &most));
    HD_TRY(find_largest(run, &out, &most));
    bool excess;
    hd_path path = hd_paths_sum_for(graph, &run->options, most);
    if ((hd_together(ctx) || run->options.checkpoint) && path == HD_SUM_U32 &&
        most * (double)graph->vertices > UINT32_MAX)
        path = HD_SUM_U64; /* only rank 0 sees the sums, and a checkpoint is of one run: there is no second one */
    hd_run own = *run;
    if (most * (double)graph->vertices > largest_sum(path)) /* sums that did not fit show in edges, of all vertices */
        own.options.spread = 0;
    HD_TRY(run_path(&own, path, most * (double)graph->vertices <= largest_sum(path), &excess));
    if (path == HD_SUM_U64) {
        HD_TRY(narrow(ctx, result));
        path = result->type == HEDDLE_VALUE_U32 ? HD_SUM_U32 : path;
        excess = false;
    }
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
        HD_TRY(run_path(run, path, false, &excess));
    }
    if (run->options.parents && graph->weight_type == HEDDLE_WEIGHT_NONE && !result->parents)
        HD_TRY(hd_level_parents(run));
    else if (run->options.parents && !result->parents) {
        HD_TRY(hd_result_parents_new(ctx, result, graph->vertices));
        HD_TRY(hd_parents(ctx, graph, &run->options, path, result->values, result->parents));
    }
    hd_paths_figures(ctx, result, 0);
    return HEDDLE_OK;
}

heddle_status hd_sssp_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    *bytes = hd_paths_device_bytes(r, hd_algorithm_in_double(r->run->algorithm, r->run->graph, &r->run->options));
    return HEDDLE_OK;
}
