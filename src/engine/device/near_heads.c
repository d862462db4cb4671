/* near_heads.c - see near_heads.h. */
#include "engine/device/near_heads.h"

#include "base/memory.h"
#include "graph/heads.h"

#include <stdio.h>

static const char heads_of_rows[] = "heads of rows";

/* The most heads per vertex that fit `room`; kernels have 32 bits for their places. */
static uint32_t most_heads(const uint64_t counts[HD_MOST_HEADS + 1], uint64_t room) {
    uint32_t each = HD_MOST_HEADS;
    while (each && (counts[each] * 4 > room || counts[each] > UINT32_MAX))
        each--;
    return each;
}

uint64_t hd_near_heads_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t room) {
    uint64_t counts[HD_MOST_HEADS + 1], n = graph->vertices;
    heddle_adjacency out;
    if (hd_graph_bare(ctx, graph, false, &out) != HEDDLE_OK)
        return 0; /* the run will say why */
    hd_heads_count(ctx, out.offsets, n, counts);
    for (uint32_t each = 0; graph->directed && each <= HD_MOST_HEADS; each++)
        counts[each] = n / 8 + 3 + n * each; /* in-edges are perhaps not made yet: as if all had enough of them */
    uint32_t each = most_heads(counts, room);
    return each ? counts[each] * 4 : 0;
}

static heddle_status upload(hd_resident *r, const heddle_graph *graph, const heddle_adjacency *in, uint32_t each,
                            const hd_buffer *buffer) {
    hd_device *d = r->device;
    heddle_adjacency out;
    uint64_t count = buffer->bytes / 4;
    uint32_t *words;
    HD_TRY(hd_graph_bare(r->ctx, graph, false, &out));
    HD_TRY(HD_NEW(r->ctx, &words, count, heads_of_rows));
    hd_heads_find(r->ctx, in, out.offsets, r->vertices, each, words);
    heddle_status status = d->upload(d, buffer, 0, words, count * 4);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    HD_DELETE(&r->ctx->allocator, words, count);
    return status;
}

/* Bytes that are available for heads; if heads exist already, their bytes. */
static heddle_status find_room(hd_resident *r, uint64_t later, uint64_t *room) {
    uint64_t left = 0, total;
    int slot = hd_resident_slot(r, heads_of_rows);
    HD_TRY(r->device->memory(r->device, &left, &total));
    *room = left > later ? left - later : 0;
    if (slot < HD_RESIDENT_EXTRAS && r->extra[slot].buffer.handle)
        *room = r->extra[slot].buffer.bytes;
    return HEDDLE_OK;
}

heddle_status hd_near_heads_open(hd_resident *r, const heddle_graph *graph, uint64_t later, heddle_report *report,
                                 hd_near_heads *near) {
    uint64_t room, counts[HD_MOST_HEADS + 1];
    heddle_adjacency in;
    double begun = hd_clock();
    bool fresh;
    *near = (hd_near_heads){.buffer = r->in.offsets.handle ? r->in.offsets : r->out.offsets};
    if (!r->vertices || !r->in.targets.away)
        return HEDDLE_OK;
    HD_TRY(find_room(r, later, &room));
    HD_TRY(hd_graph_bare(r->ctx, graph, true, &in));
    hd_heads_count(r->ctx, in.offsets, r->vertices, counts);
    near->each = most_heads(counts, room);
    if (!near->each)
        return HEDDLE_OK;
    HD_TRY(hd_resident_extra(r, heads_of_rows, counts[near->each] * 4, &near->buffer, &fresh));
    if (fresh)
        HD_TRY(upload(r, graph, &in, near->each, &near->buffer));
    near->headed = (uint32_t)r->vertices;
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

void hd_near_heads_define(const hd_near_heads *near, char *text, size_t size) {
    snprintf(text, size, "#define HD_HEADS %uu\n", near->each);
}
