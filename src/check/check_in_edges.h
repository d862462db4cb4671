/* check_in_edges.h - the in-edges of a graph, for references and validators, made from its out-edges by a sequential
 * counting sort: certificates rely on what the user gave, never on in-edges that a run has made. */
#ifndef HD_CHECK_CHECK_IN_EDGES_H
#define HD_CHECK_CHECK_IN_EDGES_H

#include "graph/graph.h"

typedef struct hd_check_in_edges {
    heddle_adjacency rows; /* without weights; ascending */
    uint64_t *offsets;     /* NULL: the graph is undirected, and its rows serve as they are */
    heddle_vertex *sources;
    uint64_t *arcs; /* with `arcs`: the out-edge of each in-edge, where its weight is; NULL: the same place */
} hd_check_in_edges;

heddle_status hd_check_in_edges_open(heddle_context *ctx, const heddle_graph *graph, bool arcs,
                                     hd_check_in_edges *in_edges);
void hd_check_in_edges_close(heddle_context *ctx, const heddle_graph *graph, hd_check_in_edges *in_edges);

#endif
