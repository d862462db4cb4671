/* bfs_order.h - the sequence of bfs order (graph/order.h), by a search on the device.
 *
 * The device searches from the vertex of largest degree, which comes to most vertices there are; the few that are
 * left go to the host, one small search after the other, and those without edges come last as they are.
 */
#ifndef HD_ENGINE_PRIMITIVE_BFS_ORDER_H
#define HD_ENGINE_PRIMITIVE_BFS_ORDER_H

#include "engine/primitive/sort.h"
#include "graph/order.h"

typedef struct hd_search {
    const hd_resident *own;
    heddle_graph *graph;     /* hollow */
    const hd_sorter *sorter; /* open: for sums */
    hd_buffer roots;         /* vertices by descending degree */
    hd_buffer sequence;
    hd_buffer claims; /* with the degrees, before */
} hd_search;

/* Fills the sequence, and the graph's names. `over` false: there are so many small levels that the host does better,
 * and nothing has been filled in. */
heddle_status hd_search_order(const hd_search *search, heddle_report *report, bool *over);

#endif
