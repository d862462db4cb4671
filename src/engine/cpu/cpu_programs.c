/* cpu_programs.c - the built-in programs by name. */
#include "engine/cpu/cpu.h"
#include "program/list.h"

#include <string.h>

#define DECLARE(name, facts) extern const hd_cpu_program hd_program_##name##_single, hd_program_##name##_double;
HD_PROGRAMS(DECLARE)
#undef DECLARE

extern const hd_cpu_program hd_program_sssp_whole, hd_program_sssp_narrow;
const hd_cpu_program *hd_cpu_program_whole_sums(bool wide) {
    return wide ? &hd_program_sssp_whole : &hd_program_sssp_narrow;
}

extern const hd_cpu_program hd_program_pr_shares_single, hd_program_pr_shares_double;
const hd_cpu_program *hd_cpu_program_rank_shares(bool in_double) {
    return in_double ? &hd_program_pr_shares_double : &hd_program_pr_shares_single;
}

const hd_cpu_program *hd_cpu_program_find(const char *name, bool in_double) {
#define FIND(each, facts)         \
    if (strcmp(name, #each) == 0) \
        return in_double ? &hd_program_##each##_double : &hd_program_##each##_single;
    HD_PROGRAMS(FIND)
#undef FIND
    return NULL;
}
