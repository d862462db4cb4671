/* edge_ranks.h - a graph whose weights are the ranks of its edges: which of two edges is taken does not depend on the
 * numbers of vertices any more. */
#ifndef HD_RUN_EDGE_RANKS_H
#define HD_RUN_EDGE_RANKS_H

#include "engine/derived.h"

typedef struct hd_edge_ranks {
    hd_derived head;
    heddle_graph *mirrored; /* of a directed graph: with every arc's reverse, the lighter of two; else NULL */
    heddle_graph *graph;    /* undirected, with ranks from 1 on */
    uint64_t *arcs; /* the edge of rank i + 1: its arc from the smaller end, in the mirrored graph or the graph */
    uint64_t count;
} hd_edge_ranks;

/* Edges ranked by weight, then smaller end, then larger end, as mst takes them. From the cache, or built now. Weights
 * have at most 32 bits. HEDDLE_E_LIMIT from 2^32 - 2 edges on. */
heddle_status hd_edge_ranks_of(heddle_context *ctx, const heddle_graph *graph, bool *fresh,
                               const hd_edge_ranks **ranks);

#endif
