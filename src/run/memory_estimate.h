/* memory_estimate.h - the memory that a run would take, and where its edges would lie. */
#ifndef HD_RUN_MEMORY_ESTIMATE_H
#define HD_RUN_MEMORY_ESTIMATE_H

#include "engine/run.h"

/* The device that is assumed if there is none to query. */
extern const hd_device_info hd_common_device;

/* The figures of heddle_run_memory, except where edges lie. `plain`: bytes wanted on the device if it does not rename
 * the graph itself. */
heddle_status hd_run_measure(const hd_run *run, heddle_device_memory *memory, uint64_t *plain);
/* Checks graph and options as the run would (hd_algorithm); after the residency is settled. */
heddle_status hd_run_check(const hd_run *run);
/* Fills in run->plan.residency by these figures, and what they say about it. HEDDLE_E_REFUSED for one that the run
 * cannot have; HEDDLE_E_DEVICE_MEMORY or HEDDLE_E_MEMORY, with the numbers, if nothing fits. */
heddle_status hd_residency_settle(hd_run *run, heddle_device_memory *memory);

#endif
