/* extend.h - a graph with new edges, each of which stands for a path of two arcs. */
#ifndef HD_GRAFFIX_EXTEND_H
#define HD_GRAFFIX_EXTEND_H

#include "graffix/graffix.h"

typedef struct hd_new_edge {
    heddle_vertex from, to;
    uint64_t first, second; /* the arcs of its path, whose weights it has together */
} hd_new_edge;

/* Makes the graph that has these edges, too, in any order, and on an undirected graph their reverse. None of them is
 * an arc already; of several between the same vertices the lightest counts. Parallel, near-linear time. */
heddle_status hd_graffix_extend(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                                const hd_new_edge *edges, uint64_t count, heddle_graph **result);

/* Sorts records by a total order, in parallel: chunks are sorted, then merged. */
heddle_status hd_graffix_sort(heddle_context *ctx, void *records, uint64_t count, size_t size,
                              int (*compare)(const void *, const void *));

#endif
