/* shared_build.h - a graph built by all ranks together from one source of edges: each reads a share of its parts, and
 * ends up with a range of the vertices, their rows and ids. No rank ever has the whole graph.
 *
 * The result is the one that hd_graph_build gives, number by number: ids are numbered in ascending order, edges come to
 * the owner of a row in the order of the input, and rows are finished by the same code (graph/bucket.h).
 *
 * Collective (together.h). Readers and generators do not know of it: while ctx->build_together is hd_shared_build they
 * hand their source to it, and HD_ELSEWHERE, which it returns, goes up to the function that set it.
 */
#ifndef HD_EXCHANGE_SHARED_BUILD_H
#define HD_EXCHANGE_SHARED_BUILD_H

#include "exchange/rank_rows.h"
#include "exchange/shared_ids.h"
#include "exchange/shared_labels.h"
#include "graph/build.h"

/* A rank's range of a graph. */
typedef struct hd_shared_graph {
    uint64_t vertices, edges; /* of the whole graph */
    bool directed;
    heddle_weight_type weight_type;
    heddle_id_type id_type;
    bool id_values; /* else vertex v is id_base + v */
    int64_t id_base;
    hd_shared_ids ids; /* with id_values: those of the vertices ids.own_first … */
    hd_shared_labels labels;
    uint64_t first, own; /* vertices */
    uint64_t first_edge, own_edges;
    uint64_t *offsets; /* own + 1, in the whole graph */
    uint32_t *targets;
    void *weights;
    uint64_t room; /* edges that the arrays have room for */
    /* In-edges, if they are wanted and the graph is directed: offsets in the whole graph. */
    bool in_edges;
    hd_rank_rows in;
    uint64_t in_first; /* edge */
} hd_shared_graph;

/* ctx->building is the hd_shared_graph to fill; freed by hd_shared_graph_free in any case. */
heddle_status hd_shared_build(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options);
/* Collective, after the build: fills in the in-edges; nothing for undirected graphs. */
heddle_status hd_shared_turn(hd_link *link, hd_shared_graph *graph);
void hd_shared_graph_free(heddle_context *ctx, hd_shared_graph *graph);

#endif
