/* test_verify_rank.c - the validators of pr and bc reject every result with one wrong value. For pr, wrong means:
 * further off than the tolerance and the rounding that docs/verification.md states. */
#include "path_cases.h"

#include "check/centrality.h"
#include "engine/result.h"

#include <math.h>

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *where, uint64_t v, double wrong) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    if (status != HEDDLE_E_VERIFY)
        fail_msg("%s: %.17g for vertex %llu went through: %s", where, wrong, (unsigned long long)v,
                 heddle_status_name(status));
    assert_int_equal(heddle_result_report(result)->verified, 0);
}

static void put(heddle_result *result, uint64_t v, double value) {
    if (result->type == HEDDLE_VALUE_F32)
        ((float *)result->values)[v] = (float)value;
    else
        ((double *)result->values)[v] = value;
}

/* Tries wrong values for vertex v, all more than `apart` from the right one. */
static void corrupt(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                    heddle_result *result, uint64_t v, double apart, const char *where) {
    double right = heddle_result_value(result, (heddle_vertex)v);
    double wrong[32] = {
        NAN,       INFINITY, -INFINITY, -right, 0, 1, right * 2, right / 2, right + 1.1 * apart, right - 1.1 * apart,
        right + 1, -1e-30};
    size_t count = 12;
    for (uint64_t u = 0; u < result->count && count < 32; u += result->count / 8 + 1)
        wrong[count++] = heddle_result_value(result, (heddle_vertex)u);
    for (size_t k = 0; k < count; k++) {
        if (fabs(wrong[k] - right) <= apart || (wrong[k] == -1e-30 && right == 0 && apart > 0))
            continue;
        put(result, v, wrong[k]);
        assert_rejected(ctx, graph, options, result, where, v, wrong[k]);
    }
    put(result, v, right);
}

static void corrupt_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         double apart, double relative, const char *where) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    uint64_t step = result->count / 24 + 1;
    for (uint64_t v = 0; v < result->count; v += step)
        corrupt(ctx, graph, options, result, v, apart + relative * heddle_result_value(result, (heddle_vertex)v),
                where);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->verified, 1);
    heddle_result_destroy(&result);
}

static heddle_run_options options_for(const char *algorithm, heddle_precision precision) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.precision = precision;
    return options;
}

static void ranks(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    for (int i = 1; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
        heddle_run_options options = options_for("pr", HEDDLE_PRECISION_DOUBLE);
        options.tolerance = 1e-12;
        options.max_iterations = 1000;
        /* the sum alone finds what is more than its rounding off: 1e-10 / (1 - d) */
        corrupt_each(ctx, graph, &options, 1e-9, 0, s.name);
        options.weighted = 1;
        corrupt_each(ctx, graph, &options, 1e-9, 0, s.name);
        options.precision = HEDDLE_PRECISION_SINGLE;
        options.tolerance = 1e-6;
        corrupt_each(ctx, graph, &options, 4e-6, 0, s.name);
        options.weighted = 0;
        corrupt_each(ctx, graph, &options, 4e-6, 0, s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* Two errors that leave the sum as it is: the equation finds them. */
static void moved_rank(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_at(14);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_for("pr", HEDDLE_PRECISION_DOUBLE);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (uint64_t v = 0; v + 1 < result->count; v += 7) {
        double a = heddle_result_value(result, (heddle_vertex)v), b = heddle_result_value(result, (heddle_vertex)v + 1);
        put(result, v, a + 1e-5);
        put(result, v + 1, b - 1e-5);
        assert_rejected(ctx, graph, &options, result, "moved rank", v, a + 1e-5);
        put(result, v, a);
        put(result, v + 1, b);
    }
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* A run that was stopped is held to the change it reports, and a wrong vector does not pass as stopped. */
static void stopped_run(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_at(16);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_for("pr", HEDDLE_PRECISION_DOUBLE);
    heddle_result *result;
    options.max_iterations = 4;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->converged, 0);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "not converged after 4 rounds");
    assert_true(heddle_result_report(result)->residual_verified >= 0);
    result->report.converged = 1;
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "miss their equation");
    result->report.converged = 0;
    result->residual = (double)NAN;
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "reports no residual");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static void centrality(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        heddle_vertex sources[] = {0, (heddle_vertex)(s.vertices / 2)};
        heddle_run_options options = options_for("bc", HEDDLE_PRECISION_DEFAULT);
        options.samples = 1 + s.vertices / 20;
        corrupt_each(ctx, graph, &options, 0, 3e-9, s.name);
        options.precision = HEDDLE_PRECISION_SINGLE;
        options.samples = 0;
        options.normalized = 1;
        options.sources = sources;
        options.source_count = 2;
        corrupt_each(ctx, graph, &options, 1.2e-38, 1e-6, s.name);
        if (s.vertices <= 100) { /* all sources */
            options = options_for("bc", HEDDLE_PRECISION_DEFAULT);
            corrupt_each(ctx, graph, &options, 0, 3e-9, s.name);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* With a small budget only some sources are recomputed: they bound every value, and a note says so. */
static void sampled_check(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    shape s = shape_at(14);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_for("bc", HEDDLE_PRECISION_DEFAULT);
    heddle_result *result;
    uint64_t budget = 40 * (heddle_graph_vertices(graph) + heddle_graph_edges(graph));
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, hd_verify_bc_within(ctx, graph, &options, result, budget), HEDDLE_OK);
    assert_true(strstr(support_last_note(), "of its 500 sources") != NULL);
    for (uint64_t v = 0; v < result->count; v += 9) {
        double right = heddle_result_value(result, (heddle_vertex)v);
        if (right < 1000)
            continue;
        put(result, v, right / 1000);
        support_assert_status(ctx, hd_verify_bc_within(ctx, graph, &options, result, budget), HEDDLE_E_VERIFY);
        put(result, v, 1e9);
        support_assert_status(ctx, hd_verify_bc_within(ctx, graph, &options, result, budget), HEDDLE_E_VERIFY);
        put(result, v, NAN);
        support_assert_status(ctx, hd_verify_bc_within(ctx, graph, &options, result, budget), HEDDLE_E_VERIFY);
        put(result, v, right);
    }
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

/* A result of another algorithm, or of another graph. */
static void foreign_results(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_at(13), other = shape_at(12);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE), *another = case_graph(ctx, &other, WEIGHTS_NONE);
    heddle_run_options pr = options_for("pr", HEDDLE_PRECISION_DEFAULT),
                       bc = options_for("bc", HEDDLE_PRECISION_DEFAULT);
    heddle_result *ranks, *centrality;
    support_assert_status(ctx, heddle_run(ctx, graph, &pr, &ranks), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &bc, &centrality), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &pr, centrality), HEDDLE_E_ARGUMENT);
    support_assert_status(ctx, heddle_verify(ctx, graph, &bc, ranks), HEDDLE_E_ARGUMENT);
    support_assert_status(ctx, heddle_verify(ctx, another, &pr, ranks), HEDDLE_E_ARGUMENT);
    support_assert_status(ctx, heddle_verify(ctx, another, &bc, centrality), HEDDLE_E_ARGUMENT);
    pr.damping = 0.8;
    support_assert_status(ctx, heddle_verify(ctx, graph, &pr, ranks), HEDDLE_E_VERIFY);
    bc.normalized = 1;
    support_assert_status(ctx, heddle_verify(ctx, graph, &bc, centrality), HEDDLE_E_VERIFY);
    heddle_result_destroy(&ranks);
    heddle_result_destroy(&centrality);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&another);
    shape_free(&s);
    shape_free(&other);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks),      cmocka_unit_test(moved_rank),    cmocka_unit_test(stopped_run),
        cmocka_unit_test(centrality), cmocka_unit_test(sampled_check), cmocka_unit_test(foreign_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
