/* ranks.h - a run on several ranks: what is decided and checked before it. */
#ifndef HD_RUN_RANKS_H
#define HD_RUN_RANKS_H

#include "run/resolve.h"

/* In place of hd_run_place, and of choosing a residency. HEDDLE_E_REFUSED, with what would do, for runs that ranks
 * cannot make together. */
heddle_status hd_ranks_place(hd_run *run);
/* Refuses ranks that were given different graphs or options; checks the graph's file, each rank a share. */
heddle_status hd_ranks_check(hd_run *run);

#endif
