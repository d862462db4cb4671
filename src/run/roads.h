/* roads.h - the way by which each round of a run got its edges, and how much of it crossed the bus: fields of
 * heddle_round that follow from the residency, filled in once the run is over. */
#ifndef HD_RUN_ROADS_H
#define HD_RUN_ROADS_H

#include "engine/run.h"

/* Measures the bus, once for each device, if edges crossed it. The run's buffers have been freed: what is allocated for
 * this does not raise the peak of the device's memory. If there is too little for a meaningful copy, it is not
 * measured. */
heddle_status hd_roads_measure(const hd_run *run);
/* Completes the records of rounds. `placed`: the number of edges in the arrays that kernels read. */
void hd_roads_report(const hd_run *run, uint64_t placed);

#endif
