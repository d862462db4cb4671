/* blocks.h - a depth-first forest of the simple undirected graph underneath, with low points: bridges, articulation
 * points and biconnected components ("blocks") are read off it. */
#ifndef HD_ALGORITHM_BLOCKS_BLOCKS_H
#define HD_ALGORITHM_BLOCKS_BLOCKS_H

#include "engine/run.h"
#include "graph/simple.h"

typedef struct hd_blocks {
    hd_simple simple;
    heddle_vertex *order;  /* the vertices in the order of their first visit: parents before children */
    uint32_t *place;       /* of each vertex in `order` */
    heddle_vertex *parent; /* of a root: itself */
    uint32_t
        *low; /* the least place that the vertex, or one below it, is at or has an edge to, tree edges upwards aside */
} hd_blocks;

/* Linear time, on one thread: depth-first order is inherently sequential. Close it in any case. */
heddle_status hd_blocks_open(heddle_context *ctx, const heddle_graph *graph, hd_blocks *blocks);
void hd_blocks_close(heddle_context *ctx, hd_blocks *blocks);
/* Bytes that it takes at most, `label` and one array of 32 bits per vertex included. */
heddle_status hd_blocks_bytes(const hd_run *run, double *bytes);

static inline bool hd_blocks_root(const hd_blocks *b, heddle_vertex v) { return b->parent[v] == v; }
/* Of a vertex that is no root: whether the edge to its parent is in another block than the edge above that, or the
 * parent is a root. */
static inline bool hd_blocks_first(const hd_blocks *b, heddle_vertex v) { return b->low[v] >= b->place[b->parent[v]]; }
/* Of a vertex that is no root: whether the edge to its parent is a bridge. */
static inline bool hd_blocks_bridge(const hd_blocks *b, heddle_vertex v) { return b->low[v] == b->place[v]; }
/* The lower end of an edge: it is in the block of the edge from there to its parent. */
static inline heddle_vertex hd_blocks_lower(const hd_blocks *b, heddle_vertex u, heddle_vertex v) {
    return b->place[u] > b->place[v] ? u : v;
}
/* Of every vertex that is no root: the vertex that the block of the edge to its parent is named after, for which
 * hd_blocks_first holds. Of a root: itself. */
void hd_blocks_label(const hd_blocks *b, heddle_vertex *label);

#endif
