/* metis_check.c - finds an edge that is listed at one end only.
 *
 * The hashes of hd_metis_sign are summed again, per vertex: the smallest vertex whose sum is not 0 has a wrong edge,
 * and sums over its edges alone, per neighbour, find it. Two more passes, on one thread; this runs only for files that
 * are refused.
 */
#include "io/metis.h"

#include "base/memory.h"

/* Adds to sums[larger end] the edges whose smaller end is `of`, or, with 0, to sums[smaller end] all edges. */
static bool add_up(heddle_context *ctx, hd_metis *metis, uint64_t of, uint64_t *sums, hd_edge_batch *batch) {
    memset(sums, 0, (size_t)(metis->text.vertices + 1) * sizeof *sums);
    for (uint64_t part = 0; part < metis->text.parts; part++) {
        hd_cursor cursor = {.part = part};
        hd_metis_begin(metis, &cursor);
        do {
            hd_metis_next(metis, &cursor, batch);
            for (size_t i = 0; i < batch->count; i++) {
                uint64_t u = batch->source[i], v = batch->target[i], low = u < v ? u : v, high = u < v ? v : u;
                if (!of || low == of)
                    sums[of ? high : low] += hd_metis_sign(batch, i);
            }
            if (hd_cancelled(ctx))
                return false;
        } while (batch->count);
    }
    return true;
}

/* The first vertex whose sum is not 0, or 0. */
static uint64_t first_of(const uint64_t *sums, uint64_t vertices) {
    for (uint64_t v = 1; v <= vertices; v++)
        if (sums[v])
            return v;
    return 0;
}

/* The word that names v in u's line; empty when there is none. */
static hd_word find_entry(const hd_metis *metis, uint64_t u, uint64_t v) {
    const char *p = metis->first, *stop = metis->text.end;
    for (uint64_t line = 0;; p = hd_next_line(p, stop))
        if (p < stop && *p != '%' && ++line == u)
            break;
    for (uint64_t i = 0; i < metis->skip; i++)
        hd_next_word(&p, stop);
    for (;;) {
        hd_word word = hd_next_word(&p, stop);
        uint64_t value;
        if (word.p == word.end || (hd_scan_u64(word.p, word.end, &value) && value == v))
            return word;
        if (metis->weighted)
            hd_next_word(&p, stop);
    }
}

heddle_status hd_metis_refuse_one_sided(heddle_context *ctx, hd_metis *metis) {
    uint64_t n = metis->text.vertices, u = 0, v = 0, *sums = NULL;
    hd_edge_batch *batch = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &batch, 1, "a batch of edges"));
    HD_CHECK(HD_NEW(ctx, &sums, n + 1, "sums of edges"));
    if (add_up(ctx, metis, 0, sums, batch) && (u = first_of(sums, n)) && add_up(ctx, metis, u, sums, batch))
        v = first_of(sums, n);
    HD_CHECK(hd_cancelled_status(ctx));
    hd_word word = find_entry(metis, u, v);
    bool there = word.p < word.end;
    if (!there)
        word = find_entry(metis, v, u);
    status = hd_text_refuse(ctx, &metis->text, word.p, word.end,
                            "a neighbour whose own line lists vertex %llu as often, with the same weight",
                            (unsigned long long)(there ? u : v));
out:
    HD_DELETE(&ctx->allocator, sums, n + 1);
    HD_DELETE(&ctx->allocator, batch, 1);
    return status;
}
