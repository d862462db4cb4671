/* rows.h - shares of a CSR with equal work.
 *
 * A vertex counts 1 and so does each of its arcs, so the work of a whole graph is vertices + edges units, laid out row
 * after row: vertex v itself at unit offsets[v] + v, its arc e at unit e + v + 1. A share is a range of units; it may
 * begin and end inside a row, so that even a vertex that has most of the arcs is spread over all threads.
 *
 *     for (uint64_t v = hd_row_at(offsets, n, from); v < n && offsets[v] + v < to; v++)
 *         for (uint64_t e = hd_row_begin(offsets, v, from), end = hd_row_end(offsets, v, to); e < end; e++)
 */
#ifndef HD_GRAPH_ROWS_H
#define HD_GRAPH_ROWS_H

#include <stdint.h>

/* The vertex that unit `unit` belongs to; unit < offsets[vertices] + vertices. */
static inline uint64_t hd_row_at(const uint64_t *offsets, uint64_t vertices, uint64_t unit) {
    uint64_t low = 0, high = vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] + middle <= unit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The vertex whose row arc `e` lies in; e < offsets[vertices]. */
static inline uint64_t hd_row_of(const uint64_t *offsets, uint64_t vertices, uint64_t e) {
    uint64_t low = 0, high = vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Lower bound: index of the first of the `count` ascending entries of a row that is >= target; count if none is. */
static inline uint64_t hd_row_find(const uint32_t *row, uint64_t count, uint32_t target) {
    const uint32_t *base = row;
    for (; count > 1; count -= count / 2) /* branch-free: the branch would be unpredictable */
        base += base[count / 2 - 1] < target ? count / 2 : 0;
    return (uint64_t)(base - row) + (count && *base < target);
}

/* The arc from v to w, rows being sorted; UINT64_MAX: there is none. */
static inline uint64_t hd_row_arc(const uint64_t *offsets, const uint32_t *targets, uint64_t v, uint32_t w) {
    uint64_t begin = offsets[v], count = offsets[v + 1] - begin, at = hd_row_find(targets + begin, count, w);
    return at < count && targets[begin + at] == w ? begin + at : UINT64_MAX;
}

/* The first arc of v in a share that begins at unit `from`. */
static inline uint64_t hd_row_begin(const uint64_t *offsets, uint64_t v, uint64_t from) {
    return from > offsets[v] + v + 1 ? from - v - 1 : offsets[v];
}

/* The arc of v at which a share that ends before unit `to` ends; to > offsets[v] + v. */
static inline uint64_t hd_row_end(const uint64_t *offsets, uint64_t v, uint64_t to) {
    return to < offsets[v + 1] + v + 1 ? to - v - 1 : offsets[v + 1];
}

#endif
