/* communities.h - communities of high modularity, for louvain and leiden: levels, refining and merging (communities.c),
 * by one thread, the same for any number of threads. On devices vertices move in communities_device.c. */
#ifndef HD_ALGORITHM_SHARED_COMMUNITIES_H
#define HD_ALGORITHM_SHARED_COMMUNITIES_H

#include "algorithm/algorithm.h"

/* A graph of one level. An edge is in the rows of both its ends; loops are in `own`, from both ends. */
typedef struct hd_level {
    uint64_t n, room;
    uint64_t *offsets;
    uint32_t *targets;
    double *weights;
    double *own, *ends; /* per vertex: loops; all ends of edges */
    bool even;          /* all weights are 1 */
} hd_level;

/* What moving vertices needs to know of a search. */
typedef struct hd_moving {
    const hd_level *graph;
    uint64_t seed, level;
    double sum; /* 2m: all ends of edges */
    double all; /* that, divided by the resolution */
} hd_moving;

/* Moves vertices of a level to communities in which they gain: changes `part`, each a number below graph->n. `moved`:
 * how many moves there were; HD_NOT_MOVED: it has no room for this level. */
#define HD_NOT_MOVED UINT64_MAX
typedef struct hd_mover {
    heddle_status (*move)(void *self, const hd_moving *m, uint32_t *part, uint64_t *moved);
    void *self;
} hd_mover;

/* Fills the result. `refine`: what is merged between levels are parts of communities that are connected inside, and
 * communities are connected in the end (Leiden). `mover`: for large levels; NULL: one thread moves vertices. */
heddle_status hd_communities_run(const hd_run *run, bool refine, const hd_mover *mover);
heddle_status hd_communities_run_device(const hd_run *run, bool refine);
heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
heddle_status hd_communities_bytes(const hd_run *run, double *bytes);
heddle_status hd_communities_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
