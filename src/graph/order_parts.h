/* order_parts.h - what the orders and order_rows.c share. */
#ifndef HD_GRAPH_ORDER_PARTS_H
#define HD_GRAPH_ORDER_PARTS_H

#include "graph/order.h"

/* For bfs, which begins at the vertex of largest degree. */
heddle_status hd_sort_by_degree(hd_order_sort *s);

enum { HD_ORDER_AHEAD = 8 /* vertices and edges, for fetching */ };

/* Prefetches for rows further on in a sequence, which lie scattered in memory: their offsets, then the rows, then a
 * word for each of their targets. */
static inline void hd_order_fetch(const heddle_adjacency *out, const heddle_vertex *sequence, const uint32_t *words,
                                  uint64_t i, uint64_t end) {
    if (i + 3 * HD_ORDER_AHEAD < end)
        __builtin_prefetch(&out->offsets[sequence[i + 3 * HD_ORDER_AHEAD]]);
    if (i + 2 * HD_ORDER_AHEAD < end) {
        uint64_t row = out->offsets[sequence[i + 2 * HD_ORDER_AHEAD]];
        __builtin_prefetch(&out->targets[row]);
        if (out->weights)
            __builtin_prefetch((const uint32_t *)out->weights + row); /* of 64 bits: about there */
    }
    if (i + HD_ORDER_AHEAD >= end)
        return;
    uint64_t first = out->offsets[sequence[i + HD_ORDER_AHEAD]], last = out->offsets[sequence[i + HD_ORDER_AHEAD] + 1];
    for (uint64_t e = first; e < last && e < first + HD_ORDER_AHEAD; e++)
        __builtin_prefetch(&words[out->targets[e]]);
}

#endif
