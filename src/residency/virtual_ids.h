/* virtual_ids.h - the second renaming of Graphie (Han, Mawhirter, Wu and Buland, PACT 2017, section III-B).
 *
 * The ids of the rows of each group of a partition begin at a multiple of one range, so that the group of a vertex is
 * its id divided by the range. Vertices behind the last row that was cut have the ids behind those of the last group.
 * No array becomes longer: an id less the shift of its group is the vertex.
 *
 * Targets under these ids can be kept with a graph, and in its file (graph/kept.h), for one cut.
 */
#ifndef HD_RESIDENCY_VIRTUAL_IDS_H
#define HD_RESIDENCY_VIRTUAL_IDS_H

#include "graph/graph.h"
#include "residency/span.h"

typedef struct hd_virtual_ids {
    uint64_t rows, groups;
    uint32_t range;
    const uint32_t *shifts; /* groups + 1; the last is that of vertices behind the rows */
} hd_virtual_ids;

/* The range for a partition of `rows` rows of `vertices` vertices; *fit: 32 bits suffice. */
uint32_t hd_virtual_range(const hd_partition *partition, uint64_t rows, uint64_t vertices, bool *fit);
/* Fills groups + 1 shifts. */
void hd_virtual_shifts(const hd_partition *partition, uint64_t rows, uint32_t range, uint32_t *shifts);
/* The shift of a vertex. *group is that of the previous vertex, or any: it takes constant time if vertices ascend. */
uint32_t hd_virtual_shift(const hd_virtual_ids *ids, uint32_t v, uint64_t *group);
/* Whether `id` is that of the vertex; in constant time. */
bool hd_virtual_is(const hd_virtual_ids *ids, uint32_t id, uint32_t v);

/* Kept targets of a graph's out-edges. */
typedef struct hd_virtual_kept {
    uint64_t limit; /* edges of a partition, by which rows were cut */
    uint64_t groups;
    uint32_t range;
    const uint32_t *shifts, *targets;
} hd_virtual_kept;

/* Keeps those of `rows` with the graph, whose vertices and edges they have, perhaps in another order; rows are cut into
 * about so many partitions. HEDDLE_E_LIMIT if 32 bits do not suffice, or the graph keeps too much already. */
heddle_status hd_virtual_keep(heddle_context *ctx, heddle_graph *graph, const heddle_adjacency *rows,
                              uint64_t partitions);
/* The next of what the graph keeps, from number *next on; false: there is none. Its checksum is compared. */
heddle_status hd_virtual_find(heddle_context *ctx, const heddle_graph *graph, uint32_t *next, hd_virtual_kept *kept,
                              bool *found);

#endif
