/* union_find.h - a lock-free forest of disjoint sets over 0 .. n-1, for any number of threads at once.
 *
 * Invariants: 1. A vertex that has stopped being a root never becomes one again, and its parent is always one of its
 * ancestors. 2. As long as only hd_set_join merges sets, parent[v] <= v: no cycle can arise, and the root of a tree is
 * its smallest member.
 */
#ifndef HD_GRAPH_UNION_FIND_H
#define HD_GRAPH_UNION_FIND_H

#include "base/parallel.h"

/* Both test the grandparent first: most vertices are roots or children of roots, so that one branch is easy to
 * predict. */

/* The root of v's tree, with path splitting: every vertex on the path gets its grandparent as parent. */
static inline uint32_t hd_set_find(uint32_t *parent, uint32_t v) {
    uint32_t up = hd_load(&parent[v]), higher;
    while ((higher = hd_load(&parent[up])) != up) {
        hd_store(&parent[v], higher);
        v = up;
        up = higher;
    }
    return up;
}

/* The root of v's tree, without path compression. */
static inline uint32_t hd_set_root(const uint32_t *parent, uint32_t v) {
    uint32_t up = hd_load(&parent[v]), higher;
    while ((higher = hd_load(&parent[up])) != up)
        up = higher;
    return up;
}

/* Merges the sets of u and v: the larger root becomes a child of the smaller. */
static inline void hd_set_join(uint32_t *parent, uint32_t u, uint32_t v) {
    if (hd_load(&parent[u]) == hd_load(&parent[v]))
        return;
    while ((u = hd_set_find(parent, u)) != (v = hd_set_find(parent, v))) {
        uint32_t high = u > v ? u : v, low = u > v ? v : u, expected = high;
        if (hd_compare_swap(&parent[high], &expected, low))
            return;
    }
}

#endif
