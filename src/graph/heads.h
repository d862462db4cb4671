/* heads.h - the first neighbours worth looking at: of every row a few targets of largest degree.
 *
 * Searches that stop at the first visited neighbour, and components that link a few neighbours of each vertex, mostly
 * end within these. Where rows lie in slow memory, the heads are kept in fast memory, and the rows are hardly read.
 */
#ifndef HD_GRAPH_HEADS_H
#define HD_GRAPH_HEADS_H

#include "base/context.h"

enum { HD_MOST_HEADS = 4 };

/* heads[v * each ..]: of vertices 0 .. count - 1, the `each` targets, HD_MOST_HEADS at most, with the largest degrees
 * in `degrees` (row offsets) among the first 64 of the row, largest first, the smaller vertex first on ties. A row of
 * no more than `each` edges is there as it is, its last edge repeated; an empty row has zeros. Linear, parallel. */
void hd_heads_find(heddle_context *ctx, const heddle_adjacency *rows, const uint64_t *degrees, uint64_t count,
                   uint32_t each, uint32_t *heads);

#endif
