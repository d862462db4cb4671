/* test_transform.c - physical splits: the formulas of Tigr's Table 1 (as docs/transforms.md has them), the properties
 * of a uniform-degree tree, every edge kept, the same graph for any number of threads. */
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "transform/split.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One vertex of each of many degrees; parallel edges and loops among them; weights tell edges apart. */
static heddle_graph *ladder(heddle_context *ctx, heddle_weight_type type) {
    static const uint64_t degrees[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,
                                       12, 13, 16, 17, 25, 26, 27, 64, 65, 100, 729, 2000};
    enum { COUNT = sizeof degrees / sizeof *degrees, N = 300 };
    int64_t *from = malloc(4096 * sizeof *from), *to = malloc(4096 * sizeof *to);
    uint32_t *weights = malloc(4096 * sizeof *weights);
    uint64_t m = 0;
    heddle_graph *graph;
    for (uint64_t i = 0; i < COUNT; i++)
        for (uint64_t k = 0; k < degrees[i]; k++, m++) {
            from[m] = (int64_t)i * 7;
            to[m] = (int64_t)hd_below(hd_random(5, m), k % 3 ? N : COUNT * 7);
            float real = (float)m + 0.5f;
            weights[m] = (uint32_t)m;
            if (type == HEDDLE_WEIGHT_F32)
                memcpy(&weights[m], &real, sizeof real);
        }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, N, m, from, to, type ? weights : NULL, type, NULL, &graph),
                          HEDDLE_OK);
    free(from);
    free(to);
    free(weights);
    return graph;
}

static heddle_adjacency rows_of(heddle_context *ctx, const heddle_graph *graph, bool pull) {
    heddle_adjacency rows;
    support_assert_status(ctx, pull ? heddle_graph_in(ctx, graph, &rows) : heddle_graph_out(ctx, graph, &rows),
                          HEDDLE_OK);
    return rows;
}

static uint64_t degree_of(const heddle_adjacency *rows, uint64_t v) { return rows->offsets[v + 1] - rows->offsets[v]; }

static uint64_t pieces(uint64_t d, uint64_t K) { return (d + K - 1) / K; }

static hd_split_result split(heddle_context *ctx, const heddle_graph *graph, const hd_transform *transform, bool pull,
                             uint32_t K) {
    hd_split_options options = {.transform = transform, .pull = pull, .K = K, .seed = 3};
    hd_split_result result;
    uint64_t vertices, edges;
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, hd_split_count(ctx, graph, &options, &vertices, &edges), HEDDLE_OK);
    assert_int_equal(vertices, result.added_vertices);
    assert_int_equal(edges, result.added_edges);
    return result;
}

static uint64_t original(const hd_split_result *s, uint64_t v) {
    return v < s->originals ? v : s->family[v - s->originals];
}

/* ---- What holds for every split ---------------------------------------------------------------------------------- */

typedef struct edge {
    uint64_t from, to;
    uint32_t weight;
} edge;

static int by_all(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

static edge *edges_of(const heddle_adjacency *rows, uint64_t vertices, const hd_split_result *s, uint64_t *count) {
    edge *list = malloc((rows->offsets[vertices] + 1) * sizeof *list);
    *count = 0;
    for (uint64_t v = 0; v < vertices; v++)
        for (uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; k++) {
            if (s && hd_split_is_fresh(s, k))
                continue;
            uint32_t weight = rows->weights ? ((const uint32_t *)rows->weights)[k] : 0;
            list[(*count)++] =
                (edge){s ? original(s, v) : v, s ? original(s, rows->targets[k]) : rows->targets[k], weight};
        }
    qsort(list, *count, sizeof *list, by_all);
    return list;
}

/* Every old edge is there once, between the families of its ends, with its weight. */
static void check_edges(const heddle_adjacency *before, const heddle_adjacency *after, const hd_split_result *s) {
    uint64_t old_count, new_count;
    edge *old = edges_of(before, s->originals, NULL, &old_count);
    edge *now = edges_of(after, s->graph->vertices, s, &new_count);
    assert_int_equal(old_count, new_count);
    for (uint64_t k = 0; k < old_count; k++)
        assert_int_equal(by_all(&old[k], &now[k]), 0);
    free(old);
    free(now);
}

static void check_rows(const heddle_adjacency *rows, const hd_split_result *s) {
    assert_int_equal(rows->offsets[0], 0);
    assert_int_equal(rows->offsets[s->graph->vertices], s->graph->edges);
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        for (uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; k++) {
            assert_true(rows->targets[k] < s->graph->vertices);
            assert_true(k == rows->offsets[v] || rows->targets[k - 1] <= rows->targets[k]);
        }
}

static uint64_t most_new_hops(const heddle_adjacency *rows, const hd_split_result *s, uint64_t v, uint64_t depth) {
    uint64_t most = depth;
    assert_true(depth < HD_SPLIT_LEVELS); /* a tree has no ring */
    for (uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; k++)
        if (hd_split_is_fresh(s, k)) {
            uint64_t below = most_new_hops(rows, s, rows->targets[k], depth + 1);
            most = below > most ? below : most;
        }
    return most;
}

/* ---- One family against the formulas ----------------------------------------------------------------------------- */

typedef struct family {
    uint64_t degree, nodes, links, boundary, residual, most;
} family;

static void measure(const heddle_adjacency *rows, const hd_split_result *s, uint64_t v, family *f) {
    uint64_t old = 0, links = 0;
    for (uint64_t k = rows->offsets[v]; k < rows->offsets[v + 1]; k++)
        *(hd_split_is_fresh(s, k) ? &links : &old) += 1;
    f->links += links;
    f->boundary += old > 0;
    f->residual += old + links < s->K;
    f->most = old + links > f->most ? old + links : f->most;
}

static void check_family(const hd_transform *transform, const hd_split_result *s, const family *f) {
    uint64_t d = f->degree, K = s->K, p = pieces(d, K), r = 0;
    for (uint64_t width = d; K > 1 && width > K; r += width)
        width = pieces(width, K);
    assert_int_equal(f->boundary, p); /* Definition 2 */
    if (transform == &hd_transform_cliq) {
        assert_int_equal(f->nodes, p - 1);
        assert_int_equal(f->links, p * (p - 1));
        assert_int_equal(f->most, K + p - 1);
    } else if (transform == &hd_transform_circ) {
        assert_int_equal(f->nodes, p - 1);
        assert_int_equal(f->links, p);
        assert_int_equal(f->most, K + 1);
    } else if (transform == &hd_transform_star) {
        assert_int_equal(f->nodes, p);
        assert_int_equal(f->links, p);
        assert_int_equal(f->most, K > p ? K : p);
    } else if (transform == &hd_transform_udt) {
        assert_int_equal(f->nodes, pieces(d - K, K - 1));
        assert_int_equal(f->links, f->nodes);
        assert_int_equal(f->most, K);
        assert_true(f->residual <= 1);
    } else {
        assert_int_equal(f->nodes, r);
        assert_int_equal(f->links, r);
        assert_int_equal(f->most, K);
    }
}

static void check_families(heddle_context *ctx, const heddle_graph *graph, const hd_transform *transform, bool pull,
                           const hd_split_result *s) {
    heddle_adjacency before = rows_of(ctx, graph, pull), after = rows_of(ctx, s->graph, pull);
    family *families = calloc(s->originals, sizeof *families);
    uint64_t count = 0, nodes = 0, links = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        families[original(s, v)].nodes += v >= s->originals;
        measure(&after, s, v, &families[original(s, v)]);
    }
    for (uint64_t v = 0; v < s->originals; v++) {
        families[v].degree = degree_of(&before, v);
        nodes += families[v].nodes;
        links += families[v].links;
        if (families[v].degree > s->K) {
            count++;
            check_family(transform, s, &families[v]);
        } else {
            assert_true(families[v].nodes == 0 && families[v].links == 0);
            assert_int_equal(degree_of(&after, v), families[v].degree);
        }
    }
    assert_true(count == s->families && nodes == s->added_vertices && links == s->added_edges);
    assert_int_equal(s->graph->vertices, s->originals + nodes);
    assert_int_equal(s->graph->edges, graph->edges + links);
    free(families);
}

/* Trees: one new edge leads to each new vertex (P2), all else to the originals; levels; the height (P3). */
static void check_tree(heddle_context *ctx, const heddle_graph *graph, const hd_transform *transform, bool pull,
                       const hd_split_result *s) {
    heddle_adjacency before = rows_of(ctx, graph, pull), after = rows_of(ctx, s->graph, pull);
    uint64_t *entered = calloc(s->graph->vertices, sizeof *entered), highest = 0;
    for (uint64_t v = 0, level = 0; v < s->graph->vertices; v++) {
        while (v >= s->originals && v - s->originals >= s->level_start[level + 1])
            level++;
        for (uint64_t k = after.offsets[v]; k < after.offsets[v + 1]; k++) {
            bool fresh = hd_split_is_fresh(s, k);
            assert_true(fresh == (after.targets[k] >= s->originals));
            entered[after.targets[k]] += fresh;
            if (fresh && v >= s->originals)
                assert_true(after.targets[k] - s->originals < s->level_start[level]);
        }
    }
    for (uint64_t v = 0; v < s->graph->vertices; v++)
        assert_int_equal(entered[v], v >= s->originals);
    for (uint64_t v = 0; v < s->originals; v++) {
        uint64_t d = degree_of(&before, v), hops = most_new_hops(&after, s, v, 0), bound = 0;
        for (uint64_t reach = 1; s->K > 1 && reach < d; reach *= s->K)
            bound++; /* ceil(log_K d) */
        highest = hops > highest ? hops : highest;
        if (transform != &hd_transform_star && d > s->K)
            assert_true(hops <= bound);
        if (transform == &hd_transform_star && d > s->K)
            assert_int_equal(hops, 1);
    }
    assert_int_equal(highest, s->levels);
    assert_int_equal(highest, s->height);
    free(entered);
}

/* Rings and cliques: new edges stay in the family, and lead from any member to any other. */
static void check_round(heddle_context *ctx, const hd_transform *transform, bool pull, const hd_split_result *s) {
    heddle_adjacency after = rows_of(ctx, s->graph, pull);
    uint64_t spread = 0;
    for (uint64_t v = 0; v < s->graph->vertices; v++) {
        uint64_t links = 0, next = UINT64_MAX;
        for (uint64_t k = after.offsets[v]; k < after.offsets[v + 1]; k++)
            if (hd_split_is_fresh(s, k)) {
                assert_true(original(s, v) == original(s, after.targets[k]) && v != after.targets[k]);
                next = after.targets[k];
                links++;
            } else {
                spread += after.targets[k] >= s->originals;
            }
        if (transform == &hd_transform_cliq || v < s->originals)
            continue;
        assert_int_equal(links, 1); /* the ring comes back to the original */
        for (uint64_t steps = 0; next >= s->originals; steps++) {
            assert_true(steps < s->added_vertices);
            for (uint64_t k = after.offsets[next], end = after.offsets[next + 1]; k < end; k++)
                if (hd_split_is_fresh(s, k)) {
                    next = after.targets[k];
                    break;
                }
        }
    }
    assert_true(spread > 0);
}

static void check_split(heddle_context *ctx, const heddle_graph *graph, const hd_transform *transform, bool pull,
                        uint32_t K) {
    hd_split_result s = split(ctx, graph, transform, pull, K);
    assert_non_null(s.graph);
    heddle_adjacency before = rows_of(ctx, graph, pull), after = rows_of(ctx, s.graph, pull),
                     other = rows_of(ctx, s.graph, !pull);
    check_rows(&after, &s);
    check_rows(&other, &s);
    check_edges(&before, &after, &s);
    check_families(ctx, graph, transform, pull, &s);
    if (transform->tree)
        check_tree(ctx, graph, transform, pull, &s);
    else
        check_round(ctx, transform, pull, &s);
    hd_split_free(ctx, &s);
}

static void test_formulas(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = ladder(ctx, HEDDLE_WEIGHT_U32);
    for (size_t i = 0; hd_transform_at(i); i++)
        for (uint32_t K = 1; K <= 30; K += K < 10 ? 1 : 5)
            for (int pull = 0; pull < 2; pull++)
                if (K >= hd_transform_at(i)->least)
                    if (!(pull && K > 10))
                        check_split(ctx, graph, hd_transform_at(i), pull, K);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_same_for_any_threads(void **unused) {
    (void)unused;
    heddle_context *one = support_context(1);
    heddle_graph *graph = ladder(one, HEDDLE_WEIGHT_U32);
    for (int threads = 2; threads <= 5; threads++) {
        heddle_context *more = support_context(threads);
        for (size_t i = 0; hd_transform_at(i); i++)
            for (int pull = 0; pull < 2; pull++) {
                hd_split_result a = split(one, graph, hd_transform_at(i), pull, 3),
                                b = split(more, graph, hd_transform_at(i), pull, 3);
                support_assert_same_graph(one, a.graph, b.graph);
                assert_memory_equal(a.family, b.family, a.added_vertices * sizeof *a.family);
                assert_memory_equal(a.fresh, b.fresh, (a.graph->edges / 64 + 1) * sizeof *a.fresh);
                hd_split_free(one, &a);
                hd_split_free(more, &b);
            }
        heddle_context_destroy(&more);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&one);
}

/* Tigr's Figure 6: degree 5, K = 2 … and the seed moves edges of rings, not of trees. */
static void test_seed(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = ladder(ctx, HEDDLE_WEIGHT_NONE);
    for (size_t i = 0; hd_transform_at(i); i++) {
        hd_split_options options = {.transform = hd_transform_at(i), .K = 4};
        hd_split_result a, b;
        support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &a), HEDDLE_OK);
        options.seed = 99;
        support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &b), HEDDLE_OK);
        bool same = memcmp(a.graph->out.targets, b.graph->out.targets, a.graph->edges * 4) == 0;
        assert_int_equal(same, options.transform->tree);
        hd_split_free(ctx, &a);
        hd_split_free(ctx, &b);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_weights(void **unused) {
    static const struct {
        heddle_weight_type graph;
        hd_split_weights weights;
        double dumb;
        heddle_weight_type type;
        double old, fresh; /* old -1: as the graph's */
    } cases[] = {{HEDDLE_WEIGHT_NONE, HD_SPLIT_AS_IS, 0, HEDDLE_WEIGHT_NONE, 1, 1},
                 {HEDDLE_WEIGHT_NONE, HD_SPLIT_GRAPH, 0, HEDDLE_WEIGHT_U32, 1, 0},
                 {HEDDLE_WEIGHT_F32, HD_SPLIT_STEPS, 0, HEDDLE_WEIGHT_U32, 1, 0},
                 {HEDDLE_WEIGHT_F32, HD_SPLIT_NONE, 0, HEDDLE_WEIGHT_NONE, 1, 1},
                 {HEDDLE_WEIGHT_U32, HD_SPLIT_GRAPH, INFINITY, HEDDLE_WEIGHT_U32, -1, 4294967295.0},
                 {HEDDLE_WEIGHT_I32, HD_SPLIT_GRAPH, INFINITY, HEDDLE_WEIGHT_I32, -1, 2147483647.0},
                 {HEDDLE_WEIGHT_F32, HD_SPLIT_GRAPH, INFINITY, HEDDLE_WEIGHT_F32, -1, (double)FLT_MAX},
                 {HEDDLE_WEIGHT_F32, HD_SPLIT_AS_IS, 0.5, HEDDLE_WEIGHT_F32, -1, 0.5}};
    (void)unused;
    heddle_context *ctx = support_context(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_graph *graph = ladder(ctx, cases[i].graph);
        hd_split_options options = {.transform = &hd_transform_udt,
                                    .K = 4,
                                    .weights = cases[i].weights,
                                    .dumb = cases[i].dumb};
        hd_split_result s;
        support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_OK);
        assert_int_equal(s.graph->weight_type, cases[i].type);
        for (uint64_t k = 0; k < s.graph->edges; k++) {
            double weight = hd_weight_at(s.graph->out.weights, s.graph->weight_type, k);
            if (hd_split_is_fresh(&s, k))
                assert_true(weight == cases[i].fresh);
            else if (cases[i].old >= 0)
                assert_true(weight == cases[i].old);
        }
        hd_split_free(ctx, &s);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

static void test_refused(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = ladder(ctx, HEDDLE_WEIGHT_U32);
    hd_split_options options = {.transform = &hd_transform_udt, .K = 1};
    hd_split_result s;
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "udt needs K of 2 or more");
    options.transform = &hd_transform_rstar;
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_E_REFUSED);
    options = (hd_split_options){.transform = &hd_transform_star, .K = 4, .dumb = 0.5};
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "cannot hold 0.5");
    support_clear_notes();
    options = (hd_split_options){.transform = &hd_transform_star, .K = 2000};
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_OK);
    assert_null(s.graph);
    assert_non_null(strstr(support_last_note(), "nothing to split"));
    hd_split_free(ctx, &s);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* A graph that claims more out-edges than there are numbers: rows are not looked at before the limit is. */
static void test_too_many_vertices(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    hd_split_options options = {.transform = &hd_transform_star, .K = 1};
    hd_split_result s;
    uint64_t offsets[] = {0, UINT64_C(1) << 33, UINT64_C(1) << 33};
    support_assert_status(ctx, hd_graph_new(ctx, &graph), HEDDLE_OK);
    graph->vertices = 2;
    graph->edges = offsets[2];
    graph->directed = true;
    graph->out.offsets = offsets;
    support_assert_status(ctx, hd_split_graph(ctx, graph, &options, &s), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "more than there are numbers");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_bound(void **unused) {
    /* largest degree, K in Tigr's Table 3 */
    static const uint64_t table[][2] = {{8800, 500},   {15000, 1000},   {11000, 1000},
                                        {33000, 1000}, {278000, 10000}, {698000, 10000}};
    (void)unused;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint64_t K = hd_split_bound(table[i][0]);
        assert_true(K * 2 >= table[i][1] && K <= table[i][1] * 2);
    }
    assert_int_equal(hd_split_bound(0), 10);
    assert_int_equal(hd_split_bound(30), 10);
    for (uint64_t d = 1; d < UINT32_MAX; d = d * 3 / 2 + 1)
        assert_true(hd_split_bound(d) <= hd_split_bound(d * 3 / 2 + 1));
}

static void test_empty(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    hd_split_result s = split(ctx, graph, &hd_transform_udt, false, 0);
    assert_null(s.graph);
    hd_split_free(ctx, &s);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    const int *what = user;
    heddle_graph *graph;
    hd_split_result s;
    hd_split_options options = {.transform = what[0] ? &hd_transform_udt : &hd_transform_circ,
                                .pull = what[1],
                                .K = 4,
                                .weights = HD_SPLIT_GRAPH,
                                .ids = true};
    int64_t from[12] = {0}, to[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1000};
    HD_TRY(heddle_graph_from_edges(ctx, 0, 12, what[1] ? to : from, what[1] ? from : to, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                   &graph));
    heddle_status status = hd_split_graph(ctx, graph, &options, &s);
    if (status == HEDDLE_OK) {
        assert_int_equal(heddle_graph_id(s.graph, 12), 1000);
        assert_int_equal(heddle_graph_id(s.graph, 13), 1001);
        hd_split_free(ctx, &s);
    }
    heddle_graph_destroy(&graph);
    return status;
}

static void test_every_failure(void **unused) {
    (void)unused;
    for (int udt = 0; udt < 2; udt++)
        for (int pull = 0; pull < 2; pull++) {
            int what[2] = {udt, pull};
            support_try_every_failure(attempt, what);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),      cmocka_unit_test(test_same_for_any_threads),
        cmocka_unit_test(test_seed),          cmocka_unit_test(test_weights),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_too_many_vertices),
        cmocka_unit_test(test_bound),         cmocka_unit_test(test_empty),
        cmocka_unit_test(test_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
