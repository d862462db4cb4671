/* test_device_coalesce.c - vertices with copies on a device, under every schedule: exact where the copies' values are
 * merged by the program's reduction, the CPU's ranks within rounding, the mean the same every time. */
#include "device_case.h"
#include "path_cases.h"

#include <math.h>

static heddle_result *run(const heddle_graph *graph, const char *algorithm, const char *device, const char *plan) {
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.plan = plan;
    options.approximate = 1;
    if (heddle_run(device_ctx, graph, &options, &result) != HEDDLE_OK)
        fail_msg("%s, plan %s: %s", algorithm, plan, heddle_context_error(device_ctx)->message);
    support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
    assert_true(figure_of(result, "copies") > 0);
    return result;
}

static heddle_graph *sample(scheme w) {
    shape s = shape_skewed("skewed", 300, 2500, 6, false);
    heddle_graph *graph = case_graph(device_ctx, &s, w);
    shape_free(&s);
    return graph;
}

#define COPIES "graffix-coalesce,spare=8,graffix.threshold=0.1,debug=yes,"

static void distances(void **unused) {
    static const char *const plans[] = {COPIES "schedule=thread,direction=pull",
                                        COPIES "schedule=thread,direction=push,sync=strict,confluence.every=3",
                                        COPIES "schedule=wseg,direction=push,confluence.every=2",
                                        COPIES "schedule=vwarp,width=4",
                                        COPIES "schedule=vnode",
                                        COPIES "schedule=edge",
                                        COPIES "schedule=shard",
                                        COPIES "residency=stream,schedule=coo",
                                        COPIES "residency=stream,schedule=edge,confluence.every=3"};
    (void)unused;
    skip_without_device();
    heddle_graph *graph = sample(WEIGHTS_U32);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        heddle_result *result = run(graph, "sssp", device_name, plans[i]);
        assert_false(heddle_result_report(result)->approximate);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
}

static void labels(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = sample(WEIGHTS_U32);
    heddle_result *result = run(graph, "cc", device_name, COPIES "schedule=thread");
    assert_false(heddle_result_report(result)->approximate);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

static void assert_close(const heddle_result *a, const heddle_result *b, const char *where) {
    for (heddle_vertex v = 0; v < heddle_result_values(a)->count; v++) {
        double x = heddle_result_value(a, v), y = heddle_result_value(b, v);
        if (!(fabs(x - y) <= 5e-5 * (1e-3 + y)))
            fail_msg("%s: vertex %d has %.9g, expected %.9g", where, (int)v, x, y);
    }
}

static void ranks(void **unused) {
    static const char *const plans[] = {COPIES "schedule=thread,direction=pull", COPIES "schedule=edge,direction=push",
                                        COPIES "schedule=shard", COPIES "schedule=thread,confluence.every=3"};
    (void)unused;
    skip_without_device();
    heddle_graph *graph = sample(WEIGHTS_NONE);
    heddle_result *expected = run(graph, "pr", "cpu", COPIES "schedule=thread");
    assert_true(heddle_result_report(expected)->approximate && figure_of(expected, "sum") > 0.9999);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        heddle_result *result = run(graph, "pr", device_name, plans[i]);
        assert_close(result, expected, plans[i]);
        heddle_result_destroy(&result);
    }
    heddle_result_destroy(&expected);
    expected = run(graph, "pr", "cpu", COPIES "schedule=thread,confluence.every=0"); /* copies keep their first value */
    heddle_result *result = run(graph, "pr", device_name, COPIES "schedule=thread,confluence.every=0");
    assert_close(result, expected, "at the end");
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
}

static void centralities(void **unused) {
    static const char *const plans[] = {
        "graffix-coalesce,spare=8,graffix.threshold=0.1,schedule=edge",
        "graffix-coalesce,spare=8,graffix.threshold=0.1,schedule=vwarp,width=4",
        "graffix=coalesce+divergence,spare=8,graffix.threshold=0.1+0.5,schedule=thread"};
    (void)unused;
    skip_without_device();
    heddle_graph *graph = sample(WEIGHTS_NONE);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        heddle_result *expected = run(graph, "bc", "cpu", plans[i]), *result = run(graph, "bc", device_name, plans[i]);
        assert_true(heddle_result_report(result)->approximate && figure_of(result, "copies") > 10);
        assert_close(result, expected, plans[i]);
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
}

/* With a worklist nobody corrects a mean. */
static void means(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = sample(WEIGHTS_U32);
    heddle_result *first = run(graph, "sssp", device_name, COPIES "schedule=thread,direction=push,confluence=mean");
    heddle_result *again = run(graph, "sssp", device_name, COPIES "schedule=thread,direction=push,confluence=mean");
    const heddle_report *report = heddle_result_report(first);
    assert_true(report->approximate && report->inaccuracy > 0 && report->inaccuracy < 1);
    assert_same_result(first, again, "mean");
    heddle_result_destroy(&first);
    heddle_result_destroy(&again);
    heddle_graph_destroy(&graph);
}

/* Ranks are the CPU's within rounding. */
static void same_ranks(const heddle_graph *graph, const char *const *plans, int count) {
    heddle_run_options run_options;
    heddle_run_options_init(&run_options);
    run_options.algorithm = "pr";
    run_options.approximate = 1;
    run_options.tolerance = 1e-7;
    heddle_result *expected = NULL, *result;
    for (int i = 0; i <= count; i++) { /* on the CPU first */
        run_options.device = i ? device_name : "cpu";
        run_options.plan = i ? plans[i - 1] : "graffix-latency,graffix.threshold=0.6";
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &run_options, &result), HEDDLE_OK);
        assert_true(figure_of(result, "clusters") > 10 && heddle_result_report(result)->approximate);
        if (expected)
            assert_close(result, expected, run_options.plan);
        if (expected)
            heddle_result_destroy(&result);
        else
            expected = result;
    }
    heddle_result_destroy(&expected);
}

/* bfs under each of the plans, the first on the CPU, too. */
static void same_levels(const heddle_graph *graph, const char *const *plans, int count) {
    heddle_run_options run_options;
    heddle_run_options_init(&run_options);
    run_options.algorithm = "bfs";
    run_options.approximate = 1;
    heddle_result *expected = NULL, *result;
    for (int i = 0; i <= count; i++) { /* on the CPU first */
        run_options.device = i ? device_name : "cpu";
        run_options.plan = plans[i ? i - 1 : 0];
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &run_options, &result), HEDDLE_OK);
        assert_true(figure_of(result, "clusters") > 10 && heddle_result_report(result)->approximate);
        if (expected)
            assert_same_result(result, expected, run_options.plan);
        if (expected)
            heddle_result_destroy(&result);
        else
            expected = result;
    }
    heddle_result_destroy(&expected);
}

/* Clusters that are iterated in shared memory, alone and with other techniques. */
static void clusters(void **unused) {
    static const char *const plans[] = {
        "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=thread,direction=pull",
        "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=vnode",
        "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=shard",
        "graffix-latency,graffix.threshold=0.6,debug=yes,residency=stream,schedule=edge",
        "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=edge"};
    static const char *const sums[] = {"graffix-latency,graffix.threshold=0.6,debug=yes,schedule=thread,direction=pull",
                                       "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=edge,direction=push",
                                       "graffix-latency,graffix.threshold=0.6,debug=yes,schedule=shard"};
    static const char *const combined =
        "graffix=latency+coalesce+divergence,graffix.threshold=0.6+0.1+0.5,spare=4,debug=yes,schedule=vnode";
    heddle_generate_options options;
    heddle_graph *graph;
    (void)unused;
    skip_without_device();
    heddle_generate_options_init(&options);
    options.kind = "smallworld";
    options.scale = 9;
    options.degree = 10;
    options.probability = 0.02;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    same_levels(graph, plans, 5);
    same_ranks(graph, sums, 3);
    same_levels(graph, &combined, 1);
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(labels),
                                       cmocka_unit_test(ranks),     cmocka_unit_test(centralities),
                                       cmocka_unit_test(means),     cmocka_unit_test(clusters)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
