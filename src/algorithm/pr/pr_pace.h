/* pr_pace.h - how far PageRank's rounds extrapolate (Chebyshev semi-iteration; Golub and Varga 1961).
 *
 * On an undirected graph a round's matrix has real eigenvalues, between -d and d. Then x'' = F(x') + o * (F(x') - x),
 * with o chosen from the largest relevant eigenvalue, converges as fast as optimally over-relaxed Gauss-Seidel, with
 * strict rounds. The largest eigenvalue is unknown: the changes of two rounds give a lower estimate, which is safe, and
 * later rounds raise it. Directed graphs have complex eigenvalues and keep plain rounds.
 */
#ifndef HD_ALGORITHM_PR_PR_PACE_H
#define HD_ALGORITHM_PR_PR_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_pace {
    double damping, tolerance;
    double radius; /* the estimate; 0: none yet */
    bool known;    /* it was given at the start */
    double weight; /* 1 + onward of the last round */
    double change; /* of the last round; 0: there was none */
    double ratio;  /* to the change before, measured or expected; 0: not known */
} hd_pace;

/* radius: the value for a random graph if the graph looks like one; else 0. */
hd_pace hd_pace_start(double damping, double tolerance, double radius);
/* The extrapolation factor of the next round; 0, a plain round, if it is expected to be the last one. */
double hd_pace_onward(const hd_pace *pace);
/* Records a round. */
void hd_pace_note(hd_pace *pace, double onward, double change);
/* Whether `left` more rounds will hardly be enough. */
bool hd_pace_hopeless(double change, uint64_t left, double tolerance);

#endif
