/* test_device_bfs.c - breadth-first search by the device's own kernels, launch by launch and in one piece, against the
 * CPU's: levels, parents, figures. */
#include "device_case.h"
#include "path_cases.h"

#include "algorithm/bfs/bfs_device.h"
#include "base/context.h"

#include <stdlib.h>

static const hd_bfs_manner manners[] = {HD_BFS_AUTO, HD_BFS_LEVELS};
static const char *const manner_names[] = {"auto", "by levels"};

static void check_sources(const heddle_graph *graph, const heddle_vertex *sources, uint64_t count, const char *where) {
    heddle_run_options options;
    heddle_result *expected, *result;
    char place[300];
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.parents = 1;
    options.sources = sources;
    options.source_count = count;
    support_assert_status(device_ctx, heddle_run_reference(device_ctx, graph, &options, &expected), HEDDLE_OK);
    options.device = device_name;
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
        snprintf(place, sizeof place, "%s, %s", where, manner_names[i]);
        support_assert_status(device_ctx, hd_result_new(device_ctx, "bfs", &result), HEDDLE_OK);
        hd_run run = {.ctx = device_ctx, .graph = graph, .options = options, .result = result};
        if (hd_bfs_on_device(&run, manners[i]) != HEDDLE_OK)
            fail_msg("%s: %s", place, heddle_context_error(device_ctx)->message);
        hd_result_show(result);
        assert_same_result(result, expected, place);
        assert_true(figure_of(result, "reached") == figure_of(expected, "reached"));
        heddle_result_destroy(&result);
    }
    heddle_result_destroy(&expected);
}

static void check_shape_here(shape s, scheme w) {
    heddle_graph *graph = case_graph(device_ctx, &s, w);
    uint64_t n = heddle_graph_vertices(graph);
    char where[200];
    for (uint64_t k = 0; k < 4; k++) {
        uint64_t count = k < 3 ? 1 : 5;
        heddle_vertex sources[5];
        for (uint64_t i = 0; i < 5; i++)
            sources[i] = n ? (heddle_vertex)(k == 0 ? 0 : case_hash(17 * k + i / 2) % n) : 0;
        snprintf(where, sizeof where, "%s, source %u of %u", s.name, sources[0], (unsigned)count);
        check_sources(graph, sources, n ? count : 0, where);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < SHAPES; i++)
        check_shape_here(shape_at(i), i % 2 ? WEIGHTS_NONE : WEIGHTS_SIGNED);
    check_shape_here(shape_new("no edges", 40, 0), WEIGHTS_NONE);
    check_shape_here(shape_new("no vertices", 0, 0), WEIGHTS_NONE);
}

static void tiny_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    for (uint64_t round = 0; round < 60; round++) {
        uint64_t n = 1 + case_hash(round) % 8, m = case_hash(round + 60) % (3 * n);
        check_shape_here(shape_random("tiny", n, m, round * 1000, round % 3 == 0), WEIGHTS_NONE);
    }
}

/* Levels that are walked down by queue, down by bits, and up; hubs that are cut. */
static void large_levels(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_here(shape_random("even", 20000, 150000, 5, true), WEIGHTS_NONE);
    check_shape_here(shape_random("even, one way", 20000, 150000, 6, false), WEIGHTS_NONE);
    check_shape_here(shape_skewed("skewed", 30000, 200000, 7, true), WEIGHTS_NONE);
    check_shape_here(shape_skewed("skewed, one way", 30000, 200000, 8, false), WEIGHTS_NONE);
    check_shape_here(shape_star("star", 5000, false, true), WEIGHTS_NONE);
    check_shape_here(shape_star("inward star", 5000, true, false), WEIGHTS_NONE);
}

/* Many small levels, and what comes after them: a frontier that outgrows one cluster, or holds a hub. */
static void small_levels(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_here(shape_path("path", 3000, false), WEIGHTS_NONE);
    check_shape_here(shape_path("path backward", 3000, true), WEIGHTS_NONE);
    check_shape_here(shape_grid("grid", 60), WEIGHTS_NONE);
    shape s = shape_new("path, then a star, then a path", 9000, 20000);
    s.symmetric = true;
    for (uint64_t v = 0; v < 500; v++)
        shape_edge(&s, v, v + 1);
    for (uint64_t v = 501; v < 8000; v++)
        shape_edge(&s, 500, v);
    for (uint64_t v = 7999; v < 8990; v++)
        shape_edge(&s, v, v + 1);
    check_shape_here(s, WEIGHTS_NONE);
    s = shape_new("path, then a tree", 40000, 60000);
    for (uint64_t v = 0; v < 20; v++)
        shape_edge(&s, v, v + 1);
    for (uint64_t v = 21; v < 40000; v++)
        shape_edge(&s, 20 + (v - 21) / 16, v);
    check_shape_here(s, WEIGHTS_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(tiny_graphs),
                                       cmocka_unit_test(large_levels), cmocka_unit_test(small_levels)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
