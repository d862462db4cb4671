/* together.h - a run that all ranks of a launch make together.
 *
 * Between hd_together_begin and hd_together_end code may ask hd_together for the link, and share work over it. What
 * fails before hd_together_meet is agreed on, and the link can be used again: for this, work that is shared before the
 * meeting begins with hd_agree, where a rank that failed earlier is then heard. What fails after it ends the link, as
 * others may be waiting anywhere.
 */
#ifndef HD_EXCHANGE_TOGETHER_H
#define HD_EXCHANGE_TOGETHER_H

#include "exchange/link.h"
#include "graph/graph.h"

/* The link to the other ranks, during a run of all of them; NULL: there are none. */
static inline hd_link *hd_together(const heddle_context *ctx) { return ctx->together ? ctx->link : NULL; }

/* Returned, in place of HEDDLE_OK, by ranks whose results were sent to rank 0: nothing more is to be done here. */
enum { HD_ELSEWHERE = 1 };

/* Begins a run if the context has joined others; `status` is that of the preparations here. */
heddle_status hd_together_begin(heddle_context *ctx, heddle_status status);
/* Called by all ranks that are able to begin: HEDDLE_OK if all are. */
heddle_status hd_together_meet(heddle_context *ctx);
/* Ends the run with the same status everywhere. */
heddle_status hd_together_end(heddle_context *ctx, heddle_status status);

/* Refuses files that differ between ranks, and checks the parts of a mapped file (HD_VERIFY_ bits of rows, and claims)
 * that were not checked yet, each rank a share: together they read the file once. */
heddle_status hd_together_check(heddle_context *ctx, const heddle_graph *graph, int what);
/* The checksum of an array that all ranks have mapped: each hashes a share of its blocks. */
heddle_status hd_together_hash(hd_link *link, const void *data, uint64_t bytes, uint64_t *hash);
/* A hash of the file that a graph is mapped from: its header and table of sections, so also all their checksums. */
uint64_t hd_file_hash(const heddle_graph *graph);

#endif
