/* test_device_memory.c - what heddle_run_memory says of a run, against what the run then takes on the device. */
#include "device_case.h"

static heddle_graph *make(const char *kind, bool undirected, bool weighted) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = 14;
    options.weighted = weighted;
    options.weight_min = 1;
    options.weight_max = 100;
    options.build.symmetrize = undirected;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static void compare_from(const heddle_graph *graph, const char *algorithm, const char *plan, const char *about,
                         uint64_t source_count, bool each) {
    heddle_run_options options;
    heddle_device_memory memory = {.size = sizeof memory};
    heddle_result *result;
    static const heddle_vertex sources[] = {1, 2, 3, 4, 5};
    heddle_context *ctx = support_context(1); /* of its own: nothing of another run is on the device */
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device_name;
    options.plan = plan;
    options.sources = sources;
    options.source_count = source_count;
    options.each = each;
    options.max_iterations = 2;
    support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    uint64_t taken = heddle_result_report(result)->device_bytes;
    assert_string_equal(memory.missing, "");
    assert_true(memory.total > 0 && memory.free <= memory.total);
    /* what only the run knows is allowed for: never less by a tenth, nor twice as much */
    if (memory.wanted < taken - taken / 10 || memory.wanted > 2 * taken)
        fail_msg("%s under %s on %s: expected about %llu bytes, the run took %llu", algorithm, plan, about,
                 (unsigned long long)memory.wanted, (unsigned long long)taken);
    heddle_result_destroy(&result);
    heddle_context_destroy(&ctx);
}

static void compare(const heddle_graph *graph, const char *algorithm, const char *plan, const char *about) {
    compare_from(graph, algorithm, plan, about, strcmp(algorithm, "bc") == 0 || strstr("bfs sssp sswp", algorithm),
                 false);
}

static void test_fast(void **unused) {
    (void)unused;
    skip_without_device();
    static const char *const names[] = {"bfs", "sssp", "sswp",  "cc",   "pr",          "bc",   "scc", "mst",
                                        "tc",  "lcc",  "kcore", "cdlp", "eigenvector", "katz", "hits"};
    static const char *const kinds[] = {"rmat", "uniform"};
    for (int k = 0; k < 2; k++) {
        heddle_graph *graph = make(kinds[k], k == 1, true);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            compare(graph, names[i], "auto", kinds[k]);
        compare_from(graph, "bc", "auto", kinds[k], 5, false); /* side by side */
        compare_from(graph, "bc", "ws", kinds[k], 5, false);
        compare_from(graph, "bfs", "auto", kinds[k], 5, true);
        compare_from(graph, "pr", "auto", kinds[k], 5, true);
        if (k == 1) /* its second level would take more than the first */
            compare(graph, "louvain", "auto", kinds[k]);
        heddle_graph_destroy(&graph);
    }
    heddle_graph *plain = make("rmat", false, false);
    compare(plain, "sssp", "auto", "rmat without weights");
    heddle_graph_destroy(&plain);
}

static void test_plans(void **unused) {
    (void)unused;
    skip_without_device();
    static const char *const cases[][2] = {
        {"sssp", "ws"}, {"pr", "tigr-v"}, {"hs", "auto"}, {"mst", "schedule=edge"}, {"pr", "order=degree"}};
    heddle_graph *graph = make("rmat", false, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(graph, cases[i][0], cases[i][1], "rmat");
    heddle_graph_destroy(&graph);
}

static void test_refusals(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_generate_options generate;
    heddle_graph *graph;
    heddle_run_options options;
    heddle_device_memory memory = {.size = sizeof memory};
    heddle_generate_options_init(&generate);
    generate.kind = "path";
    generate.vertices = 10;
    support_assert_status(ctx, heddle_graph_generate(ctx, &generate, &graph), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "cc";
    options.device = "cpu";
    support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_OK);
    assert_int_equal(memory.wanted, 0);
    options.device = "opencl:999"; /* not there: the words say so, and the bytes are those of a common GPU */
    support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_OK);
    assert_true(memory.wanted > 0 && memory.total == 0);
    assert_true(strncmp(memory.missing, "no ", 3) == 0);
    options.device = "opencl:x";
    support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_E_ARGUMENT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fast), cmocka_unit_test(test_plans),
                                       cmocka_unit_test(test_refusals)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
