/* test_cc.c - connected components: graphs that hurt against the reference, for 1, 2 and 7 threads. */
#include "structure_cases.h"

static void shapes(void **state) {
    (void)state;
    check_all_structures("cc", WEIGHTS_NONE);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("cc", WEIGHTS_NONE, 3000);
}

static void long_and_wide(void **state) {
    (void)state;
    check_structure_shape("cc", shape_path("long path", support_large(1000000), false), WEIGHTS_NONE);
    check_structure_shape("cc", shape_path("long path backward", support_large(1000000), true), WEIGHTS_NONE);
    check_structure_shape("cc", shape_star("large star", support_large(1000000), false, false), WEIGHTS_NONE);
    check_structure_shape("cc", shape_star("large star inward", support_large(1000000), true, false), WEIGHTS_NONE);
    check_structure_shape("cc", shape_star("large star both ways", 300000, true, true), WEIGHTS_NONE);
    check_structure_shape("cc", shape_grid("grid", 300), WEIGHTS_NONE);
}

/* The sample must not mislead: no component holds half of the vertices, or two hold exactly half each. */
static void no_giant(void **state) {
    (void)state;
    shape two = shape_new("two equal pieces", 20000, 40000);
    for (uint64_t v = 0; v + 2 < 20000; v++)
        shape_edge(&two, v + 2, v); /* even and odd ones */
    check_structure_shape("cc", two, WEIGHTS_NONE);
    check_structure_shape("cc", shape_chain("separate rings", 1, 30000, false), WEIGHTS_NONE);
    shape rings = shape_new("a thousand rings", 30000, 30000);
    for (uint64_t v = 0; v < 30000; v++)
        shape_edge(&rings, v, (v + 1000) % 30000);
    check_structure_shape("cc", rings, WEIGHTS_NONE);
}

/* Directed graphs take another way once their in-edges are there. */
static void with_in_edges(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < STRUCTURES; i++) {
        shape s = structure_at(i);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        heddle_adjacency in;
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
        check_structure(graph, "cc", support_threads(), s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

static void labels_and_figures(void **state) {
    (void)state;
    /* 5 -> 3 -> 7, 2 - 4, 0, 1, 6 */
    int64_t from[] = {5, 3, 2, 6}, to[] = {3, 7, 4, 6};
    uint32_t expected[] = {0, 1, 2, 3, 2, 3, 6, 3};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "cc";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 8, 4, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U32);
    assert_memory_equal(heddle_result_values(result)->data, expected, sizeof expected);
    const heddle_report *report = heddle_result_report(result);
    assert_int_equal(report->figure_count, 2);
    assert_string_equal(report->figures[0].name, "components");
    assert_true(report->figures[0].value == 5);
    assert_string_equal(report->figures[1].name, "largest");
    assert_true(report->figures[1].value == 3);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("cc", shape_random("random", 300, 200, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("cc", shape_random("random", 300, 200, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_and_figures), cmocka_unit_test(shapes),        cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(no_giant),           cmocka_unit_test(with_in_edges), cmocka_unit_test(long_and_wide),
        cmocka_unit_test(out_of_memory),      cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
