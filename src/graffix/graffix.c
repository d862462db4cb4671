/* graffix.c - see graffix.h: the table of techniques. */
#include "graffix/graffix.h"

#include "base/memory.h"
#include "graffix/latency.h"

#define FOR_EACH_KIND(X) \
    X(coalesce) X(latency) X(divergence) X(latency_coalesce) X(latency_divergence) X(coalesce_divergence) X(all)
#define DECLARE(name) extern const hd_graffix hd_graffix_##name;
FOR_EACH_KIND(DECLARE)
#define ENTRY(name) &hd_graffix_##name,
static const hd_graffix *const kinds[] = {FOR_EACH_KIND(ENTRY)};

const hd_graffix *hd_graffix_at(size_t index) { return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL; }

const hd_graffix *hd_graffix_part(const hd_graffix *kind, size_t index) {
    if (!kind->parts[0])
        return index ? NULL : kind;
    return index < HD_GRAFFIX_PARTS ? kind->parts[index] : NULL;
}

bool hd_graffix_has(const hd_graffix *kind, const hd_graffix *part) {
    for (size_t i = 0; kind && hd_graffix_part(kind, i); i++)
        if (hd_graffix_part(kind, i) == part)
            return true;
    return false;
}

static bool equal(double a, double b) { return !(a < b) && !(a > b); }

bool hd_graffix_same(const hd_graffix_options *a, const hd_graffix_options *b) {
    bool same = a->kind == b->kind && equal(a->threshold, b->threshold) && equal(a->fill, b->fill) &&
                equal(a->budget, b->budget) && a->warp == b->warp && a->chunk == b->chunk && a->spare == b->spare;
    for (size_t i = 0; i < HD_GRAFFIX_PARTS; i++)
        same = same && equal(a->thresholds[i], b->thresholds[i]);
    return same;
}

heddle_status hd_graffix_graph(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_graffix_result *result) {
    *result = (hd_graffix_result){.graph = NULL};
    heddle_status status = options->kind->make(ctx, graph, options, result);
    if (status != HEDDLE_OK)
        hd_graffix_free(ctx, result);
    return status;
}

void hd_graffix_free(heddle_context *ctx, hd_graffix_result *result) {
    const heddle_allocator *allocator = &ctx->allocator;
    hd_copies *copies = &result->copies;
    heddle_graph_destroy(&result->graph);
    hd_clusters_free(ctx, &result->clusters);
    HD_DELETE(allocator, copies->place, copies->vertices);
    HD_DELETE(allocator, copies->vertex, copies->places);
    HD_DELETE(allocator, copies->degrees, copies->places);
    HD_DELETE(allocator, copies->list, copies->count);
    *copies = (hd_copies){.count = 0};
}
