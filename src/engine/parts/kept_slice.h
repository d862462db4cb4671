/* kept_slice.h - a rank's slice of the graph of its last run, which stays with the context: the next run on the same
 * graph, of the same edges, need not make it again. Searches from many sources (Graph500) begin at once. */
#ifndef HD_ENGINE_PARTS_KEPT_SLICE_H
#define HD_ENGINE_PARTS_KEPT_SLICE_H

#include "engine/parts/slice_transpose.h"
#include "exchange/rank_rows.h"

typedef struct hd_kept_slice {
    uint64_t graph; /* its serial */
    hd_rows_wanted wanted;
    bool weighted;
    bool by_cost; /* its range is to be chosen, or is,  */
    bool settled; /* by measured cost (hd_kept_slice_cut_again) */
    hd_rank_rows rows;
    hd_slice slice;
    hd_slice back; /* of out-edges, where both directions are wanted apart; `parts` 0: there is none */
    hd_slice_transpose transposed;
} hd_kept_slice;

/* Collective. Ranks agree whether all have it; else all make it, in place of the one that is there. It is the
 * context's. If that fails there is none. */
heddle_status hd_kept_slice_take(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weighted,
                                 bool by_cost, hd_kept_slice **slice);
/* Collective: in its place the slice of a range for which each rank takes about the same time. `seconds`: those of all
 * ranks for their ranges until now. */
heddle_status hd_kept_slice_cut_again(hd_link *link, const heddle_graph *graph, const double *seconds,
                                      hd_kept_slice *slice);
void hd_kept_slice_drop(heddle_context *ctx);

#endif
