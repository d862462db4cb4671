/* test_sswp.c - widths and parents against the reference, for every type of weight, below zero too. */
#include "path_cases.h"

#include <math.h>

static void shapes(void **state) {
    (void)state;
    for (int w = 0; w < SCHEMES; w++)
        check_shapes("sswp", (scheme)w);
}

static void known_widths(void **state) {
    (void)state;
    static const int64_t from[] = {1, 1, 3, 2, 3, 4, 6}, to[] = {2, 3, 2, 4, 4, 5, 1};
    static const uint32_t weights[] = {3, UINT32_MAX, 8, 5, 4, 0, 9};
    static const double widths[] = {INFINITY, 8, UINT32_MAX, 5, 0, -INFINITY};
    static const heddle_vertex parents[] = {UINT32_MAX, 2, 0, 1, 3, UINT32_MAX};
    heddle_context *ctx = support_context(2);
    heddle_vertex source = 0;
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 7, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "sswp";
    options.parents = 1;
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F64);
    for (heddle_vertex v = 0; v < 6; v++)
        if (heddle_result_value(result, v) != widths[v])
            fail_msg("vertex %u has width %g, expected %g", v, heddle_result_value(result, v), widths[v]);
    assert_memory_equal(heddle_result_parents(result), parents, sizeof parents);
    assert_int_equal((int)figure_of(result, "reached"), 5);
    assert_true(figure_of(result, "max") == UINT32_MAX);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void without_weights(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_at(9);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_vertex source = 0;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "sswp";
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (heddle_vertex v = 0; v < 64; v++)
        assert_true(heddle_result_value(result, v) == (v == 0 ? INFINITY : v < 20 ? 1 : -INFINITY));
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void large(void **state) {
    (void)state;
    check_shape("sswp", shape_path("a path of 10^6 vertices", support_large(1000000), false), WEIGHTS_SIGNED);
    check_shape("sswp", shape_star("a large star both ways", 300001, true, true), WEIGHTS_F32);
    check_shape("sswp", shape_random("a large random graph", 30000, 300000, 7, true), WEIGHTS_SIGNED_F32);
    check_shape("sswp", shape_random("a large directed random graph", 30000, 300000, 8, false), WEIGHTS_HUGE);
    check_shape("sswp", shape_skewed("a large skewed graph", 30000, 300000, 9, true), WEIGHTS_U32);
    check_shape("sswp", shape_grid("a large grid", 250), WEIGHTS_U32);
}

static void memory(void **state) {
    (void)state;
    check_out_of_memory("sswp", WEIGHTS_SIGNED);
    check_out_of_memory("sswp", WEIGHTS_NONE);
}

static void cancel(void **state) {
    (void)state;
    check_cancel("sswp", WEIGHTS_U32);
    check_cancel("sswp", WEIGHTS_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes), cmocka_unit_test(known_widths), cmocka_unit_test(without_weights),
        cmocka_unit_test(large),  cmocka_unit_test(memory),       cmocka_unit_test(cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
