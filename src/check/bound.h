/* bound.h - from a residual to the error: how far values that miss their equation by a little are from its solution.
 *
 * Let x* = f(x*), and let f(x) depend on its arguments by no more than P in absolute value, P(v, u) = scale(v) times
 * the sum of |weight| over the edges from u to v. If |x - f(x)| <= r everywhere, then e = |x - x*| <= P e + r, and if
 * the powers of P vanish, e <= (1 + P + P^2 + ...) r. The sum S of all powers, applied to 1, is bounded by its
 * beginning: if P^k 1 <= t 1 with t < 1, then S 1 <= (1 + P + ... + P^(k-1)) 1 + t S 1, so S 1 is at most the largest
 * entry of the beginning divided by 1 - t. That is a proof, whatever k is; and it needs out-edges alone.
 */
#ifndef HD_CHECK_BOUND_H
#define HD_CHECK_BOUND_H

#include "graph/graph.h"

typedef struct hd_bound_rule {
    heddle_adjacency out;
    heddle_weight_type weights; /* NONE: every edge counts 1 */
    const double *scale;        /* per vertex, 0 or more; 0 where the value is given, and has no error; NULL: `all` */
    double all;
} hd_bound_rule;

/* A bound of the largest entry of S 1; HUGE_VAL: none was found within a budget of edges, or there is none. */
heddle_status hd_bound_factor(heddle_context *ctx, const heddle_graph *graph, const hd_bound_rule *rule,
                              double *factor);

/* Whether a bound is meaningful for values of which the largest is `most`: at least two of its digits. */
bool hd_bound_useful(double bound, double most);

/* The relative error that a bound proves of values of at least `least`; negative: none below 1. */
double hd_bound_relative(double bound, double least);

/* How many rounds more it would take, at the pace that `change` shrinks in further ones: round(state) makes one and
 * returns its change. HUGE_VAL: the changes do not shrink. */
double hd_rounds_left(double (*round)(void *state), void *state, double tolerance);

/* Of a run that has not converged, after its certificate held: HEDDLE_E_VERIFY, with the rounds that are missing. */
heddle_status hd_not_converged(heddle_context *ctx, uint64_t rounds, double residual, double tolerance, double left);

#endif
