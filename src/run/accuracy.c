/* accuracy.c - see accuracy.h. The measure is that of Graffix (Singh, Nasre 2020): the sum of |value - exact| over the
 * sum of |exact|, over all vertices that have finite values in both; others are counted apart. Of components it is the
 * number that counts, of forests the weight. */
#include "run/accuracy.h"

#include "base/parallel.h"
#include "engine/device/resident.h"
#include "run/inner.h"

#include <math.h>

static const double exact_slack = 1e-3; /* of the budget: how exact "exact" is for pr, see its budget.exact */

/* Whether sums were made in double precision, as proofs of rounding expect. */
static bool sums_are_double(const hd_run *run) {
    hd_device *device;
    if (!hd_on_device(run))
        return true;
    return !hd_in_parts(run) && hd_device_keep(run->ctx, run->options.device, NULL, &device) == HEDDLE_OK &&
           device->info.doubles;
}

/* Values from some sources, drawn, in place of all: approximate, whether a bound of their error is known or not. */
static bool is_sampled(const hd_run *run) {
    return run->options.samples && run->options.samples < run->graph->vertices && !run->options.source_count &&
           hd_algorithm_takes(run->algorithm, HD_OPTION_samples);
}

static void state_bound(const hd_budget_way *way, const hd_run *run) {
    heddle_report *report = &run->result->report;
    double least = way->least && run->graph->vertices ? way->least(run) : 0;
    report->error_bound = way->bound(run);
    report->relative_error = report->error_bound < least ? report->error_bound / least : -1;
}

void hd_accuracy_state(const hd_run *run) {
    const hd_budget_way *way = &run->algorithm->budget;
    heddle_report *report = &run->result->report;
    if (is_sampled(run))
        report->approximate = run->result->sampled = true;
    if (run->estimate >= 0 && report->approximate)
        hd_result_figure(run->result, "estimated_inaccuracy", run->estimate);
    if (!(run->options.max_error > 0)) {
        if (way->bound && !report->approximate && !run->options.each && sums_are_double(run))
            state_bound(way, run);
        return;
    }
    if (way->prove)
        way->prove(run);
    else if (run->algorithm->limit) {
        hd_note(run->ctx, "max_error: %s has no proof of an error: it stopped by tolerance or max_iterations",
                run->algorithm->info.name);
        return;
    } else if (!way->prepare)
        hd_note(run->ctx, "max_error: %s has no approximation with a guaranteed error: the result is exact",
                run->algorithm->info.name);
    if (!report->approximate)
        report->error_bound = 0;
}

/* The quantity that the text compares: the number of components, the weight of a forest; NULL: values. */
static const char *compared(const hd_run *run, const heddle_result *result) {
    return result->forest_ends ? "total_weight" : run->algorithm->results == HD_RESULTS_LABELS ? "components" : NULL;
}

typedef struct difference {
    double sum, exact, most;
    uint64_t apart; /* reached in one of the two only */
} difference;

static difference compare(heddle_context *ctx, const heddle_result *result, const heddle_result *exact) {
    double sum = 0, all = 0, most = 0;
    uint64_t apart = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : sum, all, apart) reduction(max : most))
    for (uint64_t v = 0; v < result->count; v++) {
        double value = heddle_result_value(exact, (heddle_vertex)v);
        double other = heddle_result_value(result, (heddle_vertex)v), off = fabs(other - value);
        apart += isinf(value) != isinf(other);
        if (isinf(value) || isinf(other))
            continue;
        sum += off;
        all += fabs(value);
        most = off > most ? off : most;
    }
    return (difference){sum, all, most, apart};
}

static difference compare_figures(const heddle_result *result, const heddle_result *exact, const char *name) {
    double value = hd_result_figure_of(exact, name), off = fabs(hd_result_figure_of(result, name) - value);
    return (difference){off, fabs(value), off, 0};
}

heddle_status hd_accuracy_measure(const hd_run *run, heddle_result *result) {
    heddle_context *ctx = run->ctx;
    const hd_budget_way *way = &run->algorithm->budget;
    heddle_run_options options = run->options;
    heddle_report *report = &result->report;
    heddle_result *exact;
    if (way->exact && !way->exact(run->graph, &options)) {
        hd_note(ctx, "an exact run for comparison would take too long: the inaccuracy was not measured");
        return HEDDLE_OK;
    }
    options = hd_inner_options(&options, HD_INNER_COMPARISON);
    HD_TRY(hd_run_inner(ctx, run->graph, &options, false, &exact));
    const char *figure = compared(run, result);
    difference d = figure ? compare_figures(result, exact, figure) : compare(ctx, result, exact);
    heddle_result_destroy(&exact);
    report->inaccuracy = d.exact > 0 ? d.sum / d.exact : d.sum > 0 ? HUGE_VAL : 0;
    if (d.apart)
        hd_result_figure(result, "reached_in_one", (double)d.apart);
    report->worst_error = way->error ? way->error(run->graph, &run->options, d.sum, d.most) : d.most;
    if (report->error_bound < 0 || report->worst_error <= report->error_bound + exact_slack * run->options.max_error)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_VERIFY, "the error is %.3g, above the bound of %.3g, which holds with probability %g",
                   report->worst_error, report->error_bound, report->confidence);
}
