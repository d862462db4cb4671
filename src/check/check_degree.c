/* check_degree.c - degree: the sequential reference, from the out-edges alone; the validator compares with it. */
#include "check/check.h"
#include "check/compare.h"

#include <math.h>

enum { STEP = 1 << 16 }; /* vertices between two checks of the cancel flag */

typedef struct adding {
    const heddle_graph *graph;
    heddle_adjacency out;
    bool leaving, entering;
} adding;

/* The first end of an arc of a directed graph is one of `leaving`, the second one of `entering`; of an undirected one
 * every arc is one end at its source, a loop two. */
static uint64_t ends_at_source(const adding *a, uint64_t v, uint64_t e) {
    if (a->graph->directed)
        return a->leaving;
    return a->out.targets[e] == v ? 2 : 1;
}

static void add_counts(const adding *a, uint64_t *values) {
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            values[v] += ends_at_source(a, v, e);
            values[a->out.targets[e]] += a->entering;
        }
}

static bool add_wholes(const adding *a, int64_t *values) {
    bool fits = true;
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            int64_t weight = hd_weight_whole(a->out.weights, a->graph->weight_type, e);
            for (uint64_t k = ends_at_source(a, v, e); k-- > 0;)
                fits = !__builtin_add_overflow(values[v], weight, &values[v]) && fits;
            if (a->entering)
                fits = !__builtin_add_overflow(values[a->out.targets[e]], weight, &values[a->out.targets[e]]) && fits;
        }
    return fits;
}

/* Arcs come in the order of their sources, as in the rows of in-edges: sums are the same to the last bit. What leaves a
 * vertex is summed apart. */
static void add_reals(const adding *a, double *values) {
    for (uint64_t v = 0; v < a->graph->vertices && a->entering; v++)
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++)
            values[a->out.targets[e]] += hd_weight_at(a->out.weights, a->graph->weight_type, e);
    for (uint64_t v = 0; v < a->graph->vertices; v++) {
        double sum = 0;
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++)
            sum += (double)ends_at_source(a, v, e) * hd_weight_at(a->out.weights, a->graph->weight_type, e);
        values[v] = sum + values[v];
    }
}

static double largest(const heddle_result *result) {
    double most = result->count ? -(double)INFINITY : 0;
    for (uint64_t v = 0; v < result->count; v++)
        most = hd_result_at(result, v) > most ? hd_result_at(result, v) : most;
    return most;
}

/* Exact for whole numbers. */
static double mean(const heddle_result *result) {
    double real = 0;
    hd_whole whole = 0;
    for (uint64_t v = 0; v < result->count; v++)
        if (result->type == HEDDLE_VALUE_F64)
            real += ((const double *)result->values)[v];
        else
            whole += ((const int64_t *)result->values)[v];
    return result->count ? (real + (double)whole) / (double)result->count : 0;
}

heddle_status hd_reference_degree(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  heddle_result *result) {
    bool weighted = options->weighted && graph->weight_type != HEDDLE_WEIGHT_NONE;
    bool real = weighted && hd_weight_real(graph->weight_type), fits = true;
    adding a = {.graph = graph,
                .leaving = options->direction != HEDDLE_EDGES_IN,
                .entering = graph->directed && options->direction != HEDDLE_EDGES_OUT};
    HD_TRY(heddle_graph_out(ctx, graph, &a.out));
    HD_TRY(hd_result_values_new(ctx, result,
                                real       ? HEDDLE_VALUE_F64
                                : weighted ? HEDDLE_VALUE_I64
                                           : HEDDLE_VALUE_U64,
                                graph->vertices));
    result->plain = true;
    for (uint64_t v = 0; v < graph->vertices && !(v % STEP == 0 && hd_advance(ctx, 0)); v++)
        ((uint64_t *)result->values)[v] = 0; /* in all types */
    HD_TRY(hd_cancelled_status(ctx));
    if (real)
        add_reals(&a, result->values);
    else if (weighted)
        fits = add_wholes(&a, result->values);
    else
        add_counts(&a, result->values);
    if (!fits)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "degree: the sum of weights at a vertex exceeds 64 bits");
    hd_result_figure(result, "mean", mean(result));
    hd_result_figure(result, "max", largest(result));
    return HEDDLE_OK;
}

heddle_status hd_verify_degree(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    return hd_compare_reference(ctx, graph, options, result, hd_reference_degree, "degree", "");
}
