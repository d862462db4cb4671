/* test_distances.c - closeness, harmonic, eccentricity: graphs that hurt against the reference, for several numbers of
 * threads, from all, given and drawn sources, in both directions; searches apart; validators; error bounds. */
#include "value_cases.h"

#include "algorithm/distances/distances.h"
#include "check/check_distances.h"

#include <math.h>

static const char *const algorithms[] = {"closeness", "harmonic", "eccentricity"};
#define FOR_ALL for (size_t a = 0; a < 3; a++)

static void known(void **state) {
    (void)state;
    /* 0 -> 1 -> 2 -> 0, 2 -> 3, and 4 apart, with a loop. */
    static const int64_t from[] = {0, 1, 2, 2, 4}, to[] = {1, 2, 0, 3, 4};
    static const double closeness[] = {2 / 3.0 * (2 / 4.0), 2 / 3.0 * (2 / 4.0), 2 / 3.0 * (2 / 4.0),
                                       3 / 6.0 * (3 / 4.0), 0};
    static const double harmonic[] = {1.5, 1.5, 1.5, 1 + 0.5 + 1 / 3.0, 0};
    static const double farthest[] = {3, 2, 2, 0, 0};
    check_known("closeness", 5, 5, from, to, false, closeness);
    check_known("harmonic", 5, 5, from, to, false, harmonic);
    check_known("eccentricity", 5, 5, from, to, false, farthest);
}

static void check_options(const heddle_graph *graph, heddle_run_options options, const char *name) {
    heddle_context *ctx = support_context(1);
    heddle_result *expected, *result;
    char where[200];
    snprintf(where, sizeof where, "%s, %s, %llu sources, %llu samples", options.algorithm, name,
             (unsigned long long)options.source_count, (unsigned long long)options.samples);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, &options, &result), HEDDLE_OK);
        assert_same_result(result, expected, where);
        assert_same_figures(result, expected, where);
        support_assert_status(other, heddle_verify(other, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
        heddle_context_destroy(&other);
    }
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

/* All sources, a few with one twice, drawn ones; each way round. */
static void check_shape_all_ways(shape s) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_vertex last = s.vertices ? (heddle_vertex)(s.vertices - 1) : 0, some[] = {last, last / 2, 0, last};
    for (int way = 0; way < 6; way++) {
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[(s.vertices + (uint64_t)way) % 3];
        options.reversed = way % 2;
        options.normalized = options.reachable_only = way >= 3;
        options.samples = way / 2 == 1 ? s.vertices / 3 : 0;
        options.sources = way / 2 == 2 && s.vertices ? some : NULL;
        options.source_count = options.sources ? 4 : 0;
        check_options(graph, options, s.name);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void shapes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        check_shape_all_ways(shape_at(i));
    for (int i = 0; i < 10; i++)
        check_shape_all_ways(structure_at(i));
}

static void tiny_graphs(void **state) {
    (void)state;
    FOR_ALL check_tiny(algorithms[a], WEIGHTS_NONE, 100);
}

/* Searches that share few vertices go apart; 300 of them are more than a block holds. */
static void deep(void **state) {
    (void)state;
    check_shape_all_ways(shape_path("long path", 700, false));
    heddle_context *ctx = support_context(2);
    shape s = shape_grid("grid", 60 / support_stride(2));
    s.symmetric = true;
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_ALL {
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[a];
        options.samples = 300;
        check_options(graph, options, s.name);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void wrong_values(void **state) {
    (void)state;
    FOR_ALL check_wrong_values_of(algorithms[a]);
}

/* With a small budget the validator looks at some vertices, and says so. */
static void sampled_check(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_wheel("wheel", 500, 1000, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "closeness";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_clear_notes();
    support_assert_status(ctx, hd_verify_closeness_within(ctx, graph, &options, result, 50000), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "closeness was recomputed at"));
    hd_result_figure(result, "max", 0.9);
    support_assert_status(ctx, hd_verify_closeness_within(ctx, graph, &options, result, 50000), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "the report has max");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* Sampled values are within the bound of all but few seeds: here of all; a budget draws as many as it needs. */
static void bounds(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_wheel("wheel", 400, 300, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (uint64_t seed = 1; seed <= 30; seed++)
        for (int a = 0; a < 2; a++) {
            heddle_run_options options;
            heddle_result *result;
            heddle_run_options_init(&options);
            options.algorithm = algorithms[a];
            options.samples = a ? 0 : 100;
            options.max_error = a ? 0.15 : 0;
            options.seed = seed;
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
            const heddle_report *report = heddle_result_report(result);
            assert_true(report->approximate && report->error_bound > 0 && report->confidence == 0.9);
            assert_true(!a || report->error_bound <= 0.15);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
            assert_true(report->worst_error <= report->error_bound && report->worst_error > 0);
            heddle_result_destroy(&result);
        }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* A small budget is kept exactly; where there is no bound the report says so; what contradicts is refused. */
static void no_bounds(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_random("random", 100, 300, 1, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "harmonic";
    options.max_error = 0.001;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(!heddle_result_report(result)->approximate && heddle_result_report(result)->error_bound == 0);
    heddle_result_destroy(&result);
    options.samples = 3;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    options.algorithm = "closeness";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    options.max_error = 0;
    support_clear_notes();
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(heddle_result_report(result)->approximate && heddle_result_report(result)->error_bound < 0);
    assert_non_null(strstr(support_last_note(), "prove no bound of the error"));
    ((double *)result->values)[0] += 0.25; /* its certificate is checked all the same */
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void out_of_memory(void **state) {
    (void)state;
    FOR_ALL check_no_memory(algorithms[a], shape_random("random", 80, 200, 1, false));
    check_no_memory("closeness", shape_path("path", 100, false));
}

static void cancelled(void **state) {
    (void)state;
    FOR_ALL check_cancelled(algorithms[a], shape_random("random", 300, 900, 1, false));
}

/* The formula of the bound, against numbers that were computed elsewhere. */
static void bound_by_hand(void **state) {
    (void)state;
    assert_true(fabs(hd_distances_sampling(1000, 101, 0.9) - 0.2112115155257953) < 1e-12);
    assert_true(fabs(hd_distances_sampling(1000000, 2001, 0.99) - 0.06905725766398965) < 1e-12);
    assert_true(isinf(hd_distances_sampling(1000, 1, 0.9)));
}

/* Values from a sample say so, and no bound exceeds what values can be. */
static void sampled_marks(void **state) {
    (void)state;
    static const char *const names[] = {"closeness", "harmonic", "eccentricity", "bc"};
    heddle_context *ctx = support_context(1);
    shape s = shape_random("random", 60, 300, 3, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (size_t a = 0; a < 4; a++)
        for (uint64_t samples = 2; samples <= 60; samples += 29) {
            heddle_run_options options;
            heddle_result *result;
            heddle_run_options_init(&options);
            options.algorithm = names[a];
            options.samples = samples;
            options.normalized = strcmp(names[a], "harmonic") == 0;
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
            const heddle_report *report = heddle_result_report(result);
            assert_int_equal(report->approximate, samples < 60);
            if (report->error_bound >= 1)
                fail_msg("%s, %llu samples: a bound of %g", names[a], (unsigned long long)samples, report->error_bound);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
            assert_int_equal(report->verified, 1);
            assert_true(samples == 60 || report->inaccuracy >= 0);
            heddle_result_destroy(&result);
        }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),     cmocka_unit_test(shapes),        cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(deep),      cmocka_unit_test(wrong_values),  cmocka_unit_test(sampled_check),
        cmocka_unit_test(bounds),    cmocka_unit_test(no_bounds),     cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled), cmocka_unit_test(bound_by_hand), cmocka_unit_test(sampled_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
