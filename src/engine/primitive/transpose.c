/* transpose.c - see transpose.h. A stable sort of the arcs by target: rows come out in ascending order of sources, and
 * parallel arcs keep their order. */
#include "engine/primitive/transpose.h"

#include "engine/primitive/sort.h"

extern const char hd_text_transpose[];

enum { LEAST = 1 << 18 /* arcs: with fewer the host finishes before a kernel is loaded */ };

typedef struct transposer {
    hd_resident *r;
    hd_kernels kernels;
    hd_sorter sorter;
    hd_resident_rows *in;
    bool weighted;
} transposer;

static void shape(transposer *t) {
    const hd_resident *r = t->r;
    hd_sort_shape(&t->sorter, r->device, r->edges, r->vertices, t->weighted, r->wide);
}

heddle_status hd_transpose_pays(hd_resident *r, bool weights, bool *pays) {
    transposer t = {.r = r, .weighted = weights};
    uint64_t left = 0, total = 0;
    uint64_t wanted = (r->vertices + 1) * (r->wide ? 8 : 4) + r->edges * (weights ? 8 : 4);
    bool sorts = !weights || hd_weight_size(r->weight_type) == 4; /* the sort moves 32-bit words */
    *pays = r->device->info.accelerator && r->edges >= LEAST && sorts;
    if (!*pays)
        return HEDDLE_OK;
    HD_TRY(r->device->memory(r->device, &left, &total));
    shape(&t);
    *pays = wanted + hd_sort_bytes(&t.sorter) <= left / 2;
    return HEDDLE_OK;
}

heddle_status hd_transpose_room(hd_resident *r, bool weights, hd_resident_rows *rows) {
    HD_TRY(hd_resident_room(r, (r->vertices + 1) * (r->wide ? 8 : 4), "row offsets", &rows->offsets));
    HD_TRY(hd_resident_room(r, r->edges * 4, "edges", &rows->targets));
    return weights ? hd_resident_room(r, r->edges * 4, "weights", &rows->weights) : HEDDLE_OK;
}

heddle_status hd_transpose_offsets(const hd_kernels *kernels, const hd_resident *r, const hd_buffer *keys,
                                   const hd_buffer *offsets) {
    uint32_t n = (uint32_t)r->vertices;
    void *kernel;
    HD_TRY(hd_kernels_find(kernels, "hd_transpose_rows", &kernel));
    return HD_LAUNCH(kernels, kernel, "hd_transpose_rows", hd_kernels_groups(kernels, (uint64_t)n + 1),
                     HD_ARGUMENT_VALUE(r->edges), HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(*keys),
                     HD_ARGUMENT_BUFFER(*offsets));
}

static heddle_status transpose(transposer *t, heddle_report *report) {
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_transpose, NULL};
    hd_kernels_text text = {.name = "transpose", .texts = texts, .wide = t->r->wide};
    const hd_resident_rows *out = &t->r->out;
    hd_device *d = t->r->device;
    HD_TRY(hd_transpose_room(t->r, t->weighted, t->in));
    if (!t->r->edges) {
        HD_TRY(d->fill(d, &t->in->offsets, 0, 0, t->in->offsets.bytes));
        HD_TRY(d->fill(d, &t->in->targets, 0, 0, 16));
        return d->finish(d);
    }
    shape(t);
    HD_TRY(hd_kernels_open(d, &text, report, &t->kernels));
    HD_TRY(hd_sort_open(&t->sorter, &t->kernels, "transposing"));
    hd_sort_items from = {&out->targets, &out->targets, t->weighted ? &out->weights : &out->targets};
    hd_sort_items to = {NULL, &t->in->targets, t->weighted ? &t->in->weights : &t->in->targets};
    HD_TRY(hd_sort_run(&t->sorter, &from, &out->offsets, (uint32_t)t->r->vertices, &to));
    HD_TRY(hd_transpose_offsets(&t->kernels, t->r, &t->sorter.buffer[HD_SORT_KEYS], &t->in->offsets));
    return d->finish(d);
}

heddle_status hd_transpose_rows(hd_resident *r, bool weights, heddle_report *report, hd_resident_rows *in) {
    transposer t = {.r = r, .in = in, .weighted = weights};
    double start = hd_clock(), compiled = report->compile;
    heddle_status status = transpose(&t, report);
    hd_sort_close(&t.sorter);
    hd_kernels_close(&t.kernels);
    report->prepare += hd_clock() - start - (report->compile - compiled);
    return status;
}
