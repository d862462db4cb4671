/* ids_bulk.c - all ids of a graph at once, into the caller's arrays. */
#include "base/argument.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/graph.h"

#include <string.h>

heddle_status heddle_graph_ids(heddle_context *ctx, const heddle_graph *graph, int64_t *ids) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    if (graph->vertices)
        HD_NEEDS(ctx, ids);
    if (graph->ids.type == HEDDLE_ID_STRING)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "the vertices have labels, not integer ids: heddle_graph_labels gives them");
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    hd_threads_settle(ctx, graph->vertices);
    HD_PARALLEL_FOR(ctx, schedule(static) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        ids[v] = heddle_graph_id(graph, (heddle_vertex)v);
    return HEDDLE_OK;
}

static void copy_labels(const heddle_graph *graph, uint64_t *offsets, char *text) {
    const hd_ids *ids = &graph->ids;
    uint64_t first = ids->starts[0], n = graph->vertices;
    for (uint64_t v = 0; v <= n; v++)
        offsets[v] = ids->starts[v] - first;
    if (text && offsets[n])
        memcpy(text, ids->text + first, (size_t)offsets[n]);
}

/* Integers as text. */
static void write_labels(const heddle_graph *graph, uint64_t *offsets, char *text) {
    char digits[32];
    offsets[0] = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        size_t length = heddle_graph_id_text(graph, (heddle_vertex)v, digits, sizeof digits);
        if (text)
            memcpy(text + offsets[v], digits, length);
        offsets[v + 1] = offsets[v] + length;
    }
}

heddle_status heddle_graph_labels(heddle_context *ctx, const heddle_graph *graph, uint64_t *offsets, char *text,
                                  uint64_t room) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, offsets);
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    void (*fill)(const heddle_graph *, uint64_t *, char *) =
        graph->ids.type == HEDDLE_ID_STRING && graph->vertices ? copy_labels : write_labels;
    fill(graph, offsets, NULL);
    if (text && room < offsets[graph->vertices])
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_graph_labels: room is %llu bytes, and the ids take %llu",
                       (unsigned long long)room, (unsigned long long)offsets[graph->vertices]);
    if (text)
        fill(graph, offsets, text);
    return HEDDLE_OK;
}
