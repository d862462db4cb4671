/* reversed_graph.c - see reversed_graph.h. */
#include "engine/reversed_graph.h"

typedef struct derived_reversed {
    hd_derived head;
    heddle_graph *graph;
} derived_reversed;

static bool same(const hd_derived *entry, const void *key) {
    (void)entry, (void)key;
    return true;
}

/* Rows that belong to the other graph, which outlives this one. */
static hd_csr borrow(const heddle_adjacency *rows) {
    return (hd_csr){.offsets = (uint64_t *)(uintptr_t)rows->offsets,
                    .targets = (uint32_t *)(uintptr_t)rows->targets,
                    .weights = (void *)(uintptr_t)rows->weights};
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const void *key, hd_derived *entry) {
    derived_reversed *e = (derived_reversed *)entry;
    heddle_adjacency out, in;
    (void)key;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(heddle_graph_in(ctx, graph, &in));
    HD_TRY(hd_graph_new(ctx, &e->graph));
    e->graph->vertices = graph->vertices;
    e->graph->edges = graph->edges;
    e->graph->directed = true;
    e->graph->weight_type = graph->weight_type;
    e->graph->out = borrow(&in);
    e->graph->in = borrow(&out);
    e->graph->origin = entry->root;
    entry->graphs[0] = e->graph;
    return HEDDLE_OK;
}

static void destroy(heddle_context *ctx, hd_derived *entry) {
    (void)ctx;
    heddle_graph_destroy(&((derived_reversed *)entry)->graph);
}

static const hd_derived_kind reversed_graphs = {sizeof(derived_reversed), same, make, NULL, destroy};

heddle_status hd_derived_reversed_of(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                                     const heddle_graph **reversed) {
    hd_derived *entry;
    double start = hd_clock();
    *reversed = graph;
    if (!graph->directed)
        return HEDDLE_OK;
    HD_TRY(hd_derived_get(ctx, &reversed_graphs, graph, NULL, NULL, &entry));
    report->prepare += hd_clock() - start;
    *reversed = ((derived_reversed *)entry)->graph;
    return HEDDLE_OK;
}
