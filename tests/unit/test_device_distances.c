/* test_device_distances.c - sums of distances by the device's own kernels: the CPU's values and figures. */
#include "device_structure.h"

static const char *const algorithms[] = {"closeness", "harmonic", "eccentricity"};

static void check_with(const heddle_graph *graph, heddle_run_options options, const char *where) {
    heddle_result *expected, *result;
    options.device = "cpu";
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
    options.device = device_name;
    if (heddle_run(device_ctx, graph, &options, &result) != HEDDLE_OK)
        fail_msg("%s, %s: %s", options.algorithm, where, heddle_context_error(device_ctx)->message);
    assert_same_result(result, expected, where);
    assert_same_figures(result, expected, where);
    assert_string_equal(heddle_result_report(result)->schedule, "fast");
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

/* All sources, or a few, in both directions. */
static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[i % 3];
        options.reversed = i % 2;
        options.samples = s.vertices > 100 ? 40 : (uint64_t)(i % 2) * 3;
        check_with(graph, options, s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

static void plans(void **unused) {
    (void)unused;
    skip_without_device();
    shape s = shape_random("random both ways", 120, 300, 3, true);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "harmonic";
    options.device = device_name;
    options.plan = "ws";
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(device_ctx, "use plan auto instead");
    check_on_device(graph, "harmonic", "order=degree", s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(plans)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
