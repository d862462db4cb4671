/* bucket.h - the last step of a build: the arcs of a range of vertices, small enough for the cache, are sorted into
 * rows, and loops and duplicates are handled. */
#ifndef HD_GRAPH_BUCKET_H
#define HD_GRAPH_BUCKET_H

#include "base/context.h"

enum {
    HD_BUCKET_VERTICES = 1 << 15, /* the local number of a vertex takes 15 bits, */
    HD_BUCKET_REVERSE = 1 << 15   /* and this bit marks an arc added by symmetrising */
};

/* The arcs of a bucket, in input order, then in row order. `weight` may be NULL. */
typedef struct hd_arcs {
    uint16_t *local; /* row, counted from the bucket's first vertex, | HD_BUCKET_REVERSE */
    uint32_t *target;
    void *weight; /* of the rules' type */
} hd_arcs;

/* Growing scratch memory of one thread. */
typedef struct hd_bucket_scratch {
    hd_arcs arcs;
    uint64_t capacity;
    size_t weight_size;
    uint64_t *starts; /* HD_BUCKET_VERTICES */
} hd_bucket_scratch;

typedef struct hd_bucket_rules {
    heddle_weight_type weight_type;
    size_t weight_size; /* 0, 4 or 8 */
    heddle_duplicates duplicates;
    bool drop_loops;
    bool symmetrize;
    uint64_t *unequal; /* counts pairs of opposite arcs whose weights differ and become the smaller one */
    int target_bits;   /* targets are below 2^target_bits */
} hd_bucket_rules;

/* Sorts arcs[0 .. count) in place by row and target (stable) and applies the rules; the arcs that are kept end up at
 * the front, their row lengths in lengths[0 .. vertices). `first` is the bucket's first vertex. */
heddle_status hd_bucket_finish(const heddle_allocator *allocator, const hd_bucket_rules *rules, hd_arcs arcs,
                               uint64_t count, uint32_t first, uint32_t vertices, hd_bucket_scratch *scratch,
                               uint64_t *lengths, uint64_t *kept);
void hd_bucket_scratch_free(const heddle_allocator *allocator, hd_bucket_scratch *scratch);

#endif
