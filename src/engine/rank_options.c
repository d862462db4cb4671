/* rank_options.c - see rank_options.h. */
#include "engine/rank_options.h"

#include "base/parallel.h"
#include "engine/vertex_name.h"

#include <math.h>

static bool unfit(double value) { return !(value >= 0 && value <= HUGE_VAL) || isinf(value); }

/* The first edge with an invalid weight, or the number of edges. */
static uint64_t find_unfit(heddle_context *ctx, const heddle_graph *graph, const void *weights) {
    uint64_t first = graph->edges;
    heddle_weight_type type = graph->weight_type;
    if (type == HEDDLE_WEIGHT_U32)
        return first;
    HD_PARALLEL_FOR(ctx, reduction(min : first) schedule(static) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < graph->edges; e++)
        if (unfit(hd_weight_at(weights, type, e)) && e < first)
            first = e;
    return first;
}

static heddle_status refuse_edge(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                                 uint64_t edge) {
    uint64_t row = 0;
    while (out->offsets[row + 1] <= edge)
        row++;
    hd_name from = hd_vertex_name(ctx, graph, (heddle_vertex)row), to = hd_vertex_name(ctx, graph, out->targets[edge]);
    return hd_fail(ctx, HEDDLE_E_WEIGHT, "edge %s -> %s weighs %g: PageRank takes finite weights of 0 and more",
                   from.text, to.text, hd_weight_at(out->weights, graph->weight_type, edge));
}

static heddle_status check_weights(heddle_context *ctx, const heddle_graph *graph, hd_rank_terms *terms) {
    heddle_adjacency out;
    if (graph->weight_type == HEDDLE_WEIGHT_NONE) {
        hd_note(ctx, "the graph has no weights: every edge counts 1");
        return HEDDLE_OK;
    }
    graph = hd_graph_on_host(graph);
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    uint64_t edge = find_unfit(ctx, graph, out.weights);
    if (edge < graph->edges)
        return refuse_edge(ctx, graph, &out, edge);
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
