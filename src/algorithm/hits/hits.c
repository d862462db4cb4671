/* hits.c - HITS (Kleinberg, 1999): an authority is pointed to by good hubs, a hub points to good authorities. The
 * authorities are the eigenvector of the largest eigenvalue of A^T A, the hubs that of A A^T; each sum up to 1. */
#include "algorithm/power/power.h"
#include "check/check.h"

static const hd_power_rule rule = {.norm = POWER_SUM, .scaled = true, .two_steps = true};

HD_POWER_FUNCTIONS(rule)

#define OPTIONS(X, WITH_WORDS) \
    X(weighted) X(hubs) WITH_WORDS(tolerance, "stop when a round changes the values by no more") X(max_iterations)

const hd_algorithm hd_algorithm_hits = {
    HD_ALGORITHM_INFO("hits", "HITS: authorities, which good hubs point to, or hubs", OPTIONS),
    .column = "hits",
    HD_POWER_FIELDS,
    .cost = {32, 0.13},
    .check = hd_power_check,
    .reference = hd_reference_hits,
    .verify = hd_verify_hits,
};
