/* program_graffix.c - what vertex programs on changed graphs (program_copies.c, program_clusters.c) have in common. */
#include "algorithm/algorithm.h"
#include "algorithm/program/program_run.h"
#include "engine/derived_graphs.h"

heddle_status hd_program_graffix(const hd_run *run, hd_program_run *adapted, const hd_derived_graffix **made) {
    hd_graffix_options options = hd_plan_graffix(&run->plan);
    options.weigh_unit = run->program->program.weighted;
    options.mirror = run->program->program.both_ways;
    HD_TRY(hd_derived_graffix_of(run, run->graph, &options, made));
    *adapted = *run->program;
    adapted->program.both_ways = false;
    return HEDDLE_OK;
}
