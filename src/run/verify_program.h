/* verify_program.h - verifying a run of a user's program: its results are compared with those of plain rounds. */
#ifndef HD_RUN_VERIFY_PROGRAM_H
#define HD_RUN_VERIFY_PROGRAM_H

#include "engine/run.h"

/* HEDDLE_E_VERIFY if the values differ from those of `plain`, a run of the same program with hd_run.plain_rounds. */
heddle_status hd_verify_program(const hd_run *run, const heddle_result *result, const heddle_result *plain);

#endif
