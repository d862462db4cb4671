/* hash.h - the 64-bit checksum of files and the parts of it.
 *
 * A sequence of bytes is cut into blocks of 256 KiB that are hashed one by one, by any thread; the checksum is a hash
 * of the block hashes in order and of the length. Within a block eight lanes take a 64-bit word each in turn:
 * lane = rotate(lane ^ word, 29) * odd. Every step is a bijection of the word it takes in, so a change inside one
 * aligned word of 8 bytes is always found; any other change goes unseen with a chance of about 2^-64.
 * The value depends on the byte order of the machine. It guards against accidents, not against malice.
 */
#ifndef HD_BASE_HASH_H
#define HD_BASE_HASH_H

#include "base/context.h"
#include "base/random.h"

#include <string.h>

enum { HD_HASH_BLOCK = 1 << 18, HD_HASH_LANES = 8 };

static inline uint64_t hd_hash_step(uint64_t lane, uint64_t word) {
    lane ^= word;
    return (lane << 29 | lane >> 35) * UINT64_C(0x9fb21c651e98df25);
}

/* The hash of one block: `bytes` bytes, of any alignment. */
static inline uint64_t hd_hash_block(const void *data, size_t bytes) {
    enum { STRIDE = 8 * HD_HASH_LANES };
    const char *p = data;
    uint64_t lane[HD_HASH_LANES], word[HD_HASH_LANES], hash = bytes;
    for (int i = 0; i < HD_HASH_LANES; i++)
        lane[i] = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1);
    size_t rest = bytes;
    for (; rest >= STRIDE; rest -= STRIDE, p += STRIDE) {
        memcpy(word, p, STRIDE);
        for (int i = 0; i < HD_HASH_LANES; i++)
            lane[i] = hd_hash_step(lane[i], word[i]);
    }
    if (rest) { /* the last stride is padded with zeros; the length distinguishes them from data */
        memset(word, 0, STRIDE);
        memcpy(word, p, rest);
        for (int i = 0; i < HD_HASH_LANES; i++)
            lane[i] = hd_hash_step(lane[i], word[i]);
    }
    for (int i = 0; i < HD_HASH_LANES; i++)
        hash = hd_mix64(hash ^ lane[i]) + UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

static inline uint64_t hd_hash_blocks(uint64_t bytes) { return bytes / HD_HASH_BLOCK + (bytes % HD_HASH_BLOCK != 0); }

/* The checksum of `bytes` bytes from the hashes of their blocks. */
static inline uint64_t hd_hash_join(const uint64_t *hashes, uint64_t bytes) {
    uint64_t hash = hd_mix64(bytes + 1);
    for (uint64_t k = 0; k < hd_hash_blocks(bytes); k++)
        hash = hd_mix64(hash ^ hashes[k]) + UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

/* Checks one block of the data, bytes [from, to), while it is in the cache. False: the data is invalid. */
typedef bool (*hd_hash_visit)(void *self, uint64_t from, uint64_t to);

/* A second consumer of the data while it is hashed (e.g. an upload to a device). The calling thread opens and closes
 * windows in ascending order; inside a window any thread may pass blocks to `take`. */
typedef struct hd_hash_tap {
    void *self;
    uint64_t window; /* bytes at a time, whole blocks */
    heddle_status (*open)(void *self, const void *array, uint64_t from, uint64_t to);
    void (*take)(void *self, const void *array, uint64_t from, uint64_t to);
    heddle_status (*close)(void *self);
} hd_hash_tap;

/* The checksum of a large array, in parallel; `visit` and the tap, when not NULL, are called once for every block, on
 * any thread. *sound is false if a visit returned false. Advances the current phase by the bytes; can be cancelled. */
heddle_status hd_hash_tapped(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             const hd_hash_tap *tap, uint64_t *hash, bool *sound);
heddle_status hd_hash_array(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                            uint64_t *hash, bool *sound);
/* Several processes that read one file hash a share of its blocks each. */
typedef struct hd_hash_share {
    uint64_t part, parts;
    void *self;
    /* Given the hashes of this one's blocks, hd_split(blocks, parts, part) … , in their places: gives the checksum. */
    heddle_status (*join)(void *self, uint64_t *hashes, uint64_t bytes, uint64_t *hash);
} hd_hash_share;
/* The same for them together: only the blocks of the share are read and visited, *sound is about those. */
heddle_status hd_hash_shared(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             const hd_hash_share *share, uint64_t *hash, bool *sound);
/* The same for an array in a mapped file, whose pages are given back (base/spill.h). */
heddle_status hd_hash_mapped(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             uint64_t *hash, bool *sound);

#endif
