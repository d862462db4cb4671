/* distances_device.c - sums of distances on a device: batches of up to 32 searches in the bits of a word (many.cl),
 * whose depths are added up there (distances.cl). */
#include "algorithm/distances/distances.h"
#include "algorithm/many/many_device.h"
#include "base/memory.h"

#include <string.h>

extern const char hd_text_kernels_many[], hd_text_kernels_many_steps[], hd_text_kernels_distances[];

enum { WARPS = 16 }; /* in a group */

typedef struct adding {
    hd_structure s;
    hd_many m;
    hd_kernels kernels;
    void *add;
    hd_buffer reached, sums, depths;
} adding;

static heddle_status open_buffers(adding *a) {
    uint64_t n = a->m.vertices;
    HD_TRY(hd_many_open(&a->m, false));
    HD_TRY(hd_structure_buffer(&a->s, n * 4, "sources that reach a vertex", &a->reached));
    HD_TRY(hd_structure_buffer(&a->s, n * 16, "sums of distances", &a->sums));
    return hd_structure_buffer(&a->s, HD_MANY_MOST * 4, "depths of searches", &a->depths);
}

heddle_status hd_distances_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    const heddle_run_options *options = &r->run->options;
    adding a = {.s = {.ctx = r->run->ctx, .graph = graph}};
    uint64_t rows = hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN), n = graph->vertices, left = r->left;
    uint64_t drawn = options->samples && options->samples < n ? options->samples : n;
    left -= rows + n * 20 < left ? rows + n * 20 : left;
    HD_TRY(hd_many_foresee(&a.m, &a.s, options->source_count ? options->source_count : drawn, 0, 0, left));
    HD_TRY(open_buffers(&a));
    *bytes = a.s.bytes + rows;
    return HEDDLE_OK;
}

static heddle_status compile(adding *a, bool near) {
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_distances,
                                        NULL};
    char defines[512];
    hd_kernels_text text = {.name = "distances", .texts = texts, .defines = defines, .warps = WARPS};
    text.wide = a->s.resident->wide;
    hd_many_defines(&a->m, false, defines, sizeof defines - 64);
    strcat(defines, near ? "#define DISTANCES_NEAR 1\n" : "#define DISTANCES_NEAR 0\n");
    HD_TRY(hd_kernels_open(a->s.device, &text, &a->s.result->report, &a->kernels));
    HD_TRY(hd_kernels_find(&a->kernels, "distances_add", &a->add));
    return hd_many_find(&a->m, &a->kernels, hd_kernels_groups(&a->kernels, a->s.graph->vertices));
}

static heddle_status add(adding *a) {
    hd_many *m = &a->m;
    return HD_LAUNCH(&a->kernels, a->add, "distances_add", hd_kernels_groups(&a->kernels, m->vertices),
                     HD_ARGUMENT_VALUE(m->vertices), HD_ARGUMENT_VALUE(m->shift), HD_ARGUMENT_VALUE(m->full),
                     HD_ARGUMENT_BUFFER(m->pair), HD_ARGUMENT_BUFFER(a->reached), HD_ARGUMENT_BUFFER(a->sums),
                     HD_ARGUMENT_BUFFER(a->depths));
}

/* `depths` of the batch, unless NULL. */
static heddle_status one_batch(adding *a, const heddle_vertex *sources, uint32_t count, uint32_t *depths) {
    hd_device *device = a->s.device;
    HD_TRY(hd_structure_start(&a->s));
    hd_rounds_mark(a->s.ctx);
    HD_TRY(hd_many_ready(&a->m, sources, count));
    HD_TRY(device->fill(device, &a->depths, 0, 0, HD_MANY_MOST * 4));
    HD_TRY(hd_many_begin(&a->m));
    while (!a->m.done) {
        uint32_t level = a->m.level, ahead = hd_many_levels(&a->m, false);
        for (uint32_t i = 0; i < ahead; i++) {
            HD_TRY(hd_many_half(&a->m, level + i));
            HD_TRY(hd_many_launch(&a->m, HD_MANY_SETTLE, a->m.groups, level + i + 1, 0));
        }
        HD_TRY(hd_many_look(&a->m));
        hd_structure_record(a->s.ctx, a->m.level - level, HEDDLE_DIRECTION_MIXED, "distances");
    }
    HD_TRY(add(a));
    HD_TRY(hd_structure_stop(&a->s));
    a->s.result->report.iterations += a->m.level;
    return depths ? hd_structure_fetch(&a->s, &a->depths, depths, (uint64_t)count * 4) : HEDDLE_OK;
}

static heddle_status all_batches(adding *a, const hd_sources *sources, uint32_t *depths) {
    uint64_t batch = UINT64_C(1) << a->m.shift;
    for (uint64_t k = 0; k < sources->count; k += batch, hd_advance(a->s.ctx, batch)) {
        heddle_vertex list[HD_MANY_MOST];
        uint32_t count = (uint32_t)(sources->count - k < batch ? sources->count - k : batch);
        for (uint32_t i = 0; i < count; i++)
            list[i] = hd_source_at(sources, k + i);
        HD_TRY(one_batch(a, list, count, depths ? depths + k : NULL));
    }
    a->s.result->report.edges_walked = a->s.graph->edges * ((sources->count + batch - 1) / batch);
    return HEDDLE_OK;
}

static heddle_status fetch(adding *a, const hd_distance_sums *sums) {
    uint64_t n = a->m.vertices, *words;
    HD_TRY(hd_structure_fetch(&a->s, &a->reached, sums->reached, n * 4));
    HD_TRY(HD_NEW(a->s.ctx, &words, 2 * n, "sums of distances"));
    heddle_status status = hd_structure_fetch(&a->s, &a->sums, words, n * 16);
    for (uint64_t v = 0; v < n && status == HEDDLE_OK; v++) {
        if (sums->near)
            sums->near[v] = ((hd_whole)words[2 * v + 1] << 64) + words[2 * v];
        if (sums->sum)
            sums->sum[v] = words[2 * v];
        if (sums->far)
            sums->far[v] = (uint32_t)words[2 * v + 1];
    }
    HD_DELETE(&a->s.ctx->allocator, words, 2 * n);
    return status;
}

static heddle_status compute(adding *a, const hd_run *run, bool backward, const hd_sources *sources,
                             const hd_distance_sums *sums) {
    HD_TRY(hd_structure_open(&a->s, run->ctx, run->graph, run->options.device, HD_WANT_OUT | HD_WANT_IN, run->result));
    HD_TRY(hd_many_choose(&a->m, &a->s, sources->count, 0, 0));
    a->m.backward = backward;
    HD_TRY(open_buffers(a));
    HD_TRY(compile(a, sums->near != NULL));
    hd_device *device = a->s.device;
    HD_TRY(device->fill(device, &a->reached, 0, 0, (uint64_t)a->m.vertices * 4));
    HD_TRY(device->fill(device, &a->sums, 0, 0, (uint64_t)a->m.vertices * 16));
    hd_phase_total(run->ctx, sources->count);
    HD_TRY(all_batches(a, sources, sums->depths));
    HD_TRY(fetch(a, sums));
    hd_structure_report(&a->s, run->options.device, "fast");
    return HEDDLE_OK;
}

heddle_status hd_distances_on_device(const hd_run *run, bool backward, const hd_sources *sources,
                                     const hd_distance_sums *sums) {
    adding a = {.s = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&a, run, backward, sources, sums);
    hd_phase_end(run->ctx);
    hd_kernels_close(&a.kernels);
    hd_structure_close(&a.s);
    return status;
}
