/* split_ids.c - see split_ids.h. */
#include "transform/split_ids.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "split:";

static heddle_status too_large(heddle_context *ctx) {
    return hd_fail(ctx, HEDDLE_E_LIMIT, "the graph's largest id leaves no ids for the vertices that a split adds");
}

static heddle_status name_by_number(heddle_context *ctx, const heddle_graph *graph, hd_split_result *split) {
    uint64_t n = graph->vertices, added = split->added_vertices;
    hd_ids *ids = &split->graph->ids;
    uint64_t last = (uint64_t)heddle_graph_id(graph, (heddle_vertex)(n - 1));
    uint64_t most = graph->ids.type == HEDDLE_ID_U64 ? UINT64_MAX : INT64_MAX;
    bool negative = graph->ids.type == HEDDLE_ID_I64 && (int64_t)last < 0;
    if (!negative && most - last < added)
        return too_large(ctx);
    *ids = (hd_ids){.type = graph->ids.type, .base = graph->ids.base, .owned = true};
    if (!graph->ids.values)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(ctx, &ids->values, split->graph->vertices, "ids"));
    memcpy(ids->values, graph->ids.values, n * sizeof *ids->values);
    for (uint64_t i = 0; i < added; i++)
        ids->values[n + i] = (int64_t)(last + 1 + i);
    return HEDDLE_OK;
}

static int label_of(uint64_t i, char text[32]) { return snprintf(text, 32, "%s%llu", prefix, (unsigned long long)i); }

static heddle_status name_by_label(heddle_context *ctx, const heddle_graph *graph, hd_split_result *split) {
    uint64_t n = graph->vertices, added = split->added_vertices;
    const hd_ids *from = &graph->ids;
    hd_ids ids = {.type = from->type, .owned = true};
    char text[32];
    for (uint64_t v = 0; v < n; v++)
        if (from->starts[v + 1] - from->starts[v] >= sizeof prefix - 1 &&
            memcmp(from->text + from->starts[v], prefix, sizeof prefix - 1) == 0)
            return hd_fail(ctx, HEDDLE_E_REFUSED,
                           "the graph has labels that begin with '%s', as new vertices would: was it split before?",
                           prefix);
    HD_TRY(HD_NEW(ctx, &ids.starts, n + added + 1, "label offsets"));
    memcpy(ids.starts, from->starts, (n + 1) * sizeof *ids.starts);
    for (uint64_t i = 0; i < added; i++)
        ids.starts[n + i + 1] = ids.starts[n + i] + (uint64_t)label_of(i, text);
    heddle_status status = HD_NEW(ctx, &ids.text, ids.starts[n + added], "labels");
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, ids.starts, n + added + 1);
        return status;
    }
    memcpy(ids.text, from->text, ids.starts[n]);
    for (uint64_t i = 0; i < added; i++) {
        label_of(i, text);
        memcpy(ids.text + ids.starts[n + i], text, ids.starts[n + i + 1] - ids.starts[n + i]);
    }
    split->graph->ids = ids;
    return HEDDLE_OK;
}

heddle_status hd_split_name(heddle_context *ctx, const heddle_graph *graph, hd_split_result *split) {
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS));
    return graph->ids.type == HEDDLE_ID_STRING ? name_by_label(ctx, graph, split) : name_by_number(ctx, graph, split);
}
