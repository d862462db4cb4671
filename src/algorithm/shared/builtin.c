/* builtin.c - see builtin.h. */
#include "algorithm/shared/builtin.h"

#include "algorithm/shared/transformed.h"
#include "device/device.h"

bool hd_on_device(const heddle_run_options *options) { return hd_device_kind_of(options->device); }

heddle_status hd_device_execute(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                const hd_incore_program *program, const hd_cpu_setup *setup, heddle_result *result) {
    if (hd_transforms(ctx, options))
        return hd_transformed_execute(ctx, graph, options, program, NULL, setup, result);
    return hd_incore_execute(ctx, graph, program, setup, options->device, options->plan, result);
}

heddle_status hd_run_builtin(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const char *name, const hd_cpu_setup *setup, heddle_result *result) {
    bool in_double = options->precision == HEDDLE_PRECISION_DOUBLE;
    hd_incore_program program;
    if (!hd_on_device(options) && !hd_transforms(ctx, options))
        return hd_cpu_execute(ctx, graph, hd_cpu_program_find(name, in_double), setup, result);
    HD_TRY(hd_incore_find(ctx, name, in_double, &program));
    return hd_device_execute(ctx, graph, options, &program, setup, result);
}
