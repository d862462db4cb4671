/* bins.c - see bins.h. */
#include "engine/bins.h"

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

void hd_bins_free(hd_bins *bins) {
    while (bins->slabs) {
        hd_slab *slab = bins->slabs;
        bins->slabs = slab->next;
        hd_free(bins->allocator, slab, sizeof *slab);
    }
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
