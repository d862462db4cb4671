/* pr_disk.c - PageRank from a file: the vertex program, in rounds over all in-edges. */
#include "algorithm/pr/pr_disk.h"

#include "algorithm/pr/pr_device.h"
#include "algorithm/program/from_disk.h"
#include "base/parallel.h"
#include "engine/rank_options.h"

static const hd_cpu_program *program_of(const hd_run *run) {
    bool single = run->options.precision != HEDDLE_PRECISION_DOUBLE;
    return hd_cpu_program_rank_shares(!single || run->options.tolerance < HD_RANK_SINGLE_TOLERANCE);
}

hd_disk_wants hd_pr_disk_wants(const hd_run *run) {
    hd_disk_wants wants = hd_from_disk_program_wants(program_of(run), false);
    wants.other_degrees = true;
    return wants;
}

hd_refusal hd_pr_refuse_terms(const hd_run *run) {
    if (!run->options.weighted && !run->options.personalization)
        return (hd_refusal){NULL, NULL, NULL};
    return (hd_refusal){"rank by weights or a personalisation is computed in memory", NULL, "a larger --memory-limit"};
}

/* The program's values are what a vertex sends along each edge. */
static void to_ranks(const hd_run *run, const hd_from_disk_rows *rows) {
    heddle_result *result = run->result;
    const uint64_t *offsets = rows->disk.offsets;
    HD_PARALLEL_FOR(run->ctx, schedule(static) if (result->count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < result->count; v++) {
        uint64_t degree = rows->degrees ? rows->degrees[v] : offsets[v + 1] - offsets[v];
        if (result->type == HEDDLE_VALUE_F64)
            ((double *)result->values)[v] *= degree ? (double)degree : 1;
        else
            ((float *)result->values)[v] *= degree ? (float)degree : 1;
    }
}

heddle_status hd_pr_from_disk(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    hd_disk_wants wants = hd_pr_disk_wants(run);
    hd_cpu_setup setup = {.parameter = {options->damping},
                          .tolerance = options->tolerance,
                          .max_iterations = options->max_iterations,
                          .ranks = true,
                          .shares = true};
    hd_from_disk_rows rows;
    heddle_status status;
    HD_CHECK(hd_from_disk_open(run, &wants, &rows));
    HD_CHECK(hd_from_disk_execute(run, &rows, program_of(run), &setup));
    to_ranks(run, &rows);
    if (options->precision != HEDDLE_PRECISION_DOUBLE && run->result->type == HEDDLE_VALUE_F64)
        HD_CHECK(hd_result_to_single(run->ctx, run->result));
    hd_pr_figures(run->ctx, run->result);
out:
    hd_from_disk_close(run, &rows);
    return status;
}
