/* neighbours.h - distinct neighbours of every vertex, ignoring direction, without loops: for references and validators.
 * Sequential, from the out-edges alone; it shares no code with graph/simple.h. */
#ifndef HD_CHECK_NEIGHBOURS_H
#define HD_CHECK_NEIGHBOURS_H

#include "graph/graph.h"

typedef struct hd_neighbours {
    uint64_t vertices;
    uint64_t *offsets;
    heddle_vertex *list; /* rows in no particular order */
    uint64_t room;       /* allocated entries of `list` */
    heddle_vertex *seen; /* 1 + the last vertex whose row a vertex was put into; later free to use: all 0 */
} hd_neighbours;

heddle_status hd_neighbours_open(heddle_context *ctx, const heddle_graph *graph, hd_neighbours *all);
void hd_neighbours_close(heddle_context *ctx, hd_neighbours *all);
static inline uint64_t hd_neighbours_count(const hd_neighbours *all, uint64_t v) {
    return all->offsets[v + 1] - all->offsets[v];
}

#endif
