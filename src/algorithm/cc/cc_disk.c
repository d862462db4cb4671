/* cc_disk.c - weakly connected components from a file: union-find needs each edge once, in any order, and no in-edges.
 * That is done in the pass that checks the file: the least that any way of finding them reads. */
#include "algorithm/cc/cc_disk.h"

#include "algorithm/program/from_disk.h"
#include "algorithm/structure/structure_device.h"
#include "base/parallel.h"
#include "graph/union_find.h"

/* Labels, which are the parents of the forest, and the sizes of components for the figures. */
hd_disk_wants hd_cc_disk_wants(const hd_run *run) {
    (void)run;
    return (hd_disk_wants){.vertex_bytes = 2 * sizeof(heddle_vertex)};
}

static void join_row(void *self, const hd_csr *rows, uint64_t row, uint64_t first, uint64_t end) {
    uint32_t *parent = self;
    for (uint64_t e = first; e < end; e++)
        hd_set_join(parent, (uint32_t)row, rows->targets[e]);
}

static heddle_status finish(const hd_run *run, const hd_disk *disk, uint32_t *parent) {
    heddle_context *ctx = run->ctx;
    heddle_report *report = &run->result->report;
    uint64_t n = run->graph->vertices;
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        hd_store(&parent[v], hd_set_root(parent, (uint32_t)v));
    HD_ROUND(ctx, .rounds = 1, .vertices = n, .edges = run->graph->edges, .kernel = "union-find",
             .traffic = disk->total);
    report->iterations = 1;
    report->edges_walked = run->graph->edges;
    report->converged = 1;
    return hd_structure_figures(ctx, run->result);
}

heddle_status hd_cc_from_disk(const hd_run *run) {
    hd_disk_wants wants = hd_cc_disk_wants(run);
    hd_from_disk_rows rows;
    uint64_t n = run->graph->vertices;
    HD_TRY(hd_result_values_new(run->ctx, run->result, HEDDLE_VALUE_U32, n));
    uint32_t *parent = run->result->values;
    for (uint64_t v = 0; v < n; v++)
        parent[v] = (uint32_t)v;
    hd_rounds_mark(run->ctx);
    heddle_status status = hd_from_disk_open_walking(run, &wants, join_row, parent, &rows);
    if (status == HEDDLE_OK)
        status = finish(run, &rows.disk, parent);
    hd_from_disk_close(run, &rows);
    return status;
}
