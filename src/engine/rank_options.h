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

/* Below this tolerance, rounding to single would prevent convergence: ranks are computed in double. */
#define HD_RANK_SINGLE_TOLERANCE 0x1p-21

/* The error budget. Let F be a round of the definition, x the ranks after a round, r their L1 change in it. F shrinks
 * L1 distances by the damping d, so |x - F(x)| <= d * r + rounding, and the true ranks, F's fixed point, are no
 * further than (d * r + rounding) / (1 - d) away. That holds for any vector before the round, extrapolated or not,
 * and for rounds of several waves with the change that hd_ranking_round computes for them; only a round that itself
 * extrapolates gives no bound, and no run ends with one. */

/* The tolerance whose last round proves an L1 error of at most options->max_error. HEDDLE_E_ARGUMENT, with the smallest
 * budget that works, if rounding alone exceeds it. */
heddle_status hd_rank_tolerance(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                double *tolerance);
/* The bound that a last change of `residual` proves; options as they were run. */
double hd_rank_bound(const heddle_graph *graph, const heddle_run_options *options, double residual);

#endif
