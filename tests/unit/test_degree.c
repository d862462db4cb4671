/* test_degree.c - degrees and strengths: graphs that hurt against the reference; the validator. */
#include "value_cases.h"

static void check_degrees(shape s, scheme w) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, w);
    char where[200];
    for (int choice = 0; choice < 6; choice++) {
        heddle_run_options options = support_run_options("degree", "cpu", "auto");
        options.direction = (heddle_edge_direction)(choice / 2);
        options.weighted = choice % 2;
        snprintf(where, sizeof where, "degree, %s, %s, %d", s.name, scheme_names[w], choice);
        check_structure_options(graph, options, support_threads(), where);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void known(void **state) {
    /* an edge twice, and a loop, which has two ends */
    static const int64_t from[] = {0, 0, 1, 2, 2}, to[] = {1, 1, 2, 2, 0};
    static const double both[] = {3, 3, 4, 0}, undirected[] = {3, 3, 4, 0};
    (void)state;
    check_known("degree", 4, 5, from, to, false, both);
    check_known("degree", 4, 5, from, to, true, undirected);
}

static void shapes(void **state) {
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32,   WEIGHTS_HUGE,      WEIGHTS_SIGNED,
                                     WEIGHTS_F32,  WEIGHTS_MIXED, WEIGHTS_SIGNED_F32};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        for (int i = 0; i < SHAPES; i++)
            check_degrees(shape_at(i), schemes[k]);
        check_degrees(shape_skewed("skewed", 4000, 40000, 3, false), schemes[k]);
        check_degrees(shape_skewed("skewed both ways", 4000, 40000, 4, true), schemes[k]);
    }
    check_degrees(shape_random("large", 100000, 400000, 3, false), WEIGHTS_F32);
}

static void wrong_values(void **state) {
    (void)state;
    check_wrong_values_of("degree");
}

static void wrong_options(void **state) {
    heddle_context *ctx = support_context(1);
    shape s = shape_ring("ring", 5);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = support_run_options("degree", "cpu", "auto");
    heddle_result *result;
    (void)state;
    options.direction = (heddle_edge_direction)3;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "direction");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("degree", shape_random("random", 100, 150, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("degree", shape_random("random", 300, 400, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),         cmocka_unit_test(shapes),        cmocka_unit_test(wrong_values),
        cmocka_unit_test(wrong_options), cmocka_unit_test(out_of_memory), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
