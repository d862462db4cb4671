/* check_bipartite.c - bipartite: the sequential reference, and the certificate of a result.
 *
 * Sides are right if and only if the ends of every edge are on different ones; they are unique because the smallest
 * vertex of each component is on side 0. Without sides there is an odd cycle: edges that follow each
 * other, are an odd number, and exist in the graph; no such graph has sides.
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/check_in_edges.h"
#include "engine/vertex_name.h"

enum { STEP = 1 << 14 }; /* vertices between two checks of the cancel flag */

typedef struct sides {
    heddle_context *ctx;
    const heddle_graph *graph;
    hd_check_in_edges in_edges;
    heddle_adjacency rows[2];
    int row_count;
    uint32_t *level;
    heddle_vertex *queue;
} sides;

static heddle_status open_sides(sides *s) {
    uint64_t n = s->graph->vertices;
    s->row_count = s->graph->directed ? 2 : 1;
    HD_TRY(hd_graph_bare(s->ctx, s->graph, false, &s->rows[0]));
    HD_TRY(hd_check_in_edges_open(s->ctx, s->graph, false, &s->in_edges));
    s->rows[1] = s->in_edges.rows;
    HD_TRY(HD_NEW(s->ctx, &s->level, n, "levels"));
    return HD_NEW(s->ctx, &s->queue, n, "reached vertices");
}

static void close_sides(sides *s) {
    uint64_t n = s->graph->vertices;
    HD_DELETE(&s->ctx->allocator, s->level, n);
    HD_DELETE(&s->ctx->allocator, s->queue, n);
    hd_check_in_edges_close(s->ctx, s->graph, &s->in_edges);
}

/* Breadth-first levels of the root's component. */
static void reach(sides *s, heddle_vertex root) {
    uint64_t from = 0, to = 0;
    s->level[root] = 0;
    s->queue[to++] = root;
    for (; from < to; from++) {
        heddle_vertex v = s->queue[from];
        for (int k = 0; k < s->row_count; k++)
            for (uint64_t e = s->rows[k].offsets[v]; e < s->rows[k].offsets[v + 1]; e++) {
                heddle_vertex w = s->rows[k].targets[e];
                if (s->level[w] != UINT32_MAX)
                    continue;
                s->level[w] = s->level[v] + 1;
                s->queue[to++] = w;
            }
    }
}

static heddle_status reach_all(sides *s) {
    uint64_t n = s->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        s->level[v] = UINT32_MAX;
    for (uint64_t v = 0; v < n && !(v % STEP == 0 && hd_advance(s->ctx, STEP)); v++)
        if (s->level[v] == UINT32_MAX)
            reach(s, (heddle_vertex)v);
    return hd_cancelled_status(s->ctx);
}

/* ---- Reference --------------------------------------------------------------------------------------------------- */

/* The smallest neighbour on a level; UINT32_MAX: none. */
static heddle_vertex neighbour(const sides *s, heddle_vertex v, uint32_t level) {
    heddle_vertex least = UINT32_MAX;
    for (int k = 0; k < s->row_count; k++)
        for (uint64_t e = s->rows[k].offsets[v]; e < s->rows[k].offsets[v + 1]; e++) {
            heddle_vertex w = s->rows[k].targets[e];
            least = s->level[w] == level && w < least ? w : least;
        }
    return least;
}

/* The first vertex of the lowest level with a neighbour on its level; UINT32_MAX: none. */
static heddle_vertex first_odd(const sides *s) {
    heddle_vertex best = UINT32_MAX;
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        if ((best == UINT32_MAX || s->level[v] < s->level[best]) &&
            neighbour(s, (heddle_vertex)v, s->level[v]) != UINT32_MAX)
            best = (heddle_vertex)v;
    return best;
}

/* Down one path from the edge, and up the other. `queue` is free for the vertices in order. */
static heddle_status give_cycle(sides *s, heddle_vertex a, heddle_result *result) {
    heddle_vertex b = neighbour(s, a, s->level[a]), *up = s->queue;
    uint64_t length = 0;
    for (heddle_vertex x = a, y = b; x != y; length++) {
        up[length] = b = y;
        x = neighbour(s, x, s->level[x] - 1);
        y = neighbour(s, y, s->level[y] - 1);
        b = y;
    }
    uint64_t edges = 2 * length + 1;
    HD_TRY(hd_result_edges_new(s->ctx, result, edges, HEDDLE_WEIGHT_NONE));
    heddle_vertex *ends = result->forest_ends, top = length ? b : a;
    ends[0] = a;
    for (uint64_t k = 0; k < length; k++)
        ends[2 * k + 1] = ends[2 * k + 2] = up[k];
    ends[2 * length + 1] = top;
    for (uint64_t k = edges; k-- > length + 1; a = ends[2 * k]) {
        ends[2 * k + 1] = a;
        ends[2 * k] = neighbour(s, a, s->level[a] - 1);
    }
    hd_result_figure(result, "bipartite", 0);
    hd_result_figure_whole(result, "odd_cycle", edges);
    return HEDDLE_OK;
}

static heddle_status give_sides(const sides *s, heddle_result *result) {
    uint64_t n = s->graph->vertices, right = 0;
    HD_TRY(hd_result_values_new(s->ctx, result, HEDDLE_VALUE_U32, n));
    result->plain = true;
    for (uint64_t v = 0; v < n; v++) {
        ((uint32_t *)result->values)[v] = s->level[v] % 2;
        right += s->level[v] % 2;
    }
    hd_result_figure(result, "bipartite", 1);
    hd_result_figure_whole(result, "left", n - right);
    hd_result_figure_whole(result, "right", right);
    return HEDDLE_OK;
}

heddle_status hd_reference_bipartite(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                     heddle_result *result) {
    sides s = {.ctx = ctx, .graph = graph};
    heddle_vertex odd;
    heddle_status status;
    (void)options;
    hd_phase_begin(ctx, "compute", graph->vertices);
    HD_CHECK(open_sides(&s));
    HD_CHECK(reach_all(&s));
    odd = first_odd(&s);
    status = odd == UINT32_MAX ? give_sides(&s, result) : give_cycle(&s, odd, result);
out:
    hd_phase_end(ctx);
    close_sides(&s);
    return status;
}

/* ---- Certificate ------------------------------------------------------------------------------------------------- */

static bool has_arc(const heddle_adjacency *rows, heddle_vertex v, heddle_vertex w) {
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
        if (rows->targets[e] == w)
            return true;
    return false;
}

static heddle_status check_cycle(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    const heddle_vertex *ends = result->forest_ends;
    uint64_t length = result->forest_edges;
    heddle_adjacency out;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    if (length % 2 == 0 || result->values || result->forest_type != HEDDLE_WEIGHT_NONE ||
        hd_result_figure_of(result, "odd_cycle") != (double)length || hd_result_figure_of(result, "bipartite") != 0)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the cycle has %llu edges, not an odd number, or the figures differ",
                       (unsigned long long)length);
    for (uint64_t k = 0; k < length; k++) {
        heddle_vertex v = ends[2 * k], w = ends[2 * k + 1];
        if (v >= graph->vertices || w >= graph->vertices || (!has_arc(&out, v, w) && !has_arc(&out, w, v)))
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %llu of the odd cycle is not in the graph",
                           (unsigned long long)k);
        if (w != ends[2 * ((k + 1) % length)])
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %llu of the odd cycle does not begin where the one before ends",
                           (unsigned long long)((k + 1) % length));
    }
    return HEDDLE_OK;
}

static heddle_status check_edges(const sides *s, const uint32_t *side) {
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        for (uint64_t e = s->rows[0].offsets[v]; e < s->rows[0].offsets[v + 1]; e++) {
            heddle_vertex w = s->rows[0].targets[e];
            if (side[v] == side[w])
                return hd_fail(s->ctx, HEDDLE_E_VERIFY, "the ends of the edge %s - %s are on the same side",
                               hd_vertex_name(s->ctx, s->graph, (heddle_vertex)v).text,
                               hd_vertex_name(s->ctx, s->graph, w).text);
        }
    return HEDDLE_OK;
}

/* Vertices are reached in the order of the smallest ones of components. */
static heddle_status check_smallest(sides *s, const uint32_t *side) {
    HD_TRY(reach_all(s));
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        if (side[v] > 1 || (s->level[v] == 0 && side[v] != 0))
            return hd_fail(s->ctx, HEDDLE_E_VERIFY, "vertex %s: side %lu, and not 0",
                           hd_vertex_name(s->ctx, s->graph, (heddle_vertex)v).text, (unsigned long)side[v]);
    return HEDDLE_OK;
}

static heddle_status check_sides(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    sides s = {.ctx = ctx, .graph = graph};
    const uint32_t *side = result->values;
    uint64_t right = 0;
    heddle_status status;
    if (result->type != HEDDLE_VALUE_U32 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected a side for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    HD_CHECK(open_sides(&s));
    HD_CHECK(check_edges(&s, side));
    HD_CHECK(check_smallest(&s, side));
    for (uint64_t v = 0; v < graph->vertices; v++)
        right += side[v];
    if (hd_result_figure_of(result, "bipartite") != 1 || hd_result_figure_of(result, "right") != (double)right ||
        hd_result_figure_of(result, "left") != (double)(graph->vertices - right))
        status = hd_fail(ctx, HEDDLE_E_VERIFY, "the figures are not those of the sides: %llu vertices are on side 1",
                         (unsigned long long)right);
out:
    close_sides(&s);
    return status;
}

heddle_status hd_verify_bipartite(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  heddle_result *result) {
    (void)options;
    hd_phase_begin(ctx, "verify", graph->vertices);
    heddle_status status = result->forest_ends ? check_cycle(ctx, graph, result) : check_sides(ctx, graph, result);
    hd_phase_end(ctx);
    return status;
}
