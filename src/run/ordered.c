/* ordered.c - see ordered.h.
 *
 * Values are permuted back. Labels of components, which are the smallest renamed vertices, become the smallest original
 * ones. Parents must be the smallest original vertices too, so they are found on the original graph from the final
 * values.
 */
#include "run/ordered.h"

#include "algorithm/shared/builtin.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/resident.h"
#include "engine/made.h"
#include "plan/plan.h"

#include <string.h>

typedef struct ordered_run {
    heddle_context *ctx;
    const heddle_graph *graph, *renamed;
    const hd_run *run; /* as it was asked for */
    const heddle_run_options *given;
    hd_run inner; /* the run on the renamed graph */
    heddle_vertex *sources;
    double *initial, *personalization;
    unsigned char *fixed;
} ordered_run;

/* ---- Which order ------------------------------------------------------------------------------------------------ */

heddle_status hd_order_check(const hd_run *run) {
    const hd_algorithm *algorithm = run->algorithm;
    const hd_order *order = run->plan.order;
    if (!hd_renames(order))
        return HEDDLE_OK;
    if (algorithm->results == HD_RESULTS_NUMBERED)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: order: %s, which an order changes: plan auto would do",
                       algorithm->info.name,
                       algorithm->no_order ? algorithm->no_order : "its result goes by the numbers of vertices");
    if (run->plan.transform)
        return hd_fail(
            run->ctx, HEDDLE_E_REFUSED,
            "%s: order=%s: a transform has numbers of its own for the vertices it adds: expected an order or "
            "a transform",
            algorithm->info.name, order->info.name);
    return HEDDLE_OK;
}

const hd_order *hd_order_choose(const hd_run *run) {
    const hd_order *const *pay = hd_on_device(run) ? run->algorithm->device_orders : run->algorithm->cpu_orders;
    if (!hd_plan_is_auto(&run->plan) || run->options.parents) /* parents are found on the graph itself */
        return &hd_order_none;
    for (int i = 0; i < HD_ORDERS && pay[i]; i++)
        if (hd_order_kept(run->graph, pay[i]))
            return pay[i];
    return &hd_order_none;
}

/* ---- On the way in ---------------------------------------------------------------------------------------------- */

#define MOVE(o, from, to, what)                                      \
    do {                                                             \
        HD_TRY(HD_NEW((o)->ctx, &(to), (o)->graph->vertices, what)); \
        HD_PARALLEL_FOR((o)->ctx, schedule(static))                  \
        for (uint64_t v_ = 0; v_ < (o)->graph->vertices; v_++)       \
            (to)[(o)->renamed->places[v_]] = (from)[v_];             \
    } while (0)

static heddle_status rename_options(ordered_run *o) {
    const heddle_run_options *given = o->given;
    heddle_run_options *options = &o->inner.options;
    o->inner = *o->run;
    o->inner.graph = o->renamed;
    o->inner.plan.order = &hd_order_none;
    options->parents = 0;
    if (given->source_count) {
        HD_TRY(HD_NEW(o->ctx, &o->sources, given->source_count, "sources"));
        for (uint64_t i = 0; i < given->source_count; i++)
            o->sources[i] = o->renamed->places[given->sources[i]];
        options->sources = o->sources;
    }
    if (given->initial)
        MOVE(o, given->initial, o->initial, "initial values");
    if (given->fixed)
        MOVE(o, given->fixed, o->fixed, "fixed vertices");
    if (given->personalization)
        MOVE(o, given->personalization, o->personalization, "a personalisation");
    options->initial = o->initial;
    options->fixed = o->fixed;
    options->personalization = o->personalization;
    return HEDDLE_OK;
}

static void free_options(ordered_run *o) {
    const heddle_allocator *allocator = &o->ctx->allocator;
    HD_DELETE(allocator, o->sources, o->given->source_count);
    HD_DELETE(allocator, o->initial, o->graph->vertices);
    HD_DELETE(allocator, o->fixed, o->graph->vertices);
    HD_DELETE(allocator, o->personalization, o->graph->vertices);
}

/* ---- On the way back -------------------------------------------------------------------------------------------- */

static void gather(const ordered_run *o, const void *from, void *to, size_t size) {
    uint64_t n = o->graph->vertices;
    const heddle_vertex *places = o->renamed->places;
    HD_PARALLEL_FOR(o->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (size == 4)
            ((uint32_t *)to)[v] = ((const uint32_t *)from)[places[v]];
        else
            ((uint64_t *)to)[v] = ((const uint64_t *)from)[places[v]];
    }
}

/* Labels are in the order of the renamed graph and are its vertices: each becomes the smallest original vertex among
 * those that have it. `first` has room for a word per vertex. */
static void name_components(const ordered_run *o, uint32_t *labels, uint32_t *first) {
    uint64_t n = o->graph->vertices;
    const heddle_vertex *names = o->renamed->names;
    HD_PARALLEL(o->ctx, if (n >= HD_WORTH_THREADS)) {
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

static heddle_status bring_values_back(const ordered_run *o, heddle_result *result) {
    uint64_t all = result->count * result->columns;
    size_t size = hd_value_size(result->type);
    char *from = result->values;
    void *to;
    HD_TRY(hd_new(o->ctx, &to, all, size, false, "vertex values"));
    if (o->run->algorithm->results == HD_RESULTS_LABELS)
        name_components(o, result->values, to);
    for (uint64_t k = 0; k < result->columns; k++)
        gather(o, from + k * result->count * size, (char *)to + k * result->count * size, size);
    hd_free(&result->allocator, from, all * size);
    result->values = to;
    if (result->column_sources && result->columns)
        memcpy(result->column_sources, o->given->sources, result->columns * sizeof *result->column_sources);
    return HEDDLE_OK;
}

static heddle_status bring_back(const ordered_run *o) {
    heddle_result *result = o->run->result;
    double start = hd_clock();
    if (!result->home)
        HD_TRY(bring_values_back(o, result));
    if (hd_on_device(o->run) && !result->home) /* on the CPU it counts as computing */
        result->report.transfer += hd_clock() - start;
    hd_run_fn find_parents = o->given->parents ? o->run->algorithm->find_parents : NULL;
    return find_parents ? find_parents(o->run) : HEDDLE_OK;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

/* An error may name vertices of the renamed graph. Running on the original graph gives the same error with the right
 * names. */
static heddle_status retell(const ordered_run *o, heddle_status status) {
    heddle_error error = o->ctx->error;
    hd_run again = *o->run;
    again.result = NULL;
    if (hd_result_new(o->ctx, o->run->result->report.algorithm, &again.result) != HEDDLE_OK ||
        again.execute(&again) != status)
        o->ctx->error = error;
    heddle_result_destroy(&again.result);
    return status;
}

heddle_status hd_ordered_execute(const hd_run *run) {
    const hd_order *order = run->plan.order;
    ordered_run o = {.ctx = run->ctx, .graph = run->graph, .run = run, .given = &run->options};
    const char *device = hd_on_device(run) ? run->options.device : NULL;
    heddle_report *report = &run->result->report;
    heddle_status status;
    HD_TRY(hd_made_order_of(run->ctx, run->graph, order, device, report, &o.renamed));
    report->transform = order->in_reports;
    HD_CHECK(rename_options(&o));
    status = run->execute(&o.inner);
    if (status == HEDDLE_E_WEIGHT || status == HEDDLE_E_ARGUMENT)
        status = retell(&o, status);
    if (status == HEDDLE_OK)
        status = bring_back(&o);
    if (device) /* the graph itself may be there too */
        report->device_bytes += hd_resident_bytes(run->ctx, run->graph, device);
out:
    free_options(&o);
    return status;
}
