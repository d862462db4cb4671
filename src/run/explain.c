/* explain.c - heddle_explain: the plan of a run and the reasons for it, and the efficiency of each schedule on the
 * graph. Nothing is run. */
#include "algorithm/program/program.h"
#include "algorithm/program/program_run.h"
#include "algorithm/program/promised.h"
#include "algorithm/structure/structure_device.h"
#include "base/argument.h"
#include "engine/derived_graphs.h"
#include "engine/device/incore_parts.h"
#include "engine/device/shards.h"
#include "engine/device/walk.h"
#include "engine/reversed_graph.h"
#include "plan/estimate.h"
#include "plan/reasons.h"
#include "run/memory_estimate.h"
#include "run/resolve.h"
#include "schedule/efficiency.h"

#include <stdio.h>
#include <string.h>

enum { SECTOR = 32 }; /* bytes that memory is read by */

typedef struct explain {
    heddle_context *ctx;
    const heddle_graph *graph; /* the run's, renamed where that is there */
    hd_run run;
    const char *name; /* of the algorithm */
    heddle_explanation *to;
    bool has_program;               /* otherwise the algorithm has kernels of its own alone */
    bool has_kernels;               /* of its own, for plan auto */
    const hd_cpu_program *compiled; /* a user's program; NULL: it is built in */
    hd_incore_program program;
    hd_plan_program facts;
    hd_plan plan;               /* on a device */
    hd_device_info info;        /* the device's, or those of a common one */
    const hd_device_kind *kind; /* without a device: the first, which is assumed */
} explain;

/* ---- The algorithm and the device ------------------------------------------------------------------------------ */

static heddle_status take_program(explain *e, hd_opened_program *own) {
    heddle_report unused = {.compile = 0};
    HD_TRY(hd_user_open(&e->run, &unused, own));
    e->compiled = own->facts;
    e->program = own->device;
    e->facts = hd_incore_facts(&e->program);
    e->has_program = true;
    return e->program.traits & REVERSED ? hd_derived_reversed_of(e->ctx, e->graph, &unused, &e->graph) : HEDDLE_OK;
}

static heddle_status take_algorithm(explain *e) {
    const hd_algorithm *algorithm = e->run.algorithm;
    bool in_double = hd_algorithm_in_double(algorithm, e->graph, &e->run.options);
    e->has_program = algorithm->program != NULL;
    e->has_kernels = hd_executors_have(algorithm, HD_ON_DEVICE, true);
    if (!e->has_program) {
        e->facts = (hd_plan_program){.name = e->name, .monotone = true, .value_size = 4, .message_size = 4};
        return HEDDLE_OK;
    }
    HD_TRY(hd_incore_find(e->ctx, algorithm->program, in_double, &e->program));
    e->facts = hd_incore_facts(&e->program);
    return HEDDLE_OK;
}

static void tell_device(explain *e) {
    e->to->cpu_seconds = hd_run_cpu_seconds(&e->run);
    const char *reason = e->run.choice.device[0] ? e->run.choice.reason : "as requested";
    snprintf(e->to->device, sizeof e->to->device, "%.23s", e->run.options.device);
    snprintf(e->to->device_reason, sizeof e->to->device_reason, "%s", reason);
}

/* Properties of the device, or of a common one if there is none to query. */
static void look_at_device(explain *e) {
    heddle_explanation *to = e->to;
    const hd_device_kind *named = e->run.kind;
    e->kind = named ? named : hd_device_kind_at(0);
    if (named && hd_device_look(e->ctx, to->device, &e->info) == HEDDLE_OK) {
        to->warp = e->info.warp;
        return;
    }
    if (named)
        snprintf(to->device_reason, sizeof to->device_reason, "as requested, but %.200s", e->ctx->error.message);
    hd_enter(e->ctx);
    e->info = hd_common_device;
    to->warp = e->info.warp;
    to->warp_assumed = 1;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

static void name_plan(explain *e, const hd_plan *plan) {
    heddle_explanation *to = e->to;
    if (plan->given & HD_GIVEN_K)
        snprintf(to->name, sizeof to->name, "%.16s,K=%lu", plan->name, (unsigned long)plan->K);
    else
        snprintf(to->name, sizeof to->name, "%s", plan->name);
    snprintf(to->transform, sizeof to->transform, "%s", hd_transform_name(plan->transform));
    hd_schedule_label(plan, to->schedule, sizeof to->schedule);
    snprintf(to->direction, sizeof to->direction, "%s", plan->direction == HD_PUSH ? "push" : "pull");
    snprintf(to->worklist, sizeof to->worklist, "%s", plan->worklist == HD_YES ? "yes" : "no");
    snprintf(to->sync, sizeof to->sync, "%s", plan->strict == HD_YES ? "strict" : "relaxed");
    snprintf(to->residency, sizeof to->residency, "%s", e->run.plan.residency->name);
    snprintf(to->exchange, sizeof to->exchange, "%s", hd_in_parts(&e->run) ? e->run.plan.exchange->name : "none");
}

/* An algorithm's own loops or kernels: plan keys do not apply to them. */
static void name_own(heddle_explanation *to, const char *schedule) {
    snprintf(to->schedule, sizeof to->schedule, "%s", schedule);
    snprintf(to->direction, sizeof to->direction, "own");
    snprintf(to->worklist, sizeof to->worklist, "own");
    snprintf(to->sync, sizeof to->sync, "own");
}

static void add_reason(heddle_explanation *to, const char *format, const char *word) {
    if (to->reason_count < HEDDLE_EXPLAIN_REASONS)
        snprintf(to->reasons[to->reason_count++], sizeof to->reasons[0], format, word);
}

/* An algorithm that is not a vertex program uses only the schedule of a plan. */
static heddle_status explain_walk(explain *e) {
    char schedule[24];
    hd_walk walk;
    if (!hd_executors_scheduled(e->run.algorithm)) {
        hd_refusal refusal;
        if (!hd_executor_of(&e->run, &e->info, &refusal))
            return hd_refuse_run(&e->run, refusal);
        e->plan.schedule = &hd_schedule_thread; /* any: it is not shown */
        name_plan(e, &e->plan);
        name_own(e->to, "fast"); /* as the report has it */
        add_reason(e->to, "%s has kernels of its own, which take no schedule", e->name);
        return HEDDLE_OK;
    }
    if (e->plan.transform) {
        e->plan.schedule = e->plan.schedule ? e->plan.schedule : &hd_schedule_thread;
        name_plan(e, &e->plan);
        hd_schedule_label(&e->plan, schedule, sizeof schedule);
        name_own(e->to, schedule);
        add_reason(e->to, "%s walks the split graph by kernels of its own; vertices added by the split are excluded",
                   e->name);
        return HEDDLE_OK;
    }
    HD_TRY(hd_walk_of(e->ctx, e->name, &e->run.plan, &e->info, &walk));
    e->plan = walk.plan;
    e->plan.direction = HD_PUSH;
    name_plan(e, &walk.plan);
    hd_schedule_label(&walk.plan, schedule, sizeof schedule);
    name_own(e->to, schedule);
    add_reason(e->to, "%s has kernels of its own; the schedule says who walks their edges", e->name);
    return HEDDLE_OK;
}

/* Explains the transform: which vertices it splits. */
static heddle_status explain_transform(explain *e) {
    heddle_adjacency rows;
    uint64_t most = 0;
    char text[sizeof e->to->reasons[0]];
    bool pull = e->plan.direction == HD_PULL && !e->plan.schedule->shards;
    HD_TRY(pull ? heddle_graph_in(e->ctx, e->graph, &rows) : heddle_graph_out(e->ctx, e->graph, &rows));
    for (uint64_t v = 0; v < e->graph->vertices; v++)
        most = rows.offsets[v + 1] - rows.offsets[v] > most ? rows.offsets[v + 1] - rows.offsets[v] : most;
    uint32_t K = e->plan.K ? e->plan.K : hd_split_bound(most);
    snprintf(text, sizeof text, "transform %s: vertices of more than K = %lu %s-edges are split (%s; the most is %llu)",
             hd_transform_name(e->plan.transform), (unsigned long)K, pull ? "in" : "out",
             e->plan.K ? "as requested" : "by the largest degree", (unsigned long long)most);
    add_reason(e->to, "%s", text);
    return HEDDLE_OK;
}

/* On the CPU. Explains runs on a device as well; a plan that only devices refuse is not refused here. */
static void explain_cpu(explain *e) {
    (void)(hd_plan_fit(e->ctx, &e->facts, e->to->warp, false, true, &e->plan) == HEDDLE_OK);
    hd_enter(e->ctx);
    name_plan(e, &e->plan);
    if (e->has_program && e->plan.schedule->shards) {
        snprintf(e->to->sync, sizeof e->to->sync, "strict");
        add_reason(e->to, "%s: threads take shards, whose edges have their sources' values beside them",
                   "schedule shard");
        return;
    }
    name_own(e->to, "cpu");
    add_reason(e->to, "%s: the CPU walks edges in loops of its own; schedules are for GPUs", "schedule cpu");
}

/* Several devices: a part each. */
static heddle_status explain_parts(explain *e) {
    const hd_device_list *devices = &e->run.devices;
    uint64_t n = devices->count, edges = e->graph->edges * (e->program.both_ways && e->graph->directed ? 2 : 1);
    char text[sizeof e->to->reasons[0]];
    bool lanes = false;
    for (uint32_t i = 0; i < devices->count; i++)
        lanes = lanes || hd_device_kind_of(devices->name[i]);
    e->plan = hd_plan_of_part(&e->plan, hd_plan_spans(&e->plan));
    HD_TRY(hd_plan_degrees(e->ctx, e->graph, &e->plan, &e->facts));
    HD_TRY(hd_plan_fit(e->ctx, &e->facts, e->to->warp, false, true, &e->plan));
    name_plan(e, &e->plan);
    if (!lanes)
        snprintf(e->to->schedule, sizeof e->to->schedule, "cpu");
    snprintf(text, sizeof text,
             "%llu parts of about %llu vertices and %llu edges: each pulls along the edges into its own",
             (unsigned long long)n, (unsigned long long)(e->graph->vertices / n), (unsigned long long)(edges / n));
    add_reason(e->to, "%s", text);
    snprintf(text, sizeof text, "exchange %s: %s", e->run.plan.exchange->name, e->run.plan.exchange->about);
    add_reason(e->to, "%s", text);
    return HEDDLE_OK;
}

/* The kernels that a user's program opens by a promise, or why they do not serve. */
static bool explain_promise(explain *e) {
    const hd_program_run p = {.program = e->program, .compiled = e->compiled};
    char text[sizeof e->to->reasons[0]];
    hd_refusal refusal;
    const hd_promised *promised = hd_promised_of(&e->run, &p, &e->info, &refusal);
    if (promised) {
        name_own(e->to, "fast"); /* as the report has it */
        snprintf(text, sizeof text, "%s: %s", promised->name, promised->about);
        add_reason(e->to, "%s", text);
    } else if (hd_is_refused(refusal)) {
        snprintf(text, sizeof text, "rounds, though the program makes a promise: %s", refusal.what);
        add_reason(e->to, "%s", text);
    }
    return promised != NULL;
}

static heddle_status explain_plan(explain *e) {
    heddle_explanation *to = e->to;
    const hd_plan requested = e->run.plan;
    hd_reasons reasons;
    e->plan = requested;
    if (e->compiled)
        HD_TRY(hd_transform_check_user(e->ctx, &requested, &e->program, e->compiled));
    if (requested.transform) {
        HD_TRY(hd_plan_fit(e->ctx, &e->facts, to->warp, e->kind->warps, e->info.atomics64, &e->plan));
        HD_TRY(explain_transform(e));
        e->plan = requested;
    }
    if (hd_in_parts(&e->run))
        return explain_parts(e);
    if (!hd_on_device(&e->run)) {
        explain_cpu(e);
        return HEDDLE_OK;
    }
    if (!e->has_program)
        return explain_walk(e);
    HD_TRY(hd_plan_degrees(e->ctx, e->graph, &e->plan, &e->facts));
    HD_TRY(hd_plan_fit(e->ctx, &e->facts, to->warp, e->kind->warps, e->info.atomics64, &e->plan));
    name_plan(e, &e->plan);
    if (e->compiled && explain_promise(e))
        return HEDDLE_OK;
    const hd_executor *executor = hd_executor_of(&e->run, &e->info, NULL);
    if (executor && !executor->program) {
        name_own(to, "fast"); /* as the report has it */
        add_reason(to, "%s has kernels of its own, which fit it better than any schedule", e->name);
        return HEDDLE_OK;
    }
    hd_plan_reasons(&requested, &e->plan, &e->facts, &reasons);
    for (uint32_t i = 0; i < reasons.count; i++)
        add_reason(to, "%s", reasons.text[i]);
    return HEDDLE_OK;
}

/* ---- The schedules ---------------------------------------------------------------------------------------------- */

static heddle_status take_rows(explain *e, hd_row_offsets *rows) {
    heddle_adjacency out, in = {.offsets = NULL};
    bool both = e->has_program && e->program.both_ways && e->graph->directed;
    bool pull = e->has_program && e->plan.direction == HD_PULL;
    HD_TRY(heddle_graph_out(e->ctx, e->graph, &out));
    if (both || pull)
        HD_TRY(heddle_graph_in(e->ctx, e->graph, &in));
    *rows = (hd_row_offsets){e->graph->vertices, pull && !both ? in.offsets : out.offsets, both ? in.offsets : NULL};
    snprintf(e->to->walks, sizeof e->to->walks, "%s",
             both                  ? "edges of both directions"
             : !e->graph->directed ? "edges"
             : pull                ? "in-edges"
                                   : "out-edges");
    return HEDDLE_OK;
}

/* Bytes of an algorithm that is not a vertex program under a schedule; 0 if it cannot use it. */
static heddle_status own_bytes(explain *e, const hd_plan *plan, uint64_t *bytes) {
    hd_run run = e->run;
    hd_device_request request = {&run, &e->info, UINT64_MAX};
    run.plan = *plan;
    run.kind = e->kind;
    run.executor = hd_executor_of(&run, &e->info, NULL);
    heddle_status status = run.executor && run.executor->bytes ? run.executor->bytes(&request, bytes) : HEDDLE_OK;
    if (status != HEDDLE_E_REFUSED)
        return status;
    hd_enter(e->ctx);
    return HEDDLE_OK;
}

/* Entries are read sequentially and include their sources' values: there is no gather. Copies are written window by
 * window. */
static heddle_status load_shards(explain *e, const hd_plan *plan, const hd_incore_size *size, size_t weight,
                                 heddle_schedule_row *row) {
    bool listed = plan->listed == HD_YES;
    double streamed = (double)(4 + size->copy + weight + 4 + (listed ? 4 : 0));
    hd_shards_load load;
    HD_TRY(hd_shards_measure(e->ctx, &size->rows, size->range, plan->warp, size->copy, &load));
    hd_efficiency sum = hd_shards_efficiency(&load, listed);
    row->lanes_useful = sum.useful;
    row->lanes_walked = sum.slots;
    row->lane_efficiency = hd_efficiency_share(&sum);
    row->edge_transactions = load.entries ? streamed / SECTOR : 0;
    row->transactions = row->edge_transactions + (load.entries ? (double)load.sectors / (double)load.entries : 0);
    /* An entry is gathered and written: two lanes of the sum. */
    row->round_seconds = hd_estimate_round(&sum, row->transactions / 2, plan->warp, 1);
    return HEDDLE_OK;
}

static heddle_status load_lanes(explain *e, const hd_row_offsets *rows, hd_plan plan, uint32_t tile, size_t weight,
                                heddle_schedule_row *row) {
    hd_efficiency sum;
    plan.worklist = HD_NO;
    HD_TRY(hd_efficiency_of(e->ctx, rows, &plan, tile, &sum));
    row->lanes_useful = sum.useful;
    row->lanes_walked = sum.slots;
    row->lane_efficiency = hd_efficiency_share(&sum);
    if (sum.useful)
        row->edge_transactions = (double)sum.sectors * (double)(4 + weight) / 4 / (double)sum.useful;
    row->transactions = row->edge_transactions + (sum.useful ? 1 : 0);
    row->round_seconds = hd_estimate_round(&sum, row->transactions, plan.warp, plan.schedule->side(&plan));
    return HEDDLE_OK;
}

/* One schedule, in the direction of the plan and else as it would be chosen. */
static heddle_status add_row(explain *e, const hd_row_offsets *rows, const hd_schedule_variant *variant) {
    heddle_schedule_row *row = &e->to->rows[e->to->row_count];
    hd_plan plan, own;
    hd_incore_size size = {.bytes = 0};
    size_t weight = e->has_program && e->program.weighted ? hd_weight_size(e->graph->weight_type) : 0;
    HD_TRY(hd_plan_of_variant(e->ctx, variant, &own));
    plan = own;
    bool shard = plan.schedule->shards;
    plan.direction = shard ? HD_PULL : e->plan.direction;
    plan.K = plan.schedule->splits && !e->plan.transform ? e->plan.K : 0;
    plan.range = shard ? e->plan.range : 0;
    if (((shard || plan.schedule->sources) && !e->has_program) ||
        hd_plan_fit(e->ctx, &e->facts, e->to->warp, false, e->info.atomics64, &plan) != HEDDLE_OK) {
        hd_enter(e->ctx); /* this program or warp cannot have it */
        return HEDDLE_OK;
    }
    size.tile = plan.warp * 8;
    heddle_status status = e->has_program
                               ? hd_incore_measure(e->ctx, e->graph, &e->program, &plan, &e->info, e->kind, &size)
                               : own_bytes(e, &own, &size.bytes);
    if (shard && status == HEDDLE_E_REFUSED) {
        hd_enter(e->ctx); /* too many shards */
        return HEDDLE_OK;
    }
    HD_TRY(status);
    *row = (heddle_schedule_row){.device_bytes = size.bytes};
    HD_TRY(shard ? load_shards(e, &plan, &size, weight, row) : load_lanes(e, rows, plan, size.tile, weight, row));
    snprintf(row->name, sizeof row->name, "%s", variant->name);
    snprintf(row->plan, sizeof row->plan, "%s,direction=%s", variant->keys,
             plan.direction == HD_PUSH ? "push" : "pull");
    e->to->row_count++;
    return HEDDLE_OK;
}

static heddle_status add_rows(explain *e) {
    const hd_schedule *schedule;
    hd_row_offsets rows;
    if (!e->has_program && !hd_executors_scheduled(e->run.algorithm))
        return HEDDLE_OK;
    HD_TRY(take_rows(e, &rows));
    for (size_t i = 0; (schedule = hd_schedule_at(i)); i++)
        for (const hd_schedule_variant *each = schedule->variants; each->name && e->to->row_count < HEDDLE_EXPLAIN_ROWS;
             each++) {
            HD_TRY(add_row(e, &rows, each));
            if (hd_advance(e->ctx, 1))
                return hd_cancelled_status(e->ctx);
        }
    return HEDDLE_OK;
}

/* Explains the order. If the renamed graph exists, the rows of the table are computed on it. */
static void explain_order(explain *e, const hd_order *order) {
    const heddle_graph *renamed = hd_derived_order_ready(e->ctx, e->graph, order);
    bool kept = hd_order_kept(e->graph, order);
    if (!hd_renames(order))
        return;
    e->graph = renamed ? renamed : e->graph;
    add_reason(e->to,
               kept      ? "order %s: the file has the graph with its vertices renamed, which is quicker to walk"
               : renamed ? "order %s: the graph with its vertices renamed is there from an earlier run"
                         : "order %s: vertices are renamed before the first run, which counts as its transform",
               order->info.name);
}

/* The rows of the table are of the graph without new edges. */
static void explain_graffix(explain *e, const hd_graffix *graffix) {
    if (graffix)
        add_reason(
            e->to,
            !hd_shortcuts_change(e->run.algorithm, e->run.graph)
                ? "graffix %s: the graph is changed before the first run, which changes nothing for this algorithm"
                : "graffix %s: the graph is changed before the first run: values are approximate",
            graffix->name);
}

static heddle_status explain_all(explain *e) {
    const hd_order *order = e->run.plan.order;
    tell_device(e);
    look_at_device(e);
    explain_order(e, order);
    explain_graffix(e, e->run.plan.graffix);
    HD_TRY(explain_plan(e));
    if (hd_renames(order) && !e->run.plan.transform)
        snprintf(e->to->transform, sizeof e->to->transform, "%s", order->in_reports);
    hd_phase_begin(e->ctx, "explain", 0);
    heddle_status status = add_rows(e);
    hd_phase_end(e->ctx);
    return status;
}

heddle_status heddle_explain(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                             heddle_explanation *explanation) {
    heddle_explanation found = {.row_count = 0};
    explain e = {.ctx = ctx, .graph = graph, .to = &found};
    hd_opened_program own = {.text = NULL};
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS_ROOM(ctx, explanation);
    HD_TRY(hd_run_resolve(ctx, __func__, graph, given, &e.run));
    hd_run_place(&e.run);
    HD_TRY(hd_run_settle_residency(&e.run));
    e.name = e.run.algorithm->info.name;
    heddle_status status = e.run.options.program ? take_program(&e, &own) : take_algorithm(&e);
    if (status == HEDDLE_OK)
        status = explain_all(&e);
    hd_user_close(ctx, &own);
    if (status == HEDDLE_OK)
        HD_GIVE(explanation, &found);
    return status;
}
