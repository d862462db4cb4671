/* mst.h - declarations shared by the steps of the minimum spanning forest.
 *
 * Edges are processed in batches, light ones first. Within a batch they are in ascending order of (u, v), so two edges
 * of equal weight compare as their positions do, and one 64-bit word of weight and position decides which of two edges
 * is lighter.
 */
#ifndef HD_ALGORITHM_MST_MST_H
#define HD_ALGORITHM_MST_MST_H

#include "engine/result.h"
#include "graph/graph.h"

/* u < v. `key` orders like the weight. */
typedef struct hd_mst_edge {
    uint32_t u, v, key;
} hd_mst_edge;

/* Some edges in ascending order, in runs with gaps between them: run i is edges[starts[i] .. starts[i] + counts[i]). */
typedef struct hd_mst_batch {
    hd_mst_edge *edges;
    uint64_t room, count; /* edges: allocated, in use */
    uint64_t runs;
    uint64_t *starts, *counts;
} hd_mst_batch;

typedef struct hd_mst {
    heddle_context *ctx;
    uint64_t vertices;
    bool directed;
    heddle_weight_type type;
    heddle_adjacency out;
    uint32_t *parent; /* flat between batches: trees of the forest so far */
    uint64_t *giant;  /* a bit per vertex: in the largest tree, approximately; NULL until that has most vertices */
    uint64_t *best;   /* scratch per vertex, for chosen edges */
    uint32_t *other, *roots;
    hd_mst_edge *forest; /* in ascending order; room for as many as there are vertices */
    uint64_t forest_count;
    uint64_t walked;
} hd_mst;

/* A number that orders like the weight of an arc; 0 if there are no weights. Zeros of either sign are equal. */
static inline uint32_t hd_mst_key(const void *weights, heddle_weight_type type, uint64_t e) {
    if (type == HEDDLE_WEIGHT_NONE)
        return 0;
    uint32_t bits = ((const uint32_t *)weights)[e], sign = UINT32_C(1) << 31;
    if (type == HEDDLE_WEIGHT_U32)
        return bits;
    if (type == HEDDLE_WEIGHT_I32)
        return bits ^ sign;
    bits = bits == sign ? 0 : bits;
    return bits & sign ? ~bits : bits | sign;
}

static inline uint32_t hd_mst_weight(uint32_t key, heddle_weight_type type) {
    uint32_t sign = UINT32_C(1) << 31;
    if (type == HEDDLE_WEIGHT_F32)
        return key & sign ? key ^ sign : ~key;
    return type == HEDDLE_WEIGHT_I32 ? key ^ sign : key;
}

static inline bool hd_mst_before(const hd_mst_edge *a, const hd_mst_edge *b) {
    return a->u != b->u ? a->u < b->u : a->v < b->v;
}

/* Weight, then smaller end: divides edges into batches. */
static inline uint64_t hd_mst_rank(uint32_t key, uint32_t u) { return (uint64_t)key << 32 | u; }

static inline void hd_mst_record(const hd_mst *mst, uint64_t trees, uint64_t edges, const char *name) {
    HD_ROUND(mst->ctx, .rounds = 1, .vertices = trees, .edges = edges, .weight_bytes = hd_weight_size(mst->type),
             .kernel = name);
}

/* Every vertex chooses its lightest edge; for undirected graphs. Leaves parents flat. */
heddle_status hd_mst_first_round(hd_mst *mst);
/* Collects the edges that join two trees and have a rank below `limit`; or, once mst->giant exists, all that join two
 * trees. HEDDLE_E_LIMIT from 2^32 edges on. */
heddle_status hd_mst_collect(hd_mst *mst, uint64_t limit, uint64_t expected, hd_mst_batch *batch);
/* Merges edges from descending arcs, still in the order of the rows, into the batch. */
heddle_status hd_mst_join(hd_mst *mst, hd_mst_batch *batch, hd_mst_batch *reversed);
/* Room for `count` edges, in even runs without gaps. */
heddle_status hd_mst_batch_new(heddle_context *ctx, uint64_t count, hd_mst_batch *batch);
void hd_mst_batch_free(heddle_context *ctx, hd_mst_batch *batch);
/* Sorts edges by (u, v), without gaps; all ends are below `vertices`. */
heddle_status hd_mst_sort(heddle_context *ctx, uint64_t vertices, hd_mst_batch *batch);
/* Adds the edges of the batch that belong to the forest, once all lighter edges have been processed. */
heddle_status hd_mst_grow(hd_mst *mst, const hd_mst_batch *batch);
/* All of it: grows the forest of the rows mst->out. Closed by hd_mst_close, also if it fails. */
heddle_status hd_mst_forest(hd_mst *mst);
void hd_mst_close(hd_mst *mst);
/* The result of a forest in ascending order, with its figures. */
heddle_status hd_mst_write(heddle_context *ctx, const heddle_graph *graph, const hd_mst_edge *forest, uint64_t count,
                           heddle_result *result);

#endif
