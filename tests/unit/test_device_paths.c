/* test_device_paths.c - sssp and sswp by kernels of their own, against the reference: graphs that hurt, every type of
 * weight, several sources, 64-bit offsets. Skipped where there is no OpenCL device. */
#include "path_cases.h"

#include "algorithm/paths/paths_device.h"
#include "base/memory.h"
#include "device/device.h"

static const char *const device = "opencl:0";
static bool there;

static int look_for_device(void **unused) {
    (void)unused;
    char missing[192] = "";
    there = hd_device_kind_at(1)->discover(missing, sizeof missing) > 0;
    if (!there)
        print_message("skipped: no OpenCL device: %s\n", missing);
    return 0;
}

/* Asserts the reference's values and parents, and the validator's consent. */
static void compare(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                    const char *where) {
    heddle_run_options plain = *options;
    heddle_result *expected, *result;
    plain.device = "cpu";
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &plain, &expected), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    assert_same_result(result, expected, where);
    assert_string_equal(heddle_result_report(result)->schedule, "fast");
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

/* From vertex 0, and from several vertices, one of them twice. */
static void compare_shape(heddle_context *ctx, const char *algorithm, shape s, scheme w, double delta) {
    heddle_graph *graph = case_graph(ctx, &s, w);
    heddle_vertex last = (heddle_vertex)(s.vertices - 1);
    heddle_vertex sources[] = {0, last, (heddle_vertex)(s.vertices / 2), last};
    heddle_run_options options;
    char where[200];
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.parents = 1;
    options.delta = delta;
    options.sources = sources;
    for (uint64_t count = 1; count <= 4; count += 3) {
        snprintf(where, sizeof where, "%s, %s, %s, %d sources", algorithm, s.name, scheme_names[w], (int)count);
        options.source_count = count;
        compare(ctx, graph, &options, where);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void compare_all(const char *algorithm, const scheme *schemes, size_t count) {
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < SHAPES; i++)
            compare_shape(ctx, algorithm, shape_at(i), schemes[k], 0);
    heddle_context_destroy(&ctx);
}

static void distances(void **unused) {
    (void)unused;
    static const scheme all[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_ALL_ONE, WEIGHTS_ALL_ZERO,
                                 WEIGHTS_HUGE, WEIGHTS_I32, WEIGHTS_F32,   WEIGHTS_MIXED,   WEIGHTS_ENORMOUS};
    compare_all("sssp", all, sizeof all / sizeof *all);
}

static void widths(void **unused) {
    (void)unused;
    static const scheme all[] = {WEIGHTS_NONE, WEIGHTS_U32,    WEIGHTS_ZEROS, WEIGHTS_ALL_ZERO,   WEIGHTS_HUGE,
                                 WEIGHTS_I32,  WEIGHTS_SIGNED, WEIGHTS_F32,   WEIGHTS_SIGNED_F32, WEIGHTS_ENORMOUS};
    compare_all("sswp", all, sizeof all / sizeof *all);
}

/* Long rows, many vertices at once, long ways: all roads through the kernels; and any width of the window will do. */
static void larger(void **unused) {
    (void)unused;
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    static const double deltas[] = {0, 1, 1000000};
    for (int i = 0; i < 3; i++) {
        compare_shape(ctx, "sssp", shape_star("large star", 5000, false, true), WEIGHTS_U32, deltas[i]);
        compare_shape(ctx, "sssp", shape_path("long path", 3000, true), WEIGHTS_U32, deltas[i]);
        compare_shape(ctx, "sssp", shape_grid("larger grid", 70), WEIGHTS_ZEROS, deltas[i]);
        compare_shape(ctx, "sssp", shape_skewed("larger skewed", 3000, 60000, 7, true), WEIGHTS_U32, deltas[i]);
        compare_shape(ctx, "sssp", shape_random("larger random", 4000, 50000, 8, true), WEIGHTS_F32, deltas[i]);
    }
    compare_shape(ctx, "sswp", shape_grid("larger grid", 70), WEIGHTS_U32, 0);
    compare_shape(ctx, "sswp", shape_path("long path", 3000, false), WEIGHTS_U32, 0);
    compare_shape(ctx, "sswp", shape_skewed("larger skewed", 3000, 60000, 7, true), WEIGHTS_U32, 0);
    compare_shape(ctx, "sswp", shape_random("larger random", 4000, 50000, 8, true), WEIGHTS_F32, 0);
    heddle_context_destroy(&ctx);
}

static void in_single(void **unused) {
    (void)unused;
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    shape s = shape_random("random both ways", 500, 3000, 3, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_MIXED);
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.device = device;
    options.parents = 1;
    options.precision = HEDDLE_PRECISION_SINGLE;
    compare(ctx, graph, &options, "mixed weights in single");
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* From vertex 0, by weights of 64 bits: `most` times numbers from 0 to 1. */
static void compare_wide(heddle_context *ctx, shape s, heddle_weight_type type, double most) {
    union {
        int64_t whole;
        double real;
    } *weights = malloc(s.edges * sizeof *weights);
    heddle_graph *graph;
    heddle_run_options options;
    heddle_build_options build;
    assert_non_null(weights);
    for (uint64_t k = 0; k < s.edges; k++) {
        double weight = (double)(case_hash(k) >> 11) * 0x1p-53 * most;
        if (type == HEDDLE_WEIGHT_I64)
            weights[k].whole = (int64_t)weight;
        else
            weights[k].real = weight;
    }
    heddle_build_options_init(&build);
    support_assert_status(
        ctx, heddle_graph_from_edges(ctx, s.vertices, s.edges, s.from, s.to, weights, type, &build, &graph), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.device = device;
    options.parents = 1;
    compare(ctx, graph, &options, s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    free(weights);
}

static void wide_weights(void **unused) {
    (void)unused;
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    static const double most[] = {1e-280, 1, 1e12, 1e300};
    for (int i = 0; i < 4; i++) {
        compare_wide(ctx, shape_skewed("skewed, f64", 1000, 20000, 7, true), HEDDLE_WEIGHT_F64, most[i]);
        compare_wide(ctx, shape_grid("a grid, f64", 20), HEDDLE_WEIGHT_F64, most[i]);
    }
    for (int i = 1; i < 4; i++) {
        compare_wide(ctx, shape_skewed("skewed, i64", 1000, 20000, 7, true), HEDDLE_WEIGHT_I64,
                     i < 3 ? most[i] : 0x1p57);
        compare_wide(ctx, shape_grid("a grid, i64", 20), HEDDLE_WEIGHT_I64, i < 3 ? most[i] * 10 : 0x1p55);
    }
    heddle_context_destroy(&ctx);
}

static void wide_offsets(void **unused) {
    (void)unused;
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    shape s = shape_skewed("larger skewed", 3000, 60000, 7, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    heddle_vertex source = 5;
    heddle_run_options options;
    heddle_result *expected, *result;
    hd_paths_setup setup = {.wide_offsets = true, .width = 3};
    uint32_t *labels = malloc(s.vertices * sizeof *labels);
    bool excess;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    options.device = device;
    support_assert_status(ctx, hd_result_new(ctx, "sssp", &result), HEDDLE_OK);
    hd_run run = {.ctx = ctx, .graph = graph, .options = options, .result = result};
    support_assert_status(ctx, hd_paths_run(&run, &setup, labels, &excess), HEDDLE_OK);
    assert_false(excess);
    assert_memory_equal(labels, heddle_result_values(expected)->data, s.vertices * sizeof *labels);
    assert_true(heddle_result_report(result)->edges_walked >= heddle_graph_edges(graph) / 2);
    free(labels);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void cancelled(void **unused) {
    (void)unused;
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    shape s = shape_at(16);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.device = device;
    support_cancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_CANCELLED);
    assert_null(result);
    support_uncancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* On a graph that Graffix has changed, under kernels of its own and under a schedule: new edges change no distance. */
static void graffix(void **unused) {
    (void)unused;
    static const char *const plans[] = {"graffix-divergence,graffix.threshold=0.6",
                                        "graffix-divergence,graffix.threshold=0.6,schedule=thread,debug=yes"};
    if (!there)
        skip();
    heddle_context *ctx = support_context(2);
    shape s = shape_skewed("skewed", 300, 2500, 6, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.device = device;
    options.approximate = 1;
    for (int i = 0; i < 2; i++) {
        options.plan = plans[i];
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        assert_true(figure_of(result, "added_edges") > 0 && !heddle_result_report(result)->approximate);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances),    cmocka_unit_test(widths),
                                       cmocka_unit_test(larger),       cmocka_unit_test(in_single),
                                       cmocka_unit_test(wide_weights), cmocka_unit_test(wide_offsets),
                                       cmocka_unit_test(cancelled),    cmocka_unit_test(graffix)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, look_for_device, NULL);
}
