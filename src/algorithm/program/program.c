/* program.c - compiles and runs a user's program. */
#include "algorithm/program/program.h"

#include "algorithm/algorithm.h"
#include "algorithm/program/from_disk.h"
#include "algorithm/program/program_run.h"
#include "base/hash.h"
#include "base/memory.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/spread.h"
#include "engine/weight_check.h"
#include "exchange/together.h"

#include <math.h>
#include <string.h>

static const double default_tolerance = 1e-4; /* of sums: relative to the values (hd_moved) */
static const uint64_t default_rounds = 1000;  /* for programs that need not end by themselves */

/* Figures for the summary: the range of finite values, and how many there are. */
static void summarise(heddle_context *ctx, heddle_result *result) {
    double low = INFINITY, high = -INFINITY;
    uint64_t finite = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        double value = heddle_result_value(result, (heddle_vertex)(result->first + v));
        if (!isfinite(value))
            continue;
        finite++;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    hd_spread_join(ctx, result, HD_LINK_SUM, &finite, 1);
    hd_spread_join_real(ctx, result, HD_LINK_MIN, &low, 1);
    hd_spread_join_real(ctx, result, HD_LINK_MAX, &high, 1);
    hd_result_figure(result, "finite", (double)finite);
    if (finite) {
        hd_result_figure(result, "min", low);
        hd_result_figure(result, "max", high);
    }
}

/* The promise that lacks or excludes a declaration, and which. */
static const struct {
    int promise, other;
    bool lacks;
    const char *words;
} promise_rules[] = {
    {LEAST_FIRST, LARGEST_FIRST, false, "LEAST_FIRST and LARGEST_FIRST, which exclude each other"},
    {ONCE, MONOTONE, true, "ONCE without MONOTONE: declare that too"},
    {ONCE, FROM_SOURCES, true, "ONCE without FROM_SOURCES: declare that too"},
    {LEAST_FIRST, MONOTONE, true, "LEAST_FIRST without MONOTONE: declare that too"},
    {LARGEST_FIRST, MONOTONE, true, "LARGEST_FIRST without MONOTONE: declare that too"},
    {CARRIED, MONOTONE, true, "CARRIED without MONOTONE: declare that too"},
    {ONCE, HD_SENDS_EDGE, false, "ONCE beside SEND_EDGE: a round's messages have one effect, whatever the edge"},
    {CARRIED, HD_SENDS_EDGE, false, "CARRIED beside SEND_EDGE: a message that depends on the edge is not the value"},
};

static heddle_status check_promises(heddle_context *ctx, const char *path, const hd_cpu_program *program) {
    for (size_t i = 0; i < sizeof promise_rules / sizeof *promise_rules; i++)
        if (program->traits & promise_rules[i].promise &&
            !(program->traits & promise_rules[i].other) == promise_rules[i].lacks)
            return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "TRAITS has %s", promise_rules[i].words);
    if (program->traits & (ONCE | CARRIED) && program->weighted)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0,
                            "TRAITS has %s beside WEIGHT: its messages do not depend on the edge",
                            program->traits & ONCE ? "ONCE" : "CARRIED");
    return HEDDLE_OK;
}

/* Rounds that a program looks at one by one cannot overlap. */
heddle_status hd_user_check_declared(heddle_context *ctx, const char *path, const hd_cpu_program *program) {
    int traits = program->traits;
    int counts = HD_HAS_TOTALS | HD_HAS_DONE | HD_HAS_PHASES | UNTIL_UNCHANGED;
    int overlaps = traits & (MONOTONE | UNIQUE_FIXED_POINT);
    if (!(traits & counts) || !overlaps)
        return check_promises(ctx, path, program);
    return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0,
                        "TRAITS has %s, with which rounds overlap; %s needs one after the other: leave it out",
                        overlaps & MONOTONE ? "MONOTONE" : "UNIQUE_FIXED_POINT",
                        traits & HD_HAS_TOTALS   ? "TOTALS"
                        : traits & HD_HAS_DONE   ? "DONE"
                        : traits & HD_HAS_PHASES ? "FIRST_PHASE"
                                                 : "UNTIL_UNCHANGED");
}

/* The compiled program that the caller gives, or the context's. */
static heddle_status find_object(const hd_run *run, bool in_double, heddle_report *report, hd_opened_program *program) {
    const heddle_run_options *options = &run->options;
    const heddle_program *given = options->compiled_program;
    if (given && given->in_double == in_double) {
        program->object = given;
        return HEDDLE_OK;
    }
    HD_TRY(hd_program_object_get(run->ctx, options->program, options->program_text, in_double, &program->object,
                                 &program->temporary));
    report->compile += program->object->loaded.seconds;
    return HEDDLE_OK;
}

/* Without a C compiler a kernel on the device gives types and traits. */
static heddle_status ask_device(const hd_run *run, bool in_double, heddle_report *report, hd_opened_program *program) {
    const heddle_run_options *options = &run->options;
    heddle_context *ctx = run->ctx;
    hd_enter(ctx);
    HD_TRY(hd_program_text(ctx, options->program, options->program_text, &program->text, &program->room));
    uint64_t included = hd_program_includes(program->text);
    HD_TRY(hd_device_facts_read(ctx, options->device, options->program, program->text, in_double, included, report,
                                &program->device_facts));
    program->facts = &program->device_facts.program;
    program->device = hd_incore_user(options->program, program->text, in_double, program->facts);
    program->device.included = included;
    return HEDDLE_OK;
}

heddle_status hd_user_open(const hd_run *run, heddle_report *report, hd_opened_program *program) {
    const heddle_run_options *options = &run->options;
    bool in_double = options->precision == HEDDLE_PRECISION_DOUBLE;
    program->object = program->temporary = NULL;
    program->text = NULL;
    heddle_status status = find_object(run, in_double, report, program);
    if (status == HEDDLE_E_UNSUPPORTED && hd_on_device(run)) {
        HD_TRY(ask_device(run, in_double, report, program));
    } else {
        HD_TRY(status);
        program->facts = program->object->compiled;
        program->device = hd_incore_user(options->program, program->object->text, in_double, program->facts);
        program->device.included = program->object->loaded.included;
    }
    return hd_user_check_declared(run->ctx, options->program, program->facts);
}

void hd_user_close(heddle_context *ctx, hd_opened_program *program) {
    HD_DELETE(&ctx->allocator, program->text, program->room);
    hd_program_object_free(program->temporary);
}

/* The laws of reduce are tested once for a program, a graph and parameters. */
static uint64_t laws_key(const hd_run *run, const double parameter[HD_PARAMETERS]) {
    return hd_hash2(run->graph->serial, hd_hash_block(parameter, HD_PARAMETERS * sizeof *parameter)) | 1;
}

/* Why a program's rounds do not end by the tolerance. */
static const char *ended_by(int traits) {
    return traits & HD_HAS_DONE ? "the program's done() ends its rounds"
           : traits & SUM       ? "the program ends when no update returns 1"
                                : "the program does not declare SUM: it ends when no update returns 1";
}

/* Before it is compiled its sizes are not known. */
static hd_disk_wants disk_wants(const hd_run *run) {
    (void)run;
    return (hd_disk_wants){.weights = true, .other_degrees = true, .vertex_bytes = 40};
}

/* Weights in a file, and those of ranks, are read once, by the rounds. */
static heddle_status check_weights(const hd_run *run, int type) {
    const heddle_graph *graph = hd_graph_on_host(run->graph);
    heddle_adjacency out;
    if (!hd_weights_may_be_cut(graph->weight_type, type))
        return HEDDLE_OK;
    if (hd_from_disk(run) || hd_together(run->ctx)) {
        hd_note(run->ctx,
                "weights are %s, and are not checked: the program's WEIGHT, another type, may not hold all of them",
                hd_weight_name(graph->weight_type));
        return HEDDLE_OK;
    }
    HD_TRY(heddle_graph_out(run->ctx, graph, &out));
    return hd_weights_check_cut(run->ctx, graph, &out, type, run->options.program);
}

static heddle_status check_program(const hd_run *run) {
    heddle_report unused = {.compile = 0};
    hd_run own = *run;
    hd_opened_program opened;
    heddle_status status = hd_user_open(run, &unused, &opened);
    if (status == HEDDLE_OK) {
        hd_program_run program = {.program = opened.device, .compiled = opened.facts};
        status = hd_cpu_parameters(run->ctx, opened.facts, run->options.parameters, program.setup.parameter);
        if (status == HEDDLE_OK)
            status = hd_program_check_run(&own, &program);
    }
    hd_user_close(run->ctx, &opened);
    return status;
}

static heddle_status run_program(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    hd_opened_program program;
    heddle_status status;
    HD_CHECK(hd_user_open(run, &result->report, &program));
    hd_cpu_program plain = *program.facts;
    if (run->plain_rounds) {
        plain.traits &= ~(MONOTONE | FROM_SOURCES | UNIQUE_FIXED_POINT | HD_PROMISES);
        program.facts = &plain;
    }
    bool ends = run->plain_rounds || program.facts->traits & (MONOTONE | HD_HAS_DONE);
    hd_cpu_setup setup = {.sources = options->sources,
                          .source_count = options->source_count,
                          .initial = options->initial,
                          .fixed = options->fixed,
                          .tolerance = options->tolerance > 0 ? options->tolerance : default_tolerance,
                          .max_iterations = options->max_iterations ? options->max_iterations
                                            : ends                  ? 0
                                                                    : default_rounds,
                          .mixed = program.facts->traits & UNIQUE_FIXED_POINT,
                          .seed = options->seed,
                          .names = graph->names}; /* of a renamed graph */
    HD_CHECK(hd_cpu_parameters(ctx, program.facts, options->parameters, setup.parameter));
    uint64_t key = laws_key(run, setup.parameter);
    setup.check = !program.object || !hd_program_tested(program.object, key);
    if (program.facts->weighted && graph->weight_type == HEDDLE_WEIGHT_NONE)
        hd_note(ctx, "the graph has no weights: 1 is used");
    HD_CHECK(check_weights(run, program.facts->weighted));
    if (options->tolerance > 0 && !hd_rule_by_tolerance(program.facts->traits, program.facts->output_type))
        hd_note(ctx, "tolerance is not used: %s", ended_by(program.facts->traits));
    HD_CHECK(hd_program_execute(run, &program.device, program.facts, &setup));
    if (setup.check && program.object)
        hd_program_set_tested(program.object, key);
    result->plain = !program.facts->unreached;
    summarise(ctx, result);
out:
    hd_user_close(ctx, &program);
    return status;
}

/* There is no reference: heddle_verify compares with plain rounds. */
#define OPTIONS(X, WITH_WORDS) X(sources) X(seed) X(tolerance) X(max_iterations) X(initial) X(fixed) X(precision)

const hd_algorithm hd_user_program = {
    HD_ALGORITHM_INFO("program", "a vertex program of your own", OPTIONS),
    .weighs = true,
    .limit = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_REAL,
    .from_sources = true,
    HD_EXECUTORS({HD_ANYWHERE, HD_IN_MEMORY | HD_IN_FILE, .program = true, .refuse = hd_program_refuse_parts,
                  .check = check_program, .wants = disk_wants, .run = run_program}),
    .results = HD_RESULTS_VALUES,
    .cost = HD_COST_PROGRAM,
};
