/* mst_part.h - minimum spanning forest on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_MST_MST_PART_H
#define HD_ALGORITHM_MST_MST_PART_H

#include "engine/run.h"

/* Of runs in parts, all of them on the CPU. Rank 0 gets the forest. */
heddle_status hd_mst_in_parts(const hd_run *run);

#endif
