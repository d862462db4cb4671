/* program.h - running a user's program as an algorithm. */
#ifndef HD_ALGORITHM_PROGRAM_H
#define HD_ALGORITHM_PROGRAM_H

#include "engine/result.h"

/* options->program is the file; sources, initial, fixed, tolerance, max_iterations, precision as for the others. */
heddle_status hd_run_program(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result);

#endif
