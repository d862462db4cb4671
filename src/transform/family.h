/* family.h - a transform: the shape of a split vertex's family. One file per transform (NAME.c) describes it by
 * formulas, so that any thread can write any row, and one line in split.c enters it in the table. New vertices of a
 * family are nodes 0 .. nodes-1 in the order of their levels, node `nodes` is the original vertex. */
#ifndef HD_TRANSFORM_FAMILY_H
#define HD_TRANSFORM_FAMILY_H

#include "graph/graph.h"

enum { HD_SPLIT_LEVELS = 64 };

typedef struct hd_family {
    uint64_t degree, K;
    uint64_t nodes;                 /* new vertices */
    uint64_t links;                 /* new edges */
    uint64_t hops;                  /* new edges between the original and its edges: trees at most, others about */
    uint64_t height;                /* the most new edges on a path through the family */
    uint32_t levels;                /* of the nodes */
    uint64_t ends[HD_SPLIT_LEVELS]; /* nodes of level l end here */
} hd_family;

/* A row of the family: some of the original's edges, then new edges to nodes, except `skip`, and to the original. */
typedef struct hd_family_row {
    uint64_t edge, edge_end;
    uint64_t node, node_end;
    uint64_t skip; /* UINT64_MAX: none */
    bool to_original;
} hd_family_row;

typedef struct hd_transform {
    heddle_transform_info info;
    bool tree;      /* one path from the original vertex to each of its edges */
    uint32_t least; /* K: with less it would never end */
    /* `degree` > K and K are set; fills in the rest. */
    void (*shape)(hd_family *family);
    hd_family_row (*row)(const hd_family *family, uint64_t node);
} hd_transform;

extern const hd_transform hd_transform_cliq, hd_transform_circ, hd_transform_star, hd_transform_udt, hd_transform_rstar;

/* Pieces of K edges, the last one maybe smaller. */
static inline uint64_t hd_pieces(uint64_t degree, uint64_t K) { return degree / K + (degree % K != 0); }

static inline uint64_t hd_piece_end(uint64_t degree, uint64_t K, uint64_t piece) {
    return degree / K > piece ? (piece + 1) * K : degree;
}

#endif
