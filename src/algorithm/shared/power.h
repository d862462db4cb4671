/* power.h - what eigenvector, katz and hits share: rounds in which every vertex sums up the values of its neighbours,
 * until the values hardly change. On the CPU, in double precision.
 *
 * A run returns the last values of which the change in a round is known, not those after it: so the certificate, which
 * makes that round again, finds the residual that the report has. */
#ifndef HD_ALGORITHM_SHARED_POWER_H
#define HD_ALGORITHM_SHARED_POWER_H

#include "algorithm/algorithm.h"

typedef struct hd_power {
    heddle_context *ctx;
    const heddle_run_options *options;
    uint64_t vertices;
    heddle_adjacency out, in;
    heddle_weight_type weights; /* NONE: every edge counts 1 */
    double *x, *y, *z;          /* values, those of the next round, and room for a step in between */
    double *partial;            /* sums of strips of vertices */
    double alpha;               /* katz */
} hd_power;

typedef struct hd_power_rule {
    double first; /* of every value: 1 of so many, or this itself if `same` */
    bool same;
    heddle_status (*open)(hd_power *p);                /* more preparation; NULL: none */
    double (*round)(hd_power *p);                      /* y from x; how far apart the two are */
    heddle_status (*check)(const hd_power *p);         /* of the values after it; NULL: all are fine */
    void (*close)(hd_power *p, heddle_result *result); /* scales the values, adds figures; NULL: nothing */
} hd_power_rule;

heddle_status hd_power_run(const hd_run *run, const hd_power_rule *rule);
heddle_status hd_power_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);

/* to[v] = add + own * from[v] + times * the sum of `from` over the row of v, by the weights. */
void hd_power_pull(const hd_power *p, const heddle_adjacency *rows, const double *from, double add, double own,
                   double times, double *to);
/* Sums over all vertices, the same for any number of threads: of |x|, of x^2, of |x - y|, of (x - y)^2. */
typedef enum hd_power_sum { HD_POWER_ABSOLUTE, HD_POWER_SQUARE, HD_POWER_APART, HD_POWER_APART_SQUARE } hd_power_sum;
double hd_power_sum_of(const hd_power *p, hd_power_sum what, const double *x, const double *y);
double hd_power_most(const hd_power *p, const double *x, const double *y); /* the largest |x - y|; y NULL: |x| */
void hd_power_scale(const hd_power *p, double *x, double times);

#endif
