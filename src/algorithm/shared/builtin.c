/* builtin.c - see builtin.h. */
#include "algorithm/shared/builtin.h"

#include "algorithm/shared/transformed.h"
#include "device/device.h"

bool hd_on_device(const heddle_run_options *options) { return hd_device_kind_of(options->device); }

heddle_status hd_device_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup) {
    const heddle_run_options *options = &run->options;
    if (hd_transforms(run->ctx, options))
        return hd_transformed_execute(run, program, NULL, setup);
    return hd_incore_execute(run->ctx, run->graph, program, setup, options->device, options->plan, run->result);
}

heddle_status hd_run_builtin(const hd_run *run, const char *name, const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    const heddle_run_options *options = &run->options;
    bool in_double = options->precision == HEDDLE_PRECISION_DOUBLE;
    hd_incore_program program;
    if (!hd_on_device(options) && !hd_transforms(ctx, options))
        return hd_cpu_execute(ctx, run->graph, hd_cpu_program_find(name, in_double), setup, run->result);
    HD_TRY(hd_incore_find(ctx, name, in_double, &program));
    return hd_device_execute(run, &program, setup);
}
