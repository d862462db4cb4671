/* transformed.h - a program on a split graph (transform/split.h), on the CPU or a device; values come back for the
 * graph's own vertices. */
#ifndef HD_ALGORITHM_SHARED_TRANSFORMED_H
#define HD_ALGORITHM_SHARED_TRANSFORMED_H

#include "algorithm/shared/builtin.h"
#include "engine/device/incore.h"
#include "plan/plan.h"

/* Whether the plan names a transform; or shards on the CPU, where programs take the same road. */
bool hd_transforms(const hd_run *run);

/* HEDDLE_E_REFUSED, with the reason, for an algorithm that the plan's transform or its shards do not serve. */
heddle_status hd_transform_check(const hd_run *run);

/* HEDDLE_E_REFUSED for a user's program that the plan's transform does not serve. */
heddle_status hd_transform_check_user(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                                      const hd_cpu_program *compiled);

/* Runs a program where the options say, after the transform that their plan names. `compiled` is the CPU's version of a
 * user's program, NULL for a built-in one. HEDDLE_E_REFUSED, with the reason, where a split would change results. */
heddle_status hd_transformed_execute(const hd_run *run, const hd_incore_program *program,
                                     const hd_cpu_program *compiled, const hd_cpu_setup *setup);

#endif
