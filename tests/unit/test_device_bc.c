/* test_device_bc.c - betweenness by the device's own kernels and under named plans, against the reference; path counts
 * beyond the range of double; what is refused. */
#include "device_case.h"
#include "path_cases.h"

#include "algorithm/bc/bc_device.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Of the CPU's own code, whose values are exact enough where counts fit and where they do not. */
static heddle_result *expected_of(const heddle_graph *graph, heddle_run_options options) {
    heddle_result *expected;
    options.device = NULL;
    options.plan = NULL;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
    return expected;
}

static void assert_close(const heddle_result *result, const heddle_result *expected, const char *where) {
    uint64_t n = heddle_result_values(expected)->count;
    double slack = heddle_result_values(expected)->type == HEDDLE_VALUE_F32 ? 1e-6 : 1e-11;
    assert_int_equal(heddle_result_values(result)->count, n);
    assert_int_equal(heddle_result_values(result)->type, heddle_result_values(expected)->type);
    for (uint64_t v = 0; v < n; v++) {
        double a = heddle_result_value(result, (heddle_vertex)v), b = heddle_result_value(expected, (heddle_vertex)v);
        if (!(fabs(a - b) <= slack * (1 + fabs(b))))
            fail_msg("%s: vertex %lu has %.17g, expected %.17g", where, (unsigned long)v, a, b);
    }
}

static void check_run(const heddle_graph *graph, const heddle_run_options *given, hd_bfs_manner manner,
                      const heddle_result *expected, const char *where) {
    heddle_result *result;
    support_assert_status(device_ctx, hd_result_new(device_ctx, "bc", &result), HEDDLE_OK);
    hd_run run = {.ctx = device_ctx, .graph = graph, .options = *given, .result = result};
    run.executor = &(hd_executor){HD_ON_DEVICE, .scheduled = false};
    run.options.device = device_name;
    if (hd_bc_on_device(&run, manner) != HEDDLE_OK)
        fail_msg("%s: %s", where, heddle_context_error(device_ctx)->message);
    hd_result_show(result);
    assert_close(result, expected, where);
    assert_true(figure_of(result, "sources") == figure_of(expected, "sources"));
    heddle_result_destroy(&result);
}

/* From all or some sources, in both manners. */
static void check_graph(const heddle_graph *graph, uint64_t sources, const char *plan, const char *where) {
    heddle_run_options options;
    uint64_t n = heddle_graph_vertices(graph);
    heddle_vertex list[3] = {0, n ? (heddle_vertex)(n - 1) : 0, n ? (heddle_vertex)(n / 3) : 0};
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.plan = plan;
    if (sources && n) {
        options.sources = list;
        options.source_count = sources;
    }
    heddle_result *expected = expected_of(graph, options);
    check_run(graph, &options, HD_BFS_AUTO, expected, where);
    if (!plan)
        check_run(graph, &options, HD_BFS_LEVELS, expected, where);
    heddle_result_destroy(&expected);
}

static void check_shape_here(shape s, uint64_t sources, const char *plan) {
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    char where[200];
    snprintf(where, sizeof where, "%s, plan %s", s.name, plan ? plan : "auto");
    check_graph(graph, sources, plan, where);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < SHAPES; i++)
        check_shape_here(shape_at(i), 3, NULL);
    check_shape_here(shape_new("no edges", 40, 0), 0, NULL);
    check_shape_here(shape_new("no vertices", 0, 0), 0, NULL);
}

static void all_sources(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_here(shape_random("random", 60, 150, 3, false), 0, NULL);
    check_shape_here(shape_random("random both ways", 60, 150, 4, true), 0, NULL);
}

/* More sources than go at once, one of them often. */
static void many_sources(void **unused) {
    (void)unused;
    skip_without_device();
    enum { SOURCES = 37 };
    shape all[] = {shape_skewed("skewed", 3000, 30000, 7, false),
                   shape_skewed("skewed both ways", 3000, 20000, 8, true), shape_rings("rings"),
                   shape_star("star", 1500, false, true)};
    heddle_vertex sources[SOURCES];
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.sources = sources;
    options.source_count = SOURCES;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        heddle_graph *graph = case_graph(device_ctx, &all[i], WEIGHTS_NONE);
        for (uint64_t k = 0; k < SOURCES; k++)
            sources[k] = (heddle_vertex)(k % 4 == 1 ? 0 : case_hash(k) % heddle_graph_vertices(graph));
        heddle_result *expected = expected_of(graph, options), *result;
        check_run(graph, &options, HD_BFS_AUTO, expected, all[i].name);
        options.device = device_name;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        assert_int_equal((int)figure_of(result, "batch"), 32);
        options.device = NULL;
        heddle_result_destroy(&result);
        heddle_result_destroy(&expected);
        heddle_graph_destroy(&graph);
        shape_free(&all[i]);
    }
}

/* Hubs whose rows are cut, and rows of all lengths. */
static void long_rows(void **unused) {
    (void)unused;
    skip_without_device();
    enum { LEAVES = 3000 };
    shape twins = shape_new("two hubs with the same leaves", LEAVES + 4, 4 * LEAVES + 10);
    for (uint64_t v = 0; v < LEAVES; v++) {
        shape_edge(&twins, LEAVES, v);
        shape_edge(&twins, LEAVES, v); /* parallel */
        shape_edge(&twins, v, LEAVES + 1);
        if (v % 3)
            shape_edge(&twins, v, LEAVES + 2);
    }
    shape_edge(&twins, LEAVES + 1, LEAVES + 3);
    shape_edge(&twins, LEAVES + 2, LEAVES + 3);
    shape_edge(&twins, LEAVES + 3, LEAVES);
    check_shape_here(twins, 3, NULL);
    check_shape_here(shape_skewed("skewed", 8000, 80000, 7, false), 3, NULL);
    check_shape_here(shape_skewed("skewed both ways", 8000, 80000, 8, true), 3, NULL);
    check_shape_here(shape_star("star", 3000, false, true), 2, NULL);
    check_shape_here(shape_clique("clique", 150), 2, NULL);
}

/* Levels that grow quickly: those above push their path counts. Parallel edges, rows that a warp takes, rows that are
 * cut. */
static void growing_levels(void **unused) {
    (void)unused;
    skip_without_device();
    enum { BRANCHES = 40, LEAVES = 1500, BEHIND = 20 };
    shape s = shape_new("branches that share leaves", 1 + BRANCHES + 2 * LEAVES, (BRANCHES + BEHIND) * LEAVES);
    for (uint64_t b = 1; b <= BRANCHES; b++) {
        uint64_t count = b % 8 == 0 ? LEAVES : b % 3 == 0 ? 100 : 20;
        shape_edge(&s, 0, b);
        for (uint64_t k = 0; k < count; k++)
            shape_edge(&s, b, 1 + BRANCHES + case_hash(b * LEAVES + k) % LEAVES);
    }
    for (uint64_t k = 0; k < BEHIND * LEAVES; k++)
        shape_edge(&s, 1 + BRANCHES + k / BEHIND, 1 + BRANCHES + LEAVES + case_hash(k) % LEAVES);
    check_shape_here(s, 1, NULL);
    check_shape_here(shape_random("random", 3000, 24000, 3, false), 3, NULL);
    check_shape_here(shape_random("random both ways", 3000, 24000, 4, true), 3, NULL);
}

/* A chain of diamonds doubles the number of paths at each: 2^1030 in the end, more than a double holds. From one end
 * and in one manner each: thousands of levels take long where kernels are not optimised. */
static void many_paths(void **unused) {
    (void)unused;
    skip_without_device();
    enum { STAGES = 1030 };
    static const hd_bfs_manner manners[] = {HD_BFS_AUTO, HD_BFS_LEVELS};
    heddle_vertex end = 0;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.sources = &end;
    options.source_count = 1;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        shape s = shape_new("diamonds", 3 * STAGES + 1, 4 * STAGES);
        s.symmetric = symmetric;
        for (uint64_t k = 0; k < STAGES; k++) {
            shape_edge(&s, 3 * k, 3 * k + 1);
            shape_edge(&s, 3 * k, 3 * k + 2);
            shape_edge(&s, 3 * k + 1, 3 * k + 3);
            shape_edge(&s, 3 * k + 2, 3 * k + 3);
        }
        heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
        heddle_result *expected = expected_of(graph, options);
        check_run(graph, &options, manners[symmetric], expected, s.name);
        heddle_result_destroy(&expected);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    check_shape_here(shape_grid("grid", 130), 1, NULL);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Kernels for large counts are compiled on the way: `compute` does not have what `compile` has. A context of its own,
 * which keeps none; where the cache has them, `compile` is 0. */
static void compiled_on_the_way(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_context *ctx;
    heddle_run_options options;
    heddle_result *result;
    heddle_vertex corner = 0;
    shape s = shape_grid("grid", 100); /* counts that may leave the range of double */
    assert_int_equal(heddle_context_create(NULL, &ctx), HEDDLE_OK);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.device = device_name;
    options.sources = &corner;
    options.source_count = 1;
    double before = now();
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    const heddle_report *report = heddle_result_report(result);
    assert_true(report->compute + report->compile <= now() - before);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void named_plans(void **unused) {
    (void)unused;
    skip_without_device();
    static const char *const plans[] = {"baseline", "vwc-8", "ws", "tigr-v", "tigr-v+,K=4", "schedule=edge,offsets=64"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        check_shape_here(shape_skewed("skewed", 400, 3000, 7, false), 3, plans[i]);
        check_shape_here(shape_skewed("skewed both ways", 400, 3000, 8, true), 2, plans[i]);
        check_shape_here(shape_star("star", 700, false, true), 2, plans[i]);
        check_shape_here(shape_at(1), 3, plans[i]);
    }
}

static void options_of_the_sums(void **unused) {
    (void)unused;
    skip_without_device();
    shape s = shape_random("random", 90, 300, 3, true);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.samples = 20;
    options.seed = 5;
    options.normalized = 1;
    options.precision = HEDDLE_PRECISION_SINGLE;
    heddle_result *expected = expected_of(graph, options);
    check_run(graph, &options, HD_BFS_AUTO, expected, "samples, normalised, single");
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void refusals(void **unused) {
    (void)unused;
    skip_without_device();
    static const struct {
        const char *plan, *words;
    } cases[] = {{"baseline,direction=push", "the direction of its passes is fixed"},
                 {"tigr-v,mapping=dynamic", "cut when they are put in a list"},
                 {"ws,sync=strict", "its passes are ordered"},
                 {"ws,width=4", "only schedule=vwarp"},
                 {"nonsense", "no plan 'nonsense'"}};
    shape s = shape_path("path", 5, false);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.device = device_name;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options.plan = cases[i].plan;
        assert_true(heddle_run(device_ctx, graph, &options, &result) != HEDDLE_OK);
        support_assert_message(device_ctx, cases[i].words);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Within an error budget: from the same sources as on the CPU, side by side or one after the other. */
static void within_a_budget(void **unused) {
    (void)unused;
    skip_without_device();
    static const char *const plans[] = {"auto", "schedule=thread", "order=degree"};
    shape s = shape_skewed("skewed", 900, 3000, 5, true);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result, *expected;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.max_error = 0.2;
    options.device = "cpu";
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
    assert_true(heddle_result_report(expected)->approximate);
    options.device = device_name;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        options.plan = plans[i];
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        assert_close(result, expected, plans[i]);
        assert_true(figure_of(result, "sources") == figure_of(expected, "sources"));
        const heddle_report *report = heddle_result_report(result), *other = heddle_result_report(expected);
        assert_true(report->approximate && report->confidence == 0.9);
        assert_true(fabs(report->error_bound - other->error_bound) <= 1e-9);
        heddle_result_destroy(&result);
    }
    options.plan = "auto";
    options.max_error = 1e-3; /* exact is less work */
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    assert_false(heddle_result_report(result)->approximate);
    assert_true(figure_of(result, "sources") == 900);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes),
                                       cmocka_unit_test(all_sources),
                                       cmocka_unit_test(many_sources),
                                       cmocka_unit_test(long_rows),
                                       cmocka_unit_test(growing_levels),
                                       cmocka_unit_test(many_paths),
                                       cmocka_unit_test(compiled_on_the_way),
                                       cmocka_unit_test(named_plans),
                                       cmocka_unit_test(options_of_the_sums),
                                       cmocka_unit_test(within_a_budget),
                                       cmocka_unit_test(refusals)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
