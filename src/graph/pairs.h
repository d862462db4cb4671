/* pairs.h - a sample of the edges, by pairs of vertices. */
#ifndef HD_GRAPH_PAIRS_H
#define HD_GRAPH_PAIRS_H

#include "base/context.h"

/* A mark: a hash of the pair, and in the lowest bit the direction. */
typedef struct hd_pairs {
    uint64_t *marks;
    uint64_t count, room;
} hd_pairs;

/* Pairs whose hash is at most this are in the sample; `work` is an upper bound of the number of edges. */
uint64_t hd_pairs_limit(uint64_t work);
/* False: out of memory. */
bool hd_pairs_add(heddle_context *ctx, hd_pairs *pairs, uint64_t mark);
void hd_pairs_free(heddle_context *ctx, hd_pairs *pairs);
/* The share of the sampled edges that is kept when an edge and its reverse are merged; without `parallel`, all edges
 * between the same two vertices. Sorts the sample. */
double hd_pairs_kept(hd_pairs *pairs, bool parallel);

static inline uint64_t hd_pair_hash(uint64_t a, uint64_t b) {
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t hash = (low * UINT64_C(0x9e3779b97f4a7c15) + high) * UINT64_C(0xd6e8feb86659fd93);
    return (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

#endif
