/* rebuild.h - an existing CSR as an edge source for the builder.
 *
 * Files such as .sg and .hdl, and graphs themselves, hold rows of edges. When these must be sorted, symmetrised or
 * otherwise changed, the builder reads them in place like any other edges.
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

/* Whether the options, or the context's weight type, may require changes to a finished graph with weights of this type.
 * */
bool hd_build_options_change(const heddle_context *ctx, const heddle_build_options *options, heddle_weight_type type);

/* Builds a new graph from an old one, with the build options applied; ids are copied. The old graph's rows need not be
 * sorted, but everything else must be valid (call its `verify` first). */
heddle_status hd_graph_rebuild(heddle_context *ctx, const heddle_graph *graph, const heddle_build_options *options,
                               heddle_graph **result);

#endif
