/* bfs_each_device.c - searches from each source on a device: batches of up to 32 in the bits of a word
 * (many.cl), each brought to the host before the next begins. */
#include "algorithm/bfs/bfs_each.h"
#include "algorithm/many/many_device.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_many[], hd_text_kernels_many_steps[], hd_text_kernels_bfs_each[];

/* Tunables. */
enum {
    WARPS = 16, /* in a group */
    GROUPS = 2  /* on a multiprocessor */
};

static const uint64_t column_bytes = 4; /* for each search and vertex */

typedef struct each_device {
    hd_structure s;
    hd_many m;
    hd_kernels kernels;
    void *turn, *forward;
    hd_buffer columns;
    uint32_t groups;
    bool resident;
    uint64_t rounds;
} each_device;

static heddle_status compile(each_device *e) {
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_bfs_each,
                                        NULL};
    char defines[512], more[64];
    hd_kernels_text text = {.name = "bfs", .texts = texts, .defines = defines, .warps = WARPS};
    bool waits = e->s.device->info.grid_barrier;
    text.wide = e->s.resident->wide;
    hd_many_defines(&e->m, waits, defines, sizeof defines - sizeof more);
    snprintf(more, sizeof more, "#define MANY_GROUPS %d\n", GROUPS);
    strcat(defines, more);
    HD_TRY(hd_kernels_open(e->s.device, &text, &e->s.result->report, &e->kernels));
    HD_TRY(hd_kernels_find(&e->kernels, "bfs_each_turn", &e->turn));
    if (waits)
        HD_TRY(hd_kernels_find(&e->kernels, "bfs_each_forward", &e->forward));
    uint32_t resident = waits ? hd_kernels_resident(&e->kernels, e->forward) : 0;
    e->resident = resident > 0;
    e->groups = resident ? resident : hd_kernels_groups(&e->kernels, e->s.graph->vertices);
    return hd_many_find(&e->m, &e->kernels, e->groups);
}

/* Buffers for as many searches at once as were chosen. */
static heddle_status open_buffers(each_device *e) {
    HD_TRY(hd_many_open(&e->m, false));
    return hd_structure_buffer(&e->s, ((uint64_t)e->m.vertices << e->m.shift) * 4, "levels", &e->columns);
}

heddle_status hd_bfs_each_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    each_device e = {.s = {.ctx = r->run->ctx, .graph = r->run->graph}};
    uint64_t rows = hd_structure_rows(e.s.graph, HD_WANT_OUT | HD_WANT_IN);
    HD_TRY(hd_many_foresee(&e.m, &e.s, r->run->options.source_count, column_bytes, 0,
                           r->left - (rows < r->left ? rows : r->left)));
    HD_TRY(open_buffers(&e));
    *bytes = e.s.bytes + rows;
    return HEDDLE_OK;
}

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

static heddle_status some_depths(each_device *e, uint32_t count) {
    uint32_t level = e->m.level;
    if (e->resident) {
        hd_argument arguments[HD_MANY_ARGUMENTS];
        hd_many_arguments(&e->m, level, count, arguments);
        return hd_kernels_launch(&e->kernels, e->forward, "bfs_each_forward", e->groups, true, arguments,
                                 HD_MANY_ARGUMENTS);
    }
    for (uint32_t i = 0; i < count; i++) {
        HD_TRY(hd_many_half(&e->m, level + i));
        HD_TRY(hd_many_launch(&e->m, HD_MANY_SETTLE, e->groups, level + i + 1, 0));
    }
    return HEDDLE_OK;
}

static heddle_status turn(each_device *e) {
    hd_many *m = &e->m;
    return HD_LAUNCH(&e->kernels, e->turn, "bfs_each_turn", hd_kernels_groups(&e->kernels, m->vertices),
                     HD_ARGUMENT_VALUE(m->vertices), HD_ARGUMENT_VALUE(m->shift), HD_ARGUMENT_VALUE(m->full),
                     HD_ARGUMENT_BUFFER(m->pair), HD_ARGUMENT_BUFFER(e->columns));
}

static heddle_status one_batch(each_device *e, const heddle_vertex *sources, uint32_t count, uint32_t *levels) {
    HD_TRY(hd_structure_start(&e->s));
    hd_rounds_mark(e->s.ctx);
    HD_TRY(hd_many_ready(&e->m, sources, count));
    HD_TRY(hd_many_begin(&e->m));
    while (!e->m.done) {
        uint32_t level = e->m.level;
        HD_TRY(some_depths(e, hd_many_levels(&e->m, e->resident)));
        HD_TRY(hd_many_look(&e->m));
        hd_structure_record(e->s.ctx, e->m.level - level, HEDDLE_DIRECTION_MIXED, "bfs_each");
    }
    HD_TRY(turn(e));
    HD_TRY(hd_structure_stop(&e->s));
    e->rounds += e->m.level;
    return hd_structure_fetch(&e->s, &e->columns, levels, (uint64_t)e->m.vertices * count * 4);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static heddle_status compute(each_device *e, const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    uint64_t n = run->graph->vertices, count = options->source_count;
    HD_TRY(hd_result_columns_new(ctx, result, HEDDLE_VALUE_U32, n, options));
    HD_TRY(hd_structure_open(&e->s, ctx, run->graph, options->device, HD_WANT_OUT | HD_WANT_IN, result));
    HD_TRY(hd_many_choose(&e->m, &e->s, count, column_bytes, 0));
    uint64_t batch = UINT64_C(1) << e->m.shift;
    HD_TRY(open_buffers(e));
    HD_TRY(compile(e));
    hd_phase_total(ctx, count);
    for (uint64_t k = 0; k < count; k += batch, hd_advance(ctx, batch))
        HD_TRY(one_batch(e, options->sources + k, (uint32_t)(count - k < batch ? count - k : batch),
                         (uint32_t *)result->values + k * n));
    hd_structure_report(&e->s, options->device, "fast");
    result->report.iterations = e->rounds;
    result->report.edges_walked = run->graph->edges * ((count + batch - 1) / batch);
    hd_bfs_each_figures(ctx, result);
    hd_result_figure(result, "batch", (double)(count < batch ? count : batch));
    return HEDDLE_OK;
}

heddle_status hd_bfs_each_on_device(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    each_device e = {.s = {.ctx = ctx}};
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = compute(&e, run);
    hd_phase_end(ctx);
    hd_kernels_close(&e.kernels);
    hd_structure_close(&e.s);
    return status;
}
