/* blocked.c - a counting sort by block of target: every chunk of sources counts its edges per block, a sum over all
 * counts says where each tile begins, then every chunk puts its edges there in order. Chunks are also bounded in edges,
 * and end inside a row where need be, so that one source of many edges is shared out between the threads.
 */
#include "engine/blocked.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum {
    SOURCES = 1 << 16,  /* most in a chunk */
    SMALLEST = 1 << 14, /* a chunk of fewer edges is not worth its tiles */
    CHUNK_PARTS = 256,  /* no chunk holds much more than this part of all edges */
    BLOCKS_WANTED = 6,  /* log2 of how many blocks keep the threads busy */
    SHIFT_LEAST = 8,
    SHIFT_MOST = 15,  /* a table of 256 KiB */
    PIECE_PARTS = 32, /* no piece holds much more than this part of all edges */
    PIECE_ROWS = 8    /* nor is it cut to fewer edges than this for each row of its table */
};

/* What is needed while building only. */
typedef struct plan {
    uint64_t *begin; /* chunks + 1: the first edge of each chunk */
    uint64_t *place; /* chunks * blocks: counts, then where the next edge goes */
} plan;

static unsigned choose_shift(uint64_t vertices) {
    unsigned bits = 0;
    while (vertices >> bits > 1)
        bits++;
    unsigned shift = bits > BLOCKS_WANTED ? bits - BLOCKS_WANTED : 0;
    return shift < SHIFT_LEAST ? SHIFT_LEAST : shift > SHIFT_MOST ? SHIFT_MOST : shift;
}

/* The row of edge e: the last one that begins at or before it, and is not empty. */
static uint64_t row_of(const uint64_t *offsets, uint64_t low, uint64_t high, uint64_t e) {
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static heddle_status cut_chunks(heddle_context *ctx, const heddle_adjacency *out, hd_blocked *b, plan *p) {
    uint64_t most = b->count / CHUNK_PARTS + 1, row = 0;
    if (most < SMALLEST)
        most = SMALLEST;
    b->chunk_room = b->vertices / SOURCES + b->count / most + 2;
    HD_TRY(HD_NEW(ctx, &p->begin, b->chunk_room + 1, "chunks"));
    HD_TRY(HD_NEW(ctx, &b->first, b->chunk_room, "chunks"));
    for (uint64_t e = 0; e < b->count;) {
        row = row_of(out->offsets, row, b->vertices, e);
        uint64_t last = b->vertices - row > SOURCES ? row + SOURCES : b->vertices, end = out->offsets[last];
        b->first[b->chunks] = (heddle_vertex)row;
        p->begin[b->chunks++] = e;
        e = end - e > most ? e + most : end;
    }
    p->begin[b->chunks] = b->count;
    return HEDDLE_OK;
}

static void count_chunk(const heddle_adjacency *out, const hd_blocked *b, plan *p, uint64_t chunk) {
    uint64_t *counts = p->place + chunk * b->blocks;
    for (uint64_t e = p->begin[chunk]; e < p->begin[chunk + 1]; e++)
        counts[out->targets[e] >> b->shift]++;
}

static void add_up(hd_blocked *b, plan *p) {
    uint64_t sum = 0;
    for (uint64_t block = 0; block < b->blocks; block++)
        for (uint64_t chunk = 0; chunk < b->chunks; chunk++) {
            uint64_t *place = &p->place[chunk * b->blocks + block], count = *place;
            b->starts[block * b->chunks + chunk] = *place = sum;
            sum += count;
        }
    b->starts[b->blocks * b->chunks] = sum;
}

static void place_chunk(const heddle_adjacency *out, hd_blocked *b, plan *p, uint64_t chunk) {
    uint64_t *place = p->place + chunk * b->blocks, row = b->first[chunk], end = p->begin[chunk + 1];
    const uint32_t *weights = out->weights, mask = (UINT32_C(1) << b->shift) - 1;
    uint32_t *placed = b->weights;
    for (uint64_t e = p->begin[chunk]; e < end; row++) {
        uint64_t stop = out->offsets[row + 1] < end ? out->offsets[row + 1] : end;
        uint32_t source = (uint32_t)(row - b->first[chunk]) << 16;
        for (; e < stop; e++) {
            heddle_vertex target = out->targets[e];
            uint64_t at = place[target >> b->shift]++;
            b->edges[at] = source | (target & mask);
            if (weights)
                placed[at] = weights[e];
        }
    }
}

static heddle_status cut_pieces(heddle_context *ctx, hd_blocked *b) {
    uint64_t most = b->count / PIECE_PARTS + 1, least = (uint64_t)PIECE_ROWS << b->shift;
    if (most < least)
        most = least;
    b->piece_room = b->blocks + 2 * (b->count / most) + 1; /* two neighbours of a block hold more than `most` */
    HD_TRY(HD_NEW(ctx, &b->pieces, b->piece_room, "pieces"));
    for (uint64_t block = 0; block < b->blocks; block++) {
        const uint64_t *starts = b->starts + block * b->chunks;
        uint64_t first = b->piece_count, from = 0;
        for (uint64_t to = 1; to <= b->chunks; to++)
            if (to == b->chunks || starts[to + 1] - starts[from] > most) {
                b->pieces[b->piece_count++] = (hd_piece){block, from, to, b->slots++};
                from = to;
            }
        if (b->piece_count == first)
            b->pieces[b->piece_count++] = (hd_piece){block, 0, 0, b->slots++};
        if (b->piece_count == first + 1)
            b->pieces[first].slot = HD_NO_SLOT, b->slots--;
    }
    return HEDDLE_OK;
}

static heddle_status group(heddle_context *ctx, const heddle_adjacency *out, hd_blocked *b, plan *p) {
    HD_TRY(cut_chunks(ctx, out, b, p));
    HD_TRY(HD_NEW_ZERO(ctx, &p->place, b->chunks * b->blocks, "edge counts"));
    HD_TRY(HD_NEW(ctx, &b->starts, b->chunks * b->blocks + 1, "tiles"));
    HD_TRY(HD_NEW(ctx, &b->edges, b->count, "grouped edges"));
    if (out->weights)
        HD_TRY(hd_new(ctx, &b->weights, b->count, 4, false, "grouped weights"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (b->count >= HD_WORTH_THREADS))
    for (uint64_t chunk = 0; chunk < b->chunks; chunk++)
        if (!hd_cancelled(ctx))
            count_chunk(out, b, p, chunk);
    add_up(b, p);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (b->count >= HD_WORTH_THREADS))
    for (uint64_t chunk = 0; chunk < b->chunks; chunk++)
        if (!hd_advance(ctx, p->begin[chunk + 1] - p->begin[chunk]))
            place_chunk(out, b, p, chunk);
    HD_TRY(hd_cancelled_status(ctx));
    return cut_pieces(ctx, b);
}

heddle_status hd_blocked_new(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out, hd_blocked *blocked) {
    plan p = {.begin = NULL};
    *blocked = (hd_blocked){.vertices = vertices, .count = out->offsets[vertices], .shift = choose_shift(vertices)};
    blocked->blocks = (vertices + (UINT64_C(1) << blocked->shift) - 1) >> blocked->shift;
    heddle_status status = group(ctx, out, blocked, &p);
    HD_DELETE(&ctx->allocator, p.place, blocked->chunks * blocked->blocks);
    HD_DELETE(&ctx->allocator, p.begin, blocked->chunk_room + 1);
    if (status != HEDDLE_OK)
        hd_blocked_free(ctx, blocked);
    return status;
}

void hd_blocked_free(heddle_context *ctx, hd_blocked *b) {
    const heddle_allocator *allocator = &ctx->allocator;
    HD_DELETE(allocator, b->first, b->chunk_room);
    HD_DELETE(allocator, b->starts, b->chunks * b->blocks + 1);
    HD_DELETE(allocator, b->edges, b->count);
    hd_free(allocator, b->weights, b->count * 4);
    HD_DELETE(allocator, b->pieces, b->piece_room);
    *b = (hd_blocked){.vertices = 0};
}
