/* blocked_edges.h - a graph's edges grouped by blocks of targets, and inside a block in the order of their sources.
 *
 * A pull over rows accesses the values of the sources at random, which miss the cache on large graphs. In this
 * order a pass over one block reads those values in ascending order and adds them into a table of one block's sums,
 * which the cache holds. The sources are cut into chunks of at most 2^16, the targets into blocks of at most 2^16, so
 * that an edge takes 4 bytes; the edges between a chunk and a block are a tile. The edges of one target keep the
 * ascending order of their sources, so a sum over them is the same as over a row of in-edges, bit for bit.
 */
#ifndef HD_ENGINE_CPU_BLOCKED_EDGES_H
#define HD_ENGINE_CPU_BLOCKED_EDGES_H

#include "graph/graph.h"

/* A part of one block's tiles. Blocks with too many edges are cut into several pieces, which are summed separately; the
 * cuts depend only on the graph. */
typedef struct hd_piece {
    uint64_t block;
    uint64_t from, to; /* chunks */
    uint64_t slot;     /* which table of sums: 0 .. slots-1, or HD_NO_SLOT when the block is in one piece */
} hd_piece;

#define HD_NO_SLOT UINT64_MAX

typedef struct hd_blocked {
    uint64_t sources, count; /* vertices that edges leave; edges */
    unsigned shift;          /* 2^shift targets in a block */
    uint64_t blocks, chunks, chunk_room;
    heddle_vertex *first; /* of each chunk: its first source */
    uint64_t *starts;     /* (blocks + 1) * chunks: the tile (block, chunk) is edges[starts[block * chunks + chunk]] up
                             to where the chunk's next block starts; chunk after chunk in memory */
    uint32_t *edges;      /* source - first << 16 | target - first of the block */
    void *weights;        /* of weight_size bytes each, in the same order, or NULL */
    size_t weight_size;
    hd_piece *pieces; /* ascending by block, then by chunk */
    uint64_t piece_count, piece_room, slots;
} hd_blocked;

/* Groups the edges of `out`, with their weights if there are some: rows of `sources` vertices, whose targets are below
 * `targets`. Linear time; 4 bytes per edge plus its weight. */
heddle_status hd_blocked_new(heddle_context *ctx, uint64_t sources, uint64_t targets, const heddle_adjacency *out,
                             size_t weight_size, hd_blocked *blocked);
void hd_blocked_free(heddle_context *ctx, hd_blocked *blocked);

/* The tile of a block and a chunk: edges *from .. *to. */
static inline void hd_tile(const hd_blocked *b, uint64_t block, uint64_t chunk, uint64_t *from, uint64_t *to) {
    *from = b->starts[block * b->chunks + chunk];
    *to = b->starts[(block + 1) * b->chunks + chunk];
}

#endif
