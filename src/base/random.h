/* random.h - counter-based random numbers and hashes: the k-th number of a stream is a pure function of (seed, k), so
 * that any number of threads draws the same graph. */
#ifndef HD_BASE_RANDOM_H
#define HD_BASE_RANDOM_H

#include <stdint.h>

/* A bijective 64-bit mixer (Stafford's variant 13 of the MurmurHash3 finaliser, as in SplitMix64). */
static inline uint64_t hd_mix64(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The k-th number of stream `seed`. */
static inline uint64_t hd_random(uint64_t seed, uint64_t k) {
    return hd_mix64(seed + UINT64_C(0x9e3779b97f4a7c15) * (k + 1));
}

/* A hash of two values in order. */
static inline uint64_t hd_hash2(uint64_t a, uint64_t b) {
    return hd_mix64(hd_mix64(a + UINT64_C(0x9e3779b97f4a7c15)) ^ b);
}

__extension__ typedef unsigned __int128 hd_u128;

/* A secret key for hash tables, so that no one can choose input whose values collide. */
typedef struct hd_hash_key {
    uint64_t pad, factor;
} hd_hash_key;

/* Takes a word into a hash under a key: a multiplication folded to 64 bits. One more word at the end, e.g. 0,
 * spreads regular input evenly. */
static inline uint64_t hd_hash_keyed(const hd_hash_key *key, uint64_t hash, uint64_t word) {
    hd_u128 product = (hd_u128)(hash ^ word ^ key->pad) * key->factor;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Uniform in 0 .. bound-1, from a random word (multiply-shift; bias below bound / 2^64). */
static inline uint64_t hd_below(uint64_t word, uint64_t bound) { return (uint64_t)(((hd_u128)word * bound) >> 64); }

/* Uniform in [0, 1). */
static inline double hd_unit(uint64_t word) { return (double)(word >> 11) * 0x1p-53; }

#endif
