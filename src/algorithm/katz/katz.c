/* katz.c - Katz centrality (1953): all walks that end in a vertex, those of k edges counting alpha^k: the solution of
 * x = 1 + alpha * (the sum of x over in-edges). */
#include "algorithm/power/power.h"
#include "check/check.h"

static const hd_power_rule rule = {.norm = POWER_MOST, .walks = true, .add = 1};

HD_POWER_FUNCTIONS(rule)

#define OPTIONS(X, WITH_WORDS)                                                \
    X(weighted)                                                               \
    X(alpha)                                                                  \
    WITH_WORDS(normalized, "divide by the square root of the sum of squares") \
    WITH_WORDS(tolerance, "stop when a round changes the values by no more") X(max_iterations)

const hd_algorithm hd_algorithm_katz = {
    HD_ALGORITHM_INFO("katz", "Katz centrality: the walks that end in a vertex, longer ones counting less", OPTIONS),
    .column = "katz",
    HD_POWER_FIELDS,
    .cost = {30, 0.15},
    .check = hd_power_check,
    .reference = hd_reference_katz,
    .verify = hd_verify_katz,
};
