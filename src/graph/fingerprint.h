/* fingerprint.h - a quick test whether two sets of rows hold the same arcs, one of them turned round. */
#ifndef HD_GRAPH_FINGERPRINT_H
#define HD_GRAPH_FINGERPRINT_H

#include "graph/graph.h"

/* True: every arc of `out` is in `in` with its ends exchanged, as often and with the same weights (HEDDLE_WEIGHT_NONE:
 * they are not looked at), and the other way round; they may be the same rows. False: it is not so, or nothing can be
 * told (no randomness to be had, cancelled); hd_turn_check tells. One sequential read of the arcs, in parallel.
 *
 * The numbers that are added up depend on keys drawn for the call, after the file was written: whoever wrote it cannot
 * know what would cancel out, and the chance that differing rows pass is about 2^-60, whatever they are. Rows must
 * ascend. */
bool hd_turn_fingerprint(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                         heddle_weight_type type);

#endif
