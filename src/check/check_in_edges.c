/* check_in_edges.c - see check_in_edges.h. Shares no code with graph/csr_transpose.c. */
#include "check/check_in_edges.h"

#include "base/memory.h"

enum { STEP = 1 << 16 };

static void count_arcs(const heddle_adjacency *out, uint64_t n, uint64_t *offsets) {
    for (uint64_t e = 0; e < out->offsets[n]; e++)
        offsets[out->targets[e] + 1]++;
    for (uint64_t v = 0; v < n; v++)
        offsets[v + 1] += offsets[v];
}

/* offsets[v] is where the next arc into v goes, and in the end where the row of v + 1 begins. */
static void place_arcs(heddle_context *ctx, const heddle_adjacency *out, uint64_t n, hd_check_in_edges *t) {
    for (uint64_t u = 0; u < n && !(u % STEP == 0 && hd_advance(ctx, 0)); u++)
        for (uint64_t e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            uint64_t place = t->offsets[out->targets[e]]++;
            t->sources[place] = (heddle_vertex)u;
            if (t->arcs)
                t->arcs[place] = e;
        }
    for (uint64_t v = n; v > 0; v--)
        t->offsets[v] = t->offsets[v - 1];
    t->offsets[0] = 0;
}

heddle_status hd_check_in_edges_open(heddle_context *ctx, const heddle_graph *graph, bool arcs, hd_check_in_edges *t) {
    uint64_t n = graph->vertices;
    heddle_adjacency out;
    *t = (hd_check_in_edges){.offsets = NULL};
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    t->rows = out;
    if (!graph->directed)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(ctx, &t->offsets, n + 1, "offsets of in-edges"));
    HD_TRY(HD_NEW(ctx, &t->sources, graph->edges, "in-edges"));
    if (arcs)
        HD_TRY(HD_NEW(ctx, &t->arcs, graph->edges, "out-edges of in-edges"));
    count_arcs(&out, n, t->offsets);
    place_arcs(ctx, &out, n, t);
    t->rows.offsets = t->offsets;
    t->rows.targets = t->sources;
    return hd_cancelled_status(ctx);
}

void hd_check_in_edges_close(heddle_context *ctx, const heddle_graph *graph, hd_check_in_edges *t) {
    HD_DELETE(&ctx->allocator, t->offsets, graph->vertices + 1);
    HD_DELETE(&ctx->allocator, t->sources, graph->edges);
    HD_DELETE(&ctx->allocator, t->arcs, graph->edges);
}
