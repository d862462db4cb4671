/* value_cases.h - for algorithms that give one right value per vertex: graphs with triangles and cores, and validators
 * that must reject every other value. */
#ifndef VALUE_CASES_H
#define VALUE_CASES_H

#include "structure_cases.h"

#include "engine/result.h"

/* A hub that is joined to all others, and these among each other at random: uneven degrees, and many triangles. */
static inline shape shape_wheel(const char *name, uint64_t n, uint64_t m, uint64_t seed, bool symmetric) {
    shape s = shape_new(name, n, n - 1 + m);
    s.symmetric = symmetric;
    for (uint64_t v = 1; v < n; v++)
        shape_edge(&s, v % 2 ? 0 : v, v % 2 ? v : 0);
    for (uint64_t k = 0; k < m; k++)
        shape_edge(&s, 1 + case_hash(seed + 2 * k) % (n - 1), 1 + case_hash(seed + 2 * k + 1) % (n - 1));
    return s;
}

/* All that the algorithms on the simple graph underneath are tried on. */
static inline void check_values(const char *algorithm) {
    check_all_structures(algorithm, WEIGHTS_NONE);
    check_structure_shape(algorithm, shape_wheel("wheel", 2000, 4000, 1, false), WEIGHTS_NONE);
    check_structure_shape(algorithm, shape_wheel("wheel both ways", 2000, 4000, 2, true), WEIGHTS_U32);
    check_structure_shape(algorithm, shape_skewed("dense skewed", 4000, 80000, 3, false), WEIGHTS_NONE);
    check_structure_shape(algorithm, shape_skewed("dense skewed both ways", 4000, 80000, 4, true), WEIGHTS_NONE);
    check_structure_shape(algorithm, shape_clique("clique", 250), WEIGHTS_NONE);
}

static inline void assert_value_rejected(heddle_context *ctx, const heddle_graph *graph,
                                         const heddle_run_options *options, heddle_result *result, const char *where) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    if (status != HEDDLE_E_VERIFY)
        fail_msg("%s: a wrong value went through: %s", where, heddle_status_name(status));
    if (!heddle_context_error(ctx)->message[0])
        fail_msg("%s: rejected without a word", where);
}

/* The k-th wrong value in place of a right one; false: there are no more. */
static inline bool spoil(heddle_result *result, uint64_t v, int k) {
    static const double shift[] = {1, -1, 3, 0.5, -0.25};
    if (k >= 5)
        return false;
    switch (result->type) {
    case HEDDLE_VALUE_U32: ((uint32_t *)result->values)[v] += (uint32_t)(int64_t)(k < 3 ? shift[k] : 1000 + k); break;
    case HEDDLE_VALUE_U64: ((uint64_t *)result->values)[v] += (uint64_t)(int64_t)(k < 3 ? shift[k] : 1000 + k); break;
    default: ((double *)result->values)[v] += shift[k]; break;
    }
    return true;
}

static inline void check_wrong_values(const char *algorithm, shape s) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    char where[200];
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    size_t size = hd_value_size(result->type);
    for (uint64_t v = 0; v < s.vertices; v++) {
        unsigned char right[8];
        memcpy(right, (char *)result->values + v * size, size);
        for (int k = 0; spoil(result, v, k); k++) {
            snprintf(where, sizeof where, "%s, %s, vertex %llu", algorithm, s.name, (unsigned long long)v);
            assert_value_rejected(ctx, graph, &options, result, where);
            memcpy((char *)result->values + v * size, right, size);
        }
    }
    support_assert_verified(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static inline void check_wrong_values_of(const char *algorithm) {
    for (uint64_t seed = 0; seed < 20; seed++)
        check_wrong_values(algorithm, shape_random("random", 12, 6 + 2 * seed, seed * 100, seed % 3 == 0));
    check_wrong_values(algorithm, shape_pieces("pieces"));
    check_wrong_values(algorithm, shape_clique("clique", 9));
    check_wrong_values(algorithm, shape_star("star", 20, false, true));
    check_wrong_values(algorithm, shape_path("path", 20, false));
}

/* Values and figures of a graph that is written down; `expected` as doubles. */
static inline void check_known(const char *algorithm, uint64_t n, uint64_t m, const int64_t *from, const int64_t *to,
                               bool symmetric, const double *expected) {
    heddle_context *ctx = support_context(2);
    heddle_build_options build;
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_build_options_init(&build);
    build.symmetrize = symmetric;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, n, m, from, to, NULL, HEDDLE_WEIGHT_NONE, &build, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++)
        if (heddle_result_value(result, (heddle_vertex)v) != expected[v])
            fail_msg("%s: vertex %llu has %.17g, expected %.17g", algorithm, (unsigned long long)v,
                     heddle_result_value(result, (heddle_vertex)v), expected[v]);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

#endif
