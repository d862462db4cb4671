/* test_spectral.c - eigenvector, katz, hits: graphs that hurt against the reference, the same bits for several numbers
 * of threads, devices; known values; what is refused; sums that diverge; the certificate. */
#include "device_case.h"
#include "value_cases.h"

#include <math.h>

static const char *const algorithms[] = {"eigenvector", "katz", "hits"};
#define FOR_ALL for (size_t a = 0; a < 3; a++)

static void assert_near(const heddle_result *result, const heddle_result *expected, const heddle_run_options *options,
                        const char *name) {
    assert_int_equal(result->count, expected->count);
    for (uint64_t v = 0; v < result->count; v++) {
        double value = ((double *)result->values)[v], wanted = ((double *)expected->values)[v];
        if (!(fabs(value - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
            fail_msg("%s on %s, %s: vertex %llu has %.17g, expected %.17g", options->algorithm,
                     options->device ? options->device : "cpu", name, (unsigned long long)v, value, wanted);
    }
}

/* On a device twice: the same bits. */
static void check_device(const heddle_graph *graph, heddle_run_options options, const heddle_result *expected,
                         const char *name) {
    static const char *const figures[] = {"eigenvalue", "alpha", "max"};
    heddle_result *result, *again;
    if (!device_ctx)
        return;
    options.device = device_name;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_verified(device_ctx, graph, &options, result);
    assert_near(result, expected, &options, name);
    for (int i = 0; i < 3; i++) {
        double value = hd_result_figure_of(result, figures[i]), wanted = hd_result_figure_of(expected, figures[i]);
        if (!(fabs(value - wanted) <= 1e-9 * fmax(1, fabs(wanted))) && !(isnan(value) && isnan(wanted)))
            fail_msg("%s, %s: %s is %.17g, expected %.17g", options.algorithm, name, figures[i], value, wanted);
    }
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &again), HEDDLE_OK);
    assert_same_result(again, result, name);
    heddle_result_destroy(&again);
    heddle_result_destroy(&result);
}

static void check_run(const heddle_graph *graph, const heddle_run_options *options, const char *name) {
    heddle_context *ctx = support_context(1);
    heddle_result *expected, *first = NULL, *result;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, options, &expected), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, options, &result), HEDDLE_OK);
        support_assert_verified(other, graph, options, result);
        heddle_context_destroy(&other);
        assert_near(result, expected, options, name);
        if (first)
            assert_same_result(result, first, name);
        else
            first = result;
        if (first != result)
            heddle_result_destroy(&result);
    }
    check_device(graph, *options, first, name);
    support_assert_verified(ctx, graph, options, expected);
    heddle_result_destroy(&first);
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

/* A fixed number of rounds, so that both have made as many; weights or not. */
static void shapes(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES + 11; i++) {
        shape s = i < SHAPES        ? shape_at(i)
                  : i < SHAPES + 10 ? structure_at(i - SHAPES)
                                    : shape_wheel("a hub of many pieces", 9000, 9000, 1, false);
        scheme w = i % 3 == 0 ? WEIGHTS_F32 : i % 3 == 1 ? WEIGHTS_U32 : WEIGHTS_NONE;
        heddle_graph *graph = case_graph(ctx, &s, w);
        FOR_ALL {
            heddle_run_options options;
            heddle_run_options_init(&options);
            options.algorithm = algorithms[a];
            options.weighted = w != WEIGHTS_NONE && i % 2;
            options.hubs = options.normalized = i % 4 == 1;
            options.max_iterations = 30;
            options.tolerance = 1e-15;
            check_run(graph, &options, s.name);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* A star both ways: 1 / sqrt(2) in the middle, the rest alike, eigenvalue sqrt(leaves). */
static void known(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_star("star", 17, false, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "eigenvector";
    options.tolerance = 1e-13;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(heddle_result_report(result)->converged);
    assert_true(fabs(heddle_result_value(result, 0) - sqrt(0.5)) < 1e-12);
    assert_true(fabs(heddle_result_value(result, 5) - sqrt(0.5 / 16)) < 1e-12);
    assert_true(fabs(hd_result_figure_of(result, "eigenvalue") - 4) < 1e-10);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void refused(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_clique("clique", 12);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_I32);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = "katz";
    options.alpha = 0.2;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "the sums grow without end");
    support_assert_message(ctx, "0.075 converges");
    options.alpha = -1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    options.alpha = NAN;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    if (device_ctx) {
        options.alpha = 0;
        options.device = device_name;
        options.plan = "ws";
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_REFUSED);
        support_assert_message(device_ctx, "use plan auto instead");
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static heddle_status run_katz(heddle_context *ctx, const heddle_graph *graph, const char *device, double alpha) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = "katz";
    options.alpha = alpha;
    options.device = device;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_true(heddle_result_report(result)->converged);
    heddle_result_destroy(&result);
    return status;
}

/* On the CPU and the device; `message` NULL: it converges. What an error suggests does. */
static void check_alpha(shape s, double alpha, const char *message) {
    for (int on_device = 0; on_device < (device_ctx ? 2 : 1); on_device++) {
        heddle_context *ctx = on_device ? device_ctx : support_context(2);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        const char *device = on_device ? device_name : "cpu";
        support_assert_status(ctx, run_katz(ctx, graph, device, alpha), message ? HEDDLE_E_ARGUMENT : HEDDLE_OK);
        if (message) {
            support_assert_message(ctx, message);
            double better = atof(strstr(heddle_context_error(ctx)->message, "; ") + 2);
            assert_true(better > 0 && better < alpha);
            support_assert_status(ctx, run_katz(ctx, graph, device, better), HEDDLE_OK);
        }
        heddle_graph_destroy(&graph);
        if (!on_device)
            heddle_context_destroy(&ctx);
    }
    shape_free(&s);
}

/* A star has sqrt(leaves) as its largest eigenvalue, and -sqrt(leaves) too: values grow in turns. Without cycles sums
 * are finite for every alpha, and no proof may say otherwise, however they grow. */
static void divergence(void **state) {
    (void)state;
    check_alpha(shape_star("star", 17, false, true), 0.24, NULL);
    check_alpha(shape_star("star", 17, false, true), 0.26, "grow without end");
    check_alpha(shape_star("star", 17, false, true), 1e60, "exceed double precision");
    check_alpha(shape_path("path", 40, false), 7, NULL);
    check_alpha(shape_path("path", 200, false), 1e3, "exceed double precision; 0.9 converges");
}

static void negative_weights(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    static const int64_t from[] = {0, 1}, to[] = {1, 0};
    static const int32_t weights[] = {1, -2};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 2, from, to, weights, HEDDLE_WEIGHT_I32, NULL, &graph),
                          HEDDLE_OK);
    FOR_ALL {
        heddle_run_options options;
        heddle_result *result;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[a];
        options.weighted = 1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void wrong_values(void **state) {
    (void)state;
    FOR_ALL check_wrong_values_of(algorithms[a]);
}

static void out_of_memory(void **state) {
    (void)state;
    FOR_ALL check_no_memory(algorithms[a], shape_random("random", 60, 200, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    FOR_ALL check_cancelled(algorithms[a], shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),           cmocka_unit_test(known),        cmocka_unit_test(refused),
        cmocka_unit_test(negative_weights), cmocka_unit_test(wrong_values), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled),        cmocka_unit_test(divergence),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
