/* sswp_disk.c - widest paths from a file: the vertex program. Without weights every path is as wide as any other, and
 * a breadth-first search finds who is reached. */
#include "algorithm/sswp/sswp_disk.h"

#include "algorithm/shared/from_disk.h"
#include "algorithm/shared/paths.h"
#include "algorithm/sswp/sswp_device.h"

static bool unweighted(const hd_run *run) { return run->graph->weight_type == HEDDLE_WEIGHT_NONE; }

static const hd_cpu_program *program_of(const hd_run *run) {
    return unweighted(run) ? hd_cpu_program_find("bfs", false)
                           : hd_cpu_program_find("sswp", run->graph->weight_type != HEDDLE_WEIGHT_F32);
}

hd_disk_wants hd_sswp_disk_wants(const hd_run *run) {
    hd_disk_wants wants = hd_from_disk_program_wants(program_of(run), false);
    wants.check_weights = true;
    wants.vertex_bytes += unweighted(run) ? sizeof(double) : 0; /* levels become widths */
    return wants;
}

const char *hd_sswp_disk_refuse(const hd_run *run) {
    if (run->options.parents)
        return "parents of widest paths are found in memory: the run without them would do";
    return run->graph->weight_type == HEDDLE_WEIGHT_I64
               ? "widths of 64-bit whole numbers are found in memory: heddle convert --weight-type f64 would do"
               : NULL;
}

heddle_status hd_sswp_from_disk(const hd_run *run) {
    hd_disk_wants wants = hd_sswp_disk_wants(run);
    hd_cpu_setup setup = {.sources = run->options.sources, .source_count = run->options.source_count};
    HD_TRY(hd_from_disk_run(run, &wants, program_of(run), &setup));
    if (unweighted(run))
        HD_TRY(hd_sswp_widen(run->ctx, run->result));
    run->result->widest = true;
    hd_paths_figures(run->ctx, run->result, 0);
    return HEDDLE_OK;
}
