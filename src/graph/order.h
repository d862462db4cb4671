/* order.h - the same graph with its vertices renamed, so that vertices that are used together lie together.
 *
 * An order is a permutation of the vertices: one descriptor in a file of its own (order_NAME.c), one line in order.c.
 * The renamed graph is a graph like any other; its `places` map each vertex of the original to its new number. Users
 * never see it: what runs on it is brought back to the vertices they know.
 */
#ifndef HD_GRAPH_ORDER_H
#define HD_GRAPH_ORDER_H

#include "graph/graph.h"

/* Inputs of an order, to fill `sequence` from. */
typedef struct hd_order_sort {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_vertex *sequence; /* the vertices in their new order */
    uint64_t *counts;        /* vertices + 1 words to work with, not initialised */
} hd_order_sort;

typedef struct hd_order {
    heddle_order_info info;
    const char *in_reports; /* "order-degree" */
    /* 1 .. HD_ORDERS, another for each: its sections' number in .hdl files (io/hdl.h), which never changes. 0: none. */
    uint32_t number;
    /* Linear time, the same for any number of threads. */
    heddle_status (*sort)(hd_order_sort *s);
} hd_order;

/* In plans NULL stands for open: an order that the graph's file has may be taken; `none` for the graph as it is. */
/* Those that others name: */
extern const hd_order hd_order_none, hd_order_degree, hd_order_bfs, hd_order_out;

const hd_order *hd_order_at(size_t index); /* `none` first; NULL past the last */
/* The order of that name, of `length` bytes; of that number; NULL: there is none. */
const hd_order *hd_order_named(const char *name, size_t length);
const hd_order *hd_order_numbered(uint32_t number);

/* Makes the renamed graph, in linear time, the same for any number of threads. Parallel arcs keep their order. */
heddle_status hd_order_graph(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                             heddle_graph **renamed);

/* The same in steps: allocate a renamed graph without rows, with room for names and places; fill these in; build its
 * rows from renamed->original. After an error the graph is as before the step. */
heddle_status hd_order_hollow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **renamed);
heddle_status hd_order_names(heddle_context *ctx, const hd_order *order, heddle_graph *renamed);
heddle_status hd_order_rows(heddle_context *ctx, heddle_graph *renamed);
/* Continues a bfs order of which `end` vertices are in the sequence already, from the roots that have not been reached
 * (claim UINT32_MAX). */
heddle_status hd_order_go_on(heddle_context *ctx, const heddle_graph *graph, const heddle_vertex *roots, uint64_t count,
                             uint64_t end, uint32_t *claims, heddle_vertex *sequence);

/* The place of each vertex among all, those of most out-edges first, ties in the order of vertices. Linear, parallel,
 * the same for any number of threads. */
heddle_status hd_places_by_out_degree(heddle_context *ctx, const heddle_graph *graph, heddle_vertex *places);

static inline bool hd_renames(const hd_order *order) { return order && order->number; }

/* The renamed graph that the same file holds; NULL: it holds none. */
static inline const heddle_graph *hd_order_kept(const heddle_graph *graph, const hd_order *order) {
    return hd_renames(order) ? graph->renamed[order->number - 1] : NULL;
}

#endif
