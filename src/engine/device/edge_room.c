/* edge_room.c - see edge_room.h. */
#include "engine/device/edge_room.h"

#include "base/memory.h"
#include "device/budget.h"
#include "residency/page_heat.h"

/* Adjacent pages of a kind form one run: mapping costs the same for one page and for a thousand. */
static uint32_t make_runs(const unsigned char *hot, uint64_t pages, uint64_t page, uint64_t bytes, hd_page_run *runs) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < pages; i++) {
        uint64_t some = bytes - i * page < page ? bytes - i * page : page;
        if (!i || hot[i] != hot[i - 1])
            runs[count++] = (hd_page_run){.bytes = 0, .host = !hot[i]};
        runs[count - 1].bytes += some;
    }
    return count;
}

/* Spreads hot pages evenly, so that each part of the array has the same share of them. */
static void choose_evenly(uint64_t pages, uint64_t count, unsigned char *hot) {
    for (uint64_t i = 0; i < pages; i++)
        hot[i] = (i + 1) * count / pages != i * count / pages;
}

/* Without offsets all pages are equally hot. */
static heddle_status mix(hd_resident *r, const hd_paged_edges *edges, uint64_t page, uint64_t bytes, uint64_t share,
                         const char *what, hd_buffer *buffer) {
    unsigned char *hot = NULL;
    hd_page_run *runs = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(r->ctx, &hot, edges->pages, "pages"));
    HD_CHECK(HD_NEW(r->ctx, &runs, edges->pages, "pages"));
    if (edges->offsets)
        HD_CHECK(hd_page_heat_choose(r->ctx, edges, share / page, hot));
    else
        choose_evenly(edges->pages, share / page, hot);
    status = hd_budget_pages(r->device, runs, make_runs(hot, edges->pages, page, bytes, runs), bytes, what, buffer);
out:
    HD_DELETE(&r->ctx->allocator, runs, edges->pages);
    HD_DELETE(&r->ctx->allocator, hot, edges->pages);
    return status;
}

/* Pages on both sides; if the driver refuses, the whole array goes to host memory. */
static heddle_status mix_or_leave(hd_resident *r, const uint64_t *offsets, uint64_t line, uint64_t bytes,
                                  uint64_t share, const char *what, hd_buffer *buffer) {
    hd_device *d = r->device;
    uint64_t page = d->page_bytes ? d->page_bytes(d) : 0;
    if (!page && share)
        hd_note(r->ctx, "%s cannot mix pages: arrays of edges lie wholly on the device or in host memory",
                d->info.name);
    if (page && share >= page) {
        hd_paged_edges edges = {.offsets = offsets,
                                .vertices = r->vertices,
                                .entries = page / HD_EDGE_LINE * line,
                                .pages = (bytes + page - 1) / page};
        heddle_status status = mix(r, &edges, page, bytes, share, what, buffer);
        if (status != HEDDLE_E_DEVICE && status != HEDDLE_E_DEVICE_MEMORY)
            return status;
        hd_note(r->ctx, "%s lie in host memory, since pages cannot be mixed: %s", what, r->ctx->error.message);
        hd_enter(r->ctx);
    }
    return hd_budget_host(d, bytes, what, buffer);
}

/* Arrays get shares of the room in proportion to their sizes; if pages cannot be mixed, an array takes what it
 * needs. */
static uint64_t share_of(const hd_resident *r, uint64_t bytes) {
    hd_device *d = r->device;
    bool whole = !d->page_bytes || !d->page_bytes(d);
    if (bytes <= r->page_room && (whole || r->to_place <= r->page_room))
        return bytes;
    double part = r->to_place ? (double)bytes / (double)r->to_place : 1;
    uint64_t share = (uint64_t)((double)r->page_room * (part < 1 ? part : 1));
    return share < bytes ? share : bytes;
}

static bool is_placed(const hd_resident *r) { return r->residency && r->residency->spills && r->device->allocate_host; }

heddle_status hd_edge_place(hd_resident *r, const uint64_t *offsets, uint64_t line, uint64_t bytes, const char *what,
                            hd_buffer *buffer) {
    uint64_t share = share_of(r, bytes);
    if (share >= bytes)
        HD_TRY(hd_budget_edges(r->device, bytes, what, buffer));
    else
        HD_TRY(mix_or_leave(r, offsets, line, bytes, share, what, buffer));
    uint64_t here = buffer->bytes - buffer->away;
    r->bytes += here;
    r->page_room -= here < r->page_room ? here : r->page_room;
    r->to_place -= bytes < r->to_place ? bytes : r->to_place;
    return HEDDLE_OK;
}

heddle_status hd_edge_room(hd_resident *r, const heddle_graph *graph, bool in, uint64_t each, const char *what,
                           hd_buffer *buffer) {
    uint64_t bytes = r->edges * each;
    if (!is_placed(r) || !bytes)
        return hd_resident_room(r, bytes, what, buffer);
    HD_TRY(hd_graph_verify(r->ctx, graph, in ? HD_VERIFY_OFFSETS << HD_VERIFY_SHIFT : HD_VERIFY_OFFSETS));
    return hd_edge_place(r, in ? graph->in.offsets : graph->out.offsets, HD_EDGE_LINE / each, bytes, what, buffer);
}

heddle_status hd_edge_extra(hd_resident *r, int what, const uint64_t *offsets, uint64_t line, const char *name,
                            uint64_t bytes, hd_buffer *buffer, bool *fresh) {
    int i = hd_resident_slot(r, name);
    if (!is_placed(r) || !bytes || i == HD_RESIDENT_EXTRAS || r->extra[i].buffer.handle)
        return hd_resident_extra(r, name, bytes, buffer, fresh);
    HD_TRY(hd_edge_place(r, offsets, line, bytes, name, &r->extra[i].buffer));
    r->extra[i].name = name;
    r->extra[i].edges = what;
    *buffer = r->extra[i].buffer;
    *fresh = true;
    return HEDDLE_OK;
}
