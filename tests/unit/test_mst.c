/* test_mst.c - the minimum spanning forest: graphs that hurt against Kruskal's algorithm, for 1, 2 and 7 threads. */
#include "structure_cases.h"

#include "algorithm/mst/mst.h"
#include "base/context.h"

static void shapes(void **state) {
    (void)state;
    check_all_structures("mst", WEIGHTS_NONE);
    check_all_structures("mst", WEIGHTS_U32);
    for (scheme w = WEIGHTS_U32 + 1; w < SCHEMES; w++)
        for (int i = 0; i < SHAPES; i++)
            check_structure_shape("mst", shape_at(i), w);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("mst", WEIGHTS_NONE, 1000);
    check_tiny("mst", WEIGHTS_ZEROS, 1000);
    check_tiny("mst", WEIGHTS_SIGNED, 1000);
    check_tiny("mst", WEIGHTS_SIGNED_F32, 1000);
}

static heddle_graph *weighted_graph(heddle_context *ctx, const shape *s, const void *weights, heddle_weight_type type) {
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, s->vertices, s->edges, s->from, s->to, weights, type, NULL,
                                                  &graph),
                          HEDDLE_OK);
    return graph;
}

/* Arcs weigh differently each way, and so do parallel ones: the lightest counts. */
static void arcs_that_differ(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t n = 2 + case_hash(round) % 40;
        shape s = shape_random("arcs that differ", n, 6 * n, round * 777, false);
        int32_t *weights = malloc(s.edges * sizeof *weights);
        assert_non_null(weights);
        for (uint64_t k = 0; k < s.edges; k++)
            weights[k] = (int32_t)(case_hash(k + round) % (round % 2 ? 4 : 100000)) - 2;
        heddle_graph *graph = weighted_graph(ctx, &s, weights, HEDDLE_WEIGHT_I32);
        check_structure(graph, "mst", support_threads(), s.name);
        heddle_graph_destroy(&graph);
        free(weights);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* 64-bit weights are ranked by a sample of them: here fewer edges than buckets, of every small number. */
static void few_wide_weights(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (uint64_t edges = 1; edges < 530; edges += edges < 20 ? 1 : 73) {
        shape s = shape_random("few wide weights", 2 + edges / 2, edges, edges, false);
        double *weights = malloc(s.edges * sizeof *weights);
        assert_non_null(weights);
        for (uint64_t k = 0; k < s.edges; k++)
            weights[k] = (double)(case_hash(k) % 1000) * 0.1;
        heddle_graph *graph = weighted_graph(ctx, &s, weights, HEDDLE_WEIGHT_F64);
        check_structure(graph, "mst", support_threads(), s.name);
        heddle_graph_destroy(&graph);
        free(weights);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* Dense enough that light edges go first; few weights, so that ties decide. */
static void dense(void **state) {
    (void)state;
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_ZEROS, WEIGHTS_HUGE, WEIGHTS_SIGNED_F32};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        check_structure_shape("mst", shape_random("dense", 3000, 60000, 1, false), schemes[i]);
        check_structure_shape("mst", shape_random("dense both ways", 3000, 60000, 2, true), schemes[i]);
        check_structure_shape("mst", shape_skewed("dense skewed", 5000, 100000, 3, false), schemes[i]);
        check_structure_shape("mst", shape_skewed("dense skewed both ways", 5000, 100000, 4, true), schemes[i]);
        check_structure_shape("mst", shape_clique("clique", 300), schemes[i]);
    }
}

/* The light edges are all in one corner, and connect next to nothing. */
static void light_corner(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        shape s = shape_new("light corner", 4000, 200000);
        uint32_t *weights = malloc(200000 * sizeof *weights);
        heddle_build_options build;
        heddle_graph *graph;
        assert_non_null(weights);
        for (uint64_t k = 0; k < 100000; k++) {
            weights[s.edges] = (uint32_t)(case_hash(k) % 100);
            shape_edge(&s, case_hash(k + 1) % 300, case_hash(k + 2) % 300);
            weights[s.edges] = 1000 + (uint32_t)(case_hash(k) % 50);
            shape_edge(&s, case_hash(k + 3) % 4000, case_hash(k + 4) % 4000);
        }
        heddle_build_options_init(&build);
        build.symmetrize = symmetric;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, s.vertices, s.edges, s.from, s.to, weights,
                                                      HEDDLE_WEIGHT_U32, &build, &graph),
                              HEDDLE_OK);
        check_structure(graph, "mst", support_threads(), s.name);
        heddle_graph_destroy(&graph);
        free(weights);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* Weights that rise along a path make every tree hang below the one before. */
static void long_and_wide(void **state) {
    (void)state;
    const uint32_t n = (uint32_t)support_large(1000000);
    heddle_context *ctx = support_context(2);
    for (int falling = 0; falling < 2; falling++) {
        shape s = shape_path("long path", n, false);
        uint32_t *weights = malloc(n * sizeof *weights);
        heddle_build_options build;
        heddle_graph *graph;
        assert_non_null(weights);
        for (uint32_t k = 0; k < n; k++)
            weights[k] = falling ? n - k : k;
        heddle_build_options_init(&build);
        build.symmetrize = !falling; /* once each way of beginning */
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, s.vertices, s.edges, s.from, s.to, weights,
                                                      HEDDLE_WEIGHT_U32, &build, &graph),
                              HEDDLE_OK);
        check_structure(graph, "mst", support_threads(), "long path with rising or falling weights");
        heddle_graph_destroy(&graph);
        free(weights);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
    check_structure_shape("mst", shape_star("large star", support_large(1000000), false, false), WEIGHTS_U32);
    check_structure_shape("mst", shape_star("large star inward", 300000, true, true), WEIGHTS_ZEROS);
    check_structure_shape("mst", shape_grid("grid", 300), WEIGHTS_U32);
}

static void forest_and_figures(void **state) {
    (void)state;
    /* a square 0 1 3 2 with one diagonal, all of weight 2 but 3 -> 2 of 1 and 2 -> 3 of 7; a loop; 4 alone */
    int64_t from[] = {1, 1, 3, 0, 2, 0, 2}, to[] = {0, 3, 2, 2, 3, 3, 2};
    float weights[] = {2, 2, 1, 2, 7, 2, -5};
    heddle_vertex expected[] = {0, 1, 0, 2, 2, 3};
    float expected_weights[] = {2, 2, 1};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "mst";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 5, 7, from, to, weights, HEDDLE_WEIGHT_F32, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    heddle_forest forest = *heddle_result_forest(result);
    assert_int_equal(forest.edges, 3);
    assert_int_equal(forest.weight_type, HEDDLE_WEIGHT_F32);
    assert_memory_equal(forest.ends, expected, sizeof expected);
    assert_memory_equal(forest.weights, expected_weights, sizeof expected_weights);
    assert_int_equal(heddle_result_values(result)->count, 0);
    const heddle_report *report = heddle_result_report(result);
    assert_int_equal(report->figure_count, 3);
    assert_string_equal(report->figures[0].name, "edges");
    assert_true(report->figures[0].value == 3);
    assert_string_equal(report->figures[1].name, "total_weight");
    assert_true(report->figures[1].value == 5);
    assert_string_equal(report->figures[2].name, "components");
    assert_true(report->figures[2].value == 2);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* As a device's edges come: in no order. Vertices of one, two and three digits of the sort. */
static void sorted(void **state) {
    (void)state;
    static const uint64_t vertices[] = {2, 2048, 2049, 3000000, UINT64_C(1) << 32};
    for (int threads = 1; threads <= 7; threads += 3)
        for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
            heddle_context *ctx = support_context(threads);
            hd_mst_batch batch;
            uint64_t sum = 0;
            support_assert_status(ctx, hd_mst_batch_new(ctx, 100000, &batch), HEDDLE_OK);
            for (uint64_t k = 0; k < batch.count; k++) {
                batch.edges[k] = (hd_mst_edge){(uint32_t)(case_hash(k) % vertices[i]),
                                               (uint32_t)(case_hash(k + 7) % vertices[i]), (uint32_t)k};
                sum += case_hash(batch.edges[k].u ^ (uint64_t)batch.edges[k].v << 32);
            }
            support_assert_status(ctx, hd_mst_sort(ctx, vertices[i], &batch), HEDDLE_OK);
            for (uint64_t k = 0; k < batch.count; k++) {
                const hd_mst_edge *e = &batch.edges[k];
                sum -= case_hash(e->u ^ (uint64_t)e->v << 32);
                if (k && (hd_mst_before(e, e - 1) || (!hd_mst_before(e - 1, e) && e->key < e[-1].key)))
                    fail_msg("%d threads: edge %lu is not after the one before it", threads, (unsigned long)k);
            }
            assert_int_equal(sum, 0); /* the same edges as before */
            hd_mst_batch_free(ctx, &batch);
            heddle_context_destroy(&ctx);
        }
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("mst", shape_random("random", 300, 500, 1, false));
    check_no_memory("mst", shape_random("dense random", 300, 5000, 2, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("mst", shape_random("random", 300, 500, 1, false));
    check_cancelled("mst", shape_random("random both ways", 300, 5000, 1, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forest_and_figures), cmocka_unit_test(shapes),           cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(arcs_that_differ),   cmocka_unit_test(few_wide_weights), cmocka_unit_test(dense),
        cmocka_unit_test(light_corner),       cmocka_unit_test(long_and_wide),    cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled),          cmocka_unit_test(sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
