/* test_device_pr.c - PageRank's own kernels on a device, against their certificate: rows around the lengths at which
 * they are walked in another way; skewed graphs, whose shares are renamed; others, whose edges are sorted into bins; a
 * graph that stays on the device for a second run. Runs on OpenCL; where there is none it says that it was skipped. */
#include "device_case.h"

#include "engine/device/resident.h"

static heddle_graph *make(const char *kind, int scale, uint64_t vertices, bool undirected) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = scale;
    options.vertices = vertices;
    options.width = options.height = 40;
    options.build.symmetrize = undirected;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* Twice: the second run finds the graph, and the names of its shares, on the device. */
static void run_again(heddle_graph *graph) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    options.device = device_name;
    for (int i = 0; i < 2; i++) {
        heddle_result *result;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        assert_string_equal(heddle_result_report(result)->schedule, "fast");
        assert_true(heddle_result_report(result)->converged);
        support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
}
static void run_twice(heddle_graph *graph) {
    run_again(graph);
    heddle_graph_destroy(&graph);
}

static void test_small(void **unused) {
    (void)unused;
    skip_without_device();
    for (uint64_t n = 1; n < 20; n++)
        run_twice(make("path", 0, n, false));
    static const uint64_t sizes[] = {31, 32, 33, 34, 2048, 2049, 2050, 4097, 4098}; /* a hub of one edge less */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        run_twice(make("star", 0, sizes[i], false));
    run_twice(make("clique", 0, 64, false));
    run_twice(make("road", 0, 0, false));
}

static void test_renamed(void **unused) {
    (void)unused;
    skip_without_device();
    run_twice(make("rmat", 14, 0, false));
    run_twice(make("rmat", 14, 0, true));
    run_twice(make("uniform", 14, 0, false));
}

static void test_large_star(void **unused) {
    (void)unused;
    skip_without_device();
    run_twice(make("star", 0, 200000, false));
}

/* Everybody to vertex 0, whose row goes over several bins, and to some others; the last have no edges. */
static heddle_graph *make_hub(uint64_t linked, uint64_t lonely, uint32_t degree) {
    uint64_t count = linked * degree, at = 0;
    int64_t *from = malloc(count * sizeof *from), *to = malloc(count * sizeof *to);
    heddle_graph *graph;
    assert_non_null(from);
    assert_non_null(to);
    for (uint64_t v = 0; v < linked; v++)
        for (uint32_t i = 0; i < degree; i++, at++) {
            from[at] = (int64_t)v;
            to[at] = i ? (int64_t)((v * 2654435761u + i * 40503u) % linked) : 0;
        }
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, linked + lonely, count, from, to, NULL,
                                                  HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    free(from);
    free(to);
    return graph;
}

/* Shares by blocks: bins that end with a row, in the midst of one, and lie within one. The smaller ones in passes. */
static void test_blocks(void **unused) {
    (void)unused;
    skip_without_device();
    run_twice(make_hub(2049, 0, 16));
    run_twice(make_hub(4096, 100, 16));
    run_twice(make_hub(2500, 5000, 40)); /* blocks of as many edges do not fit */
    run_twice(make_hub(10007, 3000, 13));
    run_twice(make_hub(4096, 20000, 60)); /* too many rows in a bin */
}

static void run_in_one_launch(heddle_graph *graph) {
    heddle_report report = {.iterations = 0};
    hd_resident *kept;
    bool cut = false;
    run_again(graph);
    support_assert_status(device_ctx, hd_resident_open(device_ctx, graph, device_name, 0, false, &report, &kept),
                          HEDDLE_OK);
    for (int i = 0; i < HD_RESIDENT_EXTRAS && kept->extra[i].name; i++)
        cut |= strcmp(kept->extra[i].name, "cuts of rows and edges") == 0;
    assert_true(cut);
    heddle_graph_destroy(&graph);
}

/* More rounds than the host lets go by unasked. */
static void run_long(heddle_graph *graph) {
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    options.device = device_name;
    options.damping = 0.99; /* a star's ranks go to and fro */
    options.max_iterations = 300;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->iterations, 300);
    assert_false(heddle_result_report(result)->converged);
    support_assert_verified(device_ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

/* All rounds in one launch, which only devices have whose groups can wait for each other: one group need not wait. */
static void test_one_launch(void **unused) {
    (void)unused;
    skip_without_device();
    hd_device *device;
    support_assert_status(device_ctx, hd_device_keep(device_ctx, device_name, NULL, &device), HEDDLE_OK);
    hd_device_info info = device->info;
    device->info.grid_barrier = true;
    device->info.cache_bytes = 1 << 26;
    for (uint64_t n = 2; n < 9; n++)
        run_in_one_launch(make("path", 0, n, false));
    static const uint64_t sizes[] = {63, 64, 65, 127, 128, 129, 4000}; /* of rows and edges twice as many */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        run_in_one_launch(make("star", 0, sizes[i], i % 2));
    run_in_one_launch(make("clique", 0, 64, false));
    run_in_one_launch(make("road", 0, 0, false));
    run_in_one_launch(make("rmat", 14, 0, false)); /* renamed */
    run_in_one_launch(make_hub(2049, 1000, 5));    /* units of rows alone */
    run_long(make("star", 0, 200, true));
    device->info = info;
}

/* The stated bound holds, and is within the budget, under the kernels of its own and the vertex program. */
static void test_budget(void **unused) {
    (void)unused;
    skip_without_device();
    static const char *const plans[] = {"auto", "schedule=thread,direction=pull"};
    heddle_graph *graph = make("rmat", 10, 0, false);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    options.device = device_name;
    for (int i = 0; i < 4; i++) {
        options.plan = plans[i / 2];
        options.max_error = i % 2 ? 0.1 : 1e-4;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        const heddle_report *report = heddle_result_report(result);
        assert_true(report->approximate && report->converged);
        assert_true(report->error_bound >= 0 && report->error_bound <= options.max_error);
        support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
        assert_true(report->worst_error <= report->error_bound);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small),      cmocka_unit_test(test_renamed),
                                       cmocka_unit_test(test_large_star), cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_one_launch), cmocka_unit_test(test_budget)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
