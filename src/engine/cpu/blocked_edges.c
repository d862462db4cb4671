/* blocked_edges.c - every chunk of sources sorts its own edges by block of target: it counts them per block, then
 * writes them in order to its part of memory, while they are still in the cache. Chunks are bounded in sources and in
 * edges, and may end inside a row, so that a source with many edges is divided among threads.
 */
#include "engine/cpu/blocked_edges.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <string.h>

enum {
    SOURCES = 1 << 16,      /* most sources of a chunk */
    CHUNK_LEAST = 1 << 14,  /* edges: smaller chunks are not worth their tiles */
    CHUNK_CACHED = 1 << 18, /* edges: larger chunks exceed the cache, */
    TILE_EDGES = 128,       /* but tiles should hold this many */
    CHUNK_PARTS = 64,       /* no chunk needs to be smaller than 1/64 of all edges */
    BLOCKS_WANTED = 6,      /* log2 of the number of blocks that keep the threads busy */
    SHIFT_LEAST = 8,
    SHIFT_MOST = 15,  /* a table of 256 KiB */
    PIECE_PARTS = 32, /* no piece holds much more than 1/32 of all edges */
    PIECE_ROWS = 8    /* nor fewer edges than this for each row of its table */
};

static uint64_t most_of(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }

static unsigned choose_shift(uint64_t targets) {
    unsigned bits = 0;
    while (targets >> bits > 1)
        bits++;
    unsigned shift = bits > BLOCKS_WANTED ? bits - BLOCKS_WANTED : 0;
    return shift < SHIFT_LEAST ? SHIFT_LEAST : shift > SHIFT_MOST ? SHIFT_MOST : shift;
}

/* Fills first[] and begin[], the first edge of each chunk and one more. */
static heddle_status cut_chunks(heddle_context *ctx, const heddle_adjacency *out, hd_blocked *b, uint64_t **begin) {
    uint64_t cached = most_of(CHUNK_CACHED, TILE_EDGES * b->blocks), row = 0;
    uint64_t most = most_of(CHUNK_LEAST, least_of(b->count / CHUNK_PARTS + 1, cached));
    b->chunk_room = b->sources / SOURCES + b->count / most + 2;
    HD_TRY(HD_NEW(ctx, begin, b->chunk_room + 1, "chunks"));
    HD_TRY(HD_NEW(ctx, &b->first, b->chunk_room, "chunks"));
    for (uint64_t e = 0; e < b->count;) {
        row += hd_row_of(out->offsets + row, b->sources - row, e);
        uint64_t end = out->offsets[least_of(b->sources, row + SOURCES)];
        b->first[b->chunks] = (heddle_vertex)row;
        (*begin)[b->chunks++] = e;
        e = least_of(end, e + most);
    }
    (*begin)[b->chunks] = b->count;
    return HEDDLE_OK;
}

/* Groups the edges begin .. end of a chunk; `place` has room for a number per block. */
static void group_chunk(const heddle_adjacency *out, hd_blocked *b, uint64_t chunk, uint64_t begin, uint64_t end,
                        uint64_t *place) {
    const uint32_t mask = (UINT32_C(1) << b->shift) - 1;
    const void *weights = out->weights;
    bool large = b->weight_size == sizeof(uint64_t);
    uint64_t sum = begin, row = b->first[chunk], *starts = b->starts + chunk;
    memset(place, 0, b->blocks * sizeof *place);
    for (uint64_t e = begin; e < end; e++)
        place[out->targets[e] >> b->shift]++;
    for (uint64_t block = 0; block < b->blocks; block++) {
        uint64_t count = place[block];
        starts[block * b->chunks] = place[block] = sum;
        sum += count;
    }
    starts[b->blocks * b->chunks] = sum;
    for (uint64_t e = begin; e < end; row++) {
        uint64_t stop = least_of(out->offsets[row + 1], end);
        uint32_t source = (uint32_t)(row - b->first[chunk]) << 16;
        for (; e < stop; e++) {
            heddle_vertex target = out->targets[e];
            uint64_t at = place[target >> b->shift]++;
            b->edges[at] = source | (target & mask);
            if (weights && large)
                ((uint64_t *)b->weights)[at] = ((const uint64_t *)weights)[e];
            else if (weights)
                ((uint32_t *)b->weights)[at] = ((const uint32_t *)weights)[e];
        }
    }
}

static heddle_status cut_pieces(heddle_context *ctx, hd_blocked *b) {
    uint64_t most = most_of(b->count / PIECE_PARTS + 1, (uint64_t)PIECE_ROWS << b->shift);
    b->piece_room = b->blocks + 2 * (b->count / most) + 1; /* two neighbours in a block hold more than `most` */
    HD_TRY(HD_NEW(ctx, &b->pieces, b->piece_room, "pieces"));
    for (uint64_t block = 0; block < b->blocks; block++) {
        uint64_t first = b->piece_count, from = 0, held = 0, begin, end;
        for (uint64_t chunk = 0; chunk < b->chunks; chunk++) {
            hd_tile(b, block, chunk, &begin, &end);
            if (held && held + (end - begin) > most) {
                b->pieces[b->piece_count++] = (hd_piece){block, from, chunk, b->slots++};
                from = chunk;
                held = 0;
            }
            held += end - begin;
        }
        if (b->piece_count == first)
            b->pieces[b->piece_count++] = (hd_piece){block, 0, b->chunks, HD_NO_SLOT};
        else
            b->pieces[b->piece_count++] = (hd_piece){block, from, b->chunks, b->slots++};
    }
    return HEDDLE_OK;
}

static heddle_status group(heddle_context *ctx, const heddle_adjacency *out, hd_blocked *b, const uint64_t *begin,
                           uint64_t *places) {
    HD_TRY(HD_NEW(ctx, &b->starts, (b->blocks + 1) * b->chunks, "tiles"));
    HD_TRY(HD_NEW(ctx, &b->edges, b->count, "grouped edges"));
    if (out->weights)
        HD_TRY(hd_new(ctx, &b->weights, b->count, b->weight_size, false, "grouped weights"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (b->count >= HD_WORTH_THREADS))
    for (uint64_t chunk = 0; chunk < b->chunks; chunk++)
        if (!hd_advance(ctx, begin[chunk + 1] - begin[chunk]))
            group_chunk(out, b, chunk, begin[chunk], begin[chunk + 1], places + (uint64_t)hd_thread() * b->blocks);
    HD_TRY(hd_cancelled_status(ctx));
    return cut_pieces(ctx, b);
}

heddle_status hd_blocked_new(heddle_context *ctx, uint64_t sources, uint64_t targets, const heddle_adjacency *out,
                             size_t weight_size, hd_blocked *b) {
    uint64_t *begin = NULL, *places = NULL;
    heddle_status status;
    *b = (hd_blocked){.sources = sources,
                      .count = out->offsets[sources],
                      .shift = choose_shift(targets),
                      .weight_size = weight_size};
    b->blocks = (targets + (UINT64_C(1) << b->shift) - 1) >> b->shift;
    HD_CHECK(cut_chunks(ctx, out, b, &begin));
    HD_CHECK(HD_NEW(ctx, &places, b->blocks * (uint64_t)ctx->threads, "edge counts"));
    HD_CHECK(group(ctx, out, b, begin, places));
out:
    HD_DELETE(&ctx->allocator, places, b->blocks * (uint64_t)ctx->threads);
    HD_DELETE(&ctx->allocator, begin, b->chunk_room + 1);
    if (status != HEDDLE_OK)
        hd_blocked_free(ctx, b);
    return status;
}

void hd_blocked_free(heddle_context *ctx, hd_blocked *b) {
    const heddle_allocator *allocator = &ctx->allocator;
    HD_DELETE(allocator, b->first, b->chunk_room);
    HD_DELETE(allocator, b->starts, (b->blocks + 1) * b->chunks);
    HD_DELETE(allocator, b->edges, b->count);
    hd_free(allocator, b->weights, b->count * b->weight_size);
    HD_DELETE(allocator, b->pieces, b->piece_room);
    *b = (hd_blocked){.sources = 0};
}
