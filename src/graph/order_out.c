/* order_out.c - vertices with out-edges first, those without behind them, both in the order of vertices: the first
 * renaming of Graphie (Han, Mawhirter, Wu and Buland, PACT 2017, Algorithm 2). Sources of consecutive edges are then
 * consecutive vertices, and partitions of the edges hold no vertex without edges. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order_parts.h"

enum { BLOCK = 1 << 14 /* vertices that a thread places at a time */ };

static bool sends(const hd_order_sort *s, uint64_t v) { return s->out.offsets[v + 1] > s->out.offsets[v]; }

/* Blocks count, a prefix sum gives each its place, blocks write. */
static heddle_status sort(hd_order_sort *s) {
    uint64_t n = s->graph->vertices, blocks = (n + BLOCK - 1) / BLOCK, *counts = s->counts;
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < blocks; b++) {
        counts[b] = 0;
        for (uint64_t v = b * BLOCK; v < n && v < (b + 1) * BLOCK; v++)
            counts[b] += sends(s, v);
    }
    uint64_t senders = hd_prefix_sum(s->ctx, counts, blocks);
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t first = counts[b], other = senders + b * BLOCK - counts[b];
        for (uint64_t v = b * BLOCK; v < n && v < (b + 1) * BLOCK; v++)
            s->sequence[sends(s, v) ? first++ : other++] = (heddle_vertex)v;
    }
    return HEDDLE_OK;
}

const hd_order hd_order_out = {.info = {"out", "vertices with out-edges first"},
                               .in_reports = "order-out",
                               .number = 3,
                               .sort = sort};
