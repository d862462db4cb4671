/* ids_subset.c - see ids_subset.h. */
#include "graph/ids_subset.h"

#include "base/memory.h"

#include <string.h>

static void copy_labels(const hd_ids *from, const uint32_t *fresh, uint64_t vertices, uint64_t *starts, char *text) {
    uint64_t at = 0, out = 0;
    for (uint64_t v = 0; v < vertices; v++) {
        uint64_t length = from->starts[v + 1] - from->starts[v];
        if (fresh[v] == UINT32_MAX)
            continue;
        memcpy(text + at, from->text + from->starts[v], length);
        starts[out++] = at;
        at += length;
    }
    starts[out] = at;
}

static heddle_status keep_labels(heddle_context *ctx, const heddle_graph *graph, const uint32_t *fresh, uint64_t kept,
                                 hd_ids *ids) {
    const hd_ids *from = &graph->ids;
    uint64_t *starts, bytes = 0;
    char *text;
    for (uint64_t v = 0; v < graph->vertices; v++)
        bytes += fresh[v] == UINT32_MAX ? 0 : from->starts[v + 1] - from->starts[v];
    HD_TRY(HD_NEW(ctx, &starts, kept + 1, "label offsets"));
    heddle_status status = HD_NEW(ctx, &text, bytes, "labels");
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, starts, kept + 1);
        return status;
    }
    copy_labels(from, fresh, graph->vertices, starts, text);
    *ids = (hd_ids){.type = from->type, .text = text, .starts = starts, .owned = true};
    return HEDDLE_OK;
}

heddle_status hd_ids_keep(heddle_context *ctx, const heddle_graph *graph, const uint32_t *fresh, uint64_t kept,
                          hd_ids *ids) {
    int64_t *values;
    if (graph->ids.type == HEDDLE_ID_STRING)
        return keep_labels(ctx, graph, fresh, kept, ids);
    HD_TRY(HD_NEW(ctx, &values, kept, "ids"));
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (fresh[v] != UINT32_MAX)
            values[fresh[v]] = heddle_graph_id(graph, (heddle_vertex)v);
    *ids = (hd_ids){.type = graph->ids.type, .values = values, .owned = true};
    return HEDDLE_OK;
}
