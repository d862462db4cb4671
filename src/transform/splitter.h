/* splitter.h - state shared by the steps of a split: count and number (split.c), then write the rows (rows.c). */
#ifndef HD_TRANSFORM_SPLITTER_H
#define HD_TRANSFORM_SPLITTER_H

#include "transform/split.h"

/* A split vertex, and the index in `firsts` of its levels' first numbers. */
typedef struct hd_split_vertex {
    heddle_vertex vertex;
    uint32_t at;
} hd_split_vertex;

/* cliq, circ: a family's new vertices, which have one level. */
typedef struct hd_split_draw {
    uint32_t first, nodes;
} hd_split_draw;

typedef struct hd_splitter {
    heddle_context *ctx;
    const hd_split_options *options;
    const hd_transform *kind;
    hd_split_result *split;
    heddle_adjacency rows; /* of the graph, in the direction that is split */
    uint64_t vertices, edges;
    heddle_weight_type from_type, to_type; /* of weights, there and here */
    size_t size;                           /* bytes of a weight here */
    uint64_t dumb;                         /* the bits of a new edge's weight */

    hd_split_vertex *high; /* split->families, ascending */
    uint32_t *firsts;      /* numbers of the first node of each level of each family, less vertices */
    uint64_t firsts_count;
    uint32_t *slot; /* cliq, circ: vertex -> place in high and draws, UINT32_MAX: not split */
    hd_split_draw *draws;
    hd_csr csr; /* the rows being written */
} hd_splitter;

static inline uint64_t hd_splitter_degree(const hd_splitter *s, uint64_t v) {
    return s->rows.offsets[v + 1] - s->rows.offsets[v];
}

static inline void hd_splitter_shape(const hd_splitter *s, uint64_t v, hd_family *family) {
    family->degree = hd_splitter_degree(s, v);
    family->K = s->split->K;
    s->kind->shape(family);
}

/* Fills offsets, targets, weights, split->family and split->fresh, all of which are allocated; `fresh` is zero. */
heddle_status hd_splitter_write(hd_splitter *s);

#endif
