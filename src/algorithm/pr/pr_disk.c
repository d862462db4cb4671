/* pr_disk.c - PageRank from a file: the vertex program, in rounds over all in-edges. */
#include "algorithm/pr/pr_disk.h"

#include "algorithm/pr/pr_device.h"
#include "algorithm/shared/from_disk.h"
#include "engine/rank_options.h"

/* Below this PageRank's changes drown in the rounding of single precision. */
static const double single_tolerance = 0x1p-21;

static const hd_cpu_program *program_of(const hd_run *run) {
    bool single = run->options.precision != HEDDLE_PRECISION_DOUBLE;
    return hd_cpu_program_find("pr", !single || run->options.tolerance < single_tolerance);
}

hd_disk_wants hd_pr_disk_wants(const hd_run *run) {
    hd_disk_wants wants = hd_from_disk_program_wants(program_of(run), false);
    wants.other_degrees = true; /* a vertex divides its rank by its out-degree */
    return wants;
}

const char *hd_pr_disk_refuse(const hd_run *run) {
    return run->options.weighted || run->options.personalization
               ? "rank by weights or from a personalisation is computed in memory: a larger --memory-limit would do"
               : NULL;
}

heddle_status hd_pr_from_disk(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    hd_disk_wants wants = hd_pr_disk_wants(run);
    hd_cpu_setup setup = {.parameter = {options->damping},
                          .tolerance = options->tolerance,
                          .max_iterations = options->max_iterations,
                          .ranks = true};
    HD_TRY(hd_from_disk_run(run, &wants, program_of(run), &setup));
    if (options->precision != HEDDLE_PRECISION_DOUBLE && run->result->type == HEDDLE_VALUE_F64)
        HD_TRY(hd_result_to_single(run->ctx, run->result));
    hd_pr_figures(run->ctx, run->result);
    return HEDDLE_OK;
}
