/* fingerprint.h - a fast randomised test whether one CSR is the transpose of another. */
#ifndef HD_GRAPH_FINGERPRINT_H
#define HD_GRAPH_FINGERPRINT_H

#include "graph/graph.h"

/* True: `in` is the transpose of `out`, with the same multiplicities and weights (HEDDLE_WEIGHT_NONE: weights are not
 * compared); they may be the same rows. False: it is not, or the test could not run (no random bytes, cancelled); call
 * hd_turn_check to find out. One sequential read of the arcs, in parallel.
 *
 * The random keys are drawn in the call, after the file was written: its author cannot craft arcs that cancel out, and
 * any two different sets of rows pass with a probability of about 2^-60. Rows must ascend. */
bool hd_turn_fingerprint(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                         heddle_weight_type type);

#endif
