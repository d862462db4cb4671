/* program.c - a user's program, compiled and run. */
#include "algorithm/program.h"

#include "algorithm/device.h"
#include "algorithm/transformed.h"
#include "base/memory.h"
#include "engine/cpu_user.h"
#include "engine/incore_facts.h"

#include <math.h>
#include <string.h>

static const double default_tolerance = 1e-4;
static const uint64_t default_rounds = 1000; /* for programs that need not end by themselves */

/* Figures for the summary: the range of finite values, and how many there are. */
static void summarise(heddle_result *result) {
    double low = INFINITY, high = -INFINITY;
    uint64_t finite = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        double value = heddle_result_value(result, (heddle_vertex)v);
        if (!isfinite(value))
            continue;
        finite++;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    hd_result_figure(result, "finite", (double)finite);
    if (finite) {
        hd_result_figure(result, "min", low);
        hd_result_figure(result, "max", high);
    }
}

/* The CPU's version tells what the program's types and traits are; the device compiles the same text. */
static heddle_status execute(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const hd_cpu_program *program, uint64_t included, const hd_cpu_setup *setup,
                             heddle_result *result) {
    char *text = NULL;
    size_t room = 0;
    bool transforms = hd_transforms(ctx, options);
    if (!hd_on_device(options) && !transforms)
        return hd_cpu_execute(ctx, graph, program, setup, result);
    HD_TRY(hd_program_text(ctx, options->program, &text, &room));
    hd_incore_program here =
        hd_incore_user(options->program, text, options->precision == HEDDLE_PRECISION_DOUBLE, program);
    here.included = included;
    heddle_status status = transforms
                               ? hd_transformed_execute(ctx, graph, options, &here, program, setup, result)
                               : hd_incore_execute(ctx, graph, &here, setup, options->device, options->plan, result);
    HD_DELETE(&ctx->allocator, text, room);
    return status;
}

/* The program for the CPU; where there is no C compiler and the run is on a device, what the device tells of it. */
static heddle_status load(heddle_context *ctx, const heddle_run_options *options, hd_loaded *loaded,
                          hd_incore_told *told, const hd_cpu_program **program, heddle_report *report) {
    bool in_double = options->precision == HEDDLE_PRECISION_DOUBLE;
    char *text = NULL;
    size_t room = 0;
    heddle_status status = hd_cpu_program_load(ctx, options->program, in_double, loaded, program);
    report->compile = loaded->seconds;
    if (status != HEDDLE_E_UNSUPPORTED || !hd_on_device(options))
        return status;
    hd_enter(ctx);
    HD_CHECK(hd_program_text(ctx, options->program, &text, &room));
    loaded->included = hd_program_includes(text);
    HD_CHECK(hd_incore_ask(ctx, options->device, options->program, text, in_double, loaded->included, report, told));
    *program = &told->program;
out:
    HD_DELETE(&ctx->allocator, text, room);
    return status;
}

heddle_status hd_run_program(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    const hd_cpu_program *program;
    hd_loaded loaded;
    heddle_status status;
    hd_incore_told told;
    HD_TRY(load(ctx, options, &loaded, &told, &program, &result->report));
    bool ends = program->traits & MONOTONE;
    hd_cpu_setup setup = {.sources = options->sources,
                          .source_count = options->source_count,
                          .initial = options->initial,
                          .fixed = options->fixed,
                          .tolerance = options->tolerance > 0 ? options->tolerance : default_tolerance,
                          .max_iterations = options->max_iterations ? options->max_iterations
                                            : ends                  ? 0
                                                                    : default_rounds,
                          .mixed = program->traits & UNIQUE_FIXED_POINT,
                          .check = true,
                          .names = graph->names}; /* of a renamed graph */
    HD_CHECK(hd_cpu_parameters(ctx, program, options->parameters, setup.parameter));
    if (program->weighted && graph->weight_type == HEDDLE_WEIGHT_NONE)
        hd_note(ctx, "the graph has no weights: 1 is used");
    HD_CHECK(execute(ctx, graph, options, program, loaded.included, &setup, result));
    result->plain = !program->unreached;
    summarise(result);
out:
    hd_loaded_close(&loaded);
    return status;
}
