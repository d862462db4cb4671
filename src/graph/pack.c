/* pack.c - see pack.h. */
#include "graph/pack.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <math.h>
#include <string.h>

enum { MOST = HD_PACK_MOST_BLOCKS * HD_PACK_BLOCK, BATCH = 1 << 16 /* chunks between two looks for a cancellation */ };

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

static void read_words(const void *self, uint64_t from, uint64_t to, uint32_t *numbers) {
    memcpy(numbers, (const uint32_t *)self + from, (to - from) * sizeof *numbers);
}

static void read_floats(const void *self, uint64_t from, uint64_t to, uint32_t *numbers) {
    const float *weights = self;
    for (uint64_t i = from; i < to; i++)
        numbers[i - from] = (uint32_t)weights[i];
}

hd_pack_source hd_pack_targets(const heddle_adjacency *rows, uint64_t vertices) {
    return (hd_pack_source){.read = read_words,
                            .self = rows->targets,
                            .count = rows->offsets[vertices],
                            .offsets = rows->offsets,
                            .rows = vertices,
                            .mask = UINT32_MAX};
}

hd_pack_source hd_pack_weight_source(const void *weights, hd_pack_weights how, uint64_t count) {
    return (hd_pack_source){.read = how == HD_PACK_WEIGHTS_WHOLE ? read_floats : read_words,
                            .self = weights,
                            .count = count};
}

hd_pack_weights hd_pack_weights_of(heddle_context *ctx, const void *weights, heddle_weight_type type, uint64_t count) {
    const float *real = weights;
    uint64_t others = 0;
    if (type == HEDDLE_WEIGHT_U32 || type == HEDDLE_WEIGHT_I32)
        return HD_PACK_WEIGHTS_BITS;
    if (type != HEDDLE_WEIGHT_F32)
        return HD_PACK_WEIGHTS_NOT;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : others) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++) {
        float weight = real[i], again = weight >= 0 && weight < 0x1p24F ? (float)(uint32_t)weight : -1;
        others += weight != again || signbit(weight); /* -0 would come back as 0 */
    }
    return others ? HD_PACK_WEIGHTS_NOT : HD_PACK_WEIGHTS_WHOLE;
}

/* ---- Packing ---------------------------------------------------------------------------------------------------- */

/* The stored words of one chunk. numbers[0]: the one before the first. */
typedef struct chunk {
    uint32_t base, numbers[MOST + 1], gaps[MOST];
    unsigned char widths[HD_PACK_MOST_BLOCKS];
} chunk;

/* Numbers to differences, `count` of them: first all, then those that begin a row. */
static void take_differences(const hd_pack_source *s, uint64_t first, uint32_t count, chunk *c) {
    uint64_t row = hd_row_of(s->offsets, s->rows, first);
    c->base = s->offsets[row] < first ? c->numbers[0] : 0;
    for (uint32_t i = 0; i < count; i++)
        c->gaps[i] = (c->numbers[i + 1] - c->numbers[i]) & s->mask;
    for (row += s->offsets[row] < first; row < s->rows && s->offsets[row] < first + count; row++)
        c->gaps[s->offsets[row] - first] = c->numbers[s->offsets[row] - first + 1];
}

/* Reads chunk k and chooses its widths; returns the words that it takes. */
static uint32_t prepare(const hd_pack_source *s, uint32_t blocks, uint64_t k, chunk *c) {
    uint32_t each = blocks * HD_PACK_BLOCK, words = hd_pack_header(blocks);
    uint64_t first = k * each, left = s->count - first, from = first ? first - 1 : 0;
    uint32_t count = left < each ? (uint32_t)left : each;
    from = from < s->first ? s->first : from;
    c->base = 0;
    memset(c->numbers, 0, (from + 1 - first) * sizeof *c->numbers);
    s->read(s->self, from, first + count, c->numbers + (from + 1 - first));
    if (s->offsets)
        take_differences(s, first, count, c);
    else
        memcpy(c->gaps, c->numbers + 1, count * sizeof *c->gaps);
    memset(c->gaps + count, 0, (each - count) * sizeof *c->gaps);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < HD_PACK_BLOCK; i++)
            bits |= c->gaps[b * HD_PACK_BLOCK + i];
        c->widths[b] = (unsigned char)hd_pack_width(bits);
        words += c->widths[b];
    }
    return (words + HD_PACK_ALIGN - 1) / HD_PACK_ALIGN * HD_PACK_ALIGN;
}

/* `words` is zeroed. */
static void write_block(const uint32_t *numbers, uint32_t width, uint32_t *words) {
    for (uint32_t i = 0; i < HD_PACK_BLOCK; i++) {
        uint32_t bit = i * width, shift = bit % 32;
        if (!width)
            return;
        words[bit / 32] |= numbers[i] << shift;
        if (shift + width > 32)
            words[bit / 32 + 1] |= numbers[i] >> (32 - shift);
    }
}

static void write_chunk(const chunk *c, uint32_t blocks, uint32_t *words, uint32_t count) {
    uint32_t at = hd_pack_header(blocks);
    memset(words, 0, (size_t)count * sizeof *words);
    words[0] = c->base;
    for (uint32_t b = 0; b < blocks; b++) {
        words[1 + b / 4] |= (uint32_t)c->widths[b] << (b % 4 * 8);
        write_block(c->gaps + (size_t)b * HD_PACK_BLOCK, c->widths[b], words + at);
        at += c->widths[b];
    }
}

void hd_pack_chunk(const hd_pack_source *source, const hd_packed *packed, uint64_t k, uint32_t *words) {
    chunk c;
    uint32_t count = prepare(source, packed->blocks, k, &c);
    write_chunk(&c, packed->blocks, words, count);
}

/* One pass over the chunks: to `words`, or with NULL to `sizes`, in units of HD_PACK_ALIGN words. */
static heddle_status pass(heddle_context *ctx, const hd_pack_source *source, const hd_packed *packed, uint64_t *sizes,
                          uint32_t *words) {
    uint64_t first = source->first / ((uint64_t)packed->blocks * HD_PACK_BLOCK);
    for (uint64_t from = first; from < packed->chunks; from += BATCH) {
        uint64_t to = packed->chunks - from < BATCH ? packed->chunks : from + BATCH;
        HD_PARALLEL(ctx) {
            chunk c;
            HD_FOR(schedule(dynamic, 64))
            for (uint64_t k = from; k < to; k++)
                if (words)
                    hd_pack_chunk(source, packed, k, words + (uint64_t)packed->starts[k] * HD_PACK_ALIGN);
                else
                    sizes[k] = prepare(source, packed->blocks, k, &c) / HD_PACK_ALIGN;
        }
        if (hd_advance(ctx, 0))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

heddle_status hd_pack_measure(heddle_context *ctx, const hd_pack_source *source, uint32_t blocks, hd_packed *packed) {
    uint64_t each = (uint64_t)blocks * HD_PACK_BLOCK, *sizes = NULL;
    heddle_status status;
    *packed = (hd_packed){.blocks = blocks, .chunks = (source->count + each - 1) / each};
    uint64_t chunks = packed->chunks;
    HD_CHECK(HD_NEW_ZERO(ctx, &sizes, chunks + 1, "sizes of packed chunks"));
    HD_CHECK(HD_NEW(ctx, &packed->starts, chunks + 1, "starts of packed chunks"));
    HD_CHECK(pass(ctx, source, packed, sizes, NULL));
    uint64_t all = hd_prefix_sum(ctx, sizes, chunks);
    if (all > UINT32_MAX)
        HD_CHECK(hd_fail(ctx, HEDDLE_E_LIMIT, "packed rows take %llu bytes: more than 64 GiB",
                         (unsigned long long)all * 4 * HD_PACK_ALIGN));
    packed->count = all * HD_PACK_ALIGN;
    for (uint64_t k = 0; k <= chunks; k++)
        packed->starts[k] = (uint32_t)sizes[k];
out:
    HD_DELETE(&ctx->allocator, sizes, chunks + 1);
    if (status != HEDDLE_OK)
        hd_packed_free(ctx, packed);
    return status;
}

heddle_status hd_pack_write(heddle_context *ctx, const hd_pack_source *source, const hd_packed *packed,
                            uint32_t *words) {
    return pass(ctx, source, packed, NULL, words);
}

heddle_status hd_pack_rows(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, uint32_t blocks,
                           hd_packed *packed) {
    hd_pack_source source = hd_pack_targets(rows, vertices);
    HD_TRY(hd_pack_measure(ctx, &source, blocks, packed));
    heddle_status status = HD_NEW(ctx, &packed->words, packed->count, "packed rows");
    if (status == HEDDLE_OK)
        status = hd_pack_write(ctx, &source, packed, packed->words);
    if (status != HEDDLE_OK)
        hd_packed_free(ctx, packed);
    return status;
}

void hd_packed_free(heddle_context *ctx, hd_packed *packed) {
    if (packed->in_file)
        return;
    HD_DELETE(&ctx->allocator, packed->starts, packed->chunks + 1);
    HD_DELETE(&ctx->allocator, packed->words, packed->count);
}

/* ---- Unpacking -------------------------------------------------------------------------------------------------- */

static uint32_t width_of(const uint32_t *words, uint32_t block) {
    return words[1 + block / 4] >> (block % 4 * 8) & 255;
}

/* Fields of a block: of every one the word it begins in and the next, which may be no longer the chunk's. */
static void read_block(const uint32_t *words, uint32_t width, uint32_t *fields) {
    uint32_t mask = width ? UINT32_MAX >> (32 - width) : 0;
    for (uint32_t i = 0; i < HD_PACK_BLOCK; i++) {
        uint32_t bit = i * width;
        uint64_t pair = words[bit / 32] | (uint64_t)words[bit / 32 + 1] << 32;
        fields[i] = (uint32_t)(pair >> bit % 32) & mask;
    }
}

static void read_fields(const hd_packed *packed, uint64_t k, uint32_t *fields) {
    const uint32_t *words = packed->words + (uint64_t)packed->starts[k] * HD_PACK_ALIGN;
    const uint32_t *end = packed->words + packed->count;
    uint32_t at = hd_pack_header(packed->blocks);
    for (uint32_t b = 0; b < packed->blocks; b++) {
        uint32_t width = width_of(words, b), last[HD_PACK_BLOCK + 2] = {0};
        bool is_last = (uint64_t)(end - words) < (uint64_t)at + width + 2;
        if (is_last)
            memcpy(last, words + at, width * sizeof *last);
        read_block(is_last ? last : words + at, width, fields + (size_t)b * HD_PACK_BLOCK);
        at += width;
    }
}

void hd_unpack_chunk(const hd_packed *packed, const uint64_t *offsets, uint64_t rows, uint64_t k, uint32_t *numbers) {
    uint32_t each = packed->blocks * HD_PACK_BLOCK, value;
    uint64_t first = k * each;
    read_fields(packed, k, numbers);
    if (!offsets)
        return;
    uint64_t row = hd_row_of(offsets, rows, first);
    value = packed->words[(uint64_t)packed->starts[k] * HD_PACK_ALIGN];
    for (uint32_t i = 0; i < each; i++) {
        while (row < rows && offsets[row + 1] <= first + i)
            row++;
        value = (row < rows && offsets[row] == first + i ? 0 : value) + numbers[i];
        numbers[i] = value;
    }
}

bool hd_packed_sound(heddle_context *ctx, const hd_packed *packed) {
    uint64_t wrong = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : wrong) if (packed->chunks >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < packed->chunks; k++) {
        uint64_t from = (uint64_t)packed->starts[k] * HD_PACK_ALIGN,
                 to = (uint64_t)packed->starts[k + 1] * HD_PACK_ALIGN;
        uint32_t words = hd_pack_header(packed->blocks), wide = 0;
        bool inside = from <= to && to <= packed->count && to - from >= words;
        for (uint32_t b = 0; inside && b < packed->blocks; b++) {
            uint32_t width = width_of(packed->words + from, b);
            wide |= width > 32;
            words += width;
        }
        wrong += !inside || wide || to - from < words || to - from >= words + HD_PACK_ALIGN;
    }
    return !wrong && packed->starts[0] == 0 &&
           (uint64_t)packed->starts[packed->chunks] * HD_PACK_ALIGN == packed->count;
}

bool hd_packed_equals(heddle_context *ctx, const hd_packed *packed, const hd_pack_source *source) {
    uint64_t wrong = 0;
    HD_PARALLEL(ctx) {
        uint32_t found[MOST];
        chunk c;
        HD_FOR(schedule(dynamic, 64) reduction(+ : wrong))
        for (uint64_t k = 0; k < packed->chunks; k++) {
            if (hd_cancelled(ctx))
                continue;
            prepare(source, packed->blocks, k, &c);
            read_fields(packed, k, found);
            wrong += packed->words[(uint64_t)packed->starts[k] * HD_PACK_ALIGN] != c.base ||
                     memcmp(found, c.gaps, packed->blocks * HD_PACK_BLOCK * sizeof *found) != 0;
        }
    }
    return !wrong;
}

/* ---- In files --------------------------------------------------------------------------------------------------- */

static uint64_t chunks_of(uint64_t numbers) { return numbers / HD_PACK_CHUNK + (numbers % HD_PACK_CHUNK != 0); }

bool hd_packed_fits(uint64_t numbers, uint64_t bytes) {
    return bytes % (4 * HD_PACK_ALIGN) == 0 && bytes / 4 >= hd_packed_front(chunks_of(numbers));
}

void hd_packed_open(uint64_t numbers, void *data, uint64_t bytes, hd_packed *packed) {
    uint64_t chunks = chunks_of(numbers), front = hd_packed_front(chunks);
    *packed = (hd_packed){.blocks = HD_PACK_BLOCKS,
                          .chunks = chunks,
                          .starts = data,
                          .words = (uint32_t *)data + front,
                          .count = bytes / 4 - front,
                          .in_file = true};
}

heddle_status hd_graph_packed(heddle_context *ctx, const heddle_graph *graph, hd_packed_what what, hd_packed *packed) {
    int which = what == HD_PACKED_IN && !graph->directed ? HD_PACKED_OUT : (int)what;
    const hd_packed_section *section = &graph->mapping.packed[which];
    *packed = (hd_packed){.words = NULL};
    if (!section->data)
        return HEDDLE_OK;
    static const int parts[] = {HD_VERIFY_TARGETS, HD_VERIFY_TARGETS << HD_VERIFY_SHIFT, HD_VERIFY_WEIGHTS};
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_PACKED << which | parts[which]));
    hd_packed_open(graph->edges, section->data, section->bytes, packed);
    return HEDDLE_OK;
}
