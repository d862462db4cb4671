/* test_blocks.c - bridges, articulation points and biconnected components: graphs that hurt against the reference,
 * which has them from chains; the validators. */
#include "value_cases.h"

static const char *const algorithms[] = {"bridges", "articulation", "biconnected"};

#define FOR_ALL(name) for (size_t i_ = 0; i_ < 3 && ((name) = algorithms[i_]); i_++)

/* Two triangles that share vertex 2, a bridge 4 - 5 to a square, a tail at 2, an edge 9 - 10 in both directions and
 * twice, a vertex with a loop. */
static const int64_t from[] = {0, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 6, 2, 9, 10, 9, 11},
                     to[] = {1, 2, 0, 3, 4, 2, 5, 6, 7, 8, 5, 5, 12, 10, 9, 10, 11};

static void known(void **state) {
    static const double pieces[] = {0, 0, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    static const heddle_vertex bridges[] = {2, 12, 4, 5, 9, 10};
    static const uint32_t sides[] = {1, 4, 1};
    static const heddle_vertex edges[] = {0, 1, 0, 2, 1, 2, 2, 3, 2, 4, 2, 12, 3,
                                          4, 4, 5, 5, 6, 5, 8, 6, 7, 7, 8, 9,  10};
    static const uint32_t blocks[] = {0, 0, 0, 1, 1, 2, 1, 3, 4, 4, 4, 4, 5};
    (void)state;
    check_known("articulation", 13, 17, from, to, false, pieces);
    check_known("articulation", 13, 17, from, to, true, pieces);
    for (int kind = 0; kind < 2; kind++) {
        heddle_context *ctx = support_context(2);
        heddle_run_options options = support_run_options(kind ? "biconnected" : "bridges", "cpu", "auto");
        heddle_graph *graph;
        heddle_result *result;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 13, 17, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        const heddle_forest *found = heddle_result_forest(result);
        assert_int_equal(found->edges, kind ? 13 : 3);
        assert_memory_equal(found->ends, kind ? edges : bridges, kind ? sizeof edges : sizeof bridges);
        assert_memory_equal(found->weights, kind ? blocks : sides, kind ? sizeof blocks : sizeof sides);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
}

static void shapes(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) check_values(name);
}

/* A recursion would need as many frames as there are vertices. */
static void deep(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) {
        check_structure_shape(name, shape_path("long path", support_large(2000000), false), WEIGHTS_NONE);
        check_structure_shape(name, shape_ring("long ring", support_large(1000000)), WEIGHTS_NONE);
        check_structure_shape(name, shape_grid("grid", 300), WEIGHTS_NONE);
        check_structure_shape(name, shape_random("sparse", 100000, 110000, 3, false), WEIGHTS_NONE);
    }
}

static void tiny_graphs(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) check_tiny(name, WEIGHTS_NONE, 1000);
}

static void wrong_values(void **state) {
    (void)state;
    check_wrong_values_of("articulation");
}

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const char *name, heddle_result *result) {
    heddle_run_options options = support_run_options(name, "cpu", "auto");
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
}

static void wrong_edges(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) {
        if (strcmp(name, "articulation") == 0)
            continue;
        heddle_context *ctx = support_context(1);
        heddle_run_options options = support_run_options(name, "cpu", "auto");
        heddle_graph *graph;
        heddle_result *result;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 13, 17, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        for (uint64_t k = 0; k < result->forest_edges; k++) {
            ((uint32_t *)result->forest_weights)[k]++;
            assert_rejected(ctx, graph, name, result);
            ((uint32_t *)result->forest_weights)[k]--;
            result->forest_ends[2 * k + 1] ^= 1;
            assert_rejected(ctx, graph, name, result);
            result->forest_ends[2 * k + 1] ^= 1;
        }
        result->forest_edges--;
        assert_rejected(ctx, graph, name, result);
        result->forest_edges++;
        support_assert_verified(ctx, graph, &options, result);
        result->report.figures[0].value += 1;
        assert_rejected(ctx, graph, name, result);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
}

static void out_of_memory(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) check_no_memory(name, shape_random("random", 100, 150, 1, false));
}

static void cancelled(void **state) {
    const char *name;
    (void)state;
    FOR_ALL(name) check_cancelled(name, shape_random("random", 300, 400, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),       cmocka_unit_test(shapes),        cmocka_unit_test(deep),
        cmocka_unit_test(tiny_graphs), cmocka_unit_test(wrong_values),  cmocka_unit_test(wrong_edges),
        cmocka_unit_test(cancelled),   cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
