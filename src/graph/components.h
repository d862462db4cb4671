/* components.h - weakly connected components: connected when the direction of the arcs is ignored. */
#ifndef HD_GRAPH_COMPONENTS_H
#define HD_GRAPH_COMPONENTS_H

#include "base/context.h"

typedef struct hd_components {
    uint64_t count;
    uint64_t largest;    /* vertices in the largest one */
    heddle_vertex first; /* its smallest vertex; of several largest ones, the one with the smallest */
    uint64_t walked;     /* arcs looked at, about */
    heddle_vertex
        giant; /* the smallest vertex of the one whose arcs were not all looked at, if `in`, or `skip`, was given */
} hd_components;

/* Labels every vertex with the smallest vertex of its component. `in` holds the in-edges, which for an undirected graph
 * are the out-edges; NULL if they were not built: then every out-edge is visited, which costs less than building them.
 * Near-linear time; no working memory, except 4 bytes per vertex if no component holds half of the vertices. Reports no
 * progress of its own: works inside the caller's phase. */
heddle_status hd_weak_labels(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                             const heddle_adjacency *in, heddle_vertex *label, hd_components *components);

/* The same for some rows of a graph, whose ends may be vertices without a row here. `skip`: arcs of the giant need not
 * all be looked at. */
heddle_status hd_weak_labels_slice(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *rows, bool skip,
                                   heddle_vertex *label, hd_components *components);

/* The same without the labels. */
heddle_status hd_weak_components(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                 const heddle_adjacency *in, hd_components *components);

#endif
