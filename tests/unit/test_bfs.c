/* test_bfs.c - levels and parents against the reference on graphs that hurt, and on large ones of extreme shape. */
#include "path_cases.h"

static void shapes(void **state) {
    (void)state;
    check_shapes("bfs", WEIGHTS_NONE);
}

static void weights_do_not_matter(void **state) {
    (void)state;
    check_shapes("bfs", WEIGHTS_SIGNED);
}

static void no_vertices(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_new("empty", 0, 0);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.parents = 1;
    assert_int_equal(heddle_graph_vertices(graph), 0);
    check_against_reference(graph, &options, "empty graph");
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void known_levels(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    static const int64_t from[] = {10, 10, 30, 20, 40, 70, 40}, to[] = {30, 20, 40, 40, 50, 80, 10};
    static const uint32_t levels[] = {0, 1, 1, 2, 3, UINT32_MAX, UINT32_MAX};
    static const uint32_t parents[] = {UINT32_MAX, 0, 0, 1, 3, UINT32_MAX, UINT32_MAX};
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_vertex source;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 7, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_find(ctx, graph, "10", &source), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.parents = 1;
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U32);
    assert_memory_equal(heddle_result_values(result)->data, levels, sizeof levels);
    assert_memory_equal(heddle_result_parents(result), parents, sizeof parents);
    assert_int_equal((int)figure_of(result, "reached"), 5);
    assert_int_equal((int)figure_of(result, "max"), 3);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void unknown_source(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_at(3);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_vertex source = 100;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_SOURCE);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void long_path(void **state) {
    (void)state;
    check_shape("bfs", shape_path("a path of 10^6 vertices", support_large(1000000), false), WEIGHTS_NONE);
}

/* From a leaf the centre's million edges are one round; inward they are one vertex' in-edges. */
static void large_stars(void **state) {
    (void)state;
    check_shape("bfs", shape_star("a large star", support_large(1000001), false, false), WEIGHTS_NONE);
    check_shape("bfs", shape_star("a large star both ways", support_large(1000001), true, true), WEIGHTS_NONE);
}

/* The last vertex is adjacent to a hundred thousand others, all of which are level 2: bottom-up, its first in-edges
 * are all in vain until the frontier reaches them. */
static void late_hub(void **state) {
    (void)state;
    uint64_t leaves = 100000, middle = 300;
    shape s = shape_new("a hub that is found late", leaves + middle + 2, 2 * leaves + middle);
    s.symmetric = true;
    for (uint64_t v = 0; v < middle; v++)
        shape_edge(&s, 0, 1 + v);
    for (uint64_t v = 0; v < leaves; v++) {
        shape_edge(&s, 1 + v % middle, 1 + middle + v);
        shape_edge(&s, 1 + middle + v, 1 + middle + leaves);
    }
    check_shape("bfs", s, WEIGHTS_NONE);
}

/* Each of a hundred thousand vertices is found by ten others in the same round, which has a million edges. */
static void many_candidates(void **state) {
    (void)state;
    uint64_t middle = 2000, last = 100000, edges = 1000000;
    shape s = shape_new("ten candidates for every parent", 1 + middle + last, middle + edges);
    for (uint64_t v = 0; v < middle; v++)
        shape_edge(&s, 0, 1 + v);
    for (uint64_t k = 0; k < edges; k++)
        shape_edge(&s, 1 + case_hash(2 * k) % middle, 1 + middle + case_hash(2 * k + 1) % last);
    check_shape("bfs", s, WEIGHTS_NONE);
}

static void large_random(void **state) {
    (void)state;
    check_shape("bfs", shape_random("a large random graph", 40000, 400000, 7, true), WEIGHTS_NONE);
    check_shape("bfs", shape_random("a large directed random graph", 40000, 400000, 8, false), WEIGHTS_NONE);
    check_shape("bfs", shape_skewed("a large skewed graph", 40000, 400000, 9, true), WEIGHTS_NONE);
    check_shape("bfs", shape_grid("a large grid", 300), WEIGHTS_NONE);
}

static void memory(void **state) {
    (void)state;
    check_out_of_memory("bfs", WEIGHTS_NONE);
}

static void cancel(void **state) {
    (void)state;
    check_cancel("bfs", WEIGHTS_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),          cmocka_unit_test(weights_do_not_matter),
        cmocka_unit_test(no_vertices),     cmocka_unit_test(known_levels),
        cmocka_unit_test(unknown_source),  cmocka_unit_test(long_path),
        cmocka_unit_test(large_stars),     cmocka_unit_test(late_hub),
        cmocka_unit_test(many_candidates), cmocka_unit_test(large_random),
        cmocka_unit_test(memory),          cmocka_unit_test(cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
