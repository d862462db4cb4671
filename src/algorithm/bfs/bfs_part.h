/* bfs_part.h - breadth-first search on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_BFS_BFS_PART_H
#define HD_ALGORITHM_BFS_BFS_PART_H

#include "engine/parts/part.h"

/* Outputs are levels, u32. */
const hd_part_own *hd_bfs_part_of(const heddle_graph *graph);

#endif
