/* fingerprint.h - a fast randomised test whether one CSR is the transpose of another. */
#ifndef HD_GRAPH_FINGERPRINT_H
#define HD_GRAPH_FINGERPRINT_H

#include "graph/graph.h"

/* True: `in` is the transpose of `out`, with the same multiplicities and weights (HEDDLE_WEIGHT_NONE: weights are not
 * compared); they may be the same rows. False: it is not, or the test could not run (no random bytes, cancelled); call
 * hd_transpose_check to find out. One sequential read of the arcs, in parallel.
 *
 * The random keys are drawn in the call, after the file was written: its author cannot craft arcs that cancel out, and
 * any two different sets of rows pass with a probability of about 2^-60. Rows must ascend. */
bool hd_transpose_fingerprint(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                              heddle_weight_type type);

/* The same by parts, for rows that are not in memory as a whole: `in` is the transpose of `out` if the sums over all
 * arcs of either are equal; an undirected graph's own sum is 0. */
typedef struct hd_transpose_keys {
    uint64_t from[3], to[3], weight[3]; /* of the random numbers of tails, heads and weights */
} hd_transpose_keys;
bool hd_transpose_keys_draw(hd_transpose_keys *keys); /* false: the system gives no random bytes */
/* Over the arcs first .. end-1. `side`: 1 out-edges, -1 in-edges, 0 an undirected graph's rows. */
uint64_t hd_transpose_sum(const hd_transpose_keys *keys, uint64_t vertices, const hd_csr *rows, heddle_weight_type type,
                          int side, uint64_t first, uint64_t end);

#endif
