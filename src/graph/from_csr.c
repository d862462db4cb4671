/* from_csr.c - a graph over the caller's own rows. Nothing is copied except 32-bit offsets, which are widened; all rows
 * are checked first, in parallel and in linear time, because the rest of the library relies on their invariants. */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/build.h"
#include "graph/transpose_check.h"

void heddle_csr_options_init_sized(heddle_csr_options *options, size_t size) {
    heddle_csr_options defaults = {.size = sizeof defaults};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

/* The rows as they were given. */
typedef struct given_rows {
    uint64_t vertices, edges;
    const void *offsets;
    int offset_bits;
    const heddle_vertex *targets;
    const void *weights;
    heddle_weight_type weight_type;
} given_rows;

static bool aligned(const void *array, size_t size) { return size == 0 || (uintptr_t)array % size == 0; }

static heddle_status check_arrays(heddle_context *ctx, const given_rows *rows) {
    if (rows->offset_bits != 32 && rows->offset_bits != 64)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "offset_bits is %d, expected 32 or 64", rows->offset_bits);
    if (rows->vertices > UINT32_MAX - 1)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    HD_TRY(hd_weights_given(ctx, rows->weights, rows->weight_type, rows->edges));
    if (!aligned(rows->offsets, (size_t)rows->offset_bits / 8) || !aligned(rows->targets, sizeof *rows->targets) ||
        !aligned(rows->weights, hd_weight_size(rows->weight_type)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "offsets, targets and weights must be aligned to their elements' size");
    return HEDDLE_OK;
}

static heddle_status widen(heddle_context *ctx, const given_rows *rows, heddle_graph *graph) {
    const uint32_t *narrow = rows->offsets;
    uint64_t count = rows->vertices + 1;
    HD_TRY(HD_NEW(ctx, &graph->widened, count, "row offsets"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++)
        graph->widened[v] = narrow[v];
    graph->out.offsets = graph->widened;
    return HEDDLE_OK;
}

/* Finds the first vertex whose row does not begin where the previous one ends, or ends past the edges. */
static heddle_status check_offsets(heddle_context *ctx, const heddle_graph *graph) {
    const uint64_t *offsets = graph->out.offsets;
    uint64_t n = graph->vertices, m = graph->edges, bad = UINT64_MAX;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if ((offsets[v] > offsets[v + 1] || offsets[v + 1] > m) && v < bad)
            bad = v;
    if (bad != UINT64_MAX)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "offsets: row %llu is %llu .. %llu, expected to ascend up to %llu edges",
                       (unsigned long long)bad, (unsigned long long)offsets[bad], (unsigned long long)offsets[bad + 1],
                       (unsigned long long)m);
    if (offsets[0] != 0 || offsets[n] != m)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "offsets begin with %llu and end with %llu, expected 0 and %llu",
                       (unsigned long long)offsets[0], (unsigned long long)offsets[n], (unsigned long long)m);
    return HEDDLE_OK;
}

static bool edge_has_target(const heddle_graph *graph, uint64_t e) { return graph->out.targets[e] < graph->vertices; }

/* Not below the target before it in row v. */
static bool edge_ascends(const heddle_graph *graph, uint64_t v, uint64_t e) {
    return e == graph->out.offsets[v] || graph->out.targets[e - 1] <= graph->out.targets[e];
}

static bool edge_has_weight(const heddle_graph *graph, uint64_t e) {
    double weight = graph->out.weights ? hd_weight_at(graph->out.weights, graph->weight_type, e) : 0;
    return weight - weight == 0; /* neither NaN nor infinite */
}

static bool row_is_good(const heddle_graph *graph, uint64_t v) {
    unsigned good = 1; /* without branches: rows are good as a rule */
    for (uint64_t e = graph->out.offsets[v]; e < graph->out.offsets[v + 1]; e++) {
        good &= edge_has_target(graph, e);
        good &= edge_ascends(graph, v, e);
        good &= edge_has_weight(graph, e);
    }
    return good;
}

/* Says what is wrong with the first wrong edge of the row. */
static heddle_status fail_row(heddle_context *ctx, const heddle_graph *graph, uint64_t v) {
    const uint32_t *targets = graph->out.targets;
    unsigned long long row = v, n = graph->vertices;
    uint64_t e = graph->out.offsets[v];
    while (edge_has_target(graph, e) && edge_ascends(graph, v, e) && edge_has_weight(graph, e))
        e++;
    if (!edge_has_target(graph, e))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "targets: row %llu has the target %u, and there are %llu vertices", row,
                       targets[e], n);
    if (!edge_ascends(graph, v, e))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "targets: row %llu does not ascend: %u stands behind %u", row,
                       targets[e], targets[e - 1]);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights: the arc %llu -> %u has a weight that is not finite", row,
                   targets[e]);
}

static heddle_status check_rows(heddle_context *ctx, const heddle_graph *graph) {
    enum { ROWS = 1024 };
    uint64_t n = graph->vertices, bad = UINT64_MAX;
    hd_phase_begin(ctx, "check", n);
    HD_PARALLEL_FOR(ctx, schedule(dynamic) reduction(min : bad) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t from = 0; from < n; from += ROWS) {
        uint64_t to = n - from < ROWS ? n : from + ROWS;
        if (hd_advance(ctx, to - from))
            continue;
        for (uint64_t v = from; v < to; v++)
            if (v < bad && !row_is_good(graph, v))
                bad = v;
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    if (bad == UINT64_MAX)
        return HEDDLE_OK;
    return fail_row(ctx, graph, bad);
}

static heddle_status check_symmetry(heddle_context *ctx, const heddle_graph *graph) {
    hd_transpose_fault fault;
    HD_TRY(hd_transpose_check(ctx, graph->vertices, &graph->out, &graph->out, graph->weight_type, &fault));
    return fault.found
               ? hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->undirected is set, and the arc %lu -> %lu %s its reverse",
                         (unsigned long)fault.from, (unsigned long)fault.to,
                         fault.weight ? "has not the weight of" : "lacks")
               : HEDDLE_OK;
}

static heddle_status take(heddle_context *ctx, const given_rows *rows, bool undirected, heddle_graph *graph) {
    static const heddle_vertex nothing[1] = {0};
    graph->vertices = rows->vertices;
    graph->edges = rows->edges;
    graph->directed = !undirected;
    graph->weight_type = rows->weight_type;
    graph->out.targets = (uint32_t *)(uintptr_t)(rows->targets ? rows->targets : nothing);
    graph->out.weights = (void *)(uintptr_t)rows->weights;
    if (rows->offset_bits == 32)
        HD_TRY(widen(ctx, rows, graph));
    else
        graph->out.offsets = (uint64_t *)(uintptr_t)rows->offsets;
    HD_TRY(check_offsets(ctx, graph));
    HD_TRY(check_rows(ctx, graph));
    return undirected ? check_symmetry(ctx, graph) : HEDDLE_OK;
}

heddle_status heddle_graph_from_csr(heddle_context *ctx, uint64_t vertices, uint64_t edges, const void *offsets,
                                    int offset_bits, const heddle_vertex *targets, const void *weights,
                                    heddle_weight_type weight_type, const heddle_csr_options *given,
                                    heddle_graph **graph) {
    heddle_csr_options options;
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, offsets);
    if (edges)
        HD_NEEDS(ctx, targets);
    heddle_csr_options_init(&options);
    HD_TRY(HD_TAKE_OPTIONS(ctx, given, &options));
    given_rows rows = {vertices, edges, offsets, offset_bits, targets, weights, weight_type};
    HD_TRY(check_arrays(ctx, &rows));
    hd_threads_settle(ctx, hd_work(vertices, edges, 1));
    HD_TRY(hd_graph_new(ctx, graph));
    heddle_status status = take(ctx, &rows, options.undirected, *graph);
    if (status != HEDDLE_OK) {
        heddle_graph_destroy(graph);
        return status;
    }
    (*graph)->release = options.release;
    (*graph)->release_user = options.release_user;
    return HEDDLE_OK;
}
