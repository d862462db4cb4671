/* oriented.h - every edge of a simple undirected graph once, in the row of one of its two ends.
 *
 * A row holds the neighbours that come earlier in some order of the vertices. If few vertices have most of the edges,
 * that is the order of falling degrees, and the vertices are renamed to it: no row is longer than sqrt(2m), and the
 * vertices that occur in many rows have the smallest numbers. Otherwise it is the order that they have, and each row is
 * the beginning of the graph's own: nothing is copied.
 */
#ifndef HD_GRAPH_ORIENTED_H
#define HD_GRAPH_ORIENTED_H

#include "graph/simple.h"

typedef struct hd_oriented {
    uint64_t vertices;
    const uint64_t *offsets;      /* vertices + 1: where rows begin */
    uint32_t *lengths;            /* their arcs, perhaps fewer than lie before the next row */
    const heddle_vertex *targets; /* rows ascend */
    const uint8_t *both;          /* as in hd_simple, or NULL */
    heddle_vertex *names;         /* the vertex of each row; NULL: the same number */
    uint32_t longest;
    uint64_t stored; /* arcs in `targets`; from here on: of rows of its own, else NULL */
    uint64_t *own_offsets;
    heddle_vertex *own_targets;
    uint8_t *own_both;
} hd_oriented;

/* Linear, except for sorting each row of a renamed graph. Rows may be those of `simple`, which is to be kept then.
 * Close it in any case. */
heddle_status hd_oriented_open(heddle_context *ctx, const hd_simple *simple, hd_oriented *oriented);
void hd_oriented_close(heddle_context *ctx, hd_oriented *oriented);
/* Whether the vertices of such degrees would be renamed. */
bool hd_oriented_renames(heddle_context *ctx, uint64_t vertices, const uint64_t *offsets);

#endif
