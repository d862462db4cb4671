/* power.c - see power.h. */
#include "algorithm/shared/power.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/weight_check.h"

#include <math.h>

enum { STRIP = 1024 }; /* vertices that are summed up together, whoever does it */

/* ---- Loops over vertices ----------------------------------------------------------------------------------------- */

static uint64_t strips_of(uint64_t vertices) { return (vertices + STRIP - 1) / STRIP; }

static uint64_t strip_end(uint64_t vertices, uint64_t strip) {
    return vertices - strip * STRIP < STRIP ? vertices : (strip + 1) * STRIP;
}

static double row_sum(const heddle_adjacency *rows, heddle_weight_type weights, const double *from, uint64_t v) {
    double sum = 0;
    if (weights == HEDDLE_WEIGHT_NONE)
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            sum += from[rows->targets[e]];
    else
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            sum += hd_weight_at(rows->weights, weights, e) * from[rows->targets[e]];
    return sum;
}

void hd_power_pull(const hd_power *p, const heddle_adjacency *rows, const double *from, double add, double own,
                   double times, double *to) {
    uint64_t strips = strips_of(p->vertices);
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, 1) if (rows->offsets[p->vertices] >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < strips; s++)
        for (uint64_t v = s * STRIP; v < strip_end(p->vertices, s); v++)
            to[v] = add + own * from[v] + times * row_sum(rows, p->weights, from, v);
}

static double term(hd_power_sum what, double x, double y) {
    switch (what) {
    case HD_POWER_ABSOLUTE: return fabs(x);
    case HD_POWER_SQUARE: return x * x;
    case HD_POWER_APART: return fabs(x - y);
    default: return (x - y) * (x - y);
    }
}

double hd_power_sum_of(const hd_power *p, hd_power_sum what, const double *x, const double *y) {
    uint64_t strips = strips_of(p->vertices);
    double sum = 0;
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < strips; s++) {
        double part = 0;
        for (uint64_t v = s * STRIP; v < strip_end(p->vertices, s); v++)
            part += term(what, x[v], y ? y[v] : 0);
        p->partial[s] = part;
    }
    for (uint64_t s = 0; s < strips; s++)
        sum += p->partial[s];
    return sum;
}

double hd_power_most(const hd_power *p, const double *x, const double *y) {
    double most = 0;
    HD_PARALLEL_FOR(p->ctx, schedule(static) reduction(max : most) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->vertices; v++) {
        double here = fabs(x[v] - (y ? y[v] : 0));
        most = here > most ? here : most;
    }
    return most;
}

void hd_power_scale(const hd_power *p, double *x, double times) {
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->vertices; v++)
        x[v] *= times;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

heddle_status hd_power_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    if (!options->weighted || graph->weight_type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, hd_graph_on_host(graph), &out));
    return hd_weights_check(ctx, hd_graph_on_host(graph), &out, true, options->algorithm, &most);
}

static heddle_status open_graph(hd_power *p, const hd_run *run) {
    bool weighted = run->options.weighted && run->graph->weight_type != HEDDLE_WEIGHT_NONE;
    double begin = hd_clock();
    if (run->options.weighted && !weighted)
        hd_note(p->ctx, "the graph has no weights: every edge counts 1");
    p->weights = weighted ? run->graph->weight_type : HEDDLE_WEIGHT_NONE;
    if (weighted) {
        HD_TRY(heddle_graph_out(p->ctx, run->graph, &p->out));
        HD_TRY(heddle_graph_in(p->ctx, run->graph, &p->in));
    } else {
        HD_TRY(hd_graph_bare(p->ctx, run->graph, false, &p->out));
        HD_TRY(hd_graph_bare(p->ctx, run->graph, true, &p->in));
    }
    run->result->report.prepare += hd_clock() - begin;
    return HEDDLE_OK;
}

static heddle_status open_power(hd_power *p, const hd_run *run, const hd_power_rule *rule) {
    uint64_t n = p->vertices;
    HD_TRY(open_graph(p, run));
    HD_TRY(hd_result_values_new(p->ctx, run->result, HEDDLE_VALUE_F64, n));
    p->x = run->result->values;
    HD_TRY(HD_NEW(p->ctx, &p->y, n, "values of the next round"));
    HD_TRY(HD_NEW(p->ctx, &p->z, n, "sums"));
    HD_TRY(HD_NEW(p->ctx, &p->partial, strips_of(n), "sums of strips"));
    for (uint64_t v = 0; v < n; v++)
        p->x[v] = rule->same ? rule->first : rule->first / (double)n;
    return rule->open ? rule->open(p) : HEDDLE_OK;
}

/* Rounds until the values change by no more than the tolerance. */
static heddle_status iterate(hd_power *p, const hd_power_rule *rule, heddle_report *report, double *change) {
    uint64_t edges = p->in.offsets[p->vertices];
    hd_rounds_mark(p->ctx);
    for (;;) {
        *change = rule->round(p);
        report->iterations++;
        HD_ROUND(p->ctx, .rounds = 1, .vertices = p->vertices, .edges = edges, .direction = HEDDLE_DIRECTION_PULL,
                 .kernel = "sums");
        hd_advance(p->ctx, edges);
        HD_TRY(hd_cancelled_status(p->ctx));
        if (rule->check)
            HD_TRY(rule->check(p));
        report->converged = *change <= p->options->tolerance;
        if (report->converged || report->iterations >= p->options->max_iterations)
            return HEDDLE_OK;
        double *before = p->x;
        p->x = p->y;
        p->y = before;
    }
}

heddle_status hd_power_run(const hd_run *run, const hd_power_rule *rule) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    hd_power p = {.ctx = ctx, .options = &run->options, .vertices = run->graph->vertices};
    uint64_t n = p.vertices;
    double change = 0;
    heddle_status status;
    HD_TRY(run->algorithm->check(ctx, run->graph, &run->options));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_power(&p, run, rule));
    result->report.converged = 1;
    if (n)
        HD_CHECK(iterate(&p, rule, &result->report, &change));
    if (p.x != result->values) { /* the arrays have changed places */
        p.y = p.x;
        p.x = result->values;
        for (uint64_t v = 0; v < n; v++)
            p.x[v] = p.y[v];
    }
    result->report.edges_walked = result->report.iterations * p.in.offsets[n];
    hd_result_residual(result, change);
    if (rule->close)
        rule->close(&p, result);
out:
    hd_phase_end(ctx);
    if (p.y == result->values) /* an error came while the arrays had changed places */
        p.y = p.x;
    HD_DELETE(&ctx->allocator, p.y, n);
    HD_DELETE(&ctx->allocator, p.z, n);
    HD_DELETE(&ctx->allocator, p.partial, strips_of(n));
    return status;
}
