/* hits.c - HITS (Kleinberg, 1999): an authority is pointed to by good hubs, a hub points to good authorities. The
 * authorities are the eigenvector of the largest eigenvalue of A^T A, the hubs that of A A^T; each sum up to 1. */
#include "algorithm/shared/power.h"
#include "check/check.h"

static double one_round(hd_power *p) {
    const heddle_adjacency *first = p->options->hubs ? &p->in : &p->out, *then = p->options->hubs ? &p->out : &p->in;
    hd_power_pull(p, first, p->x, 0, 0, 1, p->z);
    double half = hd_power_sum_of(p, HD_POWER_ABSOLUTE, p->z, NULL);
    if (half > 0) /* against sums that grow beyond all numbers where weights are large */
        hd_power_scale(p, p->z, 1 / half);
    hd_power_pull(p, then, p->z, 0, 0, 1, p->y);
    double sum = hd_power_sum_of(p, HD_POWER_ABSOLUTE, p->y, NULL);
    if (sum > 0)
        hd_power_scale(p, p->y, 1 / sum);
    else /* no edges: nobody is better than others */
        hd_power_pull(p, first, p->x, 0, 1, 0, p->y);
    return hd_power_sum_of(p, HD_POWER_APART, p->x, p->y);
}

static void add_figures(hd_power *p, heddle_result *result) {
    hd_result_figure(result, "max", hd_power_most(p, p->x, NULL));
}

static const hd_power_rule rule = {.first = 1, .round = one_round, .close = add_figures};

static heddle_status run_hits(const hd_run *run) { return hd_power_run(run, &rule); }

const hd_algorithm hd_algorithm_hits = {
    .info = {"hits", "HITS: authorities, which good hubs point to, or hubs", "weighted hubs tolerance max_iterations"},
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_ALWAYS,
    .run = run_hits,
    .host_bytes = {.vertex = 24},
    .results = HD_RESULTS_VALUES,
    .cost = {120, 0},
    .check = hd_power_check,
    .reference = hd_reference_hits,
    .verify = hd_verify_hits,
    .tolerance = 1e-6,
    .max_iterations = 1000,
};
