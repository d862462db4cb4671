/* work_buckets.h - one thread's buckets of work: chains of small chunks. Each bucket near the current one has its own
 * chain; all further ones share one. Chunks are allocated in slabs, reused, and freed at the end.
 */
#ifndef HD_ENGINE_CPU_WORK_BUCKETS_H
#define HD_ENGINE_CPU_WORK_BUCKETS_H

#include "base/context.h"

enum { HD_BINS_NEAR = 512, HD_CHUNK_ROOM = 126, HD_SLAB_CHUNKS = 64 };

typedef struct hd_entry {
    heddle_vertex vertex;
    uint32_t label; /* its label when it was added, or a mark of it: the entry is stale if it differs now */
} hd_entry;

typedef struct hd_chunk {
    struct hd_chunk *next;
    uint64_t count;
    hd_entry entries[HD_CHUNK_ROOM];
} hd_chunk;

typedef struct hd_chain {
    hd_chunk *first, *last;
    uint64_t entries;
} hd_chain;

typedef struct hd_slab {
    struct hd_slab *next;
    hd_chunk chunks[HD_SLAB_CHUNKS];
} hd_slab;

typedef struct hd_bins {
    const heddle_allocator *allocator;
    uint64_t now;                     /* the current bucket; nothing is put below it */
    hd_chain near[HD_BINS_NEAR];      /* bucket b is at b % HD_BINS_NEAR, for now <= b < now + HD_BINS_NEAR */
    uint64_t held[HD_BINS_NEAR / 64]; /* which of them are not empty */
    hd_chain far;
    uint64_t far_least; /* the lowest bucket in `far`, UINT64_MAX if it is empty */
    hd_chunk *spare;
    hd_slab *slabs;
    bool failed; /* out of memory: entries were lost */
    /* counted by the thread for the whole run */
    uint64_t edges;
    uint64_t excess; /* not 0: a sum did not fit */
    /* the thread's part of this round's work; threads that have finished steal from it */
    uint64_t next_slice, end_slice;
} hd_bins;

/* Adds an empty chunk to a chain; NULL if there is no memory. */
hd_chunk *hd_chain_extend(hd_bins *bins, hd_chain *chain);
/* Creates and destroys one set of bins per thread. */
heddle_status hd_bins_new(heddle_context *ctx, hd_bins **bins);
void hd_bins_free(heddle_context *ctx, hd_bins **bins);
/* HEDDLE_E_MEMORY if any thread's bins lost entries. */
heddle_status hd_bins_status(heddle_context *ctx, const hd_bins *bins);
/* The lowest nonempty near bucket; UINT64_MAX: none. */
uint64_t hd_bins_least(const hd_bins *bins);

static inline void hd_bins_put(hd_bins *bins, uint64_t bucket, heddle_vertex vertex, uint32_t label) {
    uint64_t place = bucket % HD_BINS_NEAR;
    bool near = bucket - bins->now < HD_BINS_NEAR;
    hd_chain *chain = near ? &bins->near[place] : &bins->far;
    hd_chunk *chunk = chain->last;
    if (!chunk || chunk->count == HD_CHUNK_ROOM) {
        chunk = hd_chain_extend(bins, chain);
        if (!chunk)
            return;
        bins->held[place / 64] |= (uint64_t)near << (place % 64);
    }
    if (!near && bucket < bins->far_least)
        bins->far_least = bucket;
    chunk->entries[chunk->count++] = (hd_entry){vertex, label};
    chain->entries++;
}

static inline uint64_t hd_bins_entries(const hd_bins *bins, uint64_t bucket) {
    return bins->near[bucket % HD_BINS_NEAR].entries;
}

static inline hd_chunk *hd_chain_take(hd_chain *chain) {
    hd_chunk *first = chain->first;
    *chain = (hd_chain){NULL, NULL, 0};
    return first;
}

/* Removes and returns the chunks of a bucket. */
static inline hd_chunk *hd_bins_take(hd_bins *bins, uint64_t bucket) {
    uint64_t place = bucket % HD_BINS_NEAR;
    hd_chunk *first = hd_chain_take(&bins->near[place]);
    bins->held[place / 64] &= ~(UINT64_C(1) << (place % 64));
    return first;
}

static inline void hd_chunk_recycle(hd_bins *bins, hd_chunk *chunk) {
    chunk->next = bins->spare;
    bins->spare = chunk;
}

#endif
