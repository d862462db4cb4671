/* builtin.c - see builtin.h. */
#include "algorithm/shared/builtin.h"

#include "algorithm/shared/transformed.h"

heddle_status hd_device_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup) {
    return hd_transforms(run) ? hd_transformed_execute(run, program, NULL, setup)
                              : hd_incore_execute(run, program, setup);
}

heddle_status hd_run_builtin(const hd_run *run, const char *name, const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    bool in_double = run->options.precision == HEDDLE_PRECISION_DOUBLE;
    hd_incore_program program;
    if (!hd_on_device(run) && !hd_transforms(run))
        return hd_cpu_execute(ctx, run->graph, hd_cpu_program_find(name, in_double), setup, run->result);
    HD_TRY(hd_incore_find(ctx, name, in_double, &program));
    return hd_device_execute(run, &program, setup);
}
