/* steady.h - shared by hs, cs and nn: rounds of a vertex program until values settle. */
#ifndef HD_ALGORITHM_PROGRAM_STEADY_H
#define HD_ALGORITHM_PROGRAM_STEADY_H

#include "algorithm/algorithm.h"
#include "algorithm/program/program_run.h"

/* Runs the built-in program `name` from the options' initial values and fixed vertices, or, when both are NULL, from
 * the given defaults: `rest` everywhere, vertex 0 fixed at 1 (when `first`), the last vertex at 0 (when `last`). */
heddle_status hd_run_steady(const hd_run *run, const char *name, double rest, bool first, bool last);
/* Whether the options' initial values are numbers: an hd_algorithm's `check`. */
heddle_status hd_steady_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
/* Of their runs from a file. */
hd_disk_wants hd_steady_disk_wants(const hd_run *run);

/* Everywhere. */
#define HD_STEADY_EXECUTOR(go)                                                                        \
    {                                                                                                 \
        HD_ANYWHERE, HD_IN_MEMORY | HD_IN_FILE, .program = true, .refuse = hd_program_refuse_parts,   \
                                                .check = hd_program_check, .bytes = hd_program_bytes, \
                                                .wants = hd_steady_disk_wants, .run = (go)            \
    }

#endif
