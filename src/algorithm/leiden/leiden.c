/* leiden.c - the Leiden method: as Louvain, and every community is connected (communities/communities.h). */
#include "algorithm/communities/communities.h"
#include "check/check.h"

static heddle_status run_leiden(const hd_run *run) { return hd_communities_run(run, true); }
static heddle_status run_on_device(const hd_run *run) { return hd_communities_run_device(run, true); }
static heddle_status device_bytes(const hd_device_request *r, uint64_t *bytes) {
    return hd_communities_device_bytes(r, true, bytes);
}

#define OPTIONS(X, WITH_WORDS) \
    X(weighted) X(resolution) X(seed) WITH_WORDS(max_iterations, "stop after N levels of the hierarchy")

const hd_algorithm hd_algorithm_leiden = {
    HD_ALGORITHM_INFO("leiden", "communities of high modularity that are connected", OPTIONS),
    .column = "community",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_leiden},
                 {HD_ON_DEVICE, .doubles = true, .atomics64 = true, .bytes = device_bytes, .run = run_on_device}),
    .host_bytes = {.vertex = 66, .more = hd_leiden_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "vertices are visited in an order of their numbers",
    .cost = {400, 9},
    .check = hd_communities_check,
    .reference = hd_reference_leiden,
    .verify = hd_verify_leiden,
    .max_iterations = 100,
};
