/* transform.c - heddle_graph_transform: transforms by name, with a report of their cost and effect. */
#include "base/argument.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/word_list.h"
#include "plan/advice.h"

#include <math.h>
#include <string.h>

void heddle_transform_options_init_sized(heddle_transform_options *options, size_t size) {
    heddle_transform_options defaults = {.size = sizeof defaults, .name = "udt", .bound = HEDDLE_BOUND_AUTO, .seed = 1};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

static heddle_status find(heddle_context *ctx, const char *name, const hd_transform **transform) {
    const char *names[32];
    char expected[160];
    size_t count = 0;
    for (; (*transform = hd_transform_at(count)); count++) {
        names[count] = (*transform)->info.name;
        if (name && strcmp(name, names[count]) == 0)
            return HEDDLE_OK;
    }
    hd_join(names, count, ", ", " or ", expected, sizeof expected);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no transform '%s': expected %s", name ? name : "", expected);
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
                                        .height = split->height,
                                        .hops = split->hops,
                                        .seconds = split->seconds};
    HD_TRY(hd_irregularity_of(ctx, graph, options->pull, &report->before));
    HD_TRY(hd_irregularity_of(ctx, split->graph ? split->graph : graph, options->pull, &report->after));
    HD_TRY(hd_clustering_of(ctx, graph, options->pull, &report->clustering));
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
