/* bfs_disk.h - breadth-first search from a file. */
#ifndef HD_ALGORITHM_BFS_BFS_DISK_H
#define HD_ALGORITHM_BFS_BFS_DISK_H

#include "algorithm/algorithm.h"
#include "residency/disk_rows.h"

heddle_status hd_bfs_from_disk(const hd_run *run);
hd_disk_wants hd_bfs_disk_wants(const hd_run *run);
/* Fills in the result's parents from its levels. */
heddle_status hd_bfs_disk_parents(const hd_run *run, hd_disk *disk);

#endif
