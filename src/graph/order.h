/* order.h - the same graph with its vertices renamed, so that vertices that are used together lie together.
 *
 * An order is a permutation: degree puts the vertices of most edges first, whose values then share few lines of memory;
 * bfs numbers vertices as a breadth-first search comes to them, so that neighbours are near each other. The renamed
 * graph is a graph like any other; its `places` tell where each vertex of the original has gone. Users never see it:
 * what runs on it is brought back to the vertices they know.
 */
#ifndef HD_GRAPH_ORDER_H
#define HD_GRAPH_ORDER_H

#include "graph/graph.h"

/* "degree", "bfs"; "none". */
const char *hd_order_name(hd_order order);
/* The order of that name, of `length` bytes; HD_ORDER_OPEN: there is none. */
hd_order hd_order_named(const char *name, size_t length);

/* Makes the renamed graph, in linear time, the same for any number of threads.
 *   degree  in descending order of degree, ties in the order of vertices; in- and out-edges count
 *   bfs     along out-edges, rows from the front; it begins at the vertex of largest degree, and again at the largest
 *           that is left for as long as there is one
 * Parallel arcs keep their order. */
heddle_status hd_order_graph(heddle_context *ctx, const heddle_graph *graph, hd_order order, heddle_graph **renamed);

/* The same in steps: a renamed graph without rows, and room for its names and places; these; and its rows, made of
 * renamed->original. After an error it is as it was before. */
heddle_status hd_order_hollow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **renamed);
heddle_status hd_order_names(heddle_context *ctx, hd_order order, heddle_graph *renamed);
heddle_status hd_order_rows(heddle_context *ctx, heddle_graph *renamed);
/* Goes on with the searches of bfs order, of which `end` vertices are in the sequence, from those of `roots` whose
 * claims are UINT32_MAX: they have not been seen. */
heddle_status hd_order_go_on(heddle_context *ctx, const heddle_graph *graph, const heddle_vertex *roots, uint64_t count,
                             uint64_t end, uint32_t *claims, heddle_vertex *sequence);

/* The renamed graph that a file had beside this one; NULL: there is none. */
static inline const heddle_graph *hd_order_kept(const heddle_graph *graph, hd_order order) {
    return order >= HD_ORDER_DEGREE ? graph->renamed[order - HD_ORDER_DEGREE] : NULL;
}

#endif
