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

/* As hd_heads_count for in-edges; where they are not made, or not here, as if all vertices had enough of them. */
static heddle_status count(heddle_context *ctx, const heddle_graph *graph, uint64_t counts[HD_MOST_HEADS + 1]) {
    uint64_t n = graph->vertices;
    if (graph->hollow || (graph->directed && !hd_graph_has_in(graph))) {
        for (uint32_t each = 0; each <= HD_MOST_HEADS; each++)
            counts[each] = n / 8 + 3 + n * each;
        return HEDDLE_OK;
    }
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS << (graph->directed ? HD_VERIFY_SHIFT : 0)));
    hd_heads_count(ctx, graph->directed ? graph->in.offsets : graph->out.offsets, n, counts);
    return HEDDLE_OK;
}

heddle_status hd_near_heads_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t room, uint64_t *bytes) {
    uint64_t counts[HD_MOST_HEADS + 1];
    HD_TRY(count(ctx, graph, counts));
    uint32_t each = most_heads(counts, room);
    *bytes = each ? counts[each] * 4 : 0;
    return HEDDLE_OK;
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

/* As many as fit: beside the `later` bytes, on the device. */
static heddle_status make(hd_resident *r, const heddle_graph *graph, uint64_t later, hd_near_heads *near) {
    uint64_t left = 0, total, counts[HD_MOST_HEADS + 1];
    heddle_adjacency in;
    hd_buffer made;
    bool fresh;
    HD_TRY(r->device->memory(r->device, &left, &total));
    HD_TRY(hd_graph_bare(r->ctx, graph, true, &in));
    hd_heads_count(r->ctx, in.offsets, r->vertices, counts);
    uint32_t each = most_heads(counts, left > later ? left - later : 0);
    if (!each)
        return HEDDLE_OK;
    HD_TRY(hd_resident_extra(r, heads_of_rows, counts[each] * 4, &made, &fresh));
    if (!fresh || made.away) /* not filled when it was made; no nearer than the rows */
        return HEDDLE_OK;
    HD_TRY(upload(r, graph, &in, each, &made));
    r->heads = each;
    near->buffer = made;
    return HEDDLE_OK;
}

heddle_status hd_near_heads_open(hd_resident *r, const heddle_graph *graph, uint64_t later, heddle_report *report,
                                 hd_near_heads *near) {
    double begun = hd_clock();
    *near = (hd_near_heads){.buffer = r->in.offsets.handle ? r->in.offsets : r->out.offsets};
    if (!r->vertices || !r->in.targets.away)
        return HEDDLE_OK;
    hd_buffer known = hd_resident_extra_known(r, heads_of_rows);
    if (r->heads && known.handle)
        near->buffer = known;
    else
        HD_TRY(make(r, graph, later, near));
    near->each = r->heads;
    near->headed = near->each ? (uint32_t)r->vertices : 0;
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

void hd_near_heads_define(const hd_near_heads *near, char *text, size_t size) {
    snprintf(text, size, "#define HD_HEADS %uu\n#define HD_MOST_HEADS %uu\n", near->each, (unsigned)HD_MOST_HEADS);
}
