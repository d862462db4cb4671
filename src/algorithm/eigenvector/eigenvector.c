/* eigenvector.c - eigenvector centrality (Bonacich, 1972): a vertex is as central as the sum of those whose edges enter
 * it says, up to a factor: the eigenvector of the largest eigenvalue.
 * Idea: power iteration with A + 1 in the place of A, which has the same eigenvectors and converges on bipartite graphs
 * too. */
#include "algorithm/shared/power.h"
#include "check/check.h"

#include <math.h>

static heddle_status open_values(hd_power *p) {
    hd_power_scale(p, p->x, p->vertices ? 1 / sqrt((double)p->vertices) : 1); /* they are all 1 */
    return HEDDLE_OK;
}

static double one_round(hd_power *p) {
    hd_power_pull(p, &p->in, p->x, 0, 1, 1, p->y);
    hd_power_scale(p, p->y, 1 / sqrt(hd_power_sum_of(p, HD_POWER_SQUARE, p->y, NULL)));
    return sqrt(hd_power_sum_of(p, HD_POWER_APART_SQUARE, p->x, p->y));
}

/* The growth of a round, without the 1 that was added. */
static void add_figures(hd_power *p, heddle_result *result) {
    double grown = 0;
    if (p->vertices) {
        hd_power_pull(p, &p->in, p->x, 0, 1, 1, p->z);
        grown = sqrt(hd_power_sum_of(p, HD_POWER_SQUARE, p->z, NULL)) - 1;
    }
    hd_result_figure(result, "eigenvalue", grown);
    hd_result_figure(result, "max", hd_power_most(p, p->x, NULL));
}

static const hd_power_rule rule = {
    .first = 1, .same = true, .open = open_values, .round = one_round, .close = add_figures};

static heddle_status run_eigenvector(const hd_run *run) { return hd_power_run(run, &rule); }

const hd_algorithm hd_algorithm_eigenvector = {
    .info = {"eigenvector", "eigenvector centrality: the sum of the centralities of those whose edges enter",
             "weighted tolerance max_iterations"},
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_ALWAYS,
    .run = run_eigenvector,
    .host_bytes = {.vertex = 24},
    .results = HD_RESULTS_VALUES,
    .cost = {60, 0},
    .check = hd_power_check,
    .reference = hd_reference_eigenvector,
    .verify = hd_verify_eigenvector,
    .tolerance = 1e-6,
    .max_iterations = 1000,
};
