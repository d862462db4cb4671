/* in_edges.h - whether a graph's in-edges are available without building them. */
#ifndef HD_ENGINE_IN_EDGES_H
#define HD_ENGINE_IN_EDGES_H

#include "graph/graph.h"

/* True for undirected graphs, and for directed ones whose in-edges were in the file or built before. Another thread
 * may be building them at this moment, hence the lock. */
static inline bool hd_in_edges_ready(const heddle_graph *graph) {
    heddle_graph *g = (heddle_graph *)(uintptr_t)graph;
    pthread_mutex_lock(&g->lock);
    bool ready = !g->directed || g->in.offsets;
    pthread_mutex_unlock(&g->lock);
    return ready;
}

#endif
