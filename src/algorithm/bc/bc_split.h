/* bc_split.h - betweenness centrality on a split graph (transform/split.h).
 *
 * In a tree there is one path from a vertex to each of its edges, and new edges have length 0: so a new vertex has the
 * level of the vertex it was split from, path counts pass along new edges unchanged, and so do, in the backward pass,
 * the sums of dependencies. New vertices count as source, target and inner vertex of no path: they have no dependency
 * of their own. Rings and cliques have several paths of length 0 between members, which would be counted: refused.
 *
 * Levels come from a search on the original graph. A level's vertices are divided into stages: with split out-edges
 * (push) the graph's own first, then new ones from the root down; with split in-edges (pull) from the leaves up, the
 * graph's own last. The forward pass processes the stages in order, the backward pass in reverse.
 */
#ifndef HD_ALGORITHM_BC_BC_SPLIT_H
#define HD_ALGORITHM_BC_BC_SPLIT_H

#include "algorithm/algorithm.h"
#include "engine/bc_sources.h"
#include "transform/split.h"

typedef struct hd_bc_split {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_run *run; /* on the split graph */
    const heddle_run_options *options;
    heddle_result *result;
    const hd_split_result *tree;
    const heddle_graph *split;
    uint64_t originals, vertices; /* of the graph; of the split graph */
    uint32_t height;              /* levels of new vertices; a level has height + 1 stages */
    bool pull;                    /* in-edges are split */
    hd_sources sources;
} hd_bc_split;

extern const hd_split_way hd_bc_split_way;
heddle_status hd_bc_on_split(const hd_run *run);

/* Fills result->values with the sums, not scaled, and adds the number of levels to `levels`. */
heddle_status hd_bc_split_cpu(hd_bc_split *b, uint64_t *levels);
heddle_status hd_bc_split_device(hd_bc_split *b, uint64_t *levels);

/* The stage, inside its level, of the new vertices of tree level l; and of the graph's own vertices. */
static inline uint32_t hd_bc_split_stage(const hd_bc_split *b, uint32_t l) { return b->pull ? l : b->height - l; }
static inline uint32_t hd_bc_split_own_stage(const hd_bc_split *b) { return b->pull ? b->height : 0; }

#endif
