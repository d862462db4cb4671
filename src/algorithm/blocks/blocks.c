/* blocks.c - depth-first search with low points (Hopcroft and Tarjan, 1973), without recursion: each vertex keeps the
 * place in its row where its visit goes on. */
#include "algorithm/blocks/blocks.h"

#include "base/memory.h"

enum { STEP = 1 << 14 }; /* vertices between two checks of the cancel flag */

typedef struct search {
    heddle_context *ctx;
    hd_blocks *b;
    uint64_t *next; /* per vertex on the path from the root: the arc to look at next */
    uint32_t visited;
} search;

static inline void visit(search *s, heddle_vertex v, heddle_vertex parent) {
    hd_blocks *b = s->b;
    b->order[s->visited] = v;
    b->place[v] = b->low[v] = s->visited++;
    b->parent[v] = parent;
    s->next[v] = b->simple.offsets[v];
    if (s->visited % STEP == 0)
        hd_advance(s->ctx, STEP);
}

static inline void lower(uint32_t *low, uint32_t place) { *low = place < *low ? place : *low; }

/* Visits whatever hangs together with the root. */
static void search_tree(search *s, heddle_vertex root) {
    hd_blocks *b = s->b;
    const hd_simple *g = &b->simple;
    heddle_vertex v = root;
    visit(s, root, root);
    for (;;) {
        if (s->next[v] < g->offsets[v + 1]) {
            heddle_vertex w = g->targets[s->next[v]++];
            if (b->place[w] == UINT32_MAX) {
                visit(s, w, v);
                v = w;
            } else if (w != b->parent[v]) {
                lower(&b->low[v], b->place[w]);
            }
        } else if (v == root || hd_cancelled(s->ctx)) {
            return;
        } else {
            heddle_vertex parent = b->parent[v];
            lower(&b->low[parent], b->low[v]);
            v = parent;
        }
    }
}

static heddle_status search_all(heddle_context *ctx, hd_blocks *b) {
    uint64_t n = b->simple.vertices;
    search s = {.ctx = ctx, .b = b};
    HD_TRY(HD_NEW(ctx, &s.next, n, "depth-first search"));
    for (uint64_t v = 0; v < n; v++)
        b->place[v] = UINT32_MAX;
    for (uint64_t v = 0; v < n && !hd_cancelled(ctx); v++)
        if (b->place[v] == UINT32_MAX)
            search_tree(&s, (heddle_vertex)v);
    hd_advance(ctx, n % STEP);
    HD_DELETE(&ctx->allocator, s.next, n);
    return hd_cancelled_status(ctx);
}

heddle_status hd_blocks_open(heddle_context *ctx, const heddle_graph *graph, hd_blocks *b) {
    uint64_t n = graph->vertices;
    *b = (hd_blocks){.parent = NULL};
    HD_TRY(hd_simple_open(ctx, graph, false, &b->simple));
    HD_TRY(HD_NEW(ctx, &b->order, n, "depth-first order"));
    HD_TRY(HD_NEW(ctx, &b->place, n, "depth-first places"));
    HD_TRY(HD_NEW(ctx, &b->parent, n, "depth-first parents"));
    HD_TRY(HD_NEW(ctx, &b->low, n, "low points"));
    return search_all(ctx, b);
}

void hd_blocks_close(heddle_context *ctx, hd_blocks *b) {
    uint64_t n = b->simple.vertices;
    HD_DELETE(&ctx->allocator, b->order, n);
    HD_DELETE(&ctx->allocator, b->place, n);
    HD_DELETE(&ctx->allocator, b->parent, n);
    HD_DELETE(&ctx->allocator, b->low, n);
    hd_simple_close(ctx, &b->simple);
}

heddle_status hd_blocks_bytes(const hd_run *run, double *bytes) {
    uint64_t simple;
    HD_TRY(hd_simple_bytes(run->ctx, run->graph, false, &simple));
    *bytes = (double)simple;
    return HEDDLE_OK;
}

void hd_blocks_label(const hd_blocks *b, heddle_vertex *label) {
    for (uint64_t i = 0; i < b->simple.vertices; i++) {
        heddle_vertex v = b->order[i];
        label[v] = hd_blocks_root(b, v) || hd_blocks_first(b, v) ? v : label[b->parent[v]];
    }
}
