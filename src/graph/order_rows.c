/* order_rows.c - see order.h: the rows of a renamed graph are those of the graph, each with its targets renamed and
 * sorted again. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order.h"
#include "graph/order_parts.h"
#include "graph/row_sort.h"
#include "graph/rows.h"

enum { PART = 1 << 17 /* vertices and edges that a thread takes at once */ };

typedef struct renaming {
    heddle_context *ctx;
    const heddle_graph *renamed;
    heddle_adjacency out; /* of the graph itself */
    uint64_t *starts;     /* of the renamed rows */
} renaming;

/* False: out of memory. */
static bool rename_row(const renaming *r, hd_row_sorter *s, uint64_t row, int bits, const hd_csr *to) {
    uint64_t from = r->out.offsets[r->renamed->names[row]], count = r->starts[row + 1] - r->starts[row];
    uint32_t *targets = to->targets + r->starts[row];
    if (!hd_row_sorter_fits(&r->ctx->allocator, s, count))
        return false;
    for (uint64_t k = 0; k < count; k++)
        s->keys[k] = (uint64_t)r->renamed->places[r->out.targets[from + k]] << 32 | k;
    hd_row_sort_keys(s, count, bits);
    for (uint64_t k = 0; k < count; k++)
        targets[k] = (uint32_t)(s->keys[k] >> 32);
    if (!to->weights)
        return true;
    if (hd_weight_size(r->renamed->weight_type) == sizeof(uint64_t)) {
        const uint64_t *weights = (const uint64_t *)r->out.weights + from;
        uint64_t *moved = (uint64_t *)to->weights + r->starts[row];
        for (uint64_t k = 0; k < count; k++)
            moved[k] = weights[(uint32_t)s->keys[k]];
        return true;
    }
    const uint32_t *weights = (const uint32_t *)r->out.weights + from;
    uint32_t *moved = (uint32_t *)to->weights + r->starts[row];
    for (uint64_t k = 0; k < count; k++)
        moved[k] = weights[(uint32_t)s->keys[k]];
    return true;
}

static heddle_status rename_rows(const renaming *r, const hd_csr *to) {
    uint64_t n = r->renamed->vertices, all = n + r->renamed->edges, parts = all / PART + 1;
    int bits = hd_row_sort_bits(n);
    bool failed = false;
    hd_phase_begin(r->ctx, "rename", all);
    HD_PARALLEL(r->ctx, if (all >= HD_WORTH_THREADS)) {
        hd_row_sorter s = {.room = 0};
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t part = 0; part < parts; part++) { /* a row belongs to the part in which it begins */
            uint64_t from = hd_split(all, parts, part), end = hd_split(all, parts, part + 1);
            uint64_t row = from < all ? hd_row_at(r->starts, n, from) : n;
            row += row < n && r->starts[row] + row < from;
            for (; row < n && r->starts[row] + row < end && !hd_load(&failed); row++) {
                hd_order_fetch(&r->out, r->renamed->names, r->renamed->places, row, n);
                if (!rename_row(r, &s, row, bits, to))
                    hd_store(&failed, true);
            }
            if (hd_advance(r->ctx, end - from))
                hd_store(&failed, true);
        }
        hd_row_sorter_free(&r->ctx->allocator, &s);
    }
    hd_phase_end(r->ctx);
    HD_TRY(hd_cancelled_status(r->ctx));
    return failed ? hd_fail_memory(r->ctx, r->renamed->edges * sizeof(uint64_t), "a row of edges") : HEDDLE_OK;
}

static heddle_status measure(renaming *r) {
    uint64_t n = r->renamed->vertices, longest = 0;
    HD_PARALLEL_FOR(r->ctx, schedule(static) reduction(max : longest) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < n; i++) {
        heddle_vertex v = r->renamed->names[i];
        r->starts[i] = r->out.offsets[v + 1] - r->out.offsets[v];
        longest = r->starts[i] > longest ? r->starts[i] : longest;
    }
    if (longest > UINT32_MAX)
        return hd_fail(r->ctx, HEDDLE_E_LIMIT, "order: a vertex has more than 2^32 edges");
    hd_prefix_sum(r->ctx, r->starts, n);
    return HEDDLE_OK;
}

heddle_status hd_order_rows(heddle_context *ctx, heddle_graph *renamed) {
    renaming r = {.ctx = ctx, .renamed = renamed};
    hd_csr made = {.owned = true};
    uint64_t n = renamed->vertices, m = renamed->edges;
    size_t each = hd_weight_size(renamed->weight_type);
    heddle_status status;
    HD_TRY(heddle_graph_out(ctx, renamed->original, &r.out));
    HD_TRY(HD_NEW(ctx, &r.starts, n + 1, "row offsets"));
    HD_CHECK(measure(&r));
    HD_CHECK(HD_NEW(ctx, &made.targets, m, "targets"));
    if (each)
        HD_CHECK(hd_new(ctx, &made.weights, m, each, false, "weights"));
    HD_CHECK(rename_rows(&r, &made));
    HD_DELETE(&ctx->allocator, renamed->out.offsets, n + 1); /* they may be there without the rest */
    made.offsets = r.starts;
    renamed->out = made;
    renamed->hollow = false;
    return HEDDLE_OK;
out:
    HD_DELETE(&ctx->allocator, r.starts, n + 1);
    HD_DELETE(&ctx->allocator, made.targets, m);
    if (made.weights)
        hd_free(&ctx->allocator, made.weights, m * each);
    return status;
}
