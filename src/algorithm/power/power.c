/* power.c - power iterations on the CPU; and what both engines do alike. See power.h. */
#include "algorithm/power/power.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/weight_check.h"

#include <math.h>
#include <string.h>

enum { STRIP = 1024 /* vertices that are summed up together, whoever does it */, FIRST_PROOF = 8 /* rounds */ };
static const double default_share = 0.9; /* of the largest alpha that surely converges */

typedef struct hd_power {
    heddle_context *ctx;
    const heddle_run_options *options;
    const hd_power_rule *rule;
    uint64_t vertices;
    heddle_adjacency out, in;
    heddle_weight_type weights; /* NONE: every edge counts 1 */
    double *x, *y, *z;          /* values, those of the next round, and room for a step in between */
    double *partial;            /* sums of strips of vertices */
    double times, grown;        /* factor of sums; norm of the last round's values */
    hd_power_alpha alpha;
} hd_power;

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

/* to[v] = add + own * from[v] + times * the sum of `from` over the row of v. */
static void pull(const hd_power *p, const heddle_adjacency *rows, const double *from, double add, double own,
                 double times, double *to) {
    uint64_t strips = strips_of(p->vertices);
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, 1) if (rows->offsets[p->vertices] >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < strips; s++)
        for (uint64_t v = s * STRIP; v < strip_end(p->vertices, s); v++)
            to[v] = add + own * from[v] + times * row_sum(rows, p->weights, from, v);
}

/* The terms of a sum, or of a maximum, over x - y; y NULL: over x. */
static double strip_norm(const hd_power *p, const double *x, const double *y, uint64_t strip) {
    double sum = 0;
    for (uint64_t v = strip * STRIP; v < strip_end(p->vertices, strip); v++) {
        double term = fabs(x[v] - (y ? y[v] : 0));
        switch (p->rule->norm) {
        case POWER_SUM: sum += term; break;
        case POWER_LENGTH: sum += term * term; break;
        default: sum = sum >= term ? sum : term; /* a NaN stays one */
        }
    }
    return sum;
}

/* The norm of x - y; y NULL: of x. The same for any number of threads. */
static double norm_of(const hd_power *p, const double *x, const double *y) {
    uint64_t strips = strips_of(p->vertices);
    double sum = 0;
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < strips; s++)
        p->partial[s] = strip_norm(p, x, y, s);
    for (uint64_t s = 0; s < strips; s++)
        sum = p->rule->norm != POWER_MOST ? sum + p->partial[s] : sum >= p->partial[s] ? sum : p->partial[s];
    return p->rule->norm == POWER_LENGTH ? sqrt(sum) : sum;
}

static void scale(const hd_power *p, double *x, double times) {
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->vertices; v++)
        x[v] *= times;
}

/* ---- Alike on the CPU and on devices ----------------------------------------------------------------------------- */

heddle_status hd_power_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    if (hd_power_weights(graph, options) == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, hd_graph_on_host(graph), &out));
    return hd_weights_check(ctx, hd_graph_on_host(graph), &out, true, options->algorithm, &most);
}

heddle_weight_type hd_power_weights(const heddle_graph *graph, const heddle_run_options *options) {
    return options->weighted ? graph->weight_type : HEDDLE_WEIGHT_NONE;
}

double hd_power_first(const hd_power_rule *rule, uint64_t vertices) {
    double n = (double)vertices;
    return rule->norm == POWER_SUM ? 1 / n : rule->norm == POWER_LENGTH ? 1 / sqrt(n) : 1;
}

void hd_power_alpha_choose(double requested, double in, double out, hd_power_alpha *alpha) {
    double bound = in < out ? in : out;
    alpha->bound = bound;
    alpha->alpha = requested > 0 ? requested : bound > 0 ? default_share / bound : 1;
    alpha->next = alpha->alpha * bound < 1 ? 0 : FIRST_PROOF;
}

bool hd_power_alpha_due(hd_power_alpha *alpha, uint64_t rounds) {
    if (!alpha->next || rounds < alpha->next)
        return false;
    while (alpha->next <= rounds)
        alpha->next *= 2;
    return true;
}

heddle_status hd_power_diverges(heddle_context *ctx, const hd_power_alpha *alpha, double ratio) {
    double bound = ratio < alpha->alpha * alpha->bound ? ratio / alpha->alpha : alpha->bound;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                   "alpha %g: the sums grow without end: it is not below the reciprocal of the largest eigenvalue; "
                   "%.3g converges",
                   alpha->alpha, default_share / bound);
}

heddle_status hd_power_too_large(heddle_context *ctx, const hd_power_alpha *alpha) {
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "alpha %g: the sums exceed double precision; %.3g converges", alpha->alpha,
                   default_share / alpha->bound);
}

void hd_power_close(const hd_run *run, const hd_power_rule *rule, const hd_power_alpha *alpha, double grown) {
    heddle_result *result = run->result;
    double *values = result->values, squares = 0, most = 0;
    uint64_t n = result->count;
    for (uint64_t v = 0; v < n && rule->walks && run->options.normalized; v++)
        squares += values[v] * values[v];
    for (uint64_t v = 0; v < n && squares > 0; v++)
        values[v] *= 1 / sqrt(squares);
    HD_PARALLEL_FOR(run->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        most = values[v] > most ? values[v] : most;
    if (rule->walks)
        hd_result_figure(result, "alpha", alpha->alpha);
    if (rule->own > 0) /* the growth of a round, without what the vertices themselves add */
        hd_result_figure(result, "eigenvalue", n ? grown - rule->own : 0);
    hd_result_figure(result, "max", most);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_status open_graph(hd_power *p, const hd_run *run) {
    double begin = hd_clock();
    p->weights = hd_power_weights(run->graph, &run->options);
    if (p->weights) {
        HD_TRY(heddle_graph_out(p->ctx, run->graph, &p->out));
        HD_TRY(heddle_graph_in(p->ctx, run->graph, &p->in));
    } else {
        HD_TRY(hd_graph_bare(p->ctx, run->graph, false, &p->out));
        HD_TRY(hd_graph_bare(p->ctx, run->graph, true, &p->in));
    }
    run->result->report.prepare += hd_clock() - begin;
    return HEDDLE_OK;
}

/* Of katz: the largest sums of rows are those of values that are all 1, as they are now. */
static void open_alpha(hd_power *p) {
    pull(p, &p->in, p->x, 0, 0, 1, p->y);
    pull(p, &p->out, p->x, 0, 0, 1, p->z);
    hd_power_alpha_choose(p->options->alpha, norm_of(p, p->y, NULL), norm_of(p, p->z, NULL), &p->alpha);
    p->times = p->alpha.alpha;
}

static heddle_status open_power(hd_power *p, const hd_run *run) {
    uint64_t n = p->vertices;
    HD_TRY(open_graph(p, run));
    HD_TRY(hd_result_values_new(p->ctx, run->result, HEDDLE_VALUE_F64, n));
    p->x = run->result->values;
    HD_TRY(HD_NEW(p->ctx, &p->y, n, "values of the next round"));
    HD_TRY(HD_NEW(p->ctx, &p->z, n, "sums"));
    HD_TRY(HD_NEW(p->ctx, &p->partial, strips_of(n), "sums of strips"));
    for (uint64_t v = 0; v < n; v++)
        p->x[v] = hd_power_first(p->rule, n);
    p->times = 1;
    if (p->rule->walks)
        open_alpha(p);
    return HEDDLE_OK;
}

/* y from x; returns how far apart the two are. */
static double one_round(hd_power *p) {
    const hd_power_rule *rule = p->rule;
    bool swapped = rule->two_steps && p->options->hubs;
    const double *from = p->x;
    if (rule->two_steps) {
        pull(p, swapped ? &p->in : &p->out, p->x, 0, 0, 1, p->z);
        double half = norm_of(p, p->z, NULL); /* against sums that grow beyond all numbers where weights are large */
        p->times = half > 0 ? 1 / half : 1;
        from = p->z;
    }
    pull(p, swapped ? &p->out : &p->in, from, rule->add, rule->own, p->times, p->y);
    p->grown = norm_of(p, p->y, NULL);
    if (!rule->scaled)
        return norm_of(p, p->x, p->y) / p->grown;
    if (p->grown > 0)
        scale(p, p->y, 1 / p->grown);
    else /* no edges: all are alike */
        memcpy(p->y, p->x, p->vertices * sizeof *p->y);
    return norm_of(p, p->x, p->y);
}

/* Tries to prove that the sums diverge (power.h). y has the values before x, and is overwritten. */
static heddle_status try_proof(hd_power *p) {
    const double least = 1 + POWER_ROUNDING;
    bool marked = false, smaller = false;
    double ratio = 0;
    for (uint64_t v = 0; v < p->vertices; v++)
        p->z[v] = p->x[v] - p->y[v] >= 1 ? p->x[v] : 0;
    pull(p, &p->in, p->z, 0, 0, p->times, p->y);
    for (uint64_t v = 0; v < p->vertices; v++) {
        marked = marked || p->z[v] > 0;
        smaller = smaller || (p->z[v] > 0 && !(p->y[v] >= least * p->z[v]));
    }
    if (!marked || smaller)
        return HEDDLE_OK;
    pull(p, &p->in, p->x, 0, 0, p->times, p->y);
    for (uint64_t v = 0; v < p->vertices; v++)
        ratio = fmax(ratio, p->y[v] / p->x[v]);
    return hd_power_diverges(p->ctx, &p->alpha, ratio);
}

/* Rounds until the values change by no more than the tolerance. */
static heddle_status iterate(hd_power *p, heddle_report *report, double *change) {
    uint64_t edges = p->in.offsets[p->vertices];
    hd_rounds_mark(p->ctx);
    for (;;) {
        *change = one_round(p);
        report->iterations++;
        HD_ROUND(p->ctx, .rounds = 1, .vertices = p->vertices, .edges = edges, .direction = HEDDLE_DIRECTION_PULL,
                 .kernel = "sums");
        hd_advance(p->ctx, edges);
        HD_TRY(hd_cancelled_status(p->ctx));
        if (p->rule->walks && !(p->grown < POWER_LARGEST))
            return hd_power_too_large(p->ctx, &p->alpha);
        report->converged = *change <= p->options->tolerance;
        if (report->converged || report->iterations >= p->options->max_iterations)
            return HEDDLE_OK;
        double *before = p->x;
        p->x = p->y;
        p->y = before;
        if (hd_power_alpha_due(&p->alpha, report->iterations))
            HD_TRY(try_proof(p));
    }
}

heddle_status hd_power_run(const hd_run *run, const hd_power_rule *rule) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    hd_power p = {.ctx = ctx, .options = &run->options, .rule = rule, .vertices = run->graph->vertices};
    uint64_t n = p.vertices;
    double change = 0;
    heddle_status status;
    HD_TRY(run->algorithm->check(ctx, run->graph, &run->options));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_power(&p, run));
    result->report.converged = 1;
    if (n)
        HD_CHECK(iterate(&p, &result->report, &change));
    if (p.x != result->values) { /* the arrays have changed places */
        p.y = p.x;
        p.x = result->values;
        memcpy(p.x, p.y, n * sizeof *p.x);
    }
    result->report.edges_walked = result->report.iterations * p.in.offsets[n];
    hd_result_residual(result, change);
    hd_power_close(run, rule, &p.alpha, p.grown);
out:
    hd_phase_end(ctx);
    if (p.y == result->values) /* an error came while the arrays had changed places */
        p.y = p.x;
    HD_DELETE(&ctx->allocator, p.y, n);
    HD_DELETE(&ctx->allocator, p.z, n);
    HD_DELETE(&ctx->allocator, p.partial, strips_of(n));
    return status;
}
