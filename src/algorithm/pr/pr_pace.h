/* pr_pace.h - how far PageRank's rounds go beyond what they compute (Chebyshev semi-iteration; Golub and Varga 1961).
 *
 * On an undirected graph a round's matrix has real eigenvalues, between -d and d. Then x'' = F(x') + o * (F(x') - x),
 * with o chosen from the largest of them that matters, is as fast as Gauss-Seidel over-relaxed at its best, while the
 * rounds stay strict. The largest one is not known: the changes of two rounds give an estimate from below, which is
 * safe, and later rounds raise it. Directed graphs have complex eigenvalues and keep plain rounds.
 */
#ifndef HD_ALGORITHM_PR_PR_PACE_H
#define HD_ALGORITHM_PR_PR_PACE_H

#include <stdbool.h>

typedef struct hd_pace {
    double damping, tolerance;
    double radius; /* the estimate; 0: none yet */
    bool known;    /* it was there from the start */
    double weight; /* 1 + onward of the last round */
    double change; /* of the last round; 0: there was none */
    double ratio;  /* to the change before, or what is expected of it; 0: not known */
} hd_pace;

/* radius: for a graph that looks like a random one, what it would be there; else 0. */
hd_pace hd_pace_start(double damping, double tolerance, double radius);
/* For the next round: how far to go on; 0, a plain round, when it looks like being the last one. */
double hd_pace_onward(const hd_pace *pace);
/* Takes note of a round. */
void hd_pace_note(hd_pace *pace, double onward, double change);

#endif
