/* rank_checks.h - a run on several ranks: what is decided and checked before it. */
#ifndef HD_RUN_RANK_CHECKS_H
#define HD_RUN_RANK_CHECKS_H

#include "run/resolve.h"

/* In place of hd_run_place, and of choosing a residency. HEDDLE_E_REFUSED, with what would do, for runs that ranks
 * cannot make together. */
heddle_status hd_ranks_place(hd_run *run);
/* A hash of the text of a user's program; 0: none. */
heddle_status hd_ranks_program(const hd_run *run, uint64_t *hash);
/* Refuses ranks that were given different graphs, options or programs, and names what differs; checks the graph's file,
 * each rank a share. */
heddle_status hd_ranks_check(const hd_run *run, uint64_t program);

#endif
