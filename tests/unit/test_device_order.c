/* test_device_order.c - every algorithm on renamed graphs, on a device: what it gives without an order. */
#include "device_case.h"
#include "order_cases.h"

static void orders_on_a_device(void **state) {
    static const char *const exact[] = {"bfs", "sssp", "sswp", "cc", "scc"}, *const near[] = {"pr", "bc"};
    static const int shapes[] = {2, 9, 16};
    (void)state;
    skip_without_device();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        shape s = shape_at(shapes[i]);
        heddle_graph *graph = case_graph(device_ctx, &s, i % 2 ? WEIGHTS_F32 : WEIGHTS_U32);
        for (size_t a = 0; a < sizeof exact / sizeof *exact; a++) {
            heddle_run_options options = support_run_options(exact[a], device_name, order_plans[(a + i) % ORDER_PLANS]);
            check_order_exact(device_ctx, graph, &options, exact[a]);
        }
        for (size_t a = 0; a < sizeof near / sizeof *near; a++) {
            heddle_run_options options = support_run_options(near[a], device_name, order_plans[(a + i) % ORDER_PLANS]);
            options.samples = a ? 5 : 0;
            check_order_near(device_ctx, graph, &options, 1e-5, near[a]);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* With a schedule, offsets or shards in the same plan. */
static void orders_with_a_schedule(void **state) {
    static const char *const plans[] = {"ws,order=degree", "cusha-cw,order=bfs", "tigr-udt,order=bfs,K=3"};
    (void)state;
    skip_without_device();
    shape s = shape_at(15);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_U32);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        heddle_run_options options = support_run_options("sssp", device_name, plans[i]);
        check_order_exact(device_ctx, graph, &options, plans[i]);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* The renamed graph stays on the device beside the graph itself. */
static void orders_stay_on_the_device(void **state) {
    (void)state;
    skip_without_device();
    shape s = shape_at(13);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    for (int turn = 0; turn < 3; turn++) {
        heddle_run_options options = support_run_options("cc", device_name, turn == 1 ? "auto" : "order=degree");
        heddle_result *result;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        assert_int_equal(heddle_result_report(result)->transforming > 0, turn == 0);
        assert_string_equal(heddle_result_report(result)->transform, turn == 1 ? "none" : "order-degree");
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_on_a_device),
        cmocka_unit_test(orders_with_a_schedule),
        cmocka_unit_test(orders_stay_on_the_device),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
