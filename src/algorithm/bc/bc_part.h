/* bc_part.h - betweenness centrality on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_BC_BC_PART_H
#define HD_ALGORITHM_BC_BC_PART_H

#include "engine/run.h"

/* Of runs in parts, all of them on the CPU. */
heddle_status hd_bc_in_parts(const hd_run *run);

#endif
