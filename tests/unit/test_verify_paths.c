/* test_verify_paths.c - the validators of bfs, sssp and sswp reject every result with one wrong value or parent. */
#include "path_cases.h"

#include "engine/result.h"

#include <math.h>

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *where, uint64_t v) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    if (status != HEDDLE_E_VERIFY)
        fail_msg("%s: a wrong value or parent of vertex %llu went through: %s", where, (unsigned long long)v,
                 heddle_status_name(status));
    assert_int_equal(heddle_result_report(result)->verified, 0);
}

/* Wrong values to try in place of vertex v's. */
static size_t wrong_u32(const uint32_t *values, uint64_t count, uint64_t v, uint32_t *wrong) {
    size_t n = 0;
    wrong[n++] = values[v] + 1;
    wrong[n++] = values[v] - 1;
    wrong[n++] = 0;
    wrong[n++] = UINT32_MAX;
    wrong[n++] = UINT32_MAX - 1;
    wrong[n++] = values[v] * 2;
    wrong[n++] = values[v] ^ UINT32_C(1) << 31;
    for (uint64_t u = 0; u < count && n < 40; u += count / 16 + 1)
        wrong[n++] = values[u];
    return n;
}

static size_t wrong_f32(const float *values, uint64_t count, uint64_t v, float *wrong) {
    size_t n = 0;
    wrong[n++] = nextafterf(values[v], INFINITY);
    wrong[n++] = nextafterf(values[v], -INFINITY);
    wrong[n++] = 0;
    wrong[n++] = INFINITY;
    wrong[n++] = -INFINITY;
    wrong[n++] = NAN;
    wrong[n++] = -1;
    wrong[n++] = values[v] + 1;
    for (uint64_t u = 0; u < count && n < 40; u += count / 16 + 1)
        wrong[n++] = values[u];
    return n;
}

static size_t wrong_f64(const double *values, uint64_t count, uint64_t v, double *wrong) {
    size_t n = 0;
    wrong[n++] = nextafter(values[v], INFINITY);
    wrong[n++] = nextafter(values[v], -INFINITY);
    wrong[n++] = 0;
    wrong[n++] = INFINITY;
    wrong[n++] = -INFINITY;
    wrong[n++] = NAN;
    wrong[n++] = values[v] - 1;
    wrong[n++] = values[v] + 1;
    for (uint64_t u = 0; u < count && n < 40; u += count / 16 + 1)
        wrong[n++] = values[u];
    return n;
}

static size_t wrong_u64(const uint64_t *values, uint64_t count, uint64_t v, uint64_t *wrong) {
    size_t n = 0;
    wrong[n++] = values[v] + 1;
    wrong[n++] = values[v] - 1;
    wrong[n++] = 0;
    wrong[n++] = UINT64_MAX;
    wrong[n++] = (uint32_t)values[v];
    wrong[n++] = values[v] ^ UINT64_C(1) << 63;
    for (uint64_t u = 0; u < count && n < 40; u += count / 16 + 1)
        wrong[n++] = values[u];
    return n;
}

#define TRY_WRONG(type, function)                                    \
    do {                                                             \
        type *values = result->values, wrong[64], right = values[v]; \
        size_t tries = function(values, result->count, v, wrong);    \
        for (size_t i = 0; i < tries; i++) {                         \
            if (wrong[i] == right)                                   \
                continue;                                            \
            values[v] = wrong[i];                                    \
            assert_rejected(ctx, graph, options, result, where, v);  \
        }                                                            \
        values[v] = right;                                           \
    } while (0)

static void corrupt_values(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result, const char *where) {
    for (uint64_t v = 0; v < result->count; v++)
        switch (result->type) {
        case HEDDLE_VALUE_U32: TRY_WRONG(uint32_t, wrong_u32); break;
        case HEDDLE_VALUE_U64: TRY_WRONG(uint64_t, wrong_u64); break;
        case HEDDLE_VALUE_F32: TRY_WRONG(float, wrong_f32); break;
        default: TRY_WRONG(double, wrong_f64); break;
        }
}

static void corrupt_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *where) {
    for (uint64_t v = 0; v < result->count; v++) {
        heddle_vertex right = result->parents[v];
        for (uint64_t u = 0; u <= result->count + 1; u++) {
            heddle_vertex wrong = u <= result->count ? (heddle_vertex)u : UINT32_MAX;
            if (wrong == right)
                continue;
            result->parents[v] = wrong;
            assert_rejected(ctx, graph, options, result, where, v);
        }
        result->parents[v] = right;
    }
}

static void corrupt(const char *algorithm, const shape *s, scheme w, heddle_precision precision) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = case_graph(ctx, s, w);
    heddle_vertex sources[] = {0, (heddle_vertex)(s->vertices / 3)};
    heddle_run_options options;
    heddle_result *result;
    char where[200];
    snprintf(where, sizeof where, "%s, %s, %s", algorithm, s->name, scheme_names[w]);
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.parents = 1;
    options.precision = precision;
    options.sources = sources;
    options.source_count = 2;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    corrupt_parents(ctx, graph, &options, result, where);
    /* without parents to hold on to, the validator has to find the tree itself */
    heddle_vertex *parents = result->parents;
    result->parents = NULL;
    corrupt_values(ctx, graph, &options, result, where);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    result->parents = parents;
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Small enough that every vertex can be tried with every parent. */
static shape small_shape(int i) {
    switch (i) {
    case 0: return shape_path("path", 20, false);
    case 1: return shape_star("star both ways", 12, false, true);
    case 2: return shape_clique("clique", 9);
    case 3: return shape_pieces("pieces");
    case 4: return shape_rings("rings");
    case 5: return shape_grid("grid", 6);
    case 6: return shape_random("sparse random", 40, 50, 11, false);
    default: return shape_skewed("skewed both ways", 48, 200, 12, true);
    }
}

static void corrupt_all(const char *algorithm, scheme w, heddle_precision precision) {
    for (int i = 0; i < 8; i++) {
        shape s = small_shape(i);
        corrupt(algorithm, &s, w, precision);
        shape_free(&s);
    }
}

static void bfs(void **state) {
    (void)state;
    corrupt_all("bfs", WEIGHTS_NONE, HEDDLE_PRECISION_DEFAULT);
}

static void sssp(void **state) {
    (void)state;
    static const scheme all[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_ALL_ZERO,
                                 WEIGHTS_HUGE, WEIGHTS_F32, WEIGHTS_MIXED, WEIGHTS_ENORMOUS};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        corrupt_all("sssp", all[i], HEDDLE_PRECISION_DEFAULT);
    corrupt_all("sssp", WEIGHTS_MIXED, HEDDLE_PRECISION_DOUBLE);
}

static void sswp(void **state) {
    (void)state;
    static const scheme all[] = {WEIGHTS_NONE, WEIGHTS_ZEROS, WEIGHTS_HUGE, WEIGHTS_SIGNED, WEIGHTS_SIGNED_F32};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        corrupt_all("sswp", all[i], HEDDLE_PRECISION_DEFAULT);
}

/* All vertices of a ring of zeros lowered together: each has a tight edge, but none of them leads there from outside.
 * The same for a ring that claims to be wider than the way to it. */
static void rings_that_hold_themselves_up(void **state) {
    (void)state;
    static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 1};
    static const uint32_t zeros[] = {5, 0, 0, 0}, wide[] = {5, 9, 9, 9};
    heddle_context *ctx = support_context(1);
    heddle_vertex source = 0;
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.sources = &source;
    options.source_count = 1;
    options.algorithm = "sssp";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 4, from, to, zeros, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (int v = 1; v < 4; v++)
        ((uint32_t *)result->values)[v] = 3;
    assert_rejected(ctx, graph, &options, result, "ring of zeros", 1);
    support_assert_message(ctx, "vertex 1 has the value 3, but no path from a source has it");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    options.algorithm = "sswp";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 4, from, to, wide, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (int v = 1; v < 4; v++)
        ((double *)result->values)[v] = 9;
    assert_rejected(ctx, graph, &options, result, "wide ring", 1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* A result of another algorithm, another graph, or other sources. */
static void foreign_results(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape path = shape_at(3), grid = shape_at(11);
    heddle_graph *one = case_graph(ctx, &path, WEIGHTS_U32), *other = case_graph(ctx, &grid, WEIGHTS_U32);
    heddle_vertex first = 0, second = 1;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.sources = &first;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, one, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, other, &options, result), HEDDLE_E_ARGUMENT);
    options.sources = &second;
    assert_rejected(ctx, one, &options, result, "another source", 1);
    options.algorithm = "sswp";
    support_assert_status(ctx, heddle_verify(ctx, one, &options, result), HEDDLE_E_ARGUMENT);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&one);
    heddle_graph_destroy(&other);
    shape_free(&path);
    shape_free(&grid);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs),
        cmocka_unit_test(sssp),
        cmocka_unit_test(sswp),
        cmocka_unit_test(rings_that_hold_themselves_up),
        cmocka_unit_test(foreign_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
