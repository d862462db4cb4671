/* parts_refusal.h - which runs cannot be made in parts: by several devices, ranks, or with checkpoints. */
#ifndef HD_ALGORITHM_PARTS_REFUSAL_H
#define HD_ALGORITHM_PARTS_REFUSAL_H

#include "algorithm/executor.h"

/* Of vertex programs, which pull along a part's in-edges; nothing is refused to runs that are not in parts. */
hd_refusal hd_program_refuse_parts(const hd_run *run);
/* Of algorithms that are no vertex programs (engine/parts/run_own.h). */
hd_refusal hd_parts_own_refuse(const hd_run *run);

#endif
