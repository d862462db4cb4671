/* near_heads.c - see near_heads.h. */
#include "engine/device/near_heads.h"

#include "base/memory.h"
#include "graph/heads.h"

#include <stdio.h>

static const char heads_of_rows[] = "heads of rows";

uint64_t hd_near_heads_bytes(const heddle_graph *graph, uint64_t room) {
    uint64_t each = HD_MOST_HEADS;
    while (each && graph->vertices * each * 4 > room)
        each--;
    return graph->vertices * each * 4;
}

static heddle_status upload(hd_resident *r, const heddle_graph *graph, uint32_t each, const hd_buffer *buffer) {
    hd_device *d = r->device;
    heddle_adjacency in, out;
    uint64_t count = r->vertices * each;
    uint32_t *heads;
    HD_TRY(hd_graph_bare(r->ctx, graph, true, &in));
    HD_TRY(hd_graph_bare(r->ctx, graph, false, &out));
    HD_TRY(HD_NEW(r->ctx, &heads, count, heads_of_rows));
    hd_heads_find(r->ctx, &in, out.offsets, r->vertices, each, heads);
    heddle_status status = d->upload(d, buffer, 0, heads, count * 4);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    HD_DELETE(&r->ctx->allocator, heads, count);
    return status;
}

/* Bytes that are available for heads; if heads exist already, their bytes. */
static heddle_status choose_bytes(hd_resident *r, const heddle_graph *graph, uint64_t later, uint64_t *bytes) {
    uint64_t left = 0, total;
    int slot = hd_resident_slot(r, heads_of_rows);
    HD_TRY(r->device->memory(r->device, &left, &total));
    *bytes = hd_near_heads_bytes(graph, left > later ? left - later : 0);
    if (slot < HD_RESIDENT_EXTRAS && r->extra[slot].buffer.handle)
        *bytes = r->extra[slot].buffer.bytes;
    return HEDDLE_OK;
}

heddle_status hd_near_heads_open(hd_resident *r, const heddle_graph *graph, uint64_t later, heddle_report *report,
                                 hd_near_heads *near) {
    bool fresh,
        fits = r->wide || r->vertices * HD_MOST_HEADS <= UINT32_MAX; /* kernels store positions in them as offsets */
    double begun = hd_clock();
    uint64_t bytes = 0;
    *near = (hd_near_heads){.buffer = r->in.offsets.handle ? r->in.offsets : r->out.offsets};
    if (fits && r->vertices && r->in.targets.away)
        HD_TRY(choose_bytes(r, graph, later, &bytes));
    if (!bytes)
        return HEDDLE_OK;
    near->each = (uint32_t)(bytes / r->vertices / 4);
    HD_TRY(hd_resident_extra(r, heads_of_rows, bytes, &near->buffer, &fresh));
    if (fresh)
        HD_TRY(upload(r, graph, near->each, &near->buffer));
    near->headed = (uint32_t)r->vertices;
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

void hd_near_heads_define(const hd_near_heads *near, char *text, size_t size) {
    snprintf(text, size, "#define HD_HEADS %uu\n", near->each);
}
