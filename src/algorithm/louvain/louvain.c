/* louvain.c - the Louvain method (communities/communities.h). */
#include "algorithm/communities/communities.h"
#include "check/check.h"

static heddle_status run_louvain(const hd_run *run) { return hd_communities_run(run, false); }
static heddle_status run_on_device(const hd_run *run) { return hd_communities_run_device(run, false); }
static heddle_status device_bytes(const hd_device_request *r, uint64_t *bytes) {
    return hd_communities_device_bytes(r, false, bytes);
}

#define OPTIONS(X, WITH_WORDS) \
    X(weighted) X(resolution) X(seed) WITH_WORDS(max_iterations, "stop after N levels of the hierarchy")

const hd_algorithm hd_algorithm_louvain = {
    HD_ALGORITHM_INFO("louvain", "communities of high modularity, by moving vertices and merging", OPTIONS),
    .column = "community",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_louvain},
                 {HD_ON_DEVICE, .doubles = true, .atomics64 = true, .bytes = device_bytes, .run = run_on_device}),
    .host_bytes = {.vertex = 62, .more = hd_louvain_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "vertices are visited in an order of their numbers",
    .cost = {190, 5},
    .check = hd_communities_check,
    .reference = hd_reference_louvain,
    .verify = hd_verify_louvain,
    .max_iterations = 100,
};
