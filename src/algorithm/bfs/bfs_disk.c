/* bfs_disk.c - breadth-first search from a file: the vertex program, and parents by one more pass. */
#include "algorithm/bfs/bfs_disk.h"

#include "algorithm/program/from_disk.h"
#include "base/parallel.h"

static const hd_cpu_program *program(void) { return hd_cpu_program_find("bfs", false); }

hd_disk_wants hd_bfs_disk_wants(const hd_run *run) {
    hd_disk_wants wants = hd_from_disk_program_wants(program(), false);
    wants.vertex_bytes += run->options.parents ? sizeof(heddle_vertex) : 0;
    return wants;
}

/* A vertex offers itself to those one level further; the smallest stays. */
static void offer(void *self, const hd_csr *rows, uint64_t row, uint64_t first, uint64_t end) {
    heddle_result *result = self;
    const uint32_t *levels = result->values, level = levels[row];
    for (uint64_t e = first; level != UINT32_MAX && e < end; e++)
        if (levels[rows->targets[e]] == level + 1)
            hd_lower(&result->parents[rows->targets[e]], (uint32_t)row);
}

heddle_status hd_bfs_disk_parents(const hd_run *run, hd_disk *disk) {
    heddle_result *result = run->result;
    HD_TRY(hd_result_parents_new(run->ctx, result, run->graph->vertices));
    for (uint64_t v = 0; v < result->count; v++)
        result->parents[v] = UINT32_MAX;
    hd_phase_begin(run->ctx, "parents", run->graph->edges);
    heddle_status status = hd_from_disk_each_row(run, disk, offer, result);
    hd_phase_end(run->ctx);
    return status;
}

static void add_figures(heddle_result *result) {
    const uint32_t *levels = result->values;
    uint64_t reached = 0;
    uint32_t most = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        reached += levels[v] != UINT32_MAX;
        most = levels[v] != UINT32_MAX && levels[v] > most ? levels[v] : most;
    }
    hd_result_figure(result, "reached", (double)reached);
    hd_result_figure(result, "max", (double)most);
}

heddle_status hd_bfs_from_disk(const hd_run *run) {
    hd_disk_wants wants = hd_bfs_disk_wants(run);
    hd_cpu_setup setup = {.sources = run->options.sources, .source_count = run->options.source_count};
    hd_from_disk_rows rows;
    heddle_status status;
    HD_CHECK(hd_from_disk_open(run, &wants, &rows));
    HD_CHECK(hd_from_disk_execute(run, &rows, program(), &setup));
    if (run->options.parents)
        HD_CHECK(hd_bfs_disk_parents(run, &rows.disk));
    add_figures(run->result);
out:
    hd_from_disk_close(run, &rows);
    return status;
}
