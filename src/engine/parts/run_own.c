/* run_own.c - see run_own.h. */
#include "engine/parts/run_own.h"

#include "engine/parts/rank_run.h"
#include "exchange/together.h"

heddle_status hd_parts_run_own(const hd_run *run, heddle_value_type output, bool weighted, const hd_part_own *own) {
    const hd_incore_program program = {.name = run->result->report.algorithm,
                                       .traits = MONOTONE,
                                       .output = output,
                                       .weighted = weighted};
    const hd_cpu_setup setup = {.own = own};
    return (hd_together(run->ctx) ? hd_ranks_execute : hd_parts_execute)(run, &program, NULL, &setup);
}
