/* test_toposort.c - levels, longest paths and cycles: graphs that hurt against the reference; the validator. */
#include "value_cases.h"

/* No cycle: numbers are scattered, and edges follow the order before that. */
static shape shape_dag(const char *name, uint64_t n, uint64_t m, uint64_t seed, uint64_t reach) {
    shape s = shape_new(name, n, m);
    for (uint64_t k = 0; k < m; k++) {
        uint64_t a = case_hash(seed + 2 * k) % (n - 1), b = a + 1 + case_hash(seed + 2 * k + 1) % reach;
        b = b < n ? b : n - 1;
        shape_edge(&s, a * 7919 % n, b * 7919 % n); /* n is no multiple of this prime */
    }
    return s;
}

static void known(void **state) {
    static const int64_t from[] = {3, 3, 1, 1, 0, 3}, to[] = {1, 0, 0, 2, 2, 2};
    static const double levels[] = {2, 1, 3, 0, 0};
    (void)state;
    check_known("toposort", 5, 6, from, to, false, levels);
}

static void shapes(void **state) {
    (void)state;
    check_values("toposort");
}

static void check_dag(shape s, scheme w) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, w);
    char where[200];
    for (int choice = 0; choice < 4; choice++) {
        heddle_run_options options = support_run_options("toposort", "cpu", "auto");
        options.weighted = choice % 2;
        options.parents = choice / 2;
        snprintf(where, sizeof where, "toposort, %s, %s, %d", s.name, scheme_names[w], choice);
        check_structure_options(graph, options, support_threads(), where);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void acyclic(void **state) {
    static const scheme schemes[] = {WEIGHTS_NONE,   WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_ALL_ZERO,  WEIGHTS_HUGE,
                                     WEIGHTS_SIGNED, WEIGHTS_F32, WEIGHTS_MIXED, WEIGHTS_SIGNED_F32};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        check_dag(shape_dag("sparse", 5000, 7000, 1, 5000), schemes[k]);
        check_dag(shape_dag("deep", 3000, 9000, 2, 3), schemes[k]);
        check_dag(shape_dag("small", 8, 12, 3, 8), schemes[k]);
    }
    check_dag(shape_dag("wide", 60000, 200000, 4, 60000), WEIGHTS_NONE);
    check_structure_shape("toposort", shape_path("long path", support_large(400000), false), WEIGHTS_NONE);
}

/* A cycle far behind vertices that lead to it, and before others that it leads to. */
static void cycles(void **state) {
    (void)state;
    for (uint64_t length = 1; length < 40; length = 3 * length) {
        shape s = shape_dag("nearly acyclic", 2000, 3000, length, 40);
        s.from = realloc(s.from, (s.edges + length) * sizeof *s.from);
        s.to = realloc(s.to, (s.edges + length) * sizeof *s.to);
        assert_true(s.from && s.to);
        for (uint64_t k = 0; k < length; k++)
            shape_edge(&s, (1000 + k) * 7919 % 2000, (1000 + (k + 1) % length) * 7919 % 2000);
        check_structure_shape("toposort", s, WEIGHTS_NONE);
    }
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("toposort", WEIGHTS_NONE, 1000);
}

static void wrong_values(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++)
        check_wrong_values("toposort", shape_dag("small", 12, 4 + 2 * seed, 100 * seed, 8));
    check_wrong_values("toposort", shape_path("path", 20, false));
}

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_E_VERIFY);
}

static void wrong_cycles_and_parents(void **state) {
    heddle_context *ctx = support_context(1);
    heddle_run_options options = support_run_options("toposort", "cpu", "auto");
    shape ring = shape_ring("ring", 5), path = shape_path("path", 5, false);
    heddle_graph *graph = case_graph(ctx, &ring, WEIGHTS_NONE);
    heddle_result *result;
    (void)state;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_null(heddle_result_parents(result));
    assert_int_equal(result->forest_edges, 5);
    for (uint64_t k = 0; k < 10; k++) {
        result->forest_ends[k] += 1;
        assert_rejected(ctx, graph, &options, result);
        result->forest_ends[k] -= 1;
    }
    result->forest_edges = 4;
    assert_rejected(ctx, graph, &options, result);
    result->forest_edges = 0;
    assert_rejected(ctx, graph, &options, result);
    result->forest_edges = 5;
    heddle_vertex first = result->forest_ends[0]; /* the cycle begins and ends at a vertex that is not there */
    result->forest_ends[0] = result->forest_ends[9] = 5;
    assert_rejected(ctx, graph, &options, result);
    result->forest_ends[0] = result->forest_ends[9] = first;
    support_assert_verified(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    graph = case_graph(ctx, &path, WEIGHTS_NONE);
    options.parents = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (uint64_t v = 0; v < 5; v++) {
        result->parents[v]++;
        assert_rejected(ctx, graph, &options, result);
        result->parents[v]--;
    }
    support_assert_verified(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&ring);
    shape_free(&path);
}

static void sums_that_overflow(void **state) {
    static const int64_t from[] = {0, 1}, to[] = {1, 2}, weights[] = {INT64_MAX, 1};
    heddle_context *ctx = support_context(1);
    heddle_run_options options = support_run_options("toposort", "cpu", "auto");
    heddle_graph *graph;
    heddle_result *result;
    (void)state;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 3, 2, from, to, weights, HEDDLE_WEIGHT_I64, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_LIMIT);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_E_LIMIT);
    options.algorithm = "degree";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_LIMIT);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_E_LIMIT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("toposort", shape_random("random", 100, 150, 1, false));
    check_no_memory("toposort", shape_dag("acyclic", 100, 150, 1, 100));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("toposort", shape_dag("acyclic", 300, 400, 1, 300));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),         cmocka_unit_test(shapes),
        cmocka_unit_test(acyclic),       cmocka_unit_test(cycles),
        cmocka_unit_test(tiny_graphs),   cmocka_unit_test(wrong_values),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(wrong_cycles_and_parents),
        cmocka_unit_test(cancelled),     cmocka_unit_test(sums_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
