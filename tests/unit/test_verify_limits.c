/* test_verify_limits.c - what heddle_verify says about values that approach a limit is true: the error is within the
 * bound that it proves, no bound is no "verified", and a run that has not converged is not verified. And certificates
 * rely on the out-edges that the user gave: with wrong in-edges a wrong result of any algorithm is found out. */
#include "path_cases.h"

#include "check/check_in_edges.h"
#include "engine/result.h"
#include "graph/graph.h"

#include <math.h>

static heddle_run_options options_for(const char *algorithm) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    return options;
}

static heddle_graph *path_graph(heddle_context *ctx, uint64_t vertices) {
    shape s = shape_new("path", vertices, vertices - 1);
    for (uint64_t k = 0; k + 1 < vertices; k++)
        shape_edge(&s, k, k + 1);
    s.symmetric = true;
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    shape_free(&s);
    return graph;
}

static heddle_result *run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    return result;
}

/* ---- Paths, whose voltages are known ----------------------------------------------------------------------------- */

static void assert_voltages(const heddle_result *result, double within) {
    for (uint64_t v = 0; v < result->count; v++) {
        double exact = 1 - (double)v / (double)(result->count - 1);
        if (!(fabs(heddle_result_value(result, (heddle_vertex)v) - exact) <= within))
            fail_msg("vertex %llu: %.9g, expected %.9g within %.3g", (unsigned long long)v,
                     heddle_result_value(result, (heddle_vertex)v), exact, within);
    }
}

/* The tolerance is reached long before the voltages are right. */
static void slow_circuit(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = path_graph(ctx, 200);
    heddle_run_options options = options_for("cs");
    heddle_result *result = run(ctx, graph, &options);
    const heddle_report *report = heddle_result_report(result);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "not converged after 1000 rounds");
    support_assert_message(ctx, "rounds more");
    assert_int_equal(report->verified, 0);
    heddle_result_destroy(&result);

    options.max_iterations = 100000;
    result = run(ctx, graph, &options);
    report = heddle_result_report(result);
    assert_true(report->converged);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    assert_int_equal(report->verified, -1);
    assert_true(report->residual_verified > 0 && report->residual_verified < 1.1e-4);
    assert_true(report->error_bound < 0);
    heddle_result_destroy(&result);

    options.tolerance = 1e-7;
    options.precision = HEDDLE_PRECISION_DOUBLE;
    result = run(ctx, graph, &options);
    report = heddle_result_report(result);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    assert_int_equal(report->verified, 1);
    assert_true(report->error_bound < 0.01);
    assert_voltages(result, report->error_bound);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* An eigenvector's error is not known, whatever its residual is. */
static void no_gap(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = path_graph(ctx, 300);
    heddle_run_options options = options_for("eigenvector");
    heddle_result *result = run(ctx, graph, &options);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "not converged");
    heddle_result_destroy(&result);
    options.max_iterations = 100000;
    result = run(ctx, graph, &options);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->verified, -1);
    assert_true(heddle_result_report(result)->residual_verified >= 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* ---- Bounds against values that are as exact as doubles allow ---------------------------------------------------- */

static double distance(const heddle_result *a, const heddle_result *b, bool sum) {
    double all = 0;
    for (uint64_t v = 0; v < a->count; v++) {
        double off = fabs(heddle_result_value(a, (heddle_vertex)v) - heddle_result_value(b, (heddle_vertex)v));
        all = sum ? all + off : fmax(all, off);
    }
    return all;
}

static double relative_distance(const heddle_result *a, const heddle_result *exact) {
    double most = 0;
    for (uint64_t v = 0; v < a->count; v++) {
        double right = heddle_result_value(exact, (heddle_vertex)v);
        double off = fabs(heddle_result_value(a, (heddle_vertex)v) - right);
        most = off > 0 ? fmax(most, off / fabs(right)) : most;
    }
    return most;
}

/* Both the bound that the run states and the closer one that is proven later. */
static void check_relative(const heddle_result *result, const heddle_result *exact, double stated, const char *where) {
    double off = relative_distance(result, exact), proven = heddle_result_report(result)->relative_error;
    if ((stated >= 0 && !(off <= stated + 1e-9)) || (proven >= 0 && !(off <= proven + 1e-9)))
        fail_msg("%s: the relative error is %.6g, stated %.6g, proven %.6g", where, off, stated, proven);
    if (!strcmp(exact->report.algorithm, "pr") && !(proven >= 0 && proven <= 2 * off + 1e-4))
        fail_msg("%s: the relative error is %.6g, expected a bound near it, found %.6g", where, off, proven);
}

/* Returns whether there was a bound. */
static bool check_bound(heddle_context *ctx, const heddle_graph *graph, heddle_run_options options, const char *where) {
    heddle_result *result = run(ctx, graph, &options);
    const heddle_report *report = heddle_result_report(result);
    double stated = report->relative_error;
    heddle_status status = heddle_verify(ctx, graph, &options, result);
    if (status != (report->converged ? HEDDLE_OK : HEDDLE_E_VERIFY))
        fail_msg("%s: %s", where, heddle_context_error(ctx)->message);
    bool proven = report->verified == 1;
    if (proven != (report->error_bound >= 0 && report->converged) || report->residual_verified < 0)
        fail_msg("%s: verified %d, bound %g, residual %g", where, report->verified, report->error_bound,
                 report->residual_verified);
    options.tolerance = 1e-14;
    options.max_iterations = 1000000;
    options.precision = HEDDLE_PRECISION_DOUBLE;
    if (proven) {
        heddle_result *exact = run(ctx, graph, &options);
        double off = distance(result, exact, !strcmp(options.algorithm, "pr"));
        if (!(off <= report->error_bound + 1e-11))
            fail_msg("%s: the error is %.6g, the bound %.6g", where, off, report->error_bound);
        check_relative(result, exact, stated, where);
        heddle_result_destroy(&exact);
    }
    heddle_result_destroy(&result);
    return proven;
}

static void bounds(void **state) {
    (void)state;
    static const char *names[] = {"pr", "katz", "hs", "cs", "nn"};
    heddle_context *ctx = support_context(1);
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        int proven = 0;
        for (int i = 0; i < SHAPES; i++)
            for (int w = 0; w < 2; w++) {
                shape s = shape_at(i);
                heddle_graph *graph = case_graph(ctx, &s, w ? WEIGHTS_F32 : WEIGHTS_NONE);
                heddle_run_options options = options_for(names[a]);
                char where[200];
                options.weighted = w && strcmp(names[a], "pr") != 0;
                options.normalized = i % 2;
                snprintf(where, sizeof where, "%s on %s, weights %d", names[a], s.name, w);
                if (s.vertices <= 2000 && (strcmp(names[a], "cs") != 0 || !w))
                    proven += check_bound(ctx, graph, options, where);
                heddle_graph_destroy(&graph);
                shape_free(&s);
            }
        if (proven < 5)
            fail_msg("%s: only %d bounds were proven", names[a], proven);
    }
    heddle_context_destroy(&ctx);
}

/* ---- Wrong in-edges ---------------------------------------------------------------------------------------------- */

/* Exchanges rows of the same length, which stay in order. Returns how many. */
static int spoil_in_edges(heddle_context *ctx, heddle_graph *graph) {
    heddle_adjacency in;
    int exchanged = 0;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    for (uint64_t v = 0; v + 1 < graph->vertices; v++)
        for (uint64_t w = v + 1; w < graph->vertices; w++) {
            uint64_t a = graph->in.offsets[v], b = graph->in.offsets[w], count = graph->in.offsets[v + 1] - a;
            if (graph->in.offsets[w + 1] - b != count || (v + w) % 3)
                continue;
            for (uint64_t k = 0; k < count; k++) {
                uint32_t one = graph->in.targets[a + k];
                graph->in.targets[a + k] = graph->in.targets[b + k];
                graph->in.targets[b + k] = one;
            }
            exchanged++;
        }
    return exchanged;
}

static heddle_graph *random_graph(heddle_context *ctx) {
    shape s = shape_random("random", 80, 400, 7, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    shape_free(&s);
    return graph;
}

static bool same(const heddle_result *a, const heddle_result *b) {
    if (a->forest_edges != b->forest_edges || a->count != b->count)
        return false;
    if (a->forest_ends)
        return !memcmp(a->forest_ends, b->forest_ends, 2 * a->forest_edges * sizeof *a->forest_ends);
    for (uint64_t i = 0; i < a->count * a->columns; i++) {
        double x = hd_result_at(a, i), y = hd_result_at(b, i);
        if (x != y && !(fabs(x - y) <= 1e-12 * fabs(x)))
            return false;
    }
    return true;
}

/* Of the algorithms that use in-edges on the CPU, but for those that do not end or fail with such. */
static void wrong_in_edges(void **state) {
    (void)state;
    static const char *changed[] = {"hs", "cs", "nn", "hits", "katz", "eigenvector", "cdlp"};
    heddle_context *ctx = support_context(1);
    heddle_graph *right = random_graph(ctx), *wrong = random_graph(ctx);
    assert_true(spoil_in_edges(ctx, wrong) > 5);
    for (size_t k = 0; k < sizeof changed / sizeof *changed; k++) {
        heddle_run_options options = options_for(changed[k]);
        options.max_iterations = strcmp(changed[k], "cdlp") ? 10000 : 1; /* more give all one label */
        heddle_result *expected = run(ctx, right, &options), *found = run(ctx, wrong, &options);
        if (same(expected, found))
            fail_msg("%s: expected another result with wrong in-edges", changed[k]);
        if (heddle_verify(ctx, wrong, &options, found) != HEDDLE_E_VERIFY)
            fail_msg("%s: a wrong result passed", changed[k]);
        if (heddle_verify(ctx, right, &options, expected) != HEDDLE_OK)
            fail_msg("%s: a right result: %s", changed[k], heddle_context_error(ctx)->message);
        heddle_result_destroy(&expected);
        heddle_result_destroy(&found);
    }
    heddle_graph_destroy(&right);
    heddle_graph_destroy(&wrong);
    heddle_context_destroy(&ctx);
}

/* No certificate reads in-edges: right results of all algorithms pass when those become wrong. */
static void in_edges_unread(void **state) {
    (void)state;
    const heddle_algorithm_info *info;
    heddle_context *ctx = support_context(1);
    for (size_t i = 0; (info = heddle_algorithm_at(i)); i++) {
        heddle_run_options options = options_for(info->name);
        heddle_graph *graph = random_graph(ctx);
        options.tolerance = 1e-3;
        heddle_result *result = run(ctx, graph, &options);
        spoil_in_edges(ctx, graph);
        if (heddle_verify(ctx, graph, &options, result) != HEDDLE_OK)
            fail_msg("%s: %s", info->name, heddle_context_error(ctx)->message);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* The checkers' own in-edges are those of the library, each with its out-edge. */
static void in_edges_match(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = random_graph(ctx);
    heddle_adjacency in, out;
    hd_check_in_edges in_edges;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    support_assert_status(ctx, hd_check_in_edges_open(ctx, graph, true, &in_edges), HEDDLE_OK);
    assert_memory_equal(in_edges.rows.offsets, in.offsets, (graph->vertices + 1) * sizeof *in.offsets);
    assert_memory_equal(in_edges.rows.targets, in.targets, graph->edges * sizeof *in.targets);
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = in_edges.rows.offsets[v]; e < in_edges.rows.offsets[v + 1]; e++) {
            uint64_t arc = in_edges.arcs[e], from = in_edges.rows.targets[e];
            assert_int_equal(out.targets[arc], v);
            assert_true(arc >= out.offsets[from] && arc < out.offsets[from + 1]);
        }
    hd_check_in_edges_close(ctx, graph, &in_edges);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_circuit),   cmocka_unit_test(no_gap),         cmocka_unit_test(bounds),
        cmocka_unit_test(wrong_in_edges), cmocka_unit_test(in_edges_match), cmocka_unit_test(in_edges_unread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
