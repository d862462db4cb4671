/* rank_run.h - a run of a vertex program by all ranks of a launch, each with its slice of the graph. */
#ifndef HD_ENGINE_PARTS_RANK_RUN_H
#define HD_ENGINE_PARTS_RANK_RUN_H

#include "engine/parts/parts.h"

/* Collective (exchange/together.h). Rank 0 gets the report and the values of all vertices, and the others return
 * HD_ELSEWHERE; with the option `spread` each rank gets the values of its own vertices. */
heddle_status hd_ranks_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                               const hd_cpu_setup *setup);

#endif
