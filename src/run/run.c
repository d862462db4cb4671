/* run.c - executes a run that resolve.c has prepared, on the graph or on one derived from it, or by the reference;
 * times it, and verifies results. */
#include "algorithm/views/ranked.h"
#include "base/argument.h"
#include "engine/derived_graphs.h"
#include "engine/device/resident.h"
#include "exchange/agree.h"
#include "exchange/together.h"
#include "graph/claims.h"
#include "run/accuracy.h"
#include "run/inner.h"
#include "run/memory_estimate.h"
#include "run/ordered.h"
#include "run/rank_checks.h"
#include "run/resolve.h"
#include "run/roads.h"
#include "run/search.h"
#include "run/verify_program.h"
#include "run/views.h"

#include <string.h>

/* A mapped file's edges are checked while the device starts; if it has started already, during the upload. */
static heddle_status check_meanwhile(heddle_context *ctx, const heddle_graph *graph, const char *device) {
    if (!(hd_graph_unchecked(graph) & HD_VERIFY_TARGETS))
        return HEDDLE_OK;
    HD_TRY(hd_device_start(ctx, device, NULL, graph->edges * 4));
    return hd_device_starting(ctx, device) ? hd_graph_verify(ctx, graph, HD_VERIFY_TARGETS | HD_VERIFY_IDS) : HEDDLE_OK;
}

/* Verifies that a file that claims to be undirected is, if the algorithm uses out-edges as in-edges. `renamed`: the
 * file's renamed graph of the plan's order, if the run uses it, or NULL. */
static heddle_status prove(const hd_run *run, const heddle_graph *renamed) {
    bool from_file = run->plan.residency->from_file; /* then the first pass over the file does it */
    if (from_file || (run->algorithm->forward && !hd_renames(run->plan.order) && !hd_in_parts(run)))
        return HEDDLE_OK;
    return hd_graph_prove_undirected(run->ctx, renamed ? renamed : run->graph,
                                     run->algorithm->weighs || run->options.weighted);
}

static bool computes_there(const hd_run *run) { return hd_on_device(run) && !run->by_reference; }

static heddle_status perform(hd_run *run) {
    if (run->by_reference)
        return run->algorithm->reference(run->ctx, run->graph, &run->options, run->result);
    HD_TRY(hd_run_take_executor(run));
    if (hd_on_device(run))
        HD_TRY(hd_resident_place(run->ctx, run->options.device, run->plan.residency, run->limit, run->wanted,
                                 &run->result->report));
    return hd_views_perform(run);
}

static heddle_status new_result(hd_run *run) {
    HD_TRY(hd_result_new(run->ctx, run->algorithm->info.name, &run->result));
    run->result->graph = run->graph->serial;
    run->result->labels = hd_results_vertices(run->algorithm->results);
    if (run->algorithm->from_sources && run->options.source_count)
        run->result->report.source = run->options.sources[0];
    return HEDDLE_OK;
}

/* Cached data of earlier runs may have taken the memory: frees it and runs once more. */
static heddle_status try_again(hd_run *run) {
    hd_resident_forget(run->ctx);
    hd_derived_forget(run->ctx);
    heddle_result_destroy(&run->result);
    hd_enter(run->ctx);
    HD_TRY(new_result(run));
    HD_TRY(hd_rounds_begin(run->ctx));
    return perform(run);
}

/* *start: when the compute time begins; the report subtracts its other phases from it. */
static heddle_status carry_out(hd_run *run, double *start) {
    const hd_order *order = run->plan.order;
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    hd_derived_begin(ctx, graph, !hd_on_device(run) && run->options.memory_limit);
    const heddle_graph *renamed = hd_derived_order_ready(ctx, graph, order);
    bool spare = !hd_together(ctx) && (ctx->derived || hd_resident_any(ctx));
    heddle_status status = HEDDLE_OK;
    if (computes_there(run))
        status = check_meanwhile(ctx, renamed ? renamed : graph, run->options.device);
    if (status == HEDDLE_OK)
        status = prove(run, hd_view_ranks.serves(run) ? NULL : hd_order_kept(graph, order));
    run->result->report.prepare += hd_clock() - *start;
    if (status == HEDDLE_OK)
        status = perform(run);
    if (spare && (status == HEDDLE_E_DEVICE_MEMORY || status == HEDDLE_E_MEMORY)) {
        *start = hd_clock();
        status = try_again(run);
    }
    while (status == HEDDLE_E_DEVICE_MEMORY && computes_there(run) && hd_run_fall_back(run)) {
        heddle_error error = ctx->error;
        *start = hd_clock();
        status = try_again(run);
        if (status == HEDDLE_E_REFUSED) { /* by a residency that was not requested */
            ctx->error = error;
            return HEDDLE_E_DEVICE_MEMORY;
        }
    }
    return status;
}

static void finish_report(heddle_context *ctx, double start, heddle_report *report) {
    if (report->compute == 0) /* devices measure it themselves */
        report->compute =
            hd_clock() - start - report->prepare - report->compile - report->transforming - report->transfer;
    double late = hd_resident_late(ctx); /* compiling that looked like computing */
    late = late < report->compute ? late : report->compute;
    report->compile += late;
    report->compute -= late;
}

/* The result is there: for want of memory the rate of the bus stays unknown. */
static heddle_status measure_roads(hd_run *run) {
    heddle_status status = hd_roads_measure(run);
    if (status != HEDDLE_E_MEMORY && status != HEDDLE_E_DEVICE_MEMORY)
        return status;
    hd_enter(run->ctx);
    return HEDDLE_OK;
}

static heddle_status launch(hd_run *run) {
    heddle_context *ctx = run->ctx;
    double start = hd_clock();
    ctx->keep_source = run->options.keep_source;
    heddle_status status = carry_out(run, &start);
    if (status == (heddle_status)HD_ELSEWHERE)
        status = HEDDLE_OK;
    if (status == HEDDLE_OK)
        status = hd_result_take_rounds(ctx, run->result);
    if (status == HEDDLE_OK)
        status = measure_roads(run);
    hd_rounds_end(ctx);
    ctx->keep_source = NULL;
    if (run->result) {
        finish_report(ctx, start, &run->result->report);
        if (!hd_in_parts(run)) /* parts have theirs each */
            run->result->report.residency = run->plan.residency->name;
        hd_plan_text(&run->plan, &run->result->fitted, run->result->plan, sizeof run->result->plan);
        run->result->report.plan = run->result->plan;
    }
    uint64_t placed = 0;
    if (computes_there(run))
        placed = hd_resident_placed(ctx, run->options.device, run->result ? &run->result->report : NULL);
    if (status == HEDDLE_OK) {
        hd_roads_report(run, placed);
        hd_accuracy_state(run);
        hd_result_show(run->result);
    } else
        heddle_result_destroy(&run->result);
    bool failed = status == HEDDLE_E_DEVICE || status == HEDDLE_E_DEVICE_MEMORY || status == HEDDLE_E_MEMORY;
    if (failed || status == HEDDLE_E_CANCELLED) /* arrays there may be half filled */
        hd_resident_forget(ctx);
    if (failed)
        hd_derived_forget(ctx);
    return status;
}

/* Weights that are wanted and missing, or there and not used. Whether a user's program reads them is its own affair. */
static void note_weights(const hd_run *run) {
    const hd_algorithm *algorithm = run->algorithm;
    bool choice = hd_algorithm_takes(algorithm, HD_OPTION_weighted), reads = algorithm->weighs || run->options.weighted;
    bool weighted = run->graph->weight_type != HEDDLE_WEIGHT_NONE;
    if (run->options.program || !run->graph->edges)
        return;
    if (reads && !weighted)
        hd_note(run->ctx, "the graph has no weights: every edge counts 1");
    else if (weighted && choice && !reads)
        hd_note(run->ctx, "%s does not use the graph's weights: --weighted makes edges count by them",
                algorithm->info.name);
    else if (weighted && algorithm->counts_edges)
        hd_note(run->ctx, "%s does not use the graph's weights: every edge counts 1", algorithm->info.name);
}

/* `given`: before defaults were filled in. */
static heddle_status note_options(const hd_run *run, const heddle_run_options *given) {
    heddle_run_options options;
    char unused[256];
    HD_TRY(hd_run_options_take(run->ctx, "heddle_run", given, &options));
    if (run->plan.transform && !run->plan.transform->tree) /* it draws where edges end */
        options.seed = (uint64_t)hd_run_options[HD_OPTION_seed].about.standard;
    hd_algorithm_unused_options(run->algorithm, &options, unused, sizeof unused);
    if (*unused)
        hd_note(run->ctx, "options that %s does not use: %s", run->algorithm->info.name, unused);
    return HEDDLE_OK;
}

static heddle_status begin(hd_run *run) {
    note_weights(run);
    HD_TRY(hd_rounds_begin(run->ctx));
    HD_TRY(new_result(run));
    return launch(run);
}

static heddle_status place(hd_run *run) {
    hd_run_place(run);
    if (run->choice.gpu > 0)
        hd_note(run->ctx, "device %s: %s", run->choice.device, run->choice.reason);
    bool open = !run->plan.residency;
    HD_TRY(hd_run_settle_residency(run));
    if (open && run->plan.residency != &hd_residency_device)
        hd_note(run->ctx, "residency %s: %s", run->plan.residency->name, run->plan.residency->about);
    return HEDDLE_OK;
}

/* With a budget that cannot be proven: the plan may become another. */
static heddle_status search(hd_run *run, const heddle_run_options *given) {
    const char *function = "heddle_run";
    heddle_run_options options;
    double estimate;
    bool searched;
    HD_TRY(hd_run_options_take(run->ctx, function, given, &options));
    HD_TRY(hd_search_plan(run, &options, &estimate, &searched));
    if (!searched)
        return HEDDLE_OK;
    HD_TRY(hd_run_resolve(run->ctx, function, run->graph, &options, run)); /* trials have changed the threads */
    run->estimate = estimate;
    return HEDDLE_OK;
}

static heddle_status run_here(hd_run *run, const heddle_run_options *given) {
    HD_TRY(search(run, given));
    HD_TRY(place(run));
    return begin(run);
}

static heddle_status run_alone(hd_run *run, const heddle_run_options *given) {
    HD_TRY(hd_run_resolve(run->ctx, "heddle_run", run->graph, given, run));
    HD_TRY(search(run, given));
    HD_TRY(place(run));
    HD_TRY(hd_ranks_fits_first(run));
    return begin(run);
}

heddle_status hd_run_inner(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           bool plain, heddle_result **result) {
    heddle_note_fn note = ctx->note;
    hd_run run;
    ctx->note = NULL;
    hd_phases_clear(ctx);
    heddle_status status = hd_run_resolve(ctx, "heddle_run", graph, options, &run);
    run.plain_rounds = plain;
    if (status == HEDDLE_OK)
        status = place(&run);
    if (status == HEDDLE_OK)
        status = begin(&run);
    ctx->note = note;
    *result = run.result;
    return status;
}

/* By rank 0, on its machine, what ranks cannot make together; the others wait, and have no values. */
static heddle_status run_at_first(hd_run *run, const heddle_run_options *given, hd_refusal why) {
    heddle_context *ctx = run->ctx;
    hd_link *link = ctx->link;
    heddle_status status;
    if (link->rank) {
        status = new_result(run);
        if (status == HEDDLE_OK)
            hd_result_show(run->result);
        return hd_agree(link, status);
    }
    hd_note(ctx, "%s runs on rank 0 alone: %s%s%s", run->algorithm->info.name, why.what, why.why ? ": " : "",
            why.why ? why.why : "");
    ctx->link = NULL;
    status = run_alone(run, given);
    ctx->link = link;
    return hd_agree(link, status);
}

/* A rank whose part succeeded fails with the others. */
static heddle_status run_shared(hd_run *run) {
    heddle_status status = hd_run_hub_together(run);
    return status == HEDDLE_OK ? begin(run) : status;
}

/* By all ranks. */
static heddle_status run_together(hd_run *run, const heddle_run_options *given, heddle_status status) {
    heddle_context *ctx = run->ctx;
    uint64_t program = 0, any;
    hd_refusal alone = {NULL, NULL, NULL};
    if (status == HEDDLE_OK)
        status = hd_ranks_place(run, &alone);
    if (status == HEDDLE_OK)
        status = hd_ranks_program(run, &program);
    HD_TRY(hd_together_begin(ctx, status));
    status = hd_ranks_check(run, program);
    any = hd_is_refused(alone);
    if (status == HEDDLE_OK)
        status = ctx->link->reduce(ctx->link, HD_LINK_MAX, &any, 1);
    if (status == HEDDLE_OK && !any)
        status = run_shared(run);
    status = hd_together_end(ctx, status);
    if (status == HEDDLE_OK && any)
        status = run_at_first(run, given, alone);
    if (status != HEDDLE_OK)
        heddle_result_destroy(&run->result);
    return status;
}

heddle_status heddle_run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         heddle_result **result) {
    hd_run run;
    if (result)
        *result = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    hd_phases_clear(ctx);
    heddle_status status = (ctx->link ? hd_run_resolve_together : hd_run_resolve)(ctx, __func__, graph, options, &run);
    if (status == HEDDLE_OK)
        status = note_options(&run, options);
    if (ctx->link) {
        status = run_together(&run, options, status);
    } else if (status == HEDDLE_OK) {
        status = run_here(&run, options);
    }
    *result = run.result;
    return status;
}

heddle_status heddle_run_reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   heddle_result **result) {
    hd_run run;
    if (result)
        *result = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    HD_TRY(hd_run_resolve(ctx, __func__, graph, options, &run));
    run.by_reference = true;
    run.plan.order = &hd_order_none;
    run.plan.residency = &hd_residency_device;
    if (!run.algorithm->reference)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "there is no reference for a program of your own");
    HD_TRY(hd_run_check(&run));
    heddle_status status = begin(&run);
    *result = run.result;
    return status;
}

/* Values that approach a limit are right within a bound of their error, or it is not known how right they are. A
 * user's program was compared. */
static void state_verdict(const hd_algorithm *algorithm, heddle_status status, heddle_report *report) {
    if (status == HEDDLE_E_VERIFY)
        report->verified = 0;
    else if (status == HEDDLE_OK)
        report->verified =
            !algorithm->limit || !algorithm->verify || report->approximate || report->error_bound >= 0 ? 1 : -1;
}

/* A user's program, against plain rounds on the CPU. */
static heddle_status compare_program(const hd_run *run, heddle_result *result) {
    heddle_context *ctx = run->ctx;
    heddle_run_options options = hd_inner_options(&run->options, HD_INNER_COMPARISON);
    heddle_result *plain;
    if (!result->report.converged)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "%s: the run did not converge: its values are not final", options.program);
    HD_TRY(hd_run_inner(ctx, run->graph, &options, true, &plain));
    heddle_status status = hd_verify_program(run, result, plain);
    heddle_result_destroy(&plain);
    return status;
}

static heddle_status verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                            heddle_result *result) {
    const char *function = "heddle_verify";
    hd_run run;
    HD_TRY(hd_run_resolve(ctx, function, graph, given, &run));
    const hd_algorithm *algorithm = run.algorithm;
    HD_TRY(hd_result_of(ctx, function, graph, result));
    if (strcmp(result->report.algorithm, algorithm->info.name) != 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_verify: result is of %s, and options->algorithm is %s",
                       result->report.algorithm, algorithm->info.name);
    if (result->column_sources && !run.options.each)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "heddle_verify: result has values from each source, and options->each is 0");
    HD_TRY(hd_run_check(&run));
    HD_TRY(hd_graph_prove_undirected(ctx, graph, algorithm->weighs || run.options.weighted));
    /* A result of another graph fulfils no certificate of this one. */
    bool other = result->report.approximate && result->report.error_bound < 0 && !result->sampled;
    result->report.residual_verified = -1;
    if (algorithm->limit && !result->report.approximate)
        result->report.error_bound = result->report.relative_error = -1; /* until proven of the values as they are */
    heddle_status status = other               ? HEDDLE_OK
                           : algorithm->verify ? algorithm->verify(ctx, graph, &run.options, result)
                                               : compare_program(&run, result);
    if (status == HEDDLE_OK && result->report.approximate)
        status = hd_accuracy_measure(&run, result);
    state_verdict(algorithm, status, &result->report);
    return status;
}

/* By rank 0, which has the values, and may run something for comparison: without the others, who wait for its word. */
static heddle_status verify_first(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                                  heddle_result *result) {
    hd_link *link = ctx->link;
    ctx->link = NULL;
    heddle_status status = verify(ctx, graph, given, result);
    ctx->link = link;
    return status;
}

heddle_status heddle_verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                            heddle_result *result) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    if (result->spread)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "heddle_verify: values are spread over ranks: run without `spread`");
    if (!ctx->link)
        return verify(ctx, graph, given, result);
    heddle_status status = hd_agree(ctx->link, ctx->link->rank ? HEDDLE_OK : verify_first(ctx, graph, given, result));
    if (ctx->link->rank && (status == HEDDLE_OK || status == HEDDLE_E_VERIFY))
        result->report.verified = status == HEDDLE_OK;
    return status;
}
