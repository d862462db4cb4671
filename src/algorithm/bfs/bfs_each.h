/* bfs_each.h - a separate breadth-first search from each source. */
#ifndef HD_ALGORITHM_BFS_BFS_EACH_H
#define HD_ALGORITHM_BFS_BFS_EACH_H

#include "algorithm/executor.h"
#include "engine/bc_sources.h"

/* Fills the result: a column of levels for each source, figures, report. */
heddle_status hd_bfs_each(const hd_run *run);
heddle_status hd_bfs_each_on_device(const hd_run *run);
/* Bytes of such a run on a device, rows included. */
heddle_status hd_bfs_each_device_bytes(const hd_device_request *r, uint64_t *bytes);
/* Figures of the columns. */
void hd_bfs_each_figures(heddle_context *ctx, heddle_result *result);

/* Sums over searches from many sources, at each vertex. The arrays are the caller's and begin as zeros; those that
 * are NULL are not filled. A search does not count at its own source. */
typedef struct hd_distance_sums {
    uint32_t *reached; /* how many searches reach the vertex */
    uint64_t *sum;     /* of their distances */
    uint32_t *far;     /* the largest of these */
    hd_whole *near;    /* the sum of HD_NEAR / distance, each rounded down: the same in whatever order they are added */
    uint32_t *depths;  /* of each source: the largest distance from it */
} hd_distance_sums;

#define HD_NEAR (UINT64_C(1) << 62)

/* Adds a search from each of the sources, against the edges with `backward`. */
heddle_status hd_bfs_sums(const hd_run *run, bool backward, const hd_sources *sources, const hd_distance_sums *sums);
/* Bytes that it takes at once. */
uint64_t hd_bfs_sums_bytes(const hd_run *run, uint64_t sources);

#endif
