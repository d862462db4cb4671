/* test_device_dense.c - triangles, clustering, similarities, core numbers and label propagation by the device's own
 * kernels. */
#include "device_structure.h"
#include "value_cases.h"

#include "algorithm/algorithm.h"

static const char *const algorithms[] = {"tc", "lcc", "similar", "kcore", "cdlp", "lpa"};
#define FOR_ALL for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    FOR_ALL {
        check_shapes_on_device(algorithms[a], WEIGHTS_NONE, "auto");
        check_shape_on_device(algorithms[a], shape_wheel("wheel", 2000, 4000, 1, false), WEIGHTS_NONE, "auto");
        check_shape_on_device(algorithms[a], shape_skewed("dense skewed", 3000, 40000, 3, true), WEIGHTS_U32, "auto");
        check_shape_on_device(algorithms[a], shape_clique("clique", 100), WEIGHTS_NONE, "auto");
    }
}

static void tiny_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    FOR_ALL check_tiny_on_device(algorithms[a], WEIGHTS_NONE, 100);
}

/* Every measure, of pairs and of sources; and lists that are full long before all pairs have been seen. */
static void similarities(void **unused) {
    (void)unused;
    skip_without_device();
    static const heddle_vertex sources[] = {0, 7, 7, 299}, pairs[] = {0, 1, 5, 4, 0, 7, 299, 0, 20, 21};
    shape s = shape_wheel("wheel", 300, 900, 1, false);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    for (int measure = HEDDLE_SIMILARITY_JACCARD; measure <= HEDDLE_SIMILARITY_ATTACHMENT; measure++)
        for (int mode = 0; mode < 4; mode++) {
            heddle_run_options options;
            heddle_run_options_init(&options);
            options.algorithm = "similar";
            options.measure = (heddle_similarity)measure;
            options.pairs = pairs;
            options.pair_count = mode == 0 ? 5 : 0;
            options.sources = sources;
            options.source_count = mode == 1 ? 4 : 0;
            options.top = mode == 2 ? 3 : mode == 3 ? 1000 : 0;
            options.not_neighbours = measure % 2;
            options.min_degree = measure > 2 ? 3 : 0;
            check_options_on_device(graph, options, s.name);
        }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Uniform, by weight and as node2vec; some walks, whose rows are summed up after many refusals. */
static void walks(void **unused) {
    (void)unused;
    skip_without_device();
    static const heddle_vertex sources[] = {0, 7, 7, 299};
    shape s = shape_wheel("wheel", 300, 900, 1, false);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_F32);
    for (int mode = 0; mode < 6; mode++) {
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = "walks";
        options.walks = 3;
        options.length = 30;
        options.weighted = mode % 2;
        options.p = mode < 2 ? 0 : mode < 4 ? 0.25 : 1e-6;
        options.q = mode < 2 ? 0 : 4;
        options.sources = sources;
        options.source_count = mode == 3 ? 4 : 0;
        options.device = device_name;
        heddle_result *result;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Their kernels take no schedule; an order and a residency change nothing. */
static void plans(void **unused) {
    (void)unused;
    skip_without_device();
    FOR_ALL {
        heddle_run_options options;
        heddle_result *result;
        shape s = shape_wheel("wheel", 300, 900, 1, false);
        heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
        heddle_run_options_init(&options);
        options.algorithm = algorithms[a];
        options.device = device_name;
        options.plan = "ws";
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_REFUSED);
        support_assert_message(device_ctx, "use plan auto instead");
        if (hd_algorithm_find(algorithms[a])->no_order == NULL)
            check_on_device(graph, algorithms[a], "order=degree", s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(tiny_graphs),
                                       cmocka_unit_test(similarities), cmocka_unit_test(walks),
                                       cmocka_unit_test(plans)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
