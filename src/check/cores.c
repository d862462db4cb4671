/* cores.c - kcore: the sequential reference, and the certificate of a result.
 *
 * The values are the core numbers if and only if
 *   1. every vertex has at least as many neighbours of its own value or a higher one as its value says, and
 *   2. the vertices can be removed in the order of rising values so that each has, when its turn comes, at most as many
 *      neighbours left as its value says.
 * 1: the vertices of value >= k form a subgraph of minimum degree k, so no core number is smaller than the value. 2: of
 * a subgraph of minimum degree k + 1 the vertex that is removed first has k + 1 neighbours left, so its value is above
 * k; so are those of all others, which are removed later: no core number is larger.
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/neighbours.h"
#include "engine/vertex_name.h"

enum { STEP = 1 << 16 }; /* vertices between two checks of the cancel flag */

typedef struct cores {
    heddle_context *ctx;
    const heddle_graph *graph;
    hd_neighbours all;
    uint32_t *left;        /* neighbours that are left */
    heddle_vertex *sorted; /* vertices by value */
    uint64_t *starts;      /* of each value in `sorted`: n + 1 */
} cores;

static heddle_status open_cores(cores *c) {
    uint64_t n = c->graph->vertices;
    HD_TRY(hd_neighbours_open(c->ctx, c->graph, &c->all));
    HD_TRY(HD_NEW(c->ctx, &c->left, n, "degrees"));
    HD_TRY(HD_NEW(c->ctx, &c->sorted, n, "sorted vertices"));
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->starts, n + 2, "values"));
    for (uint64_t v = 0; v < n; v++)
        c->left[v] = (uint32_t)hd_neighbours_count(&c->all, v);
    return HEDDLE_OK;
}

static void close_cores(cores *c) {
    uint64_t n = c->graph->vertices;
    HD_DELETE(&c->ctx->allocator, c->left, n);
    HD_DELETE(&c->ctx->allocator, c->sorted, n);
    HD_DELETE(&c->ctx->allocator, c->starts, n + 2);
    hd_neighbours_close(c->ctx, &c->all);
}

/* Counting sort by values below n; starts[k] is where value k begins. */
static void sort_by(cores *c, const uint32_t *value) {
    uint64_t n = c->graph->vertices;
    for (uint64_t v = 0; v < n; v++)
        c->starts[value[v] + 2]++;
    for (uint64_t k = 2; k < n + 2; k++)
        c->starts[k] += c->starts[k - 1];
    for (uint64_t v = 0; v < n; v++)
        c->sorted[c->starts[value[v] + 1]++] = (heddle_vertex)v;
}

/* ---- Reference: Batagelj and Zaversnik, 2003 ------------------------------------------------------------------- */

/* Moves w one bucket down: it swaps places with the first of its bucket. */
static void lower(cores *c, uint32_t *place, heddle_vertex w) {
    heddle_vertex first = c->sorted[c->starts[c->left[w]]];
    uint64_t from = place[w], to = c->starts[c->left[w]];
    c->sorted[from] = first;
    c->sorted[to] = w;
    place[first] = (uint32_t)from;
    place[w] = (uint32_t)to;
    c->starts[c->left[w]--]++;
}

static heddle_status remove_in_order(cores *c) {
    uint64_t n = c->graph->vertices;
    uint32_t *place = c->all.seen;
    sort_by(c, c->left);
    for (uint64_t i = 0; i < n; i++)
        place[c->sorted[i]] = (uint32_t)i;
    for (uint64_t i = 0; i < n && !(i % STEP == 0 && hd_advance(c->ctx, STEP)); i++) {
        heddle_vertex v = c->sorted[i];
        for (uint64_t e = c->all.offsets[v]; e < c->all.offsets[v + 1]; e++)
            if (c->left[c->all.list[e]] > c->left[v])
                lower(c, place, c->all.list[e]);
    }
    return hd_cancelled_status(c->ctx);
}

heddle_status hd_reference_kcore(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 heddle_result *result) {
    cores c = {.ctx = ctx, .graph = graph};
    uint64_t n = graph->vertices, inside = 0;
    uint32_t most = 0, *values;
    heddle_status status;
    (void)options;
    hd_phase_begin(ctx, "compute", n);
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, n));
    result->plain = true;
    HD_CHECK(open_cores(&c));
    HD_CHECK(remove_in_order(&c));
    values = result->values;
    for (uint64_t v = 0; v < n; v++) {
        values[v] = c.left[v];
        inside = values[v] > most ? 1 : inside + (values[v] == most);
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "innermost", (double)inside);
out:
    hd_phase_end(ctx);
    close_cores(&c);
    return status;
}

/* ---- Certificate ------------------------------------------------------------------------------------------------- */

/* 1. */
static heddle_status check_inside(const cores *c, const uint32_t *core) {
    for (uint64_t v = 0; v < c->graph->vertices; v++) {
        uint64_t inside = 0;
        for (uint64_t e = c->all.offsets[v]; e < c->all.offsets[v + 1]; e++)
            inside += core[c->all.list[e]] >= core[v];
        if (inside < core[v])
            return hd_fail(c->ctx, HEDDLE_E_VERIFY,
                           "vertex %s: core number %lu, but only %llu of its neighbours have one as high",
                           hd_vertex_name(c->ctx, c->graph, (heddle_vertex)v).text, (unsigned long)core[v],
                           (unsigned long long)inside);
    }
    return HEDDLE_OK;
}

static void take(cores *c, heddle_vertex v, const uint32_t *core, heddle_vertex *stack, uint64_t *count) {
    for (uint64_t e = c->all.offsets[v]; e < c->all.offsets[v + 1]; e++) {
        heddle_vertex w = c->all.list[e];
        if (--c->left[w] == core[w] && core[w] <= core[v]) /* its turn has come, and it could not go before */
            stack[(*count)++] = w;
    }
}

/* 2.: level by level; at each, whatever can be removed is. */
static heddle_status check_order(cores *c, const uint32_t *core, heddle_vertex *stack) {
    uint64_t n = c->graph->vertices, removed = 0;
    sort_by(c, core);
    for (uint64_t i = 0; i < n && !(i % STEP == 0 && hd_advance(c->ctx, STEP));) {
        uint32_t k = core[c->sorted[i]];
        uint64_t count = 0, end = i;
        for (; end < n && core[c->sorted[end]] == k; end++)
            if (c->left[c->sorted[end]] <= k)
                stack[count++] = c->sorted[end];
        while (count) {
            removed++;
            take(c, stack[--count], core, stack, &count);
        }
        if (removed < end)
            break;
        i = end;
    }
    HD_TRY(hd_cancelled_status(c->ctx));
    for (uint64_t i = 0; removed < n && i < n; i++) {
        heddle_vertex v = c->sorted[i];
        if (c->left[v] > core[v])
            return hd_fail(
                c->ctx, HEDDLE_E_VERIFY,
                "vertex %s: core number %lu, but it has more neighbours once all that may go before are gone",
                hd_vertex_name(c->ctx, c->graph, v).text, (unsigned long)core[v]);
    }
    return HEDDLE_OK;
}

heddle_status hd_verify_kcore(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    cores c = {.ctx = ctx, .graph = graph};
    const uint32_t *core = result->values;
    heddle_status status;
    (void)options;
    if (result->type != HEDDLE_VALUE_U32 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 32-bit core number for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    hd_phase_begin(ctx, "verify", graph->vertices);
    HD_CHECK(open_cores(&c));
    HD_CHECK(check_inside(&c, core));
    status = check_order(&c, core, c.all.seen);
out:
    hd_phase_end(ctx);
    close_cores(&c);
    return status;
}
