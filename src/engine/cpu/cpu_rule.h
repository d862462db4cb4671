/* cpu_rule.h - between two rounds of a vertex program: its totals, its phase, and whether the run is over. For all
 * drivers whose host decides: the CPU's engine, its shards, and runs in parts. */
#ifndef HD_ENGINE_CPU_CPU_RULE_H
#define HD_ENGINE_CPU_CPU_RULE_H

#include "engine/cpu/cpu.h"

/* The totals of all values as they are before the first round; nothing for programs without. The same for any number
 * of threads. */
heddle_status hd_rule_first_totals(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run,
                                   hd_cpu_outcome *totals);
/* The same as numbers: what changes no total where nothing was added. */
void hd_rule_totals(int traits, const hd_cpu_outcome *outcome, double totals[HD_TOTALS]);
/* Copies totals, phase and largest output to the run of a part. */
void hd_rule_tell(const hd_cpu_run *rule, hd_cpu_run *run);
/* Before the first round: fills in totals and phase of the run. */
void hd_rule_begin(const hd_cpu_program *program, hd_cpu_run *run, const hd_cpu_outcome *totals);
/* After a round, which run->iteration counts already: totals and phase of the next one. Returns whether there is none.
 */
bool hd_rule_over(const hd_cpu_program *program, const hd_cpu_setup *setup, hd_cpu_run *run,
                  const hd_cpu_outcome *round);
/* Whether it is the tolerance that ends its rounds. */
bool hd_rule_by_tolerance(int traits, int output_type);
/* After a round: an output became NaN, or one of a program that ends by its tolerance infinite. The rounds end, and
 * hd_program_execute refuses the result. A program with DONE decides for itself. */
bool hd_rule_broken(const hd_cpu_program *program, const hd_cpu_outcome *round);

#endif
