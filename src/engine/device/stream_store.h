/* stream_store.h - the edges of streaming runs in host memory, in the form in which they are sent. It takes longer to
 * make than most runs, so it is kept with the graph (resident.h) for later runs that cut the edges alike. */
#ifndef HD_ENGINE_DEVICE_STREAM_STORE_H
#define HD_ENGINE_DEVICE_STREAM_STORE_H

#include "engine/device/resident.h"

enum { STREAM_TARGETS, STREAM_SOURCES, STREAM_WEIGHTS, STREAM_ARRAYS };
/* Also in host memory: blocks of gathered rows (stream_gather.h). */
enum { STREAM_ARENA = STREAM_ARRAYS, STREAM_STORED };

typedef struct hd_stream_store {
    uint64_t key[2];            /* how edges were cut, and what is stored; 0, 0: not complete */
    void *array[STREAM_STORED]; /* packed: of edges the first only */
    uint64_t bytes[STREAM_STORED];
    bool pinned[STREAM_STORED];
    double pinning, packing; /* seconds that it took to get the memory, and to fill it */
    /* Packed partitions (stream_packed.c): */
    uint32_t mask;        /* of the differences of ids */
    int weights;          /* how they are stored */
    bool from_file;       /* nothing had to be packed, … */
    double checking;      /* but checked */
    uint64_t spans;       /* number of them */
    uint64_t *packed_at;  /* where each begins, in words; spans + 1; NULL: not packed */
    uint64_t packed_most; /* bytes of the largest */
} hd_stream_store;

/* All bytes of edges. */
uint64_t hd_stream_store_bytes(const hd_stream_store *store);
/* Frees resident->store, which may be NULL. */
void hd_stream_store_free(hd_resident *resident);

#endif
