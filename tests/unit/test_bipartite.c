/* test_bipartite.c - sides and odd cycles: graphs that hurt against the reference; the validator. */
#include "value_cases.h"

/* Edges between two halves of the numbers, in either direction, and with `odd` one inside of a half. */
static shape shape_sides(const char *name, uint64_t n, uint64_t m, uint64_t seed, bool odd) {
    shape s = shape_new(name, n, m + 1);
    for (uint64_t k = 0; k < m; k++) {
        uint64_t left = case_hash(seed + 2 * k) % (n / 2), right = n / 2 + case_hash(seed + 2 * k + 1) % (n / 2);
        shape_edge(&s, k % 2 ? left : right, k % 2 ? right : left);
    }
    if (odd)
        shape_edge(&s, n / 2 - 1, 0);
    return s;
}

static shape shape_odd_ring(uint64_t n) {
    shape s = shape_new("odd ring", n, n);
    for (uint64_t v = 0; v < n; v++)
        shape_edge(&s, v % 2 ? v : (v + 1) % n, v % 2 ? (v + 1) % n : v);
    return s;
}

static void known(void **state) {
    static const int64_t from[] = {0, 2, 2, 4, 6}, to[] = {1, 1, 3, 5, 5};
    static const double sides[] = {0, 1, 0, 1, 0, 1, 0, 0};
    (void)state;
    check_known("bipartite", 8, 5, from, to, false, sides);
    check_known("bipartite", 8, 5, from, to, true, sides);
}

static void shapes(void **state) {
    (void)state;
    check_values("bipartite");
}

static void both_answers(void **state) {
    (void)state;
    for (int odd = 0; odd < 2; odd++) {
        check_structure_shape("bipartite", shape_sides("sparse sides", 40000, 60000, 1, odd), WEIGHTS_NONE);
        check_structure_shape("bipartite", shape_sides("dense sides", 4000, 100000, 2, odd), WEIGHTS_NONE);
        check_structure_shape("bipartite", shape_sides("small sides", 20, 40, 3, odd), WEIGHTS_NONE);
    }
    check_structure_shape("bipartite", shape_odd_ring(support_large(200001) | 1), WEIGHTS_NONE);
    check_structure_shape("bipartite", shape_path("long path", support_large(400000), false), WEIGHTS_NONE);
    check_structure_shape("bipartite", shape_grid("grid", 300), WEIGHTS_NONE);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("bipartite", WEIGHTS_NONE, 1000);
}

static void wrong_values(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++)
        check_wrong_values("bipartite", shape_sides("sides", 12, 4 + 2 * seed, 100 * seed, false));
    check_wrong_values("bipartite", shape_path("path", 20, false));
}

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, heddle_result *result) {
    heddle_run_options options = support_run_options("bipartite", "cpu", "auto");
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
}

static void wrong_cycles(void **state) {
    heddle_context *ctx = support_context(1);
    heddle_run_options options = support_run_options("bipartite", "cpu", "auto");
    shape s = shape_odd_ring(7);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result;
    (void)state;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(result->forest_edges, 7);
    assert_int_equal(heddle_result_values(result)->count, 0);
    for (uint64_t k = 0; k < 14; k++) {
        heddle_vertex right = result->forest_ends[k];
        for (heddle_vertex v = 0; v < 9; v++) {
            result->forest_ends[k] = v;
            if (v != right)
                assert_rejected(ctx, graph, result);
        }
        result->forest_ends[k] = right;
    }
    result->forest_edges = 6;
    assert_rejected(ctx, graph, result);
    result->forest_edges = 7;
    support_assert_verified(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("bipartite", shape_random("random", 100, 150, 1, false));
    check_no_memory("bipartite", shape_sides("sides", 100, 150, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("bipartite", shape_sides("sides", 300, 400, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),         cmocka_unit_test(shapes),       cmocka_unit_test(both_answers),
        cmocka_unit_test(tiny_graphs),   cmocka_unit_test(wrong_values), cmocka_unit_test(wrong_cycles),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
