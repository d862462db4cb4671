/* rank.c - PageRank: sequential power iteration in double, and the residual of a result.
 *
 * The certificate. Let F be one round of the definition. A run stops when a round moved its vector by less than r in
 * the L1 norm (the tolerance, or what it reported when it ran out of rounds). F shrinks distances by the damping d, so
 * its result x obeys |x - F(x)| <= d * r + rounding; and any such x lies within (d * r + rounding) / (1 - d) of the
 * true ranks; the report's error_bound is that of the |x - F(x)| found. The sum of x is 1 for any r, and no rank is
 * below the vertex's share of 1 - d.
 *
 * That is a bound of all errors together, and small ranks may be far off. To bound each one, let F be M x + (1 - d) p.
 * The true ranks are x* = (I - M)^-1 (1 - d) p, and x is off by (I - M)^-1 (F(x) - x). So where |F(x) - x| is at most
 * q (1 - d) p at every vertex, no rank is off by more than q of itself. Rounds go on from the result until q is small.
 * Ranks after them are within q of the true ones, and so the result's distance from these is known.
 */
#include "base/memory.h"
#include "check/bound.h"
#include "check/check.h"
#include "check/each.h"
#include "engine/rank_options.h"
#include "engine/vertex_name.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding of one round, in L1. Single: ranks and shares are rounded to 24 bits. Double: sums of a million terms. */
static const double single_rounding = 0x1p-22, double_rounding = 1e-10;
/* q: as much of the relative error may be uncertain, or this much of the ranks; budget: of edges and vertices. */
static const double share_of_error = 0.1, precise = 1e-5;
static const uint64_t budget = UINT64_C(1) << 28, most_rounds = 1 << 12;

typedef struct surfer {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    hd_rank_terms terms;
    double damping;
    double *x, *next;
} surfer;

static void close_surfer(surfer *s) {
    HD_DELETE(&s->ctx->allocator, s->x, s->graph->vertices);
    HD_DELETE(&s->ctx->allocator, s->next, s->graph->vertices);
}

static heddle_status open_surfer(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 surfer *s) {
    *s = (surfer){.ctx = ctx, .graph = graph, .damping = options->damping};
    HD_TRY(hd_rank_terms_of(ctx, graph, options, &s->terms));
    HD_TRY(heddle_graph_out(ctx, graph, &s->out));
    HD_TRY(HD_NEW(ctx, &s->x, graph->vertices, "ranks"));
    heddle_status status = HD_NEW(ctx, &s->next, graph->vertices, "ranks");
    if (status != HEDDLE_OK)
        close_surfer(s);
    return status;
}

/* v's share of the rank that is distributed over all vertices. */
static double part(const surfer *s, uint64_t v) {
    return (s->terms.personal ? s->terms.personal[v] : 1) * s->terms.personal_scale;
}

static double weight(const surfer *s, uint64_t e) { return hd_weight_at(s->out.weights, s->terms.weights, e); }

/* next = F(x): every vertex sends its rank along its out-edges; one that has none sends it to all. */
static heddle_status surf(surfer *s) {
    double dangling = 0;
    memset(s->next, 0, s->graph->vertices * sizeof *s->next);
    for (uint64_t u = 0; u < s->graph->vertices; u++) {
        uint64_t from = s->out.offsets[u], to = s->out.offsets[u + 1];
        double total = s->terms.weights ? 0 : (double)(to - from);
        for (uint64_t e = from; s->terms.weights && e < to; e++)
            total += weight(s, e);
        if (!(total > 0))
            dangling += s->x[u];
        for (uint64_t e = from; total > 0 && e < to; e++)
            s->next[s->out.targets[e]] += s->damping * s->x[u] / total * weight(s, e);
        if (u % 4096 == 0 && hd_advance(s->ctx, 4096))
            return hd_cancelled_status(s->ctx);
    }
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        s->next[v] += part(s, v) * (1 - s->damping + s->damping * dangling);
    return HEDDLE_OK;
}

/* ---- Reference ----------------------------------------------------------------------------------------------- */

static heddle_status power_iteration(surfer *s, const heddle_run_options *options, heddle_report *report,
                                     double *change) {
    uint64_t n = s->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        s->x[v] = part(s, v);
    *change = 0;
    report->converged = n == 0;
    while (!report->converged && report->iterations < options->max_iterations) {
        HD_TRY(surf(s));
        *change = 0;
        for (uint64_t v = 0; v < n; v++)
            *change += fabs(s->next[v] - s->x[v]);
        double *old = s->x;
        s->x = s->next;
        s->next = old;
        report->iterations++;
        report->converged = *change < options->tolerance;
    }
    return HEDDLE_OK;
}

static heddle_status hand_over(surfer *s, bool single, double change, heddle_result *result) {
    double most = 0, sum = 0;
    HD_TRY(hd_result_values_new(s->ctx, result, single ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64, s->graph->vertices));
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        if (single)
            ((float *)result->values)[v] = (float)s->x[v];
        else
            ((double *)result->values)[v] = s->x[v];
        most = s->x[v] > most ? s->x[v] : most;
        sum += s->x[v];
    }
    hd_result_residual(result, change);
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "sum", sum);
    return HEDDLE_OK;
}

heddle_status hd_reference_pr(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    surfer s;
    heddle_status status;
    double change;
    if (options->each)
        return hd_reference_each(ctx, graph, options, hd_reference_pr, result);
    HD_TRY(open_surfer(ctx, graph, options, &s));
    hd_phase_begin(ctx, "reference", 0);
    HD_CHECK(power_iteration(&s, options, &result->report, &change));
    result->report.edges_walked = result->report.iterations * graph->edges;
    HD_CHECK(hand_over(&s, options->precision != HEDDLE_PRECISION_DOUBLE, change, result));
out:
    hd_phase_end(ctx);
    close_surfer(&s);
    return status;
}

/* ---- Validator ----------------------------------------------------------------------------------------------- */

/* Upper bound of the L1 change of the last round. */
static heddle_status last_change(heddle_context *ctx, const heddle_run_options *options, const heddle_result *result,
                                 double *change) {
    *change = options->tolerance;
    if (result->report.converged)
        return HEDDLE_OK;
    if (isnan(result->residual))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the run did not converge, and reports no residual to be held to");
    *change = result->residual;
    return HEDDLE_OK;
}

static heddle_status read_ranks(surfer *s, const heddle_result *result) {
    double grain = result->type == HEDDLE_VALUE_F32 ? (double)FLT_MIN : DBL_MIN;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        double rank = heddle_result_value(result, (heddle_vertex)v), least = (1 - s->damping) * part(s, v);
        if (!(rank >= least * (1 - 0x1p-20) - grain && rank <= 2))
            return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex %s has rank %.9g: expected %.9g to 1",
                           hd_vertex_name(s->ctx, s->graph, (heddle_vertex)v).text, rank, least);
        s->x[v] = rank;
    }
    return HEDDLE_OK;
}

static heddle_status check_residual(surfer *s, double allowed, double *found) {
    double residual = 0, worst = 0;
    uint64_t where = 0;
    HD_TRY(surf(s));
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        double off = fabs(s->x[v] - s->next[v]);
        residual += off;
        if (off > worst) {
            worst = off;
            where = v;
        }
    }
    *found = residual;
    if (residual <= allowed)
        return HEDDLE_OK;
    return hd_fail(s->ctx, HEDDLE_E_VERIFY,
                   "the ranks miss their equation by %.3g, expected at most %.3g; vertex %s most: %.9g instead of %.9g",
                   residual, allowed, hd_vertex_name(s->ctx, s->graph, (heddle_vertex)where).text, s->x[where],
                   s->next[where]);
}

static heddle_status check_sum(const surfer *s, double allowed) {
    double sum = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        sum += s->x[v];
    if (s->graph->vertices == 0 || fabs(sum - 1) <= allowed)
        return HEDDLE_OK;
    return hd_fail(s->ctx, HEDDLE_E_VERIFY, "the ranks add up to %.12g, expected 1 within %.3g", sum, allowed);
}

/* A round; returns its change. */
static double go_on(void *state) {
    surfer *s = state;
    double change = 0, *before = s->x;
    if (surf(s) != HEDDLE_OK)
        return NAN; /* cancelled */
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        change += fabs(s->next[v] - s->x[v]);
    s->x = s->next;
    s->next = before;
    return change;
}

/* q of the head of this file, for x, of which `next` is F. */
static double certainty(const surfer *s) {
    double most = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        double off = fabs(s->next[v] - s->x[v]) + double_rounding * s->next[v];
        most = off > 0 ? fmax(most, off / ((1 - s->damping) * part(s, v))) : most;
    }
    return most;
}

/* The most that a rank of the result may be off by, over the true one. */
static double relative_error(const surfer *s, const heddle_result *result, double q) {
    double most = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        double off = fabs(heddle_result_value(result, (heddle_vertex)v) - s->x[v]);
        most = off > 0 ? fmax(most, off / s->x[v]) : most;
    }
    return q + most * (1 + q);
}

/* Rounds go on from the result, in `x`, and one after it, in `next`. Where jumps go to some vertices only, nothing
 * is known of the others. */
static heddle_status prove_each(surfer *s, heddle_result *result) {
    uint64_t rounds = budget / (s->graph->vertices + s->graph->edges + 1) + 2;
    rounds = rounds < most_rounds ? rounds : most_rounds;
    double q = certainty(s), error = relative_error(s, result, q);
    for (; q > fmax(precise, share_of_error * error) && isfinite(q) && rounds; rounds--) {
        double *before = s->x;
        s->x = s->next;
        s->next = before;
        HD_TRY(surf(s));
        q = certainty(s);
        error = relative_error(s, result, q);
    }
    result->report.relative_error = q < 1 && error < 1 ? error : -1;
    return HEDDLE_OK;
}

heddle_status hd_verify_pr(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result) {
    surfer s;
    heddle_status status;
    double change, rounding = double_rounding + (result->type == HEDDLE_VALUE_F32 ? single_rounding : 0);
    if (options->each)
        return hd_verify_each(ctx, graph, options, hd_verify_pr, result);
    if (result->count != graph->vertices || (result->type != HEDDLE_VALUE_F32 && result->type != HEDDLE_VALUE_F64))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the result does not hold one rank for each vertex");
    HD_TRY(last_change(ctx, options, result, &change));
    HD_TRY(open_surfer(ctx, graph, options, &s));
    hd_phase_begin(ctx, "verify", graph->vertices);
    HD_CHECK(read_ranks(&s, result));
    HD_CHECK(check_residual(&s, options->damping * change + rounding, &result->report.residual_verified));
    HD_CHECK(check_sum(&s, rounding / (1 - options->damping)));
    if (!result->report.converged && !result->report.approximate)
        HD_CHECK(hd_not_converged(ctx, result->report.iterations, change, options->tolerance,
                                  hd_rounds_left(go_on, &s, options->tolerance)));
    if (!result->report.approximate) {
        HD_CHECK(prove_each(&s, result));
        result->report.error_bound = (result->report.residual_verified + double_rounding) / (1 - options->damping);
    }
out:
    hd_phase_end(ctx);
    close_surfer(&s);
    return status;
}
