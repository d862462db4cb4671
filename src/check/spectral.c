/* spectral.c - eigenvector, katz, hits: sequential references, and the certificate of a result.
 *
 * The certificate makes one more round, in separate code over the out-edges: values of a run that converged may change
 * by no more than the tolerance, those of another by no more than the residual that its report has, in the algorithm's
 * own measure; and their scale is the one that the algorithm promises. For a vector of that length, which is not
 * negative, this is what the definition demands, up to the residual.
 *
 * From there to the error. katz solves a linear system, and bound.h has the proof. How far a vector is from an
 * eigenvector depends on the gap between the two largest eigenvalues, of which nothing is known: for eigenvector and
 * hits the certificate proves the residual, and no more.
 */
#include "base/memory.h"
#include "check/bound.h"
#include "check/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum kind { EIGENVECTOR, KATZ, HITS } kind;

typedef struct spectral {
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_run_options *options;
    kind kind;
    heddle_adjacency out;
    heddle_weight_type weights; /* NONE: every edge counts 1 */
    double *x, *next, *half;
    double alpha;
} spectral;

static double weight_of(const spectral *s, uint64_t e) { return hd_weight_at(s->out.weights, s->weights, e); }

/* to[v] = the sum of `from` over the edges into v, or, with `outward`, over those out of it. */
static void sum_edges(const spectral *s, bool outward, const double *from, double *to) {
    uint64_t n = s->graph->vertices;
    memset(to, 0, n * sizeof *to);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++)
            to[outward ? u : s->out.targets[e]] += weight_of(s, e) * from[outward ? s->out.targets[e] : u];
}

/* The largest sum of the weights of a vertex' edges. */
static double largest_sum(spectral *s, bool outward) {
    double most = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        s->half[v] = 1;
    sum_edges(s, outward, s->half, s->next);
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        most = fmax(most, s->next[v]);
    return most;
}

static heddle_status open_spectral(spectral *s) {
    uint64_t n = s->graph->vertices;
    HD_TRY(heddle_graph_out(s->ctx, s->graph, &s->out));
    HD_TRY(HD_NEW(s->ctx, &s->x, n, "values"));
    HD_TRY(HD_NEW(s->ctx, &s->next, n, "values"));
    HD_TRY(HD_NEW(s->ctx, &s->half, n, "values"));
    s->weights = s->options->weighted ? s->graph->weight_type : HEDDLE_WEIGHT_NONE;
    double bound = fmin(largest_sum(s, false), largest_sum(s, true));
    s->alpha = s->options->alpha > 0 ? s->options->alpha : bound > 0 ? 0.9 / bound : 1;
    return HEDDLE_OK;
}

static void close_spectral(spectral *s) {
    uint64_t n = s->graph->vertices;
    HD_DELETE(&s->ctx->allocator, s->x, n);
    HD_DELETE(&s->ctx->allocator, s->next, n);
    HD_DELETE(&s->ctx->allocator, s->half, n);
}

/* Divides by the length: of squares with power 2, of the values with power 1. False: it is 0. */
static bool to_length_one(double *x, uint64_t n, int power) {
    double sum = 0;
    for (uint64_t v = 0; v < n; v++)
        sum += power == 2 ? x[v] * x[v] : fabs(x[v]);
    sum = power == 2 ? sqrt(sum) : sum;
    for (uint64_t v = 0; v < n && sum > 0; v++)
        x[v] /= sum;
    return sum > 0;
}

/* The next values, and how far they are from the present ones. */
static double one_round(spectral *s) {
    uint64_t n = s->graph->vertices;
    double change = 0, most = 0;
    if (s->kind == HITS) {
        sum_edges(s, !s->options->hubs, s->x, s->half);
        to_length_one(s->half, n, 1);
        sum_edges(s, s->options->hubs, s->half, s->next);
        if (!to_length_one(s->next, n, 1))
            for (uint64_t v = 0; v < n; v++)
                s->next[v] = 1 / (double)n;
    } else {
        sum_edges(s, false, s->x, s->next);
        for (uint64_t v = 0; v < n; v++)
            s->next[v] = s->kind == KATZ ? 1 + s->alpha * s->next[v] : s->x[v] + s->next[v];
        if (s->kind == EIGENVECTOR)
            to_length_one(s->next, n, 2);
    }
    for (uint64_t v = 0; v < n; v++) {
        double apart = fabs(s->next[v] - s->x[v]);
        most = fmax(most, fabs(s->next[v]));
        change = s->kind == HITS ? change + apart : s->kind == KATZ ? fmax(change, apart) : change + apart * apart;
    }
    return s->kind == EIGENVECTOR ? sqrt(change) : s->kind == KATZ && most > 0 ? change / most : change;
}

/* ---- References -------------------------------------------------------------------------------------------------- */

static heddle_status iterate(spectral *s, heddle_result *result) {
    uint64_t n = s->graph->vertices;
    heddle_report *report = &result->report;
    double change = 0;
    report->converged = 1;
    for (uint64_t v = 0; v < n; v++)
        s->x[v] = s->kind == KATZ ? 1 : s->kind == HITS ? 1 / (double)n : 1 / sqrt((double)n);
    while (n) {
        change = one_round(s);
        report->iterations++;
        hd_advance(s->ctx, s->graph->edges);
        HD_TRY(hd_cancelled_status(s->ctx));
        report->converged = change <= s->options->tolerance;
        if (report->converged || report->iterations >= s->options->max_iterations || !isfinite(change))
            break;
        memcpy(s->x, s->next, n * sizeof *s->x);
    }
    hd_result_residual(result, change);
    return HEDDLE_OK;
}

static heddle_status refer(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, kind kind,
                           heddle_result *result) {
    spectral s = {.ctx = ctx, .graph = graph, .options = options, .kind = kind};
    heddle_status status;
    hd_phase_begin(ctx, "reference", 0);
    HD_CHECK(open_spectral(&s));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, graph->vertices));
    HD_CHECK(iterate(&s, result));
    if (kind == KATZ && options->normalized)
        to_length_one(s.x, graph->vertices, 2);
    memcpy(result->values, s.x, graph->vertices * sizeof *s.x);
out:
    hd_phase_end(ctx);
    close_spectral(&s);
    return status;
}

/* ---- Certificate ------------------------------------------------------------------------------------------------- */

/* Values are not negative, and have the length that they ought to. */
static heddle_status check_scale(const spectral *s, const heddle_result *result) {
    uint64_t n = s->graph->vertices;
    bool squares = s->kind != HITS, promised = s->kind != KATZ || s->options->normalized;
    double sum = 0;
    for (uint64_t v = 0; v < n; v++) {
        double value = ((const double *)result->values)[v];
        if (!(value >= 0) || isinf(value) || (!promised && value < 1))
            return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex number %llu has %.17g", (unsigned long long)v, value);
        sum += squares ? value * value : value;
    }
    if (n && promised && fabs(sum - 1) > 1e-9)
        return hd_fail(s->ctx, HEDDLE_E_VERIFY, "the sum of %s is %.17g, expected 1", squares ? "squares" : "values",
                       sum);
    return HEDDLE_OK;
}

/* Multiplies values of katz that were divided by their length: x - alpha A x is 1 at every vertex before, and so the
 * mean of it is the factor. */
static void restore(spectral *s) {
    uint64_t n = s->graph->vertices;
    double sum = 0;
    sum_edges(s, false, s->x, s->next);
    for (uint64_t v = 0; v < n; v++)
        sum += s->x[v] - s->alpha * s->next[v];
    for (uint64_t v = 0; v < n && sum > 0; v++)
        s->x[v] *= (double)n / sum;
}

static double go_on(void *state) {
    spectral *s = state;
    double change = one_round(s);
    memcpy(s->x, s->next, s->graph->vertices * sizeof *s->x);
    return change;
}

/* katz: `next` is one round after x. Values that were divided by their length: of two vectors, divided by theirs, the
 * difference is at most twice the difference before, over the length of one of them. */
static heddle_status prove_error(const spectral *s, heddle_result *result) {
    uint64_t n = s->graph->vertices;
    hd_bound_rule rule = {.out = s->out, .weights = s->weights, .all = s->alpha};
    double factor, residual = 0, most = 0, least = HUGE_VAL, squares = 0;
    HD_TRY(hd_bound_factor(s->ctx, s->graph, &rule, &factor));
    for (uint64_t v = 0; v < n; v++) {
        residual = fmax(residual, fabs(s->next[v] - s->x[v]) + DBL_EPSILON * (double)(s->graph->edges + 4) * s->x[v]);
        most = fmax(most, s->x[v]);
        least = fmin(least, s->x[v]);
        squares += s->x[v] * s->x[v];
    }
    double error = residual * factor, length = s->options->normalized && n ? sqrt(squares) : 0;
    if (!hd_bound_useful(error, most))
        return HEDDLE_OK;
    if (length > 0) {
        error *= 2 * sqrt((double)n) / length;
        least /= length;
    }
    result->report.error_bound = error;
    result->report.relative_error = hd_bound_relative(error, least);
    return HEDDLE_OK;
}

static heddle_status validate(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              kind kind, heddle_result *result) {
    spectral s = {.ctx = ctx, .graph = graph, .options = options, .kind = kind};
    uint64_t n = graph->vertices;
    heddle_status status;
    if (result->count != n || result->type != HEDDLE_VALUE_F64)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one value of double precision for each of %llu vertices",
                       (unsigned long long)n);
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_spectral(&s));
    HD_CHECK(check_scale(&s, result));
    memcpy(s.x, result->values, n * sizeof *s.x);
    if (kind == KATZ && options->normalized)
        restore(&s);
    double allowed = fmax(options->tolerance, result->report.converged ? 0 : result->residual), change = one_round(&s);
    allowed = allowed * (1 + 1e-6) + DBL_EPSILON * 64 * (1 + sqrt((double)n + (double)graph->edges));
    if (kind == KATZ && options->normalized)
        allowed *= 2; /* the factor is only as exact as the mean of all residuals */
    if (!(change <= allowed))
        HD_CHECK(hd_fail(ctx, HEDDLE_E_VERIFY, "another round changes the values by %.3g: at most %.3g is allowed",
                         change, allowed));
    result->report.residual_verified = change;
    if (!result->report.converged)
        HD_CHECK(hd_not_converged(ctx, result->report.iterations, change, options->tolerance,
                                  hd_rounds_left(go_on, &s, options->tolerance)));
    if (kind == KATZ)
        HD_CHECK(prove_error(&s, result));
    status = hd_advance(ctx, 0) ? hd_cancelled_status(ctx) : HEDDLE_OK;
out:
    hd_phase_end(ctx);
    close_spectral(&s);
    return status;
}

#define DEFINE(name, KIND)                                                                                            \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result) {                     \
        return refer(ctx, graph, options, KIND, result);                                                              \
    }                                                                                                                 \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   heddle_result *result) {                                                           \
        return validate(ctx, graph, options, KIND, result);                                                           \
    }

DEFINE(eigenvector, EIGENVECTOR)
DEFINE(katz, KATZ)
DEFINE(hits, HITS)
