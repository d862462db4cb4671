/* test_pr.c - PageRank: values of NetworkX, the reference on graphs that hurt, the same bits for any number of threads.
 *
 * The golden values come from NetworkX 2.8.8, pagerank(G, alpha=0.85, tol=1e-15, weight=...), which is the definition
 * that src/algorithm/pr/pr.c states.
 */
#include "device_case.h"
#include "rank_cases.h"

#include "engine/result.h"

#include <math.h>

static const double karate_ranks[KARATE] = {0.0969972854, 0.0528769241, 0.0570785095, 0.0358598578, 0.0219779524,
                                            0.0291111547, 0.0291111547, 0.0244904970, 0.0297660561, 0.0143093971,
                                            0.0219779524, 0.0095647455, 0.0146448920, 0.0295364562, 0.0145359940,
                                            0.0145359940, 0.0167840054, 0.0145586772, 0.0145359940, 0.0196046363,
                                            0.0145359940, 0.0145586772, 0.0145359940, 0.0315225148, 0.0210760336,
                                            0.0210061974, 0.0150440381, 0.0256397675, 0.0195734595, 0.0262885377,
                                            0.0245901552, 0.0371580871, 0.0716932260, 0.1009191823};

/* With personalization={0: 3, 33: 1}. */
static const double karate_personal[KARATE] = {0.2118272586, 0.0567568280, 0.0529592236, 0.0393737875, 0.0246069662,
                                               0.0300313852, 0.0300313852, 0.0266931774, 0.0283817831, 0.0097670074,
                                               0.0246069662, 0.0112533231, 0.0168312763, 0.0319586509, 0.0086289122,
                                               0.0086289122, 0.0127633387, 0.0166136902, 0.0086289122, 0.0218791636,
                                               0.0086289122, 0.0166136902, 0.0086289122, 0.0181604336, 0.0104825041,
                                               0.0102679105, 0.0085250846, 0.0158243240, 0.0139776014, 0.0153393469,
                                               0.0188141824, 0.0297218399, 0.0474838416, 0.1053094684};

static const double mixed_ranks[MIXED] = {0.0373346632, 0.0368462528, 0.0577257961, 0.0649298491,
                                          0.3712026963, 0.3795629288, 0.0314187926, 0.0209790210};
static const double mixed_weighted[MIXED] = {0.0291260034, 0.0271682967, 0.0575081109, 0.1236160396,
                                             0.3590116356, 0.3564800824, 0.0261108104, 0.0209790210};
/* With personalization={0: 1, 6: 2, 7: 1}. */
static const double mixed_personal[MIXED] = {0.0586913301, 0.0249438153, 0.0390786439, 0.0192561434,
                                             0.3297694835, 0.3783360266, 0.1023055096, 0.0476190476};

static heddle_run_options pr_options(heddle_precision precision, double tolerance) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    options.precision = precision;
    options.tolerance = tolerance;
    options.max_iterations = 1000;
    return options;
}

static double figure(const heddle_result *result, const char *name) {
    const heddle_report *report = heddle_result_report(result);
    for (uint32_t k = 0; k < report->figure_count; k++)
        if (strcmp(report->figures[k].name, name) == 0)
            return report->figures[k].value;
    fail_msg("no figure '%s'", name);
    return 0;
}

static void assert_ranks(const heddle_result *result, const double *expected, uint64_t count, double within,
                         const char *where) {
    assert_int_equal(heddle_result_values(result)->count, count);
    for (uint64_t v = 0; v < count; v++)
        if (!(fabs(heddle_result_value(result, (heddle_vertex)v) - expected[v]) <= within))
            fail_msg("%s: vertex %llu has rank %.12g, expected %.12g within %g", where, (unsigned long long)v,
                     heddle_result_value(result, (heddle_vertex)v), expected[v], within);
}

/* Runs with several numbers of threads: the same bits, the validator's consent, a sum of 1. Returns the first. */
static heddle_result *run_all(const heddle_graph *graph, const heddle_run_options *options, const char *where) {
    heddle_result *first = NULL, *result = NULL;
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *ctx = support_context(*threads);
        support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
        if (!first) {
            support_assert_verified(ctx, graph, options, result);
            assert_int_equal(heddle_result_report(result)->verified, heddle_result_report(result)->converged);
        }
        if (heddle_graph_vertices(graph) && !(fabs(figure(result, "sum") - 1) < 1e-6))
            fail_msg("%s: the ranks add up to %.12g", where, figure(result, "sum"));
        if (first) {
            assert_same_result(result, first, where);
            assert_int_equal(heddle_result_report(result)->iterations, heddle_result_report(first)->iterations);
            heddle_result_destroy(&result);
        } else {
            first = result;
        }
        heddle_context_destroy(&ctx);
    }
    return first;
}

static void check_golden(heddle_graph *graph, heddle_run_options options, const double *expected, uint64_t count,
                         const char *where) {
    heddle_context *ctx = support_context(1);
    heddle_result *result = run_all(graph, &options, where);
    assert_int_equal(heddle_result_report(result)->converged, 1);
    assert_ranks(result, expected, count, options.precision == HEDDLE_PRECISION_DOUBLE ? 2e-10 : 1e-6, where);
    heddle_result_destroy(&result);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_OK);
    assert_ranks(result, expected, count, options.precision == HEDDLE_PRECISION_DOUBLE ? 2e-10 : 1e-6, where);
    heddle_result_destroy(&result);
    heddle_context_destroy(&ctx);
}

static void golden_karate(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = karate_graph(ctx);
    double personal[KARATE] = {[0] = 3, [33] = 1};
    heddle_run_options fine = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-14),
                       plain = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    check_golden(graph, fine, karate_ranks, KARATE, "karate, double");
    check_golden(graph, plain, karate_ranks, KARATE, "karate, single");
    fine.personalization = plain.personalization = personal;
    check_golden(graph, fine, karate_personal, KARATE, "karate, personalised, double");
    check_golden(graph, plain, karate_personal, KARATE, "karate, personalised, single");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void golden_directed(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = mixed_graph(ctx);
    double personal[MIXED] = {[0] = 1, [6] = 2, [7] = 1};
    heddle_run_options fine = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-14),
                       plain = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    check_golden(graph, fine, mixed_ranks, MIXED, "directed, double");
    check_golden(graph, plain, mixed_ranks, MIXED, "directed, single");
    fine.weighted = plain.weighted = 1;
    check_golden(graph, fine, mixed_weighted, MIXED, "directed, weighted, double");
    check_golden(graph, plain, mixed_weighted, MIXED, "directed, weighted, single");
    fine.weighted = 0;
    fine.personalization = personal;
    check_golden(graph, fine, mixed_personal, MIXED, "directed, personalised, double");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Against the reference: close in double, and within what the tolerance allows in single. */
static void check_shape_ranks(const shape *s, scheme w) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, s, w);
    for (int turn = 0; turn < 2; turn++) {
        heddle_run_options options =
            turn ? pr_options(HEDDLE_PRECISION_DEFAULT, 0) : pr_options(HEDDLE_PRECISION_DOUBLE, 1e-13);
        heddle_result *expected, *result = run_all(graph, &options, s->name);
        options.weighted = w != WEIGHTS_NONE;
        heddle_result_destroy(&result);
        result = run_all(graph, &options, s->name);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
        for (uint64_t v = 0; v < s->vertices; v++) {
            double want = heddle_result_value(expected, (heddle_vertex)v);
            if (!(fabs(heddle_result_value(result, (heddle_vertex)v) - want) <= (turn ? 2e-6 : 1e-12)))
                fail_msg("%s, %s: vertex %llu has rank %.12g, expected %.12g", s->name, scheme_names[w],
                         (unsigned long long)v, heddle_result_value(result, (heddle_vertex)v), want);
        }
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void small_shapes(void **state) {
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_ALL_ZERO,
                                     WEIGHTS_HUGE, WEIGHTS_I32, WEIGHTS_MIXED, WEIGHTS_ENORMOUS};
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
            check_shape_ranks(&s, schemes[k]);
        shape_free(&s);
    }
}

static void no_vertices(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    heddle_result *result = run_all(graph, &options, "no vertices");
    assert_int_equal(heddle_result_values(result)->count, 0);
    assert_int_equal(heddle_result_report(result)->converged, 1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Enough vertices and edges for several blocks, chunks and pieces. */
static void large_shapes(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape shapes[] = {shape_path("long path", support_large(1000000), false),
                      shape_star("large star", support_large(1000000), false, true),
                      shape_star("large star inward", 300000, true, false),
                      shape_clique("large clique", 700),
                      shape_skewed("large skewed", 100000, 1500000, 7, false),
                      shape_random("large random", 200000, 1000000, 8, true)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_NONE);
        heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
        options.max_iterations = 10 / support_stride(3);
        heddle_result *result = run_all(graph, &options, shapes[i].name);
        heddle_result_destroy(&result);
        options.precision = HEDDLE_PRECISION_DOUBLE;
        options.max_iterations = 3;
        result = run_all(graph, &options, shapes[i].name);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        shape_free(&shapes[i]);
    }
    heddle_context_destroy(&ctx);
}

/* Rows of an undirected graph near each other, sorted by length: a grid with vertices without edges and some of many,
 * and strips that hold an edge to the far end. */
static shape shape_near(uint64_t side) {
    shape s = shape_new("near", side * side, 3 * side * side);
    s.symmetric = true;
    for (uint64_t v = 0; v < s.vertices; v++) {
        if (v % side + 1 < side && case_hash(v) % 5)
            shape_edge(&s, v, v + 1);
        if (v + side < s.vertices && case_hash(v + s.vertices) % 5)
            shape_edge(&s, v, v + side);
        for (uint64_t k = 2; v % 1000 == 500 && k < 24; k++)
            shape_edge(&s, v, v + k);
        if (v % 3000 == 700)
            shape_edge(&s, v, s.vertices - 1 - v / 3000);
    }
    return s;
}

/* Even degrees, neighbours far off. Random: few rounds do. Else a ring of rings, renumbered: many are needed, and the
 * edges are grouped on the way. */
static shape shape_even(const char *name, uint64_t n, bool random) {
    shape s = shape_new(name, n, 5 * n);
    s.symmetric = true;
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t k = 1; k <= 5; k++)
            if (random)
                shape_edge(&s, v, case_hash(5 * v + k) % n);
            else if (case_hash(5 * v + k) % 8)
                shape_edge(&s, v * 65537 % n, (v + k) % n * 65537 % n);
    return s;
}

/* The ways by rows: the ranks are the reference's, within what two runs of one tolerance can differ. */
static void rows_of_undirected(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    const uint64_t many = support_large(270000);
    shape shapes[] = {shape_near(300), shape_even("random", many, true), shape_even("renumbered ring", many, false)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_NONE);
        heddle_run_options options = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-6);
        heddle_result *expected, *result = run_all(graph, &options, shapes[i].name);
        double apart = 0;
        assert_int_equal(heddle_result_report(result)->converged, 1);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
        for (uint64_t v = 0; v < shapes[i].vertices; v++)
            apart +=
                fabs(heddle_result_value(result, (heddle_vertex)v) - heddle_result_value(expected, (heddle_vertex)v));
        if (!(apart <= 2 * 0.85 * 1e-6 / 0.15))
            fail_msg("%s: the ranks are %.3g from the reference's", shapes[i].name, apart);
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
        options = pr_options(HEDDLE_PRECISION_SINGLE, 1e-5);
        result = run_all(graph, &options, shapes[i].name);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        shape_free(&shapes[i]);
    }
    heddle_context_destroy(&ctx);
}

static void rmat(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        heddle_generate_options generate;
        heddle_graph *graph;
        heddle_generate_options_init(&generate);
        generate.scale = 15;
        generate.build.symmetrize = symmetric;
        support_assert_status(ctx, heddle_graph_generate(ctx, &generate, &graph), HEDDLE_OK);
        heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0),
                           fine = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-13);
        heddle_result *expected, *result = run_all(graph, &options, "R-MAT");
        double apart = 0, tolerance = 1e-6, damping = 0.85;
        assert_int_equal(heddle_result_report(result)->converged, 1);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &fine, &expected), HEDDLE_OK);
        for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
            apart +=
                fabs(heddle_result_value(result, (heddle_vertex)v) - heddle_result_value(expected, (heddle_vertex)v));
        if (!(apart <= (damping * tolerance + 0x1p-22) / (1 - damping))) /* as docs/verification.md says */
            fail_msg("R-MAT: the ranks are %.3g from the true ones", apart);
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* A star's ranks by hand: every leaf gives all to the hub, the hub 1/k to each leaf. */
static void star_by_hand(void **state) {
    (void)state;
    const uint64_t leaves = support_large(1000000);
    heddle_context *ctx = support_context(2);
    shape s = shape_star("star", leaves + 1, false, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    heddle_result *result;
    double n = (double)leaves + 1, d = 0.85, hub = ((1 - d) / n + d * (1 - d) * (n - 1) / n) / (1 - d * d);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    if (!(fabs(heddle_result_value(result, 0) - hub) < 1e-6))
        fail_msg("the hub of a star has rank %.9g, expected %.9g", heddle_result_value(result, 0), hub);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void rounds_and_tolerance(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    heddle_result *result;
    options.max_iterations = 1;
    result = run_all(graph, &options, "one round");
    assert_int_equal(heddle_result_report(result)->iterations, 1);
    assert_int_equal(heddle_result_report(result)->converged, 0);
    assert_true(figure(result, "residual") > 0.01);
    heddle_result_destroy(&result);
    /* far below what single could reach: worked in double, rounded at the end */
    options = pr_options(HEDDLE_PRECISION_SINGLE, 1e-13);
    result = run_all(graph, &options, "single with a fine tolerance");
    assert_int_equal(heddle_result_report(result)->converged, 1);
    assert_int_equal(heddle_result_values(result)->type, HEDDLE_VALUE_F32);
    for (int v = 0; v < KARATE; v++)
        if (((const float *)heddle_result_values(result)->data)[v] != (float)karate_ranks[v] &&
            !(fabs(heddle_result_value(result, (heddle_vertex)v) / karate_ranks[v] - 1) < 1.3e-7))
            fail_msg("vertex %d is not rounded well", v);
    heddle_result_destroy(&result);
    options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    options.max_iterations = 0;
    options.damping = 0;
    result = run_all(graph, &options, "no damping");
    for (int v = 0; v < KARATE; v++)
        assert_true(fabs(heddle_result_value(result, (heddle_vertex)v) - 1.0 / KARATE) < 1e-8);
    heddle_result_destroy(&result);
    options.damping = 0.99;
    options.max_iterations = 10000;
    result = run_all(graph, &options, "much damping");
    assert_int_equal(heddle_result_report(result)->converged, 1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Runs that stop before they have converged give what so many rounds of the definition give. */
static void check_rounds(heddle_context *ctx, const heddle_graph *graph, heddle_precision precision,
                         const double *personal, const char *name) {
    static const uint64_t rounds[] = {1, 2, 3, 6};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        heddle_run_options options = pr_options(precision, precision == HEDDLE_PRECISION_DOUBLE ? 1e-15 : 1e-6);
        heddle_result *result, *expected;
        double apart = 0;
        options.max_iterations = rounds[i];
        options.personalization = personal;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
        assert_int_equal(heddle_result_report(result)->iterations, rounds[i]);
        assert_int_equal(heddle_result_report(result)->converged, 0);
        for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
            apart +=
                fabs(heddle_result_value(result, (heddle_vertex)v) - heddle_result_value(expected, (heddle_vertex)v));
        if (!(apart <= (precision == HEDDLE_PRECISION_DOUBLE ? 1e-12 : 1e-6)))
            fail_msg("%s: after %llu rounds the ranks are %.3g from the definition's", name,
                     (unsigned long long)rounds[i], apart);
        heddle_result_destroy(&result);
        heddle_result_destroy(&expected);
    }
}

static void rounds_of_the_definition(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    double personal[KARATE] = {[0] = 3, [33] = 1};
    check_rounds(ctx, graph, HEDDLE_PRECISION_DOUBLE, NULL, "karate club");
    check_rounds(ctx, graph, HEDDLE_PRECISION_DOUBLE, personal, "karate club, personalised");
    heddle_graph_destroy(&graph);
    for (int symmetric = 0; symmetric < 2; symmetric++) { /* dense: rounds of several waves */
        heddle_generate_options generate;
        heddle_generate_options_init(&generate);
        generate.scale = 13;
        generate.build.symmetrize = symmetric;
        support_assert_status(ctx, heddle_graph_generate(ctx, &generate, &graph), HEDDLE_OK);
        check_rounds(ctx, graph, HEDDLE_PRECISION_DOUBLE, NULL, "R-MAT");
        check_rounds(ctx, graph, HEDDLE_PRECISION_SINGLE, NULL, "R-MAT in single");
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

static void assert_refused(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_status expected, const char *words) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), expected);
    support_assert_message(ctx, words);
    assert_null(result);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, options, &result), expected);
    assert_null(result);
}

static void refusals(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = mixed_graph(ctx), *negative, *infinite;
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    double personal[MIXED] = {1, 0, 0, -0.5};
    int32_t below[MIXED_EDGES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, -3, 1, 1, -1};
    float beyond[MIXED_EDGES] = {1, 1, 1, 1, 1, 1, 1, 1, INFINITY, 1, 1, 1, 1};
    options.personalization = personal;
    assert_refused(ctx, graph, &options, HEDDLE_E_ARGUMENT, "personalisation of vertex 3 is -0.5");
    personal[3] = NAN;
    assert_refused(ctx, graph, &options, HEDDLE_E_ARGUMENT, "personalisation of vertex 3");
    personal[0] = personal[3] = 0;
    assert_refused(ctx, graph, &options, HEDDLE_E_ARGUMENT, "adds up to 0");
    options.personalization = NULL;
    options.damping = 1;
    assert_refused(ctx, graph, &options, HEDDLE_E_ARGUMENT, "damping 1");
    options.damping = 0.85;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, MIXED, MIXED_EDGES, mixed_from, mixed_to, below,
                                                  HEDDLE_WEIGHT_I32, NULL, &negative),
                          HEDDLE_OK);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, negative, &options, &result), HEDDLE_OK);
    heddle_result_destroy(&result);
    options.weighted = 1;
    assert_refused(ctx, negative, &options, HEDDLE_E_WEIGHT, "edge from 2 to 5 has weight -1");
    heddle_graph_destroy(&negative);
    if (heddle_graph_from_edges(ctx, MIXED, MIXED_EDGES, mixed_from, mixed_to, beyond, HEDDLE_WEIGHT_F32, NULL,
                                &infinite) == HEDDLE_OK) {
        assert_refused(ctx, infinite, &options, HEDDLE_E_WEIGHT, "edge from 4 to 5 has weight inf");
        heddle_graph_destroy(&infinite);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void weights_missing(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-14);
    heddle_result *result;
    options.weighted = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(strstr(support_last_note(), "no weights") != NULL);
    assert_ranks(result, karate_ranks, KARATE, 2e-10, "weighted without weights");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void cancelled(void **state) {
    (void)state;
    heddle_run_options options = pr_options(HEDDLE_PRECISION_DEFAULT, 0);
    check_cancelled_run(&options);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_run_options options = pr_options(HEDDLE_PRECISION_SINGLE, 1e-12);
    heddle_result *result = NULL;
    options.weighted = 1;
    static const heddle_vertex sources[] = {1, 2, 3};
    heddle_status status = heddle_run(ctx, user, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, user, &options, result);
    if (status == HEDDLE_OK) {
        heddle_result_destroy(&result);
        options.sources = sources;
        options.source_count = 3;
        options.each = 1;
        status = heddle_run(ctx, user, &options, &result);
    }
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, user, &options, result);
    heddle_result_destroy(&result);
    if (status == HEDDLE_OK)
        status = heddle_run_reference(ctx, user, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graphs[] = {mixed_graph(ctx), karate_graph(ctx)};
    for (int i = 0; i < 2; i++) {
        heddle_adjacency in;
        support_assert_status(ctx, heddle_graph_in(ctx, graphs[i], &in), HEDDLE_OK); /* they stay with the graph */
        support_try_every_failure(attempt, graphs[i]);
        heddle_graph_destroy(&graphs[i]);
    }
    heddle_context_destroy(&ctx);
}

/* ---- From each source -------------------------------------------------------------------------------------------- */

enum { SOURCES = 11 /* a full batch and a narrower one */ };

static double rank_at(const heddle_result *result, uint64_t column, uint64_t v) {
    return hd_result_at(result, column * result->count + v);
}

/* What a run with a personalisation says, in double; and the column alone has the same bits. */
static void assert_column(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *each,
                          const heddle_result *result, uint64_t column, const char *name) {
    heddle_run_options options = *each;
    heddle_result *expected, *alone;
    double *personal = calloc(result->count, sizeof *personal);
    personal[each->sources[column]] = 1;
    options.each = 0;
    options.source_count = 0;
    options.personalization = personal;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    options = *each;
    options.sources += column;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &alone), HEDDLE_OK);
    for (uint64_t v = 0; v < result->count; v++) {
        double rank = rank_at(result, column, v), wanted = heddle_result_value(expected, (heddle_vertex)v);
        if (!(fabs(rank - wanted) <= 1e-10))
            fail_msg("%s, column %llu: vertex %llu has rank %.12g, expected %.12g", name, (unsigned long long)column,
                     (unsigned long long)v, rank, wanted);
        assert_true(rank == rank_at(alone, 0, v));
    }
    free(personal);
    heddle_result_destroy(&alone);
    heddle_result_destroy(&expected);
}

static void assert_same_columns(const heddle_result *result, const heddle_result *expected, double within) {
    assert_int_equal(result->columns, expected->columns);
    for (uint64_t i = 0; i < result->columns * result->count; i++)
        if (!(fabs(hd_result_at(result, i) - hd_result_at(expected, i)) <= within))
            fail_msg("place %llu has rank %.17g, expected %.17g", (unsigned long long)i, hd_result_at(result, i),
                     hd_result_at(expected, i));
}

/* On other threads, on a device, in single precision, and not at all right. */
static void check_others(const heddle_graph *graph, heddle_run_options options, heddle_result *first) {
    heddle_context *ctx = support_context(3);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_same_columns(result, first, 0);
    double *last = (double *)result->values + result->columns * result->count - 1;
    *last += 1e-3;
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    heddle_result_destroy(&result);
    heddle_context_destroy(&ctx);
    for (int single = 0; single < (device_ctx ? 2 : 0); single++) {
        options.device = device_name;
        options.precision = single ? HEDDLE_PRECISION_SINGLE : HEDDLE_PRECISION_DOUBLE;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
        assert_same_columns(result, first, single ? 1e-7 : 1e-13);
        heddle_result_destroy(&result);
    }
}

static void each_source(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(ctx, &s, i % 3 == 1 ? WEIGHTS_U32 : WEIGHTS_NONE);
        heddle_run_options options = pr_options(HEDDLE_PRECISION_DOUBLE, 1e-13);
        heddle_vertex sources[SOURCES];
        heddle_result *result;
        uint64_t n = heddle_graph_vertices(graph);
        for (uint64_t k = 0; k < SOURCES; k++)
            sources[k] = (heddle_vertex)(n ? (k * 7 + 3) % n : 0);
        options.each = 1;
        options.weighted = i % 3 == 1;
        options.sources = sources;
        options.source_count = SOURCES;
        if (n && n <= 10000 && (n < 100 || i % (int)support_stride(2) == 0)) {
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
            for (uint64_t k = 0; k < SOURCES; k += 5)
                assert_column(ctx, graph, &options, result, k, s.name);
            check_others(graph, options, result);
            heddle_result_destroy(&result);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

static void each_refused(void **state) {
    (void)state;
    static const heddle_vertex sources[] = {1, 2};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = karate_graph(ctx);
    double personal[KARATE] = {1};
    heddle_result *result;
    for (int i = 0; i < 4; i++) {
        static const char *const messages[] = {"pr: sources need each", "expected sources", "without a personalisation",
                                               "a tolerance"};
        heddle_run_options options = pr_options(HEDDLE_PRECISION_SINGLE, 0);
        options.each = i > 0;
        options.sources = i == 1 ? NULL : sources;
        options.source_count = i == 1 ? 0 : 2;
        options.personalization = i == 2 ? personal : NULL;
        options.max_error = i == 3 ? 0.1 : 0;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
        support_assert_message(ctx, messages[i]);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_karate),
        cmocka_unit_test(golden_directed),
        cmocka_unit_test(small_shapes),
        cmocka_unit_test(no_vertices),
        cmocka_unit_test(large_shapes),
        cmocka_unit_test(rows_of_undirected),
        cmocka_unit_test(rmat),
        cmocka_unit_test(star_by_hand),
        cmocka_unit_test(rounds_and_tolerance),
        cmocka_unit_test(refusals),
        cmocka_unit_test(weights_missing),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(rounds_of_the_definition),
        cmocka_unit_test(each_source),
        cmocka_unit_test(each_refused),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
