/* stream_store.c - the edges of a streaming run in host memory: targets, as virtual ids if these fit, sources and
 * weights, in the order of rows, or packed (stream_packed.c). One parallel pass; linear in edges, since targets ascend
 * within a row. The memory is pinned, so that the device copies by itself; if nothing can be pinned, the driver copies
 * through its own memory. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stream.h"
#include "graph/rows.h"

#include <string.h>

enum { PIECE = 1 << 16 /* edges that a thread writes at a time */ };

static const char *const uses[STREAM_STORED] = {"edges to be sent", "sources to be sent", "weights to be sent",
                                                "gathered rows"};

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

heddle_status hd_stream_store_new(incore *e, int which, uint64_t bytes) {
    hd_stream_store *store = e->stream->store;
    hd_device *d = e->device;
    double begun = hd_clock();
    if (!bytes)
        return HEDDLE_OK;
    store->bytes[which] = bytes;
    store->array[which] = d->pin ? d->pin(d, bytes) : NULL;
    if (d->pin && !store->array[which] && hd_resident_free_stores(e->ctx, e->stream->resident))
        store->array[which] = d->pin(d, bytes);
    store->pinned[which] = store->array[which] != NULL;
    store->pinning += hd_clock() - begun;
    if (store->array[which])
        return HEDDLE_OK;
    if (d->pin)
        hd_note(e->ctx, "%s pins no %llu bytes of memory: edges are sent from ordinary memory, which is slower",
                d->info.name, (unsigned long long)bytes);
    return hd_new(e->ctx, &store->array[which], bytes, 1, false, uses[which]);
}

void hd_stream_store_free(hd_resident *resident) {
    hd_stream_store *store = resident->store;
    const heddle_allocator *allocator = &resident->ctx->allocator;
    if (!store)
        return;
    for (int i = 0; i < STREAM_STORED; i++) {
        if (store->array[i] && store->pinned[i])
            resident->device->unpin(resident->device, store->array[i]);
        else if (store->array[i])
            hd_free(allocator, store->array[i], store->bytes[i]);
    }
    HD_DELETE(allocator, store->packed_at, store->spans + 1);
    HD_DELETE(allocator, resident->store, 1);
}

uint64_t hd_stream_store_bytes(const hd_stream_store *store) {
    return store->bytes[STREAM_TARGETS] + store->bytes[STREAM_SOURCES] + store->bytes[STREAM_WEIGHTS];
}

/* ---- Layout ----------------------------------------------------------------------------------------------------- */

static hd_virtual_ids ids_of(const hd_stream *s) {
    return (hd_virtual_ids){s->rows, s->partition.groups, s->range, s->shifts};
}

/* Writes `count` edges of a row of one direction, from edge `from` of its arrays on, to place `at` of the piece. */
static void lay_row(const incore *e, const heddle_adjacency *rows, uint64_t row, uint64_t from, uint64_t count,
                    uint64_t at, const hd_stream_piece *piece) {
    const hd_stream *s = e->stream;
    uint64_t group = UINT64_MAX;
    const hd_virtual_ids ids = ids_of(s);
    for (uint64_t i = 0; piece->targets && i < count; i++) {
        uint32_t target = rows->targets[from + i];
        piece->targets[at + i] = target + (s->virtual_ids ? hd_virtual_shift(&ids, target, &group) : 0);
    }
    for (uint64_t i = 0; piece->sources && i < count; i++)
        piece->sources[at + i] = (uint32_t)row;
    size_t size = s->each[STREAM_WEIGHTS];
    if (size && piece->weights)
        memcpy(piece->weights + at * size, (const char *)rows->weights + from * size, count * size);
}

/* Edges from .. to of row `row`, of the first direction, then of the second. */
static void lay_rows(const incore *e, uint64_t row, uint64_t from, uint64_t to, const hd_stream_piece *piece) {
    const hd_incore_rows *r = &e->rows;
    uint64_t start = e->stream->starts[row], length = r->first.offsets[row + 1] - r->first.offsets[row];
    uint64_t middle = start + length < from ? from : start + length > to ? to : start + length;
    if (from < middle)
        lay_row(e, &r->first, row, r->first.offsets[row] + (from - start), middle - from, from - piece->first, piece);
    if (middle < to)
        lay_row(e, &r->second, row, r->second.offsets[row] + (middle - start - length), to - middle,
                middle - piece->first, piece);
}

void hd_stream_lay(const incore *e, uint64_t from, uint64_t to, const hd_stream_piece *piece) {
    const uint64_t *starts = e->stream->starts;
    for (uint64_t row = hd_row_of(starts, e->stream->rows, from); from < to; row++) {
        uint64_t end = starts[row + 1] < to ? starts[row + 1] : to;
        if (from < end)
            lay_rows(e, row, from, end, piece);
        from = end;
    }
}

/* Copies targets that the graph keeps renamed; returns how many are not those of its edges. */
static uint64_t copy_kept(const incore *e, uint64_t from, uint64_t to, uint32_t *targets) {
    const hd_stream *s = e->stream;
    const hd_virtual_ids ids = ids_of(s);
    uint64_t wrong = 0;
    for (uint64_t i = from; i < to; i++)
        wrong += !hd_virtual_is(&ids, s->kept_targets[i], e->rows.first.targets[i]);
    memcpy(targets + from, s->kept_targets + from, (to - from) * sizeof *targets);
    return wrong;
}

/* Lays out all edges; with kept targets, sets *wrong if these are of other rows. */
static heddle_status lay_pieces(incore *e, bool *wrong) {
    hd_stream *s = e->stream;
    uint64_t m = e->rows.edges, pieces = m / PIECE + (m % PIECE != 0), batch = 64, others = 0;
    void **array = s->store->array;
    bool kept = s->kept_targets;
    hd_stream_piece all = {kept ? NULL : array[STREAM_TARGETS], array[STREAM_SOURCES], array[STREAM_WEIGHTS], 0};
    for (uint64_t first = 0; first < pieces && !others; first += batch) {
        uint64_t end = pieces - first < batch ? pieces : first + batch;
        HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) reduction(+ : others) if (end - first > 1))
        for (uint64_t k = first; k < end; k++) {
            uint64_t from = k * PIECE, to = m - from < PIECE ? m : from + PIECE;
            hd_stream_lay(e, from, to, &all);
            others += kept ? copy_kept(e, from, to, array[STREAM_TARGETS]) : 0;
        }
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    *wrong = others > 0;
    return HEDDLE_OK;
}

static heddle_status lay_all(incore *e) {
    hd_stream *s = e->stream;
    bool wrong;
    for (int i = 0; i < STREAM_ARRAYS; i++)
        HD_TRY(hd_stream_store_new(e, i, e->rows.edges * s->each[i]));
    HD_TRY(lay_pieces(e, &wrong));
    s->store->from_file = s->kept_targets && !wrong;
    if (!wrong)
        return HEDDLE_OK;
    s->kept_targets = NULL; /* they are for another order of the vertices */
    return lay_pieces(e, &wrong);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* A fingerprint of what the store depends on besides the graph. Never 0, 0. */
static void key_of(const incore *e, uint64_t key[2]) {
    const hd_stream *s = e->stream;
    key[0] = s->cut_edges;
    key[1] = 1 | (uint64_t)s->packed << 1 | (uint64_t)(s->each[STREAM_SOURCES] != 0) << 2 |
             (uint64_t)s->each[STREAM_WEIGHTS] << 3 | (uint64_t)(e->rows.second.offsets != NULL) << 8;
}

heddle_status hd_stream_store_open(incore *e, const char *device, heddle_report *report) {
    hd_stream *s = e->stream;
    hd_resident *resident;
    uint64_t key[2];
    key_of(e, key);
    HD_TRY(hd_resident_claim(e->ctx, e->graph, device, report, &resident));
    s->resident = resident;
    s->store = resident->store;
    if (s->store && memcmp(s->store->key, key, sizeof key) == 0)
        return HEDDLE_OK;
    hd_stream_store_free(resident);
    HD_TRY(HD_NEW_ZERO(e->ctx, &resident->store, 1, "the stream of edges"));
    s->store = resident->store;
    double begun = hd_clock();
    heddle_status status = s->packed ? hd_stream_pack(e) : lay_all(e);
    if (status != HEDDLE_OK) {
        hd_stream_store_free(resident);
        return status;
    }
    double filling = hd_clock() - begun - s->store->pinning - s->store->checking;
    *(s->store->from_file ? &s->store->pinning : &s->store->packing) += filling;
    memcpy(s->store->key, key, sizeof key);
    report->pinning += s->store->pinning;
    report->packing += s->store->packing;
    return HEDDLE_OK;
}
