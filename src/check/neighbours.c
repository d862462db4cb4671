/* neighbours.c - distinct neighbours, found by marking. */
#include "check/neighbours.h"

#include "base/memory.h"
#include "check/check_in_edges.h"

#include <string.h>

enum { STEP = 1 << 16 };

static void add_row(hd_neighbours *all, const heddle_adjacency *side, uint64_t v, uint64_t *used) {
    for (uint64_t e = side->offsets[v]; e < side->offsets[v + 1]; e++) {
        heddle_vertex w = side->targets[e];
        if (w == v || all->seen[w] == v + 1)
            continue;
        all->seen[w] = (heddle_vertex)(v + 1);
        all->list[(*used)++] = w;
    }
}

heddle_status hd_neighbours_open(heddle_context *ctx, const heddle_graph *graph, hd_neighbours *all) {
    heddle_adjacency out;
    hd_check_in_edges in = {.offsets = NULL};
    uint64_t used = 0;
    heddle_status status;
    *all = (hd_neighbours){.vertices = graph->vertices, .room = graph->edges * (graph->directed ? 2 : 1)};
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    HD_CHECK(hd_check_in_edges_open(ctx, graph, false, &in));
    HD_CHECK(HD_NEW(ctx, &all->offsets, all->vertices + 1, "offsets of neighbours"));
    HD_CHECK(HD_NEW(ctx, &all->list, all->room, "neighbours"));
    HD_CHECK(HD_NEW_ZERO(ctx, &all->seen, all->vertices, "marks"));
    for (uint64_t v = 0; v < all->vertices && !(v % STEP == 0 && hd_advance(ctx, 0)); v++) {
        all->offsets[v] = used;
        add_row(all, &out, v, &used);
        if (graph->directed)
            add_row(all, &in.rows, v, &used);
    }
    all->offsets[all->vertices] = used;
    memset(all->seen, 0, all->vertices * sizeof *all->seen);
    status = hd_cancelled_status(ctx);
out:
    hd_check_in_edges_close(ctx, graph, &in);
    return status;
}

void hd_neighbours_close(heddle_context *ctx, hd_neighbours *all) {
    HD_DELETE(&ctx->allocator, all->offsets, all->vertices + 1);
    HD_DELETE(&ctx->allocator, all->list, all->room);
    HD_DELETE(&ctx->allocator, all->seen, all->vertices);
}
