/* distances.h - closeness, harmonic and eccentricity: what the distances between a vertex and all others, or some
 * sources, add up to. Many breadth-first searches at once (bfs/bfs_each.h), on the CPU and on devices. */
#ifndef HD_ALGORITHM_DISTANCES_DISTANCES_H
#define HD_ALGORITHM_DISTANCES_DISTANCES_H

#include "algorithm/algorithm.h"
#include "algorithm/bfs/bfs_each.h"

typedef struct hd_distances {
    const hd_run *run;
    hd_sources sources;
    bool all;      /* every vertex is a source */
    bool sampled;  /* sources were drawn */
    uint32_t *own; /* how many of the sources each vertex is; NULL: one each */
    hd_distance_sums sums;
} hd_distances;

/* The sum of a measure, beside the number of sources that reach a vertex. */
enum { HD_DISTANCES_SUM = 1, HD_DISTANCES_FAR = 2, HD_DISTANCES_NEAR = 4 };

typedef struct hd_distance_measure {
    int sums;
    bool backward; /* distances to the sources, unless the options say `reversed` */
    heddle_value_type type;
    void (*finish)(hd_distances *d); /* values, figures and an error bound, from the sums */
} hd_distance_measure;

/* Runs a measure, wherever the run says. */
heddle_status hd_distances_run(const hd_run *run, const hd_distance_measure *measure);
/* For descriptors. */
heddle_status hd_distances_host_bytes(const hd_run *run, const hd_distance_measure *measure, double *bytes);
heddle_status hd_distances_device_bytes(const hd_device_request *r, uint64_t *bytes);
heddle_status hd_distances_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
uint64_t hd_distances_searches(const heddle_graph *graph, const heddle_run_options *options);
bool hd_distances_exact(const heddle_graph *graph, heddle_run_options *options);

/* The fields of their descriptors that are the same for all: `go` runs on the CPU and on devices. */
#define HD_DISTANCES_FIELDS(go)                                                                                      \
    HD_EXECUTORS({HD_ON_CPU, .run = (go)}, {HD_ON_DEVICE, .bytes = hd_distances_device_bytes, .run = (go)}),         \
        .in_edges = HD_IN_MADE, .searches = hd_distances_searches, .results = HD_RESULTS_VALUES, .cost = {18, 0.23}, \
        .check = hd_distances_check, .counts_edges = true

/* Adds up on a device. */
heddle_status hd_distances_on_device(const hd_run *run, bool backward, const hd_sources *sources,
                                     const hd_distance_sums *sums);

/* Sources other than v. */
static inline uint64_t hd_distances_others(const hd_distances *d, uint64_t v) {
    return d->sources.count - (d->own ? d->own[v] : 1);
}
/* Whether every source reaches every vertex. */
bool hd_distances_complete(const hd_distances *d);
/* By what part of its range the mean over `samples` vertices, drawn without replacement, differs from the mean over all
 * others at most, at all of `vertices` vertices together with this probability (0: 0.9); above 1: no bound.
 * Hoeffding (1963) and Serfling (1974), and the union of all vertices. */
double hd_distances_sampling(uint64_t vertices, uint64_t samples, double confidence);
/* The run's confidence. */
double hd_distances_confidence(const heddle_run_options *options);
/* Says in the report that values are approximate, with this bound; negative: there is none. */
void hd_distances_bound(const hd_distances *d, double bound);
/* A bound of all distances in a graph that is undirected and connected; 0: it is not, or not known. */
uint32_t hd_distances_most(const hd_distances *d);

#endif
