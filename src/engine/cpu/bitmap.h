/* bitmap.h - one bit per vertex: 32 times smaller than an array of words, so that it stays in the cache. */
#ifndef HD_ENGINE_CPU_BITMAP_H
#define HD_ENGINE_CPU_BITMAP_H

#include "base/parallel.h"

static inline uint64_t hd_bitmap_words(uint64_t bits) { return (bits + 63) / 64; }

static inline bool hd_bit(const uint64_t *words, uint64_t i) { return words[i / 64] >> (i % 64) & 1; }

static inline void hd_bit_set(uint64_t *words, uint64_t i) { words[i / 64] |= UINT64_C(1) << (i % 64); }

/* The same for words that several threads access. */
static inline bool hd_bit_shared(const uint64_t *words, uint64_t i) { return hd_load(&words[i / 64]) >> (i % 64) & 1; }

/* Sets the bit; true for the one caller that found it clear. */
static inline bool hd_bit_claim(uint64_t *words, uint64_t i) {
    uint64_t bit = UINT64_C(1) << (i % 64);
    return !(hd_fetch_or(&words[i / 64], bit) & bit);
}

#endif
