/* test_communities.c - louvain and leiden: known communities; the same for any number of threads; certificates on
 * graphs that hurt, and of wrong labels; at least as good as moving single vertices; what is refused. */
#include "device_case.h"
#include "value_cases.h"

#include <math.h>

static const char *const algorithms[] = {"louvain", "leiden"};
#define FOR_BOTH for (int a = 0; a < 2; a++)

static heddle_run_options options_of(const char *algorithm) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    return options;
}

/* Cliques in a ring, each joined to the next by one edge: each is a community. */
static shape shape_cliques(const char *name, uint64_t count, uint64_t size) {
    shape s = shape_new(name, count * size, count * (size * (size - 1) / 2 + 1));
    s.symmetric = true;
    for (uint64_t c = 0; c < count; c++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t k = i + 1; k < size; k++)
                shape_edge(&s, c * size + i, c * size + k);
        shape_edge(&s, c * size, (c + 1) % count * size + 1);
    }
    return s;
}

static void known(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_cliques("cliques", 6, 5);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH for (uint64_t seed = 1; seed < 20; seed++) {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *result;
        options.seed = seed;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        for (uint64_t v = 0; v < s.vertices; v++)
            assert_int_equal(((uint32_t *)result->values)[v], v / 5 * 5);
        /* of the 132 ends each has 22, and 20 of these inside */
        assert_true(fabs(hd_result_figure_of(result, "modularity") - (6 * (20 / 132.0) - 1 / 6.0)) < 1e-12);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void check_graph(const heddle_graph *graph, heddle_run_options options, const char *name) {
    heddle_context *ctx = support_context(1);
    heddle_result *reference, *first = NULL, *result;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &reference), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, reference), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, &options, &result), HEDDLE_OK);
        support_assert_status(other, heddle_verify(other, graph, &options, result), HEDDLE_OK);
        heddle_context_destroy(&other);
        double found = hd_result_figure_of(result, "modularity"), plain = hd_result_figure_of(reference, "modularity");
        if (!(found >= plain - 0.03))
            fail_msg("%s, %s: modularity %g, single vertices give %g", options.algorithm, name, found, plain);
        if (first) {
            assert_same_result(result, first, name);
            assert_same_figures(result, first, name);
            heddle_result_destroy(&result);
        } else
            first = result;
    }
    heddle_result_destroy(&first);
    heddle_result_destroy(&reference);
    heddle_context_destroy(&ctx);
}

static void shapes(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES + 10; i++) {
        shape s = i < SHAPES ? shape_at(i) : structure_at(i - SHAPES);
        heddle_graph *graph = case_graph(ctx, &s, i % 2 ? WEIGHTS_U32 : WEIGHTS_NONE);
        FOR_BOTH {
            heddle_run_options options = options_of(algorithms[a]);
            options.weighted = i % 4 == 1;
            options.seed = (uint64_t)i + 1;
            options.resolution = i % 5 == 4 ? 0.5 : 1;
            check_graph(graph, options, s.name);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    shape s = shape_skewed("skewed both ways", 3000, 12000, 5, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH check_graph(graph, options_of(algorithms[a]), s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    s = shape_skewed("enough for several threads", 40000, 60000, 7, true);
    graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH check_graph(graph, options_of(algorithms[a]), s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* One level has more communities than the end; a resolution of 0 joins all that is connected. */
static void levels(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_grid("grid", 30);
    s.symmetric = true;
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *one, *all, *none;
        options.max_iterations = 1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &one), HEDDLE_OK);
        options.max_iterations = 0;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &all), HEDDLE_OK);
        assert_true(hd_result_figure_of(one, "communities") > hd_result_figure_of(all, "communities"));
        assert_true(hd_result_figure_of(one, "modularity") < hd_result_figure_of(all, "modularity"));
        assert_true(hd_result_figure_of(all, "modularity") > 0.8);
        options.resolution = 0;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &none), HEDDLE_OK);
        assert_int_equal((int)hd_result_figure_of(none, "communities"), 1);
        heddle_result_destroy(&one);
        heddle_result_destroy(&all);
        heddle_result_destroy(&none);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static double modularity_of(heddle_context *ctx, const heddle_graph *graph, heddle_run_options options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    double modularity = hd_result_figure_of(result, "modularity");
    heddle_result_destroy(&result);
    return modularity;
}

/* Leiden's second iteration mends what was merged too early: the first finds 0.0016 more than louvain here. */
static void twice(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_skewed("skewed both ways", 3000, 12000, 5, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    double louvain = modularity_of(ctx, graph, options_of("louvain"));
    double leiden = modularity_of(ctx, graph, options_of("leiden"));
    if (!(leiden > louvain + 0.005))
        fail_msg("leiden: modularity %.5f, louvain %.5f: expected 0.005 more", leiden, louvain);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void wrong_labels(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_cliques("cliques", 4, 4);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *result;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        uint32_t *label = result->values;
        for (uint64_t v = 0; v < s.vertices; v++)
            for (uint32_t wrong = 0; wrong < s.vertices; wrong++) {
                uint32_t right = label[v];
                label[v] = wrong;
                if (wrong != right)
                    assert_value_rejected(ctx, graph, &options, result, "another label");
                label[v] = right;
            }
        for (uint64_t v = 0; v < s.vertices; v++) /* the first and the third clique, which are not joined */
            label[v] = label[v] == 8 ? 0 : label[v];
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
        hd_result_figure(result, "communities", 3);
        hd_result_figure(result, "largest", 8);
        hd_result_figure(result, "modularity", 4 * (12 / 56.0) - 6 / 16.0);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
        support_assert_message(ctx, a ? "is not connected" : "but moving single vertices gives 0.607142857");
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* Of a search with another resolution, and, with a modularity that the report was given later, if it is worse than no
 * search at all. */
static void other_resolution(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_cliques("cliques", 4, 4);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH for (int i = 0; i < 3; i++) {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *result;
        options.resolution = (double[]){0.5, 2, 0}[i];
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        options.resolution = i < 2 ? 1 : 4;
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
        support_assert_message(ctx, "the report has modularity");
        if (i == 2) { /* one community */
            hd_result_figure(result, "modularity", 1 - 4);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
            support_assert_message(ctx, "that of single vertices");
            options.resolution = 1; /* of which the search may have thought that it was 0 */
            hd_result_figure(result, "modularity", 0);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
            support_assert_message(ctx, "but moving single vertices gives 0.607142857");
        }
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* Cliques as communities, at a resolution where two that are joined have a higher modularity: no vertex gains by moving
 * alone, which leiden settles for. */
static void apart(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_cliques("cliques", 4, 4);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    FOR_BOTH {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *result;
        options.resolution = 0.1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        for (uint64_t v = 0; v < s.vertices; v++)
            ((uint32_t *)result->values)[v] = (uint32_t)(v / 4 * 4);
        hd_result_figure(result, "communities", 4);
        hd_result_figure(result, "largest", 4);
        hd_result_figure(result, "modularity", 4 * (12 / 56.0) - 0.1 * 4 / 16.0);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), a ? HEDDLE_OK : HEDDLE_E_VERIFY);
        if (!a)
            support_assert_message(ctx, "together have a higher modularity than apart");
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void refused(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    static const int64_t from[] = {0, 1}, to[] = {1, 0};
    static const int32_t weights[] = {1, -2};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 2, from, to, weights, HEDDLE_WEIGHT_I32, NULL, &graph),
                          HEDDLE_OK);
    FOR_BOTH {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *result;
        options.weighted = 1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
        options.weighted = 0;
        options.resolution = -1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
        options.resolution = 1;
        if (!device_ctx)
            continue;
        options.device = device_name;
        options.plan = "ws";
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_REFUSED);
        support_assert_message(device_ctx, "use plan auto instead");
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* ---- On a device ------------------------------------------------------------------------------------------------- */

/* Other communities than one thread finds, of about the same modularity; the same in every run. */
static void check_device(shape s, scheme w, bool weighted, double resolution) {
    if (s.vertices > 3000) { /* PoCL needs long for them */
        shape_free(&s);
        return;
    }
    heddle_graph *graph = case_graph(device_ctx, &s, w);
    FOR_BOTH {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *expected, *result, *again;
        options.weighted = weighted;
        options.resolution = resolution;
        options.seed = 7;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
        options.device = device_name;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
        double found = hd_result_figure_of(result, "modularity"), wanted = hd_result_figure_of(expected, "modularity");
        if (!(found >= wanted - 0.03))
            fail_msg("%s, %s: modularity %.6f, one thread finds %.6f", algorithms[a], s.name, found, wanted);
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &again), HEDDLE_OK);
        assert_same_result(again, result, s.name);
        heddle_result_destroy(&again);
        heddle_result_destroy(&result);
        heddle_result_destroy(&expected);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void on_device(void **state) {
    (void)state;
    skip_without_device();
    for (int i = 0; i < SHAPES; i++)
        check_device(shape_at(i), i % 2 ? WEIGHTS_F32 : WEIGHTS_U32, i % 3 == 0, i % 4 == 3 ? 0 : 1);
    check_device(shape_cliques("many cliques", 50, 8), WEIGHTS_NONE, false, 1);
    check_device(shape_wheel("a hub of several pieces", 1500, 3000, 1, false), WEIGHTS_F32, true, 1);
    check_device(shape_skewed("rows of all lengths", 1000, 15000, 3, true), WEIGHTS_MIXED, true, 1);
    /* later levels stay there too: of more than 16,384 entries; of many vertices without neighbours */
    check_device(shape_random("two levels", 1200, 20000, 9, true), WEIGHTS_F32, true, 1);
}

static void known_on_device(void **state) {
    (void)state;
    skip_without_device();
    shape s = shape_cliques("cliques", 40, 6);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    FOR_BOTH for (uint64_t seed = 1; seed < 5; seed++) {
        heddle_run_options options = options_of(algorithms[a]);
        heddle_result *one, *result;
        options.seed = seed;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &one), HEDDLE_OK);
        options.device = device_name;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
        for (uint64_t v = 0; v < s.vertices; v++) /* whole cliques, perhaps several */
            assert_int_equal(((uint32_t *)result->values)[v], ((uint32_t *)result->values)[v / 6 * 6]);
        assert_true(hd_result_figure_of(result, "modularity") > hd_result_figure_of(one, "modularity") - 0.01);
        heddle_result_destroy(&result);
        heddle_result_destroy(&one);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void out_of_memory(void **state) {
    (void)state;
    FOR_BOTH check_no_memory(algorithms[a], shape_random("random", 80, 160, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    FOR_BOTH check_cancelled(algorithms[a], shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
        cmocka_unit_test(known),
        cmocka_unit_test(shapes),
        cmocka_unit_test(levels),
        cmocka_unit_test(twice),
        cmocka_unit_test(wrong_labels),
        cmocka_unit_test(other_resolution),
        cmocka_unit_test(refused),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(on_device),
        cmocka_unit_test(known_on_device),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
