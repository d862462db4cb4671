/* run.c - one entry for all algorithms: look it up, check the options, run, time, verify. */
#include "algorithm/algorithm.h"
#include "algorithm/shared/builtin.h"
#include "algorithm/shared/ranked.h"
#include "algorithm/shared/transformed.h"
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "base/words.h"
#include "engine/device/resident.h"
#include "engine/made.h"
#include "graph/claims.h"
#include "plan/choose.h"
#include "plan/plan.h"
#include "run/ordered.h"

#include <math.h>
#include <string.h>

void heddle_run_options_init_sized(heddle_run_options *options, size_t size) {
    heddle_run_options defaults = {.size = sizeof defaults,
                                   .algorithm = "bfs",
                                   .damping = 0.85,
                                   .rate = 0.5,
                                   .seed = 1,
                                   .device = "auto",
                                   .plan = "auto"};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

heddle_status hd_run_options_take(heddle_context *ctx, const char *function, const heddle_run_options *given,
                                  heddle_run_options *options) {
    heddle_run_options_init(options);
    HD_TRY(hd_take_options(ctx, function, given, options, sizeof *options));
    if (options->program_text && !options->program)
        options->program = "program_text"; /* as messages call it */
    return HEDDLE_OK;
}

static bool outside(double value, double low, double high) { return !(value >= low && value <= high); }

/* What the algorithm does not use may be anything. */
static heddle_status check_numbers(heddle_context *ctx, const heddle_run_options *options, const char *used) {
    if (hd_has_word(used, "damping") && !(options->damping >= 0 && options->damping < 1))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "damping %g: expected a number from 0 to below 1", options->damping);
    if (hd_has_word(used, "tolerance") && (outside(options->tolerance, 0, HUGE_VAL) || isinf(options->tolerance)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "tolerance %g: expected a finite number, 0 or more", options->tolerance);
    if (hd_has_word(used, "rate") && outside(options->rate, 0, 1))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "rate %g: expected a number from 0 to 1", options->rate);
    if (hd_has_word(used, "delta") && (outside(options->delta, 0, HUGE_VAL) || isinf(options->delta)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "delta %g: expected a finite number, 0 or more", options->delta);
    if (hd_has_word(used, "precision") &&
        (options->precision < HEDDLE_PRECISION_DEFAULT || options->precision > HEDDLE_PRECISION_DOUBLE))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "precision %d: expected one of heddle_precision",
                       (int)options->precision);
    return HEDDLE_OK;
}

static heddle_status check_sources(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    if (options->source_count && !options->sources)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "sources is NULL, and source_count is %llu",
                       (unsigned long long)options->source_count);
    for (uint64_t i = 0; i < options->source_count; i++)
        if (options->sources[i] >= graph->vertices)
            return hd_fail(ctx, HEDDLE_E_SOURCE, "source %lu: the graph has %llu vertices",
                           (unsigned long)options->sources[i], (unsigned long long)graph->vertices);
    return HEDDLE_OK;
}

static heddle_status check_each(heddle_context *ctx, const heddle_run_options *options, const char *algorithm) {
    if (!options->each)
        return HEDDLE_OK;
    if (strcmp(algorithm, "bfs") != 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "each: bfs alone can search from each source apart, %s cannot",
                       algorithm);
    if (options->parents)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "each: searches from each source give levels, not parents");
    if (!hd_plan_is_auto(options->plan))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "each: searches side by side have no plan but auto");
    return HEDDLE_OK;
}

static heddle_status check_plan(heddle_context *ctx, const heddle_run_options *options) {
    const char *device = options->device ? options->device : "auto";
    if (hd_on_device(options))
        return HEDDLE_OK; /* the engine looks at the plan once it knows the device */
    if (strcmp(device, "auto") != 0 && strcmp(device, "cpu") != 0)
        return hd_device_unknown(ctx, device);
    hd_plan read; /* lanes mean nothing here: every plan that is one is the CPU's own loop */
    return hd_plan_parse(ctx, options->plan, &read);
}

static heddle_status find_hub(heddle_context *ctx, const heddle_graph *graph, heddle_vertex *hub) {
    uint64_t most = 0, first = UINT64_MAX;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS));
    const uint64_t *offsets = graph->out.offsets;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        most = offsets[v + 1] - offsets[v] > most ? offsets[v + 1] - offsets[v] : most;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : first) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        first = offsets[v + 1] - offsets[v] == most && v < first ? v : first;
    *hub = (heddle_vertex)first;
    return HEDDLE_OK;
}

/* What options point at that is not the caller's. */
typedef struct chosen {
    heddle_vertex hub; /* a source of our choice */
    const hd_order *order;
    char plan[HD_ORDER_REST]; /* without the order */
} chosen;

static uint64_t searches(const heddle_graph *graph, const hd_algorithm *algorithm, const heddle_run_options *options) {
    return algorithm->searches ? algorithm->searches(graph, options) : 1;
}

/* The options as the algorithm sees them: defaults filled in. */
static heddle_status resolve(heddle_context *ctx, const char *function, const heddle_graph *graph,
                             const heddle_run_options *given, const hd_algorithm **algorithm,
                             heddle_run_options *options, chosen *own) {
    HD_TRY(hd_run_options_take(ctx, function, given, options));
    hd_resident_disown(ctx);
    *algorithm = hd_algorithm_of(options);
    if (!*algorithm)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no algorithm '%.60s'", options->algorithm ? options->algorithm : "");
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, searches(graph, *algorithm, options)));
    const char *used = (*algorithm)->info.options;
    HD_TRY(check_numbers(ctx, options, used));
    if (hd_has_word(used, "sources"))
        HD_TRY(check_sources(ctx, graph, options));
    else
        options->source_count = 0;
    HD_TRY(hd_order_take(ctx, options, *algorithm, own->plan, &own->order));
    HD_TRY(check_plan(ctx, options));
    HD_TRY(check_each(ctx, options, (*algorithm)->info.name));
    HD_TRY(hd_transform_check(ctx, options, (*algorithm)->info.name));
    if (options->precision == HEDDLE_PRECISION_DEFAULT && (*algorithm)->doubles == HD_DOUBLES_REAL &&
        hd_weight_size(graph->weight_type) == 8)
        options->precision = HEDDLE_PRECISION_DOUBLE;
    if (options->tolerance == 0)
        options->tolerance = (*algorithm)->tolerance;
    if (options->max_iterations == 0)
        options->max_iterations = (*algorithm)->max_iterations;
    if ((*algorithm)->from_sources && options->source_count == 0 && graph->vertices) {
        HD_TRY(find_hub(ctx, graph, &own->hub));
        options->sources = &own->hub;
        options->source_count = 1;
    }
    return HEDDLE_OK;
}

/* The device that has the graph, as it is or renamed; NULL: none. */
static const char *where(const heddle_context *ctx, const heddle_graph *graph) {
    const char *found = hd_resident_where(ctx, graph);
    for (size_t i = 0; !found && hd_order_at(i); i++) {
        const heddle_graph *renamed = hd_made_order_ready(ctx, graph, hd_order_at(i));
        found = renamed ? hd_resident_where(ctx, renamed) : NULL;
    }
    return found;
}

/* Searches side by side share their walks. */
void hd_run_choose(heddle_context *ctx, const heddle_graph *graph, const hd_algorithm *algorithm,
                   const heddle_run_options *options, hd_choose *choice) {
    double runs = (double)searches(graph, algorithm, options);
    hd_choose_facts facts = {.cost = algorithm->cost,
                             .vertices = graph->vertices,
                             .edges = graph->edges,
                             .weighted = algorithm->weighs && graph->weight_type != HEDDLE_WEIGHT_NONE,
                             .directed = graph->directed,
                             .in_file = hd_graph_unchecked(graph) & HD_VERIFY_TARGETS,
                             .runs = options->each ? runs / 16 + 1 : runs,
                             .resident = where(ctx, graph)};
    hd_choose_device(ctx, &facts, choice);
}

/* --device auto: the device on which the run is over first. */
static void choose(heddle_context *ctx, const heddle_graph *graph, const hd_algorithm *algorithm,
                   heddle_run_options *options, hd_choose *choice) {
    if (options->device && strcmp(options->device, "auto") != 0)
        return;
    hd_run_choose(ctx, graph, algorithm, options, choice);
    options->device = choice->device;
    if (choice->gpu > 0)
        hd_note(ctx, "device %s: %s", choice->device, choice->reason);
}

/* A mapped file's edges are checked while the device starts; once it is there, on their way to it. */
static heddle_status check_meanwhile(heddle_context *ctx, const heddle_graph *graph, const char *device) {
    if (!(hd_graph_unchecked(graph) & HD_VERIFY_TARGETS))
        return HEDDLE_OK;
    HD_TRY(hd_device_start(ctx, device, NULL, graph->edges * 4));
    return hd_device_starting(ctx, device) ? hd_graph_verify(ctx, graph, HD_VERIFY_TARGETS | HD_VERIFY_IDS) : HEDDLE_OK;
}

/* A file that says it is undirected is believed by who takes out-edges for in-edges: is it? `renamed`: what the file
 * has of the graph in this order, or NULL. */
static heddle_status prove(const hd_run *run, const hd_order *order, const heddle_graph *renamed) {
    if (run->algorithm->forward && !hd_renames(order))
        return HEDDLE_OK;
    return hd_graph_prove_undirected(run->ctx, renamed ? renamed : run->graph,
                                     run->algorithm->weighs || run->options.weighted);
}

typedef struct task {
    hd_run run;
    const hd_order *order;
    hd_run_fn execute; /* NULL: the reference */
} task;

static heddle_status perform(const task *t) {
    const hd_run *run = &t->run;
    if (!t->execute)
        return run->algorithm->reference(run->ctx, run->graph, &run->options, run->result);
    return hd_renames(t->order) ? hd_ordered_execute(run, t->order, t->execute) : t->execute(run);
}

/* What earlier runs had left may have been in the way: once more without it. */
static heddle_status try_again(task *t) {
    hd_run *run = &t->run;
    heddle_vertex source = run->result->report.source;
    hd_resident_forget(run->ctx);
    hd_made_forget(run->ctx);
    heddle_result_destroy(&run->result);
    hd_enter(run->ctx);
    HD_TRY(hd_result_new(run->ctx, run->algorithm->info.name, &run->result));
    run->result->graph = run->graph->serial;
    HD_TRY(hd_rounds_begin(run->ctx));
    run->result->report.source = source;
    return perform(t);
}

/* *start: of what counts as computing, but for what the report counts apart. */
static heddle_status carry_out(task *t, double *start) {
    hd_run *run = &t->run;
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    hd_made_keep_only(ctx, graph);
    const heddle_graph *renamed = hd_made_order_ready(ctx, graph, t->order);
    bool spare = ctx->made || hd_resident_any(ctx);
    heddle_status status = HEDDLE_OK;
    if (t->execute && hd_on_device(&run->options))
        status = check_meanwhile(ctx, renamed ? renamed : graph, run->options.device);
    if (status == HEDDLE_OK)
        status = prove(run, t->order, hd_order_kept(graph, t->order));
    run->result->report.prepare += hd_clock() - *start;
    if (status == HEDDLE_OK)
        status = perform(t);
    if (spare && (status == HEDDLE_E_DEVICE_MEMORY || status == HEDDLE_E_MEMORY)) {
        *start = hd_clock();
        status = try_again(t);
    }
    return status;
}

/* On the graph with ranks for weights. An order that a file has of the graph is left alone unless it was asked for. */
static heddle_status carry_out_ranked(task *t, const hd_order *asked, double *start) {
    hd_run *run = &t->run;
    const heddle_graph *graph = run->graph;
    hd_ranked ranked;
    if (!asked)
        t->order = &hd_order_none;
    HD_TRY(prove(run, &hd_order_none, NULL));
    HD_TRY(hd_ranked_make(run->ctx, graph, run->algorithm->info.name, &ranked));
    run->graph = ranked.graph;
    heddle_status status = carry_out(t, start);
    if (status == HEDDLE_OK)
        status = hd_ranked_bring_back(run->ctx, &ranked, graph->weight_type, run->result);
    hd_ranked_free(run->ctx, &ranked);
    return status;
}

static void finish_report(heddle_context *ctx, double start, heddle_report *report) {
    if (report->compute == 0) /* a device's own clock knows better */
        report->compute =
            hd_clock() - start - report->prepare - report->compile - report->transforming - report->transfer;
    double late = hd_resident_late(ctx); /* compiling that looked like computing */
    late = late < report->compute ? late : report->compute;
    report->compile += late;
    report->compute -= late;
}

static heddle_status launch(task *t, const hd_order *asked) {
    hd_run *run = &t->run;
    heddle_context *ctx = run->ctx;
    double start = hd_clock();
    ctx->keep_source = run->options.keep_source;
    ctx->program_text = run->options.program_text;
    ctx->profile = run->options.profile;
    bool ranked = t->execute && hd_ranked_serves(ctx, run->graph, run->algorithm->info.name, &run->options);
    heddle_status status = ranked ? carry_out_ranked(t, asked, &start) : carry_out(t, &start);
    if (status == HEDDLE_OK)
        status = hd_result_take_rounds(ctx, run->result);
    hd_rounds_end(ctx);
    ctx->keep_source = ctx->program_text = NULL;
    ctx->profile = false;
    if (run->result)
        finish_report(ctx, start, &run->result->report);
    if (status == HEDDLE_OK)
        hd_result_show(run->result);
    else
        heddle_result_destroy(&run->result);
    if (status == HEDDLE_E_DEVICE || status == HEDDLE_E_DEVICE_MEMORY || status == HEDDLE_E_MEMORY) {
        hd_resident_forget(ctx);
        hd_made_forget(ctx);
    }
    return status;
}

static heddle_status find_executor(const hd_run *run, bool reference, hd_run_fn *execute) {
    const hd_algorithm *algorithm = run->algorithm;
    bool device = hd_on_device(&run->options), transforms = hd_transforms(run->ctx, &run->options);
    if (reference && !algorithm->reference)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "there is no reference for a program of your own");
    *execute = reference                            ? NULL
               : transforms && algorithm->split_run ? algorithm->split_run
               : device || transforms               ? algorithm->device_run
                                                    : algorithm->run;
    if (!*execute && !reference)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s is not on this device yet: use cpu", algorithm->info.name);
    return HEDDLE_OK;
}

static heddle_status run(heddle_context *ctx, const char *function, const heddle_graph *graph,
                         const heddle_run_options *given, heddle_result **result, bool reference) {
    task t = {.run = {.ctx = ctx, .graph = graph}};
    heddle_run_options *options = &t.run.options;
    chosen own;
    hd_choose choice;
    HD_TRY(resolve(ctx, function, graph, given, &t.run.algorithm, options, &own));
    const hd_algorithm *algorithm = t.run.algorithm;
    if (!reference)
        choose(ctx, graph, algorithm, options, &choice);
    t.order = reference ? &hd_order_none : !own.order ? hd_order_choose(graph, options, algorithm) : own.order;
    if (options->profile && hd_on_device(options) && hd_plan_is_auto(options->plan) &&
        hd_cpu_program_find(algorithm->info.name, false))
        options->plan = "auto,debug=no"; /* the program: kernels of an algorithm's own count no lanes */
    HD_TRY(find_executor(&t.run, reference, &t.execute));
    HD_TRY(hd_rounds_begin(ctx));
    HD_TRY(hd_result_new(ctx, algorithm->info.name, &t.run.result));
    t.run.result->graph = graph->serial;
    if (algorithm->from_sources && options->source_count)
        t.run.result->report.source = options->sources[0];
    heddle_status status = launch(&t, own.order);
    *result = t.run.result;
    return status;
}

heddle_status hd_run_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given) {
    const hd_algorithm *algorithm;
    heddle_run_options options;
    chosen own;
    hd_choose choice;
    HD_TRY(resolve(ctx, "heddle_run_memory", graph, given, &algorithm, &options, &own));
    options = *given; /* with its order */
    if (!options.device || strcmp(options.device, "auto") == 0) {
        hd_run_choose(ctx, graph, algorithm, &options, &choice);
        options.device = choice.device;
    }
    if (algorithm->check)
        HD_TRY(algorithm->check(ctx, graph, &options));
    return hd_on_device(&options) ? HEDDLE_OK : hd_run_rehearse(ctx, graph, &options);
}

heddle_status heddle_run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         heddle_result **result) {
    if (result)
        *result = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    return run(ctx, __func__, graph, options, result, false);
}

heddle_status heddle_run_reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   heddle_result **result) {
    if (result)
        *result = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    return run(ctx, __func__, graph, options, result, true);
}

heddle_status heddle_verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *given,
                            heddle_result *result) {
    const hd_algorithm *algorithm;
    heddle_run_options options;
    chosen own;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    HD_TRY(resolve(ctx, __func__, graph, given, &algorithm, &options, &own));
    if (!algorithm->verify)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "there is no certificate for a program of your own");
    HD_TRY(hd_result_of(ctx, __func__, graph, result));
    if (strcmp(result->report.algorithm, algorithm->info.name) != 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_verify: result is of %s, and options->algorithm is %s",
                       result->report.algorithm, algorithm->info.name);
    if (result->column_sources && !options.each)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "heddle_verify: result has searches from each source, and options->each is 0");
    HD_TRY(hd_graph_prove_undirected(ctx, graph, algorithm->weighs || options.weighted));
    heddle_status status = algorithm->verify(ctx, graph, &options, result);
    if (status == HEDDLE_OK || status == HEDDLE_E_VERIFY)
        result->report.verified = status == HEDDLE_OK;
    return status;
}
