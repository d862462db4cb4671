/* best_pairs.h - the most similar pairs of a stream of them: a heap of at most `most`, whose root is the last one.
 * Pairs have an order without ties (higher scores first, then smaller vertices), so that the outcome depends neither on
 * the order of the stream nor on how it is divided among heaps. */
#ifndef HD_ALGORITHM_SIMILAR_BEST_PAIRS_H
#define HD_ALGORITHM_SIMILAR_BEST_PAIRS_H

#include "base/context.h"

typedef struct hd_pair {
    heddle_vertex a, b;
    double score;
} hd_pair;

/* All zero, except `most`: an empty one. */
typedef struct hd_best_pairs {
    hd_pair *heap;
    uint64_t count, room, most;
    bool failed; /* out of memory: some pair was not added */
} hd_best_pairs;

/* Whether a pair comes before another one. */
static inline bool hd_pair_before(const hd_pair *x, const hd_pair *y) {
    if (x->score != y->score)
        return x->score > y->score;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/* May be called from any thread, for a heap of its own; sets `failed` if there is no memory. */
void hd_best_pairs_add(const heddle_allocator *allocator, hd_best_pairs *best, hd_pair pair);
/* The last of the best, once there are as many as wanted; NULL: any pair is welcome. */
static inline const hd_pair *hd_best_pairs_last(const hd_best_pairs *best) {
    return best->count == best->most ? best->heap : NULL;
}
/* Best first; no more pairs can be added then. */
void hd_best_pairs_sort(hd_best_pairs *best);
void hd_best_pairs_close(const heddle_allocator *allocator, hd_best_pairs *best);

#endif
