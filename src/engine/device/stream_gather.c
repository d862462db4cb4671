/* stream_gather.c - see stream_gather.h. */
#include "engine/device/stream_gather.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const char hd_text_scatter[];

enum {
    SMALL = 4,              /* a block has at most 1/4 of a partition's bytes */
    ARENA_BYTES = 32 << 20, /* pinned memory for the blocks of a round */
    ALIGN = 16
};

/* Rates to begin with: bytes that a thread gathers in a second, and that a bus carries; and what it costs to ask the
 * device for its bitmap, beside the bytes. */
static const double gather_rate = 5e8, send_rate = 2.5e10, asking = 3e-5;

static const char kernel_name[] = "scatter_rows";

static bool is_compact(const hd_stream *s) { return s->each[STREAM_SOURCES] != 0; }

/* Targets and weights; sources follow from the list of rows. */
static uint64_t edge_bytes(const hd_stream *s) { return s->each[STREAM_TARGETS] + s->each[STREAM_WEIGHTS]; }

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

/* Only plans with bits of active vertices can. By default where there are arrays to scatter to anyway, which unpacking
 * needs. */
void hd_stream_gather_plan(incore *e, uint64_t partition_bytes) {
    hd_stream *s = e->stream;
    hd_choice requested = e->plan.stream_gather;
    s->gather.on =
        e->shape.active && s->partition.count > 1 && (requested == HD_YES || (requested != HD_NO && s->packed));
    uint64_t block = partition_bytes / SMALL < ARENA_BYTES ? partition_bytes / SMALL : ARENA_BYTES;
    s->gather.block_bytes = (block + ALIGN - 1) / ALIGN * ALIGN;
}

static heddle_status open_kernel(incore *e, heddle_report *report) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    char defines[128];
    snprintf(defines, sizeof defines, "#define HD_SCATTER_COMPACT %d\n#define HD_WEIGHT_WORDS %zuu\n", is_compact(s),
             s->each[STREAM_WEIGHTS] / 4);
    hd_kernels_text text = {.name = "scatter",
                            .texts = (const char *const[]){hd_text_scatter, NULL},
                            .defines = defines,
                            .wide = e->shape.wide};
    HD_TRY(hd_kernels_open(e->device, &text, report, &g->kernels));
    return hd_kernels_find(&g->kernels, kernel_name, &g->scatter);
}

heddle_status hd_stream_gather_open(incore *e, heddle_report *report) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    if (!g->on)
        return HEDDLE_OK;
    HD_TRY(open_kernel(e, report));
    HD_TRY(HD_NEW(e->ctx, &g->bits, e->rows.vertices / 32 + 1, "active vertices"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &g->spans, s->partition.count, "active rows"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &g->blocks, s->queues, "gathered rows"));
    for (uint32_t q = 0; q < s->queues; q++) {
        HD_TRY(e->device->allocate(e->device, g->block_bytes, "gathered rows", &g->blocks[q]));
        e->bytes += g->block_bytes;
    }
    return HEDDLE_OK;
}

void hd_stream_gather_close(incore *e) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    for (uint32_t q = 0; g->blocks && q < s->queues; q++)
        e->device->release(e->device, &g->blocks[q]);
    HD_DELETE(&e->ctx->allocator, g->blocks, s->queues);
    HD_DELETE(&e->ctx->allocator, g->spans, s->partition.count);
    HD_DELETE(&e->ctx->allocator, g->bits, e->rows.vertices / 32 + 1);
    hd_kernels_close(&g->kernels);
}

/* At its first use, since most runs gather nothing. The arena stays with the edges. */
static heddle_status open_arena(incore *e) {
    hd_stream *s = e->stream;
    uint64_t block = s->gather.block_bytes, most = ARENA_BYTES / block ? ARENA_BYTES / block : 1;
    if (s->store->bytes[STREAM_ARENA] >= block)
        return HEDDLE_OK;
    return hd_stream_store_new(e, STREAM_ARENA, block * (s->partition.count < most ? s->partition.count : most));
}

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

static double rate_of(double bytes, double seconds, double otherwise) {
    return seconds > 0 && bytes > 0 ? bytes / seconds : otherwise;
}

double hd_stream_bus(const incore *e) {
    const hd_stream_gather *g = &e->stream->gather;
    return e->device->bus > 0 ? e->device->bus : rate_of(g->send_bytes, g->send_taken, send_rate);
}

static double threads_rate(const incore *e) {
    const hd_stream_gather *g = &e->stream->gather;
    return rate_of(g->gather_bytes, g->gather_taken, gather_rate * e->ctx->threads);
}

double hd_stream_gather_seconds(const incore *e, double edges) {
    const hd_stream *s = e->stream;
    if (!s->gather.on)
        return INFINITY;
    return edges * (double)edge_bytes(s) / threads_rate(e) + (double)e->rows.vertices / 8 / hd_stream_bus(e) + asking;
}

/* Whether gathering so many bytes beats sending that many. */
static bool is_faster(const incore *e, double gathered, double sent) {
    if (e->plan.stream_gather == HD_YES)
        return gathered < sent;
    return gathered / threads_rate(e) < sent / hd_stream_bus(e) && gathered < sent;
}

/* A row with a partition, or several, of its own has nothing to leave out. */
static bool can_gather(const hd_stream *s, uint64_t index) {
    const hd_span *span = &s->partition.spans[index];
    bool placed = s->place.any && s->place.chosen[index];
    return s->needed[index] && !placed && s->slot_of[index] == HD_NO_SPAN && span->end_row - span->first_row > 1;
}

/* Whether the bitmap is worth asking for. */
static bool is_worth_asking(const incore *e, uint64_t vertices, uint64_t edges) {
    const hd_stream *s = e->stream;
    double sent = 0, bits = (double)e->rows.vertices / 8;
    for (uint64_t i = 0; i < s->partition.count; i++)
        sent += can_gather(s, i) ? (double)hd_stream_bytes_of(s, i) : 0;
    double bus = e->device->bus > 0 ? e->device->bus : send_rate;
    if (sent <= 0 || (e->plan.stream_gather != HD_YES && sent <= bits + asking * bus))
        return false;
    if (vertices == HD_NOT_KNOWN || edges == HD_NOT_KNOWN)
        return true;
    return is_faster(e, (double)edges * (double)edge_bytes(s), sent);
}

typedef struct bits_in {
    const uint32_t *bits;
    uint64_t at, end; /* the next vertex to look at */
} bits_in;

/* The next active vertex; `end` if there is none. */
static uint64_t next_active(bits_in *in) {
    while (in->at < in->end) {
        uint32_t word = in->bits[in->at / 32] >> (in->at % 32);
        if (word) {
            in->at += (uint64_t)__builtin_ctz(word);
            return in->at < in->end ? in->at++ : in->end;
        }
        in->at = (in->at / 32 + 1) * 32;
    }
    return in->end;
}

static void count_rows(const hd_stream *s, uint64_t index, hd_gathered *found) {
    const hd_span *span = &s->partition.spans[index];
    bits_in in = {s->gather.bits, span->first_row, span->end_row};
    uint64_t first = span->end_row, end = span->first_row;
    found->rows = found->edges = 0;
    for (uint64_t v = next_active(&in); v < in.end; v = next_active(&in)) {
        uint64_t degree = s->starts[v + 1] - s->starts[v];
        if (!degree)
            continue;
        found->rows++;
        found->edges += degree;
        first = v < first ? v : first;
        end = v + 1;
    }
    found->bytes = (found->rows * 8 + found->edges * edge_bytes(s) + ALIGN - 1) / ALIGN * ALIGN;
    if (!found->rows)
        return;
    found->span = (hd_span){.first_row = first, .end_row = end, .group = span->group};
    found->span.first_edge = is_compact(s) ? 0 : s->starts[first];
    found->span.end_edge = is_compact(s) ? found->edges : s->starts[end];
}

/* Keeps what is faster than sending, fits a block and the arena, and was not gathered too often. */
static void choose(incore *e, uint64_t index) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    hd_gathered *found = &g->spans[index];
    uint64_t whole = hd_stream_bytes_of(s, index);
    bool often = e->plan.stream_gather != HD_YES && found->spent + found->bytes > whole;
    if (!found->rows || often || found->bytes > g->block_bytes ||
        found->bytes > s->store->bytes[STREAM_ARENA] - g->arena_used ||
        !is_faster(e, (double)found->bytes, (double)whole)) {
        found->bytes = 0;
        found->spent = 0; /* it is sent */
        return;
    }
    found->at = g->arena_used;
    found->spent += found->bytes;
    g->arena_used += found->bytes;
}

heddle_status hd_stream_gather_choose(incore *e, const hd_buffer *bits, uint64_t vertices, uint64_t edges) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    uint64_t count = s->partition.count;
    if (!g->on)
        return HEDDLE_OK;
    g->arena_used = 0;
    for (uint64_t i = 0; i < count; i++)
        g->spans[i].rows = g->spans[i].bytes = 0;
    if (!is_worth_asking(e, vertices, edges))
        return HEDDLE_OK;
    HD_TRY(open_arena(e));
    HD_TRY(e->device->download(e->device, g->bits, bits, 0, (e->rows.vertices / 32 + 1) * 4));
    HD_TRY(e->device->finish(e->device));
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (e->rows.vertices >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++)
        if (can_gather(s, i))
            count_rows(s, i, &g->spans[i]);
    for (uint64_t i = 0; i < count; i++)
        if (can_gather(s, i))
            choose(e, i);
    return HEDDLE_OK;
}

void hd_stream_gather_note(incore *e, uint64_t bytes, double seconds) {
    e->stream->gather.send_bytes += (double)bytes;
    e->stream->gather.send_taken += seconds;
}

/* ---- Gathering -------------------------------------------------------------------------------------------------- */

/* A row's edges to place `at` of the block. */
static void gather_row(const incore *e, uint64_t v, uint64_t at, const hd_stream_piece *piece) {
    const hd_stream *s = e->stream;
    uint64_t from = s->starts[v], count = s->starts[v + 1] - from;
    size_t size = s->each[STREAM_WEIGHTS];
    if (s->packed) { /* from the graph's rows */
        hd_stream_piece row = {piece->targets + at, NULL, piece->weights + at * size, from};
        hd_stream_lay(e, from, from + count, &row);
        return;
    }
    memcpy(piece->targets + at, (const uint32_t *)s->store->array[STREAM_TARGETS] + from, count * 4);
    if (size)
        memcpy(piece->weights + at * size, (const char *)s->store->array[STREAM_WEIGHTS] + from * size, count * size);
}

static void gather(const incore *e, const hd_gathered *found) {
    const hd_stream *s = e->stream;
    uint32_t *block = (uint32_t *)((char *)s->store->array[STREAM_ARENA] + found->at), *rows = block;
    hd_stream_piece piece = {.targets = block + 2 * found->rows};
    piece.weights = (char *)(piece.targets + found->edges);
    bits_in in = {s->gather.bits, found->span.first_row, found->span.end_row};
    uint64_t at = 0;
    for (uint64_t v = next_active(&in); v < in.end; v = next_active(&in)) {
        if (s->starts[v + 1] == s->starts[v])
            continue;
        *rows++ = (uint32_t)v;
        *rows++ = (uint32_t)at;
        gather_row(e, v, at, &piece);
        at += s->starts[v + 1] - s->starts[v];
    }
}

void hd_stream_gather_fill(incore *e, uint64_t first, uint64_t end) {
    hd_stream_gather *g = &e->stream->gather;
    double start = hd_clock();
    uint64_t bytes = 0;
    for (uint64_t i = first; i < end; i++)
        bytes += g->spans[i].bytes;
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (bytes >= HD_WORTH_THREADS))
    for (uint64_t i = first; i < end; i++)
        if (g->spans[i].bytes)
            gather(e, &g->spans[i]);
    g->gather_bytes += (double)bytes;
    g->gather_taken += hd_clock() - start;
}

/* ---- On the device ---------------------------------------------------------------------------------------------- */

heddle_status hd_stream_gather_send(incore *e, uint64_t index, uint32_t queue) {
    hd_stream *s = e->stream;
    const hd_gathered *found = &s->gather.spans[index];
    return e->device->send(e->device, &s->gather.blocks[queue], 0,
                           (const char *)s->store->array[STREAM_ARENA] + found->at, found->bytes);
}

heddle_status hd_stream_gather_scatter(incore *e, uint64_t index, uint32_t queue, const hd_stream_edges *to) {
    hd_stream *s = e->stream;
    hd_stream_gather *g = &s->gather;
    const hd_gathered *found = &g->spans[index];
    uint32_t rows = (uint32_t)found->rows, edges = (uint32_t)found->edges;
    const hd_buffer *targets = &to->array[STREAM_TARGETS];
    const hd_buffer *sources = s->each[STREAM_SOURCES] ? &to->array[STREAM_SOURCES] : targets;
    const hd_buffer *weights = s->each[STREAM_WEIGHTS] ? &to->array[STREAM_WEIGHTS] : targets;
    return HD_LAUNCH(&g->kernels, g->scatter, kernel_name, hd_kernels_groups(&g->kernels, edges),
                     HD_ARGUMENT_VALUE(found->span.first_edge), HD_ARGUMENT_VALUE(rows), HD_ARGUMENT_VALUE(edges),
                     HD_ARGUMENT_BUFFER(e->buffer[OFFSETS]), HD_ARGUMENT_BUFFER(g->blocks[queue]),
                     HD_ARGUMENT_BUFFER(*targets), HD_ARGUMENT_BUFFER(*sources), HD_ARGUMENT_BUFFER(*weights));
}
