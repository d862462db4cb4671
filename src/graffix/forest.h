/* forest.h - numbers for vertices by a breadth-first forest: what lanes next to each other visit in the same step of
 * their rows lies next to each other (Graffix, section 2.2). */
#ifndef HD_GRAFFIX_FOREST_H
#define HD_GRAFFIX_FOREST_H

#include "graph/graph.h"

/* Vertices level by level, each in the order of its numbers. Levels begin at multiples of `chunk`, and each chunk has
 * `chunk` - `spare` vertices, except the last of a level. */
typedef struct hd_forest {
    uint64_t levels;
    uint64_t *starts;      /* levels + 1: a level's first vertex in `order` */
    uint64_t *first_place; /* levels + 1: its first place, a multiple of `chunk` */
    heddle_vertex *order;  /* the vertices */
    heddle_vertex *place;  /* of each vertex */
    heddle_vertex *parent; /* of each in `order`: the place of the vertex that gave it its number; UINT32_MAX: a root */
    uint64_t vertices, places;
    uint64_t room; /* of starts and first_place */
} hd_forest;

/* Roots are vertices of largest out-degree that no earlier root reaches, ties by number; a vertex's level is its
 * distance from the nearest of them. `both`: arcs have their reverse, so that no two roots reach the same vertex.
 * Near-linear time. HEDDLE_E_LIMIT: more places than numbers. */
heddle_status hd_forest_grow(heddle_context *ctx, const heddle_adjacency *out, uint64_t vertices, bool both,
                             uint32_t chunk, uint32_t spare, hd_forest *forest);
void hd_forest_free(heddle_context *ctx, hd_forest *forest);

#endif
