/* program_run.c - see program_run.h. */
#include "algorithm/program/program_run.h"

#include "algorithm/program/from_disk.h"
#include "algorithm/program/promised.h"
#include "base/memory.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/device/device_laws.h"
#include "engine/device/resident.h"
#include "engine/device/shards.h"
#include "engine/parts/parts.h"
#include "engine/parts/rank_run.h"
#include "engine/vertex_name.h"
#include "exchange/together.h"
#include "operator/operator.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>

static heddle_status refuse(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                            const char *why) {
    if (!plan->transform)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: schedule=shard: %s", program->name, why);
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: transform=%s: %s", program->name, hd_transform_name(plan->transform),
                   why);
}

heddle_status hd_transform_check_user(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                                      const hd_cpu_program *compiled) {
    if (!plan->transform || !(program->traits & MONOTONE))
        return HEDDLE_OK;
    if (!compiled->weighted)
        return refuse(ctx, plan, program, "without WEIGHT the program cannot distinguish the edges that a split adds");
    if (!compiled->has_dumb_weight)
        return refuse(ctx, plan, program,
                      "the program does not define DUMB_WEIGHT, the weight that leaves a message as it is");
    return HEDDLE_OK;
}

heddle_status hd_program_fit(const hd_run *run, hd_plan *plan) {
    const hd_program_run *p = run->program;
    hd_plan_program facts = hd_incore_facts(&p->program);
    *plan = run->plan;
    if (!hd_on_device(run) && hd_plan_shards(plan))
        facts.message_size = sizeof(uint32_t); /* the CPU reduces messages of any size: no atomics */
    HD_TRY(hd_plan_fit(run->ctx, &facts, 32, false, true, plan));
    return p->compiled ? hd_transform_check_user(run->ctx, plan, &p->program, p->compiled) : HEDDLE_OK;
}

heddle_status hd_program_bytes(const hd_device_request *r, uint64_t *bytes) {
    const hd_run *run = r->run;
    bool in_double = hd_algorithm_in_double(run->algorithm, run->graph, &run->options), splits = run->plan.transform;
    hd_incore_program program;
    hd_plan plan = run->plan;
    hd_incore_size size = {.bytes = 0};
    HD_TRY(hd_incore_find(run->ctx, run->algorithm->program, in_double, &program));
    hd_plan_program facts = hd_incore_facts(&program);
    if (!splits)
        HD_TRY(hd_plan_degrees(run->ctx, run->graph, &plan, &facts));
    HD_TRY(hd_plan_fit(run->ctx, &facts, r->info->warp, run->kind->warps, r->info->atomics64, &plan));
    if (!splits)
        HD_TRY(hd_incore_measure(run->ctx, run->graph, &program, &plan, r->info, run->kind, &size));
    *bytes = size.bytes;
    return HEDDLE_OK;
}

/* ---- Where it runs ----------------------------------------------------------------------------------------------- */

/* Drops what a failed attempt has left. */
static void forget_values(heddle_context *ctx, heddle_result *result) {
    hd_enter(ctx);
    if (result->values)
        hd_free(&result->allocator, result->values, result->count * hd_value_size(result->type));
    result->values = NULL;
}

/* By the kernels that a promise opens. `served` is false if rounds have to do it: those kernels have names that the
 * program may use itself, and larger buffers. */
static heddle_status run_promised(const hd_run *run, bool *served) {
    const hd_program_run *p = run->program;
    hd_refusal refusal;
    hd_device *device;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, &run->result->report, &device));
    const hd_promised *promised = hd_promised_of(run, p, &device->info, &refusal);
    *served = false;
    if (!promised)
        return HEDDLE_OK;
    heddle_status status = promised->run(run, p);
    *served = status != HEDDLE_E_PROGRAM && status != HEDDLE_E_DEVICE_MEMORY;
    if (*served)
        return status;
    char why[sizeof run->ctx->error.message];
    snprintf(why, sizeof why, "%s", run->ctx->error.message);
    forget_values(run->ctx, run->result);
    hd_note(run->ctx, "%s is not used on this device: %s", promised->name, why);
    return HEDDLE_OK;
}

static heddle_status run_on_device(const hd_run *run) {
    const hd_program_run *p = run->program;
    const heddle_graph *graph = hd_graph_on_host(run->graph);
    heddle_adjacency rows;
    hd_device *device;
    bool served;
    if (p->setup.check) {
        HD_TRY(heddle_graph_out(run->ctx, graph, &rows));
        HD_TRY(hd_device_keep(run->ctx, run->options.device, &run->result->report, &device));
        HD_TRY(hd_device_laws(device, &p->program, p->compiled, &p->setup, graph->vertices, &rows, graph->weight_type,
                              &run->result->report));
    }
    HD_TRY(run_promised(run, &served));
    return served ? HEDDLE_OK : hd_incore_execute(run, &run->program->program, &run->program->setup);
}

/* No way at all is a width of -inf. */
static double not_negative(double value) { return value > 0 ? value : 0; }

/* The CPU has distances of 32 bits in double: here they get the requested type. */
static heddle_status to_whole(heddle_context *ctx, heddle_result *result) {
    double *from = result->values;
    uint64_t count = result->count;
    result->values = NULL;
    heddle_status status = hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, count);
    for (uint64_t v = 0; status == HEDDLE_OK && v < count; v++)
        ((uint32_t *)result->values)[v] = from[v] < UINT32_MAX ? (uint32_t)not_negative(from[v]) : UINT32_MAX;
    hd_free(&result->allocator, from, count * sizeof *from);
    return status;
}

/* A user's program may ask for any degree. */
static heddle_status run_from_disk(const hd_run *run, const hd_cpu_program *program, const hd_cpu_setup *setup) {
    hd_disk_wants wants =
        run->program->compiled ? hd_from_disk_program_wants(program, setup->mixed) : run->executor->wants(run);
    wants.other_degrees |= run->program->compiled != NULL;
    return hd_from_disk_run(run, &wants, program, setup);
}

/* sssp whose distances are sums of whole numbers. */
static bool sums_whole_numbers(const hd_incore_program *p) {
    return p->own && p->weighted && (p->output == HEDDLE_VALUE_U32 || p->output == HEDDLE_VALUE_U64);
}

/* The built-in program's loops for the CPU, with values of the same type as on devices; NULL: there are none. */
static const hd_cpu_program *same_on_cpu(const hd_incore_program *p) {
    if (!p->defines)
        return hd_cpu_program_find(p->name, p->in_double);
    return sums_whole_numbers(p) ? hd_cpu_program_whole_sums(p->output == HEDDLE_VALUE_U64) : NULL;
}

static const hd_cpu_program *on_cpu(const hd_program_run *p) {
    return p->compiled ? p->compiled : same_on_cpu(&p->program);
}

/* The host ends a round of parts by the program's own rules, and a checkpoint has values alone. */
static heddle_status check_parts(const hd_run *run) {
    const char *name = run->program->program.name;
    const hd_cpu_program *here = on_cpu(run->program);
    int rules = here->traits & (HD_HAS_TOTALS | HD_HAS_DONE | HD_HAS_PHASES);
    if (rules && !here->initialise)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED,
                       "%s: several devices: the host calls done() and next_phase(); use a C compiler or one "
                       "device instead",
                       name);
    if (rules & ~HD_HAS_DONE && run->options.checkpoint)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED,
                       "%s: checkpoint: what a program with TOTALS or FIRST_PHASE goes on from is more than its values",
                       name);
    return HEDDLE_OK;
}

static heddle_status run_in_parts(const hd_run *run) {
    const hd_program_run *p = run->program;
    const hd_cpu_program *here = on_cpu(p);
    hd_cpu_setup setup = p->setup;
    setup.ranks = p->program.ranks;
    if (!hd_parts_go_own(run))
        setup.own = NULL;
    return (hd_together(run->ctx) ? hd_ranks_execute : hd_parts_execute)(run, &p->program, here, &setup);
}

static heddle_status run_on_cpu(const hd_run *run) {
    const hd_incore_program *p = &run->program->program;
    hd_cpu_setup setup = run->program->setup;
    bool whole = sums_whole_numbers(p);
    const hd_cpu_program *here =
        run->program->compiled ? run->program->compiled : hd_cpu_program_find(p->name, p->in_double || whole);
    if (whole && p->output == HEDDLE_VALUE_U64) {
        here = hd_cpu_program_whole_sums(true);
        whole = false;
    }
    setup.ranks = p->ranks;
    if (hd_from_disk(run))
        return run_from_disk(run, here, &setup);
    if (run->program->compiled)
        setup.by = hd_operator_of(here, run->graph, &setup);
    HD_TRY(hd_plan_shards(&run->plan)
               ? hd_shards_execute(run->ctx, run->graph, here, &setup, &run->plan, p->both_ways, run->result)
               : hd_cpu_execute(run->ctx, run->graph, here, &setup, run->result));
    return whole ? to_whole(run->ctx, run->result) : HEDDLE_OK;
}

/* ---- Numbers that are refused ------------------------------------------------------------------------------------ */

static heddle_status refuse_number(const hd_run *run, const hd_incore_program *program, uint64_t place, bool nan) {
    const heddle_result *result = run->result;
    const heddle_graph *graph = run->graph;
    heddle_vertex v = (heddle_vertex)(result->first + place);
    if (graph->names && graph->original) {
        v = graph->names[v];
        graph = graph->original;
    }
    hd_name name = hd_vertex_name(run->ctx, graph, v);
    unsigned long long round = result->report.iterations;
    if (nan)
        return hd_fail(run->ctx, HEDDLE_E_PROGRAM, "%s: the value of vertex %s is NaN, not a number, after round %llu",
                       program->name, name.text, round);
    return hd_fail(run->ctx, program->own ? HEDDLE_E_WEIGHT : HEDDLE_E_PROGRAM,
                   "%s: values grow without bound (vertex %s, round %llu): %s", program->name, name.text, round,
                   program->weighted ? "with these weights the rounds do not converge" : "its sums do not converge");
}

/* NaN is refused, infinity is a value like any other; but sums that have grown to it do not settle. */
static heddle_status check_numbers(const hd_run *run, const hd_incore_program *program) {
    const heddle_result *result = run->result;
    bool single = result->type == HEDDLE_VALUE_F32, monotone = program->own && program->traits & MONOTONE;
    bool grew = hd_rule_by_tolerance(program->traits, program->output) && isinf(result->residual);
    if (!result->values || monotone || (!single && result->type != HEDDLE_VALUE_F64))
        return HEDDLE_OK;
    for (uint64_t v = 0; v < result->count; v++) {
        double value = single ? (double)((const float *)result->values)[v] : ((const double *)result->values)[v];
        if (isnan(value) || (grew && isinf(value)))
            return refuse_number(run, program, v, isnan(value));
    }
    return HEDDLE_OK;
}

static const hd_view_kind *const views[] = {&hd_view_program_reversed, &hd_view_program_copies,
                                            &hd_view_program_clusters, &hd_view_program_split, NULL};

heddle_status hd_program_check_run(hd_run *run, const hd_program_run *program) {
    run->program = program;
    if (!hd_on_device(run) && (run->plan.transform || hd_plan_shards(&run->plan)))
        HD_TRY(hd_program_fit(run, &run->plan));
    for (size_t i = 0; views[i]; i++)
        if (views[i]->check && views[i]->serves(run))
            HD_TRY(views[i]->check(run));
    return hd_in_parts(run) ? check_parts(run) : HEDDLE_OK;
}

heddle_status hd_program_check(const hd_run *run) {
    hd_program_run program = {.compiled = NULL};
    hd_run own = *run;
    bool in_double = hd_algorithm_in_double(run->algorithm, run->graph, &run->options);
    HD_TRY(hd_incore_find(run->ctx, run->algorithm->program, in_double, &program.program));
    return hd_program_check_run(&own, &program);
}

heddle_status hd_program_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                                 const hd_cpu_setup *setup) {
    const hd_program_run own = {.program = *program, .compiled = compiled, .setup = *setup};
    hd_run inner = *run;
    HD_TRY(hd_program_check_run(&inner, &own));
    HD_TRY(hd_view_perform(views, &inner,
                           hd_in_parts(run)    ? run_in_parts
                           : hd_on_device(run) ? run_on_device
                                               : run_on_cpu));
    return check_numbers(run, program);
}

heddle_status hd_program_execute_named(const hd_run *run, const char *name, const hd_cpu_setup *setup) {
    hd_incore_program program;
    HD_TRY(hd_incore_find(run->ctx, name, run->options.precision == HEDDLE_PRECISION_DOUBLE, &program));
    return hd_program_execute(run, &program, NULL, setup);
}
