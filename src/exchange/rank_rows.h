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
    hd_slice_rows in, second; /* in-edges; out-edges where both directions count, else none */
    uint32_t *degrees;        /* out-degrees of own vertices */
    uint32_t *in_degrees;     /* their in-degrees where both directions count; else NULL */
    /* In-edges that were made here; else NULL. */
    uint64_t *offsets;
    uint32_t *targets;
    void *weights;
    uint64_t edges;
    size_t weight_size;
} hd_rank_rows;

/* Which edges of own vertices a run needs: those into them; those out of them as well, as edges count in both
 * directions; or one of the two, whichever the graph has. */
typedef enum hd_rows_wanted { HD_ROWS_IN, HD_ROWS_BOTH, HD_ROWS_EITHER } hd_rows_wanted;

/* Collective. The graph's rows were checked (together.h). Closed also if it fails. Cost: linear in the rank's edges;
 * while in-edges are made, three times their memory. */
heddle_status hd_rank_rows_open(hd_link *link, const heddle_graph *graph, hd_rows_wanted wanted, bool weights,
                                hd_rank_rows *rows);
/* Out-edges of a rank's vertices: offsets of any base; targets and weights from the first edge on. */
typedef struct hd_own_rows {
    const uint64_t *offsets;
    const uint32_t *targets;
    const void *weights;
} hd_own_rows;
/* Collective: the in-edges of own vertices, from everybody's out-edges; rows->firsts and own are known. Fills rows->in,
 * whose rows ascend. */
heddle_status hd_rank_rows_turn(hd_link *link, const hd_own_rows *out, size_t weight_size, hd_rank_rows *rows);
/* A slice has been made of them, which has offsets and targets of its own: frees those that were made here. */
void hd_rank_rows_sliced(hd_link *link, hd_rank_rows *rows);
void hd_rank_rows_close(hd_link *link, hd_rank_rows *rows);

#endif
