/* resolve.c - see resolve.h. */
#include "run/resolve.h"

#include "algorithm/views/split_view.h"
#include "base/argument.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "engine/cpu/program_object.h"
#include "engine/derived_graphs.h"
#include "engine/device/resident.h"
#include "exchange/link.h"
#include "run/ordered.h"
#include "run/views.h"

#include <math.h>
#include <string.h>

heddle_status hd_run_options_take(heddle_context *ctx, const char *function, const heddle_run_options *given,
                                  heddle_run_options *options) {
    heddle_run_options_init(options);
    HD_TRY(hd_take_options(ctx, function, given, options, sizeof *options));
    if (options->compiled_program) {
        options->program = options->compiled_program->name;
        options->program_text = options->compiled_program->text;
    }
    if (options->program_text && !options->program)
        options->program = "program_text"; /* its name in messages */
    if (options->parameters && !options->program)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: parameters '%.100s' are those of a program, and there is none",
                       function, options->parameters);
    return HEDDLE_OK;
}

/* ---- What is checked -------------------------------------------------------------------------------------------- */

/* Options about a budget need one. */
static heddle_status check_budget(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    if (options->max_error > 0 || !hd_algorithm_takes(run->algorithm, HD_OPTION_confidence))
        return HEDDLE_OK;
    if (options->confidence > 0)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "confidence needs max_error");
    if (options->top)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "top needs max_error: without it the result is exact");
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

static heddle_status check_each(const hd_run *run) {
    const char *algorithm = run->algorithm->info.name;
    if (!run->options.each)
        return HEDDLE_OK;
    if (!hd_algorithm_takes(run->algorithm, HD_OPTION_each))
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "each: %s has no values from each source apart", algorithm);
    if (run->options.parents)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "each: values from each source come without parents");
    return HEDDLE_OK;
}

bool hd_device_is_open(const char *device) { return !device || strcmp(device, "auto") == 0; }

static heddle_status check_checkpoint(const hd_run *run) {
    if (!run->algorithm->program && !run->options.program)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: checkpoint: only vertex programs keep checkpoints",
                       run->algorithm->info.name);
    return HEDDLE_OK;
}

/* Several devices, or checkpoints. */
static heddle_status check_parts(const hd_run *run) {
    hd_refusal refusal;
    if (run->options.checkpoint)
        HD_TRY(check_checkpoint(run));
    return hd_executor_of(run, NULL, &refusal) ? HEDDLE_OK : hd_refuse_run(run, refusal);
}

static heddle_status check_device(hd_run *run) {
    const char *device = run->options.device;
    bool one = run->options.checkpoint && (hd_device_is_open(device) || !strchr(device, ','));
    if (one && hd_device_is_open(device))
        run->options.device = device = "cpu";
    if (one || (device && strchr(device, ','))) {
        if (!hd_device_list_read(device, &run->devices))
            return hd_device_unknown(run->ctx, device);
        run->kind = NULL;
        run->plan.parts = run->devices.count;
        if (!run->plan.exchange)
            run->plan.exchange = &hd_exchange_vr;
        return check_parts(run);
    }
    if (run->kind && !hd_executors_have(run->algorithm, HD_ON_DEVICE, false))
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s is not on this device yet: use cpu", run->algorithm->info.name);
    if (run->kind || hd_device_is_open(device) || hd_device_is_cpu(device))
        return HEDDLE_OK;
    return hd_device_unknown(run->ctx, device);
}

/* ---- What is filled in ------------------------------------------------------------------------------------------ */

/* The vertex of largest out-degree among [from, to), smallest first, and its degree. */
static void look_for_hub(heddle_context *ctx, const uint64_t *offsets, uint64_t from, uint64_t to, uint64_t *first,
                         uint64_t *degree) {
    uint64_t most = 0, hub = UINT64_MAX;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (to - from >= HD_WORTH_THREADS))
    for (uint64_t v = from; v < to; v++)
        most = offsets[v + 1] - offsets[v] > most ? offsets[v + 1] - offsets[v] : most;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : hub) if (to - from >= HD_WORTH_THREADS))
    for (uint64_t v = from; v < to; v++)
        hub = offsets[v + 1] - offsets[v] == most && v < hub ? v : hub;
    *first = hub;
    *degree = most;
}

static heddle_status find_hub(heddle_context *ctx, const heddle_graph *graph, heddle_vertex *hub) {
    uint64_t first, degree;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS));
    look_for_hub(ctx, graph->out.offsets, 0, graph->vertices, &first, &degree);
    *hub = (heddle_vertex)first;
    return HEDDLE_OK;
}

heddle_status hd_run_hub_together(hd_run *run) {
    hd_link *link = run->ctx->link;
    uint64_t n = run->graph->vertices, own[2], most, hub;
    if (!run->wants_hub)
        return HEDDLE_OK;
    look_for_hub(run->ctx, run->graph->out.offsets, hd_split(n, link->size, link->rank),
                 hd_split(n, link->size, link->rank + 1), &own[0], &own[1]);
    most = own[1];
    HD_TRY(link->reduce(link, HD_LINK_MAX, &most, 1));
    hub = own[1] == most ? own[0] : UINT64_MAX;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &hub, 1));
    run->hub = (heddle_vertex)hub;
    run->options.sources = &run->hub;
    run->options.source_count = 1;
    return HEDDLE_OK;
}

static uint64_t searches(const hd_run *run) {
    return run->algorithm->searches ? run->algorithm->searches(run->graph, &run->options) : 1;
}

static heddle_status fill_in(hd_run *run, bool together) {
    const hd_algorithm *algorithm = run->algorithm;
    heddle_run_options *options = &run->options;
    if (options->precision == HEDDLE_PRECISION_DEFAULT && algorithm->doubles == HD_DOUBLES_REAL &&
        hd_weight_size(run->graph->weight_type) == 8)
        options->precision = HEDDLE_PRECISION_DOUBLE;
    if (options->max_error > 0 && algorithm->budget.prepare)
        HD_TRY(algorithm->budget.prepare(run));
    hd_algorithm_settle_options(algorithm, options);
    if (algorithm->from_sources && options->source_count == 0 && run->graph->vertices) {
        run->wants_hub = together;
        if (together)
            return HEDDLE_OK;
        HD_TRY(find_hub(run->ctx, run->graph, &run->hub));
        options->sources = &run->hub;
        options->source_count = 1;
    }
    return HEDDLE_OK;
}

/* Pages of a mapped file that was cut short raise SIGBUS, and one that was written in place has other edges. */
static heddle_status check_file(heddle_context *ctx, const heddle_graph *graph) {
    return hd_stamp_changed(&graph->mapping.stamp, graph->source_name)
               ? hd_fail_file(ctx, HEDDLE_E_READ, graph->source_name, 0,
                              "the file changed since the graph was opened: open it again, and replace files in use by "
                              "renaming new ones over them")
               : HEDDLE_OK;
}

static heddle_status resolve(heddle_context *ctx, const char *function, const heddle_graph *graph,
                             const heddle_run_options *given, bool together, hd_run *run) {
    heddle_run_options *options = &run->options;
    *run = (hd_run){.ctx = ctx, .graph = graph, .estimate = -1};
    HD_TRY(hd_run_options_take(ctx, function, given, options));
    HD_TRY(hd_graph_await_callback(ctx, graph));
    HD_TRY(check_file(ctx, graph));
    hd_resident_forget_after_fork(ctx);
    run->limit = options->memory_limit ? options->memory_limit : UINT64_MAX;
    run->algorithm = hd_algorithm_of(options);
    if (!run->algorithm)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no algorithm '%.60s'", options->algorithm ? options->algorithm : "");
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, searches(run)));
    run->kind = hd_device_kind_of(options->device);
    HD_TRY(hd_algorithm_check_options(ctx, run->algorithm, options));
    HD_TRY(check_budget(run));
    if (hd_algorithm_takes(run->algorithm, HD_OPTION_sources))
        HD_TRY(check_sources(ctx, graph, options));
    else
        options->source_count = 0;
    HD_TRY(hd_plan_parse(ctx, options->plan, &run->plan));
    run->plan.merges = hd_plan_steps(&run->plan) && run->algorithm->program;
    HD_TRY(check_device(run));
    HD_TRY(check_each(run));
    HD_TRY(hd_views_check(run));
    return fill_in(run, together);
}

heddle_status hd_run_resolve(heddle_context *ctx, const char *function, const heddle_graph *graph,
                             const heddle_run_options *given, hd_run *run) {
    return resolve(ctx, function, graph, given, false, run);
}

heddle_status hd_run_resolve_together(heddle_context *ctx, const char *function, const heddle_graph *graph,
                                      const heddle_run_options *given, hd_run *run) {
    return resolve(ctx, function, graph, given, true, run);
}

/* ---- What is chosen --------------------------------------------------------------------------------------------- */

/* The device that holds the graph, original or renamed; NULL: none. */
static const char *where(const heddle_context *ctx, const heddle_graph *graph) {
    const char *found = hd_resident_where(ctx, graph);
    for (size_t i = 0; !found && hd_order_at(i); i++) {
        const heddle_graph *renamed = hd_derived_order_ready(ctx, graph, hd_order_at(i));
        found = renamed ? hd_resident_where(ctx, renamed) : NULL;
    }
    return found;
}

/* Batched searches (`each`) share their passes over the edges: 16 count as one. */
static hd_choose_facts choose_facts(const hd_run *run) {
    const heddle_graph *graph = run->graph;
    double runs = (double)searches(run);
    return (hd_choose_facts){.cost = run->algorithm->cost,
                             .vertices = graph->vertices,
                             .edges = graph->edges,
                             .weighted = run->algorithm->weighs && graph->weight_type != HEDDLE_WEIGHT_NONE,
                             .directed = graph->directed,
                             .in_file = hd_graph_unchecked(graph) & HD_VERIFY_TARGETS,
                             .runs = run->options.each ? runs / 16 + 1 : runs,
                             .resident = where(run->ctx, graph)};
}

double hd_run_cpu_seconds(const hd_run *run) {
    hd_choose_facts facts = choose_facts(run);
    bool measured = facts.cost.gpu < facts.cost.thread && !run->options.program; /* others have no cost per edge */
    return measured ? hd_choose_cpu_seconds(&facts, run->ctx->most_threads) : 0;
}

static void choose_device(hd_run *run) {
    hd_choose_facts facts = choose_facts(run);
    hd_choose_device(run->ctx, &facts, &run->choice);
    run->options.device = run->choice.device;
    run->kind = hd_device_kind_of(run->choice.device);
    if (!hd_on_device(run) || hd_executor_of(run, NULL, NULL))
        return;
    hd_run on_cpu = *run; /* some options are the CPU's alone */
    on_cpu.options.device = "cpu";
    on_cpu.kind = hd_device_kind_of("cpu");
    if (hd_executor_of(&on_cpu, NULL, NULL)) {
        run->options.device = on_cpu.options.device;
        run->kind = on_cpu.kind;
        run->choice = (hd_choose){.device = "cpu", .reason = "only the CPU computes that"};
    }
}

void hd_run_place(hd_run *run) {
    if (hd_device_is_open(run->options.device))
        choose_device(run);
    if (!run->plan.order)
        run->plan.order = hd_order_choose(run);
}
