/* heads.h - the first neighbours worth looking at: of every row a few targets of largest degree.
 *
 * Searches that stop at the first visited neighbour, and components that link a few neighbours of each vertex, mostly
 * end within these. Where rows lie in slow memory, the heads are kept in fast memory, and the rows are hardly read.
 *
 * A row has no more heads than edges, but for a row of three, so that a skewed graph's heads take little room. A
 * table has their places: for HD_HEADS_TOGETHER vertices the place of the first head, and two bits for each vertex, in
 * two words, for the number of its heads. The table has 3 words for 32 vertices; the heads follow.
 */
#ifndef HD_GRAPH_HEADS_H
#define HD_GRAPH_HEADS_H

#include "base/context.h"

enum { HD_MOST_HEADS = 4, HD_HEADS_TOGETHER = 32 };

/* Words of the table and of the heads, counts[k] with k heads in a row at most, for the rows of `count` vertices.
 * Linear, parallel. */
void hd_heads_count(heddle_context *ctx, const uint64_t *offsets, uint64_t count, uint64_t counts[HD_MOST_HEADS + 1]);

/* Fills in the words, less than 2^32: of vertices 0 .. count - 1 the `each` targets, HD_MOST_HEADS at most, with the
 * largest degrees in `degrees` (row offsets) among the first 64 of the row, largest first, the smaller vertex first on
 * ties. A row of no more than `each` edges is there as it is; one of three has its last edge repeated if there are four
 * heads. Linear, parallel. */
void hd_heads_find(heddle_context *ctx, const heddle_adjacency *rows, const uint64_t *degrees, uint64_t count,
                   uint32_t each, uint32_t *words);

#endif
