/* rebuild.h - edges that lie in rows already, as a source for the builder.
 *
 * Files such as .sg and .hdl, and graphs themselves, hold rows of edges. When these must be sorted, symmetrised or
 * otherwise changed, they go through the builder like any other edges, straight from where they lie.
 */
#ifndef HD_GRAPH_REBUILD_H
#define HD_GRAPH_REBUILD_H

#include "graph/build.h"

/* Rows anywhere in memory, aligned or not: row v is the edges offsets[v] .. offsets[v + 1], which have been checked to
 * ascend and to end at `edges`; edge k's target is the 32-bit word at targets + k * stride, its weight
 * lies at weights + k * weight_stride. */
typedef struct hd_rows {
    uint64_t vertices;
    uint64_t edges;
    const char *offsets; /* vertices + 1 words of 64 bits */
    const char *targets;
    const char *weights;          /* NULL: none */
    size_t stride, weight_stride; /* weight_stride 0: the same */
    heddle_weight_type weight_type;
    bool undirected; /* both arcs of every edge are there */
    uint64_t parts;  /* set by hd_rows_source */
} hd_rows;

/* The source over the rows, with ids 0 .. vertices-1. The rows stay where they are while it is used. */
hd_edge_source hd_rows_source(const heddle_context *ctx, hd_rows *rows);

/* Whether the options, or the context's weight type, ask for anything that a finished graph with weights of this type
 * may not fulfil already. */
bool hd_build_options_change(const heddle_context *ctx, const heddle_build_options *options, heddle_weight_type type);

/* A new graph from an old one, by the rules of the options; ids are carried over. The old graph need not have sorted
 * rows, but everything else about it must be right (call its `verify` first). */
heddle_status hd_graph_rebuild(heddle_context *ctx, const heddle_graph *graph, const heddle_build_options *options,
                               heddle_graph **result);

#endif
