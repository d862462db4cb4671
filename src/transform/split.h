/* split.h - physical splits of high-degree vertices (Tigr: Nodehi Sabet, Qiu, Zhao, ASPLOS 2018).
 *
 * A vertex of more than K out-edges (push) or in-edges (pull) becomes a family: itself and new vertices that divide its
 * edges among them, connected by new edges that pass a value on unchanged. The graph's own vertices keep their
 * numbers 0 .. originals-1, new ones follow. `star`, `rstar` and `udt` are trees under the original vertex, which keeps
 * all edges of the other direction; in `circ` (a ring) and `cliq` (a clique) those are spread over the family.
 * docs/transforms.md has the formulas.
 */
#ifndef HD_TRANSFORM_SPLIT_H
#define HD_TRANSFORM_SPLIT_H

#include "transform/family.h"

const hd_transform *hd_transform_at(size_t index); /* NULL past the last */
/* "none" for NULL, which is no transform. */
const char *hd_transform_name(const hd_transform *transform);
/* "transform=star, udt or rstar": those whose families are trees, as far as they end with this K (0: open). */
void hd_transform_trees(uint32_t K, char *text, size_t size);
/* HEDDLE_E_REFUSED for a K, other than 0, with which this transform never ends. NULL: never. */
heddle_status hd_transform_check_bound(heddle_context *ctx, const hd_transform *transform, uint32_t K);

/* Weights of the split graph's edges. */
typedef enum hd_split_weights {
    HD_SPLIT_AS_IS = 0, /* as the graph's; none where it has none */
    HD_SPLIT_NONE,      /* no weights */
    HD_SPLIT_GRAPH,     /* as the graph's; 1 where it has none */
    HD_SPLIT_STEPS      /* 1, whatever the graph's are */
} hd_split_weights;

typedef struct hd_split_options {
    const hd_transform *transform;
    bool pull;  /* split in-edges instead of out-edges */
    uint32_t K; /* 0: chosen from the largest degree, see hd_split_bound */
    hd_split_weights weights;
    double dumb;   /* the weight of new edges; infinity: the largest that the weights' type holds */
    uint64_t seed; /* cliq, circ: which member gets an edge of the other direction */
    bool ids;      /* name new vertices too, for a graph that leaves the library */
} hd_split_options;

typedef struct hd_split_result {
    heddle_graph *graph; /* NULL: no degree is above K, there is nothing to do */
    uint64_t originals;
    uint64_t added_vertices, added_edges, families;
    double hops; /* new edges between an edge's original vertex and the edge, on average (trees: at most) */
    uint32_t K;
    heddle_vertex *family; /* new vertex originals + i belongs to vertex family[i]; added_vertices of them */
    uint64_t *fresh;       /* bitmap over the edges of the split direction's rows: set for new ones */
    /* Trees: new vertices are numbered bottom up: level l holds originals + level_start[l] .. level_start[l + 1], and
     * their new edges lead to lower levels only (pull: come from). Others: one level. */
    uint32_t levels;
    uint32_t height; /* the most new edges on a path through a family */
    uint64_t level_start[HD_SPLIT_LEVELS + 1];
    double seconds;
} hd_split_result;

/* Time linear in vertices and edges of both graphs (cliq's new edges grow with the square of a degree). The result is
 * the same for any number of threads. HEDDLE_E_LIMIT, before anything large is allocated, when the split graph would
 * have more than 2^32 - 2 vertices. HEDDLE_E_REFUSED for a K that never ends. The split graph is directed. */
heddle_status hd_split_graph(heddle_context *ctx, const heddle_graph *graph, const hd_split_options *options,
                             hd_split_result *split);
/* Vertices and edges that it would add, by the rows at hand: where in-edges are not, by out-edges. Linear in the
 * vertices. */
heddle_status hd_split_count(heddle_context *ctx, const heddle_graph *graph, const hd_split_options *options,
                             uint64_t *vertices, uint64_t *edges);
void hd_split_free(heddle_context *ctx, hd_split_result *split);

/* The degree bound for a graph of this largest degree: largest_degree^0.7, rounded to 1, 2 or 5 times a power of ten,
 * at least 10; within a factor of two of the bounds that Tigr's authors chose by hand. */
uint32_t hd_split_bound(uint64_t largest_degree);

static inline bool hd_split_is_fresh(const hd_split_result *split, uint64_t edge) {
    return split->fresh[edge / 64] >> (edge % 64) & 1;
}

#endif
