/* test_weights.c - weights of 64 bits in graphs and algorithms: exact at the ends of their range, in both directions,
 * when arcs are joined, renamed and split, and in the figures of a result. */
#include "support.h"

#include "algorithm/algorithm.h"
#include "algorithm/views/ranked.h"
#include "base/random.h"
#include "graph/graph.h"

#include <math.h>

#define LARGE INT64_C(9007199254740993) /* 2^53 + 1: no double */

enum { VERTICES = 300, EDGES = 3000 };

static heddle_context *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = support_context(3);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

static heddle_graph *make(uint64_t n, uint64_t m, const int64_t *from, const int64_t *to, const void *weights,
                          heddle_weight_type type, const heddle_build_options *options) {
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, n, m, from, to, weights, type, options, &graph), HEDDLE_OK);
    return graph;
}

static const int64_t path_from[] = {0, 1, 2, 0}, path_to[] = {1, 2, 3, 3};

/* In both directions, transposed and rebuilt. */
static void weights_stay_what_they_are(void **state) {
    (void)state;
    static const int64_t whole[] = {INT64_MAX, INT64_MIN, LARGE, -LARGE};
    static const double real[] = {1e-50, -0x1.fffffffffffffp1023, 0x1p-1074, 0.1};
    for (int i = 0; i < 2; i++) {
        const void *weights = i ? (const void *)real : whole;
        heddle_graph *graph = make(4, 4, path_from, path_to, weights, i ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_I64, NULL);
        heddle_adjacency rows;
        support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK); /* 0>1 0>3 1>2 2>3 */
        const uint64_t *out = rows.weights, *given = weights;
        assert_true(out[0] == given[0] && out[1] == given[3] && out[2] == given[1] && out[3] == given[2]);
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &rows), HEDDLE_OK); /* 1<0 2<1 3<0 3<2 */
        const uint64_t *in = rows.weights;
        assert_true(in[0] == given[0] && in[1] == given[1] && in[2] == given[3] && in[3] == given[2]);
        heddle_graph_destroy(&graph);
    }
}

static void arcs_are_joined(void **state) {
    (void)state;
    static const int64_t from[] = {0, 1, 0}, to[] = {1, 0, 1}, whole[] = {LARGE + 1, LARGE, INT64_MAX};
    static const double real[] = {0.3, 0.1, 0.2};
    heddle_build_options options;
    heddle_adjacency rows;
    heddle_build_options_init(&options);
    options.symmetrize = 1;
    options.duplicates = HEDDLE_DUPLICATES_MIN;
    heddle_graph *graph = make(2, 3, from, to, whole, HEDDLE_WEIGHT_I64, &options);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    assert_true(((const int64_t *)rows.weights)[0] == LARGE && ((const int64_t *)rows.weights)[1] == LARGE);
    heddle_graph_destroy(&graph);
    options.symmetrize = 0;
    options.duplicates = HEDDLE_DUPLICATES_SUM;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 3, from, to, whole, HEDDLE_WEIGHT_I64, &options, &graph),
                          HEDDLE_E_LIMIT);
    graph = make(2, 3, from, to, real, HEDDLE_WEIGHT_F64, &options);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    assert_true(((const double *)rows.weights)[0] == 0.2 + 0.3);
    heddle_graph_destroy(&graph);
}

/* ---- Algorithms ------------------------------------------------------------------------------------------------- */

static heddle_graph *random_graph(heddle_weight_type type, bool negative, bool undirected) {
    static int64_t from[EDGES], to[EDGES];
    static uint64_t weights[EDGES];
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = undirected;
    for (uint64_t i = 0; i < EDGES; i++) {
        uint64_t word = hd_random(7, i);
        from[i] = (int64_t)hd_below(hd_random(1, i), VERTICES);
        to[i] = (int64_t)hd_below(hd_random(2, i), i % 5 ? VERTICES : 3);
        int64_t whole = (int64_t)(word >> 10) * (negative && word & 1 ? -1 : 1); /* 2^54 */
        double real = ldexp((double)whole, -(int)(word & 511));
        memcpy(&weights[i], type == HEDDLE_WEIGHT_I64 ? (const void *)&whole : &real, sizeof weights[i]);
    }
    return make(VERTICES, EDGES, from, to, weights, type, &options);
}

static void run_and_check(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_result *result, *expected;
    static const heddle_vertex source = 0;
    options.sources = &source;
    options.source_count = 1;
    options.parents = strcmp(algorithm, "mst") != 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    heddle_values values = *heddle_result_values(result), others = *heddle_result_values(expected);
    assert_int_equal(values.type, others.type);
    assert_int_equal(values.count, others.count);
    if (values.count)
        assert_memory_equal(values.data, others.data, values.count * 8);
    heddle_forest forest = *heddle_result_forest(result), other = *heddle_result_forest(expected);
    assert_int_equal(forest.edges, other.edges);
    if (forest.edges) {
        assert_memory_equal(forest.ends, other.ends, forest.edges * 2 * sizeof *forest.ends);
        assert_memory_equal(forest.weights, other.weights, forest.edges * 8);
        assert_string_equal(heddle_result_figure_text(result, 1), heddle_result_figure_text(expected, 1));
    }
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

static void algorithms_are_exact(void **state) {
    (void)state;
    static const char *const plans[] = {"auto", "transform=udt,K=8", "cusha-gs", "order=bfs"};
    for (int i = 0; i < 4; i++) {
        heddle_weight_type type = i & 1 ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_I64;
        heddle_graph *graph = random_graph(type, false, i & 2), *signs = random_graph(type, true, i & 2);
        for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
            run_and_check(graph, "sssp", plans[k]);
            run_and_check(signs, "sswp", plans[k]);
        }
        run_and_check(signs, "mst", "auto");
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&signs);
    }
}

static void ranks_order_as_weights(void **state) {
    (void)state;
    const hd_algorithm *mst = hd_algorithm_find("mst");
    static const double reals[] = {0.0, -0.0, -1e300, 0x1p-1074};
    static const int64_t wholes[] = {INT64_MAX, INT64_MIN, 0, INT64_MAX};
    static const uint32_t wanted[2][4] = {{1, 1, 0, 2}, {2, 0, 1, 2}};
    for (int i = 0; i < 2; i++) {
        static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 0};
        heddle_graph *graph =
            make(4, 4, from, to, i ? (const void *)wholes : reals, i ? HEDDLE_WEIGHT_I64 : HEDDLE_WEIGHT_F64, NULL);
        hd_ranked ranked;
        support_assert_status(ctx, hd_ranked_make(&(hd_run){.ctx = ctx, .graph = graph, .algorithm = mst}, &ranked),
                              HEDDLE_OK);
        assert_int_equal(ranked.count, 3);
        assert_memory_equal(ranked.graph->out.weights, wanted[i], sizeof wanted[i]);
        hd_ranked_free(ctx, &ranked);
        heddle_graph_destroy(&graph);
    }
    heddle_graph *large = random_graph(HEDDLE_WEIGHT_F64, true, true);
    hd_ranked ranked;
    support_assert_status(ctx, hd_ranked_make(&(hd_run){.ctx = ctx, .graph = large, .algorithm = mst}, &ranked),
                          HEDDLE_OK);
    const uint32_t *ranks = ranked.graph->out.weights;
    const double *weights = large->out.weights, *by_rank = (const double *)ranked.weights;
    for (uint64_t e = 0; e < large->edges; e++)
        assert_true(by_rank[ranks[e]] == weights[e]);
    for (uint64_t r = 1; r < ranked.count; r++)
        assert_true(by_rank[r - 1] < by_rank[r]);
    hd_ranked_free(ctx, &ranked);
    heddle_graph_destroy(&large);
}

static void figures_and_values_as_text(void **state) {
    (void)state;
    static const int64_t weights[] = {LARGE, LARGE - 1, 1, 3 * LARGE};
    heddle_graph *graph = make(4, 4, path_from, path_to, weights, HEDDLE_WEIGHT_I64, NULL);
    heddle_run_options options = support_run_options("sssp", "cpu", "auto");
    static const heddle_vertex source = 0;
    heddle_result *result;
    char text[8];
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_string_equal(heddle_result_report(result)->figures[1].name, "max");
    assert_string_equal(heddle_result_figure_text(result, 1), "18014398509481986");
    assert_null(heddle_result_figure_text(result, heddle_result_report(result)->figure_count));
    assert_int_equal(heddle_result_value_text(result, 1, text, sizeof text), 16);
    assert_string_equal(text, "9007199");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static heddle_status attempt(heddle_context *limited, void *user) {
    static const int64_t from[] = {0, 1, 2, 0, 0}, to[] = {1, 2, 3, 3, 1}, weights[] = {LARGE, -1, 1, 5, 6};
    const char *algorithm = user;
    heddle_build_options build;
    heddle_graph *graph;
    heddle_result *result = NULL;
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    HD_TRY(heddle_graph_from_edges(limited, 4, 5, from, to, weights, HEDDLE_WEIGHT_I64, &build, &graph));
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    heddle_status status = heddle_run(limited, graph, &options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    support_try_every_failure(attempt, (void *)"mst");
    support_try_every_failure(attempt, (void *)"sswp");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_stay_what_they_are), cmocka_unit_test(arcs_are_joined),
        cmocka_unit_test(algorithms_are_exact),       cmocka_unit_test(ranks_order_as_weights),
        cmocka_unit_test(figures_and_values_as_text), cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
