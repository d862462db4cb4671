/* cpu_unchanged.c - see cpu_unchanged.h. Sources are looked up by blocks of vertices, so a piece may count as busy
 * because of another vertex in a block; that costs a little work but changes no value. */
#include "engine/cpu/cpu_unchanged.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { BLOCK = 8 /* log2 of vertices */, MOST_PIECES = 1 << 12 };

/* first[b] .. last[b] are the pieces that hold rows of block b. */
typedef struct holders {
    uint32_t *first, *last;
    uint64_t blocks;
} holders;

static heddle_status find_holders(heddle_context *ctx, const hd_cpu_run *run, const hd_cpu_piece *pieces,
                                  uint64_t count, holders *h) {
    h->blocks = (run->vertices >> BLOCK) + 1;
    HD_TRY(HD_NEW(ctx, &h->first, h->blocks, "pieces"));
    HD_TRY(HD_NEW_ZERO(ctx, &h->last, h->blocks, "pieces"));
    memset(h->first, 0xff, h->blocks * sizeof *h->first);
    for (uint64_t k = 0; k < count; k++)
        for (uint64_t b = pieces[k].row >> BLOCK; b <= pieces[k].row_end >> BLOCK && b < h->blocks; b++) {
            h->first[b] = k < h->first[b] ? (uint32_t)k : h->first[b];
            h->last[b] = (uint32_t)k;
        }
    return HEDDLE_OK;
}

static void need(const holders *h, uint64_t v, uint64_t *bits) {
    for (uint64_t k = h->first[v >> BLOCK]; k <= h->last[v >> BLOCK]; k++)
        bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

static heddle_status find_needs(const hd_cpu_run *run, const hd_cpu_piece *pieces, const holders *h, hd_quiet *quiet) {
    HD_PARALLEL_FOR(quiet->ctx, schedule(dynamic, 1))
    for (uint64_t k = 0; k < quiet->pieces; k++) {
        uint64_t *bits = quiet->needs + k * quiet->words;
        bits[k >> 6] |= UINT64_C(1) << (k & 63);
        for (uint64_t e = pieces[k].edge; e < pieces[k].edge_end; e++)
            need(h, run->in_targets[e], bits);
    }
    return HEDDLE_OK;
}

heddle_status hd_quiet_new(heddle_context *ctx, const hd_cpu_run *run, const hd_cpu_piece *pieces, uint64_t count,
                           hd_quiet *quiet) {
    holders h = {NULL, NULL, 0};
    heddle_status status;
    *quiet = (hd_quiet){.ctx = ctx, .pieces = count, .words = count / 64 + 1};
    if (count < 2 || count > MOST_PIECES)
        return HEDDLE_OK;
    HD_CHECK(find_holders(ctx, run, pieces, count, &h));
    HD_CHECK(HD_NEW(ctx, &quiet->busy, count, "pieces"));
    HD_CHECK(HD_NEW(ctx, &quiet->changed, quiet->words, "pieces"));
    HD_CHECK(HD_NEW_ZERO(ctx, &quiet->needs, count * quiet->words, "pieces"));
    memset(quiet->changed, 0xff, quiet->words * sizeof *quiet->changed);
    HD_CHECK(find_needs(run, pieces, &h, quiet));
out:
    HD_DELETE(&ctx->allocator, h.first, h.blocks);
    HD_DELETE(&ctx->allocator, h.last, h.blocks);
    return status;
}

void hd_quiet_begin(hd_quiet *quiet) {
    quiet->busy_count = 0;
    for (uint64_t k = 0; k < quiet->pieces; k++) {
        const uint64_t *bits = quiet->needs + k * quiet->words;
        uint64_t both = 0;
        for (uint64_t w = 0; w < quiet->words && !both; w++)
            both = bits[w] & quiet->changed[w];
        if (both)
            quiet->busy[quiet->busy_count++] = k;
    }
}

static void mark(hd_quiet *quiet, uint64_t k) { quiet->changed[k >> 6] |= UINT64_C(1) << (k & 63); }

/* A row that ends in piece k and began in an earlier one: marks all pieces that hold a part of it. */
static void mark_shared(hd_quiet *quiet, const hd_cpu_piece *pieces, uint64_t k) {
    uint64_t row = pieces[k].row;
    for (mark(quiet, k); k > 0 && pieces[k].row == row; k--)
        mark(quiet, k - 1);
}

void hd_quiet_end(hd_quiet *quiet, const hd_cpu_run *run, const hd_cpu_piece *pieces, const hd_cpu_outcome *outcomes,
                  size_t value_size) {
    memset(quiet->changed, 0, quiet->words * sizeof *quiet->changed);
    for (uint64_t k = 0; k < quiet->pieces; k++) {
        size_t place = pieces[k].row * value_size;
        if (outcomes[k].changes)
            mark(quiet, k);
        if (outcomes[k].flags & HD_PIECE_HEAD_ENDS &&
            memcmp((const char *)run->values + place, (const char *)run->next + place, value_size) != 0)
            mark_shared(quiet, pieces, k);
    }
}

void hd_quiet_free(hd_quiet *quiet) {
    if (!quiet->ctx)
        return;
    const heddle_allocator *allocator = &quiet->ctx->allocator;
    HD_DELETE(allocator, quiet->needs, quiet->pieces * quiet->words);
    HD_DELETE(allocator, quiet->changed, quiet->words);
    HD_DELETE(allocator, quiet->busy, quiet->pieces);
}
