/* stream_packed.c - partitions that travel packed: the bytes that are sent decide the time of a streaming run.
 *
 * Edges are packed in chunks of HD_PACK_CHUNK (graph/pack.h), counted from the graph's first edge, so that the chunks
 * depend on neither the memory nor the cut, and a file can keep them (`heddle convert --packed`). A packed partition
 * has all chunks in which it has edges; those at its ends may have edges of its neighbours too. In 32-bit words: the
 * low half of its first edge's number; where the targets of each chunk begin; where the weights of each begin, or, if
 * weights are not packed, where those of its edges begin; then the chunks of targets, and the weights. Gaps are taken
 * modulo `mask` + 1, since rows of two directions need not ascend. Sources are not stored, since row offsets give them.
 *
 * The device keeps partitions packed, so that about twice as many stay there, and unpacks each one before it is
 * processed (unpack.cl), to arrays of the slot's queue.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stream.h"
#include "graph/pack.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_unpack[];

enum { ALIGN = 4 /* words */, BATCH = 1 << 14 /* chunks between two looks for a cancellation */ };

static const char kernel_name[] = "unpack_span";

enum { WEIGHTS_NONE, WEIGHTS_PACKED, WEIGHTS_WHOLE, WEIGHTS_PLAIN }; /* as unpack.cl numbers them */

/* Packed arrays of edges: targets, and weights. */
enum { COLUMN_TARGETS, COLUMN_WEIGHTS, COLUMNS };

typedef struct columns {
    const incore *e;
    hd_pack_source source[COLUMNS];
    hd_packed packed[COLUMNS]; /* of the file, if that has words; otherwise measured; chunks 0: no such column */
    uint64_t count;
} columns;

static uint64_t first_chunk(const hd_span *span) { return span->first_edge / HD_PACK_CHUNK; }

static uint64_t chunks_of(const hd_span *span) {
    return hd_span_edges(span) ? (span->end_edge - 1) / HD_PACK_CHUNK + 1 - first_chunk(span) : 0;
}

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

static void read_targets(const void *self, uint64_t from, uint64_t to, uint32_t *numbers) {
    hd_stream_lay(self, from, to, &(hd_stream_piece){.targets = numbers, .first = from});
}

/* Of two directions; 32-bit. */
static void read_weights(const void *self, uint64_t from, uint64_t to, uint32_t *numbers) {
    const incore *e = self;
    hd_stream_lay(e, from, to, &(hd_stream_piece){.weights = (char *)numbers, .first = from});
    for (uint64_t i = 0; e->stream->store->weights == WEIGHTS_WHOLE && i < to - from; i++) {
        float weight;
        memcpy(&weight, &numbers[i], sizeof weight);
        numbers[i] = (uint32_t)weight;
    }
}

static int weights_of(const incore *e) {
    static const int words[] = {WEIGHTS_PLAIN, WEIGHTS_PACKED, WEIGHTS_WHOLE};
    if (!e->stream->each[STREAM_WEIGHTS])
        return WEIGHTS_NONE;
    return words[hd_pack_weights_of(e->ctx, e->rows.first.weights, e->graph->weight_type, e->graph->edges)];
}

/* From the file if it keeps them; rows of two directions are in none. */
static heddle_status open_column(columns *c, int which) {
    const incore *e = c->e;
    const hd_stream *s = e->stream;
    bool own = !e->rows.second.offsets && e->rows.first.targets == e->graph->out.targets;
    c->source[which] = (hd_pack_source){.read = which == COLUMN_TARGETS ? read_targets : read_weights,
                                        .self = e,
                                        .first = s->partition.count ? s->partition.spans[0].first_edge : 0,
                                        .count = e->rows.edges,
                                        .offsets = which == COLUMN_TARGETS ? s->starts : NULL,
                                        .rows = s->rows,
                                        .mask = s->store->mask};
    double begun = hd_clock();
    if (own)
        HD_TRY(hd_graph_packed(e->ctx, e->graph, which == COLUMN_TARGETS ? HD_PACKED_OUT : HD_PACKED_WEIGHTS,
                               &c->packed[which]));
    s->store->checking += hd_clock() - begun;
    return c->packed[which].words ? HEDDLE_OK
                                  : hd_pack_measure(e->ctx, &c->source[which], HD_PACK_BLOCKS, &c->packed[which]);
}

static heddle_status open_columns(columns *c) {
    int weights = c->e->stream->store->weights;
    HD_TRY(open_column(c, COLUMN_TARGETS));
    c->count = 1 + (weights == WEIGHTS_PACKED || weights == WEIGHTS_WHOLE);
    return c->count > 1 ? open_column(c, COLUMN_WEIGHTS) : HEDDLE_OK;
}

/* ---- Partitions ------------------------------------------------------------------------------------------------- */

/* The words of a partition: in front of its chunks, of its columns, and behind them. */
typedef struct layout {
    uint64_t at[COLUMNS], plain, words;
} layout;

static uint64_t words_of(const hd_packed *packed, uint64_t from, uint64_t to) {
    return (uint64_t)(packed->starts[to] - packed->starts[from]) * HD_PACK_ALIGN;
}

static layout layout_of(const columns *c, const hd_span *span) {
    const hd_stream *s = c->e->stream;
    bool plain = s->store->weights == WEIGHTS_PLAIN;
    uint64_t first = first_chunk(span), count = chunks_of(span);
    layout l = {.words = 1 + count * c->count + plain};
    for (uint64_t i = 0; i < c->count; i++) {
        l.at[i] = l.words;
        l.words += words_of(&c->packed[i], first, first + count);
    }
    l.plain = l.words;
    l.words += plain ? hd_span_edges(span) * s->each[STREAM_WEIGHTS] / 4 : 0;
    l.words = (l.words + ALIGN - 1) / ALIGN * ALIGN;
    return l;
}

static void place_partitions(const columns *c) {
    const hd_stream *s = c->e->stream;
    uint64_t at = 0;
    for (uint64_t i = 0; i < s->partition.count; i++) {
        uint64_t words = layout_of(c, &s->partition.spans[i]).words;
        s->store->packed_at[i] = at;
        s->store->packed_most = words * 4 > s->store->packed_most ? words * 4 : s->store->packed_most;
        at += words;
    }
    s->store->packed_at[s->partition.count] = at;
}

/* The directory of a partition, and weights that are not packed. */
static void begin_partition(const columns *c, uint64_t i) {
    const hd_stream *s = c->e->stream;
    const hd_span *span = &s->partition.spans[i];
    layout l = layout_of(c, span);
    uint32_t *words = (uint32_t *)s->store->array[STREAM_TARGETS] + s->store->packed_at[i];
    uint64_t first = first_chunk(span), count = chunks_of(span);
    words[0] = (uint32_t)span->first_edge;
    for (uint64_t column = 0; column < c->count; column++)
        for (uint64_t k = 0; k < count; k++)
            words[1 + column * count + k] = (uint32_t)(l.at[column] + words_of(&c->packed[column], first, first + k));
    if (s->store->weights != WEIGHTS_PLAIN)
        return;
    words[1 + count] = (uint32_t)l.plain;
    hd_stream_lay(c->e, span->first_edge, span->end_edge,
                  &(hd_stream_piece){.weights = (char *)(words + l.plain), .first = span->first_edge});
}

/* Writes a chunk to each partition that has edges in it. */
static void deal_chunk(const columns *c, uint64_t k) {
    const hd_stream *s = c->e->stream;
    const hd_partition *p = &s->partition;
    uint64_t begin = k * HD_PACK_CHUNK, low = 0, high = p->count; /* the first that ends behind the chunk's beginning */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (p->spans[middle].end_edge > begin)
            high = middle;
        else
            low = middle + 1;
    }
    for (; low < p->count && p->spans[low].first_edge < begin + HD_PACK_CHUNK; low++) {
        if (!hd_span_edges(&p->spans[low])) /* rows without edges, between rows that are cut */
            continue;
        uint32_t *words = (uint32_t *)s->store->array[STREAM_TARGETS] + s->store->packed_at[low];
        uint64_t count = chunks_of(&p->spans[low]), index = k - first_chunk(&p->spans[low]);
        for (uint64_t i = 0; i < c->count; i++) {
            const hd_packed *packed = &c->packed[i];
            uint32_t *to = words + words[1 + i * count + index];
            if (packed->words)
                memcpy(to, packed->words + (uint64_t)packed->starts[k] * HD_PACK_ALIGN,
                       words_of(packed, k, k + 1) * sizeof *to);
            else
                hd_pack_chunk(&c->source[i], packed, k, to);
        }
    }
}

static heddle_status write_all(incore *e, const columns *c) {
    hd_stream *s = e->stream;
    uint64_t count = s->partition.count, first = c->source[COLUMN_TARGETS].first / HD_PACK_CHUNK;
    s->store->spans = count;
    HD_TRY(HD_NEW(e->ctx, &s->store->packed_at, count + 1, "packed partitions"));
    place_partitions(c);
    HD_TRY(hd_stream_store_new(e, STREAM_TARGETS, s->store->packed_at[count] * 4));
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (count > 1))
    for (uint64_t i = 0; i < count; i++)
        begin_partition(c, i);
    for (uint64_t from = first; from < c->packed[COLUMN_TARGETS].chunks; from += BATCH) {
        uint64_t to = c->packed[COLUMN_TARGETS].chunks - from < BATCH ? c->packed[COLUMN_TARGETS].chunks : from + BATCH;
        HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 16) if (to - from > 16))
        for (uint64_t k = from; k < to; k++)
            deal_chunk(c, k);
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    return HEDDLE_OK;
}

heddle_status hd_stream_pack(incore *e) {
    hd_stream *s = e->stream;
    columns c = {.e = e};
    heddle_status status;
    uint64_t ids = e->rows.vertices;
    uint32_t bits = hd_pack_width((uint32_t)(ids ? ids - 1 : 0));
    s->store->mask = bits ? UINT32_MAX >> (32 - bits) : 0;
    s->store->weights = weights_of(e);
    HD_CHECK(open_columns(&c));
    s->store->from_file = c.packed[COLUMN_TARGETS].in_file;
    HD_CHECK(write_all(e, &c));
out:
    for (int i = 0; i < COLUMNS; i++)
        hd_packed_free(e->ctx, &c.packed[i]);
    return status;
}

uint64_t hd_stream_packed_bytes(const hd_stream *s, uint64_t edges) {
    uint64_t chunks = edges / HD_PACK_CHUNK + 2, weight = s->each[STREAM_WEIGHTS] / 4;
    uint64_t all = (s->partition.count ? s->partition.spans[s->partition.count - 1].end_edge : 0) / HD_PACK_CHUNK + 1;
    chunks = chunks < all ? chunks : all;
    return (2 + 2 * chunks + ALIGN + chunks * HD_PACK_MOST_WORDS * (1 + weight)) * 4;
}

/* ---- Unpacking -------------------------------------------------------------------------------------------------- */

heddle_status hd_stream_unpack_open(incore *e, heddle_report *report) {
    hd_stream *s = e->stream;
    char defines[256];
    size_t weight = s->each[STREAM_WEIGHTS] / 4;
    snprintf(defines, sizeof defines,
             "#define HD_UNPACK_SOURCES %d\n#define HD_UNPACK_WEIGHTS %d\n#define HD_WEIGHT_WORDS %zuu\n"
             "#define HD_BLOCKS_HERE %uu\n",
             s->each[STREAM_SOURCES] != 0, s->store->weights, weight ? weight : 1, (unsigned)HD_PACK_BLOCKS);
    hd_kernels_text text = {.name = "unpack",
                            .texts = (const char *const[]){hd_text_unpack, NULL},
                            .defines = defines,
                            .wide = e->shape.wide};
    HD_TRY(hd_kernels_open(e->device, &text, report, &s->kernels));
    return hd_kernels_find(&s->kernels, kernel_name, &s->unpack);
}

heddle_status hd_stream_unpack(incore *e, const hd_span *span, const hd_buffer *packed, const hd_stream_unpacking *some,
                               const hd_stream_edges *to) {
    hd_stream *s = e->stream;
    uint64_t edges = hd_span_edges(span);
    if (!edges) /* it has no chunks */
        return HEDDLE_OK;
    uint32_t first = (uint32_t)span->first_row, end = (uint32_t)span->end_row;
    const hd_buffer *targets = &to->array[STREAM_TARGETS];
    const hd_buffer *sources = s->each[STREAM_SOURCES] ? &to->array[STREAM_SOURCES] : targets;
    const hd_buffer *weights = s->each[STREAM_WEIGHTS] ? &to->array[STREAM_WEIGHTS] : targets;
    const hd_stream_unpacking all = {.kernel = s->unpack, .name = kernel_name, .active = packed, .read = &to->array[0]};
    const hd_stream_unpacking *u = some ? some : &all;
    const hd_argument arguments[] = {HD_ARGUMENT_VALUE(span->first_edge),
                                     HD_ARGUMENT_VALUE(edges),
                                     HD_ARGUMENT_VALUE(first),
                                     HD_ARGUMENT_VALUE(end),
                                     HD_ARGUMENT_VALUE(s->store->mask),
                                     HD_ARGUMENT_BUFFER(e->buffer[OFFSETS]),
                                     HD_ARGUMENT_BUFFER(*packed),
                                     HD_ARGUMENT_BUFFER(*targets),
                                     HD_ARGUMENT_BUFFER(*sources),
                                     HD_ARGUMENT_BUFFER(*weights),
                                     HD_ARGUMENT_VALUE(u->at),
                                     HD_ARGUMENT_BUFFER(*u->active),
                                     HD_ARGUMENT_BUFFER(*u->read)};
    uint32_t count = (uint32_t)(sizeof arguments / sizeof *arguments);
    return hd_kernels_launch(&s->kernels, u->kernel, u->name,
                             hd_kernels_groups(&s->kernels, chunks_of(span) * e->device->info.warp), false, arguments,
                             some ? count : count - 3);
}
