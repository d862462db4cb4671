/* simple_graph.c - see simple_graph.h. An entry without a graph says that the graph is simple already. */
#include "engine/simple_graph.h"

#include "base/memory.h"
#include "graph/simple.h"

typedef struct derived_simple {
    hd_derived head;
    heddle_graph *graph;
} derived_simple;

static bool same(const hd_derived *entry, const void *key) {
    (void)entry, (void)key;
    return true;
}

/* The arrays change owners. */
static void hand_over(hd_simple *rows, heddle_graph *graph) {
    graph->vertices = rows->vertices;
    graph->edges = rows->edges;
    graph->out = (hd_csr){.offsets = rows->own_offsets, .targets = rows->own_targets, .owned = true};
    rows->own_offsets = NULL;
    rows->own_targets = NULL;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const void *key, hd_derived *entry) {
    derived_simple *e = (derived_simple *)entry;
    hd_simple rows;
    heddle_status status;
    (void)key;
    HD_CHECK(hd_simple_open(ctx, graph, false, &rows));
    if (!rows.own_offsets)
        return HEDDLE_OK;
    HD_CHECK(hd_graph_new(ctx, &e->graph));
    hand_over(&rows, e->graph);
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

heddle_status hd_derived_simple_of(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                                   const heddle_graph **simple) {
    hd_derived *entry;
    double start = hd_clock();
    HD_TRY(hd_derived_get(ctx, &simple_graphs, graph, NULL, NULL, &entry));
    report->prepare += hd_clock() - start;
    *simple = ((derived_simple *)entry)->graph ? ((derived_simple *)entry)->graph : graph;
    return HEDDLE_OK;
}
