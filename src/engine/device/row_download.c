/* row_download.c - see row_download.h. */
#include "engine/device/row_download.h"

#include "base/memory.h"
#include "base/parallel.h"

static heddle_status take(const hd_resident *r, const hd_buffer *from, uint64_t bytes, void *to) {
    HD_TRY(r->device->download(r->device, to, from, 0, bytes));
    return r->device->finish(r->device);
}

static heddle_status take_narrow(const hd_resident *r, uint64_t *offsets) {
    uint64_t count = r->vertices + 1;
    uint32_t *narrow;
    HD_TRY(HD_NEW(r->ctx, &narrow, count, "row offsets"));
    heddle_status status = take(r, &r->out.offsets, count * 4, narrow);
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++)
        offsets[v] = narrow[v];
    HD_DELETE(&r->ctx->allocator, narrow, count);
    return status;
}

static heddle_status fetch_offsets(const hd_resident *r, heddle_graph *graph) {
    uint64_t count = r->vertices + 1, *offsets;
    HD_TRY(HD_NEW(r->ctx, &offsets, count, "row offsets"));
    heddle_status status = r->wide ? take(r, &r->out.offsets, count * 8, offsets) : take_narrow(r, offsets);
    if (status == HEDDLE_OK)
        graph->out.offsets = offsets;
    else
        HD_DELETE(&r->ctx->allocator, offsets, count);
    return status;
}

static heddle_status fetch_edges(const hd_resident *r, heddle_graph *graph) {
    hd_csr *out = &graph->out;
    uint64_t m = graph->edges;
    heddle_status status;
    HD_CHECK(HD_NEW(r->ctx, &out->targets, m, "targets"));
    HD_CHECK(take(r, &r->out.targets, m * 4, out->targets));
    if (graph->weight_type) {
        HD_CHECK(hd_new(r->ctx, &out->weights, m, hd_weight_size(graph->weight_type), false, "weights"));
        HD_CHECK(take(r, &r->out.weights, m * hd_weight_size(graph->weight_type), out->weights));
    }
    graph->hollow = false;
    return HEDDLE_OK;
out:
    HD_DELETE(&r->ctx->allocator, out->targets, m);
    if (out->weights)
        hd_free(&r->ctx->allocator, out->weights, m * hd_weight_size(graph->weight_type));
    out->weights = NULL;
    return status;
}

heddle_status hd_fetch_rows(const hd_resident *r, heddle_graph *graph, bool all) {
    if (!graph->out.offsets)
        HD_TRY(fetch_offsets(r, graph));
    return all ? fetch_edges(r, graph) : HEDDLE_OK;
}
