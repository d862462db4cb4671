/* rank_checks.h - a run on several ranks: what is decided and checked before it. */
#ifndef HD_RUN_RANK_CHECKS_H
#define HD_RUN_RANK_CHECKS_H

#include "run/resolve.h"

/* In place of hd_run_place, and of choosing a residency. *alone: why ranks cannot make
 * this run together, if rank 0 can make it alone. HEDDLE_E_REFUSED, with what to use instead, if it cannot. */
heddle_status hd_ranks_place(hd_run *run, hd_refusal *alone);
/* HEDDLE_E_REFUSED if rank 0's machine has not the memory that the run needs there, once it is placed. */
heddle_status hd_ranks_fits_first(const hd_run *run);
/* A hash of the text of a user's program; 0: none. */
heddle_status hd_ranks_program(const hd_run *run, uint64_t *hash);
/* Refuses ranks that were given different graphs, options or programs, and names what differs; checks the graph's file,
 * each rank a share. */
heddle_status hd_ranks_check(const hd_run *run, uint64_t program);

#endif
