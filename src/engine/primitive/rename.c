/* rename.c - see rename.h: the rows; rename.cl says how. */
#include "engine/primitive/rename.h"

#include "engine/primitive/sort.h"
#include "engine/primitive/transpose.h"

extern const char hd_text_transpose[], hd_text_rename[];

enum { LEAST = 1 << 18 /* arcs: with fewer the host finishes before a kernel is loaded */ };
static const uint64_t arcs_most = UINT64_C(1) << 31, vertices_most = UINT64_C(1) << 30; /* degrees are of 32 bits */

typedef struct renamer {
    const hd_resident *own;
    hd_resident *made;
    hd_device *device;
    hd_kernels kernels;
    hd_sorter sorter;
    hd_buffer lengths; /* of rows */
    uint32_t n, weighted;
} renamer;

bool hd_rename_pays(const hd_device_info *info, const heddle_graph *graph) {
    return info->accelerator && hd_weight_size(graph->weight_type) <= 4 && graph->edges >= LEAST &&
           graph->edges < arcs_most && graph->vertices < vertices_most;
}

static heddle_status open_kernels(renamer *r, heddle_report *report) {
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_transpose, hd_text_rename, NULL};
    hd_kernels_text text = {.name = "rename", .texts = texts, .wide = r->own->wide};
    r->device = r->own->device;
    r->n = (uint32_t)r->own->vertices;
    return hd_kernels_open(r->device, &text, report, &r->kernels);
}

static void close_all(renamer *r) {
    if (r->lengths.handle)
        r->device->release(r->device, &r->lengths);
    hd_sort_close(&r->sorter);
    hd_kernels_close(&r->kernels);
}

static void shape(renamer *r) {
    hd_sort_shape(&r->sorter, r->made->device, r->made->edges, r->made->vertices, r->weighted, r->made->wide);
    r->sorter.inside = true;
}

uint64_t hd_rename_bytes(const hd_resident *made, bool directed, bool weights) {
    hd_resident like = *made;
    renamer r = {.made = &like, .weighted = weights};
    uint64_t in = (made->vertices + 1) * (made->wide ? 8 : 4) + made->edges * (weights ? 8 : 4);
    if (!made->edges)
        return 0;
    shape(&r);
    return hd_sort_bytes(&r.sorter) + (made->vertices + 1) * 4 + (directed ? in : 0);
}

static hd_sort_items items_of(const hd_resident_rows *rows, bool weighted) {
    return (hd_sort_items){&rows->targets, &rows->targets, weighted ? &rows->weights : &rows->targets};
}

/* Computes the row offsets of the renamed graph, and writes its arcs, row by row, to where the sort reads them. */
static heddle_status lay_down(renamer *r, const hd_buffer *names, const hd_buffer *places, const hd_buffer *starts,
                              const hd_sort_items *to) {
    const hd_resident_rows *own = &r->own->out;
    const hd_buffer *weights = r->weighted ? &own->weights : &own->targets;
    const hd_sorter *s = &r->sorter;
    HD_TRY(HD_START(&r->kernels, "hd_rename_lengths", (uint64_t)r->n + 1, HD_ARGUMENT_VALUE(r->n),
                    HD_ARGUMENT_BUFFER(*names), HD_ARGUMENT_BUFFER(own->offsets), HD_ARGUMENT_BUFFER(r->lengths)));
    HD_TRY(hd_sort_sums(s, (uint64_t)r->n + 1, &r->lengths, starts));
    return HD_START(&r->kernels, "hd_rename_arcs", (uint64_t)s->pieces * 32, HD_ARGUMENT_VALUE(s->items),
                    HD_ARGUMENT_VALUE(s->length), HD_ARGUMENT_VALUE(s->pieces), HD_ARGUMENT_VALUE(r->n),
                    HD_ARGUMENT_VALUE(r->weighted), HD_ARGUMENT_BUFFER(*starts), HD_ARGUMENT_BUFFER(*names),
                    HD_ARGUMENT_BUFFER(*places), HD_ARGUMENT_BUFFER(own->offsets), HD_ARGUMENT_BUFFER(own->targets),
                    HD_ARGUMENT_BUFFER(*weights), HD_ARGUMENT_BUFFER(*to->keys), HD_ARGUMENT_BUFFER(*to->first),
                    HD_ARGUMENT_BUFFER(*to->second));
}

/* The rows of an undirected graph are those of its in-edges; a directed graph's are sorted back from them. */
static heddle_status make(renamer *r, const heddle_graph *graph, heddle_report *report) {
    hd_resident *made = r->made;
    hd_resident_rows *first = graph->directed ? &made->in : &made->out;
    hd_buffer names, places;
    HD_TRY(hd_rename_known(graph, made, &names, &places));
    HD_TRY(hd_transpose_room(made, r->weighted, &made->out));
    if (!made->edges) {
        HD_TRY(r->device->fill(r->device, &made->out.offsets, 0, 0, made->out.offsets.bytes));
        return r->device->fill(r->device, &made->out.targets, 0, 0, 16);
    }
    if (graph->directed)
        HD_TRY(hd_transpose_room(made, r->weighted, &made->in));
    HD_TRY(open_kernels(r, report));
    shape(r);
    HD_TRY(hd_sort_open(&r->sorter, &r->kernels, "renaming"));
    HD_TRY(r->device->allocate(r->device, ((uint64_t)r->n + 1) * 4, "renaming", &r->lengths));
    hd_sort_items to = items_of(first, r->weighted), from = hd_sort_begin(&r->sorter, &to);
    HD_TRY(lay_down(r, &names, &places, &made->out.offsets, &from));
    HD_TRY(hd_sort_run(&r->sorter, &from, NULL, r->n, &to));
    if (!graph->directed)
        return HEDDLE_OK;
    HD_TRY(hd_transpose_offsets(&r->kernels, made, &r->sorter.buffer[HD_SORT_KEYS], &made->in.offsets));
    from = to;
    to = items_of(&made->out, r->weighted);
    return hd_sort_run(&r->sorter, &from, &made->in.offsets, r->n, &to);
}

heddle_status hd_rename_rows(const hd_resident *own, const heddle_graph *graph, bool weights, bool in,
                             hd_resident *made, heddle_report *report) {
    renamer r = {.own = own, .made = made, .device = own->device, .weighted = weights};
    double start = hd_clock(), compiled = report->compile;
    heddle_status status = make(&r, graph, report);
    if (status == HEDDLE_OK)
        status = own->device->finish(own->device);
    close_all(&r);
    if (graph->directed && !in)
        hd_resident_drop_rows(made, &made->in);
    report->transforming += hd_clock() - start - (report->compile - compiled);
    return status;
}
