/* isolated.c - removes vertices without arcs: the others are renumbered without gaps, and keep their ids. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/build.h"
#include "graph/ids_subset.h"

/* fresh[v] becomes v's new number; UINT32_MAX for isolated vertices. Returns the number of vertices kept. */
static uint64_t number_touched(heddle_context *ctx, const heddle_graph *graph, uint32_t *fresh) {
    uint64_t kept = 0;
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t v = 0; v < graph->vertices; v++)
        fresh[v] = graph->out.offsets[v + 1] > graph->out.offsets[v];
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t e = 0; e < graph->edges; e++)
        if (!hd_load(&fresh[graph->out.targets[e]]))
            hd_store(&fresh[graph->out.targets[e]], UINT32_C(1));
    for (uint64_t v = 0; v < graph->vertices; v++)
        fresh[v] = fresh[v] ? (uint32_t)kept++ : UINT32_MAX;
    return kept;
}

static void keep_rows(heddle_context *ctx, heddle_graph *graph, const uint32_t *fresh, uint64_t *offsets,
                      uint64_t kept) {
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (fresh[v] != UINT32_MAX)
            offsets[fresh[v]] = graph->out.offsets[v];
    offsets[kept] = graph->edges;
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t e = 0; e < graph->edges; e++)
        graph->out.targets[e] = fresh[graph->out.targets[e]];
    HD_DELETE(&ctx->allocator, graph->out.offsets, graph->vertices + 1);
    graph->out.offsets = offsets;
}

static void free_ids(heddle_context *ctx, heddle_graph *graph) {
    hd_ids *ids = &graph->ids;
    if (ids->starts)
        HD_DELETE(&ctx->allocator, ids->text, ids->starts[graph->vertices]);
    HD_DELETE(&ctx->allocator, ids->starts, graph->vertices + 1);
    HD_DELETE(&ctx->allocator, ids->values, graph->vertices);
}

heddle_status hd_graph_drop_isolated(heddle_context *ctx, heddle_graph *graph) {
    uint32_t *fresh;
    uint64_t *offsets = NULL, vertices = graph->vertices, kept = 0;
    hd_ids ids;
    heddle_status status;
    HD_TRY(HD_NEW(ctx, &fresh, vertices, "renumbering"));
    kept = number_touched(ctx, graph, fresh);
    if (kept == vertices) {
        HD_DELETE(&ctx->allocator, fresh, vertices);
        return HEDDLE_OK;
    }
    /* Everything that can fail comes before the first change of the graph. */
    HD_CHECK(HD_NEW(ctx, &offsets, kept + 1, "row offsets"));
    HD_CHECK(hd_ids_keep(ctx, graph, fresh, kept, &ids));
    free_ids(ctx, graph);
    graph->ids = ids;
    keep_rows(ctx, graph, fresh, offsets, kept);
    graph->vertices = kept;
    offsets = NULL;
out:
    HD_DELETE(&ctx->allocator, offsets, kept + 1);
    HD_DELETE(&ctx->allocator, fresh, vertices);
    return status;
}
