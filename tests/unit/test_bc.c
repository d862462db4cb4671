/* test_bc.c - betweenness: values of NetworkX, the reference on graphs that hurt, path counts without end, the same
 * bits for any number of threads.
 *
 * The golden values come from NetworkX 2.8.8, betweenness_centrality(G, normalized=...) and
 * betweenness_centrality_subset(G, sources, list(G)): parallel edges count once, ends of a path do not count.
 */
#include "rank_cases.h"

#include "base/random.h"

#include <math.h>

static const double karate_centrality[KARATE] = {231.0714285714,
                                                 28.4785714286,
                                                 75.8507936508,
                                                 6.2880952381,
                                                 0.3333333333,
                                                 15.8333333333,
                                                 15.8333333333,
                                                 0,
                                                 29.5293650794,
                                                 0.4476190476,
                                                 0.3333333333,
                                                 0,
                                                 0,
                                                 24.2158730159,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 17.1468253968,
                                                 0,
                                                 0,
                                                 0,
                                                 9.3,
                                                 1.1666666667,
                                                 2.0277777778,
                                                 0,
                                                 11.7920634921,
                                                 0.9476190476,
                                                 1.5428571429,
                                                 7.6095238095,
                                                 73.0095238095,
                                                 76.6904761905,
                                                 160.5515873016};

/* From the sources 0 and 5. */
static const double karate_from[KARATE] = {14.1666666667,
                                           0.5,
                                           3.9126984127,
                                           0,
                                           0,
                                           0.25,
                                           0.4166666667,
                                           0,
                                           3.2698412698,
                                           0,
                                           0.1666666667,
                                           0,
                                           0,
                                           1.4682539683,
                                           0,
                                           0,
                                           0,
                                           0,
                                           0,
                                           1.4682539683,
                                           0,
                                           0,
                                           0,
                                           0,
                                           0,
                                           0.1111111111,
                                           0,
                                           0.1111111111,
                                           0,
                                           0,
                                           0,
                                           5.3809523810,
                                           2.9047619048,
                                           4.8730158730};

static const double mixed_centrality[MIXED] = {2, 2, 6.1666666667, 1.3333333333, 1, 2.6666666667, 0.8333333333, 0};
static const double mixed_from_0_2[MIXED] = {2, 2, 3, 1, 0, 1, 0, 0};

static heddle_run_options bc_options(const heddle_vertex *sources, uint64_t count) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bc";
    options.sources = sources;
    options.source_count = count;
    return options;
}

static void assert_values(const heddle_result *result, const double *expected, uint64_t count, double scale,
                          double within, const char *where) {
    assert_int_equal(heddle_result_values(result)->count, count);
    for (uint64_t v = 0; v < count; v++) {
        double value = heddle_result_value(result, (heddle_vertex)v), want = expected[v] * scale;
        if (!(fabs(value - want) <= within * want + 1e-10 * (within > 0)))
            fail_msg("%s: vertex %llu has centrality %.17g, expected %.17g", where, (unsigned long long)v, value, want);
    }
}

/* Runs with several numbers of threads: the same bits. Returns the first result. */
static heddle_result *run_all(const heddle_graph *graph, const heddle_run_options *options, const char *where) {
    heddle_result *first = NULL, *result = NULL;
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *ctx = support_context(*threads);
        support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
        if (first) {
            assert_same_result(result, first, where);
            heddle_result_destroy(&result);
        } else {
            first = result;
        }
        heddle_context_destroy(&ctx);
    }
    return first;
}

/* The same, and the reference within rounding, and the validator's consent. */
static void check(const heddle_graph *graph, const heddle_run_options *options, const char *where) {
    heddle_context *ctx = support_context(2);
    heddle_result *expected, *result = run_all(graph, options, where);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, options, &expected), HEDDLE_OK);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++) {
        double value = heddle_result_value(result, (heddle_vertex)v);
        double want = heddle_result_value(expected, (heddle_vertex)v);
        if (!(fabs(value - want) <= (options->precision == HEDDLE_PRECISION_SINGLE ? 1.2e-7 : 1e-12) * want))
            fail_msg("%s: vertex %llu has centrality %.17g, expected %.17g", where, (unsigned long long)v, value, want);
    }
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, expected), HEDDLE_OK);
    heddle_result_destroy(&expected);
    heddle_result_destroy(&result);
    heddle_context_destroy(&ctx);
}

static void golden_karate(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = karate_graph(ctx);
    heddle_vertex sources[] = {0, 5};
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *result = run_all(graph, &options, "karate");
    assert_values(result, karate_centrality, KARATE, 1, 1e-9, "karate");
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F64);
    heddle_result_destroy(&result);
    options.normalized = 1;
    result = run_all(graph, &options, "karate, normalised");
    assert_values(result, karate_centrality, KARATE, 2.0 / (33 * 32), 1e-9, "karate, normalised");
    heddle_result_destroy(&result);
    options = bc_options(sources, 2);
    result = run_all(graph, &options, "karate, two sources");
    assert_values(result, karate_from, KARATE, 1, 1e-9, "karate, two sources");
    heddle_result_destroy(&result);
    options.precision = HEDDLE_PRECISION_SINGLE;
    result = run_all(graph, &options, "karate, single");
    assert_values(result, karate_from, KARATE, 1, 1.2e-7, "karate, single");
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F32);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void golden_directed(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = mixed_graph(ctx);
    heddle_vertex sources[] = {0, 2};
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *result = run_all(graph, &options, "directed");
    assert_values(result, mixed_centrality, MIXED, 1, 1e-9, "directed");
    heddle_result_destroy(&result);
    options.normalized = 1;
    result = run_all(graph, &options, "directed, normalised");
    assert_values(result, mixed_centrality, MIXED, 1.0 / (7 * 6), 1e-9, "directed, normalised");
    heddle_result_destroy(&result);
    options = bc_options(sources, 2);
    result = run_all(graph, &options, "directed, two sources");
    assert_values(result, mixed_from_0_2, MIXED, 1, 1e-9, "directed, two sources");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void small_shapes(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        heddle_vertex last = (heddle_vertex)(s.vertices - 1);
        heddle_vertex sources[] = {0, last, (heddle_vertex)(s.vertices / 2), last};
        heddle_run_options options = bc_options(NULL, 0);
        check(graph, &options, s.name);
        options.normalized = 1;
        options.precision = HEDDLE_PRECISION_SINGLE;
        check(graph, &options, s.name);
        options = bc_options(sources, 1);
        check(graph, &options, s.name);
        options = bc_options(sources, 4);
        check(graph, &options, s.name);
        options = bc_options(NULL, 0);
        options.samples = 1 + s.vertices / 3;
        check(graph, &options, s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

static void no_vertices(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_run_options options = bc_options(NULL, 0);
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    check(graph, &options, "no vertices");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Rows long enough to be shared out, levels large enough for a team, up and down; many levels. */
static void large_shapes(void **state) {
    (void)state;
    enum { LEAVES = 70000 };
    heddle_context *ctx = support_context(2);
    shape twins = shape_new("two hubs with the same leaves", LEAVES + 4, 4 * LEAVES + 10);
    for (uint64_t v = 0; v < LEAVES; v++) {
        shape_edge(&twins, LEAVES, v);
        shape_edge(&twins, LEAVES, v); /* parallel */
        shape_edge(&twins, v, LEAVES + 1);
        if (v % 3 == 0)
            shape_edge(&twins, v, LEAVES + 2);
    }
    shape_edge(&twins, LEAVES + 1, LEAVES + 3);
    shape_edge(&twins, LEAVES + 2, LEAVES + 3);
    shape_edge(&twins, LEAVES + 3, LEAVES);
    shape hubs = shape_new("hubs behind each other", 3 * (1 + 4 * (LEAVES / 2)) + 1, 3 * (1 + 4 * (LEAVES / 2)));
    for (uint64_t hub = 0, v = 4; hub < 3; hub++) {
        shape_edge(&hubs, 0, 1 + hub);
        for (uint64_t leaf = 0; leaf < LEAVES / 2; leaf++, v += 4) {
            shape_edge(&hubs, 1 + hub, v);
            for (uint64_t k = 1; k < 4; k++)
                shape_edge(&hubs, v, v + k);
        }
    }
    shape shapes[] = {twins,
                      hubs,
                      shape_path("long path", support_large(1000000), false),
                      shape_star("large star", support_large(1000000), false, true),
                      shape_star("large star inward", 100000, true, false),
                      shape_clique("large clique", 300),
                      shape_skewed("large skewed", 50000, 600000, 7, false),
                      shape_skewed("large skewed both ways", 50000, 600000, 8, true),
                      shape_random("large random", 100000, 400000, 9, true),
                      shape_grid("large grid", 300)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_NONE);
        heddle_vertex sources[] = {0, (heddle_vertex)(shapes[i].vertices - 1), (heddle_vertex)(shapes[i].vertices / 3)};
        heddle_run_options options = bc_options(sources, 3);
        check(graph, &options, shapes[i].name);
        heddle_graph_destroy(&graph);
        shape_free(&shapes[i]);
    }
    heddle_context_destroy(&ctx);
}

/* More sources than slots, run at once: v (n - 1 - v) paths pass through vertex v of a path. */
static void path_by_hand(void **state) {
    (void)state;
    enum { LENGTH = 700 };
    static double expected[LENGTH];
    heddle_context *ctx = support_context(1);
    shape s = shape_path("path", LENGTH, false);
    s.symmetric = true;
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *result = run_all(graph, &options, "path");
    for (int v = 0; v < LENGTH; v++)
        expected[v] = (double)v * (LENGTH - 1 - v);
    assert_values(result, expected, LENGTH, 1, 0, "path");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* ---- Path counts without end --------------------------------------------------------------------------------- */

/* Diamonds in a row, from vertex `first` on: joint, two ways, joint, two ways, joint … Returns the last joint. */
static uint64_t add_diamonds(shape *s, uint64_t first, uint64_t next, uint64_t stages) {
    uint64_t joint = first;
    for (uint64_t k = 0; k < stages; k++, next += 3) {
        shape_edge(s, joint, next);
        shape_edge(s, joint, next + 1);
        shape_edge(s, next, next + 2);
        shape_edge(s, next + 1, next + 2);
        joint = next + 2;
    }
    return joint;
}

static void check_diamonds(uint64_t stages) {
    heddle_context *ctx = support_context(1);
    shape s = shape_new("diamonds", 3 * stages + 1, 4 * stages);
    double *expected = calloc(s.vertices, sizeof *expected);
    heddle_vertex source = 0;
    heddle_run_options options = bc_options(&source, 1);
    assert_non_null(expected);
    add_diamonds(&s, 0, 1, stages);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result = run_all(graph, &options, "diamonds");
    /* everything behind a joint depends on it, and half of that on each way to it: exact in double */
    for (uint64_t k = 0; k < stages; k++) {
        expected[3 * k + 3] = 3.0 * (double)(stages - 1 - k);
        expected[3 * k + 1] = expected[3 * k + 2] = (1 + expected[3 * k + 3]) / 2;
    }
    assert_values(result, expected, s.vertices, 1, 0, "diamonds");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
    free(expected);
}

/* 2^1200, 2^3000 and 2^20000 shortest paths between the ends. */
static void many_paths(void **state) {
    (void)state;
    check_diamonds(100);
    check_diamonds(1200);
    check_diamonds(3000);
    check_diamonds(20000);
}

/* One level with counts from 1 to 2^2500: diamonds beside a plain path of the same length. Both lead on to a tail of
 * their own and to one common end, which then belongs to the diamonds but for one part in 2^2500. */
static void check_uneven(bool path_first, bool symmetric) {
    enum { STAGES = 2500, TAIL = 40 };
    uint64_t diamonds = path_first ? 1 + 2 * STAGES : 1, line = path_first ? 1 : 1 + 3 * STAGES;
    uint64_t tails = 1 + 5 * STAGES, end = tails + 2 * TAIL, n = end + 1;
    heddle_context *ctx = support_context(1);
    shape s = shape_new("uneven", n, 8 * STAGES + 4 * TAIL);
    double *expected = calloc(n, sizeof *expected), *joints = expected + diamonds - 1;
    heddle_vertex source = 0;
    heddle_run_options options = bc_options(&source, 1);
    assert_non_null(expected);
    s.symmetric = symmetric;
    uint64_t joint = add_diamonds(&s, 0, diamonds, STAGES), last = line + 2 * STAGES - 1;
    for (uint64_t k = 0; k < 2 * STAGES; k++)
        shape_edge(&s, k ? line + k - 1 : 0, line + k);
    for (uint64_t k = 0; k < TAIL; k++) {
        shape_edge(&s, k ? tails + k - 1 : joint, tails + k);
        shape_edge(&s, k ? tails + TAIL + k - 1 : last, tails + TAIL + k);
        expected[tails + k] = expected[tails + TAIL + k] = TAIL - 1 - (double)k;
    }
    shape_edge(&s, joint, end);
    shape_edge(&s, joint, end); /* parallel */
    shape_edge(&s, last, end);
    for (uint64_t k = 0; k < STAGES; k++) {
        joints[3 * k + 3] = 3.0 * (double)(STAGES - 1 - k) + TAIL + 1;
        joints[3 * k + 1] = joints[3 * k + 2] = (1 + joints[3 * k + 3]) / 2;
    }
    for (uint64_t k = 0; k < 2 * STAGES; k++)
        expected[line + k] = 2.0 * STAGES - 1 - (double)k + TAIL;
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result = run_all(graph, &options, "uneven");
    assert_values(result, expected, n, symmetric ? 0.5 : 1, 0, "uneven");
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    /* twice over, among others: nothing is left behind from a source to the next */
    heddle_vertex several[] = {1, 0, 2, 0, (heddle_vertex)diamonds};
    options = bc_options(several, 5);
    check(graph, &options, "uneven, several sources");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
    free(expected);
}

static void uneven_paths(void **state) {
    (void)state;
    check_uneven(false, false);
    check_uneven(true, false);
    check_uneven(false, true);
    check_uneven(true, true);
}

/* Where long double ends, the check says so rather than accept or reject. */
static void too_many_to_check(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_new("diamonds", 3 * 17000 + 1, 4 * 17000);
    heddle_vertex source = 0;
    heddle_run_options options = bc_options(&source, 1);
    heddle_result *result, *reference;
    add_diamonds(&s, 0, 1, 17000);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "shortest paths");
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &reference), HEDDLE_E_LIMIT);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* ---- Options ------------------------------------------------------------------------------------------------- */

static void samples(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_vertex shuffled[KARATE];
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *sampled, *given;
    options.samples = 7;
    options.seed = 42;
    /* the rule that docs/verification.md states */
    for (heddle_vertex v = 0; v < KARATE; v++)
        shuffled[v] = v;
    for (uint64_t i = 0; i < options.samples; i++) {
        uint64_t j = i + hd_below(hd_random(42, i), KARATE - i);
        heddle_vertex v = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = v;
    }
    heddle_run_options listed = bc_options(shuffled, 7);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &sampled), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &listed, &given), HEDDLE_OK);
    for (heddle_vertex v = 0; v < KARATE; v++) {
        double want = heddle_result_value(given, v) * KARATE / 7;
        if (!(fabs(heddle_result_value(sampled, v) - want) <= 1e-12 * want))
            fail_msg("vertex %u: %.17g from samples, expected %.17g", v, heddle_result_value(sampled, v), want);
    }
    heddle_result_destroy(&sampled);
    heddle_result_destroy(&given);
    /* all vertices are no sample */
    for (options.samples = KARATE; options.samples <= KARATE + 1; options.samples++) {
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &sampled), HEDDLE_OK);
        assert_values(sampled, karate_centrality, KARATE, 1, 1e-9, "as many samples as vertices");
        heddle_result_destroy(&sampled);
    }
    assert_true(strstr(support_last_note(), "35 samples of 34") != NULL);
    options.sources = shuffled;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &sampled), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "sources and samples");
    options.samples = 0;
    shuffled[0] = KARATE;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &sampled), HEDDLE_E_SOURCE);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void report(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    const heddle_report *r = heddle_result_report(result);
    assert_int_equal(r->figure_count, 2);
    assert_string_equal(r->figures[0].name, "max");
    assert_true(fabs(r->figures[0].value - karate_centrality[0]) < 1e-8);
    assert_string_equal(r->figures[1].name, "sources");
    assert_true(r->figures[1].value == KARATE);
    assert_true(r->edges_walked > 0 && r->iterations > KARATE && r->converged == 1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void cancelled(void **state) {
    (void)state;
    heddle_run_options options = bc_options(NULL, 0);
    check_cancelled_run(&options);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_run_options options = bc_options(NULL, 0);
    heddle_result *result = NULL;
    options.samples = 30;
    options.precision = HEDDLE_PRECISION_SINGLE;
    heddle_status status = heddle_run(ctx, user, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, user, &options, result);
    heddle_result_destroy(&result);
    if (status == HEDDLE_OK)
        status = heddle_run_reference(ctx, user, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static heddle_status attempt_wide(heddle_context *ctx, void *user) {
    heddle_vertex sources[] = {0, 0, 0};
    heddle_run_options options = bc_options(sources, 3);
    heddle_result *result = NULL;
    heddle_status status = heddle_run(ctx, user, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_adjacency in;
    support_try_every_failure(attempt, graph);
    heddle_graph_destroy(&graph);
    shape s = shape_new("uneven", 3 * 2000 + 4001, 12000);
    add_diamonds(&s, 0, 1, 2000);
    for (uint64_t k = 0; k < 4000; k++)
        shape_edge(&s, k ? 6000 + k : 0, 6001 + k);
    graph = case_graph(ctx, &s, WEIGHTS_NONE);
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK); /* they stay with the graph */
    support_try_every_failure(attempt_wide, graph);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_karate), cmocka_unit_test(golden_directed), cmocka_unit_test(small_shapes),
        cmocka_unit_test(no_vertices),   cmocka_unit_test(large_shapes),    cmocka_unit_test(path_by_hand),
        cmocka_unit_test(many_paths),    cmocka_unit_test(uneven_paths),    cmocka_unit_test(too_many_to_check),
        cmocka_unit_test(samples),       cmocka_unit_test(report),          cmocka_unit_test(cancelled),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
