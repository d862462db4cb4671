/* shared_rows.h - the rows of each rank's vertices, from edges that are spread over all ranks (shared_build.h). */
#ifndef HD_EXCHANGE_SHARED_ROWS_H
#define HD_EXCHANGE_SHARED_ROWS_H

#include "exchange/shared_build.h"
#include "graph/builder.h"

/* The builder of a rank: that of its share, in which `source` is the share and `map` has its ids. */
typedef struct hd_shared_builder {
    hd_builder b; /* first: visitors of a pass get its address */
    hd_link *link;
    const uint32_t *numbers; /* the vertex of each id of the map; NULL: the map itself gives vertices */
    hd_shared_graph *graph;
    void *pass; /* state of a pass over the share */
} hd_shared_builder;

/* The vertices of raw ids of the share; false if there is one that the survey did not see. */
bool hd_shared_numbers(const hd_shared_builder *s, const uint64_t *raw, uint32_t *vertices, size_t count);

/* Collective. Reads the share twice more: to count the arcs of small ranges of vertices, by which the vertices are cut
 * into one range per rank, and to send each arc to the owner of its row. Fills the graph's rows, first and own. Memory:
 * the arcs of the share, and twice those of the rank's rows. */
heddle_status hd_shared_rows(hd_shared_builder *s);

#endif
