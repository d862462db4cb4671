/* degree.c - the number of edges at each vertex, out, in or both, and with weights their sum (the strength). Both arcs
 * of an undirected edge count once; a loop has two ends, so it counts twice where both ends do. */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"

enum { STEP = 4096 };

typedef struct counting {
    heddle_context *ctx;
    const heddle_graph *graph;
    bool out, in, loops; /* which rows count; loops of them once more */
    heddle_adjacency rows[2];
    void *values;
    uint64_t too_large; /* a vertex whose sum exceeds 64 bits, plus 1 */
} counting;

/* How many of the ascending targets [from, to) are below a limit. */
static uint64_t count_below(const heddle_vertex *targets, uint64_t from, uint64_t to, uint64_t limit) {
    uint64_t first = from;
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        if (targets[middle] < limit)
            from = middle + 1;
        else
            to = middle;
    }
    return from - first;
}

/* ---- Numbers of edges -------------------------------------------------------------------------------------------- */

static void count_out(const counting *c) {
    uint64_t *values = c->values, n = c->graph->vertices;
    const heddle_adjacency *rows = &c->rows[0];
    HD_PARALLEL_FOR(c->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t from = rows->offsets[v], to = rows->offsets[v + 1];
        values[v] = c->out ? to - from : 0;
        if (c->loops)
            values[v] += count_below(rows->targets, from, to, v + 1) - count_below(rows->targets, from, to, v);
    }
}

/* From the targets of all out-edges: in-edges need not be built for that. */
static void count_in(const counting *c) {
    uint64_t *values = c->values, m = c->graph->edges;
    const heddle_vertex *targets = c->rows[0].targets;
    HD_PARALLEL_FOR(c->ctx, schedule(static) if (m >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < m; e++)
        if (!hd_advance_each(c->ctx, e, STEP, STEP))
            hd_fetch_add(&values[targets[e]], 1);
}

/* ---- Sums of weights --------------------------------------------------------------------------------------------- */

static hd_whole sum_whole(const counting *c, int side, uint64_t v) {
    const heddle_adjacency *rows = &c->rows[side];
    hd_whole sum = 0;
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        int64_t weight = hd_weight_whole(rows->weights, c->graph->weight_type, e);
        sum += c->loops && rows->targets[e] == v ? 2 * (hd_whole)weight : weight;
    }
    return sum;
}

/* In the order of the row: the same for any number of threads. */
static double sum_real(const counting *c, int side, uint64_t v) {
    const heddle_adjacency *rows = &c->rows[side];
    double sum = 0;
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        double weight = hd_weight_at(rows->weights, c->graph->weight_type, e);
        sum += c->loops && rows->targets[e] == v ? 2 * weight : weight;
    }
    return sum;
}

static void sum_vertex(counting *c, uint64_t v, bool real) {
    if (real) {
        ((double *)c->values)[v] = (c->out ? sum_real(c, 0, v) : 0) + (c->in ? sum_real(c, 1, v) : 0);
        return;
    }
    hd_whole sum = (c->out ? sum_whole(c, 0, v) : 0) + (c->in ? sum_whole(c, 1, v) : 0);
    ((int64_t *)c->values)[v] = (int64_t)sum;
    if (sum > INT64_MAX || sum < INT64_MIN)
        hd_store(&c->too_large, v + 1);
}

static heddle_status sum_weights(counting *c) {
    uint64_t n = c->graph->vertices;
    bool real = hd_weight_real(c->graph->weight_type);
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(c->ctx, v, STEP, 0))
            sum_vertex(c, v, real);
    if (c->too_large)
        return hd_fail(c->ctx, HEDDLE_E_LIMIT, "degree: the sum of weights at a vertex exceeds 64 bits");
    return HEDDLE_OK;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static void add_figures(heddle_result *result) {
    uint64_t n = result->count, most = 0;
    hd_whole sum = 0;
    if (result->type == HEDDLE_VALUE_U64) {
        const uint64_t *values = result->values;
        for (uint64_t v = 0; v < n; v++) {
            sum += values[v];
            most = values[v] > values[most] ? v : most;
        }
        hd_result_figure(result, "mean", n ? (double)sum / (double)n : 0);
        hd_result_figure_whole(result, "max", n ? values[most] : 0);
    } else if (result->type == HEDDLE_VALUE_I64) {
        const int64_t *values = result->values;
        for (uint64_t v = 0; v < n; v++) {
            sum += values[v];
            most = values[v] > values[most] ? v : most;
        }
        hd_result_figure(result, "mean", n ? (double)sum / (double)n : 0);
        hd_result_figure_whole(result, "max", n ? values[most] : 0);
    } else {
        const double *values = result->values;
        double all = 0;
        for (uint64_t v = 0; v < n; v++) {
            all += values[v];
            most = values[v] > values[most] ? v : most;
        }
        hd_result_figure(result, "mean", n ? all / (double)n : 0);
        hd_result_figure(result, "max", n ? values[most] : 0);
    }
}

static bool sums_weights(const hd_run *run) {
    return run->options.weighted && run->graph->weight_type != HEDDLE_WEIGHT_NONE;
}

static heddle_status compute(const hd_run *run, counting *c) {
    heddle_result *result = run->result;
    bool weighted = sums_weights(run), real = hd_weight_real(run->graph->weight_type);
    heddle_value_type type = !weighted ? HEDDLE_VALUE_U64 : real ? HEDDLE_VALUE_F64 : HEDDLE_VALUE_I64;
    HD_TRY(hd_result_values_new(c->ctx, result, type, run->graph->vertices));
    result->plain = true;
    c->values = result->values;
    if (weighted)
        HD_TRY(heddle_graph_out(c->ctx, run->graph, &c->rows[0]));
    else
        HD_TRY(hd_graph_bare(c->ctx, run->graph, false, &c->rows[0]));
    if (weighted && c->in)
        HD_TRY(heddle_graph_in(c->ctx, run->graph, &c->rows[1]));
    hd_rounds_mark(c->ctx);
    if (weighted)
        HD_TRY(sum_weights(c));
    else
        count_out(c);
    if (!weighted && c->in)
        count_in(c);
    return hd_cancelled_status(c->ctx);
}

static heddle_status run_degree(const hd_run *run) {
    heddle_edge_direction direction = run->options.direction;
    bool directed = run->graph->directed;
    counting c = {.ctx = run->ctx,
                  .graph = run->graph,
                  .out = !directed || direction != HEDDLE_EDGES_IN,
                  .in = directed && direction != HEDDLE_EDGES_OUT,
                  .loops = !directed};
    hd_phase_begin(c.ctx, "compute", run->graph->edges);
    heddle_status status = compute(run, &c);
    hd_phase_end(c.ctx);
    HD_TRY(status);
    bool edges = sums_weights(run) || c.in;
    run->result->report.edges_walked = edges ? run->graph->edges * (c.out && sums_weights(run) ? 1U + c.in : 1) : 0;
    HD_ROUND(c.ctx, .rounds = 1, .vertices = run->graph->vertices, .edges = run->result->report.edges_walked,
             .kernel = "degrees");
    add_figures(run->result);
    return HEDDLE_OK;
}

/* In-edges are built for their weights alone. */
static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    bool built = sums_weights(run) && run->graph->directed && run->options.direction != HEDDLE_EDGES_OUT &&
                 !hd_graph_has_in(run->graph);
    *bytes = built ? (double)hd_row_bytes(run->graph, true) : 0;
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS) X(direction) WITH_WORDS(weighted, "the sum of their weights: the strength")

const hd_algorithm hd_algorithm_degree = {
    HD_ALGORITHM_INFO("degree", "the number of edges at each vertex, or with weights their sum", OPTIONS),
    .in_edges = HD_IN_STORED,
    HD_EXECUTORS({HD_ON_CPU, .run = run_degree}),
    .column = "degree",
    .host_bytes = {.vertex = 8, .more = more_host_bytes},
    .results = HD_RESULTS_VALUES,
    .cost = {1, 0},
    .reference = hd_reference_degree,
    .verify = hd_verify_degree,
};
