/* test_device_each.c - searches from each source apart on a device: every column against the reference, on graphs that
 * hurt, with rows of all lengths, more sources than a word holds, duplicates among them. */
#include "device_case.h"
#include "path_cases.h"

#include "graph/graph.h"

enum { MOST = 70 };

static void check_graph(const heddle_graph *graph, uint64_t count, const char *name) {
    heddle_vertex sources[MOST];
    heddle_result *expected, *result;
    heddle_run_options options;
    uint64_t n = heddle_graph_vertices(graph);
    for (uint64_t k = 0; k < count; k++)
        sources[k] = k % 5 == 3 ? (heddle_vertex)(n / 2) : (heddle_vertex)(case_hash(k) % n);
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.sources = sources;
    options.source_count = count;
    options.each = 1;
    support_assert_status(device_ctx, heddle_run_reference(device_ctx, graph, &options, &expected), HEDDLE_OK);
    options.device = device_name;
    if (heddle_run(device_ctx, graph, &options, &result) != HEDDLE_OK)
        fail_msg("%s: %s", name, heddle_context_error(device_ctx)->message);
    heddle_values a = *heddle_result_values(result), b = *heddle_result_values(expected);
    assert_int_equal(a.columns, count);
    for (uint64_t i = 0; i < n * count; i++)
        if (((const uint32_t *)a.data)[i] != ((const uint32_t *)b.data)[i])
            fail_msg("%s, %llu sources: column %llu, vertex %llu: level %ld, expected %ld", name,
                     (unsigned long long)count, (unsigned long long)(i / n), (unsigned long long)(i % n),
                     (long)(int32_t)((const uint32_t *)a.data)[i], (long)(int32_t)((const uint32_t *)b.data)[i]);
    assert_string_equal(heddle_result_report(result)->schedule, "fast");
    assert_int_equal((int)figure_of(result, "batch"), (int)(count < 32 ? count : 32));
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

static void check_shape_here(shape s, uint64_t count) {
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    check_graph(graph, count, s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void shapes(void **unused) {
    (void)unused;
    static const uint64_t counts[] = {1, 3, 32, 33};
    skip_without_device();
    for (int i = 0; i < SHAPES; i++)
        check_shape_here(shape_at(i), counts[i % 4]);
}

static void more_than_a_word(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_here(shape_random("random", 300, 700, 3, false), MOST);
    check_shape_here(shape_random("random both ways", 300, 500, 4, true), MOST);
}

/* Rows that warps take, in one part and in several, downwards and upwards. */
static void long_rows(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_here(shape_skewed("skewed", 4000, 60000, 7, false), 20);
    check_shape_here(shape_skewed("skewed both ways", 4000, 60000, 8, true), 32);
    check_shape_here(shape_star("star", 3000, false, true), 5);
    check_shape_here(shape_star("star inwards", 3000, true, false), 5);
    check_shape_here(shape_clique("clique", 150), 9);
}

/* Of a file with weights, neither the run nor the estimate of its memory reads them. */
static void weights_unread(void **unused) {
    (void)unused;
    skip_without_device();
    static const heddle_vertex sources[] = {0, 3};
    shape s = shape_random("random", 300, 900, 5, true);
    heddle_graph *made = case_graph(device_ctx, &s, WEIGHTS_U32), *graph;
    const char *path = support_temp_path("weighted.hdl");
    heddle_device_memory memory = {.size = sizeof memory};
    heddle_result *result;
    heddle_run_options options;
    support_assert_status(device_ctx, heddle_graph_save(device_ctx, made, path, NULL), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_load(device_ctx, path, NULL, &graph), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.device = device_name;
    options.sources = sources;
    options.source_count = 2;
    options.each = 1;
    support_assert_status(device_ctx, heddle_run_memory(device_ctx, graph, &options, &memory), HEDDLE_OK);
    assert_true(memory.wanted > 0);
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(hd_graph_unchecked(graph) & HD_VERIFY_WEIGHTS);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&made);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(more_than_a_word),
                                       cmocka_unit_test(long_rows), cmocka_unit_test(weights_unread)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
