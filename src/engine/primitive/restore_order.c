/* restore_order.c - see restore_order.h. */
#include "engine/primitive/restore_order.h"

#include "base/memory.h"
#include "engine/device/kernels.h"
#include "engine/primitive/rename.h"

extern const char hd_text_restore_order[];

enum { FROM = 2, TO = 3 /* events of the clock; 0 and 1 are the run's */ };

enum { SHORT, LONG, LEAST, LABELS, KERNELS };
static const char *const kernel_names[KERNELS] = {"hd_back_short", "hd_back_long", "hd_back_least", "hd_back_labels"};

/* Kept with the graph. */
struct hd_restore_order_kit {
    hd_kernels kernels;
    void *kernel[KERNELS];
};

typedef struct bringer {
    hd_resident *r;
    hd_buffer names, places, to, first;
    bool labels;
    size_t size;
} bringer;

uint64_t hd_restore_order_bytes(uint64_t vertices, size_t size, bool labels) {
    return vertices * (8 + size + (labels ? 4 : 0));
}

static heddle_status find_room(bringer *b, const heddle_graph *graph) {
    uint64_t n = graph->vertices;
    bool fresh;
    HD_TRY(hd_rename_known(graph, b->r, &b->names, &b->places));
    if (b->labels)
        HD_TRY(hd_resident_extra(b->r, "smallest members", n * 4, &b->first, &fresh));
    return hd_resident_extra(b->r, b->size == 4 ? "values of 4 bytes" : "values of 8 bytes", n * b->size, &b->to,
                             &fresh);
}

static heddle_status open_kernels(hd_resident *r, heddle_report *report) {
    static const char *const texts[] = {hd_text_restore_order, NULL};
    hd_kernels_text text = {.name = "bring-back", .texts = texts};
    if (r->back)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(r->ctx, &r->back, 1, "kernels"));
    HD_TRY(hd_kernels_open(r->device, &text, report, &r->back->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&r->back->kernels, kernel_names[i], &r->back->kernel[i]));
    return HEDDLE_OK;
}

void hd_restore_order_close(hd_resident *r) {
    if (r->back)
        hd_kernels_close(&r->back->kernels);
    HD_DELETE(&r->ctx->allocator, r->back, 1);
}

#define LAUNCH(b, which, ...)                                                           \
    HD_LAUNCH(&(b)->r->back->kernels, (b)->r->back->kernel[which], kernel_names[which], \
              hd_kernels_groups(&(b)->r->back->kernels, (b)->r->vertices), __VA_ARGS__)

static heddle_status move(const bringer *b, const hd_buffer *values) {
    hd_device *d = b->r->device;
    uint32_t n = (uint32_t)b->r->vertices;
    if (!b->labels)
        return LAUNCH(b, b->size == 4 ? SHORT : LONG, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(b->places),
                      HD_ARGUMENT_BUFFER(*values), HD_ARGUMENT_BUFFER(b->to));
    HD_TRY(d->fill(d, &b->first, 0, UINT32_MAX, (uint64_t)n * 4));
    HD_TRY(LAUNCH(b, LEAST, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(b->names), HD_ARGUMENT_BUFFER(*values),
                  HD_ARGUMENT_BUFFER(b->first)));
    return LAUNCH(b, LABELS, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(b->places), HD_ARGUMENT_BUFFER(*values),
                  HD_ARGUMENT_BUFFER(b->first), HD_ARGUMENT_BUFFER(b->to));
}

heddle_status hd_restore_order(hd_resident *r, const heddle_graph *graph, const hd_buffer *values, size_t size,
                               bool labels, heddle_result *result, hd_buffer *home) {
    bringer b = {.r = r, .labels = labels, .size = size};
    hd_device *d = r->device;
    double seconds = 0;
    *home = *values;
    if (!graph->places || !graph->vertices)
        return HEDDLE_OK;
    heddle_status status = find_room(&b, graph);
    if (status == HEDDLE_E_DEVICE_MEMORY) {
        hd_enter(r->ctx);
        return HEDDLE_OK;
    }
    HD_TRY(status);
    status = open_kernels(r, &result->report);
    if (status != HEDDLE_OK)
        hd_restore_order_close(r);
    HD_TRY(status);
    HD_TRY(d->finish(d));
    HD_TRY(d->mark(d, FROM));
    HD_TRY(move(&b, values));
    HD_TRY(d->mark(d, TO));
    HD_TRY(d->finish(d));
    HD_TRY(d->between(d, FROM, TO, &seconds));
    result->report.compute += seconds;
    result->home = true;
    *home = b.to;
    return HEDDLE_OK;
}
