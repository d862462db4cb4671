/* test_walks.c - random walks: graphs that hurt against the reference, for 1, 2 and 7 threads, uniform, by weight and
 * as node2vec; how often steps are taken; the validator; what is refused. */
#include "structure_cases.h"

#include "check/check_walks.h"
#include "engine/result.h"

#include <math.h>

static heddle_run_options options_of(uint64_t walks, uint64_t length) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "walks";
    options.walks = walks;
    options.length = length;
    return options;
}

static void check_walks(const heddle_graph *graph, heddle_run_options options, const char *where) {
    heddle_context *ctx = support_context(1);
    heddle_result *expected, *result;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, &options, &result), HEDDLE_OK);
        const heddle_values *found = heddle_result_values(result), *wanted = heddle_result_values(expected);
        assert_int_equal(found->count, wanted->count);
        assert_int_equal(found->columns, wanted->columns);
        assert_true(found->walks && found->labels);
        if (memcmp(found->data, wanted->data, found->count * found->columns * 4) != 0)
            fail_msg("%s: other walks than the reference's", where);
        assert_same_figures(result, expected, where);
        support_assert_status(other, heddle_verify(other, graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
        heddle_context_destroy(&other);
    }
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

static void shapes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_context *ctx = support_context(2);
        heddle_graph *graph = case_graph(ctx, &s, i % 2 ? WEIGHTS_U32 : WEIGHTS_F32);
        for (int mode = 0; mode < 6 && s.vertices <= 3000; mode++) {
            heddle_run_options options = options_of(2, 7);
            options.weighted = mode % 2;
            options.p = mode < 2 ? 0 : mode < 4 ? 4 : 1e-5; /* the last: rows are summed up */
            options.q = mode < 2 ? 0 : 0.5;
            options.seed = (uint64_t)(i + mode);
            check_walks(graph, options, s.name);
        }
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
        shape_free(&s);
    }
}

/* The walks of a vertex do not depend on the others. */
static void sources(void **state) {
    (void)state;
    static const heddle_vertex some[] = {9, 3};
    heddle_context *ctx = support_context(2);
    shape s = shape_random("random", 20, 60, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_of(3, 5);
    heddle_result *all, *few;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &all), HEDDLE_OK);
    options.sources = some;
    options.source_count = 2;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &few), HEDDLE_OK);
    const uint32_t *x = heddle_result_values(all)->data, *y = heddle_result_values(few)->data;
    for (uint64_t k = 0; k <= 5; k++)
        for (uint64_t i = 0; i < 3; i++) {
            assert_int_equal(y[k * 6 + i], x[k * 60 + 9 * 3 + i]);
            assert_int_equal(y[k * 6 + 3 + i], x[k * 60 + 3 * 3 + i]);
        }
    heddle_result_destroy(&all);
    heddle_result_destroy(&few);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* From 0 to 1, whose arcs go back, to 2, to which 0 has an arc, and to 3, to which it has none. */
static void frequencies(void **state) {
    (void)state;
    enum { WALKS = 40000 };
    static const int64_t from[] = {0, 0, 1, 1, 1}, to[] = {1, 2, 0, 2, 3};
    static const float weights[] = {1, 0, 1, 2, 5};
    static const heddle_vertex source = 0;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 5, from, to, weights, HEDDLE_WEIGHT_F32, NULL, &graph),
                          HEDDLE_OK);
    static const double back[] = {0.5, 1e-3, 1e-310}; /* the reciprocal of the last one is infinite */
    for (int b = 0; b < 3; b++) {
        heddle_run_options options = options_of(WALKS, 2);
        double p = back[b], q = 4, shares[3] = {fmin(1 / p, 1e300), 2, 5 / q}, all = shares[0] + shares[1] + shares[2];
        uint64_t counts[4] = {0};
        heddle_result *result;
        options.weighted = 1;
        options.p = p;
        options.q = q;
        options.sources = &source;
        options.source_count = 1;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        const uint32_t *path = heddle_result_values(result)->data;
        for (uint64_t i = 0; i < WALKS; i++) {
            assert_int_equal(path[WALKS + i], 1);
            counts[path[2 * WALKS + i]]++;
        }
        static const int ends[] = {0, 2, 3};
        for (int k = 0; k < 3; k++) {
            double share = shares[k] / all, found = (double)counts[ends[k]] / WALKS;
            if (fabs(found - share) > 5 * sqrt(share * (1 - share) / WALKS))
                fail_msg("vertex %d: in %g of the walks, expected %g", ends[k], found, share);
        }
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Every vertex of every walk matters. */
static void wrong_walks(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_random("random", 12, 30, 7, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = options_of(2, 6);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    uint32_t *path = result->values;
    for (uint64_t i = 0; i < result->count * result->columns; i++) {
        uint32_t right = path[i];
        for (uint32_t other = 0; other <= 13; other++) {
            path[i] = other == 12 ? UINT32_MAX : other == 13 ? 5000 : other;
            heddle_status wanted = path[i] == right ? HEDDLE_OK : HEDDLE_E_VERIFY;
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), wanted);
        }
        path[i] = right;
    }
    support_clear_notes();
    support_assert_status(ctx, hd_verify_walks_within(ctx, graph, &options, result, 10), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "were made again"));
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void refused(void **state) {
    (void)state;
    static const heddle_vertex beyond = 20;
    heddle_context *ctx = support_context(1);
    shape s = shape_path("path", 20, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result;
    heddle_run_options options = options_of(1, 1);
    options.p = -1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "p -1: expected a finite number");
    options = options_of(1, 1);
    options.q = NAN;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    options = options_of(UINT64_MAX / 4, UINT32_MAX / 2);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_LIMIT);
    options = options_of(1, 1);
    options.sources = &beyond;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_SOURCE);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void no_memory(void **state) {
    (void)state;
    check_no_memory("walks", shape_random("random", 20, 60, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("walks", shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes),      cmocka_unit_test(sources),
                                       cmocka_unit_test(frequencies), cmocka_unit_test(wrong_walks),
                                       cmocka_unit_test(refused),     cmocka_unit_test(no_memory),
                                       cmocka_unit_test(cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
