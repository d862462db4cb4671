/* rank_rows.h - the rows of one rank's vertices, from a graph that all ranks have mapped.
 *
 * The graph's file is shared, and only the pages of a rank's own rows are read. In-edges that the file does not hold
 * are made by all ranks together: each sends the out-edges of its vertices to the owners of their targets.
 */
#ifndef HD_EXCHANGE_RANK_ROWS_H
#define HD_EXCHANGE_RANK_ROWS_H

#include "exchange/slice.h"

typedef struct hd_rank_rows {
    uint64_t *firsts;         /* ranks + 1: the first vertex of each */
    uint64_t own;             /* vertices of this rank */
    hd_slice_rows in, second; /* in-edges; out-edges where both directions are wanted, else none */
    uint32_t *degrees;        /* out-degrees of own vertices */
    uint32_t *in_degrees;     /* their in-degrees where both directions are wanted; else NULL */
    /* In-edges that were made here; else NULL. */
    uint64_t *offsets;
    uint32_t *targets;
    void *weights;
    uint64_t edges;
    size_t weight_size;
} hd_rank_rows;

/* Which edges of own vertices a run needs: those into them; those out of them as well, as edges count in both
 * directions; one of the two, whichever the graph has; or both, in a slice each. */
typedef enum hd_rows_wanted { HD_ROWS_IN, HD_ROWS_BOTH, HD_ROWS_EITHER, HD_ROWS_APART } hd_rows_wanted;

static inline bool hd_rows_both(hd_rows_wanted wanted, const heddle_graph *graph) {
    return graph->directed && (wanted == HD_ROWS_BOTH || wanted == HD_ROWS_APART);
}

/* Collective. `firsts`: the ranges; NULL: of equal edges. The graph's rows were checked (together.h). Closed also if it
 * fails. Cost: linear in the rank's edges; while in-edges are made, three times their memory. */
heddle_status hd_rank_rows_open(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weights,
                                const uint64_t *firsts, hd_rank_rows *rows);
/* The ranges for which each rank takes about the same time, as its range of `firsts` took seconds[rank]. */
void hd_rank_rows_cut_again(const heddle_graph *graph, hd_rows_wanted wanted, uint32_t ranks, const uint64_t *firsts,
                            const double *seconds, uint64_t *again);
/* Out-edges of a rank's vertices: offsets of any base; targets and weights from the first edge on. */
typedef struct hd_own_rows {
    const uint64_t *offsets;
    const uint32_t *targets;
    const void *weights;
} hd_own_rows;
/* Collective: the in-edges of own vertices, from the out-edges of all; rows->firsts and own are known. Fills rows->in,
 * whose rows ascend. */
heddle_status hd_rank_rows_turn(hd_link *link, const hd_own_rows *out, size_t weight_size, hd_rank_rows *rows);
/* A slice has been made of them, which has offsets and targets of its own: frees those that were made here. */
void hd_rank_rows_sliced(hd_link *link, hd_rank_rows *rows);
void hd_rank_rows_close(hd_link *link, hd_rank_rows *rows);

#endif
