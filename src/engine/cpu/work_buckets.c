/* work_buckets.c - see work_buckets.h. */
#include "engine/cpu/work_buckets.h"

#include "base/memory.h"

static bool refill(hd_bins *bins) {
    hd_slab *slab = hd_alloc(bins->allocator, sizeof *slab);
    if (!slab)
        return false;
    slab->next = bins->slabs;
    bins->slabs = slab;
    for (size_t i = 0; i < HD_SLAB_CHUNKS; i++)
        hd_chunk_recycle(bins, &slab->chunks[i]);
    return true;
}

hd_chunk *hd_chain_extend(hd_bins *bins, hd_chain *chain) {
    if (!bins->spare && !refill(bins)) {
        bins->failed = true;
        return NULL;
    }
    hd_chunk *chunk = bins->spare;
    bins->spare = chunk->next;
    chunk->next = NULL;
    chunk->count = 0;
    if (chain->last)
        chain->last->next = chunk;
    else
        chain->first = chunk;
    chain->last = chunk;
    return chunk;
}

heddle_status hd_bins_new(heddle_context *ctx, hd_bins **bins) {
    HD_TRY(HD_NEW_ZERO(ctx, bins, (uint64_t)ctx->threads, "work list"));
    for (int t = 0; t < ctx->threads; t++) {
        (*bins)[t].allocator = &ctx->allocator;
        (*bins)[t].far_least = UINT64_MAX;
    }
    return HEDDLE_OK;
}

void hd_bins_free(heddle_context *ctx, hd_bins **bins) {
    for (int t = 0; *bins && t < ctx->threads; t++)
        while ((*bins)[t].slabs) {
            hd_slab *slab = (*bins)[t].slabs;
            (*bins)[t].slabs = slab->next;
            hd_free(&ctx->allocator, slab, sizeof *slab);
        }
    HD_DELETE(&ctx->allocator, *bins, (uint64_t)ctx->threads);
}

heddle_status hd_bins_status(heddle_context *ctx, const hd_bins *bins) {
    for (int t = 0; t < ctx->threads; t++)
        if (bins[t].failed)
            return hd_fail_memory(ctx, sizeof(hd_slab), "work list");
    return HEDDLE_OK;
}

uint64_t hd_bins_least(const hd_bins *bins) {
    uint64_t start = bins->now % HD_BINS_NEAR, words = HD_BINS_NEAR / 64;
    for (uint64_t i = 0; i <= words; i++) {
        uint64_t word = (start / 64 + i) % words, bits = bins->held[word];
        if (i == 0)
            bits &= UINT64_MAX << (start % 64);
        if (bits) {
            uint64_t place = word * 64 + (uint64_t)__builtin_ctzll(bits);
            return bins->now + (place - start) % HD_BINS_NEAR;
        }
    }
    return UINT64_MAX;
}
