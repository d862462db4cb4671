/* test_scc.c - strongly connected components: graphs that hurt against Tarjan's algorithm, for 1, 2 and 7 threads. */
#include "structure_cases.h"

static void shapes(void **state) {
    (void)state;
    check_all_structures("scc", WEIGHTS_NONE);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("scc", WEIGHTS_NONE, 3000);
}

/* Any recursion would end here, and any work per round that grows with the vertices would take hours. */
static void long_and_wide(void **state) {
    (void)state;
    check_structure_shape("scc", shape_path("long path", support_large(1000000), false), WEIGHTS_NONE);
    check_structure_shape("scc", shape_path("long path backward", support_large(1000000), true), WEIGHTS_NONE);
    check_structure_shape("scc", shape_ring("long ring", support_large(1000000)), WEIGHTS_NONE);
    check_structure_shape("scc", shape_slope("slope", 500), WEIGHTS_NONE);
    check_structure_shape("scc", shape_torus("torus", 500), WEIGHTS_NONE);
    check_structure_shape("scc", shape_star("large star", support_large(1000000), false, false), WEIGHTS_NONE);
    check_structure_shape("scc", shape_star("large star inward", support_large(1000000), true, false), WEIGHTS_NONE);
}

/* More than enough of them that colours come into play. */
static void many_components(void **state) {
    (void)state;
    check_structure_shape("scc", shape_chain("pairs in a row", 100000, 2, false), WEIGHTS_NONE);
    check_structure_shape("scc", shape_chain("pairs against the numbers", 100000, 2, true), WEIGHTS_NONE);
    check_structure_shape("scc", shape_chain("rings in a row", 20000, 5, false), WEIGHTS_NONE);
    check_structure_shape("scc", shape_chain("large rings in a row", 20, 5000, true), WEIGHTS_NONE);
    shape s = shape_new("random pieces", 100000, 400000); /* of 100 vertices, some arcs between them */
    for (uint64_t k = 0; k < 200000; k++) {
        uint64_t v = case_hash(k) % 100000;
        shape_edge(&s, v, v / 100 * 100 + case_hash(k + 1000000) % 100);
        if (k % 20 == 0)
            shape_edge(&s, v, v + case_hash(k + 2000000) % (100000 - v));
    }
    check_structure_shape("scc", s, WEIGHTS_NONE);
}

/* A hub that leads to everyone and that everyone leads to; and two giants, of which one leads to the other. */
static void giants(void **state) {
    (void)state;
    shape hub = shape_new("hub both ways", 200001, 400000);
    for (uint64_t v = 1; v <= 200000; v++) {
        shape_edge(&hub, 0, v);
        if (v % 3)
            shape_edge(&hub, v, 0);
    }
    check_structure_shape("scc", hub, WEIGHTS_NONE);
    shape late = shape_new("hub with the largest number", 200001, 400000);
    for (uint64_t v = 0; v < 200000; v++) {
        shape_edge(&late, v, 200000);
        if (v % 5 == 0)
            shape_edge(&late, 200000, v);
    }
    check_structure_shape("scc", late, WEIGHTS_NONE);
    shape two = shape_new("two giants", 100000, 500001);
    for (uint64_t k = 0; k < 250000; k++) {
        shape_edge(&two, case_hash(k) % 50000, case_hash(k + 500000) % 50000);
        shape_edge(&two, 50000 + case_hash(k + 1) % 50000, 50000 + case_hash(k + 700000) % 50000);
    }
    shape_edge(&two, 70000, 10);
    check_structure_shape("scc", two, WEIGHTS_NONE);
}

static void loops_and_parallels(void **state) {
    (void)state;
    shape s = shape_new("loops and parallels on a path", 5000, 25000);
    for (uint64_t v = 0; v + 1 < 5000; v++) {
        shape_edge(&s, v, v);
        shape_edge(&s, v, v);
        shape_edge(&s, v, v + 1);
        shape_edge(&s, v, v + 1);
        if (v % 100 == 7)
            shape_edge(&s, v + 1, v);
    }
    check_structure_shape("scc", s, WEIGHTS_NONE);
}

static void labels_and_figures(void **state) {
    (void)state;
    /* 6 -> 4 -> 2 -> 6, 2 -> 5, 5 <-> 1, 0 -> 0, 3 -> 6 */
    int64_t from[] = {6, 4, 2, 2, 5, 1, 0, 3}, to[] = {4, 2, 6, 5, 1, 5, 0, 6};
    uint32_t expected[] = {0, 1, 2, 3, 2, 1, 2};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "scc";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 7, 8, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_memory_equal(heddle_result_values(result)->data, expected, sizeof expected);
    const heddle_report *report = heddle_result_report(result);
    assert_int_equal(report->figure_count, 2);
    assert_string_equal(report->figures[0].name, "components");
    assert_true(report->figures[0].value == 4);
    assert_string_equal(report->figures[1].name, "largest");
    assert_true(report->figures[1].value == 3);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("scc", shape_random("random", 300, 500, 1, false));
    check_no_memory("scc", shape_random("large random", 6000, 12000, 2, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("scc", shape_random("random", 300, 500, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_and_figures),  cmocka_unit_test(shapes),          cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(loops_and_parallels), cmocka_unit_test(many_components), cmocka_unit_test(giants),
        cmocka_unit_test(long_and_wide),       cmocka_unit_test(out_of_memory),   cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
