/* program_run.h - runs a vertex program where the run says: on the CPU or a device, on the graph itself or, under a
 * plan with a transform, on a split one. */
#ifndef HD_ALGORITHM_PROGRAM_PROGRAM_RUN_H
#define HD_ALGORITHM_PROGRAM_PROGRAM_RUN_H

#include "algorithm/executor.h"
#include "algorithm/parts_refusal.h"
#include "engine/cpu/cpu.h"
#include "engine/device/incore.h"
#include "engine/view.h"

typedef struct hd_program_run {
    hd_incore_program program;
    const hd_cpu_program *compiled; /* the CPU's version of a user's program; NULL: a built-in one */
    hd_cpu_setup setup;
} hd_program_run;

/* `compiled`: as above. HEDDLE_E_REFUSED, with the reason, where a split would change results. */
heddle_status hd_program_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                                 const hd_cpu_setup *setup);

/* Refuses what hd_program_execute would, by plan, views and the rules of parts; fills in the plan on the CPU. */
heddle_status hd_program_check_run(hd_run *run, const hd_program_run *program);
/* The same of a built-in program: an executor's `check`. */
heddle_status hd_program_check(const hd_run *run);

/* The built-in program of that name, in the precision that the options ask for. */
heddle_status hd_program_execute_named(const hd_run *run, const char *name, const hd_cpu_setup *setup);

/* Bytes of the algorithm's vertex program on a device; 0: not known beforehand, for split graphs. */
heddle_status hd_program_bytes(const hd_device_request *r, uint64_t *bytes);
/* An executor that sets up the algorithm's vertex program, which runs anywhere. */
#define HD_PROGRAM_EXECUTOR(go)                                                                     \
    {                                                                                               \
        HD_ANYWHERE, .program = true, .refuse = hd_program_refuse_parts, .check = hd_program_check, \
                     .bytes = hd_program_bytes, .run = (go)                                         \
    }

/* The run's plan with open keys filled in, as far as the graph that it runs on depends on them. */
heddle_status hd_program_fit(const hd_run *run, hd_plan *plan);

/* HEDDLE_E_REFUSED for a user's program that the plan's transform does not serve. */
heddle_status hd_transform_check_user(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                                      const hd_cpu_program *compiled);

/* The split graph of a program under a plan with a transform (program_split.c), and a graph with copies of vertices
 * under one with graffix=coalesce (program_copies.c), and one with clusters (program_clusters.c); the reversed
 * graph of a program with REVERSED (program_reversed.c). */
extern const hd_view_kind hd_view_program_split, hd_view_program_copies, hd_view_program_clusters,
    hd_view_program_reversed;

/* HEDDLE_E_REFUSED, with the reason, if the run cannot iterate clusters between rounds. */
heddle_status hd_program_check_clusters(const hd_run *run);
/* Whether its rounds are strict. */
hd_choice hd_program_cluster_sync(const hd_run *run);

struct hd_derived_graffix;
/* The graph that the plan's graffix makes of the run's, which has every arc's reverse if the program goes both ways; in
 * *adapted the program for it. */
heddle_status hd_program_graffix(const hd_run *run, hd_program_run *adapted, const struct hd_derived_graffix **made);

#endif
