/* rank_options.c - see rank_options.h. */
#include "engine/rank_options.h"

#include "engine/vertex_name.h"
#include "engine/weight_check.h"

#include <math.h>

static bool unfit(double value) { return !(value >= 0 && value <= HUGE_VAL) || isinf(value); }

static heddle_status check_weights(heddle_context *ctx, const heddle_graph *graph, hd_rank_terms *terms) {
    heddle_adjacency out;
    double most;
    if (graph->weight_type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    graph = hd_graph_on_host(graph);
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    if (hd_weights_may_be_bad(graph, true))
        HD_TRY(hd_weights_check_part(ctx, graph, &out, 0, graph->edges, true, "pr", &most));
    terms->weights = graph->weight_type;
    return HEDDLE_OK;
}

heddle_status hd_rank_terms_of(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               hd_rank_terms *terms) {
    double sum = 0;
    *terms = (hd_rank_terms){.weights = HEDDLE_WEIGHT_NONE, .personal = options->personalization};
    if (options->weighted)
        HD_TRY(check_weights(ctx, graph, terms));
    for (uint64_t v = 0; v < graph->vertices && terms->personal; v++) {
        if (unfit(terms->personal[v]))
            return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                           "personalisation of vertex %s is %g: expected a finite number, 0 or more",
                           hd_vertex_name(ctx, graph, (heddle_vertex)v).text, terms->personal[v]);
        sum += terms->personal[v];
    }
    if (terms->personal && graph->vertices && !(sum > 0 && sum <= HUGE_VAL && !isinf(sum)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the personalisation adds up to %g: expected a finite number above 0",
                       sum);
    terms->personal_scale = 1 / (terms->personal ? sum : (double)graph->vertices);
    return HEDDLE_OK;
}

/* ---- The error budget ------------------------------------------------------------------------------------------ */

/* Rounding in L1. A round in single rounds shares and ranks, which sum to 1, at most four times to 24 bits; sums of k
 * terms in double have a relative error of k / 2^53. Ranks computed in double and returned in single are rounded once
 * more, at the end. */
typedef struct rounding {
    double round, end;
} rounding;

static rounding rounding_of(const heddle_graph *graph, const heddle_run_options *options, double tolerance) {
    double terms = (double)graph->edges + 64; /* and a few more roundings of each rank */
    bool single = options->precision != HEDDLE_PRECISION_DOUBLE;
    bool weighted = options->weighted && graph->weight_type != HEDDLE_WEIGHT_NONE;
    bool in_single = single && !weighted && tolerance >= HD_RANK_SINGLE_TOLERANCE;
    return (rounding){terms * 0x1p-53 + (in_single ? 0x1p-22 : 0), single && !in_single ? 0x1p-24 : 0};
}

static double proven(double damping, rounding r, double residual) {
    return (damping * residual + r.round) / (1 - damping) + r.end;
}

double hd_rank_bound(const heddle_graph *graph, const heddle_run_options *options, double residual) {
    return graph->vertices ? proven(options->damping, rounding_of(graph, options, options->tolerance), residual) : 0;
}

heddle_status hd_rank_tolerance(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                double *tolerance) {
    enum { ALL = 3 }; /* more than any change */
    const double damping = options->damping;
    for (int in_double = 0; in_double < 2; in_double++) {
        rounding r = rounding_of(graph, options, in_double ? 0 : ALL);
        double left = (options->max_error - r.end) * (1 - damping) - r.round;
        double least = in_double ? 4 * r.round : HD_RANK_SINGLE_TOLERANCE; /* changes shrink at least so far */
        double most = in_double ? 0.5 * HD_RANK_SINGLE_TOLERANCE : ALL;
        *tolerance = damping > 0 ? left / damping : left > 0 ? ALL : 0;
        if (*tolerance >= least) {
            *tolerance = *tolerance < most ? *tolerance : most;
            return HEDDLE_OK;
        }
    }
    rounding r = rounding_of(graph, options, 0);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "max_error %g: rounding allows no smaller bound than %.3g%s",
                   options->max_error, proven(damping, r, 4 * r.round),
                   r.end > 0 ? " in single precision; double allows smaller ones" : "");
}
