/* brandes.c - one source: forward and backward pass, its memory, and rows that all threads sum together. */
#include "algorithm/bc/brandes.h"

#include "base/memory.h"
#include "engine/cpu/bitmap.h"
#include "graph/rows.h"

#include <string.h>

enum { REPORT = 1 << 16 }; /* edges between two reports of progress */

heddle_status hd_brandes_new(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                             const heddle_adjacency *in, bool team, hd_brandes *b) {
    uint64_t n = graph->vertices;
    heddle_status status;
    *b = (hd_brandes){.ctx = ctx, .out = *out, .in = *in, .vertices = n, .edges = graph->edges};
    b->team = team && ctx->threads > 1;
    b->big_room = b->team ? 2 * (graph->edges / HD_BRANDES_BIG) + 1 : 0;
    b->part_room = b->team ? graph->edges / HD_BRANDES_PART + b->big_room : 0;
    HD_CHECK(HD_NEW_ZERO(ctx, &b->sigma, n, "path counts"));
    HD_CHECK(HD_NEW_ZERO(ctx, &b->share, n, "dependencies"));
    HD_CHECK(HD_NEW(ctx, &b->counts, n, "path counts"));
    HD_CHECK(HD_NEW_ZERO(ctx, &b->seen, hd_bitmap_words(n), "visited vertices"));
    HD_CHECK(HD_NEW(ctx, &b->before, hd_bitmap_words(n), "visited vertices"));
    HD_CHECK(HD_NEW_ZERO(ctx, &b->starts, hd_bitmap_words(n), "levels"));
    HD_CHECK(HD_NEW(ctx, &b->big, b->big_room, "long rows"));
    HD_CHECK(HD_NEW(ctx, &b->big_place, b->big_room, "long rows"));
    HD_CHECK(HD_NEW(ctx, &b->big_first, b->big_room + 1, "long rows"));
    HD_CHECK(HD_NEW(ctx, &b->parts, b->part_room, "long rows"));
    if (b->team)
        HD_CHECK(hd_brandes_narrow_new(b));
out:
    if (status != HEDDLE_OK)
        hd_brandes_free(b);
    return status;
}

void hd_brandes_free(hd_brandes *b) {
    if (!b->ctx)
        return;
    const heddle_allocator *allocator = &b->ctx->allocator;
    HD_DELETE(allocator, b->sigma, b->vertices);
    HD_DELETE(allocator, b->share, b->vertices);
    HD_DELETE(allocator, b->counts, b->vertices);
    HD_DELETE(allocator, b->seen, hd_bitmap_words(b->vertices));
    HD_DELETE(allocator, b->before, hd_bitmap_words(b->vertices));
    HD_DELETE(allocator, b->starts, hd_bitmap_words(b->vertices));
    HD_DELETE(allocator, b->big, b->big_room);
    HD_DELETE(allocator, b->big_place, b->big_room);
    HD_DELETE(allocator, b->big_first, b->big_room + 1);
    HD_DELETE(allocator, b->parts, b->part_room);
    hd_brandes_narrow_free(b);
    HD_DELETE(allocator, b->exponents, b->vertices);
    HD_DELETE(allocator, b->depths, b->vertices);
}

static void forget_share(hd_brandes *b, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++) {
        heddle_vertex v = b->order[i];
        b->sigma[v] = b->share[v] = 0;
        hd_store(&b->seen[v / 64], 0);
    }
}

void hd_brandes_forget(hd_brandes *b) {
    uint64_t reached = b->reached;
    memset(b->starts, 0, hd_bitmap_words(reached) * sizeof *b->starts);
    if (!b->team || reached < HD_BRANDES_SMALL) {
        forget_share(b, 0, reached);
        return;
    }
    HD_PARALLEL(b->ctx) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        forget_share(b, hd_split(reached, parts, part), hd_split(reached, parts, part + 1));
    }
}

bool hd_brandes_advance(hd_brandes *b, uint64_t edges) {
    b->walked += edges;
    b->unreported += edges + 1;
    if (b->unreported < REPORT)
        return hd_cancelled(b->ctx);
    uint64_t amount = b->unreported;
    b->unreported = 0;
    return hd_advance(b->ctx, amount);
}

void hd_brandes_source(hd_brandes *b, heddle_vertex source) {
    if (hd_brandes_forward(b, source)) {
        hd_brandes_backward(b);
    } else {
        hd_brandes_forget(b);
        hd_brandes_wide(b, source);
    }
}

/* ---- Rows set aside ------------------------------------------------------------------------------------------ */

uint64_t hd_brandes_cut(hd_brandes *b, const heddle_adjacency *rows) {
    uint64_t parts = 0;
    for (uint64_t k = 0; k < b->big_count; k++) {
        uint64_t length = hd_row_length(rows, b->big[k]);
        b->big_first[k] = parts;
        parts += length <= HD_BRANDES_BIG ? 1 : (length + HD_BRANDES_PART - 1) / HD_BRANDES_PART;
    }
    return b->big_first[b->big_count] = parts;
}

uint64_t hd_brandes_part(const hd_brandes *b, const heddle_adjacency *rows, uint64_t p, uint64_t *from, uint64_t *to) {
    uint64_t low = hd_row_of(b->big_first, b->big_count, p);
    uint64_t end = rows->offsets[b->big[low] + 1];
    *from = rows->offsets[b->big[low]] + (p - b->big_first[low]) * HD_BRANDES_PART;
    *to = p + 1 == b->big_first[low + 1] ? end : *from + HD_BRANDES_PART;
    return low;
}

void hd_brandes_sum_big(hd_brandes *b, const heddle_adjacency *rows, const double *x) {
    uint64_t count = hd_brandes_cut(b, rows);
    HD_PARALLEL_FOR(b->ctx, schedule(dynamic, 1))
    for (uint64_t p = 0; p < count; p++) {
        uint64_t from, to, k = hd_brandes_part(b, rows, p, &from, &to);
        b->parts[p] = hd_row_sum(rows->targets, rows->offsets[b->big[k]], from, to, x);
    }
    for (uint64_t k = 0; k < b->big_count; k++) {
        double sum = b->parts[b->big_first[k]];
        for (uint64_t p = b->big_first[k] + 1; p < b->big_first[k + 1]; p++)
            sum += b->parts[p];
        b->parts[k] = sum; /* k <= big_first[k]: each part is read before it is overwritten */
    }
}
