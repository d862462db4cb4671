/* graffix.c - see graffix.h: the table of techniques. */
#include "graffix/graffix.h"

#include "base/memory.h"
#include "graffix/latency.h"

#define FOR_EACH_KIND(X) X(coalesce) X(latency) X(divergence)
#define ENTRY(name) &hd_graffix_##name,
static const hd_graffix *const kinds[] = {FOR_EACH_KIND(ENTRY)};

const hd_graffix *hd_graffix_at(size_t index) { return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL; }

heddle_status hd_graffix_graph(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_graffix_result *result) {
    *result = (hd_graffix_result){.vertices = graph->vertices};
    heddle_status status = options->kind->make(ctx, graph, options, result);
    if (status != HEDDLE_OK)
        hd_graffix_free(ctx, result);
    return status;
}

void hd_graffix_free(heddle_context *ctx, hd_graffix_result *result) {
    const heddle_allocator *allocator = &ctx->allocator;
    hd_copies *copies = &result->copies;
    heddle_graph_destroy(&result->graph);
    hd_clusters_free(ctx, result->vertices, &result->clusters);
    HD_DELETE(allocator, copies->place, copies->vertices);
    HD_DELETE(allocator, copies->vertex, copies->places);
    HD_DELETE(allocator, copies->degrees, copies->places);
    HD_DELETE(allocator, copies->list, copies->count);
    *copies = (hd_copies){.count = 0};
}
