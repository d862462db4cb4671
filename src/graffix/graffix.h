/* graffix.h - changed graphs on which programs run faster and give approximate values (Singh, Nasre: Graffix, ICPP
 * 2020). One file per technique (NAME.c) with a descriptor, one line in graffix.c.
 *
 * What they have in common: edges from a vertex to a neighbour's neighbour, whose weight is the sum of the two edges'.
 * Such an edge changes no distance, no component, and, being the heaviest on a cycle, no minimum spanning forest; it
 * does change what counts edges or paths, as ranks and betweenness do.
 */
#ifndef HD_GRAFFIX_GRAFFIX_H
#define HD_GRAFFIX_GRAFFIX_H

#include "graph/order.h"

typedef struct hd_graffix_options {
    const struct hd_graffix *kind;
    double threshold; /* of the technique; larger: more edges */
    double fill;      /* divergence: the share of a warp's largest degree that others are lifted to */
    uint32_t warp;    /* vertices whose edges are walked in lockstep */
    bool weigh_unit;  /* a graph without weights gets some: 1, and 2 for new edges */
} hd_graffix_options;

typedef struct hd_graffix_result {
    heddle_graph *graph; /* with the same vertices; NULL: no edge was added */
    uint64_t added_edges;
    uint64_t lifted; /* vertices that got edges */
} hd_graffix_result;

typedef struct hd_graffix {
    const char *name;        /* the value of the plan key */
    const char *description; /* one line */
    const char *in_reports;  /* "graffix-divergence" */
    const hd_order *order;   /* that it is meant for: taken where the plan leaves the order open */
    double threshold;        /* by default */
    /* Fills `extra` with the number of edges that each vertex is to get. */
    heddle_status (*plan)(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                          const hd_graffix_options *options, uint32_t *extra);
} hd_graffix;

#define HD_GRAFFIX_DEFAULT_FILL 0.85

extern const hd_graffix hd_graffix_divergence;

const hd_graffix *hd_graffix_at(size_t index); /* NULL past the last */

/* Makes the changed graph: near-linear time, the same for any number of threads. A looser threshold gives a superset of
 * the edges. */
heddle_status hd_graffix_graph(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_graffix_result *result);

#endif
