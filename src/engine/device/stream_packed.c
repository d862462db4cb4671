/* stream_packed.c - partitions that travel packed: the bytes that are sent decide the time of a streaming run.
 *
 * A packed partition, in 32-bit words: the low half of its first edge's number, where each of its chunks begins, then
 * the chunks of CHUNK edges. A chunk has the gaps of its targets (graph/pack.h: 32 at one bit width; the first edge of
 * a row is stored as it is; gaps are taken modulo `mask` + 1, since rows of two directions need not ascend), then its
 * weights: whole numbers in the same form, others as they are. Sources are not stored, since row offsets give them.
 *
 * The device keeps partitions packed, so that about twice as many stay there, and unpacks each one before it is
 * processed (unpack.cl), to arrays of the slot's queue.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stream.h"
#include "graph/pack.h"
#include "graph/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const char hd_text_unpack[];

enum { BLOCKS = 32, CHUNK = BLOCKS * HD_PACK_BLOCK, ALIGN = 4 /* words */, BATCH = 4096 /* chunks */ };

static const char kernel_name[] = "unpack_span";

/* ---- Weights ---------------------------------------------------------------------------------------------------- */

enum { WEIGHTS_NONE, WEIGHTS_PACKED, WEIGHTS_WHOLE, WEIGHTS_PLAIN }; /* as unpack.cl numbers them */

/* Whether all floats are whole numbers that 24 bits hold. */
static bool are_whole(heddle_context *ctx, const float *weights, uint64_t count) {
    uint64_t others = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : others) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++) {
        float weight = weights[i], again = weight >= 0 && weight < 0x1p24F ? (float)(uint32_t)weight : -1;
        others += weight != again || signbit(weight); /* -0 would come back as 0 */
    }
    return !others;
}

static int weights_of(const incore *e) {
    heddle_weight_type type = e->graph->weight_type;
    if (!e->stream->each[STREAM_WEIGHTS])
        return WEIGHTS_NONE;
    if (type == HEDDLE_WEIGHT_U32 || type == HEDDLE_WEIGHT_I32)
        return WEIGHTS_PACKED;
    return type == HEDDLE_WEIGHT_F32 && are_whole(e->ctx, e->rows.first.weights, e->graph->edges) ? WEIGHTS_WHOLE
                                                                                                  : WEIGHTS_PLAIN;
}

/* ---- Packing ---------------------------------------------------------------------------------------------------- */

typedef struct chunk {
    uint32_t count, base; /* edges; the target before the first */
    uint32_t targets[CHUNK + 1], gaps[CHUNK], numbers[CHUNK];
    uint64_t weights[CHUNK + 1]; /* as the graph has them */
    unsigned char widths[BLOCKS], weight_widths[BLOCKS];
} chunk;

/* Targets to differences. The edge before the first is in targets[0]. */
static void take_gaps(const hd_stream *s, uint64_t first, chunk *c) {
    uint64_t row = hd_row_of(s->starts, s->rows, first);
    c->base = s->starts[row] < first ? c->targets[0] : 0;
    memset(c->gaps, 0, sizeof c->gaps);
    for (uint32_t i = 0; i < c->count; i++) {
        while (s->starts[row + 1] <= first + i)
            row++;
        bool begins = s->starts[row] == first + i;
        c->gaps[i] = begins ? c->targets[i + 1] : (c->targets[i + 1] - c->targets[i]) & s->store->mask;
    }
}

static void take_numbers(const hd_stream *s, chunk *c) {
    memset(c->numbers, 0, sizeof c->numbers);
    for (uint32_t i = 0; i < c->count; i++) {
        const char *weight = (const char *)c->weights + (size_t)(i + 1) * 4;
        float real;
        memcpy(&real, weight, sizeof real);
        if (s->store->weights == WEIGHTS_WHOLE)
            c->numbers[i] = (uint32_t)real;
        else
            memcpy(&c->numbers[i], weight, 4);
    }
}

/* Reads the edges first .. first + count - 1 and chooses widths; returns the words that the chunk takes. */
static uint32_t prepare(const incore *e, uint64_t first, uint32_t count, chunk *c) {
    const hd_stream *s = e->stream;
    uint64_t before = first ? first - 1 : 0; /* its target is the base of the first gap */
    uint32_t skip = first ? 0 : 1;
    hd_stream_piece piece = {c->targets + skip, NULL, (char *)c->weights + skip * s->each[STREAM_WEIGHTS], before};
    c->count = count;
    c->targets[0] = 0;
    hd_stream_lay(e, before, first + count, &piece);
    take_gaps(s, first, c);
    uint32_t words = hd_pack_measure(c->gaps, BLOCKS, c->widths);
    if (s->store->weights == WEIGHTS_PLAIN)
        return words + count * (uint32_t)(s->each[STREAM_WEIGHTS] / 4);
    if (s->store->weights == WEIGHTS_NONE)
        return words;
    take_numbers(s, c);
    return words + hd_pack_measure(c->numbers, BLOCKS, c->weight_widths);
}

/* `words` are zero. */
static void write(const hd_stream *s, const chunk *c, uint32_t *words) {
    size_t size = s->each[STREAM_WEIGHTS];
    uint32_t at = hd_pack_header(BLOCKS);
    hd_pack_write(c->base, c->gaps, BLOCKS, c->widths, words);
    for (int b = 0; b < BLOCKS; b++)
        at += c->widths[b];
    if (s->store->weights == WEIGHTS_PLAIN)
        memcpy(words + at, (const char *)c->weights + size, c->count * size);
    else if (s->store->weights != WEIGHTS_NONE)
        hd_pack_write(0, c->numbers, BLOCKS, c->weight_widths, words + at);
}

static uint64_t chunks_of(const hd_span *span) { return (hd_span_edges(span) + CHUNK - 1) / CHUNK; }

/* Chunks of all spans, one after the other: where span i's begin. */
typedef struct chunk_list {
    uint64_t *firsts, count; /* firsts: spans + 1 */
    uint32_t *sizes;         /* words of each */
} chunk_list;

static heddle_status list_chunks(const incore *e, chunk_list *list) {
    const hd_partition *p = &e->stream->partition;
    HD_TRY(HD_NEW(e->ctx, &list->firsts, p->count + 1, "packed partitions"));
    list->firsts[0] = 0;
    for (uint64_t i = 0; i < p->count; i++)
        list->firsts[i + 1] = list->firsts[i] + chunks_of(&p->spans[i]);
    list->count = list->firsts[p->count];
    return HD_NEW(e->ctx, &list->sizes, list->count, "packed partitions");
}

/* Prepares a chunk; with `store`, also writes it. */
static void pack_chunk(const incore *e, const chunk_list *list, uint64_t k, uint32_t *store, chunk *c) {
    const hd_stream *s = e->stream;
    uint64_t i = hd_row_of(list->firsts, s->partition.count, k), index = k - list->firsts[i];
    const hd_span *span = &s->partition.spans[i];
    uint64_t first = span->first_edge + index * CHUNK, left = span->end_edge - first;
    list->sizes[k] = prepare(e, first, (uint32_t)(left < CHUNK ? left : CHUNK), c);
    if (!store)
        return;
    uint32_t *words = store + s->store->packed_at[i];
    write(s, c, words + words[1 + index]);
}

static heddle_status pack_chunks(const incore *e, const chunk_list *list, uint32_t *store) {
    for (uint64_t from = 0; from < list->count; from += BATCH) {
        uint64_t to = list->count - from < BATCH ? list->count : from + BATCH;
        HD_PARALLEL(e->ctx) {
            chunk c;
            HD_FOR(schedule(dynamic, 16))
            for (uint64_t k = from; k < to; k++)
                pack_chunk(e, list, k, store, &c);
        }
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    return HEDDLE_OK;
}

/* Where each partition begins, from the sizes of chunks. */
static void place_partitions(const hd_stream *s, const chunk_list *list) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < s->partition.count; i++) {
        uint64_t words = 1 + list->firsts[i + 1] - list->firsts[i];
        for (uint64_t k = list->firsts[i]; k < list->firsts[i + 1]; k++)
            words += list->sizes[k];
        words = (words + ALIGN - 1) / ALIGN * ALIGN;
        s->store->packed_at[i] = at;
        s->store->packed_most = words * 4 > s->store->packed_most ? words * 4 : s->store->packed_most;
        at += words;
    }
    s->store->packed_at[s->partition.count] = at;
}

/* Zeroes a partition and writes its directory. */
static void begin_partition(const hd_stream *s, const chunk_list *list, uint64_t i, uint32_t *store) {
    uint32_t *words = store + s->store->packed_at[i];
    uint64_t chunks = list->firsts[i + 1] - list->firsts[i], at = 1 + chunks;
    memset(words, 0, (s->store->packed_at[i + 1] - s->store->packed_at[i]) * sizeof *words);
    words[0] = (uint32_t)s->partition.spans[i].first_edge;
    for (uint64_t k = 0; k < chunks; k++) {
        words[1 + k] = (uint32_t)at;
        at += list->sizes[list->firsts[i] + k];
    }
}

static heddle_status write_all(incore *e, const chunk_list *list) {
    hd_stream *s = e->stream;
    uint64_t count = s->partition.count;
    s->store->spans = count;
    HD_TRY(HD_NEW(e->ctx, &s->store->packed_at, count + 1, "packed partitions"));
    place_partitions(s, list);
    HD_TRY(hd_stream_store_new(e, STREAM_TARGETS, s->store->packed_at[count] * 4));
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (count > 1))
    for (uint64_t i = 0; i < count; i++)
        begin_partition(s, list, i, s->store->array[STREAM_TARGETS]);
    return pack_chunks(e, list, s->store->array[STREAM_TARGETS]);
}

heddle_status hd_stream_pack(incore *e) {
    hd_stream *s = e->stream;
    chunk_list list = {.count = 0};
    heddle_status status;
    uint64_t ids = s->virtual_ids ? s->partition.groups * s->range + (e->rows.vertices - s->rows) : e->rows.vertices;
    uint32_t bits = hd_pack_width((uint32_t)(ids ? ids - 1 : 0));
    s->store->mask = bits ? UINT32_MAX >> (32 - bits) : 0;
    s->store->weights = weights_of(e);
    HD_CHECK(list_chunks(e, &list));
    HD_CHECK(pack_chunks(e, &list, NULL));
    HD_CHECK(write_all(e, &list));
out:
    HD_DELETE(&e->ctx->allocator, list.firsts, s->partition.count + 1);
    HD_DELETE(&e->ctx->allocator, list.sizes, list.count);
    return status;
}

uint64_t hd_stream_packed_bytes(const hd_stream *s, uint64_t edges) {
    uint64_t chunks = (edges + CHUNK - 1) / CHUNK, blocks = (edges + HD_PACK_BLOCK - 1) / HD_PACK_BLOCK;
    uint64_t weight = s->each[STREAM_WEIGHTS] / 4, headers = (1 + (weight != 0)) * hd_pack_header(BLOCKS);
    return (1 + chunks * (1 + headers) + blocks * HD_PACK_BLOCK * (1 + weight) + ALIGN) * 4;
}

/* ---- Unpacking -------------------------------------------------------------------------------------------------- */

heddle_status hd_stream_unpack_open(incore *e, heddle_report *report) {
    hd_stream *s = e->stream;
    char defines[256];
    size_t weight = s->each[STREAM_WEIGHTS] / 4;
    snprintf(defines, sizeof defines,
             "#define HD_UNPACK_SOURCES %d\n#define HD_UNPACK_WEIGHTS %d\n#define HD_WEIGHT_WORDS %zuu\n",
             s->each[STREAM_SOURCES] != 0, s->store->weights, weight ? weight : 1);
    hd_kernels_text text = {.name = "unpack",
                            .texts = (const char *const[]){hd_text_unpack, NULL},
                            .defines = defines,
                            .wide = e->shape.wide};
    HD_TRY(hd_kernels_open(e->device, &text, report, &s->kernels));
    return hd_kernels_find(&s->kernels, kernel_name, &s->unpack);
}

heddle_status hd_stream_unpack(incore *e, const hd_span *span, const hd_buffer *packed, const hd_stream_edges *to) {
    hd_stream *s = e->stream;
    uint64_t edges = hd_span_edges(span);
    uint32_t first = (uint32_t)span->first_row, end = (uint32_t)span->end_row;
    const hd_buffer *targets = &to->array[STREAM_TARGETS];
    const hd_buffer *sources = s->each[STREAM_SOURCES] ? &to->array[STREAM_SOURCES] : targets;
    const hd_buffer *weights = s->each[STREAM_WEIGHTS] ? &to->array[STREAM_WEIGHTS] : targets;
    return HD_LAUNCH(&s->kernels, s->unpack, kernel_name,
                     hd_kernels_groups(&s->kernels, chunks_of(span) * e->device->info.warp),
                     HD_ARGUMENT_VALUE(span->first_edge), HD_ARGUMENT_VALUE(edges), HD_ARGUMENT_VALUE(first),
                     HD_ARGUMENT_VALUE(end), HD_ARGUMENT_VALUE(s->store->mask), HD_ARGUMENT_BUFFER(e->buffer[OFFSETS]),
                     HD_ARGUMENT_BUFFER(*packed), HD_ARGUMENT_BUFFER(*targets), HD_ARGUMENT_BUFFER(*sources),
                     HD_ARGUMENT_BUFFER(*weights));
}
