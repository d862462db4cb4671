/* rank_options.h - PageRank's options, checked once for the run, the reference and the validator. */
#ifndef HD_ENGINE_RANK_OPTIONS_H
#define HD_ENGINE_RANK_OPTIONS_H

#include "graph/graph.h"

/* The options, resolved for a graph. */
typedef struct hd_rank_terms {
    heddle_weight_type weights; /* NONE: all edges count 1 */
    const double *personal;     /* the weights of the vertices, or NULL: all 1 */
    double personal_scale;      /* 1 / their sum: personal[v] * personal_scale is v's share of the distributed rank */
} hd_rank_terms;

/* HEDDLE_E_WEIGHT, naming the edge, for a weight below 0 or not finite; HEDDLE_E_ARGUMENT, naming the vertex, for such
 * a personalisation. */
heddle_status hd_rank_terms_of(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               hd_rank_terms *terms);

#endif
