/* cpu_rule.c - see cpu_rule.h. */
#include "engine/cpu/cpu_rule.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/cpu_engine.h"

#include <string.h>

void hd_rule_totals(int traits, const hd_cpu_outcome *outcome, double totals[HD_TOTALS]) {
    for (int i = 0; i < HD_TOTALS; i++)
        totals[i] = outcome->flags & HD_PIECE_TOTALS ? outcome->totals[i] : hd_total_none(HD_TOTAL_KIND(traits, i));
}

void hd_rule_tell(const hd_cpu_run *rule, hd_cpu_run *run) {
    memcpy(run->total, rule->total, sizeof run->total);
    run->largest = rule->largest;
    run->phase = rule->phase;
    run->phase_round = rule->phase_round;
}

/* Pieces of fixed size are joined in order. */
heddle_status hd_rule_first_totals(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run,
                                   hd_cpu_outcome *totals) {
    uint64_t n = run->vertices, parts = n / HD_ENGINE_PIECE + 1;
    hd_cpu_outcome *part;
    *totals = (hd_cpu_outcome){.flags = 0};
    if (!program->contribute)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(ctx, &part, parts, "totals"));
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t k = 0; k < parts; k++)
        program->contribute(run, hd_split(n, parts, k), hd_split(n, parts, k + 1), &part[k]);
    for (uint64_t k = 0; k < parts; k++)
        if (part[k].flags & HD_PIECE_TOTALS)
            hd_totals_join(program->traits, totals, part[k].totals);
    HD_DELETE(&ctx->allocator, part, parts);
    return HEDDLE_OK;
}

void hd_rule_begin(const hd_cpu_program *program, hd_cpu_run *run, const hd_cpu_outcome *totals) {
    hd_rule_totals(program->traits, totals, run->total);
    run->phase = program->first_phase;
    run->phase_round = 0;
}

bool hd_rule_by_tolerance(int traits, int output_type) {
    return HD_BY_TOLERANCE(traits, output_type == HEDDLE_VALUE_F32 || output_type == HEDDLE_VALUE_F64);
}

static bool settled(const hd_cpu_program *program, const hd_cpu_setup *setup, const hd_cpu_outcome *round) {
    if (round->changes == 0)
        return true;
    return hd_rule_by_tolerance(program->traits, program->output_type) && round->largest <= setup->tolerance;
}

bool hd_rule_broken(const hd_cpu_program *program, const hd_cpu_outcome *round) {
    return !(program->traits & HD_HAS_DONE) && !isfinite(round->largest);
}

bool hd_rule_over(const hd_cpu_program *program, const hd_cpu_setup *setup, hd_cpu_run *run,
                  const hd_cpu_outcome *round) {
    hd_rule_totals(program->traits, round, run->total);
    run->phase_round++;
    run->largest = round->magnitude;
    bool over = program->done ? program->done(run) != 0 : settled(program, setup, round);
    if (!program->next_phase)
        return over;
    uint32_t phase = program->next_phase(run), before = run->phase;
    run->phase = phase;
    run->phase_round = phase == before ? run->phase_round : 0;
    return over && (program->done || phase == before);
}
