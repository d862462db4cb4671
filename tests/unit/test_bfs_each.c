/* test_bfs_each.c - searches from each source apart: every column against the reference on graphs that hurt, more
 * sources than a word holds, duplicates; files; what is refused; wrong columns are found. */
#include "path_cases.h"

#include "engine/result.h"

enum { MOST = 300 };

/* `count` sources, spread over the vertices, one of them often. */
static void spread(heddle_vertex *sources, uint64_t count, uint64_t n) {
    for (uint64_t k = 0; k < count; k++)
        sources[k] = k % 5 == 3 ? (heddle_vertex)(n / 2) : (heddle_vertex)(case_hash(k) % n);
}

static heddle_run_options each_of(const heddle_vertex *sources, uint64_t count) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.sources = sources;
    options.source_count = count;
    options.each = 1;
    return options;
}

static void assert_columns(const heddle_result *result, const heddle_result *expected, const char *where) {
    heddle_values a = *heddle_result_values(result), b = *heddle_result_values(expected);
    if (a.type != HEDDLE_VALUE_U32 || a.count != b.count || a.columns != b.columns)
        fail_msg("%s: %llu columns of %llu, expected %llu of %llu", where, (unsigned long long)a.columns,
                 (unsigned long long)a.count, (unsigned long long)b.columns, (unsigned long long)b.count);
    for (uint64_t i = 0; i < a.count * a.columns; i++)
        if (((const uint32_t *)a.data)[i] != ((const uint32_t *)b.data)[i])
            fail_msg("%s: column %llu, vertex %llu: level %ld, expected %ld", where, (unsigned long long)(i / a.count),
                     (unsigned long long)(i % a.count), (long)(int32_t)((const uint32_t *)a.data)[i],
                     (long)(int32_t)((const uint32_t *)b.data)[i]);
}

static void check_graph(const heddle_graph *graph, uint64_t count, const char *name) {
    heddle_vertex sources[MOST];
    heddle_result *expected, *result;
    heddle_context *ctx = support_context(1);
    char where[200];
    spread(sources, count, heddle_graph_vertices(graph));
    heddle_run_options options = each_of(sources, count);
    snprintf(where, sizeof where, "%s, %llu sources", name, (unsigned long long)count);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, &options, &result), HEDDLE_OK);
        assert_columns(result, expected, where);
        assert_int_equal((int)figure_of(result, "sources"), (int)count);
        support_assert_status(other, heddle_verify(other, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
        heddle_context_destroy(&other);
    }
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

/* Directed graphs have no in-edges for few sources, and get them for many. */
static void shapes(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 3, 64, 65};
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
            check_graph(graph, counts[k], s.name);
            heddle_graph_destroy(&graph);
        }
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* Rounds on all threads, rows that all threads share, several batches. */
static void larger(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape all[] = {shape_skewed("skewed", 20000, 200000, 5, false),
                   shape_skewed("skewed both ways", 20000, 100000, 6, true), shape_star("star", 40000, false, true),
                   shape_grid("grid", 60)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        heddle_graph *graph = case_graph(ctx, &all[i], WEIGHTS_NONE);
        check_graph(graph, i == 3 ? MOST : 70, all[i].name);
        heddle_graph_destroy(&graph);
        shape_free(&all[i]);
    }
    heddle_context_destroy(&ctx);
}

static void no_vertices(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_new("empty", 0, 0);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = each_of(NULL, 0);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->columns, 0);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* ---- A small one, for what follows ------------------------------------------------------------------------------- */

static heddle_graph *path_graph(heddle_context *ctx) {
    static const int64_t from[] = {10, 20, 30}, to[] = {20, 30, 40};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 3, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

static void assert_saved(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result, const char *name,
                         const char *expected) {
    const char *path = support_temp_path(name);
    support_assert_status(ctx, heddle_result_save(ctx, graph, result, path), HEDDLE_OK);
    size_t bytes;
    char *text = support_read_file(path, &bytes);
    assert_string_equal(text, expected);
    free(text);
}

static void files(void **state) {
    (void)state;
    static const heddle_vertex sources[] = {1, 0};
    static const int64_t levels[] = {-1, 0, 1, 2, 0, 1, 2, 3};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = path_graph(ctx);
    heddle_run_options options = each_of(sources, 2);
    heddle_result *result;
    size_t bytes;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_saved(ctx, graph, result, "each.tsv", "id\t20\t10\n10\tinf\t0\n20\t0\t1\n30\t1\t2\n40\t2\t3\n");
    assert_saved(ctx, graph, result, "each.json",
                 "{\"algorithm\": \"bfs\", \"columns\": [\"id\", 20, 10], \"rows\": [\n[10, \"inf\", 0],\n"
                 "[20, 0, 1],\n[30, 1, 2],\n[40, 2, 3]\n]}\n");
    const char *path = support_temp_path("each.npy");
    support_assert_status(ctx, heddle_result_save(ctx, graph, result, path), HEDDLE_OK);
    char *text = support_read_file(path, &bytes);
    assert_int_equal(bytes, 128 + sizeof levels);
    assert_non_null(strstr(text + 10, "'shape': (2, 4), }"));
    assert_memory_equal(text + 128, levels, sizeof levels);
    free(text);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Shortest distances from each source are those of separate runs; sums of 64 bits in one column widen all. */
static void weighted(void **state) {
    (void)state;
    static const int kinds[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_F32};
    heddle_context *ctx = support_context(2);
    shape s = shape_skewed("skewed", 300, 2400, 5, true);
    heddle_vertex sources[7];
    spread(sources, 7, 300);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        heddle_graph *graph = case_graph(ctx, &s, kinds[k]);
        heddle_run_options options = each_of(sources, 7), one;
        heddle_result *result, *alone, *expected;
        options.algorithm = "sssp";
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        assert_int_equal(heddle_result_values(result)->columns, 7);
        for (uint64_t c = 0; c < 7; c++) {
            one = options;
            one.each = 0;
            one.sources = sources + c;
            one.source_count = 1;
            support_assert_status(ctx, heddle_run(ctx, graph, &one, &alone), HEDDLE_OK);
            for (uint64_t v = 0; v < 300; v++) {
                assert_true(hd_result_at(result, c * 300 + v) == hd_result_at(alone, v));
                assert_true(hd_result_at(result, c * 300 + v) == hd_result_at(expected, c * 300 + v));
            }
            heddle_result_destroy(&alone);
        }
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
    }
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* A sum of more than 32 bits in one column makes all of them 64 bits wide. */
static void large_sums(void **state) {
    (void)state;
    static const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    static const uint32_t heavy[] = {UINT32_MAX - 2, UINT32_MAX - 1, 5};
    static const heddle_vertex ends[] = {2, 0};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 3, from, to, heavy, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    heddle_run_options options = each_of(ends, 2);
    options.algorithm = "sssp";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U64);
    assert_true(hd_result_at(result, 3) == 5);
    assert_true(hd_result_at(result, 4 + 3) == 2.0 * UINT32_MAX + 2);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void refusals(void **state) {
    (void)state;
    static const heddle_vertex sources[] = {1, 0};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = path_graph(ctx);
    heddle_run_options options = each_of(sources, 2);
    heddle_result *result;
    options.parents = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "without parents");
    options = each_of(sources, 2);
    options.algorithm = "sswp";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "sswp has no values from each");
    options = each_of(sources, 2);
    options.plan = "ws";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "no plan but auto");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void wrong_columns(void **state) {
    (void)state;
    static const heddle_vertex sources[] = {1, 0};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = path_graph(ctx);
    heddle_run_options options = each_of(sources, 2), fewer = each_of(sources, 1);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (int i = 0; i < 8; i++) {
        uint32_t *value = (uint32_t *)result->values + i;
        *value += 1;
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
        support_assert_message(ctx, i < 4 ? "from 20: " : "from 10: ");
        *value -= 1;
    }
    support_assert_status(ctx, heddle_verify(ctx, graph, &fewer, result), HEDDLE_E_VERIFY);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_result *result;
    heddle_run_options *options = user;
    heddle_graph *graph;
    static const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    HD_TRY(heddle_graph_from_edges(ctx, 0, 3, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph));
    heddle_status status = heddle_run(ctx, graph, options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    heddle_vertex sources[70];
    spread(sources, 70, 4);
    heddle_run_options options = each_of(sources, 70);
    support_try_every_failure(attempt, &options);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes),       cmocka_unit_test(larger),
                                       cmocka_unit_test(no_vertices),  cmocka_unit_test(files),
                                       cmocka_unit_test(weighted),     cmocka_unit_test(large_sums),
                                       cmocka_unit_test(refusals),     cmocka_unit_test(wrong_columns),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
