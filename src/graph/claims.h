/* claims.h - what a file says of its rows beyond what a look at one of them tells: that a graph is undirected, that
 * in-edges match, that a renamed graph is the same graph. It is looked into exactly, once, before its first use.
 */
#ifndef HD_GRAPH_CLAIMS_H
#define HD_GRAPH_CLAIMS_H

#include "graph/graph.h"

/* Those of the claims, none of them proven, that `what` asks for or relies on. Call all of these with the lock held. */
int hd_claims_about(const heddle_graph *graph, int what);
/* The parts of a file that they are about. */
int hd_claims_parts(const heddle_graph *graph, int claims);
/* Looks into them; the parts have been checked. HEDDLE_E_FORMAT with the edge that gives the lie. */
heddle_status hd_claims_prove(heddle_context *ctx, heddle_graph *graph, int claims);

/* Has HD_VERIFY_TURNED looked into, with weights if wanted, when the graph is undirected. */
heddle_status hd_graph_prove_undirected(heddle_context *ctx, const heddle_graph *graph, bool weights);

/* The same, at once and with weights, for a graph that was just read from `file`. */
heddle_status hd_graph_prove_read(heddle_context *ctx, const heddle_graph *graph, const char *file);

#endif
