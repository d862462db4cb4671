/* test_claims.c - files with right checksums that say what is not true of their rows: it is found before its use. */
#include "context_case.h"

#include "base/random.h"
#include "graph/claims.h"
#include "graph/graph.h"
#include "graph/order.h"
#include "graph/transpose_check.h"
#include "io/hdl.h"

#include <stdlib.h>

enum { MOST = 1 << 16 };

/* Arcs, and the directed graph of them. */
typedef struct arcs {
    uint64_t count;
    int64_t from[MOST], to[MOST];
    uint32_t weight[MOST];
} arcs;

static void add(arcs *a, uint64_t from, uint64_t to, uint32_t weight) {
    assert_true(a->count < MOST);
    a->from[a->count] = (int64_t)from;
    a->to[a->count] = (int64_t)to;
    a->weight[a->count++] = weight;
}

static heddle_graph *graph_of(const arcs *a, uint64_t vertices, heddle_weight_type type) {
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, vertices, a->count, a->from, a->to,
                                                  type == HEDDLE_WEIGHT_NONE ? NULL : a->weight, type, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

/* The file of the graph, as it is: nobody doubts one that was built. */
static const char *forge(heddle_graph **graph, const char *name, const char *order, bool in_edges) {
    const char *path = support_temp_path(name);
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.in_edges = in_edges;
    options.order = order;
    options.lossy = 1;
    support_assert_status(ctx, heddle_graph_save(ctx, *graph, path, &options), HEDDLE_OK);
    heddle_graph_destroy(graph);
    return path;
}

static heddle_status run_on(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_result *result;
    options.parents = 0;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

/* ---- One-way triangles ------------------------------------------------------------------------------------------ */

/* A hundred light triangles with arcs one way round, joined by heavy arcs both ways: every vertex has a lightest edge
 * of its own, and the joining ones come on top of as many edges as there are vertices. */
static heddle_graph *triangles(void) {
    arcs *a = calloc(1, sizeof *a);
    assert_non_null(a);
    for (uint64_t t = 0; t < 100; t++) {
        for (uint64_t k = 0; k < 3; k++)
            add(a, 3 * t + k, 3 * t + (k + 1) % 3, 1);
        for (uint64_t way = 0; way < 2; way++)
            add(a, 3 * ((t + way) % 100), 3 * ((t + 1 - way) % 100), 1000);
    }
    heddle_graph *graph = graph_of(a, 300, HEDDLE_WEIGHT_U32);
    graph->directed = false;
    free(a);
    return graph;
}

static void undirected_it_is_not(void **state) {
    static const char *const rely[] = {"bridges", "articulation", "biconnected", "mst",          "bfs",         "cc",
                                       "scc",     "pr",           "bc",          "tc",           "lcc",         "kcore",
                                       "cdlp",    "closeness",    "harmonic",    "eccentricity", "eigenvector", "katz",
                                       "hits",    "hs",           "cs",          "nn",           "truss"};
    static const char *const do_not[] = {"sssp", "sswp"};
    heddle_graph *graph = triangles();
    (void)state;
    const char *path = forge(&graph, "triangles.hdl", NULL, false);
    for (size_t i = 0; i < sizeof rely / sizeof *rely; i++) {
        graph = load_file(path);
        for (int twice = 0; twice < 2; twice++) { /* the answer stays the same */
            support_assert_status(ctx, run_on(graph, rely[i], "auto"), HEDDLE_E_FORMAT);
            support_assert_message(ctx, "the file says it is undirected, but the edge 0 -> 1 lacks its reverse");
            support_assert_message(ctx, "triangles.hdl");
        }
        heddle_graph_destroy(&graph);
    }
    graph = load_file(path);
    for (size_t i = 0; i < sizeof do_not / sizeof *do_not; i++)
        support_assert_status(ctx, run_on(graph, do_not[i], "auto"), HEDDLE_OK);
    support_assert_status(ctx, run_on(graph, "sssp", "order=degree"), HEDDLE_E_FORMAT);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("copy.mtx"), NULL), HEDDLE_E_FORMAT);
    heddle_graph_destroy(&graph);
    heddle_load_options load;
    heddle_load_options_init(&load);
    load.build.drop_loops = 1;
    support_assert_status(ctx, heddle_graph_load(ctx, path, &load, &graph), HEDDLE_E_FORMAT);
    assert_null(graph);
}

static void serialized_ones(void **state) {
    heddle_graph *graph = triangles();
    heddle_load_options load;
    (void)state;
    const char *path = forge(&graph, "triangles.wsg", NULL, false);
    heddle_load_options_init(&load);
    for (int changed = 0; changed < 2; changed++) {
        load.build.drop_loops = changed;
        support_assert_status(ctx, heddle_graph_load(ctx, path, &load, &graph), HEDDLE_E_FORMAT);
        support_assert_message(ctx, "the edge 0 -> 1 lacks its reverse");
        assert_null(graph);
    }
}

/* ---- Weights ---------------------------------------------------------------------------------------------------- */

static void weights_that_differ(void **state) {
    arcs *a = calloc(1, sizeof *a);
    (void)state;
    assert_non_null(a);
    add(a, 0, 1, 5), add(a, 1, 0, 5), add(a, 1, 2, 7), add(a, 2, 1, 8);
    heddle_graph *graph = graph_of(a, 3, HEDDLE_WEIGHT_U32);
    graph->directed = false;
    const char *path = forge(&graph, "weights.hdl", NULL, false);
    graph = load_file(path);
    support_assert_status(ctx, run_on(graph, "bfs", "auto"), HEDDLE_OK); /* does not look at them */
    support_assert_status(ctx, run_on(graph, "mst", "auto"), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "the edge 1 -> 2 and its reverse have different weights");
    heddle_graph_destroy(&graph);
    free(a);
}

/* The same weights between the same two, listed in another order at each end, few and many. */
static void parallel_edges(void **state) {
    (void)state;
    for (uint32_t count = 2; count <= 200; count *= 10)
        for (uint32_t wrong = 0; wrong < 2; wrong++) {
            arcs *a = calloc(1, sizeof *a);
            assert_non_null(a);
            for (uint32_t k = 0; k < count; k++)
                add(a, 0, 1, k), add(a, 1, 0, count - 1 - k + (k == 0 ? wrong : 0)), add(a, 0, 0, k);
            heddle_graph *graph = graph_of(a, 2, HEDDLE_WEIGHT_U32);
            graph->directed = false;
            graph = load_file(forge(&graph, "parallel.hdl", NULL, false));
            support_assert_status(ctx, run_on(graph, "mst", "auto"), wrong ? HEDDLE_E_FORMAT : HEDDLE_OK);
            heddle_graph_destroy(&graph);
            free(a);
        }
}

/* ---- In-edges and orders ---------------------------------------------------------------------------------------- */

static heddle_graph *path_of(uint64_t vertices) {
    arcs *a = calloc(1, sizeof *a);
    assert_non_null(a);
    for (uint64_t v = 0; v < vertices; v++)
        add(a, v, (v + 1) % vertices, (uint32_t)v), add(a, v, (v + 2) % vertices, 1);
    heddle_graph *graph = graph_of(a, vertices, HEDDLE_WEIGHT_U32);
    free(a);
    return graph;
}

static void in_edges_of_another_graph(void **state) {
    (void)state;
    for (int weight = 0; weight < 2; weight++) {
        heddle_graph *graph = path_of(50);
        heddle_adjacency in;
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
        if (weight)
            ((uint32_t *)graph->in.weights)[9] = 77;
        else
            graph->in.targets[2 * 20] = 11; /* 18 -> 20 and 19 -> 20: now 11 -> 20 */
        graph = load_file(forge(&graph, "in.hdl", NULL, true));
        support_assert_status(ctx, run_on(graph, "bfs", "auto"), weight ? HEDDLE_OK : HEDDLE_E_FORMAT);
        if (!weight)
            support_assert_message(ctx, "the in-edges do not match the out-edges: 18 -> 20 is not there as often among "
                                        "the in-edges");
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_E_FORMAT);
        if (weight)
            support_assert_message(ctx, "has another weight there");
        heddle_graph_destroy(&graph);
    }
}

static void orders_of_another_graph(void **state) {
    (void)state;
    for (int weight = 0; weight < 2; weight++) {
        heddle_graph *graph = path_of(50), *renamed;
        support_assert_status(ctx, hd_order_graph(ctx, graph, &hd_order_bfs, &renamed), HEDDLE_OK);
        uint64_t row = renamed->out.offsets[30];
        if (weight)
            ((uint32_t *)renamed->out.weights)[row] += 1;
        else
            renamed->out.targets[row] = renamed->out.targets[row] ? 0 : 1;
        graph->renamed[hd_order_bfs.number - 1] = renamed;
        graph = load_file(forge(&graph, "order.hdl", "bfs", false));
        support_assert_status(ctx, run_on(graph, "bfs", "order=bfs"), weight ? HEDDLE_OK : HEDDLE_E_FORMAT);
        if (!weight)
            support_assert_message(ctx, "an order that the file holds has other edges than the graph");
        support_assert_status(ctx, run_on(graph, "sssp", "order=bfs"), HEDDLE_E_FORMAT);
        support_assert_status(ctx, run_on(graph, "bfs", "order=none"), HEDDLE_OK);
        heddle_graph_destroy(&graph);
    }
}

/* ---- The walk itself -------------------------------------------------------------------------------------------- */

/* Random arcs among few vertices, so that many are parallel; each with its reverse. */
static arcs *mirrored(uint64_t vertices, uint64_t edges, uint64_t seed) {
    arcs *a = calloc(1, sizeof *a);
    assert_non_null(a);
    for (uint64_t k = 0; k < edges; k++) {
        uint64_t u = hd_below(hd_random(seed, 3 * k), vertices), v = hd_below(hd_random(seed, 3 * k + 1), vertices);
        uint32_t weight = (uint32_t)(hd_random(seed, 3 * k + 2) >> 62);
        add(a, u, v, weight);
        if (u != v)
            add(a, v, u, weight);
    }
    return a;
}

static bool is_transpose(const heddle_graph *graph, const hd_csr *in, heddle_weight_type type, int threads) {
    heddle_context *other = support_context(threads);
    hd_transpose_fault fault;
    support_assert_status(other, hd_transpose_check(other, graph->vertices, &graph->out, in, type, &fault), HEDDLE_OK);
    heddle_context_destroy(&other);
    return !fault.found;
}

static bool is_undirected(const arcs *a, uint64_t vertices, heddle_weight_type type, int threads) {
    heddle_graph *graph = graph_of(a, vertices, HEDDLE_WEIGHT_U32);
    bool is = is_transpose(graph, &graph->out, type, threads);
    heddle_graph_destroy(&graph);
    return is;
}

static void every_slip_is_found(void **state) {
    static const int threads[] = {1, 2, 7};
    uint64_t sizes[][2] = {{3, 4}, {10, 30}, {40, 100}, {300, 20000}, {20000, 20000}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t k = 0; k < (sizes[i][1] < 1000 ? 60 : 6); k++) {
            uint64_t n = sizes[i][0];
            arcs *a = mirrored(n, sizes[i][1], k);
            int t = threads[k % 3];
            uint64_t at = hd_below(hd_random(k, 1), a->count), to = hd_below(hd_random(k, 2), n);
            assert_true(is_undirected(a, n, HEDDLE_WEIGHT_U32, t));
            a->weight[at] += 4;
            assert_true(is_undirected(a, n, HEDDLE_WEIGHT_NONE, t));
            assert_int_equal(is_undirected(a, n, HEDDLE_WEIGHT_U32, t), a->from[at] == a->to[at]);
            a->weight[at] -= 4;
            bool same = a->to[at] == (int64_t)to;
            a->to[at] = (int64_t)to;
            assert_int_equal(is_undirected(a, n, HEDDLE_WEIGHT_NONE, t), same);
            free(a);
        }
}

static void in_edges_match(void **state) {
    uint64_t sizes[][2] = {{5, 20}, {300, 20000}, {30000, 20000}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int threads = 1; threads <= 3; threads++) {
            arcs *a = mirrored(sizes[i][0], sizes[i][1], 5);
            for (uint64_t k = 0; k < a->count; k += 3)
                a->to[k] = a->to[0]; /* no longer */
            heddle_graph *graph = graph_of(a, sizes[i][0], HEDDLE_WEIGHT_U32);
            heddle_adjacency in;
            support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
            assert_true(is_transpose(graph, &graph->in, HEDDLE_WEIGHT_U32, threads));
            ((uint32_t *)graph->in.weights)[a->count / 2] += 4;
            assert_true(is_transpose(graph, &graph->in, HEDDLE_WEIGHT_NONE, threads));
            assert_false(is_transpose(graph, &graph->in, HEDDLE_WEIGHT_U32, threads));
            uint64_t v = (uint64_t)a->to[0], last = graph->in.offsets[v + 1] - 1;
            while (graph->in.targets[last] == sizes[i][0] - 1)
                last--;
            graph->in.targets[last] = (uint32_t)sizes[i][0] - 1;
            assert_false(is_transpose(graph, &graph->in, HEDDLE_WEIGHT_NONE, threads));
            heddle_graph_destroy(&graph);
            free(a);
        }
}

static void empty_graphs(void **state) {
    arcs *a = calloc(1, sizeof *a);
    (void)state;
    assert_non_null(a);
    assert_true(is_undirected(a, 1, HEDDLE_WEIGHT_U32, 1));
    assert_true(is_undirected(a, 7, HEDDLE_WEIGHT_NONE, 2));
    free(a);
}

static void can_be_cancelled(void **state) {
    arcs *a = mirrored(1000, 30000, 1);
    heddle_graph *graph = graph_of(a, 1000, HEDDLE_WEIGHT_U32);
    heddle_context *other = support_context(2);
    hd_transpose_fault fault;
    (void)state;
    support_cancel(other);
    support_assert_status(other, hd_transpose_check(other, 1000, &graph->out, &graph->out, HEDDLE_WEIGHT_U32, &fault),
                          HEDDLE_E_CANCELLED);
    heddle_context_destroy(&other);
    heddle_graph_destroy(&graph);
    free(a);
}

static heddle_status attempt(heddle_context *other, void *path) { return support_load_and_run(other, path, "mst"); }

static void memory_runs_out(void **state) {
    arcs *a = calloc(1, sizeof *a);
    (void)state;
    assert_non_null(a);
    for (uint32_t k = 0; k < 40; k++)
        add(a, 0, 1, k), add(a, 1, 0, 39 - k);
    heddle_graph *graph = graph_of(a, 2, HEDDLE_WEIGHT_U32);
    graph->directed = false;
    support_try_every_failure(attempt, (void *)(uintptr_t)forge(&graph, "memory.hdl", NULL, false));
    free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undirected_it_is_not),
        cmocka_unit_test(serialized_ones),
        cmocka_unit_test(weights_that_differ),
        cmocka_unit_test(parallel_edges),
        cmocka_unit_test(in_edges_of_another_graph),
        cmocka_unit_test(orders_of_another_graph),
        cmocka_unit_test(every_slip_is_found),
        cmocka_unit_test(in_edges_match),
        cmocka_unit_test(empty_graphs),
        cmocka_unit_test(can_be_cancelled),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
