/* bound.c - see bound.h. */
#include "check/bound.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEP = 1 << 14, FIRST_ROUNDS = 4, PACE_ROUNDS = 16 };
static const uint64_t budget = UINT64_C(1) << 28; /* edges and vertices: a second or so */
static const double small_enough = 0.5;           /* t: the bound is at most twice the best of its kind */
static const double little = 1e-3;                /* 1 - t: below it rounding would count, and the bound is useless */
static const double digits = 0.01;

/* next = P now; returns the largest entry. */
static double apply(const heddle_graph *graph, const hd_bound_rule *rule, const double *now, double *next) {
    uint64_t n = graph->vertices;
    double most = 0;
    memset(next, 0, n * sizeof *next);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t e = rule->out.offsets[u]; e < rule->out.offsets[u + 1] && now[u] > 0; e++)
            next[rule->out.targets[e]] += now[u] * fabs(hd_weight_at(rule->out.weights, rule->weights, e));
    for (uint64_t v = 0; v < n; v++) {
        next[v] *= rule->scale ? rule->scale[v] : rule->all;
        most = most >= next[v] ? most : next[v]; /* a NaN ends the search: it is not finite */
    }
    return most;
}

static double largest(const double *values, uint64_t n) {
    double most = 0;
    for (uint64_t v = 0; v < n; v++)
        most = fmax(most, values[v]);
    return most;
}

heddle_status hd_bound_factor(heddle_context *ctx, const heddle_graph *graph, const hd_bound_rule *rule,
                              double *factor) {
    uint64_t n = graph->vertices, most_rounds = budget / (n + graph->edges + 1) + 2, k = 1;
    double *now = NULL, *next = NULL, *sum = NULL, share = 1;
    heddle_status status;
    *factor = HUGE_VAL;
    HD_CHECK(HD_NEW(ctx, &now, n, "powers"));
    HD_CHECK(HD_NEW(ctx, &next, n, "powers"));
    HD_CHECK(HD_NEW(ctx, &sum, n, "their sum"));
    for (uint64_t v = 0; v < n; v++)
        now[v] = sum[v] = rule->scale && !(rule->scale[v] > 0) ? 0 : 1;
    for (; k <= most_rounds; k++) {
        share = apply(graph, rule, now, next);
        if (share <= small_enough || !isfinite(share))
            break;
        for (uint64_t v = 0; v < n; v++)
            sum[v] += next[v];
        double *before = now;
        now = next;
        next = before;
        hd_advance(ctx, 0);
        HD_CHECK(hd_cancelled_status(ctx));
    }
    /* Every entry of a power has a relative rounding error of at most (edges into a vertex + 2) * 2^-53 per round. */
    double rounding = 1 + (double)k * ((double)graph->edges + 2) * DBL_EPSILON;
    if (share * rounding <= 1 - little)
        *factor = largest(sum, n) * rounding / (1 - share * rounding);
out:
    HD_DELETE(&ctx->allocator, now, n);
    HD_DELETE(&ctx->allocator, next, n);
    HD_DELETE(&ctx->allocator, sum, n);
    return status;
}

bool hd_bound_useful(double bound, double most) { return bound <= digits * most; }

double hd_bound_relative(double bound, double least) { return 2 * bound < least ? bound / (least - bound) : -1; }

/* The first rounds are left out: rounding of the values to single precision shows in them. */
double hd_rounds_left(double (*round)(void *state), void *state, double tolerance) {
    double first = 0, last = 0;
    for (int k = 0; k < FIRST_ROUNDS; k++)
        first = round(state);
    for (int k = 0; k < PACE_ROUNDS; k++)
        last = round(state);
    double rate = first > 0 ? pow(last / first, 1.0 / PACE_ROUNDS) : 0;
    if (last <= tolerance)
        return FIRST_ROUNDS + PACE_ROUNDS;
    return rate < 1 && tolerance > 0 ? FIRST_ROUNDS + PACE_ROUNDS + ceil(log(tolerance / last) / log(rate)) : HUGE_VAL;
}

heddle_status hd_not_converged(heddle_context *ctx, uint64_t rounds, double residual, double tolerance, double left) {
    char more[96] = "the changes do not shrink";
    if (left < 1e15) { /* two digits of it */
        double unit = left < 100 ? 1 : pow(10, floor(log10(left)) - 1);
        snprintf(more, sizeof more, "at this pace it takes about %.0f rounds more", ceil(left / unit) * unit);
    }
    return hd_fail(
        ctx, HEDDLE_E_VERIFY,
        "not converged after %llu round%s: another one changes the values by %.3g, the tolerance is %.3g: %s",
        (unsigned long long)rounds, rounds == 1 ? "" : "s", residual, tolerance, more);
}
