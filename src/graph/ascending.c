/* ascending.c - see ascending.h. Chunks of edges are checked and copied while they are in the cache; the first chunk
 * that does not ascend ends the attempt, so that edges in any other order cost nothing. A row begins where the source
 * of an edge differs from that of the edge before it: the thread that copies the edge writes the offsets in between. If
 * edges do not ascend, two threads may write one offset before that is found, hence the atomic stores; they are not
 * read. */
#include "graph/ascending.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { CHUNK = 4096 };

static bool weights_are_finite(const hd_edge_arrays *given, uint64_t from, uint64_t to) {
    bool good = true;
    if (given->type == HEDDLE_WEIGHT_F32)
        for (const float *w = given->weights; from < to; from++)
            good &= w[from] - w[from] == 0;
    else if (given->type == HEDDLE_WEIGHT_F64)
        for (const double *w = given->weights; from < to; from++)
            good &= w[from] - w[from] == 0;
    return good;
}

/* Copies edges from .. to; false: they do not ascend, or one is not valid. Ends are written as they were checked, so
 * that a caller who changes the arrays meanwhile gets another graph, not one that points out of itself. */
static bool copy_chunk(const hd_edge_arrays *given, uint64_t from, uint64_t to, const hd_csr *rows) {
    uint64_t n = given->vertices;
    uint64_t row = from ? hd_edge_source_at(given, from - 1) : 0;
    uint64_t before = from ? hd_edge_target_at(given, from - 1) : 0;
    bool good = row < n && weights_are_finite(given, from, to);
    for (uint64_t e = from; good && e < to; e++) {
        uint64_t source = hd_edge_source_at(given, e), target = hd_edge_target_at(given, e);
        good = source < n && target < n && (source > row || (source == row && target >= before));
        for (; good && row < source; row++)
            hd_store(&rows->offsets[row + 1], e);
        rows->targets[e] = (uint32_t)target;
        before = target;
    }
    size_t each = hd_weight_size(given->type);
    if (good && each)
        memcpy((char *)rows->weights + from * each, (const char *)given->weights + from * each, (to - from) * each);
    return good;
}

/* The end of the last row, and of those behind it; then whether offsets ascend, which they do unless the arrays have
 * changed meanwhile. */
static bool close_rows(heddle_context *ctx, const hd_edge_arrays *given, uint64_t *offsets) {
    uint64_t n = given->vertices, last = hd_edge_source_at(given, given->edges - 1);
    bool good = true;
    offsets[0] = 0;
    for (uint64_t v = last; v < n; v++)
        offsets[v + 1] = given->edges;
    offsets[n] = given->edges;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(&& : good) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        good = good && offsets[v] <= offsets[v + 1];
    return good;
}

static bool copy_rows(heddle_context *ctx, const hd_edge_arrays *given, const hd_csr *rows) {
    uint64_t chunks = (given->edges + CHUNK - 1) / CHUNK;
    int bad = 0;
    hd_phase_begin(ctx, "build", given->edges);
    HD_PARALLEL_FOR(ctx, schedule(static) if (given->edges >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < chunks; k++) {
        uint64_t from = k * CHUNK, to = given->edges - from < CHUNK ? given->edges : from + CHUNK;
        if (!hd_load(&bad) && !hd_advance(ctx, to - from) && !copy_chunk(given, from, to, rows))
            hd_store(&bad, 1);
    }
    hd_phase_end(ctx);
    return !bad && !hd_cancelled(ctx) && close_rows(ctx, given, rows->offsets);
}

static heddle_status take_rows(heddle_context *ctx, const hd_edge_arrays *given, heddle_graph *graph, bool *done) {
    graph->vertices = given->vertices;
    graph->edges = given->edges;
    graph->directed = true;
    graph->weight_type = given->type;
    graph->out.owned = true;
    HD_TRY(HD_NEW(ctx, &graph->out.offsets, given->vertices + 1, "row offsets"));
    HD_TRY(HD_NEW(ctx, &graph->out.targets, given->edges, "edge targets"));
    if (given->type != HEDDLE_WEIGHT_NONE)
        HD_TRY(hd_new(ctx, &graph->out.weights, given->edges, hd_weight_size(given->type), false, "edge weights"));
    *done = copy_rows(ctx, given, &graph->out);
    return hd_cancelled_status(ctx);
}

heddle_status hd_graph_from_ascending(heddle_context *ctx, const hd_edge_arrays *given, heddle_graph **graph) {
    bool done = false;
    *graph = NULL;
    /* A look at a few edges first: most lists that do not ascend are found out here. */
    for (uint64_t e = 1; e < given->edges && e < 64; e++)
        if (hd_edge_source_at(given, e) < hd_edge_source_at(given, e - 1))
            return HEDDLE_OK;
    HD_TRY(hd_graph_new(ctx, graph));
    heddle_status status = take_rows(ctx, given, *graph, &done);
    if (status != HEDDLE_OK || !done)
        heddle_graph_destroy(graph);
    return status;
}
