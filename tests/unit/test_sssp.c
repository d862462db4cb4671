/* test_sssp.c - distances and parents against the reference: every type of weight, zeros, sums that outgrow 32 bits. */
#include "path_cases.h"

#include <math.h>

static void shapes(void **state) {
    (void)state;
    static const scheme all[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_ALL_ONE, WEIGHTS_ALL_ZERO,
                                 WEIGHTS_HUGE, WEIGHTS_I32, WEIGHTS_F32,   WEIGHTS_MIXED,   WEIGHTS_ENORMOUS};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_shapes("sssp", all[i]);
}

/* ---- Small graphs with known results --------------------------------------------------------------------------- */

typedef struct arc {
    int64_t from, to;
    uint32_t weight;
} arc;

static heddle_graph *graph_of(heddle_context *ctx, const arc *arcs, uint64_t count, heddle_weight_type type) {
    int64_t from[16], to[16];
    uint32_t weights[16];
    heddle_graph *graph;
    for (uint64_t k = 0; k < count; k++) {
        from[k] = arcs[k].from;
        to[k] = arcs[k].to;
        weights[k] = arcs[k].weight;
    }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, count, from, to, weights, type, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

static heddle_result *run_from_first(heddle_context *ctx, const heddle_graph *graph, heddle_precision precision) {
    heddle_vertex source = 0;
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.parents = 1;
    options.precision = precision;
    options.sources = &source;
    options.source_count = 1;
    check_against_reference(graph, &options, "known graph");
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static void known_distances(void **state) {
    (void)state;
    static const arc arcs[] = {{1, 2, 7}, {1, 3, 2}, {3, 2, 3}, {2, 4, 1}, {3, 4, 8}, {5, 1, 1}};
    static const uint32_t distances[] = {0, 5, 2, 6, UINT32_MAX};
    static const heddle_vertex parents[] = {UINT32_MAX, 2, 0, 1, UINT32_MAX};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, 6, HEDDLE_WEIGHT_I32);
    heddle_result *result = run_from_first(ctx, graph, HEDDLE_PRECISION_DEFAULT);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U32);
    assert_memory_equal(heddle_result_values(result)->data, distances, sizeof distances);
    assert_memory_equal(heddle_result_parents(result), parents, sizeof parents);
    assert_int_equal((int)figure_of(result, "reached"), 4);
    assert_int_equal((int)figure_of(result, "max"), 6);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* 2, 3 and 4 are at distance 5, in a ring of edges of weight 0 that is entered at 4. Over tight edges alone 2 and 3
 * could be each other's parents. */
static void ring_of_zeros(void **state) {
    (void)state;
    static const arc arcs[] = {{1, 4, 5}, {4, 3, 0}, {3, 2, 0}, {2, 3, 0}, {3, 4, 0}, {2, 2, 0}};
    static const heddle_vertex parents[] = {UINT32_MAX, 2, 3, 0};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, 6, HEDDLE_WEIGHT_U32);
    heddle_result *result = run_from_first(ctx, graph, HEDDLE_PRECISION_DEFAULT);
    assert_memory_equal(heddle_result_parents(result), parents, sizeof parents);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void outgrows_32_bits(void **state) {
    (void)state;
    static const arc arcs[] = {{1, 2, UINT32_MAX - 1}, {2, 3, UINT32_MAX}, {3, 4, UINT32_MAX}, {1, 5, 1}, {2, 6, 1}};
    static const uint64_t distances[] = {0, UINT32_MAX - 1, UINT64_C(2) * UINT32_MAX - 1, UINT64_C(3) * UINT32_MAX - 1,
                                         1, UINT32_MAX};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, 5, HEDDLE_WEIGHT_U32);
    heddle_result *result = run_from_first(ctx, graph, HEDDLE_PRECISION_DEFAULT);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U64);
    assert_memory_equal(heddle_result_values(result)->data, distances, sizeof distances);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Some sum on the way does not fit, but no distance needs it. */
static void stays_with_32_bits(void **state) {
    (void)state;
    static const arc arcs[] = {{1, 2, UINT32_MAX - 1}, {2, 3, UINT32_MAX}, {1, 3, 9}, {4, 1, 1}};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, 4, HEDDLE_WEIGHT_U32);
    heddle_result *result = run_from_first(ctx, graph, HEDDLE_PRECISION_DEFAULT);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_U32);
    assert_int_equal(((const uint32_t *)heddle_result_values(result)->data)[2], 9);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void single_on_request(void **state) {
    (void)state;
    static const float third = 1.0f / 3;
    uint32_t bits;
    memcpy(&bits, &third, sizeof bits);
    const arc arcs[] = {{1, 2, bits}, {2, 3, bits}, {3, 4, bits}};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, 3, HEDDLE_WEIGHT_F32);
    heddle_result *result = run_from_first(ctx, graph, HEDDLE_PRECISION_SINGLE);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F32);
    assert_true(((const float *)heddle_result_values(result)->data)[3] == third + third + third);
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY); /* not what was asked */
    heddle_result_destroy(&result);
    for (int i = 0; i < 2; i++) {
        result = run_from_first(ctx, graph, i ? HEDDLE_PRECISION_DOUBLE : HEDDLE_PRECISION_DEFAULT);
        assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F64);
        assert_true(((const double *)heddle_result_values(result)->data)[3] == 3 * (double)third);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Entries of a label that was improved since are told from new ones in double, too: they are not walked again. */
static void double_walks_no_more(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_skewed("a skewed graph", 3000, 60000, 9, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_F32);
    heddle_result *single = run_from_first(ctx, graph, HEDDLE_PRECISION_SINGLE);
    heddle_result *exact = run_from_first(ctx, graph, HEDDLE_PRECISION_DEFAULT);
    assert_true(heddle_result_report(exact)->edges_walked <= heddle_result_report(single)->edges_walked * 11 / 10);
    heddle_result_destroy(&single);
    heddle_result_destroy(&exact);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

static void refuse(const arc *arcs, uint64_t count, heddle_weight_type type, const char *words) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = graph_of(ctx, arcs, count, type);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
    support_assert_message(ctx, words);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void negative_weights(void **state) {
    (void)state;
    static const float minus = -0.25f;
    uint32_t bits;
    memcpy(&bits, &minus, sizeof bits);
    const arc whole[] = {{5, 70, 3}, {70, 900, (uint32_t)-2}, {900, 5, (uint32_t)-7}};
    const arc real[] = {{5, 70, 0}, {900, 5, bits}, {901, 5, 0}};
    refuse(whole, 3, HEDDLE_WEIGHT_I32, "from 70 to 900 has weight -2");
    refuse(real, 3, HEDDLE_WEIGHT_F32, "from 900 to 5 has weight -0.25");
}

/* ---- Buckets --------------------------------------------------------------------------------------------------- */

/* Any width of buckets gives the same distances; narrow ones leave many buckets beyond the near ones. */
static void any_delta(void **state) {
    (void)state;
    static const double deltas[] = {1e-30, 0.001, 1, 3, 100, 1e6, 1e12, 1e30};
    static const scheme schemes[] = {WEIGHTS_U32, WEIGHTS_HUGE, WEIGHTS_F32, WEIGHTS_MIXED};
    heddle_context *ctx = support_context(2);
    for (size_t w = 0; w < 4; w++)
        for (int i = 11; i < SHAPES; i += 5) {
            shape s = shape_at(i);
            heddle_graph *graph = case_graph(ctx, &s, schemes[w]);
            for (size_t d = 0; d < sizeof deltas / sizeof *deltas; d++) {
                heddle_run_options options;
                char where[100];
                heddle_run_options_init(&options);
                options.algorithm = "sssp";
                options.delta = deltas[d];
                snprintf(where, sizeof where, "%s, %s, delta %g", s.name, scheme_names[schemes[w]], deltas[d]);
                check_against_reference(graph, &options, where);
            }
            heddle_graph_destroy(&graph);
            shape_free(&s);
        }
    heddle_context_destroy(&ctx);
}

/* ---- Large ----------------------------------------------------------------------------------------------------- */

static void long_paths(void **state) {
    (void)state;
    check_shape("sssp", shape_path("a path of 10^6 vertices", support_large(1000000), false), WEIGHTS_U32);
    check_shape("sssp", shape_path("a path of 10^6 edges of weight 0", support_large(1000000), false),
                WEIGHTS_ALL_ZERO);
    check_shape("sssp", shape_path("a path of 10^5 heavy edges", 100000, false), WEIGHTS_HUGE);
}

static void large_stars(void **state) {
    (void)state;
    check_shape("sssp", shape_star("a large star", support_large(1000001), false, false), WEIGHTS_U32);
    check_shape("sssp", shape_star("a large star both ways", 300001, true, true), WEIGHTS_F32);
}

static void large_random(void **state) {
    (void)state;
    check_shape("sssp", shape_random("a large random graph", 30000, 300000, 7, true), WEIGHTS_U32);
    check_shape("sssp", shape_random("a large directed random graph", 30000, 300000, 8, false), WEIGHTS_MIXED);
    check_shape("sssp", shape_skewed("a large skewed graph", 30000, 300000, 9, true), WEIGHTS_ZEROS);
    check_shape("sssp", shape_grid("a large grid", 250), WEIGHTS_F32);
}

static void memory(void **state) {
    (void)state;
    check_out_of_memory("sssp", WEIGHTS_ZEROS);
    check_out_of_memory("sssp", WEIGHTS_HUGE);
    check_out_of_memory("sssp", WEIGHTS_NONE);
}

static void cancel(void **state) {
    (void)state;
    check_cancel("sssp", WEIGHTS_ZEROS);
    check_cancel("sssp", WEIGHTS_F32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(known_distances),
        cmocka_unit_test(ring_of_zeros),
        cmocka_unit_test(outgrows_32_bits),
        cmocka_unit_test(stays_with_32_bits),
        cmocka_unit_test(single_on_request),
        cmocka_unit_test(double_walks_no_more),
        cmocka_unit_test(negative_weights),
        cmocka_unit_test(any_delta),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(large_stars),
        cmocka_unit_test(large_random),
        cmocka_unit_test(memory),
        cmocka_unit_test(cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
