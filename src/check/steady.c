/* steady.c - hs, cs and nn: sequential rounds in double, and the residual of a result.
 *
 * The certificate. A run ends when no value moved by more than r (the tolerance, or the residual it reported when it
 * ran out of rounds). Applying the rule once more to its result x therefore moves vertex v by at most r times the sum
 * of |coefficients| of the rule at v, plus rounding; fixed vertices hold their given value exactly.
 */
#include "base/memory.h"
#include "check/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum rule { HEAT, CIRCUIT, NETWORK } rule;

typedef struct steady {
    rule rule;
    const heddle_graph *graph;
    heddle_adjacency in;
    double rate;
    double *value;        /* initial, then current */
    unsigned char *fixed; /* NULL: none */
    unsigned char *own_fixed;
} steady;

static void close_steady(heddle_context *ctx, steady *s) {
    HD_DELETE(&ctx->allocator, s->value, s->graph->vertices);
    HD_DELETE(&ctx->allocator, s->own_fixed, s->graph->vertices);
}

static heddle_status open_steady(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 rule rule, steady *s) {
    uint64_t n = graph->vertices;
    *s = (steady){.rule = rule, .graph = graph, .rate = options->rate};
    HD_TRY(heddle_graph_in(ctx, graph, &s->in));
    HD_TRY(HD_NEW(ctx, &s->value, n, "values"));
    for (uint64_t v = 0; v < n; v++)
        s->value[v] = options->initial ? options->initial[v] : rule == NETWORK ? 1 : 0;
    s->fixed = (unsigned char *)(uintptr_t)options->fixed;
    if (options->initial || options->fixed || rule == NETWORK || n == 0)
        return HEDDLE_OK;
    heddle_status status = HD_NEW_ZERO(ctx, &s->own_fixed, n, "fixed vertices");
    if (status != HEDDLE_OK) {
        close_steady(ctx, s);
        return status;
    }
    s->fixed = s->own_fixed;
    if (rule == CIRCUIT)
        s->own_fixed[n - 1] = 1;
    s->own_fixed[0] = 1;
    s->value[0] = 1;
    return HEDDLE_OK;
}

/* The rule at one vertex; `gain` receives the sum of its |coefficients|, `size` the magnitude that rounding sees. */
static double apply(const steady *s, const double *x, uint64_t v, double *gain, double *size) {
    double sum = 0, weight = 0, magnitude = 0, large = fabs(x[v]);
    uint64_t from = s->in.offsets[v], to = s->in.offsets[v + 1];
    *gain = 1;
    *size = large;
    if ((s->fixed && s->fixed[v]) || from == to)
        return x[v];
    for (uint64_t e = from; e < to; e++) {
        double w = hd_weight_at(s->in.weights, s->graph->weight_type, e), term = w * x[s->in.targets[e]];
        sum += term;
        weight += w;
        magnitude += fabs(w);
        *size += fabs(term);
    }
    if (s->rule == NETWORK) {
        *gain = magnitude;
        return tanh(sum);
    }
    if (!(magnitude > 0))
        return x[v];
    *size = large + *size / magnitude;
    if (s->rule == CIRCUIT)
        return sum / weight;
    *gain = fabs(1 - s->rate * weight / magnitude) + s->rate;
    return x[v] + s->rate * (sum - x[v] * weight) / magnitude;
}

static heddle_status reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               rule rule, heddle_result *result) {
    steady s;
    double *next = NULL, largest = INFINITY, gain, size;
    uint64_t n = graph->vertices, round = 0;
    heddle_status status;
    HD_TRY(open_steady(ctx, graph, options, rule, &s));
    HD_CHECK(HD_NEW(ctx, &next, n, "values"));
    for (; round < options->max_iterations && largest > options->tolerance; round++) {
        largest = 0;
        for (uint64_t v = 0; v < n; v++) {
            next[v] = apply(&s, s.value, v, &gain, &size);
            largest = fmax(largest, fabs(next[v] - s.value[v]));
        }
        double *swap = next;
        next = s.value;
        s.value = swap;
        HD_CHECK(hd_cancelled_status(ctx));
    }
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, n));
    memcpy(result->values, s.value, n * sizeof *s.value);
    result->report.iterations = round;
    result->report.converged = largest <= options->tolerance;
    hd_result_residual(result, largest);
out:
    HD_DELETE(&ctx->allocator, next, n);
    close_steady(ctx, &s);
    return status;
}

static heddle_status verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            rule rule, const heddle_result *result) {
    steady s;
    double *x = NULL, gain, size;
    uint64_t n = graph->vertices;
    heddle_status status;
    double unit = result->type == HEDDLE_VALUE_F32 ? FLT_EPSILON : DBL_EPSILON;
    double moved = fmax(options->tolerance, result->report.converged ? 0 : result->residual);
    HD_TRY(open_steady(ctx, graph, options, rule, &s));
    if (result->count != n) {
        status = hd_fail(ctx, HEDDLE_E_VERIFY, "expected %llu values, found %llu", (unsigned long long)n,
                         (unsigned long long)result->count);
        goto out;
    }
    HD_CHECK(HD_NEW(ctx, &x, n, "values"));
    for (uint64_t v = 0; v < n; v++)
        x[v] = heddle_result_value(result, (heddle_vertex)v);
    for (uint64_t v = 0; v < n; v++) {
        bool held = s.fixed && s.fixed[v];
        double fresh = held ? s.value[v] : apply(&s, x, v, &gain, &size);
        double degree = (double)(s.in.offsets[v + 1] - s.in.offsets[v]);
        double allowed = held ? fabs(s.value[v]) * unit : gain * moved + 4 * unit * (degree + 4) * (size + 1);
        if (fabs(fresh - x[v]) <= allowed)
            continue;
        char id[64];
        heddle_graph_id_text(graph, (heddle_vertex)v, id, sizeof id);
        status =
            hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: value %.9g, but its rule gives %.9g (allowed difference %.3g)",
                    id, x[v], fresh, allowed);
        goto out;
    }
out:
    HD_DELETE(&ctx->allocator, x, n);
    close_steady(ctx, &s);
    return status;
}

#define DEFINE(name, rule)                                                                                            \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result) {                     \
        return reference(ctx, graph, options, rule, result);                                                          \
    }                                                                                                                 \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   const heddle_result *result) {                                                     \
        return verify(ctx, graph, options, rule, result);                                                             \
    }

DEFINE(hs, HEAT)
DEFINE(cs, CIRCUIT)
DEFINE(nn, NETWORK)
