/* kept_slice.c - see kept_slice.h. */
#include "engine/parts/kept_slice.h"

#include "base/memory.h"

void hd_kept_slice_drop(heddle_context *ctx) {
    hd_kept_slice *kept = ctx->kept_slice;
    if (!kept)
        return;
    hd_turned_free(ctx, &kept->turned);
    hd_slice_free(ctx, &kept->slice);
    hd_rank_rows_close(ctx->link, &kept->rows);
    HD_DELETE(&ctx->allocator, kept, 1);
    ctx->kept_slice = NULL;
}

static heddle_status make(hd_link *link, const heddle_graph *graph, hd_kept_slice *kept) {
    size_t weight_size = kept->weighted ? hd_weight_size(graph->weight_type) : 0;
    HD_TRY(hd_rank_rows_open(link, graph, kept->wanted, kept->weighted, &kept->rows));
    HD_TRY(hd_slice_make(link->ctx, kept->rows.firsts, link->rank, link->size, &kept->rows.in, &kept->rows.second,
                         weight_size, &kept->slice));
    hd_rank_rows_sliced(link, &kept->rows);
    return hd_slice_join(link, &kept->slice);
}

heddle_status hd_kept_slice_take(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weighted,
                                 hd_kept_slice **slice) {
    heddle_context *ctx = link->ctx;
    hd_kept_slice *kept = ctx->kept_slice;
    uint64_t here = kept && kept->graph == graph->serial && kept->wanted == wanted && kept->weighted == weighted;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &here, 1));
    if (!here) {
        hd_kept_slice_drop(ctx);
        HD_TRY(HD_NEW_ZERO(ctx, &kept, 1, "a slice"));
        *kept = (hd_kept_slice){.graph = graph->serial, .wanted = wanted, .weighted = weighted};
        ctx->kept_slice = kept;
        ctx->let_go_slice = hd_kept_slice_drop;
        heddle_status status = make(link, graph, kept);
        if (status != HEDDLE_OK) {
            hd_kept_slice_drop(ctx);
            return status;
        }
    }
    *slice = kept;
    return HEDDLE_OK;
}
