/* pack.c - see pack.h. */
#include "graph/pack.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <string.h>

/* The differences of one chunk. */
typedef struct chunk {
    uint32_t base;
    uint32_t gaps[HD_PACK_MOST_BLOCKS * HD_PACK_BLOCK];
    unsigned char widths[HD_PACK_MOST_BLOCKS];
} chunk;

static void take_differences(const heddle_adjacency *rows, uint64_t vertices, uint64_t first, uint32_t count,
                             chunk *c) {
    uint64_t edges = rows->offsets[vertices], row = hd_row_of(rows->offsets, vertices, first);
    uint64_t begin = rows->offsets[row], end = rows->offsets[row + 1];
    uint32_t before = begin < first ? rows->targets[first - 1] : 0;
    c->base = before;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t e = first + i;
        while (e == end && row + 1 < vertices) {
            begin = end;
            end = rows->offsets[++row + 1];
        }
        uint32_t target = e < edges ? rows->targets[e] : before;
        c->gaps[i] = e == begin && e < edges ? target : target - before;
        before = target;
    }
}

uint32_t hd_pack_measure(const uint32_t *numbers, uint32_t blocks, unsigned char *widths) {
    uint32_t words = hd_pack_header(blocks);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < HD_PACK_BLOCK; i++)
            bits |= numbers[b * HD_PACK_BLOCK + i];
        widths[b] = (unsigned char)hd_pack_width(bits);
        words += widths[b];
    }
    return words;
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

void hd_pack_write(uint32_t base, const uint32_t *numbers, uint32_t blocks, const unsigned char *widths,
                   uint32_t *words) {
    uint32_t at = hd_pack_header(blocks);
    words[0] = base;
    for (uint32_t b = 0; b < blocks; b++) {
        words[1 + b / 4] |= (uint32_t)widths[b] << (b % 4 * 8);
        write_block(numbers + (size_t)b * HD_PACK_BLOCK, widths[b], words + at);
        at += widths[b];
    }
}

/* Words that the chunk takes. */
static uint32_t prepare(const heddle_adjacency *rows, uint64_t vertices, uint32_t blocks, uint64_t k, chunk *c) {
    uint32_t count = blocks * HD_PACK_BLOCK;
    take_differences(rows, vertices, k * count, count, c);
    return (hd_pack_measure(c->gaps, blocks, c->widths) + HD_PACK_ALIGN - 1) / HD_PACK_ALIGN * HD_PACK_ALIGN;
}

/* sizes: chunks + 1; those of each, then their prefix sums, in units of HD_PACK_ALIGN words. */
static heddle_status measure(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, hd_packed *packed,
                             uint64_t *sizes) {
    HD_PARALLEL(ctx) {
        chunk c;
        HD_FOR(schedule(dynamic, 256))
        for (uint64_t k = 0; k < packed->chunks; k++)
            sizes[k] = prepare(rows, vertices, packed->blocks, k, &c) / HD_PACK_ALIGN;
    }
    uint64_t all = hd_prefix_sum(ctx, sizes, packed->chunks);
    if (all > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "packed rows take %llu bytes: more than 64 GiB",
                       (unsigned long long)all * 4 * HD_PACK_ALIGN);
    packed->count = all * HD_PACK_ALIGN;
    for (uint64_t k = 0; k <= packed->chunks; k++)
        packed->starts[k] = (uint32_t)sizes[k];
    return hd_advance(ctx, 0) ? hd_cancelled_status(ctx) : HEDDLE_OK;
}

static void write_all(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, hd_packed *packed) {
    HD_PARALLEL(ctx) {
        chunk c;
        HD_FOR(schedule(dynamic, 256))
        for (uint64_t k = 0; k < packed->chunks; k++) {
            uint32_t count = prepare(rows, vertices, packed->blocks, k, &c);
            uint32_t *words = packed->words + (uint64_t)packed->starts[k] * HD_PACK_ALIGN;
            memset(words, 0, (size_t)count * sizeof *words);
            hd_pack_write(c.base, c.gaps, packed->blocks, c.widths, words);
        }
    }
}

heddle_status hd_pack_rows(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, uint32_t blocks,
                           hd_packed *packed) {
    uint64_t edges = rows->offsets[vertices], each = (uint64_t)blocks * HD_PACK_BLOCK, *sizes = NULL;
    heddle_status status;
    *packed = (hd_packed){.blocks = blocks, .chunks = (edges + each - 1) / each};
    uint64_t chunks = packed->chunks;
    HD_CHECK(HD_NEW(ctx, &sizes, chunks + 1, "sizes of packed chunks"));
    HD_CHECK(HD_NEW(ctx, &packed->starts, chunks + 1, "starts of packed chunks"));
    HD_CHECK(measure(ctx, rows, vertices, packed, sizes));
    HD_CHECK(HD_NEW(ctx, &packed->words, packed->count, "packed rows"));
    write_all(ctx, rows, vertices, packed);
    status = hd_advance(ctx, 0) ? hd_cancelled_status(ctx) : HEDDLE_OK;
out:
    HD_DELETE(&ctx->allocator, sizes, chunks + 1);
    if (status != HEDDLE_OK)
        hd_packed_free(ctx, packed);
    return status;
}

void hd_packed_free(heddle_context *ctx, hd_packed *packed) {
    HD_DELETE(&ctx->allocator, packed->starts, packed->chunks + 1);
    HD_DELETE(&ctx->allocator, packed->words, packed->count);
}

void hd_unpack_chunk(const hd_packed *packed, const heddle_adjacency *rows, uint64_t vertices, uint64_t k,
                     uint32_t *targets) {
    const uint32_t *words = packed->words + (uint64_t)packed->starts[k] * HD_PACK_ALIGN;
    uint64_t first = k * packed->blocks * HD_PACK_BLOCK, row = hd_row_of(rows->offsets, vertices, first);
    uint32_t at = hd_pack_header(packed->blocks), value = words[0];
    for (uint32_t b = 0; b < packed->blocks; b++) {
        uint32_t width = words[1 + b / 4] >> (b % 4 * 8) & 255, mask = width ? UINT32_MAX >> (32 - width) : 0;
        for (uint32_t i = 0; i < HD_PACK_BLOCK; i++) {
            uint64_t e = first + b * HD_PACK_BLOCK + i, pair = 0;
            uint32_t bit = i * width;
            if (width)
                memcpy(&pair, words + at + bit / 32, bit % 32 + width > 32 ? 8 : 4);
            while (row < vertices && rows->offsets[row + 1] <= e)
                row++;
            bool begins = row < vertices && rows->offsets[row] == e;
            value = (begins ? 0 : value) + ((uint32_t)(pair >> bit % 32) & mask);
            targets[b * HD_PACK_BLOCK + i] = value;
        }
        at += width;
    }
}
