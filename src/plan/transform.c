/* transform.c - heddle_graph_transform: transforms by name, with a report of their cost and effect. */
#include "base/argument.h"
#include "base/memory.h"
#include "base/threads.h"
#include "plan/advice.h"

#include <math.h>
#include <string.h>

static const heddle_transform_info transforms[] = {
    {"cliq", "a vertex becomes a clique of vertices of K edges each: one hop, edges by the square"},
    {"circ", "a ring of vertices of K edges each: least space, many hops"},
    {"star", "a hub over vertices of K edges each: one hop, but the hub may have more than K"},
    {"udt", "a tree of vertices of exactly K edges, but for its root (uniform-degree tree)"},
    {"rstar", "stars of stars, until no hub has more than K edges"},
};

enum { COUNT = sizeof transforms / sizeof *transforms };

const heddle_transform_info *heddle_transform_at(size_t index) { return index < COUNT ? &transforms[index] : NULL; }

void heddle_transform_options_init_sized(heddle_transform_options *options, size_t size) {
    heddle_transform_options defaults = {.size = sizeof defaults, .name = "udt", .bound = HEDDLE_BOUND_AUTO, .seed = 1};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

static heddle_status find(heddle_context *ctx, const char *name, hd_transform *transform) {
    for (int t = HD_TRANSFORM_CLIQ; name && hd_transform_name((hd_transform)t); t++)
        if (strcmp(name, hd_transform_name((hd_transform)t)) == 0) {
            *transform = (hd_transform)t;
            return HEDDLE_OK;
        }
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no transform '%s': expected cliq, circ, star, udt or rstar",
                   name ? name : "");
}

static heddle_status read_options(heddle_context *ctx, const heddle_transform_options *given,
                                  hd_split_options *options) {
    if (isnan(given->weight))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->weight is not a number");
    if (given->bound != HEDDLE_BOUND_AUTO && (given->bound < 1 || given->bound > UINT32_MAX))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "K = %llu: expected a number from 1 to %lu",
                       (unsigned long long)given->bound, (unsigned long)UINT32_MAX);
    *options = (hd_split_options){.pull = given->pull,
                                  .K = given->bound == HEDDLE_BOUND_AUTO ? 0 : (uint32_t)given->bound,
                                  .weights = given->weigh ? HD_SPLIT_GRAPH : HD_SPLIT_AS_IS,
                                  .dumb = given->weight,
                                  .seed = given->seed,
                                  .ids = true};
    return find(ctx, given->name, &options->transform);
}

static heddle_status fill_report(heddle_context *ctx, const heddle_graph *graph, const hd_split_options *options,
                                 const hd_split_result *split, heddle_transform_report *report) {
    *report = (heddle_transform_report){.name = hd_transform_name(options->transform),
                                        .bound = split->K,
                                        .families = split->families,
                                        .added_vertices = split->added_vertices,
                                        .added_edges = split->added_edges,
                                        .height = hd_transform_is_tree(options->transform) ? split->levels : 0,
                                        .hops = split->hops,
                                        .seconds = split->seconds};
    HD_TRY(hd_irregularity_of(ctx, graph, options->pull, &report->before));
    HD_TRY(hd_irregularity_of(ctx, split->graph ? split->graph : graph, options->pull, &report->after));
    HD_TRY(hd_clustering_of(ctx, graph, options->pull, &report->clustering));
    if (split->families && options->transform == HD_TRANSFORM_CLIQ)
        report->height = 1;
    if (split->families && options->transform == HD_TRANSFORM_CIRC)
        report->height = (uint32_t)((report->before.max_degree + split->K - 1) / split->K - 1);
    hd_transform_advise(report);
    return HEDDLE_OK;
}

heddle_status heddle_graph_transform(heddle_context *ctx, const heddle_graph *graph,
                                     const heddle_transform_options *given, heddle_graph **result,
                                     heddle_transform_report *report) {
    heddle_transform_options whole;
    heddle_transform_report figures;
    hd_split_options options;
    hd_split_result split;
    if (result)
        *result = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    if (report)
        HD_NEEDS_ROOM(ctx, report);
    heddle_transform_options_init(&whole);
    HD_TRY(HD_TAKE_OPTIONS(ctx, given, &whole));
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, 1));
    HD_TRY(read_options(ctx, &whole, &options));
    HD_TRY(hd_split_graph(ctx, graph, &options, &split));
    heddle_status status = report ? fill_report(ctx, graph, &options, &split, &figures) : HEDDLE_OK;
    if (status == HEDDLE_OK) {
        if (report)
            HD_GIVE(report, &figures);
        uint64_t edges = split.graph ? split.graph->edges : 0;
        *result = split.graph;
        split.graph = NULL;
        HD_DELETE(&ctx->allocator, split.fresh, edges / 64 + 1);
    }
    hd_split_free(ctx, &split);
    return status;
}
