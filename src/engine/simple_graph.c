/* simple_graph.c - see simple_graph.h. An entry without a graph says that the graph is simple already. */
#include "engine/simple_graph.h"

#include "base/memory.h"
#include "graph/simple.h"

typedef struct derived_simple {
    hd_derived head;
    bool directions;
    heddle_graph *graph;
} derived_simple;

static bool same(const hd_derived *entry, const void *key) {
    return ((const derived_simple *)entry)->directions == *(const bool *)key;
}

/* The arrays change owners; directions become weights. */
static heddle_status hand_over(heddle_context *ctx, hd_simple *rows, heddle_graph *graph) {
    uint32_t *weights = NULL;
    if (rows->both) {
        HD_TRY(HD_NEW(ctx, &weights, rows->edges, "directions of edges"));
        for (uint64_t e = 0; e < rows->edges; e++)
            weights[e] = 1 + rows->both[e];
        graph->weight_type = HEDDLE_WEIGHT_U32;
    }
    graph->vertices = rows->vertices;
    graph->edges = rows->edges;
    graph->out =
        (hd_csr){.offsets = rows->own_offsets, .targets = rows->own_targets, .weights = weights, .owned = true};
    rows->own_offsets = NULL;
    rows->own_targets = NULL;
    return HEDDLE_OK;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const void *key, hd_derived *entry) {
    derived_simple *e = (derived_simple *)entry;
    hd_simple rows;
    heddle_status status;
    e->directions = *(const bool *)key;
    HD_CHECK(hd_simple_open(ctx, graph, e->directions, &rows));
    if (!rows.own_offsets)
        return HEDDLE_OK;
    HD_CHECK(hd_graph_new(ctx, &e->graph));
    HD_CHECK(hand_over(ctx, &rows, e->graph));
    e->graph->origin = entry->root;
    entry->graphs[0] = e->graph;
out:
    hd_simple_close(ctx, &rows);
    return status;
}

static void destroy(heddle_context *ctx, hd_derived *entry) {
    (void)ctx;
    heddle_graph_destroy(&((derived_simple *)entry)->graph);
}

static const hd_derived_kind simple_graphs = {sizeof(derived_simple), same, make, NULL, destroy};

heddle_status hd_derived_simple_of(heddle_context *ctx, const heddle_graph *graph, bool directions,
                                   heddle_report *report, const heddle_graph **simple) {
    hd_derived *entry;
    double start = hd_clock();
    directions = directions && graph->directed;
    HD_TRY(hd_derived_get(ctx, &simple_graphs, graph, &directions, NULL, &entry));
    report->prepare += hd_clock() - start;
    *simple = ((derived_simple *)entry)->graph ? ((derived_simple *)entry)->graph : graph;
    return HEDDLE_OK;
}
