/* test_graffix.c - graphs changed by Graffix: the text's example, a looser threshold gives a superset of edges, exact
 * where new edges change nothing, marked and measured where they do; what is refused. */
#include "path_cases.h"

#include "engine/derived.h"
#include "engine/result.h"
#include "graffix/recipe.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx;

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

static hd_graffix_result change(const heddle_graph *graph, double threshold, uint32_t warp) {
    hd_graffix_options options = {.kind = &hd_graffix_divergence, .threshold = threshold, .fill = 0.85, .warp = warp};
    hd_graffix_result result;
    support_assert_status(ctx, hd_graffix_graph(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static heddle_adjacency rows_of(const heddle_graph *graph) {
    heddle_adjacency out;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    return out;
}

static bool has_edge(const heddle_adjacency *out, uint64_t v, heddle_vertex w) {
    for (uint64_t k = out->offsets[v]; k < out->offsets[v + 1]; k++)
        if (out->targets[k] == w)
            return true;
    return false;
}

/* Section 4: A has 7 out-edges and I 4, in one warp; with a threshold of a half, I gets edges to G and K, its
 * neighbours' neighbours, and so 6 edges, 85 % of 7. */
static void example_of_the_text(void **state) {
    enum { A, I, B, C, D, E, F, G, H, J, K, L, M };
    static const int64_t from[] = {A, A, A, A, A, A, A, I, I, I, I, H, J};
    static const int64_t to[] = {B, C, D, E, F, G, H, H, J, L, M, G, K};
    static const uint32_t weights[] = {1, 1, 1, 1, 1, 1, 1, 3, 4, 5, 6, 10, 20};
    heddle_graph *graph;
    (void)state;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 13, 13, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    hd_graffix_result result = change(graph, 0.5, 2);
    assert_non_null(result.graph);
    assert_true(result.added_edges == 2 && result.lifted == 1 && heddle_graph_edges(result.graph) == 15);
    heddle_adjacency out = rows_of(result.graph);
    assert_true(out.offsets[I + 1] - out.offsets[I] == 6);
    assert_true(has_edge(&out, I, G) && has_edge(&out, I, K));
    for (uint64_t k = out.offsets[I]; k < out.offsets[I + 1]; k++) { /* weights are those of the paths */
        assert_true(out.targets[k] != G || ((const uint32_t *)out.weights)[k] == 13);
        assert_true(out.targets[k] != K || ((const uint32_t *)out.weights)[k] == 24);
    }
    heddle_graph_destroy(&result.graph);
    result = change(graph, 3.0 / 7, 2); /* the difference has to be below the threshold's share */
    assert_true(result.graph == NULL && result.added_edges == 0);
    heddle_graph_destroy(&graph);
}

static void supersets(void **state) {
    static const double thresholds[] = {0, 0.16, 0.2, 0.3, 0.6, 1};
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape s = shape_skewed("skewed", 600, 5000, 4, undirected);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE), *before = NULL;
        for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
            hd_graffix_result result = change(graph, thresholds[i], 32);
            if (i == 0)
                assert_null(result.graph);
            if (!result.graph)
                continue;
            assert_true(heddle_graph_directed(result.graph) == heddle_graph_directed(graph));
            heddle_adjacency large = rows_of(result.graph), small = rows_of(before ? before : graph);
            for (uint64_t v = 0; v < s.vertices; v++)
                for (uint64_t k = small.offsets[v]; k < small.offsets[v + 1]; k++)
                    assert_true(has_edge(&large, v, small.targets[k]));
            heddle_graph_destroy(&before);
            before = result.graph;
        }
        assert_non_null(before);
        assert_true(heddle_graph_edges(before) > heddle_graph_edges(graph));
        heddle_graph_destroy(&before);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

static void same_for_any_threads(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 3000, 30000, 5, false);
    heddle_context *other = support_context(4);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_F32), *again = case_graph(other, &s, WEIGHTS_F32);
    hd_graffix_options options = {.kind = &hd_graffix_divergence, .threshold = 0.5, .fill = 0.9, .warp = 32};
    hd_graffix_result one, many;
    support_assert_status(ctx, hd_graffix_graph(ctx, graph, &options, &one), HEDDLE_OK);
    support_assert_status(other, hd_graffix_graph(other, again, &options, &many), HEDDLE_OK);
    support_assert_same_graph(ctx, one.graph, many.graph);
    heddle_graph_destroy(&one.graph);
    heddle_graph_destroy(&many.graph);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&again);
    heddle_context_destroy(&other);
    shape_free(&s);
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static heddle_run_options options_of(const char *algorithm, const char *plan) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.plan = plan;
    options.approximate = 1;
    return options;
}

static heddle_result *run(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_run_options options = options_of(algorithm, plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    return result;
}

/* The same result, edges of the forest included; floating-point distances within rounding. */
static void check_exact(const heddle_graph *graph, const char *algorithm, const char *plan, const char *where) {
    heddle_result *result = run(graph, algorithm, plan), *exact = run(graph, algorithm, "auto");
    const heddle_forest *a = heddle_result_forest(result), *b = heddle_result_forest(exact);
    bool rounded = heddle_graph_weight_type(graph) == HEDDLE_WEIGHT_F32 && strcmp(algorithm, "sssp") == 0;
    assert_true(rounded || !heddle_result_report(result)->approximate);
    assert_true(heddle_result_values(result)->count == heddle_result_values(exact)->count && a->edges == b->edges);
    for (uint64_t v = 0; v < heddle_result_values(result)->count; v++) {
        double x = heddle_result_value(result, (heddle_vertex)v), y = heddle_result_value(exact, (heddle_vertex)v);
        if (!(x == y || fabs(x - y) <= 1e-5 * y))
            fail_msg("%s, %s, %s: vertex %d has %g, expected %g", where, algorithm, plan, (int)v, x, y);
    }
    if (a->edges)
        assert_memory_equal(a->ends, b->ends, 2 * a->edges * sizeof *a->ends);
    heddle_result_destroy(&result);
    heddle_result_destroy(&exact);
}

static void exact_where_edges_change_nothing(void **state) {
    static const char *const plans[] = {"graffix-divergence", "graffix=divergence,graffix.threshold=1,order=none",
                                        "graffix=divergence,graffix.threshold=0.6,graffix.fill=1,order=bfs"};
    static const scheme kinds[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_F32};
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape s = shape_skewed("skewed", 400, 3000, 6, undirected);
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
            heddle_graph *graph = case_graph(ctx, &s, kinds[w]);
            for (int p = 0; p < 3; p++) {
                check_exact(graph, "sssp", plans[p], s.name);
                check_exact(graph, "cc", plans[p], s.name);
                check_exact(graph, "scc", plans[p], s.name);
            }
            check_exact(graph, "mst", plans[0], s.name);
            check_exact(graph, "mst", plans[1], s.name);
            heddle_graph_destroy(&graph);
        }
        shape_free(&s);
    }
}

/* Edges of undirected graphs that both ends have found are one. */
static void counted_once(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 100, 400, 7, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    hd_graffix_result result = change(graph, 0.95, 32);
    assert_non_null(result.graph);
    assert_true(heddle_graph_edges(result.graph) == heddle_graph_edges(graph) + 2 * result.added_edges);
    heddle_graph_destroy(&result.graph);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void approximate_elsewhere(void **state) {
    static const char *const algorithms[] = {"pr", "bc", "bfs"};
    (void)state;
    shape s = shape_skewed("skewed", 400, 3000, 7, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (int i = 0; i < 3; i++) {
        heddle_result *result = run(graph, algorithms[i], "graffix=divergence,graffix.threshold=0.6");
        const heddle_report *report = heddle_result_report(result);
        assert_true(report->approximate && report->error_bound < 0 && report->verified == 1);
        assert_true(report->inaccuracy > 0 && report->inaccuracy < 1);
        assert_true(figure_of(result, "added_edges") > 0);
        assert_non_null(strstr(report->transform, "graffix-divergence"));
        heddle_result_destroy(&result);
        result = run(graph, algorithms[i], "graffix=divergence,graffix.threshold=0"); /* nothing added */
        heddle_result *exact = run(graph, algorithms[i], "auto");
        assert_false(heddle_result_report(result)->approximate);
        for (uint64_t v = 0; v < s.vertices; v++) {
            double x = heddle_result_value(result, (heddle_vertex)v), y = heddle_result_value(exact, (heddle_vertex)v);
            if (!(x == y || fabs(x - y) <= 1e-5 * (1 + fabs(y)))) /* pr stops within its tolerance */
                fail_msg("%s: vertex %d has %.9g, expected %.9g", algorithms[i], (int)v, x, y);
        }
        heddle_result_destroy(&result);
        heddle_result_destroy(&exact);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Combinations: the same results where new edges change nothing. */
static void combined(void **state) {
    static const char *const plans[] = {"graffix=latency+coalesce,graffix.threshold=0.5+0.1,spare=4",
                                        "graffix=latency+divergence,graffix.threshold=0.5+0.6",
                                        "graffix=coalesce+divergence,graffix.threshold=0.1+0.6,spare=4",
                                        "graffix=latency+coalesce+divergence,graffix.threshold=0.5+0.1+0.6,spare=4"};
    static const char *const exact[] = {"sssp", "cc", "scc", "mst"};
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape s = shape_skewed("skewed", 400, 3000, 6, undirected);
        heddle_graph *graph = case_graph(ctx, &s, undirected ? WEIGHTS_U32 : WEIGHTS_NONE);
        for (int p = 0; p < 4; p++) {
            for (int a = 0; a < 4; a++)
                check_exact(graph, exact[a], plans[p], s.name);
            heddle_result *result = run(graph, "bc", plans[p]);
            const heddle_report *report = heddle_result_report(result);
            assert_true(report->approximate && report->inaccuracy > 0 && report->inaccuracy < 1);
            assert_true(figure_of(result, "added_edges") > 0);
            heddle_result_destroy(&result);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

static const char *const kept_plans[] = {"graffix-coalesce,graffix.threshold=0.1,spare=4",
                                         "graffix-latency,graffix.threshold=0.5",
                                         "graffix=latency+coalesce,graffix.threshold=0.5+0.1,spare=4",
                                         "graffix=latency+divergence,graffix.threshold=0.5+0.6"};
enum { KEPT_PLANS = sizeof kept_plans / sizeof *kept_plans };

static heddle_graph *prepared(scheme weights) {
    shape s = shape_skewed("skewed", 400, 3000, 6, true);
    heddle_graph *graph = case_graph(ctx, &s, weights);
    for (int i = 0; i < KEPT_PLANS; i++)
        support_assert_status(ctx, heddle_graph_prepare(ctx, graph, kept_plans[i]), HEDDLE_OK);
    shape_free(&s);
    return graph;
}

static void count_notes(void *user, const char *text) {
    if (strstr(text, "made anew"))
        ++*(int *)user;
}

/* A file with recipes gives what a graph without them does, and without deciding again. */
static void kept_in_a_file(void **state) {
    (void)state;
    const char *path = support_temp_path("kept.hdl");
    shape s = shape_skewed("skewed", 400, 3000, 6, true);
    heddle_graph *graph = prepared(WEIGHTS_U32), *plain = case_graph(ctx, &s, WEIGHTS_U32), *loaded, *again;
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, NULL), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &loaded), HEDDLE_OK);
    assert_int_equal(loaded->kept_count, KEPT_PLANS);
    for (int i = 0; i < KEPT_PLANS; i++) {
        heddle_result *expected = run(plain, "bfs", kept_plans[i]), *result = run(loaded, "bfs", kept_plans[i]);
        assert_true(loaded->kept[i].checked);
        assert_true(figure_of(result, "added_edges") == figure_of(expected, "added_edges"));
        for (heddle_vertex v = 0; v < s.vertices; v++)
            assert_true(heddle_result_value(result, v) == heddle_result_value(expected, v));
        heddle_result_destroy(&expected);
        heddle_result_destroy(&result);
    }
    support_assert_status(ctx, heddle_graph_save(ctx, loaded, path, NULL), HEDDLE_OK); /* it keeps them */
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &again), HEDDLE_OK);
    assert_int_equal(again->kept_count, KEPT_PLANS);
    heddle_graph_destroy(&again);
    heddle_graph_destroy(&loaded);
    heddle_graph_destroy(&plain);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Other knobs and other versions are told of. */
static void kept_for_others(void **state) {
    (void)state;
    int notes = 0;
    heddle_context_options options;
    heddle_context_options_init(&options);
    options.note = count_notes;
    options.note_user = &notes;
    heddle_context *usual = ctx;
    support_assert_status(usual, heddle_context_create(&options, &ctx), HEDDLE_OK);
    heddle_graph *graph = prepared(WEIGHTS_NONE);
    heddle_result *result = run(graph, "bfs", kept_plans[0]);
    heddle_result_destroy(&result);
    assert_int_equal(notes, 0);
    result = run(graph, "bfs", "graffix-coalesce,graffix.threshold=0.1,spare=5");
    heddle_result_destroy(&result);
    assert_int_equal(notes, 1);
    for (uint32_t i = 0; i < graph->kept_count; i++)
        ((uint64_t *)(uintptr_t)graph->kept[i].words)[0] = 0;
    result = run(graph, "bfs", kept_plans[1]);
    heddle_result_destroy(&result);
    assert_int_equal(notes, 2);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    ctx = usual;
}

/* Whatever a recipe says with a right checksum: it is refused, or sssp is exact. */
static void false_recipes(void **state) {
    (void)state;
    heddle_graph *graph = prepared(WEIGHTS_U32);
    heddle_run_options options = options_of("sssp", NULL);
    heddle_result *result, *expected = run(graph, "sssp", "auto");
    int refused_recipes = 0;
    for (uint32_t k = 0; k < KEPT_PLANS; k++) {
        uint64_t *words = (uint64_t *)(uintptr_t)graph->kept[k].words;
        options.plan = kept_plans[k];
        for (uint64_t i = HD_RECIPE_HEAD; i < graph->kept[k].count; i += i < 40 ? 1 : 41) {
            static const uint64_t changes[] = {1, UINT64_C(1) << 33, UINT64_MAX};
            for (int c = 0; c < 3; c++) {
                words[i] ^= changes[c];
                heddle_status status = heddle_run(ctx, graph, &options, &result);
                if (status == HEDDLE_OK)
                    for (heddle_vertex v = 0; v < 400; v++)
                        assert_true(heddle_result_value(result, v) == heddle_result_value(expected, v));
                else
                    support_assert_status(ctx, status, HEDDLE_E_FORMAT);
                refused_recipes += status != HEDDLE_OK;
                heddle_result_destroy(&result);
                words[i] ^= changes[c];
                hd_derived_forget(ctx);
            }
        }
    }
    assert_true(refused_recipes > 100);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *algorithm, *plan, *words;
        heddle_status status;
    } cases[] = {
        {"sswp", "graffix-divergence", "sswp: graffix=divergence: edges to", HEDDLE_E_REFUSED},
        {"pr", "graffix=divergence,graffix.threshold=1.01", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=divergence,graffix.threshold=-0.1", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=divergence,graffix.fill=", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=divergence,graffix.fill=x", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=diverge", "graffix=diverge: expected none, coalesce, latency, divergence", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=coalesce,graffix.fill=0.5", "graffix.fill is for graffix=divergence", HEDDLE_E_ARGUMENT},
        {"sssp", "graffix=latency+coalesce,graffix.threshold=0.5", "expected two numbers, 0.6+0.3", HEDDLE_E_ARGUMENT},
        {"sssp", "graffix-latency,graffix.threshold=0.5+0.5", "expected one number for graffix=latency",
         HEDDLE_E_ARGUMENT},
        {"sssp", "graffix=latency+divergence,graffix.threshold=0.5+", "graffix.threshold=: expected a number from 0",
         HEDDLE_E_ARGUMENT},
        {"sssp", "graffix=latency+coalesce,confluence=mean", "rounds inside a cluster run ahead", HEDDLE_E_REFUSED},
        {"pr", "graffix.threshold=0.5", "graffix.threshold is for graffix", HEDDLE_E_ARGUMENT},
    };
    shape s = shape_grid("grid", 5);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options = options_of(cases[i].algorithm, cases[i].plan);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), cases[i].status);
        support_assert_message(ctx, cases[i].words);
    }
    heddle_run_options options = options_of("pr", "graffix-divergence");
    options.max_error = 0.1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "not bounded");
    options.max_error = 0;
    options.approximate = 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "is approximate, which --approximate has to allow");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Components are compared by their number, forests by their weight: results that are wrong on purpose. */
static void figures_are_compared(void **state) {
    static const struct {
        const char *algorithm, *figure;
    } cases[] = {{"scc", "components"}, {"cc", "components"}, {"mst", "total_weight"}};
    (void)state;
    shape s = shape_skewed("skewed", 300, 900, 6, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    for (int i = 0; i < 3; i++) {
        heddle_run_options options = options_of(cases[i].algorithm, "auto");
        heddle_result *result;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        double exact = figure_of(result, cases[i].figure);
        hd_result_figure(result, cases[i].figure, exact * 1.25);
        result->report.approximate = 1;
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        assert_true(fabs(result->report.inaccuracy - 0.25) < 1e-9);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static heddle_status load_and_change(heddle_context *other, void *path) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options = options_of("pr", "graffix=coalesce+divergence,graffix.threshold=0.1+0.7,spare=4");
    options.max_iterations = 5;
    heddle_status status = heddle_graph_load(other, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_graph_prepare(other, graph, options.plan);
    if (status == HEDDLE_OK)
        status = heddle_run(other, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_true(heddle_result_report(result)->approximate);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void without_memory(void **state) {
    (void)state;
    const char *path = case_file(ctx, shape_skewed("skewed", 200, 1500, 7, true), WEIGHTS_NONE, "skewed.hdl");
    support_try_every_failure(load_and_change, (void *)(uintptr_t)path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(example_of_the_text),
                                       cmocka_unit_test(supersets),
                                       cmocka_unit_test(same_for_any_threads),
                                       cmocka_unit_test(exact_where_edges_change_nothing),
                                       cmocka_unit_test(approximate_elsewhere),
                                       cmocka_unit_test(counted_once),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(figures_are_compared),
                                       cmocka_unit_test(combined),
                                       cmocka_unit_test(kept_in_a_file),
                                       cmocka_unit_test(kept_for_others),
                                       cmocka_unit_test(false_recipes),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
