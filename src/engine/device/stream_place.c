/* stream_place.c - see stream_place.h. */
#include "engine/device/stream_place.h"

#include "base/memory.h"
#include "engine/device/stream.h"
#include "graph/pack.h"

#include <math.h>

enum { UNIT = 64 /* bytes that the kernel counts in */ };

/* Until it is measured: bytes that kernels read in place, chunk by chunk, as a share of what copies reach. */
static const double first_rate = 0.6;

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

/* Schedules that look at the sources of edges would see those of rows that were not unpacked. */
static bool can_read(const incore *e) {
    const hd_stream *s = e->stream;
    const hd_device *d = e->device;
    return s->packed && e->shape.active && !s->each[STREAM_SOURCES] && s->partition.count > 1 && d->map &&
           (!d->pin || s->store->pinned[STREAM_TARGETS]);
}

static bool may_read(const hd_plan *plan) {
    bool others = plan->stream_gather == HD_YES || plan->stream_active == HD_NO; /* ask for something else */
    return plan->stream_place == HD_YES || (plan->stream_place != HD_NO && !others);
}

/* Where the driver refuses, rows travel by the other roads. */
static bool map_store(incore *e) {
    hd_stream_store *store = e->stream->store;
    hd_device *d = e->device;
    if (d->map(d, store->array[STREAM_TARGETS], store->bytes[STREAM_TARGETS], &e->stream->place.store) == HEDDLE_OK)
        return true;
    hd_note(e->ctx, "edges are not read in host memory: %s", e->ctx->error.message);
    hd_enter(e->ctx);
    return false;
}

heddle_status hd_stream_place_open(incore *e) {
    hd_stream *s = e->stream;
    hd_stream_place *p = &s->place;
    hd_device *d = e->device;
    if (!can_read(e) || !may_read(&e->plan) || !map_store(e))
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(e->ctx, &p->chosen, s->partition.count, "partitions"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &p->spent, s->partition.count, "partitions"));
    HD_TRY(d->allocate(d, 16, "bytes read in place", &p->read));
    HD_TRY(d->fill(d, &p->read, 0, 0, 4));
    HD_TRY(hd_kernels_find(&s->kernels, "unpack_active", &p->kernel));
    p->on = true;
    return HEDDLE_OK;
}

void hd_stream_place_close(incore *e) {
    hd_stream *s = e->stream;
    hd_stream_place *p = &s->place;
    if (p->store.handle)
        e->device->unmap(e->device, &p->store);
    e->device->release(e->device, &p->read);
    HD_DELETE(&e->ctx->allocator, p->spent, s->partition.count);
    HD_DELETE(&e->ctx->allocator, p->chosen, s->partition.count);
}

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

static bool is_open(const hd_stream *s, uint64_t i) { return s->needed[i] && s->slot_of[i] == HD_NO_SPAN; }

/* Parts of the store that the round needs and that are not on the device. */
typedef struct demand {
    double bytes, chunks, share; /* share: of all edges */
} demand;

static demand count_demand(const incore *e) {
    const hd_stream *s = e->stream;
    demand d = {.bytes = 0};
    uint64_t edges = 0;
    for (uint64_t i = 0; i < s->partition.count; i++)
        if (is_open(s, i)) {
            edges += hd_span_edges(&s->partition.spans[i]);
            d.bytes += (double)hd_stream_bytes_of(s, i);
        }
    d.chunks = (double)edges / HD_PACK_CHUNK + 1;
    d.share = e->rows.edges ? (double)edges / (double)e->rows.edges : 0;
    return d;
}

/* Bytes of the chunks in which active vertices have edges: their rows fall into chunks at random, and each continues
 * through as many as it has edges for. */
static double estimate(const demand *d, uint64_t vertices, uint64_t edges) {
    double rows = (double)vertices * d->share, full = (double)edges * d->share / HD_PACK_CHUNK;
    double touched = d->chunks * (1 - exp(-rows / d->chunks)) + full;
    return (touched < d->chunks ? touched : d->chunks) / d->chunks * d->bytes;
}

static bool is_faster(const incore *e, double read, const demand *d, uint64_t edges) {
    const hd_stream *s = e->stream;
    const hd_stream_place *p = &s->place;
    double bus = hd_stream_bus(e), rate = p->taken > 0 && p->bytes > 0 ? p->bytes / p->taken : first_rate * bus;
    if (e->plan.stream_place == HD_YES)
        return read < d->bytes;
    return read / rate < d->bytes / bus && read / rate <= hd_stream_gather_seconds(e, (double)edges * d->share);
}

heddle_status hd_stream_place_choose(incore *e, uint64_t vertices, uint64_t edges) {
    hd_stream *s = e->stream;
    hd_stream_place *p = &s->place;
    p->any = false;
    if (!p->on)
        return HEDDLE_OK;
    demand d = count_demand(e);
    double read = vertices == HD_NOT_KNOWN || edges == HD_NOT_KNOWN ? d.bytes : estimate(&d, vertices, edges);
    bool faster = d.bytes > 0 && is_faster(e, read, &d, edges);
    for (uint64_t i = 0; i < s->partition.count; i++) {
        double whole = (double)hd_stream_bytes_of(s, i), more = d.bytes > 0 ? read * whole / d.bytes : 0;
        bool often = e->plan.stream_place != HD_YES && p->spent[i] + more > whole;
        p->chosen[i] = faster && is_open(s, i) && !often && hd_span_edges(&s->partition.spans[i]);
        p->any |= p->chosen[i];
        if (p->chosen[i])
            p->spent[i] += more;
        else if (is_open(s, i)) /* it is sent */
            p->spent[i] = 0;
    }
    return p->any ? e->device->fill(e->device, &p->read, 0, 0, 4) : HEDDLE_OK;
}

heddle_status hd_stream_place_note(incore *e, double seconds) {
    hd_stream *s = e->stream;
    hd_stream_place *p = &s->place;
    uint32_t units = 0;
    if (!p->any)
        return HEDDLE_OK;
    HD_TRY(e->device->download(e->device, &units, &p->read, 0, 4));
    HD_TRY(e->device->finish(e->device));
    s->round.bytes_in_place = (uint64_t)units * UNIT;
    s->round.bytes_needed += s->round.bytes_in_place;
    p->bytes += seconds > 0 ? (double)s->round.bytes_in_place : 0;
    p->taken += seconds;
    return HEDDLE_OK;
}

/* ---- On the device ---------------------------------------------------------------------------------------------- */

heddle_status hd_stream_place_unpack(incore *e, uint64_t index, const hd_buffer *active, const hd_stream_edges *to) {
    hd_stream *s = e->stream;
    const hd_stream_unpacking part = {.kernel = s->place.kernel,
                                      .name = "unpack_active",
                                      .at = s->store->packed_at[index],
                                      .active = active,
                                      .read = &s->place.read};
    return hd_stream_unpack(e, &s->partition.spans[index], &s->place.store, &part, to);
}
