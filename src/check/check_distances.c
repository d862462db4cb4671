/* check_distances.c - closeness, harmonic, eccentricity: sequential references, and the validators of a result.
 *
 * A reference searches from each source. The validator searches from vertices, in the other direction: one search gives
 * a vertex' distances to all sources, and so its whole value. It does so at all vertices if that is within a budget,
 * else at vertices spread evenly, as many as the budget allows, and says so. At all vertices it checks what no value
 * may exceed, and that the report's figures fit the values.
 */
#include "check/check_distances.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "check/check_in_edges.h"
#include "engine/bc_sources.h"
#include "engine/vertex_name.h"

#include <math.h>

typedef enum measure { CLOSENESS, HARMONIC, ECCENTRICITY } measure;

static const uint64_t whole = UINT64_C(1) << 62; /* harmonic: units of which a sum is made */
static const double rounding = 1e-14;            /* of a few operations */

/* Sums of the distances at a vertex. */
typedef struct total {
    uint64_t reached, sum;
    uint32_t most;
    hd_whole near;
} total;

typedef struct search {
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_run_options *options;
    measure measure;
    heddle_adjacency rows;
    hd_check_in_edges in_edges;
    hd_sources sources;
    uint32_t *level;
    heddle_vertex *queue;
    uint32_t *times; /* how often each vertex is a source */
} search;

#define UNSEEN UINT32_MAX

/* Along the edges if distances from the sources are wanted, and sources are searched from. */
static heddle_status open_search(search *s, bool from_sources) {
    bool to_sources = (s->measure == ECCENTRICITY) != (s->options->reversed != 0);
    uint64_t n = s->graph->vertices;
    HD_TRY(hd_graph_bare(s->ctx, s->graph, false, &s->rows));
    if (s->graph->directed && to_sources == from_sources) {
        HD_TRY(hd_check_in_edges_open(s->ctx, s->graph, false, &s->in_edges));
        s->rows = s->in_edges.rows;
    }
    HD_TRY(hd_sources_of(s->ctx, s->graph, s->options, &s->sources));
    HD_TRY(HD_NEW(s->ctx, &s->level, n, "levels"));
    HD_TRY(HD_NEW(s->ctx, &s->queue, n, "a queue"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->times, n, "sources"));
    for (uint64_t i = 0; i < s->sources.count; i++)
        s->times[hd_source_at(&s->sources, i)]++;
    return HEDDLE_OK;
}

static void close_search(search *s) {
    uint64_t n = s->graph->vertices;
    HD_DELETE(&s->ctx->allocator, s->level, n);
    HD_DELETE(&s->ctx->allocator, s->queue, n);
    HD_DELETE(&s->ctx->allocator, s->times, n);
    hd_check_in_edges_close(s->ctx, s->graph, &s->in_edges);
    hd_sources_free(s->ctx, s->graph, &s->sources);
}

/* Breadth first; returns how many vertices are in the queue. */
static uint64_t levels_from(search *s, heddle_vertex start) {
    uint64_t tail = 1;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        s->level[v] = UNSEEN;
    s->level[start] = 0;
    s->queue[0] = start;
    for (uint64_t head = 0; head < tail; head++) {
        heddle_vertex u = s->queue[head];
        for (uint64_t e = s->rows.offsets[u]; e < s->rows.offsets[u + 1]; e++)
            if (s->level[s->rows.targets[e]] == UNSEEN) {
                s->level[s->rows.targets[e]] = s->level[u] + 1;
                s->queue[tail++] = s->rows.targets[e];
            }
    }
    return tail;
}

static void add(total *t, uint32_t level, uint64_t times) {
    t->reached += times;
    t->sum += times * level;
    t->most = times && level > t->most ? level : t->most;
    t->near += (hd_whole)times * (whole / level);
}

static double value_of(const search *s, uint64_t v, const total *t) {
    double n = (double)s->graph->vertices, others = (double)(s->sources.count - s->times[v]), near;
    switch (s->measure) {
    case CLOSENESS:
        if (t->reached == 0)
            return 0;
        near = (double)t->reached / (double)t->sum;
        return s->options->reachable_only ? near : near * ((double)t->reached / others);
    case HARMONIC:
        near = (double)t->near / (double)whole;
        if (others > 0 && (s->options->normalized || s->sources.drawn))
            near /= others;
        return s->sources.drawn && !s->options->normalized ? near * (n - 1) : near;
    default: return t->most;
    }
}

/* ---- References -------------------------------------------------------------------------------------------------- */

static void write_values(const search *s, const total *totals, const uint32_t *depths, heddle_result *result) {
    double most = 0, least = HUGE_VAL;
    uint64_t n = s->graph->vertices;
    uint32_t shallow = UNSEEN;
    hd_whole missing = 0;
    for (uint64_t v = 0; v < n; v++) {
        double value = value_of(s, v, &totals[v]);
        if (s->measure == ECCENTRICITY)
            ((uint32_t *)result->values)[v] = (uint32_t)value;
        else
            ((double *)result->values)[v] = value;
        most = value > most ? value : most;
        least = value < least ? value : least;
        missing += s->sources.count - s->times[v] - totals[v].reached;
    }
    for (uint64_t i = 0; i < s->sources.count; i++)
        shallow = depths[i] < shallow ? depths[i] : shallow;
    if (s->measure != ECCENTRICITY) {
        hd_result_figure(result, "max", most);
        return;
    }
    hd_result_figure_whole(result, "unreached", missing);
    hd_result_figure(result, s->sources.list ? "diameter_min" : "diameter", most);
    if (!s->sources.list)
        hd_result_figure(result, "radius", n ? least : 0);
    else if (!s->graph->directed && missing == 0 && shallow)
        hd_result_figure(result, "diameter_max", 2.0 * shallow);
}

static heddle_status add_all(search *s, total *totals, uint32_t *depths) {
    for (uint64_t i = 0; i < s->sources.count && !hd_advance(s->ctx, 1); i++) {
        uint64_t count = levels_from(s, hd_source_at(&s->sources, i));
        for (uint64_t k = 1; k < count; k++)
            add(&totals[s->queue[k]], s->level[s->queue[k]], 1);
        depths[i] = s->level[s->queue[count - 1]];
    }
    return hd_cancelled_status(s->ctx);
}

static heddle_status refer(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           measure measure, heddle_result *result) {
    search s = {.ctx = ctx, .graph = graph, .options = options, .measure = measure};
    uint64_t n = graph->vertices;
    total *totals = NULL;
    uint32_t *depths = NULL;
    heddle_status status;
    hd_phase_begin(ctx, "reference", n);
    HD_CHECK(open_search(&s, true));
    HD_CHECK(HD_NEW_ZERO(ctx, &totals, n, "sums of distances"));
    HD_CHECK(HD_NEW(ctx, &depths, s.sources.count, "depths"));
    HD_CHECK(hd_result_values_new(ctx, result, measure == ECCENTRICITY ? HEDDLE_VALUE_U32 : HEDDLE_VALUE_F64, n));
    result->plain = measure == ECCENTRICITY;
    HD_CHECK(add_all(&s, totals, depths));
    hd_result_sources(result, s.sources.count);
    write_values(&s, totals, depths, result);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, totals, n);
    HD_DELETE(&ctx->allocator, depths, s.sources.count);
    close_search(&s);
    return status;
}

/* ---- Validators -------------------------------------------------------------------------------------------------- */

static bool differ(double a, double b) { return !(fabs(a - b) <= rounding * fabs(b)); }

static heddle_status check_vertex(search *s, const heddle_result *result, heddle_vertex v) {
    total t = {0};
    uint64_t count = levels_from(s, v);
    for (uint64_t k = 1; k < count; k++)
        add(&t, s->level[s->queue[k]], s->times[s->queue[k]]);
    double expected = value_of(s, v, &t), value = heddle_result_value(result, v);
    if (!differ(value, expected))
        return HEDDLE_OK;
    return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex %s: %.17g, expected %.17g",
                   hd_vertex_name(s->ctx, s->graph, v).text, value, expected);
}

/* Limits of any graph, and the figure that is the largest value. */
static heddle_status check_all(const search *s, const heddle_result *result) {
    double n = (double)s->graph->vertices, most = 0;
    double sources = (double)s->sources.count, limit = s->measure == CLOSENESS ? 1 : n - 1;
    if (s->measure == HARMONIC)
        limit = s->options->normalized ? 1 : sources > n ? sources : n;
    const char *name = s->measure != ECCENTRICITY ? "max" : s->sources.list ? "diameter_min" : "diameter";
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        double value = heddle_result_value(result, (heddle_vertex)v);
        if (!(value >= 0 && value <= limit * (1 + rounding)))
            return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex %s: %.17g, expected 0 to %.17g",
                           hd_vertex_name(s->ctx, s->graph, (heddle_vertex)v).text, value, limit);
        most = value > most ? value : most;
    }
    if (differ(hd_result_figure_of(result, name), most))
        return hd_fail(s->ctx, HEDDLE_E_VERIFY, "the report has %s %.17g: the values give %.17g", name,
                       hd_result_figure_of(result, name), most);
    return HEDDLE_OK;
}

static heddle_status check_some(search *s, const heddle_result *result, uint64_t budget) {
    uint64_t n = s->graph->vertices, most = budget / (n + s->graph->edges + 1) + 1, picked = n < most ? n : most;
    uint64_t start = n ? hd_below(hd_random(s->options->seed, n), n) : 0;
    for (uint64_t i = 0; i < picked && !hd_advance(s->ctx, 1); i++)
        HD_TRY(check_vertex(s, result, (heddle_vertex)((start + hd_split(n, picked, i)) % n)));
    if (picked < n)
        hd_note(s->ctx, "%s was recomputed at %llu of %llu vertices", result->report.algorithm,
                (unsigned long long)picked, (unsigned long long)n);
    return hd_cancelled_status(s->ctx);
}

static heddle_status validate(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              measure measure, const heddle_result *result, uint64_t budget) {
    search s = {.ctx = ctx, .graph = graph, .options = options, .measure = measure};
    heddle_status status;
    if (result->count != graph->vertices ||
        result->type != (measure == ECCENTRICITY ? HEDDLE_VALUE_U32 : HEDDLE_VALUE_F64))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one %s for each of %llu vertices",
                       measure == ECCENTRICITY ? "32-bit distance" : "value of double precision",
                       (unsigned long long)graph->vertices);
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_search(&s, false));
    HD_CHECK(check_all(&s, result));
    status = check_some(&s, result, budget);
out:
    hd_phase_end(ctx);
    close_search(&s);
    return status;
}

heddle_status hd_verify_closeness_within(heddle_context *ctx, const heddle_graph *graph,
                                         const heddle_run_options *options, const heddle_result *result,
                                         uint64_t budget) {
    return validate(ctx, graph, options, CLOSENESS, result, budget);
}

#define DEFINE(name, MEASURE)                                                                                         \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result) {                     \
        return refer(ctx, graph, options, MEASURE, result);                                                           \
    }                                                                                                                 \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   heddle_result *result) {                                                           \
        return validate(ctx, graph, options, MEASURE, result, HD_DISTANCES_BUDGET);                                   \
    }

DEFINE(closeness, CLOSENESS)
DEFINE(harmonic, HARMONIC)
DEFINE(eccentricity, ECCENTRICITY)
