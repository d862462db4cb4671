/* bfs_order.h - the sequence of bfs order (graph/order.h), by a search on the device.
 *
 * The device searches from the vertex of largest degree, which usually reaches most vertices. The host processes the
 * few that remain, by one small search after the other; vertices without edges come last, in ascending order.
 */
#ifndef HD_ENGINE_PRIMITIVE_BFS_ORDER_H
#define HD_ENGINE_PRIMITIVE_BFS_ORDER_H

#include "engine/primitive/sort.h"
#include "graph/order.h"

typedef struct hd_search {
    const hd_resident *own;
    heddle_graph *graph;     /* hollow */
    const hd_sorter *sorter; /* opened by the caller: for prefix sums */
    hd_buffer roots;         /* vertices by descending degree */
    hd_buffer sequence;
    hd_buffer claims; /* holds the degrees before */
} hd_search;

/* Fills the sequence, and the graph's names. `over` false: there are so many small levels that the host is faster, and
 * nothing was filled in. */
heddle_status hd_search_order(const hd_search *search, heddle_report *report, bool *over);

#endif
