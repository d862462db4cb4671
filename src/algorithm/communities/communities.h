/* communities.h - communities of high modularity, for louvain and leiden: on the CPU (communities.c) and on devices
 * (communities_device.c). Results are the same for any number of threads. */
#ifndef HD_ALGORITHM_COMMUNITIES_COMMUNITIES_H
#define HD_ALGORITHM_COMMUNITIES_COMMUNITIES_H

#include "algorithm/algorithm.h"

/* A graph of one level. An edge is in the rows of both its ends; loops are in `own`, from both ends. */
typedef struct hd_level {
    uint64_t n, room;
    uint64_t *offsets;
    uint32_t *targets;
    double *weights;
    double *own, *ends; /* per vertex: loops; all ends of edges */
} hd_level;

heddle_status hd_level_open(heddle_context *ctx, uint64_t n, hd_level *level); /* without room for edges */
heddle_status hd_level_room(heddle_context *ctx, uint64_t entries, hd_level *level);
void hd_level_close(heddle_context *ctx, hd_level *level); /* if zeroed or closed: does nothing */
/* The user's graph; `sum` becomes 2m, all ends of edges. */
heddle_status hd_level_first(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_level *level, double *sum);
/* Whether that is the graph's own rows, with weights of 1. */
heddle_status hd_level_is_plain(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                bool *plain);

/* Fills the result. `refine`: what is merged between levels are parts of communities that are connected inside, and
 * communities are connected in the end (Leiden). */
heddle_status hd_communities_run(const hd_run *run, bool refine);
heddle_status hd_communities_run_device(const hd_run *run, bool refine);
/* The remaining levels of a search that has come to `level`, which is closed here. `part`: the communities in which its
 * vertices begin, then those in which they end, below level->n. */
heddle_status hd_communities_rest(const hd_run *run, bool refine, hd_level *level, uint32_t *part, double sum,
                                  uint64_t *levels);
/* The figures of labels that are the smallest members; `sizes`: one per vertex, all 0. */
void hd_communities_figures(heddle_result *result, uint32_t *sizes, double modularity, uint64_t levels);
/* Gain of a move, in units of 2m: less is rounding, and would move vertices for ever. */
#define HD_LEAST_GAIN 1e-12
/* What products of ends are divided by: 2m / resolution. */
double hd_communities_all(double sum, double resolution);
heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
heddle_status hd_louvain_bytes(const hd_run *run, double *bytes);
heddle_status hd_leiden_bytes(const hd_run *run, double *bytes);
heddle_status hd_communities_device_bytes(const hd_device_request *r, bool refine, uint64_t *bytes);

#endif
