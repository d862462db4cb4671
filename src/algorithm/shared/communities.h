/* communities.h - communities of high modularity, for louvain and leiden. Sequential: the same for any number of
 * threads. */
#ifndef HD_ALGORITHM_SHARED_COMMUNITIES_H
#define HD_ALGORITHM_SHARED_COMMUNITIES_H

#include "algorithm/algorithm.h"

/* Fills the result. `refine`: what is merged between levels are parts of communities that are connected inside, and
 * communities are connected in the end (Leiden). */
heddle_status hd_communities_run(const hd_run *run, bool refine);
heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
heddle_status hd_communities_bytes(const hd_run *run, double *bytes);

#endif
