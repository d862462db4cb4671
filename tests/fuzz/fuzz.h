/* fuzz.h - what the fuzz targets share: reading bytes as a format, and holding the result to the graph's invariants.
 * Memory comes in blocks of exactly the size asked for, so that memory checkers see every read past an end. */
#ifndef FUZZ_H
#define FUZZ_H

#include "graph/graph.h"
#include "graph/pack.h"
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

static void *fuzz_allocate(void *user, size_t bytes, int zero) {
    void *memory;
    (void)user;
    if (posix_memalign(&memory, 64, bytes ? bytes : 1) != 0)
        return NULL;
    if (zero)
        memset(memory, 0, bytes);
    return memory;
}

static void fuzz_release(void *user, void *memory, size_t bytes) {
    (void)user, (void)bytes;
    free(memory);
}

/* A context on one thread. */
static inline heddle_context *fuzz_context(void) {
    heddle_context_options options;
    heddle_context *ctx;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.allocator = (heddle_allocator){fuzz_allocate, fuzz_release, NULL};
    if (heddle_context_create(&options, &ctx) != HEDDLE_OK)
        abort();
    return ctx;
}

static inline void fuzz_check_rows(const heddle_graph *graph, const heddle_adjacency *rows) {
    uint64_t n = heddle_graph_vertices(graph);
    if (rows->offsets[0] != 0 || rows->offsets[n] != heddle_graph_edges(graph))
        abort();
    for (uint64_t v = 0; v < n; v++) {
        if (rows->offsets[v] > rows->offsets[v + 1])
            abort();
        for (uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; k++)
            if (rows->targets[k] >= n || (k > rows->offsets[v] && rows->targets[k] < rows->targets[k - 1]))
                abort();
    }
}

/* Looks at all of a graph: aborts where it breaks its promises. Any part may turn out to be damaged. */
static inline void fuzz_use(heddle_context *ctx, const heddle_graph *graph) {
    heddle_adjacency rows;
    heddle_vertex vertex;
    char text[64];
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        heddle_graph_id_text(graph, (heddle_vertex)v, text, sizeof text);
    heddle_graph_find(ctx, graph, "1", &vertex);
    if (heddle_graph_out(ctx, graph, &rows) == HEDDLE_OK)
        fuzz_check_rows(graph, &rows);
    if (heddle_graph_in(ctx, graph, &rows) == HEDDLE_OK)
        fuzz_check_rows(graph, &rows);
    for (int i = 0; i < HD_PACKED_KINDS; i++) {
        hd_packed packed;
        hd_graph_packed(ctx, graph, (hd_packed_what)i, &packed);
    }
    for (int i = 0; i < HD_ORDERS; i++)
        if (graph->renamed[i] && hd_graph_verify(ctx, graph->renamed[i], HD_VERIFY_PLACES) == HEDDLE_OK) {
            fuzz_use(ctx, graph->renamed[i]);
            for (uint64_t v = 0; v < graph->vertices; v++)
                if (graph->renamed[i]->places[v] >= graph->vertices)
                    abort();
        }
}

/* Reads the bytes as a file of this format and looks at the graph, should it be one. */
static inline void fuzz_read(const hd_format *format, const void *data, size_t bytes,
                             const heddle_load_options *options) {
    heddle_context *ctx = fuzz_context();
    heddle_load_options defaults;
    heddle_graph *graph = NULL;
    hd_input input;
    heddle_load_options_init(&defaults);
    if (hd_input_copy(ctx, "fuzz", data, bytes, &input) != HEDDLE_OK)
        abort();
    if (bytes)
        format->sniff(input.data, input.bytes);
    heddle_status status = bytes ? format->read(ctx, &input, options ? options : &defaults, &graph) : HEDDLE_E_FORMAT;
    if (status == HEDDLE_OK)
        fuzz_use(ctx, graph);
    else if (graph || (bytes && !heddle_context_error(ctx)->message[0]))
        abort();
    heddle_graph_destroy(&graph);
    hd_input_close(ctx, &input);
    heddle_context_destroy(&ctx);
}

#endif
