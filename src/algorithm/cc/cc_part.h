/* cc_part.h - connected components on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_CC_CC_PART_H
#define HD_ALGORITHM_CC_CC_PART_H

#include "engine/parts/part.h"

/* Outputs are labels, u32: the smallest vertex of the component. */
const hd_part_own *hd_cc_part_of(const heddle_graph *graph);

#endif
