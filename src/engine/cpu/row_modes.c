/* row_modes.c - see row_modes.h. */
#include "engine/cpu/row_modes.h"

#include "base/memory.h"
#include "base/parallel.h"

enum {
    SHARE = 4,          /* a thread's own table is for rows of 1/4 of its share of the graph, at most, */
    OWN_LEAST = 1 << 12 /* or of this length */
};

heddle_status hd_row_modes_rows(heddle_context *ctx, const heddle_graph *graph, hd_row_modes *m) {
    uint64_t n = graph->vertices, longest = 0, threads = (uint64_t)ctx->threads;
    uint64_t entries = graph->directed ? 2 * graph->edges : graph->edges, own = (n + entries) / (SHARE * threads);
    *m = (hd_row_modes){.ctx = ctx, .n = n};
    HD_TRY(hd_graph_bare(ctx, graph, false, &m->out));
    if (graph->directed)
        HD_TRY(hd_graph_bare(ctx, graph, true, &m->in));
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : longest) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = hd_row_modes_degree(m, v);
        longest = count > longest ? count : longest;
    }
    own = own > OWN_LEAST ? own : OWN_LEAST;
    m->longest = longest;
    m->own = threads == 1 || own > longest ? longest : own;
    return HEDDLE_OK;
}

heddle_status hd_row_modes_open(heddle_context *ctx, const heddle_graph *graph, hd_row_modes *m) {
    HD_TRY(hd_row_modes_rows(ctx, graph, m));
    HD_TRY(HD_NEW_ZERO(ctx, &m->modes, (uint64_t)ctx->threads, "threads"));
    for (int t = 0; t < ctx->threads; t++)
        HD_TRY(hd_row_mode_open(ctx, m->n, m->own, &m->modes[t]));
    return m->longest > m->own ? hd_row_mode_open(ctx, m->n, m->longest, &m->shared) : HEDDLE_OK;
}

void hd_row_modes_close(hd_row_modes *m) {
    if (!m->ctx)
        return;
    for (int t = 0; m->modes && t < m->ctx->threads; t++)
        hd_row_mode_close(m->ctx, &m->modes[t]);
    hd_row_mode_close(m->ctx, &m->shared);
    HD_DELETE(&m->ctx->allocator, m->modes, (uint64_t)m->ctx->threads);
}

heddle_status hd_row_modes_bytes(heddle_context *ctx, const heddle_graph *graph, double *bytes) {
    hd_row_modes m;
    HD_TRY(hd_row_modes_rows(ctx, graph, &m));
    *bytes = (double)((uint64_t)ctx->threads * hd_row_mode_bytes(m.n, m.own) +
                      (m.longest > m.own ? hd_row_mode_bytes(m.n, m.longest) : 0));
    return HEDDLE_OK;
}

uint32_t hd_row_modes_of(hd_row_modes *m, const uint32_t *label, uint64_t v, const hd_row_ties *ties) {
    hd_row_part out = hd_row_part_of(&m->out, v), in = hd_row_part_of(&m->in, v);
    uint32_t found;
    if (out.count + in.count <= m->own)
        return hd_row_mode_by(&m->modes[hd_thread()], label, out, in, ties);
    HD_CRITICAL { found = hd_row_mode_by(&m->shared, label, out, in, ties); }
    return found;
}

static void mark_part(hd_row_part part, uint8_t *marks) {
    for (uint64_t i = 0; i < part.count; i++)
        hd_store(&marks[part.targets[i]], 1);
}

void hd_row_modes_mark(const hd_row_modes *m, uint64_t v, uint8_t *marks) {
    mark_part(hd_row_part_of(&m->out, v), marks);
    mark_part(hd_row_part_of(&m->in, v), marks);
}
