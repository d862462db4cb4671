/* isolated.c - removes vertices without arcs: the others are renumbered without gaps, and keep their ids. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/build.h"

#include <string.h>

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

static void move_labels(hd_ids *ids, const uint32_t *fresh, uint64_t vertices, uint64_t *starts, char *text) {
    uint64_t at = 0, out = 0;
    for (uint64_t v = 0; v < vertices; v++) {
        uint64_t length = ids->starts[v + 1] - ids->starts[v];
        if (fresh[v] == UINT32_MAX)
            continue;
        memcpy(text + at, ids->text + ids->starts[v], length);
        starts[out++] = at;
        at += length;
    }
    starts[out] = at;
}

static heddle_status keep_labels(heddle_context *ctx, hd_ids *ids, const uint32_t *fresh, uint64_t vertices,
                                 uint64_t kept) {
    uint64_t *starts, bytes = 0;
    char *text;
    for (uint64_t v = 0; v < vertices; v++)
        bytes += fresh[v] == UINT32_MAX ? 0 : ids->starts[v + 1] - ids->starts[v];
    HD_TRY(HD_NEW(ctx, &starts, kept + 1, "label offsets"));
    heddle_status status = HD_NEW(ctx, &text, bytes, "labels");
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, starts, kept + 1);
        return status;
    }
    move_labels(ids, fresh, vertices, starts, text);
    HD_DELETE(&ctx->allocator, ids->text, ids->starts[vertices]);
    HD_DELETE(&ctx->allocator, ids->starts, vertices + 1);
    ids->text = text;
    ids->starts = starts;
    return HEDDLE_OK;
}

static heddle_status keep_values(heddle_context *ctx, heddle_graph *graph, const uint32_t *fresh, uint64_t kept) {
    int64_t *values;
    HD_TRY(HD_NEW(ctx, &values, kept, "ids"));
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (fresh[v] != UINT32_MAX)
            values[fresh[v]] = heddle_graph_id(graph, (heddle_vertex)v);
    HD_DELETE(&ctx->allocator, graph->ids.values, graph->vertices);
    graph->ids.values = values;
    return HEDDLE_OK;
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

heddle_status hd_graph_drop_isolated(heddle_context *ctx, heddle_graph *graph) {
    uint32_t *fresh;
    uint64_t *offsets = NULL, vertices = graph->vertices, kept = 0;
    heddle_status status;
    HD_TRY(HD_NEW(ctx, &fresh, vertices, "renumbering"));
    kept = number_touched(ctx, graph, fresh);
    if (kept == vertices) {
        HD_DELETE(&ctx->allocator, fresh, vertices);
        return HEDDLE_OK;
    }
    /* Everything that can fail comes before the first change of the graph. */
    HD_CHECK(HD_NEW(ctx, &offsets, kept + 1, "row offsets"));
    HD_CHECK(graph->ids.type == HEDDLE_ID_STRING ? keep_labels(ctx, &graph->ids, fresh, vertices, kept)
                                                 : keep_values(ctx, graph, fresh, kept));
    keep_rows(ctx, graph, fresh, offsets, kept);
    graph->vertices = kept;
    offsets = NULL;
out:
    HD_DELETE(&ctx->allocator, offsets, kept + 1);
    HD_DELETE(&ctx->allocator, fresh, vertices);
    return status;
}
