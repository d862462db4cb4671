/* sssp_disk.c - shortest paths from a file: the vertex program. Values have the types that the run in memory gives:
 * whole-numbered distances are summed in 64 bits and given in 32 if all fit. */
#include "algorithm/sssp/sssp_disk.h"

#include "algorithm/bfs/bfs_disk.h"
#include "algorithm/paths/parents_disk.h"
#include "algorithm/paths/paths.h"
#include "base/memory.h"

#include <float.h>

static bool unweighted(const hd_run *run) { return run->graph->weight_type == HEDDLE_WEIGHT_NONE; }

/* Before the weights have been read: whichever program it will be, none takes more. */
hd_disk_wants hd_sssp_disk_wants(const hd_run *run) {
    if (unweighted(run))
        return hd_bfs_disk_wants(run);
    hd_disk_wants wants = hd_from_disk_program_wants(hd_cpu_program_whole_sums(true), false);
    wants.check_weights = wants.not_negative = true;
    wants.vertex_bytes += run->options.parents ? HD_PARENTS_DISK_BYTES : 0;
    return wants;
}

/* U32 if every distance is smaller than the mark of unreached vertices. */
static heddle_status narrow(heddle_context *ctx, heddle_result *result) {
    uint64_t *wide = result->values, count = result->count;
    for (uint64_t v = 0; v < count; v++)
        if (wide[v] != UINT64_MAX && wide[v] >= UINT32_MAX)
            return HEDDLE_OK;
    result->values = NULL;
    heddle_status status = hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, count);
    for (uint64_t v = 0; status == HEDDLE_OK && v < count; v++)
        ((uint32_t *)result->values)[v] = wide[v] == UINT64_MAX ? UINT32_MAX : (uint32_t)wide[v];
    hd_free(&result->allocator, wide, count * sizeof *wide);
    return status;
}

/* The type of distances. A sum that the type may not hold is refused beforehand. */
static heddle_status choose(const hd_run *run, double most, const hd_cpu_program **program) {
    double largest = most * (double)run->graph->vertices;
    bool real = hd_weight_real(run->graph->weight_type), large = hd_weight_size(run->graph->weight_type) == 8;
    if (large && largest > (real ? DBL_MAX / 2 : 0x1p63))
        return hd_fail(
            run->ctx, HEDDLE_E_REFUSED,
            "sssp: residency=disk: distances may exceed 64 bits, which is found out in memory only; use a larger "
            "--memory-limit instead");
    bool single = hd_paths_sum_for(run->graph, &run->options, most) == HD_SUM_F32;
    *program = real ? hd_cpu_program_find("sssp", !single) : hd_cpu_program_whole_sums(true);
    return HEDDLE_OK;
}

heddle_status hd_sssp_from_disk(const hd_run *run) {
    hd_disk_wants wants = hd_sssp_disk_wants(run);
    hd_cpu_setup setup = {.sources = run->options.sources, .source_count = run->options.source_count};
    const hd_cpu_program *program = NULL;
    hd_from_disk_rows rows;
    heddle_status status;
    if (unweighted(run))
        return hd_bfs_from_disk(run);
    HD_CHECK(hd_from_disk_open(run, &wants, &rows));
    HD_CHECK(choose(run, rows.most, &program));
    HD_CHECK(hd_from_disk_execute(run, &rows, program, &setup));
    if (run->result->type == HEDDLE_VALUE_U64 && run->graph->weight_type != HEDDLE_WEIGHT_I64)
        HD_CHECK(narrow(run->ctx, run->result));
    if (run->options.parents)
        HD_CHECK(
            hd_parents_from_disk(run, &rows.disk, hd_paths_sum(run->graph, run->result->type), run->result->values));
    hd_paths_figures(run->ctx, run->result, 0);
out:
    hd_from_disk_close(run, &rows);
    return status;
}
