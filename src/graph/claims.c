/* claims.c - see claims.h. transpose_check.c compares the two directions; a renamed graph is compared with its original
 * here: for every row and target, the renamed row must hold as many parallel arcs with the same weights. The renaming
 * is a permutation and rows have the same lengths, so a renamed row cannot hold anything else. */
#include "graph/claims.h"

#include "base/parallel.h"
#include "graph/rows.h"
#include "graph/transpose_check.h"

#include <string.h>

enum { SHARE = 1 << 15 };

int hd_claims_about(const heddle_graph *graph, int what) {
    int shifted = what >> HD_VERIFY_SHIFT, claims = what & HD_VERIFY_CLAIMS;
    claims |= shifted & HD_VERIFY_TARGETS ? HD_VERIFY_TRANSPOSE : 0;
    claims |= shifted & HD_VERIFY_WEIGHTS ? HD_VERIFY_TRANSPOSE_WEIGHTS : 0;
    if (claims & (HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS) || what & HD_VERIFY_TARGETS)
        claims |= HD_VERIFY_SAME;
    if (claims & HD_VERIFY_TRANSPOSE_WEIGHTS || what & HD_VERIFY_WEIGHTS)
        claims |= HD_VERIFY_SAME_WEIGHTS;
    return claims & graph->unproven;
}

int hd_claims_parts(const heddle_graph *graph, int claims) {
    int out = claims ? HD_VERIFY_TARGETS : 0;
    bool transpose = claims & (HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS);
    bool same = claims & (HD_VERIFY_SAME | HD_VERIFY_SAME_WEIGHTS);
    out |= claims & (HD_VERIFY_TRANSPOSE_WEIGHTS | HD_VERIFY_SAME_WEIGHTS) ? HD_VERIFY_WEIGHTS : 0;
    return out | (transpose && graph->directed ? out << HD_VERIFY_SHIFT : 0) | (same ? HD_VERIFY_PLACES : 0);
}

/* ---- Both directions -------------------------------------------------------------------------------------------- */

/* The user's id of a vertex, for a message; a renamed graph uses the ids of its original. */
typedef struct label {
    char text[64];
} label;

static label label_of(const heddle_graph *graph, heddle_vertex v) {
    label l = {"?"};
    if (graph->original && graph->names)
        v = graph->names[v];
    heddle_graph_id_text(graph->original ? graph->original : graph, v, l.text, sizeof l.text);
    return l;
}

static heddle_status prove_transpose(heddle_context *ctx, const heddle_graph *graph, bool weights, const char *file) {
    const hd_csr *in = graph->directed ? &graph->in : &graph->out;
    hd_transpose_fault fault;
    HD_TRY(hd_transpose_check(ctx, graph->vertices, &graph->out, in, weights ? graph->weight_type : HEDDLE_WEIGHT_NONE,
                              &fault));
    if (!fault.found)
        return HEDDLE_OK;
    label from = label_of(graph, fault.from), to = label_of(graph, fault.to);
    if (!graph->directed)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, file, 0,
                            fault.weight ? "the file says it is undirected, but the edge %s -> %s and its reverse have "
                                           "different weights"
                                         : "the file says it is undirected, but the edge %s -> %s lacks its reverse",
                            from.text, to.text);
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, file, 0, "the in-edges do not match the out-edges: %s -> %s %s",
                        from.text, to.text,
                        fault.weight  ? "has another weight there"
                        : fault.added ? "is not there as often among the out-edges"
                                      : "is not there as often among the in-edges");
}

/* ---- Renamed graphs --------------------------------------------------------------------------------------------- */

/* Compares the arcs e .. end-1 of a row with the row of the renamed graph. False: they differ. */
static bool same_row(const heddle_graph *renamed, uint64_t e, uint64_t end, uint64_t row, bool weights) {
    const hd_csr *own = &renamed->original->out, *there = &renamed->out;
    size_t size = hd_weight_size(renamed->weight_type);
    uint64_t start = there->offsets[row], length = there->offsets[row + 1] - start;
    while (e < end) {
        uint32_t target = own->targets[e], place = renamed->places[target];
        uint64_t count = 1, at = hd_row_find(there->targets + start, length, place);
        while (e + count < end && own->targets[e + count] == target)
            count++;
        if (count > length - at)
            return false;
        for (uint64_t k = 0; k < count; k++)
            if (there->targets[start + at + k] != place)
                return false;
        if (weights && memcmp((const char *)own->weights + e * size, (const char *)there->weights + (start + at) * size,
                              count * size) != 0)
            return false;
        e += count;
    }
    return true;
}

/* Already checked: `places` is a permutation, and rows have the same lengths. */
static heddle_status prove_same(heddle_context *ctx, heddle_graph *renamed, bool weights) {
    const heddle_graph *own = renamed->original;
    const uint64_t *offsets = own->out.offsets, n = own->vertices, work = n + own->edges;
    bool differ = false;
    HD_TRY(hd_graph_verify(ctx, own, HD_VERIFY_TARGETS | (weights ? HD_VERIFY_WEIGHTS : 0)));
    hd_phase_begin(ctx, "verify", work);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (work > SHARE))
    for (uint64_t from = 0; from < work; from += SHARE) {
        uint64_t to = work - from < SHARE ? work : from + SHARE;
        if (hd_load(&differ) || hd_advance(ctx, to - from))
            continue;
        for (uint64_t v = hd_row_at(offsets, n, from); v < n && offsets[v] + v < to; v++)
            if (offsets[v] + v >= from && !same_row(renamed, offsets[v], offsets[v + 1], renamed->places[v], weights))
                hd_store(&differ, true);
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    return differ ? hd_fail_file(ctx, HEDDLE_E_FORMAT, renamed->source_name, 0,
                                 "an order that the file holds has other edges than the graph")
                  : HEDDLE_OK;
}

heddle_status hd_claims_prove(heddle_context *ctx, heddle_graph *graph, int claims) {
    if (claims & (HD_VERIFY_SAME | HD_VERIFY_SAME_WEIGHTS))
        HD_TRY(prove_same(ctx, graph, claims & HD_VERIFY_SAME_WEIGHTS));
    graph->unproven &= ~(claims & (HD_VERIFY_SAME | HD_VERIFY_SAME_WEIGHTS));
    if (claims & (HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS))
        HD_TRY(prove_transpose(ctx, graph, claims & HD_VERIFY_TRANSPOSE_WEIGHTS, graph->source_name));
    graph->unproven &= ~claims;
    return HEDDLE_OK;
}

heddle_status hd_graph_prove_undirected(heddle_context *ctx, const heddle_graph *graph, bool weights) {
    int claims = HD_VERIFY_TRANSPOSE | (weights ? HD_VERIFY_TRANSPOSE_WEIGHTS : 0);
    return graph->directed ? HEDDLE_OK : hd_graph_verify(ctx, graph, claims);
}

heddle_status hd_graph_prove_read(heddle_context *ctx, const heddle_graph *graph, const char *file) {
    return graph->directed ? HEDDLE_OK : prove_transpose(ctx, graph, true, file);
}
