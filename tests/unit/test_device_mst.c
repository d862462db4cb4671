/* test_device_mst.c - the minimum spanning forest by the device's own kernels, and under named plans. */
#include "device_structure.h"

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    check_shapes_on_device("mst", WEIGHTS_NONE, "auto");
    check_shapes_on_device("mst", WEIGHTS_U32, "auto");
    for (scheme w = WEIGHTS_U32 + 1; w < SCHEMES; w++)
        for (int i = 0; i < SHAPES; i++)
            check_shape_on_device("mst", shape_at(i), w, "auto");
}

static void tiny_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    check_tiny_on_device("mst", WEIGHTS_NONE, 100);
    check_tiny_on_device("mst", WEIGHTS_ZEROS, 100);
    check_tiny_on_device("mst", WEIGHTS_SIGNED, 100);
    check_tiny_on_device("mst", WEIGHTS_SIGNED_F32, 100);
}

/* Dense enough that light edges go first; few weights, so that ties decide. */
static void dense(void **unused) {
    (void)unused;
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_HUGE, WEIGHTS_SIGNED_F32};
    skip_without_device();
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        check_shape_on_device("mst", shape_random("dense", 3000, 60000, 1, false), schemes[i], "auto");
        check_shape_on_device("mst", shape_random("dense both ways", 3000, 60000, 2, true), schemes[i], "auto");
        check_shape_on_device("mst", shape_skewed("dense skewed", 5000, 100000, 3, false), schemes[i], "auto");
        check_shape_on_device("mst", shape_skewed("dense skewed both ways", 5000, 100000, 4, true), schemes[i], "auto");
        check_shape_on_device("mst", shape_clique("clique", 300), schemes[i], "auto");
    }
}

/* So few edges that one batch takes all: a lane for a short row, the long ones dealt out. */
static void sparse(void **unused) {
    (void)unused;
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_HUGE, WEIGHTS_SIGNED_F32};
    skip_without_device();
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        check_shape_on_device("mst", shape_random("sparse", 4000, 9000, 1, false), schemes[i], "auto");
        check_shape_on_device("mst", shape_random("sparse both ways", 4000, 9000, 2, true), schemes[i], "auto");
        check_shape_on_device("mst", shape_skewed("sparse skewed", 4000, 9000, 3, false), schemes[i], "auto");
        check_shape_on_device("mst", shape_skewed("sparse skewed both ways", 4000, 9000, 4, true), schemes[i], "auto");
    }
}

/* Arcs weigh differently each way, and so do parallel ones: the lightest counts. */
static void arcs_that_differ(void **unused) {
    (void)unused;
    skip_without_device();
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t n = 2 + case_hash(round) % 40;
        shape s = shape_random("arcs that differ", n, 6 * n, round * 777, false);
        int32_t *weights = malloc(s.edges * sizeof *weights);
        heddle_graph *graph;
        assert_non_null(weights);
        for (uint64_t k = 0; k < s.edges; k++)
            weights[k] = (int32_t)(case_hash(k + round) % (round % 2 ? 4 : 100000)) - (round % 3 ? 2 : 0);
        support_assert_status(device_ctx,
                              heddle_graph_from_edges(device_ctx, s.vertices, s.edges, s.from, s.to, weights,
                                                      round % 3 ? HEDDLE_WEIGHT_I32 : HEDDLE_WEIGHT_U32, NULL, &graph),
                              HEDDLE_OK);
        check_on_device(graph, "mst", "auto", s.name);
        heddle_graph_destroy(&graph);
        free(weights);
        shape_free(&s);
    }
}

static void named_plans(void **unused) {
    (void)unused;
    static const char *const plans[] = {"baseline", "ws", "schedule=edge,offsets=64"};
    skip_without_device();
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        check_shape_on_device("mst", shape_skewed("dense skewed", 3000, 40000, 3, false), WEIGHTS_U32, plans[i]);
        check_shape_on_device("mst", shape_skewed("dense skewed both ways", 3000, 40000, 4, true), WEIGHTS_ZEROS,
                              plans[i]);
    }
}

static void refused_plans(void **unused) {
    (void)unused;
    static const char *const plans[] = {"direction=push", "schedule=edge,worklist=yes"};
    skip_without_device();
    shape s = shape_path("path", 9, false);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        heddle_run_options options;
        heddle_result *result;
        heddle_run_options_init(&options);
        options.algorithm = "mst";
        options.device = device_name;
        options.plan = plans[i];
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_REFUSED);
        support_assert_message(device_ctx, "mst");
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),       cmocka_unit_test(tiny_graphs),      cmocka_unit_test(dense),
        cmocka_unit_test(sparse),       cmocka_unit_test(arcs_that_differ), cmocka_unit_test(named_plans),
        cmocka_unit_test(refused_plans)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
