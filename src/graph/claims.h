/* claims.h - properties that a file claims and that no single row shows: that a graph is undirected, that in-edges
 * match the out-edges, that a renamed graph is the same graph. Each claim is verified exactly, once, before its first
 * use.
 */
#ifndef HD_GRAPH_CLAIMS_H
#define HD_GRAPH_CLAIMS_H

#include "graph/graph.h"

/* The claims, not yet verified, that `what` names or relies on. Call the functions below with the lock held. */
int hd_claims_about(const heddle_graph *graph, int what);
/* The parts of a file that the claims concern. */
int hd_claims_parts(const heddle_graph *graph, int claims);
/* Verifies the claims; their parts must have been checked. HEDDLE_E_FORMAT, with an edge that contradicts the claim. */
heddle_status hd_claims_prove(heddle_context *ctx, heddle_graph *graph, int claims);

/* Verifies HD_VERIFY_TRANSPOSE of an undirected graph, with weights if requested. */
heddle_status hd_graph_prove_undirected(heddle_context *ctx, const heddle_graph *graph, bool weights);

/* The same, at once and with weights, for a graph that was just read from `file`. */
heddle_status hd_graph_prove_read(heddle_context *ctx, const heddle_graph *graph, const char *file);

#endif
