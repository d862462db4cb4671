/* sswp_disk.c - widest paths from a file: the vertex program. Without weights every path is as wide as any other, and
 * a breadth-first search finds who is reached. */
#include "algorithm/sswp/sswp_disk.h"

#include "algorithm/bfs/bfs_disk.h"
#include "algorithm/paths/parents_disk.h"
#include "algorithm/paths/paths.h"
#include "algorithm/sswp/sswp_device.h"
#include "base/memory.h"

static bool unweighted(const hd_run *run) { return run->graph->weight_type == HEDDLE_WEIGHT_NONE; }

static const hd_cpu_program *program_of(const hd_run *run) {
    return unweighted(run) ? hd_cpu_program_find("bfs", false)
                           : hd_cpu_program_find("sswp", run->graph->weight_type != HEDDLE_WEIGHT_F32);
}

hd_disk_wants hd_sswp_disk_wants(const hd_run *run) {
    hd_disk_wants wants = hd_from_disk_program_wants(program_of(run), false);
    wants.check_weights = true;
    wants.vertex_bytes += unweighted(run) ? sizeof(double) : 0; /* levels become widths */
    if (run->options.parents)
        wants.vertex_bytes += sizeof(uint64_t) + HD_PARENTS_DISK_BYTES;
    return wants;
}

hd_refusal hd_sswp_disk_refuse(const hd_run *run) {
    if (run->graph->weight_type != HEDDLE_WEIGHT_I64)
        return (hd_refusal){NULL, NULL, NULL};
    return (hd_refusal){"widths of 64-bit whole numbers are found in memory", NULL, "heddle convert --weight-type f64"};
}

static heddle_status find_parents(const hd_run *run, hd_disk *disk) {
    heddle_context *ctx = run->ctx;
    hd_path path = hd_paths_widest(run->graph->weight_type);
    uint64_t *labels;
    if (unweighted(run))
        return hd_bfs_disk_parents(run, disk);
    HD_TRY(HD_NEW(ctx, &labels, run->graph->vertices, "labels"));
    hd_width_labels(ctx, path, run->result, labels);
    heddle_status status = hd_parents_from_disk(run, disk, path, labels);
    HD_DELETE(&ctx->allocator, labels, run->graph->vertices);
    return status;
}

heddle_status hd_sswp_from_disk(const hd_run *run) {
    hd_disk_wants wants = hd_sswp_disk_wants(run);
    hd_cpu_setup setup = {.sources = run->options.sources, .source_count = run->options.source_count};
    hd_from_disk_rows rows;
    heddle_status status;
    HD_CHECK(hd_from_disk_open(run, &wants, &rows));
    HD_CHECK(hd_from_disk_execute(run, &rows, program_of(run), &setup));
    if (run->options.parents)
        HD_CHECK(find_parents(run, &rows.disk));
    if (unweighted(run))
        HD_CHECK(hd_sswp_widen(run->ctx, run->result));
    run->result->widest = true;
    hd_paths_figures(run->ctx, run->result, 0);
out:
    hd_from_disk_close(run, &rows);
    return status;
}
