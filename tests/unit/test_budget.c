/* test_budget.c - error budgets of pr and bc: the stated bound holds, and the budget is kept, on graphs whose exact
 * answers are computed; over 200 seeds the bound of bc fails no more often than its confidence allows; the same bits
 * for any number of threads; what is refused. */
#include "path_cases.h"

#include "algorithm/bc/bc_budget.h"
#include "run/search.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx; /* one thread: the graphs are tiny */

static int set_up(void **state) {
    (void)state;
    ctx = support_context(1);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

static heddle_result *run(const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    return result;
}

static heddle_run_options options_of(const char *algorithm, double max_error) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.max_error = max_error;
    return options;
}

static double value(const heddle_result *result, uint64_t v) { return heddle_result_value(result, (heddle_vertex)v); }

/* ---- PageRank ---------------------------------------------------------------------------------------------------- */

static double l1_distance(const heddle_result *a, const heddle_result *b) {
    double sum = 0;
    for (uint64_t v = 0; v < heddle_result_values(a)->count; v++)
        sum += fabs(value(a, v) - value(b, v));
    return sum;
}

static heddle_result *exact_ranks(const heddle_graph *graph, heddle_run_options options) {
    heddle_result *result;
    options.max_error = 0;
    options.tolerance = 1e-15;
    options.max_iterations = 3000;
    options.precision = HEDDLE_PRECISION_DOUBLE;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static void check_ranks(const heddle_graph *graph, heddle_run_options options, const char *where) {
    static const double budgets[] = {3, 0.5, 0.01, 1e-4, 2e-6, 2e-7, 1e-9};
    heddle_result *exact = exact_ranks(graph, options);
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        options.max_error = budgets[i];
        options.precision = budgets[i] < 1e-7 ? HEDDLE_PRECISION_DOUBLE : HEDDLE_PRECISION_SINGLE;
        heddle_result *result = run(graph, &options);
        const heddle_report *report = heddle_result_report(result);
        double error = l1_distance(result, exact);
        if (!report->approximate || !report->converged || !(error <= report->error_bound) ||
            !(report->error_bound <= budgets[i]))
            fail_msg("%s, budget %g: error %g, bound %g, %d rounds%s", where, budgets[i], error, report->error_bound,
                     (int)report->iterations, report->converged ? "" : ", not converged");
        assert_true(report->confidence == 1);
        assert_true(report->iterations >= before); /* a larger budget is never more work */
        before = report->iterations;
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        assert_true(report->worst_error >= 0 && report->worst_error <= report->error_bound * 1.01);
        assert_true(fabs(report->inaccuracy - report->worst_error) <= 1e-6);
        heddle_result_destroy(&result);
    }
    heddle_result_destroy(&exact);
}

static void rank_budgets(void **state) {
    (void)state;
    shape shapes[] = {shape_skewed("skewed", 300, 2000, 3, false),
                      shape_skewed("skewed both ways", 5000, 50000, 4, true), /* waves, and extrapolation */
                      shape_skewed("skewed in waves", 5000, 60000, 5, false),
                      shape_random("random", 5000, 60000, 6, true),
                      shape_path("path", 50, false),
                      shape_star("star", 40, true, false),
                      shape_grid("grid", 40)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_NONE);
        check_ranks(graph, options_of("pr", 0), shapes[i].name);
        heddle_graph_destroy(&graph);
        shape_free(&shapes[i]);
    }
}

static void rank_options(void **state) {
    (void)state;
    enum { N = 200 };
    static double personal[N];
    shape s = shape_skewed("weighted, personalised", N, 1500, 8, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    heddle_run_options options = options_of("pr", 0);
    for (int v = 0; v < N; v++)
        personal[v] = v % 7 == 0;
    options.weighted = 1;
    check_ranks(graph, options, "weighted");
    options.personalization = personal;
    check_ranks(graph, options, "weighted and personalised");
    options.weighted = 0;
    options.damping = 0.5;
    check_ranks(graph, options, "personalised, damping 0.5");
    options.damping = 0;
    check_ranks(graph, options, "damping 0");
    options.damping = 0.99;
    options.max_error = 1e-3;
    heddle_result *exact = exact_ranks(graph, options), *result = run(graph, &options);
    assert_true(l1_distance(result, exact) <= heddle_result_report(result)->error_bound);
    assert_true(heddle_result_report(result)->error_bound <= 1e-3);
    heddle_result_destroy(&result);
    options.max_iterations = 2; /* too few: the bound says so */
    result = run(graph, &options);
    assert_false(heddle_result_report(result)->converged);
    assert_true(heddle_result_report(result)->error_bound > 1e-3);
    assert_true(l1_distance(result, exact) <= heddle_result_report(result)->error_bound);
    heddle_result_destroy(&result);
    heddle_result_destroy(&exact);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- Where nothing is proven ------------------------------------------------------------------------------------- */

static void best_of_trials(void **state) {
    static const hd_trial trials[] = {{"slow", 2, 0}, {"a", 0.5, 0.2}, {"b", 0.7, 0.05}, {"c", 0.8, 0}};
    (void)state;
    assert_string_equal(hd_search_best(trials, 4, 1, 0.2)->plan, "a");
    assert_string_equal(hd_search_best(trials, 4, 1, 0.1)->plan, "b");
    assert_string_equal(hd_search_best(trials, 4, 1, 0.01)->plan, "c");
    assert_null(hd_search_best(trials, 4, 0.85, 0.01)); /* hardly faster */
    assert_null(hd_search_best(trials, 4, 0.5, 1));
}

/* Whatever is faster here and now: the result is exact, or within an estimate that keeps the budget; a large graph is
 * sampled. */
static void searched_plans(void **state) {
    static const char *const algorithms[] = {"bfs", "sssp", "scc", "mst"};
    (void)state;
    shape shapes[] = {shape_skewed("skewed", 300, 2000, 3, false), shape_random("random", 9000, 150000, 6, false)};
    for (int i = 0; i < 2; i++) {
        heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_U32);
        for (int a = 0; a < (i ? 1 : 4); a++) {
            heddle_run_options options = options_of(algorithms[a], 0.1);
            heddle_result *result = run(graph, &options);
            const heddle_report *report = heddle_result_report(result);
            if (report->approximate)
                assert_true(report->error_bound < 0 && figure_of(result, "estimated_inaccuracy") <= 0.1);
            else
                assert_true(report->error_bound <= 0);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
            heddle_result_destroy(&result);
        }
        heddle_graph_destroy(&graph);
        shape_free(&shapes[i]);
    }
}

/* ---- Betweenness ------------------------------------------------------------------------------------------------- */

static double worst(const heddle_graph *graph, const heddle_run_options *options, const heddle_result *a,
                    const heddle_result *b) {
    double most = 0;
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        most = fmax(most, fabs(value(a, v) - value(b, v)));
    return hd_bc_budget_error(graph, options, 0, most);
}

/* Whether a run stopped because the largest were known. */
static bool top_known(const heddle_result *result) {
    const heddle_report *report = heddle_result_report(result);
    for (uint32_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, "top_known") == 0)
            return true;
    return false;
}

/* Over 200 seeds; returns in how many runs the bound was exceeded. */
static int count_misses(shape s, double budget, double confidence) {
    enum { SEEDS = 200 };
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_of("bc", 0);
    heddle_result *exact = run(graph, &options);
    int misses = 0, sampled = 0;
    options.max_error = budget;
    options.confidence = confidence;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        options.seed = seed;
        heddle_result *result = run(graph, &options);
        const heddle_report *report = heddle_result_report(result);
        sampled += report->approximate;
        misses += worst(graph, &options, result, exact) > report->error_bound + 1e-12;
        if (!(report->error_bound <= budget))
            fail_msg("%s: bound %g, budget %g", s.name, report->error_bound, budget);
        heddle_result_destroy(&result);
    }
    if (sampled == 0)
        fail_msg("%s: nothing was sampled", s.name);
    heddle_result_destroy(&exact);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    return misses;
}

/* Two stars, and a path of `bridge` vertices from hub to hub: a source's dependencies are nearly all or nothing. The
 * first vertices are hub, bridge, hub. */
static shape two_stars(uint64_t leaves, uint64_t bridge) {
    shape s = shape_new("two stars", 2 * leaves + bridge + 2, 2 * leaves + bridge + 1);
    s.symmetric = true;
    for (uint64_t v = 0; v < 2 * leaves; v++)
        shape_edge(&s, v % 2 ? bridge + 1 : 0, bridge + 2 + v);
    for (uint64_t v = 0; v <= bridge; v++)
        shape_edge(&s, v, v + 1);
    return s;
}

static void centrality_guarantee(void **state) {
    (void)state;
    assert_true(count_misses(two_stars(80, 4), 0.2, 0.9) <= 20);
    assert_true(count_misses(shape_star("star", 300, false, true), 0.25, 0.9) <= 20);
    assert_true(count_misses(shape_skewed("skewed", 300, 600, 3, true), 0.1, 0.5) <= 100);
    assert_true(count_misses(shape_skewed("directed", 300, 900, 4, false), 0.05, 0.9) <= 20);
}

/* With a confidence of 0.01 and two vertices that have a centrality, a side of a bound may fail with a probability of
 * 0.1 to 0.3: the first plan has 9/10 of the risk, and the first pace 3/4 of that. An exponential bound of such a
 * probability is one and a half to two standard deviations wide, and those of both hubs fail together: some of 100
 * runs. Many more would show a bound that is too narrow, none at all one that is far too wide. */
static void centrality_rate(void **state) {
    (void)state;
    int misses = count_misses(two_stars(600, 0), 0.052, 0.01);
    if (misses < 1 || misses > 20)
        fail_msg("%d of 200 bounds were exceeded", misses);
}

/* The last batch ends with as many sources as there are, and the certificate draws the same. */
static void as_many_as_there_are(void **state) {
    (void)state;
    shape s = two_stars(94, 1); /* 191 vertices: the last batch has 31 */
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    int full = 0;
    for (double budget = 0.09; budget > 0.07; budget -= 0.001) {
        heddle_run_options options = options_of("bc", budget);
        heddle_result *result = run(graph, &options);
        const heddle_report *report = heddle_result_report(result);
        assert_true(figure_of(result, "sources") <= (double)s.vertices);
        full += report->approximate && figure_of(result, "sources") == (double)s.vertices;
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
    assert_true(full > 0);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* The `top` largest must be known: over all seeds the one that is named is the largest. */
static void centrality_top(void **state) {
    (void)state;
    enum { SEEDS = 20 };
    shape s = two_stars(150, 1);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_of("bc", 0.08);
    heddle_result *all = run(graph, &options);
    uint64_t early = 0, most = (uint64_t)figure_of(all, "sources");
    options.top = 3; /* the hubs and what is between them */
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        options.seed = seed;
        heddle_result *result = run(graph, &options);
        double least = fmin(fmin(value(result, 0), value(result, 1)), value(result, 2));
        for (uint64_t v = 3; v < s.vertices; v++)
            assert_true(value(result, v) < least);
        if (top_known(result)) {
            assert_true(figure_of(result, "top_known") == 3);
            early += figure_of(result, "sources") < (double)most;
        }
        heddle_result_destroy(&result);
    }
    assert_true(early >= SEEDS / 2);
    heddle_result_destroy(&all);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void same_bits(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 1200, 4000, 5, true);
    heddle_result *results[3];
    static const int threads[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        heddle_context *other = support_context(threads[i]);
        heddle_graph *graph = case_graph(other, &s, WEIGHTS_NONE);
        heddle_run_options options = options_of("bc", 0.05);
        options.plan = i == 2 ? "order=degree" : "auto"; /* the same sources under other names */
        support_assert_status(other, heddle_run(other, graph, &options, &results[i]), HEDDLE_OK);
        assert_true(heddle_result_report(results[i])->approximate);
        assert_true(figure_of(results[i], "sources") == figure_of(results[0], "sources"));
        for (uint64_t v = 0; v < s.vertices; v++) {
            double a = value(results[i], v), b = value(results[0], v);
            assert_true(i == 2 ? fabs(a - b) <= 1e-9 * (1 + b) : a == b);
        }
        support_assert_status(other, heddle_verify(other, graph, &options, results[i]), HEDDLE_OK);
        assert_true(heddle_result_report(results[i])->inaccuracy > 0);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&other);
    }
    for (int i = 0; i < 3; i++)
        heddle_result_destroy(&results[i]);
    shape_free(&s);
}

/* Where sampling does not pay the result is exact, and so is that of algorithms without a budget. */
static void exact_instead(void **state) {
    (void)state;
    shape s = shape_grid("grid", 12);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_of("bc", 1e-3), plain = options_of("bc", 0);
    heddle_result *result = run(graph, &options), *exact = run(graph, &plain);
    assert_false(heddle_result_report(result)->approximate);
    assert_true(heddle_result_report(result)->error_bound == 0);
    assert_non_null(strstr(support_notes(), "bc is exact"));
    for (uint64_t v = 0; v < s.vertices; v++)
        assert_true(value(result, v) == value(exact, v));
    heddle_result_destroy(&result);
    heddle_result_destroy(&exact);
    options = options_of("sssp", 0.1);
    support_clear_notes();
    result = run(graph, &options);
    assert_false(heddle_result_report(result)->approximate);
    assert_non_null(strstr(support_notes(), "the result is exact"));
    assert_true(heddle_result_report(result)->error_bound == 0);
    heddle_result_destroy(&result);
    options = options_of("hs", 0.1); /* stops at a tolerance, of which nothing is proven */
    support_clear_notes();
    result = run(graph, &options);
    assert_non_null(strstr(support_notes(), "has no proof of an error"));
    assert_true(heddle_result_report(result)->error_bound < 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void assert_refused(const heddle_graph *graph, const heddle_run_options *options, heddle_status status,
                           const char *words) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), status);
    assert_null(result);
    support_assert_message(ctx, words);
}

static void refused(void **state) {
    (void)state;
    shape s = shape_grid("grid", 5);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_vertex source = 0;
    heddle_run_options options = options_of("pr", 1e-12);
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "rounding allows no smaller bound than");
    options.precision = HEDDLE_PRECISION_DOUBLE;
    options.max_error = 1e-16;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "rounding allows no smaller bound than");
    options = options_of("pr", 0.1);
    options.tolerance = 1e-3;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "max_error and tolerance");
    options = options_of("bc", -1);
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "max_error -1: expected a finite number");
    options.max_error = NAN;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "expected a finite number");
    options.max_error = 0.1;
    options.confidence = 1;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "confidence 1: expected a number between 0 and 1");
    options.max_error = 0;
    options.confidence = NAN;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "expected a number between 0 and 1");
    options.confidence = 0.5;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "confidence needs max_error");
    options.confidence = 0;
    options.top = 3;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "top needs max_error");
    options.top = 0;
    options.max_error = 0.1;
    options.samples = 3;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "neither sources nor samples");
    options.samples = 0;
    options.sources = &source;
    options.source_count = 1;
    assert_refused(graph, &options, HEDDLE_E_ARGUMENT, "neither sources nor samples");
    options.source_count = 0;
    options.plan = "transform=udt";
    assert_refused(graph, &options, HEDDLE_E_REFUSED, "use transform=none instead");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static heddle_status sample(heddle_context *other, void *path) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options = options_of("bc", 0.3);
    options.top = 2;
    heddle_status status = heddle_graph_load(other, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(other, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_true(heddle_result_report(result)->approximate);
    if (status == HEDDLE_OK)
        status = heddle_verify(other, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void without_memory(void **state) {
    (void)state;
    const char *path = case_file(ctx, shape_random("random", 150, 300, 7, true), WEIGHTS_NONE, "random.hdl");
    support_try_every_failure(sample, (void *)(uintptr_t)path);
}

/* The price of a squared deviation, -ln(1 - l) - l, against numbers that were computed elsewhere. */
static void price_by_hand(void **state) {
    (void)state;
    assert_true(fabs(hd_bc_psi(0.5) - 0.1931471805599453) < 1e-14);
    assert_true(fabs(hd_bc_psi(0.9) - 1.4025850929940457) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_budgets),    cmocka_unit_test(best_of_trials),       cmocka_unit_test(searched_plans),
        cmocka_unit_test(rank_options),    cmocka_unit_test(centrality_guarantee), cmocka_unit_test(centrality_top),
        cmocka_unit_test(same_bits),       cmocka_unit_test(exact_instead),        cmocka_unit_test(refused),
        cmocka_unit_test(centrality_rate), cmocka_unit_test(as_many_as_there_are), cmocka_unit_test(without_memory),
        cmocka_unit_test(price_by_hand)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
