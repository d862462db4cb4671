/* eigenvector.c - eigenvector centrality (Bonacich, 1972): a vertex is as central as the sum of those whose edges enter
 * it says, up to a factor: the eigenvector of the largest eigenvalue.
 * Idea: power iteration with A + 1 in the place of A, which has the same eigenvectors and converges on bipartite graphs
 * too. */
#include "algorithm/power/power.h"
#include "check/check.h"

static const hd_power_rule rule = {.norm = POWER_LENGTH, .scaled = true, .own = 1};

HD_POWER_FUNCTIONS(rule)

#define OPTIONS(X, WITH_WORDS) \
    X(weighted) WITH_WORDS(tolerance, "stop when a round changes the values by no more") X(max_iterations)

const hd_algorithm hd_algorithm_eigenvector = {
    HD_ALGORITHM_INFO("eigenvector", "eigenvector centrality: the sum of the centralities of those whose edges enter",
                      OPTIONS),
    .column = "eigenvector",
    HD_POWER_FIELDS,
    .cost = {32, 0.13},
    .check = hd_power_check,
    .reference = hd_reference_eigenvector,
    .verify = hd_verify_eigenvector,
};
