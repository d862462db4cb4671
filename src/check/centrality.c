/* centrality.c - betweenness: textbook Brandes, and the check that recomputes sources with it.
 *
 * The certificate. A result is a sum over sources, and only those sources' dependencies can show whether it is right.
 * So they are recomputed in separate code, one thread per source: all of them if that is within a budget, and then
 * every value must agree; otherwise as many as the budget allows, drawn by the seed. Dependencies are never negative
 * and at most n - 2 for one source and vertex, so those sources still bound every value from both sides; the caller
 * learns that it was a sample.
 *
 * Path counts are long double: exact where the run's are; the check reports when it leaves their range.
 */
#include "check/centrality.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "check/check.h"
#include "engine/bc_sources.h"
#include "engine/vertex_name.h"

#include <float.h>
#include <math.h>

/* Sums of positive terms: every operation has an error of half an ulp, a million in a row one of 1e-10. */
static const double double_rounding = 1e-9, single_rounding = 0x1p-22;

/* One search, by vertex. */
typedef struct search {
    heddle_vertex *order;
    uint32_t *depth;
    long double *sigma;
    double *delta, *total;
    bool overflow;
} search;

#define UNSEEN UINT32_MAX

static heddle_status open_search(heddle_context *ctx, uint64_t n, search *s) {
    HD_TRY(HD_NEW(ctx, &s->order, n, "search order"));
    HD_TRY(HD_NEW(ctx, &s->depth, n, "depths"));
    HD_TRY(HD_NEW(ctx, &s->sigma, n, "path counts"));
    HD_TRY(HD_NEW(ctx, &s->delta, n, "dependencies"));
    return HD_NEW_ZERO(ctx, &s->total, n, "centrality");
}

static void close_search(heddle_context *ctx, uint64_t n, search *s) {
    HD_DELETE(&ctx->allocator, s->order, n);
    HD_DELETE(&ctx->allocator, s->depth, n);
    HD_DELETE(&ctx->allocator, s->sigma, n);
    HD_DELETE(&ctx->allocator, s->delta, n);
    HD_DELETE(&ctx->allocator, s->total, n);
}

/* Parallel edges count as one path, not several: all but the first are skipped. */
static bool skip(const heddle_adjacency *out, uint64_t v, uint64_t e) {
    return e > out->offsets[v] && out->targets[e - 1] == out->targets[e];
}

/* Breadth-first search that counts paths; returns how many vertices were reached. */
static uint64_t count_paths(const heddle_adjacency *out, uint64_t n, heddle_vertex source, search *s) {
    uint64_t reached = 1;
    for (uint64_t v = 0; v < n; v++) {
        s->depth[v] = UNSEEN;
        s->sigma[v] = 0;
        s->delta[v] = 0;
    }
    s->order[0] = source;
    s->depth[source] = 0;
    s->sigma[source] = 1;
    for (uint64_t i = 0; i < reached; i++) {
        heddle_vertex v = s->order[i];
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            heddle_vertex w = out->targets[e];
            if (s->depth[w] == UNSEEN) {
                s->depth[w] = s->depth[v] + 1;
                s->order[reached++] = w;
            }
            if (s->depth[w] == s->depth[v] + 1 && !skip(out, v, e))
                s->sigma[w] += s->sigma[v];
        }
        s->overflow = s->overflow || isinf(s->sigma[v]);
    }
    return reached;
}

static void add_source(const heddle_adjacency *out, uint64_t n, heddle_vertex source, search *s) {
    for (uint64_t i = count_paths(out, n, source, s); i-- > 1;) {
        heddle_vertex v = s->order[i];
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            heddle_vertex w = out->targets[e];
            if (s->depth[w] == s->depth[v] + 1 && !skip(out, v, e))
                s->delta[v] += (double)(s->sigma[v] / s->sigma[w]) * (1 + s->delta[w]);
        }
        s->total[v] += s->delta[v];
    }
}

static heddle_status overflow(heddle_context *ctx) {
    return hd_fail(ctx, HEDDLE_E_LIMIT,
                   "more than 2^%d shortest paths between two vertices: this check cannot count them", LDBL_MAX_EXP);
}

/* ---- Reference ----------------------------------------------------------------------------------------------- */

static heddle_status hand_over(heddle_context *ctx, const double *total, double scale, bool single, uint64_t n,
                               heddle_result *result) {
    double most = 0;
    HD_TRY(hd_result_values_new(ctx, result, single ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64, n));
    for (uint64_t v = 0; v < n; v++) {
        double value = total[v] * scale;
        if (single)
            ((float *)result->values)[v] = (float)value;
        else
            ((double *)result->values)[v] = value;
        most = value > most ? value : most;
    }
    hd_result_figure(result, "max", most);
    return HEDDLE_OK;
}

heddle_status hd_reference_bc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    heddle_adjacency out;
    hd_sources sources;
    search s = {.order = NULL};
    heddle_status status;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_sources_of(ctx, graph, options, &sources));
    hd_phase_begin(ctx, "reference", sources.count);
    HD_CHECK(open_search(ctx, graph->vertices, &s));
    for (uint64_t i = 0; i < sources.count && !hd_advance(ctx, 1); i++)
        add_source(&out, graph->vertices, hd_source_at(&sources, i), &s);
    HD_CHECK(hd_cancelled_status(ctx));
    if (s.overflow)
        HD_CHECK(overflow(ctx));
    HD_CHECK(
        hand_over(ctx, s.total, sources.scale, options->precision == HEDDLE_PRECISION_SINGLE, graph->vertices, result));
    hd_result_sources(result, sources.count);
    result->report.iterations = sources.count;
out:
    hd_phase_end(ctx);
    close_search(ctx, graph->vertices, &s);
    hd_sources_free(ctx, graph, &sources);
    return status;
}

/* ---- Validator ----------------------------------------------------------------------------------------------- */

typedef struct audit {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    hd_sources sources;
    uint64_t picked;  /* of them, recomputed */
    search *searches; /* one for each thread */
} audit;

/* Recomputes the picked sources, evenly spaced over all from an offset that the seed gives. */
static heddle_status recompute(audit *a, uint64_t seed) {
    uint64_t count = a->sources.count, start = hd_below(hd_random(seed, count), count);
    HD_PARALLEL_FOR(a->ctx, schedule(dynamic, 1))
    for (uint64_t i = 0; i < a->picked; i++)
        if (!hd_advance(a->ctx, 1))
            add_source(&a->out, a->graph->vertices,
                       hd_source_at(&a->sources, (start + hd_split(count, a->picked, i)) % count),
                       &a->searches[hd_thread()]);
    HD_TRY(hd_cancelled_status(a->ctx));
    for (int t = 0; t < a->ctx->threads; t++)
        if (a->searches[t].overflow)
            return overflow(a->ctx);
    return HEDDLE_OK;
}

static heddle_status compare(const audit *a, const heddle_result *result) {
    bool single = result->type == HEDDLE_VALUE_F32;
    double slack = double_rounding + (single ? single_rounding : 0), grain = single ? (double)FLT_MIN : DBL_MIN;
    double rest = (double)(a->sources.count - a->picked) * (double)a->graph->vertices;
    for (uint64_t v = 0; v < a->graph->vertices; v++) {
        double value = heddle_result_value(result, (heddle_vertex)v), sum = 0;
        for (int t = 0; t < a->ctx->threads; t++)
            sum += a->searches[t].total[v];
        double least = sum * a->sources.scale, most = (sum + rest) * a->sources.scale;
        if (value >= least * (1 - slack) - grain && value <= most * (1 + slack) + grain)
            continue;
        hd_name name = hd_vertex_name(a->ctx, a->graph, (heddle_vertex)v);
        if (rest == 0)
            return hd_fail(a->ctx, HEDDLE_E_VERIFY, "vertex %s has centrality %.17g: expected %.17g", name.text, value,
                           least);
        return hd_fail(a->ctx, HEDDLE_E_VERIFY, "vertex %s has centrality %.17g: expected %.17g to %.17g", name.text,
                       value, least, most);
    }
    return HEDDLE_OK;
}

static heddle_status open_audit(audit *a, uint64_t budget) {
    uint64_t n = a->graph->vertices, most = budget / (n + a->graph->edges + 1) + 1, threads = (uint64_t)a->ctx->threads;
    a->picked = a->sources.count < most ? a->sources.count : most;
    HD_TRY(HD_NEW_ZERO(a->ctx, &a->searches, threads, "searches"));
    for (uint64_t t = 0; t < threads; t++)
        HD_TRY(open_search(a->ctx, n, &a->searches[t]));
    return HEDDLE_OK;
}

static void close_audit(audit *a) {
    uint64_t threads = (uint64_t)a->ctx->threads;
    for (uint64_t t = 0; a->searches && t < threads; t++)
        close_search(a->ctx, a->graph->vertices, &a->searches[t]);
    HD_DELETE(&a->ctx->allocator, a->searches, threads);
    hd_sources_free(a->ctx, a->graph, &a->sources);
}

heddle_status hd_verify_bc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result) {
    return hd_verify_bc_within(ctx, graph, options, result, HD_CENTRALITY_BUDGET);
}

/* The sources of a run within an error budget: those after its pilot. */
static heddle_status redraw(audit *a, const heddle_run_options *options, const heddle_result *result) {
    uint64_t count = result->sources, first = result->pilot;
    hd_source_pool pool;
    heddle_status status;
    HD_CHECK(hd_source_pool_new(a->ctx, a->graph, &pool));
    if (count == 0 || count > a->graph->vertices || pool.count == 0)
        HD_CHECK(hd_fail(a->ctx, HEDDLE_E_VERIFY, "the report does not name the sources of the values"));
    HD_CHECK(hd_source_pool_draw(a->ctx, a->graph, &pool, options->seed, first, count, &a->sources));
    a->sources.scale = hd_source_pool_scale(a->graph, options, &pool, count);
out:
    hd_source_pool_free(a->ctx, a->graph, &pool);
    return status;
}

heddle_status hd_verify_bc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  const heddle_result *result, uint64_t budget) {
    audit a = {.ctx = ctx, .graph = graph};
    heddle_status status;
    if (result->count != graph->vertices || (result->type != HEDDLE_VALUE_F32 && result->type != HEDDLE_VALUE_F64))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the result does not hold one value for each vertex");
    HD_TRY(heddle_graph_out(ctx, graph, &a.out));
    HD_TRY(result->report.approximate && !options->samples ? redraw(&a, options, result)
                                                           : hd_sources_of(ctx, graph, options, &a.sources));
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_audit(&a, budget));
    if (a.picked)
        HD_CHECK(recompute(&a, options->seed));
    HD_CHECK(compare(&a, result));
    if (a.picked < a.sources.count)
        hd_note(ctx, "bc was checked with %llu of its %llu sources, which bound the values but do not fix them",
                (unsigned long long)a.picked, (unsigned long long)a.sources.count);
out:
    hd_phase_end(ctx);
    close_audit(&a);
    return status;
}
