/* run_own.h - a run in parts of an algorithm that has no vertex program, but a way of its own on parts. */
#ifndef HD_ENGINE_PARTS_RUN_OWN_H
#define HD_ENGINE_PARTS_RUN_OWN_H

#include "engine/parts/part.h"

/* On the devices of the run, all of them the CPU, or on ranks: fills the result's values, of type `output`, and its
 * report. `weighted`: slices have weights. */
heddle_status hd_parts_run_own(const hd_run *run, heddle_value_type output, bool weighted, const hd_part_own *own);

#endif
