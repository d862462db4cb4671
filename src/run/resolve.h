/* resolve.h - from a caller's options to a run, up to its launch: shared by heddle_run, --dry-run and explain, so that
 * what is explained and counted is what runs. */
#ifndef HD_RUN_RESOLVE_H
#define HD_RUN_RESOLVE_H

#include "algorithm/algorithm.h"

/* Overlays the caller's options on the defaults; `function` is the public function, for messages. */
heddle_status hd_run_options_take(heddle_context *ctx, const char *function, const heddle_run_options *given,
                                  heddle_run_options *options);
/* Checks the options, parses the plan and fills in defaults. `run` must not move: its options point into it. */
heddle_status hd_run_resolve(heddle_context *ctx, const char *function, const heddle_graph *graph,
                             const heddle_run_options *given, hd_run *run);
/* The same for a run of all ranks, which find the default source later: hd_run_hub_together, collective, when all can
 * run and the offsets were checked. */
heddle_status hd_run_resolve_together(heddle_context *ctx, const char *function, const heddle_graph *graph,
                                      const heddle_run_options *given, hd_run *run);
heddle_status hd_run_hub_together(hd_run *run);
/* Whether the choice of a device is ours. */
bool hd_device_is_open(const char *device);

/* About how long it takes on the CPU, from the size of the graph alone; 0: not known. */
double hd_run_cpu_seconds(const hd_run *run);
/* Chooses the device if it is auto, then the order if it is open. */
void hd_run_place(hd_run *run);
/* Then where its edges lie: fills in plan.residency, or refuses the run if the memory does not suffice. */
heddle_status hd_run_settle_residency(hd_run *run);
/* After a run whose memory did not suffice, though it was counted to, or could not be counted: takes the next residency
 * that can run, if the choice was open. False: there is none. */
bool hd_run_fall_back(hd_run *run);

#endif
