/* resolve.h - from a caller's options to a run, up to its launch: what heddle_run, --dry-run and explain share, so that
 * what is explained and counted is what runs. */
#ifndef HD_RUN_RESOLVE_H
#define HD_RUN_RESOLVE_H

#include "algorithm/algorithm.h"

/* The caller's options laid over the defaults, in the name of a public function. */
heddle_status hd_run_options_take(heddle_context *ctx, const char *function, const heddle_run_options *given,
                                  heddle_run_options *options);
/* Checks the options, reads the plan and fills in defaults. `run` stays where it is: its options point into it. */
heddle_status hd_run_resolve(heddle_context *ctx, const char *function, const heddle_graph *graph,
                             const heddle_run_options *given, hd_run *run);
/* Chooses what was left open: the device, then the order; and what carries the run out. */
void hd_run_place(hd_run *run);
/* Whether the plan would be refused, and why, on the CPU (rehearse.c). */
heddle_status hd_run_rehearse(const hd_run *run);

#endif
