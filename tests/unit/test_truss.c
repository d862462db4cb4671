/* test_truss.c - truss numbers: known ones, graphs that hurt against the reference, the validator. */
#include "value_cases.h"

/* A clique of 0 to 3, the triangle 3, 4, 5, an edge 5 - 6 in both directions and twice, a loop. */
static const int64_t from[] = {0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 5, 6}, to[] = {1, 2, 3, 2, 3, 3, 4, 5, 3, 6, 5, 6, 6};

static void known(void **state) {
    static const heddle_vertex edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 3, 4, 3, 5, 4, 5, 5, 6};
    static const uint32_t numbers[] = {4, 4, 4, 4, 4, 4, 3, 3, 3, 2};
    heddle_context *ctx = support_context(2);
    heddle_run_options options = support_run_options("truss", "cpu", "auto");
    heddle_graph *graph;
    heddle_result *result;
    (void)state;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 7, 13, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    const heddle_forest *found = heddle_result_forest(result);
    assert_int_equal(found->edges, 10);
    assert_memory_equal(found->ends, edges, sizeof edges);
    assert_memory_equal(found->weights, numbers, sizeof numbers);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void shapes(void **state) {
    (void)state;
    check_values("truss");
}

/* Many levels, rows that are shortened, and steps that all threads share. */
static void dense(void **state) {
    (void)state;
    check_structure_shape("truss", shape_random("dense", 200, 8000, 5, false), WEIGHTS_NONE);
    check_structure_shape("truss", shape_random("sparse", 20000, 80000, 3, false), WEIGHTS_NONE);
    check_structure_shape("truss", shape_grid("grid", 100), WEIGHTS_NONE);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("truss", WEIGHTS_NONE, 1000);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("truss", shape_random("random", 100, 400, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("truss", shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),       cmocka_unit_test(shapes),        cmocka_unit_test(dense),
        cmocka_unit_test(tiny_graphs), cmocka_unit_test(out_of_memory), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
