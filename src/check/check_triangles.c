/* check_triangles.c - tc and lcc: sequential references, and the validators of a result.
 *
 * There is no certificate of a number of triangles that is faster than counting. The validators recount at single
 * vertices, each by itself: at all of them if that is not too much work, else at vertices spread evenly, as many as a
 * budget allows, and at some of those with most neighbours, which are in most triangles; and say so. Of all vertices
 * they check what the degrees allow, and tc's the sum, and the report's figures.
 */
#include "check/check_triangles.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "check/neighbours.h"
#include "engine/vertex_name.h"

enum {
    STEP = 1 << 12, /* vertices between two checks of the cancel flag */
    HUBS = 8        /* vertices with most neighbours */
};

typedef struct recount {
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_result *result;
    heddle_adjacency out;
    hd_neighbours all;
} recount;

static void mark_neighbours(const hd_neighbours *all, uint64_t v) {
    for (uint64_t i = all->offsets[v]; i < all->offsets[v + 1]; i++)
        all->seen[all->list[i]] = (heddle_vertex)(v + 1);
}

/* Triangles at v: pairs of its neighbours that are neighbours of each other. */
static uint64_t triangles_at(const hd_neighbours *all, uint64_t v) {
    uint64_t ends = 0;
    mark_neighbours(all, v);
    for (uint64_t i = all->offsets[v]; i < all->offsets[v + 1]; i++)
        for (uint64_t k = all->offsets[all->list[i]]; k < all->offsets[all->list[i] + 1]; k++)
            ends += all->seen[all->list[k]] == v + 1;
    return ends / 2;
}

/* Arcs between neighbours of v, parallel ones once, divided by how many there could be. */
static double clustering_at(const hd_neighbours *all, const heddle_adjacency *out, uint64_t v) {
    uint64_t arcs = 0, degree = hd_neighbours_count(all, v);
    mark_neighbours(all, v);
    for (uint64_t i = all->offsets[v]; i < all->offsets[v + 1]; i++) {
        heddle_vertex u = all->list[i];
        for (uint64_t e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            heddle_vertex w = out->targets[e];
            bool again = e > out->offsets[u] && out->targets[e - 1] == w; /* rows ascend */
            arcs += w != u && !again && all->seen[w] == v + 1;
        }
    }
    return degree < 2 ? 0 : (double)arcs / ((double)degree * (double)(degree - 1));
}

static heddle_status open_recount(recount *r) {
    hd_phase_begin(r->ctx, r->result ? "verify" : "compute", r->graph->vertices);
    HD_TRY(hd_graph_bare(r->ctx, r->graph, false, &r->out));
    return hd_neighbours_open(r->ctx, r->graph, &r->all);
}

static void close_recount(recount *r) {
    hd_phase_end(r->ctx);
    hd_neighbours_close(r->ctx, &r->all);
}

static bool stop(heddle_context *ctx, uint64_t step) { return step % STEP == 0 && hd_advance(ctx, STEP); }

/* ---- References -------------------------------------------------------------------------------------------------- */

heddle_status hd_reference_tc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    recount r = {.ctx = ctx, .graph = graph};
    uint64_t sum = 0, most = 0, *counts;
    heddle_status status;
    (void)options;
    HD_CHECK(open_recount(&r));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U64, graph->vertices));
    result->plain = true;
    counts = result->values;
    for (uint64_t v = 0; v < graph->vertices && !stop(ctx, v); v++) {
        counts[v] = triangles_at(&r.all, v);
        sum += counts[v];
        most = counts[v] > most ? counts[v] : most;
    }
    HD_CHECK(hd_cancelled_status(ctx));
    hd_result_figure_whole(result, "triangles", sum / 3);
    hd_result_figure_whole(result, "max", most);
out:
    close_recount(&r);
    return status;
}

heddle_status hd_reference_lcc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    recount r = {.ctx = ctx, .graph = graph};
    double *values;
    hd_whole sum = 0; /* in units of 2^-60 */
    heddle_status status;
    (void)options;
    HD_CHECK(open_recount(&r));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, graph->vertices));
    values = result->values;
    for (uint64_t v = 0; v < graph->vertices && !stop(ctx, v); v++)
        sum += (int64_t)((values[v] = clustering_at(&r.all, &r.out, v)) * 0x1p60);
    HD_CHECK(hd_cancelled_status(ctx));
    hd_result_figure(result, "mean", graph->vertices ? (double)sum * 0x1p-60 / (double)graph->vertices : 0);
out:
    close_recount(&r);
    return status;
}

/* ---- Validators -------------------------------------------------------------------------------------------------- */

/* How many vertices the budget allows: neighbours of neighbours are as many as squares of degrees. */
static uint64_t vertices_within(const hd_neighbours *all, uint64_t budget) {
    double work = 0;
    for (uint64_t v = 0; v < all->vertices; v++)
        work += 1 + (double)hd_neighbours_count(all, v) * (double)hd_neighbours_count(all, v);
    return work <= (double)budget ? all->vertices : (uint64_t)((double)all->vertices * ((double)budget / work)) + 1;
}

typedef heddle_status check_fn(const recount *r, heddle_vertex v);

/* The vertices with most neighbours, those with most first; returns how many. */
static uint64_t find_hubs(const hd_neighbours *all, heddle_vertex *hubs) {
    uint64_t count = 0;
    for (uint64_t v = 0; v < all->vertices; v++) {
        uint64_t degree = hd_neighbours_count(all, v);
        if (count == HUBS && degree <= hd_neighbours_count(all, hubs[HUBS - 1]))
            continue;
        uint64_t k = count < HUBS ? count++ : HUBS - 1;
        for (; k && degree > hd_neighbours_count(all, hubs[k - 1]); k--)
            hubs[k] = hubs[k - 1];
        hubs[k] = (heddle_vertex)v;
    }
    return count;
}

/* Calls `check` for those of the hubs that the budget allows together; *checked: how many. */
static heddle_status check_hubs(const recount *r, uint64_t budget, check_fn *check, uint64_t *checked) {
    const hd_neighbours *all = &r->all;
    heddle_vertex hubs[HUBS];
    uint64_t count = find_hubs(all, hubs), left = budget;
    *checked = 0;
    for (uint64_t h = 0; h < count && !hd_advance(r->ctx, 0); h++) {
        uint64_t work = 1;
        for (uint64_t i = all->offsets[hubs[h]]; i < all->offsets[hubs[h] + 1]; i++)
            work += 1 + hd_neighbours_count(all, all->list[i]);
        if (work > left)
            continue;
        left -= work;
        HD_TRY(check(r, hubs[h]));
        ++*checked;
    }
    return HEDDLE_OK;
}

/* Calls `check` for vertices spread evenly, from one that the seed gives. */
static heddle_status check_some(recount *r, const heddle_run_options *options, uint64_t budget, check_fn *check) {
    uint64_t n = r->graph->vertices, picked = vertices_within(&r->all, budget);
    uint64_t start = n ? hd_below(hd_random(options->seed, n), n) : 0, hubs = 0;
    for (uint64_t i = 0; i < picked && !stop(r->ctx, i); i++)
        HD_TRY(check(r, (heddle_vertex)((start + hd_split(n, picked, i)) % n)));
    if (picked < n) {
        HD_TRY(check_hubs(r, budget, check, &hubs));
        hd_note(r->ctx, "%s was recounted at %llu of %llu vertices, and at %llu of those with most neighbours",
                r->result->report.algorithm, (unsigned long long)picked, (unsigned long long)n,
                (unsigned long long)hubs);
    }
    return hd_cancelled_status(r->ctx);
}

static heddle_status check_figure(const recount *r, const char *name, uint64_t expected) {
    double found = hd_result_figure_of(r->result, name);
    if (found == (double)expected)
        return HEDDLE_OK;
    return hd_fail(r->ctx, HEDDLE_E_VERIFY, "the report has %s %.17g: the counts give %llu", name, found,
                   (unsigned long long)expected);
}

/* Limits by the degrees, the sum in which every triangle occurs three times, and the figures of the report. */
static heddle_status check_sum(const recount *r) {
    const uint64_t *counts = r->result->values;
    uint64_t sum = 0, most = 0;
    for (uint64_t v = 0; v < r->graph->vertices; v++) {
        uint64_t degree = hd_neighbours_count(&r->all, v);
        if (counts[v] > degree * (degree ? degree - 1 : 0) / 2)
            return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: %llu triangles, more than its %llu neighbours can form",
                           hd_vertex_name(r->ctx, r->graph, (heddle_vertex)v).text, (unsigned long long)counts[v],
                           (unsigned long long)degree);
        sum += counts[v];
        most = counts[v] > most ? counts[v] : most;
    }
    if (sum % 3)
        return hd_fail(r->ctx, HEDDLE_E_VERIFY, "the sum of the counts is no multiple of 3: a triangle has 3 corners");
    HD_TRY(check_figure(r, "triangles", sum / 3));
    return check_figure(r, "max", most);
}

static heddle_status check_count(const recount *r, heddle_vertex v) {
    uint64_t found = ((const uint64_t *)r->result->values)[v], expected = triangles_at(&r->all, v);
    if (found == expected)
        return HEDDLE_OK;
    return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: %llu triangles, expected %llu",
                   hd_vertex_name(r->ctx, r->graph, v).text, (unsigned long long)found, (unsigned long long)expected);
}

static heddle_status check_clustering(const recount *r, heddle_vertex v) {
    double found = ((const double *)r->result->values)[v], expected = clustering_at(&r->all, &r->out, v);
    if (found == expected)
        return HEDDLE_OK;
    return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: clustering coefficient %.17g, expected %.17g",
                   hd_vertex_name(r->ctx, r->graph, v).text, found, expected);
}

static heddle_status check_range(const recount *r) {
    const double *values = r->result->values;
    for (uint64_t v = 0; v < r->graph->vertices; v++)
        if (!(values[v] >= 0 && values[v] <= 1) || (values[v] > 0 && hd_neighbours_count(&r->all, v) < 2))
            return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: clustering coefficient %.17g with %llu neighbours",
                           hd_vertex_name(r->ctx, r->graph, (heddle_vertex)v).text, values[v],
                           (unsigned long long)hd_neighbours_count(&r->all, v));
    return HEDDLE_OK;
}

/* All values by a simple rule, then some of them by counting again. */
static heddle_status check_all_and_some(recount *r, const heddle_run_options *options, uint64_t budget,
                                        heddle_status (*check_all)(const recount *r), check_fn *check_one) {
    heddle_status status;
    HD_CHECK(open_recount(r));
    HD_CHECK(check_all(r));
    status = check_some(r, options, budget, check_one);
out:
    close_recount(r);
    return status;
}

heddle_status hd_verify_tc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                  const heddle_result *result, uint64_t budget) {
    recount r = {.ctx = ctx, .graph = graph, .result = result};
    if (result->type != HEDDLE_VALUE_U64 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 64-bit count for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    return check_all_and_some(&r, options, budget, check_sum, check_count);
}

heddle_status hd_verify_lcc_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   const heddle_result *result, uint64_t budget) {
    recount r = {.ctx = ctx, .graph = graph, .result = result};
    if (result->type != HEDDLE_VALUE_F64 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one value of double precision for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    return check_all_and_some(&r, options, budget, check_range, check_clustering);
}

heddle_status hd_verify_tc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result) {
    return hd_verify_tc_within(ctx, graph, options, result, HD_TRIANGLE_BUDGET);
}

heddle_status hd_verify_lcc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    return hd_verify_lcc_within(ctx, graph, options, result, HD_TRIANGLE_BUDGET);
}
