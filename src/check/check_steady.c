/* check_steady.c - hs, cs and nn: sequential rounds in double, and the certificate of a result.
 *
 * The certificate. A run ends when no value moved by more than r (the tolerance, or the residual it reported when it
 * ran out of rounds). Applying the rule once more to its result x therefore moves vertex v by at most r times the sum
 * of |coefficients| of the rule at v, plus rounding; fixed vertices hold their given value exactly. In-edges are the
 * user's out-edges: what they bring is added up at their targets.
 *
 * From there to the error (bound.h). cs is the linear system x(v) = sum w x(u) / W, W the sum of v's weights. hs has
 * the same solution, sum w (x(u) - x(v)) = 0, which a round misses by (M / rate W) times what it moves v, M being the
 * sum of |w|; the proof needs W above 0. Vertices that no fixed value reaches keep the mean of what they began with: a
 * number that the proof does not know, unless all began with the same. nn's tanh has slopes of at most 1: at arguments
 * that are known to within d * M, at most 1 - tanh^2 of the nearest to 0. If the bound that these slopes prove is at
 * most d, a round maps the box of half-width d around x into itself, and the slopes shrink it: it has one fixed point.
 */
#include "base/memory.h"
#include "check/bound.h"
#include "check/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum rule { HEAT, CIRCUIT, NETWORK } rule;

/* The messages of a vertex' in-edges. */
typedef struct inflow {
    double sum, weight, magnitude; /* of w x, w and |w| */
    double size;                   /* of |w x|: what rounding sees */
    uint64_t edges;
} inflow;

typedef struct steady {
    rule rule;
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    double rate;
    double *value;        /* initial, then current */
    double *next;         /* room for a round */
    unsigned char *fixed; /* NULL: none */
    unsigned char *own_fixed;
    inflow *in;
} steady;

static void close_steady(steady *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    HD_DELETE(allocator, s->value, s->graph->vertices);
    HD_DELETE(allocator, s->next, s->graph->vertices);
    HD_DELETE(allocator, s->own_fixed, s->graph->vertices);
    HD_DELETE(allocator, s->in, s->graph->vertices);
}

/* The caller closes it, also if this fails. */
static heddle_status open_steady(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 rule rule, steady *s) {
    uint64_t n = graph->vertices;
    *s = (steady){.rule = rule, .ctx = ctx, .graph = graph, .rate = options->rate};
    HD_TRY(heddle_graph_out(ctx, graph, &s->out));
    HD_TRY(HD_NEW(ctx, &s->value, n, "values"));
    HD_TRY(HD_NEW(ctx, &s->next, n, "values"));
    HD_TRY(HD_NEW(ctx, &s->in, n, "sums over in-edges"));
    for (uint64_t v = 0; v < n; v++)
        s->value[v] = options->initial ? options->initial[v] : rule == NETWORK ? 1 : 0;
    s->fixed = (unsigned char *)(uintptr_t)options->fixed;
    if (options->initial || options->fixed || rule == NETWORK || n == 0)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(ctx, &s->own_fixed, n, "fixed vertices"));
    s->fixed = s->own_fixed;
    if (rule == CIRCUIT)
        s->own_fixed[n - 1] = 1;
    s->own_fixed[0] = 1;
    s->value[0] = 1;
    return HEDDLE_OK;
}

static void collect(steady *s, const double *x) {
    memset(s->in, 0, s->graph->vertices * sizeof *s->in);
    for (uint64_t u = 0; u < s->graph->vertices; u++)
        for (uint64_t e = s->out.offsets[u]; e < s->out.offsets[u + 1]; e++) {
            double w = hd_weight_at(s->out.weights, s->graph->weight_type, e);
            inflow *in = &s->in[s->out.targets[e]];
            in->sum += w * x[u];
            in->weight += w;
            in->magnitude += fabs(w);
            in->size += fabs(w * x[u]);
            in->edges++;
        }
}

/* Whether a vertex keeps its value whatever its neighbours have. */
static bool is_held(const steady *s, uint64_t v) {
    return (s->fixed && s->fixed[v]) || s->in[v].edges == 0 || (s->rule != NETWORK && !(s->in[v].magnitude > 0));
}

/* The rule at one vertex, from what was collected; `gain` receives the sum of its |coefficients|, `size` the magnitude
 * that rounding sees. */
static double apply(const steady *s, const double *x, uint64_t v, double *gain, double *size) {
    const inflow *in = &s->in[v];
    *gain = 1;
    *size = fabs(x[v]) + in->size;
    if (is_held(s, v))
        return x[v];
    if (s->rule == NETWORK) {
        *gain = in->magnitude;
        return tanh(in->sum);
    }
    *size = fabs(x[v]) + (fabs(x[v]) + in->size) / in->magnitude;
    if (s->rule == CIRCUIT)
        return in->sum / in->weight;
    *gain = fabs(1 - s->rate * in->weight / in->magnitude) + s->rate;
    return x[v] + s->rate * (in->sum - x[v] * in->weight) / in->magnitude;
}

/* A round from `value`; returns the largest change. */
static double one_round(void *state) {
    steady *s = state;
    double gain, size, largest = 0, *before = s->value;
    collect(s, s->value);
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        s->next[v] = apply(s, s->value, v, &gain, &size);
        largest = fmax(largest, fabs(s->next[v] - s->value[v]));
    }
    s->value = s->next;
    s->next = before;
    return largest;
}

static heddle_status reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               rule rule, heddle_result *result) {
    steady s;
    double largest = INFINITY;
    uint64_t n = graph->vertices, round = 0;
    heddle_status status;
    HD_CHECK(open_steady(ctx, graph, options, rule, &s));
    for (; round < options->max_iterations && largest > options->tolerance; round++) {
        largest = one_round(&s);
        HD_CHECK(hd_cancelled_status(ctx));
    }
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, n));
    memcpy(result->values, s.value, n * sizeof *s.value);
    result->report.iterations = round;
    result->report.converged = largest <= options->tolerance;
    hd_result_residual(result, largest);
out:
    close_steady(&s);
    return status;
}

/* ---- The error --------------------------------------------------------------------------------------------------- */

/* How far values are from their rule, and given ones from what was given. */
typedef struct misses {
    double residual; /* of a round */
    double equation; /* of the equation that the bound is for */
    double given, most;
} misses;

/* Marks the vertices that given values reach; `queue` has room for all. */
static void mark_reached(const steady *s, unsigned char *reached, uint32_t *queue) {
    uint64_t found = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        if ((reached[v] = is_held(s, v)))
            queue[found++] = (uint32_t)v;
    for (uint64_t taken = 0; taken < found; taken++)
        for (uint64_t e = s->out.offsets[queue[taken]]; e < s->out.offsets[queue[taken] + 1]; e++) {
            heddle_vertex w = s->out.targets[e];
            if (!reached[w] && hd_weight_at(s->out.weights, s->graph->weight_type, e) != 0) {
                reached[w] = 1;
                queue[found++] = w;
            }
        }
}

/* The scales of bound.h for cs and hs, `initial` being the values before the first round; values that are known, the
 * given ones among them, are so within `known`. False: there is no bound. */
static bool linear_scales(const steady *s, const double *x, const double *initial, const unsigned char *reached,
                          double *scale, double *known) {
    double began = NAN;
    bool means = true;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        const inflow *in = &s->in[v];
        scale[v] = 0;
        if (is_held(s, v))
            continue;
        if (!(in->weight > 0))
            return false;
        scale[v] = 1 / in->weight;
        means = means && in->weight == in->magnitude;
        if (reached[v])
            continue;
        began = isnan(began) ? initial[v] : began;
        if (initial[v] != began || in->weight != in->magnitude)
            return false;
        scale[v] = 0;
        *known = fmax(*known, fabs(x[v] - began));
    }
    return means || *known == 0; /* means pass on no more than what they are made of */
}

static heddle_status linear_bound(const steady *s, const hd_bound_rule *rule, const double *x, const double *initial,
                                  double *scale, const misses *m, double *bound) {
    uint64_t n = s->graph->vertices;
    unsigned char *reached = NULL;
    uint32_t *queue = NULL;
    double factor, known = m->given;
    heddle_status status;
    HD_CHECK(HD_NEW(s->ctx, &reached, n, "marks"));
    HD_CHECK(HD_NEW(s->ctx, &queue, n, "a queue"));
    mark_reached(s, reached, queue);
    if (!linear_scales(s, x, initial, reached, scale, &known))
        goto out;
    HD_CHECK(hd_bound_factor(s->ctx, s->graph, rule, &factor));
    *bound = m->equation * factor + known;
out:
    HD_DELETE(&s->ctx->allocator, reached, n);
    HD_DELETE(&s->ctx->allocator, queue, n);
    return status;
}

/* Tries boxes of growing size. */
static heddle_status network_bound(const steady *s, const hd_bound_rule *rule, double *scale, const misses *m,
                                   double *bound) {
    enum { BOXES = 4 };
    double box = 16 * m->equation + DBL_MIN, factor;
    *bound = HUGE_VAL;
    for (int k = 0; k < BOXES && isfinite(box); k++) {
        for (uint64_t v = 0; v < s->graph->vertices; v++) {
            double near = tanh(fmax(0, fabs(s->in[v].sum) - box * s->in[v].magnitude));
            scale[v] = is_held(s, v) ? 0 : 1 - near * near + 4 * DBL_EPSILON;
        }
        HD_TRY(hd_bound_factor(s->ctx, s->graph, rule, &factor));
        if (m->equation * factor <= box) {
            *bound = m->equation * factor;
            return HEDDLE_OK;
        }
        box = 2 * m->equation * factor;
    }
    return HEDDLE_OK;
}

/* Given values are the exact ones but for rounding to single precision, which cs and hs pass on as means, and nn in a
 * way that the proof leaves out. */
static heddle_status prove_error(const steady *s, const double *x, const double *initial, double *scale,
                                 const misses *m, heddle_result *result) {
    hd_bound_rule rule = {.out = s->out, .weights = s->graph->weight_type, .scale = scale};
    double bound = HUGE_VAL, least = HUGE_VAL;
    if (s->rule != NETWORK)
        HD_TRY(linear_bound(s, &rule, x, initial, scale, m, &bound));
    else if (m->given == 0)
        HD_TRY(network_bound(s, &rule, scale, m, &bound));
    bound = s->graph->vertices ? bound : 0;
    if (bound > 0 && !hd_bound_useful(bound, m->most))
        return HEDDLE_OK;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        least = scale[v] == 0 && x[v] == initial[v] ? least : fmin(least, fabs(x[v])); /* else it is exact */
    result->report.error_bound = bound;
    result->report.relative_error = hd_bound_relative(bound, least);
    return HEDDLE_OK;
}

/* ---- The certificate --------------------------------------------------------------------------------------------- */

static heddle_status check_values(const steady *s, const double *x, const double *initial, double moved, double unit,
                                  misses *m) {
    double gain, size;
    *m = (misses){0};
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        bool fixed = s->fixed && s->fixed[v], held = is_held(s, v);
        double fresh = held ? initial[v] : apply(s, x, v, &gain, &size), off = fabs(fresh - x[v]);
        double rounding = held ? fabs(initial[v]) * unit : 4 * ((double)s->in[v].edges + 4) * (size + 1);
        double allowed = held ? rounding : gain * moved + unit * rounding;
        if (!(off <= allowed)) {
            char id[64];
            heddle_graph_id_text(s->graph, (heddle_vertex)v, id, sizeof id);
            return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex %s: value %.9g, but %s %.9g (allowed difference %.3g)", id,
                           x[v], fixed ? "it was given" : "its rule gives", fresh, allowed);
        }
        m->most = fmax(m->most, fabs(x[v]));
        if (held) {
            m->given = fmax(m->given, off);
            continue;
        }
        m->residual = fmax(m->residual, off);
        off += DBL_EPSILON * rounding;
        m->equation = fmax(m->equation, s->rule == HEAT ? off * s->in[v].magnitude / s->in[v].weight / s->rate : off);
    }
    return HEDDLE_OK;
}

static heddle_status verify(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            rule rule, heddle_result *result) {
    steady s;
    double *initial = NULL;
    uint64_t n = graph->vertices;
    heddle_status status;
    misses m;
    double unit = result->type == HEDDLE_VALUE_F32 ? FLT_EPSILON : DBL_EPSILON;
    double moved = fmax(options->tolerance, result->report.converged ? 0 : result->residual);
    HD_CHECK(open_steady(ctx, graph, options, rule, &s));
    if (result->count != n)
        HD_CHECK(hd_fail(ctx, HEDDLE_E_VERIFY, "expected %llu values, found %llu", (unsigned long long)n,
                         (unsigned long long)result->count));
    HD_CHECK(HD_NEW(ctx, &initial, n, "values"));
    memcpy(initial, s.value, n * sizeof *initial);
    for (uint64_t v = 0; v < n; v++)
        s.value[v] = heddle_result_value(result, (heddle_vertex)v);
    collect(&s, s.value);
    HD_CHECK(hd_cancelled_status(ctx));
    HD_CHECK(check_values(&s, s.value, initial, moved, unit, &m));
    result->report.residual_verified = m.residual;
    if (!result->report.converged)
        HD_CHECK(hd_not_converged(ctx, result->report.iterations, m.residual, options->tolerance,
                                  hd_rounds_left(one_round, &s, options->tolerance)));
    status = prove_error(&s, s.value, initial, s.next, &m, result);
out:
    HD_DELETE(&ctx->allocator, initial, n);
    close_steady(&s);
    return status;
}

#define DEFINE(name, rule)                                                                                            \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result) {                     \
        return reference(ctx, graph, options, rule, result);                                                          \
    }                                                                                                                 \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   heddle_result *result) {                                                           \
        return verify(ctx, graph, options, rule, result);                                                             \
    }

DEFINE(hs, HEAT)
DEFINE(cs, CIRCUIT)
DEFINE(nn, NETWORK)
