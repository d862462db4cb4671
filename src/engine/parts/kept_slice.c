/* kept_slice.c - see kept_slice.h. */
#include "engine/parts/kept_slice.h"

#include "base/memory.h"

static void clear(heddle_context *ctx, hd_kept_slice *kept) {
    hd_slice_transpose_free(ctx, &kept->transposed);
    hd_slice_free(ctx, &kept->slice);
    hd_slice_free(ctx, &kept->back);
    hd_rank_rows_close(ctx->link, &kept->rows);
}

void hd_kept_slice_drop(heddle_context *ctx) {
    hd_kept_slice *kept = ctx->kept_slice;
    if (!kept)
        return;
    clear(ctx, kept);
    HD_DELETE(&ctx->allocator, kept, 1);
    ctx->kept_slice = NULL;
}

static heddle_status make(hd_link *link, const heddle_graph *graph, const uint64_t *firsts, hd_kept_slice *kept) {
    size_t weight_size = kept->weighted ? hd_weight_size(graph->weight_type) : 0;
    bool apart = kept->wanted == HD_ROWS_APART;
    hd_rank_rows *rows = &kept->rows;
    HD_TRY(hd_rank_rows_open(link, graph, kept->wanted, kept->weighted, firsts, rows));
    HD_TRY(hd_slice_make(link->ctx, rows->firsts, link->rank, link->size, &rows->in, apart ? NULL : &rows->second,
                         weight_size, &kept->slice));
    if (apart && rows->second.offsets)
        HD_TRY(hd_slice_make(link->ctx, rows->firsts, link->rank, link->size, &rows->second, NULL, weight_size,
                             &kept->back));
    hd_rank_rows_sliced(link, rows);
    HD_TRY(hd_slice_join(link, &kept->slice));
    return kept->back.parts ? hd_slice_join(link, &kept->back) : HEDDLE_OK;
}

heddle_status hd_kept_slice_take(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weighted,
                                 bool by_cost, hd_kept_slice **slice) {
    heddle_context *ctx = link->ctx;
    hd_kept_slice *kept = ctx->kept_slice;
    uint64_t here = kept && kept->graph == graph->serial && kept->wanted == wanted && kept->weighted == weighted &&
                    kept->by_cost == by_cost;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &here, 1));
    if (!here) {
        hd_kept_slice_drop(ctx);
        HD_TRY(HD_NEW_ZERO(ctx, &kept, 1, "a slice"));
        *kept = (hd_kept_slice){.graph = graph->serial, .wanted = wanted, .weighted = weighted, .by_cost = by_cost};
        ctx->kept_slice = kept;
        ctx->release_slice = hd_kept_slice_drop;
        heddle_status status = make(link, graph, NULL, kept);
        if (status != HEDDLE_OK) {
            hd_kept_slice_drop(ctx);
            return status;
        }
    }
    *slice = kept;
    return HEDDLE_OK;
}

heddle_status hd_kept_slice_cut_again(hd_link *link, const heddle_graph *graph, const double *seconds,
                                      hd_kept_slice *kept) {
    heddle_context *ctx = link->ctx;
    uint64_t *firsts;
    HD_TRY(HD_NEW(ctx, &firsts, link->size + 1, "ranks"));
    hd_rank_rows_cut_again(graph, kept->wanted, link->size, kept->rows.firsts, seconds, firsts);
    clear(ctx, kept);
    heddle_status status = make(link, graph, firsts, kept);
    kept->settled = true;
    HD_DELETE(&ctx->allocator, firsts, link->size + 1);
    return status;
}
