/* ranked.h - runs that ask only which of two weights is the larger, on graphs whose weights have 64 bits.
 *
 * mst, and sswp on devices and under transforms, have keys and labels of 32 bits. The weights' ordinals, 0 for the
 * least, order as the weights do and fit: the run is on a graph with the ordinals for weights, and the result is
 * mapped back to weights.
 */
#ifndef HD_ALGORITHM_VIEWS_RANKED_H
#define HD_ALGORITHM_VIEWS_RANKED_H

#include "engine/view.h"

typedef struct hd_ranked {
    heddle_graph *graph; /* borrows the rows and ids of its original */
    uint64_t *weights;   /* by ordinal: bits of an i64 or f64 */
    uint64_t count;      /* of different weights */
} hd_ranked;

/* The graph with ordinals for weights. Making it counts as preparation. */
extern const hd_view_kind hd_view_ranks;

/* Linear time but for the sorting of a sample. HEDDLE_E_LIMIT from 2^32 - 1 different weights on; HEDDLE_E_WEIGHT for
 * weights that the algorithm cannot have. */
heddle_status hd_ranked_make(const hd_run *run, hd_ranked *ranked);
void hd_ranked_free(heddle_context *ctx, hd_ranked *ranked);

#endif
