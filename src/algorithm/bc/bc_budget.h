/* bc_budget.h - betweenness within an error budget: from how many sampled sources, and what that proves.
 *
 * Scale. The error of a vertex v is that of its normalised centrality, b(v) = sum over s of delta_s(v) / ((n-1)(n-2)).
 *
 * Sampling. Sources are drawn independently and evenly from the A vertices that have out-edges; the dependencies of
 * others are 0. X_i(v) = A * delta_s(v) / ((n-1)(n-2)) for the i-th source has mean b(v), and lies in 0 .. R with
 * R = A * (C - 2) / ((n-1)(n-2)), C the size of the largest weak component: no search reaches more.
 *
 * Bound. For c and x in 0 .. 1, 0 < l < 1 and psi(l) = -log(1 - l) - l, exp(l * (x - c) - psi(l) * (x - c)^2) is at
 * most 1 + l * (x - c) (Fan, Grama, Liu 2015). So, with X in units of R and mean m, the products of
 * exp(l * (X_i - m) - psi(l) * (X_i - c)^2) form a supermartingale, and by Ville's inequality with probability 1 - p,
 * for all numbers k of sources at once,
 *     mean of X_1 .. X_k - m  <  (log(1/p) + psi(l) * Q) / (k * l),   Q = sum of (X_i - c)^2;
 * the same from below, with 1 - X. Unlike Hoeffding's bound it knows the variance, and unlike those with an empirical
 * variance it costs nothing to look at any k and stop.
 *
 * Plan. A pilot, whose sources the result does not use, gives c(v), its mean, and a variance V(v), from which l = e /
 * (e + V), with e the budget in units of R: this needs the fewest sources for e. A pilot may have missed the few
 * sources that cross a vertex, so each vertex also has the l of a larger variance: either of the two bounds may be the
 * smaller one, and they share the risk of the vertex.
 *
 * Sides. A value that is not above e is not too large by more than e, whatever it stands for; and it is too small by
 * more than e only where the centrality is above e. There are few such vertices: all centralities add up to the mean
 * number of vertices between two, which on an undirected graph a pilot's distances bound (count_heavy). Which they
 * are is unknown, but the risk that a value is too small may be shared out over as many of them as there can be,
 * instead of over all vertices, with which the number of sources would grow.
 *
 * Risk. It is shared out before the sources that count are drawn. For values that are too small, some goes to every
 * vertex as if it was one of those, some to all in proportion to their degrees, because the vertices that pilots miss
 * are rarely those of few edges; for values that are too large, most goes in proportion to what the pilot found. And
 * some goes, on both sides, where the pilot says that it saves most: if all vertices are to be done after K sources, v
 * needs the risk exp(-K * g(v)), g = l * e - psi(l) * V, unless it has that already, and K is the number for which the
 * sum of these is what there is to share out.
 *
 * Should a variance turn out to be much larger, everything so far becomes the next pilot: the first plan has 9/10 of
 * the risk, each later one 9/10 of the rest. If as many sources as there are would be needed, the run is exact instead.
 */
#ifndef HD_ALGORITHM_BC_BC_BUDGET_H
#define HD_ALGORITHM_BC_BC_BUDGET_H

#include "engine/bc_sources.h"
#include "engine/run.h"

#include <math.h>

/* The cost of a squared deviation at the rate l. */
static inline double hd_bc_psi(double l) { return -log1p(-l) - l; }

/* The steps of an engine on sources, in their order. */
typedef struct hd_bc_engine {
    void *self;
    heddle_status (*clear)(void *self); /* sums and squares become 0 */
    /* Adds the dependencies of the sources, and their squares, by vertex. */
    heddle_status (*add)(void *self, const hd_sources *sources);
    heddle_status (*fetch)(void *self, double *sums, double *squares); /* a number per vertex each */
    uint64_t worth; /* what `add` adds to the phase's progress for a source */
} hd_bc_engine;

/* Runs the engine until the budget is kept. `used` gets the number of sources whose sums the engine holds at the
 * end, and their scale; or 0: sampling would be no less work than all sources, and the run shall be exact. Fills in the
 * report. */
heddle_status hd_bc_budget_keep(const hd_run *run, const hd_bc_engine *engine, hd_sources *used);

/* Of hd_budget_way. */
heddle_status hd_bc_budget_prepare(hd_run *run);
bool hd_bc_budget_exact(const heddle_graph *graph, heddle_run_options *options);
double hd_bc_budget_error(const heddle_graph *graph, const heddle_run_options *options, double sum, double most);

#endif
