/* walks.h - shared by random walks on the CPU and on devices. */
#ifndef HD_ALGORITHM_WALKS_WALKS_H
#define HD_ALGORITHM_WALKS_WALKS_H

#include "algorithm/algorithm.h"
#include "engine/walk_rules.h"

/* Options, and weights that are negative or too large. */
heddle_status hd_walks_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);

/* Rows, and the walks to make. */
typedef struct hd_walks {
    heddle_context *ctx;
    const hd_run *run;
    heddle_adjacency out;
    uint64_t *sums; /* NULL: weights do not count */
    uint64_t edges;
    hd_walk_plan plan;
} hd_walks;

heddle_status hd_walks_open(const hd_run *run, hd_walks *w);
void hd_walks_close(hd_walks *w);
/* The result's values: a column for each step. */
heddle_status hd_walks_values(const hd_walks *w);
void hd_walks_figures(const hd_run *run);

heddle_status hd_device_walks(const hd_run *run);
heddle_status hd_walks_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
