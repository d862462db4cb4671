/* ordered.c - see ordered.h.
 *
 * Values are permuted back. Labels of components, which are the smallest renamed vertices, become the smallest original
 * ones. Parents must be the smallest original vertices too, so they are found on the original graph from the final
 * values.
 */
#include "run/ordered.h"

#include "algorithm/algorithm.h"
#include "algorithm/views/ranked.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/derived_graphs.h"
#include "engine/device/resident.h"
#include "plan/plan.h"

#include <string.h>

/* ---- Which order ------------------------------------------------------------------------------------------------ */

static heddle_status check(const hd_run *run) {
    const hd_algorithm *algorithm = run->algorithm;
    const hd_order *order = run->plan.order;
    if (!hd_renames(order))
        return HEDDLE_OK;
    if (!hd_results_renamed(algorithm->results))
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: order: %s, which an order changes; use plan auto instead",
                       algorithm->info.name,
                       algorithm->no_order ? algorithm->no_order : "its result goes by the numbers of vertices");
    return HEDDLE_OK;
}

const hd_order *hd_order_choose(const hd_run *run) {
    const hd_order *const *pay = hd_on_device(run) ? run->algorithm->device_orders : run->algorithm->cpu_orders;
    const hd_graffix *graffix = run->plan.graffix;
    if (graffix && run->algorithm->results != HD_RESULTS_NUMBERED && !hd_view_ranks.serves(run))
        return graffix->order;
    const hd_executor *executor = hd_executor_of(run, NULL, NULL);
    if (!executor || executor->program || executor->scheduled ||
        run->options.parents) /* parents are found on the graph itself */
        return &hd_order_none;
    if (hd_view_ranks.serves(run)) /* what the file has has no ranks */
        return &hd_order_none;
    for (int i = 0; i < HD_ORDERS && pay[i]; i++)
        if (hd_order_kept(run->graph, pay[i]))
            return pay[i];
    return &hd_order_none;
}

/* ---- On the way in ---------------------------------------------------------------------------------------------- */

/* An array over the graph's vertices becomes one over the renamed graph's. */
#define MOVE(view, type, member, what)                                              \
    do {                                                                            \
        const type *from_ = (view)->run->options.member;                            \
        const heddle_vertex *places_ = (view)->inner.graph->places;                 \
        type *to_;                                                                  \
        HD_TRY(HD_NEW((view)->run->ctx, &to_, (view)->run->graph->vertices, what)); \
        (view)->inner.options.member = to_;                                         \
        HD_PARALLEL_FOR((view)->run->ctx, schedule(static))                         \
        for (uint64_t v_ = 0; v_ < (view)->run->graph->vertices; v_++)              \
            to_[places_[v_]] = from_[v_];                                           \
    } while (0)

static heddle_status rename_options(hd_view *view) {
    const heddle_run_options *given = &view->run->options;
    heddle_run_options *options = &view->inner.options;
    heddle_vertex *sources;
    options->parents = 0;
    if (given->source_count) {
        HD_TRY(HD_NEW(view->run->ctx, &sources, given->source_count, "sources"));
        options->sources = sources;
        for (uint64_t i = 0; i < given->source_count; i++)
            sources[i] = view->inner.graph->places[given->sources[i]];
    }
    if (given->initial)
        MOVE(view, double, initial, "initial values");
    if (given->fixed)
        MOVE(view, unsigned char, fixed, "fixed vertices");
    if (given->personalization)
        MOVE(view, double, personalization, "a personalisation");
    return HEDDLE_OK;
}

static heddle_status open_order(hd_view *view) {
    const hd_run *run = view->run;
    const hd_order *order = run->plan.order;
    /* Edges are sent from the host's rows, or the graph is changed there. */
    bool there = hd_on_device(run) && !hd_plan_spans(&run->plan) && !run->plan.graffix;
    const char *device = there ? run->options.device : NULL;
    heddle_report *report = &run->result->report;
    HD_TRY(hd_derived_order_of(run->ctx, run->graph, order, device, report, &view->inner.graph));
    hd_result_transform(run->result, order->in_reports);
    view->inner.plan.order = &hd_order_none;
    return rename_options(view);
}

/* Frees what was made in the place of what was given. */
static void drop(const hd_view *view, const void *made, const void *given, uint64_t bytes) {
    if (made != given)
        hd_free(&view->run->ctx->allocator, (void *)(uintptr_t)made, bytes);
}

static void close_order(hd_view *view) {
    const heddle_run_options *given = &view->run->options, *options = &view->inner.options;
    uint64_t n = view->run->graph->vertices;
    drop(view, options->sources, given->sources, given->source_count * sizeof *given->sources);
    drop(view, options->initial, given->initial, n * sizeof *given->initial);
    drop(view, options->fixed, given->fixed, n * sizeof *given->fixed);
    drop(view, options->personalization, given->personalization, n * sizeof *given->personalization);
}

/* ---- On the way back -------------------------------------------------------------------------------------------- */

static void gather(const hd_view *view, const void *from, void *to, size_t size) {
    uint64_t n = view->run->graph->vertices;
    const heddle_vertex *places = view->inner.graph->places;
    HD_PARALLEL_FOR(view->run->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (size == 4)
            ((uint32_t *)to)[v] = ((const uint32_t *)from)[places[v]];
        else
            ((uint64_t *)to)[v] = ((const uint64_t *)from)[places[v]];
    }
}

/* Labels are in the order of the renamed graph and are its vertices: each becomes the smallest original vertex among
 * those that have it. `first` has room for a word per vertex. */
static void name_components(const hd_view *view, uint32_t *labels, uint32_t *first) {
    uint64_t n = view->run->graph->vertices;
    const heddle_vertex *names = view->inner.graph->names;
    HD_PARALLEL(view->run->ctx, if (n >= HD_WORTH_THREADS)) {
        HD_FOR(schedule(static))
        for (uint64_t p = 0; p < n; p++)
            first[p] = names[p];
        HD_FOR(schedule(static))
        for (uint64_t p = 0; p < n; p++)
            if (labels[p] != p)
                hd_lower(&first[labels[p]], names[p]);
        HD_FOR(schedule(static))
        for (uint64_t p = 0; p < n; p++)
            labels[p] = first[labels[p]];
    }
}

static heddle_status bring_values_back(const hd_view *view, heddle_result *result) {
    uint64_t all = result->count * result->columns;
    size_t size = hd_value_size(result->type);
    char *from = result->values;
    void *to;
    HD_TRY(hd_new(view->run->ctx, &to, all, size, false, "vertex values"));
    if (view->run->algorithm->results == HD_RESULTS_LABELS)
        name_components(view, result->values, to);
    for (uint64_t k = 0; k < result->columns; k++)
        gather(view, from + k * result->count * size, (char *)to + k * result->count * size, size);
    hd_free(&result->allocator, from, all * size);
    result->values = to;
    if (result->column_sources && result->columns)
        memcpy(result->column_sources, view->run->options.sources, result->columns * sizeof *result->column_sources);
    return HEDDLE_OK;
}

static heddle_status map_result(hd_view *view) {
    const hd_run *run = view->run;
    heddle_result *result = run->result;
    double start = hd_clock();
    if (!result->home)
        HD_TRY(bring_values_back(view, result));
    if (hd_on_device(run) && !result->home) /* on the CPU it counts as computing */
        result->report.transfer += hd_clock() - start;
    if (hd_on_device(run)) /* the graph itself may be there too */
        result->report.device_bytes += hd_resident_bytes(run->ctx, run->graph, run->options.device);
    hd_run_fn find_parents = run->options.parents ? run->algorithm->find_parents : NULL;
    return find_parents ? find_parents(run) : HEDDLE_OK;
}

static bool serves(const hd_run *run) { return hd_renames(run->plan.order); }

/* One that a file has is counted with its rows. */
static heddle_status host_bytes(const hd_run *run, uint64_t *bytes) {
    const heddle_graph *graph = run->graph;
    if (serves(run) && !hd_order_kept(graph, run->plan.order)) /* beside rows and permutation, what it is sorted with */
        *bytes += hd_row_bytes(graph, true) + graph->vertices * (2 * sizeof(heddle_vertex) + 8);
    return HEDDLE_OK;
}

const hd_view_kind hd_view_order = {.check = check,
                                    .serves = serves,
                                    .host_bytes = host_bytes,
                                    .open = open_order,
                                    .map_result = map_result,
                                    .close = close_order};
