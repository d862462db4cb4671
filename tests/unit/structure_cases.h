/* structure_cases.h - more graphs that hurt, for the tests of cc, scc and mst, and what these tests share. */
#ifndef STRUCTURE_CASES_H
#define STRUCTURE_CASES_H

#include "path_cases.h"

/* ---- Shapes with a structure ------------------------------------------------------------------------------------- */

static inline shape shape_ring(const char *name, uint64_t n) {
    shape s = shape_new(name, n, n);
    for (uint64_t v = 0; v < n; v++)
        shape_edge(&s, v, (v + 1) % n);
    return s;
}

/* Arcs to the right and down only: no cycle, and a wave of vertices that can be peeled. */
static inline shape shape_slope(const char *name, uint64_t side) {
    shape s = shape_grid(name, side);
    s.symmetric = false;
    return s;
}

/* The same with arcs back from the borders. */
static inline shape shape_torus(const char *name, uint64_t side) {
    shape s = shape_new(name, side * side, 2 * side * side);
    for (uint64_t v = 0; v < side * side; v++) {
        shape_edge(&s, v, v / side * side + (v + 1) % side);
        shape_edge(&s, v, (v + side) % (side * side));
    }
    return s;
}

/* Rings of `size` vertices, each with an arc to the next ring; numbered against their order where `backward`. */
static inline shape shape_chain(const char *name, uint64_t rings, uint64_t size, bool backward) {
    shape s = shape_new(name, rings * size, rings * (size + 1));
    for (uint64_t r = 0; r < rings; r++) {
        uint64_t first = (backward ? rings - 1 - r : r) * size, after = backward ? first - size : first + size;
        for (uint64_t i = 0; i < size; i++)
            shape_edge(&s, first + i, first + (i + 1) % size);
        if (r + 1 < rings)
            shape_edge(&s, first + case_hash(r) % size, after + case_hash(r + rings) % size);
    }
    return s;
}

/* Every edge between a small and a large number: all small ones are local minima. */
static inline shape shape_halves(const char *name, uint64_t n, uint64_t m, uint64_t seed, bool symmetric) {
    shape s = shape_new(name, 2 * n, m);
    s.symmetric = symmetric;
    for (uint64_t k = 0; k < m; k++)
        shape_edge(&s, case_hash(seed + 2 * k) % n, n + case_hash(seed + 2 * k + 1) % n);
    return s;
}

enum { STRUCTURES = 14 };

static inline shape structure_at(int i) {
    switch (i) {
    case 0: return shape_new("nothing", 0, 0);
    case 1: return shape_ring("ring", 100);
    case 2: return shape_slope("slope", 20);
    case 3: return shape_torus("torus", 20);
    case 4: return shape_chain("pairs in a row", 50, 2, false);
    case 5: return shape_chain("pairs against the numbers", 50, 2, true);
    case 6: return shape_chain("rings in a row", 40, 7, false);
    case 7: return shape_chain("rings against the numbers", 40, 7, true);
    case 8: return shape_halves("halves", 300, 500, 7, false);
    case 9: return shape_halves("halves both ways", 300, 500, 8, true);
    case 10: return shape_random("just connected", 1000, 1100, 9, false);
    case 11: return shape_random("many components", 20000, 30000, 10, false);
    case 12: return shape_skewed("a giant and dust", 20000, 60000, 11, false);
    default: return shape_skewed("a giant and dust both ways", 20000, 60000, 12, true);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

static inline double weight_number(heddle_weight_type type, const void *weights, uint64_t k) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)weights)[k];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)weights)[k];
    case HEDDLE_WEIGHT_F32: return (double)((const float *)weights)[k];
    default: return 1;
    }
}

static inline void assert_same_forest(const heddle_result *a, const heddle_result *b, const char *where) {
    heddle_forest left = *heddle_result_forest(a), right = *heddle_result_forest(b);
    if (left.edges != right.edges || left.weight_type != right.weight_type)
        fail_msg("%s: %llu edges, expected %llu", where, (unsigned long long)left.edges,
                 (unsigned long long)right.edges);
    for (uint64_t k = 0; k < left.edges; k++)
        if (left.ends[2 * k] != right.ends[2 * k] || left.ends[2 * k + 1] != right.ends[2 * k + 1] ||
            weight_number(left.weight_type, left.weights, k) != weight_number(right.weight_type, right.weights, k))
            fail_msg("%s: edge %llu is %lu - %lu, expected %lu - %lu", where, (unsigned long long)k,
                     (unsigned long)left.ends[2 * k], (unsigned long)left.ends[2 * k + 1],
                     (unsigned long)right.ends[2 * k], (unsigned long)right.ends[2 * k + 1]);
}

static inline void assert_same_figures(const heddle_result *a, const heddle_result *b, const char *where) {
    const heddle_report *left = heddle_result_report(a), *right = heddle_result_report(b);
    if (left->figure_count != right->figure_count)
        fail_msg("%s: %u figures, expected %u", where, left->figure_count, right->figure_count);
    for (uint32_t i = 0; i < left->figure_count; i++)
        if (strcmp(left->figures[i].name, right->figures[i].name) != 0 ||
            left->figures[i].value != right->figures[i].value)
            fail_msg("%s: %s is %.17g, expected %s %.17g", where, left->figures[i].name, left->figures[i].value,
                     right->figures[i].name, right->figures[i].value);
}

/* Runs with each number of threads, up to a 0: the reference's values, forest and figures, the validator's consent. */
static inline void check_structure_options(const heddle_graph *graph, heddle_run_options options, const int *threads,
                                           const char *where) {
    heddle_context *ctx = support_context(1);
    heddle_result *expected, *result;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, expected), HEDDLE_OK);
    for (; *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, &options, &result), HEDDLE_OK);
        assert_same_result(result, expected, where);
        assert_same_forest(result, expected, where);
        assert_same_figures(result, expected, where);
        support_assert_status(other, heddle_verify(other, graph, &options, result), HEDDLE_OK);
        assert_int_equal(heddle_result_report(result)->verified, 1);
        heddle_result_destroy(&result);
        heddle_context_destroy(&other);
    }
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

static inline void check_structure(const heddle_graph *graph, const char *algorithm, const int *threads,
                                   const char *where) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    check_structure_options(graph, options, threads, where);
}

static inline void check_structure_shape(const char *algorithm, shape s, scheme w) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, w);
    char where[200];
    snprintf(where, sizeof where, "%s, %s, %s", algorithm, s.name, scheme_names[w]);
    check_structure(graph, algorithm, support_threads(), where);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static inline void check_all_structures(const char *algorithm, scheme w) {
    for (int i = 0; i < SHAPES; i++)
        check_structure_shape(algorithm, shape_at(i), w);
    for (int i = 0; i < STRUCTURES; i++)
        check_structure_shape(algorithm, structure_at(i), w);
}

/* Very many very small graphs: whatever two or three vertices can do wrong, they do. */
static inline void check_tiny(const char *algorithm, scheme w, uint64_t rounds) {
    static const int two[] = {2, 0};
    heddle_context *ctx = support_context(1);
    for (uint64_t round = 0; round < rounds; round++) {
        uint64_t n = 1 + case_hash(round) % 8, m = case_hash(round + rounds) % (3 * n);
        shape s = shape_random("tiny", n, m, round * 1000, round % 3 == 0);
        heddle_graph *graph = case_graph(ctx, &s, w);
        char where[100];
        snprintf(where, sizeof where, "%s, tiny graph %llu", algorithm, (unsigned long long)round);
        check_structure(graph, algorithm, two, where);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* ---- What every one of them must stand -------------------------------------------------------------------------- */

typedef struct structure_attempt {
    const shape *shape;
    const char *algorithm;
} structure_attempt;

static inline heddle_status run_and_verify(heddle_context *ctx, void *user) {
    const structure_attempt *attempt = user;
    heddle_graph *graph;
    heddle_result *result = NULL;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = attempt->algorithm;
    heddle_status status =
        heddle_graph_from_edges(ctx, attempt->shape->vertices, attempt->shape->edges, attempt->shape->from,
                                attempt->shape->to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph);
    if (status != HEDDLE_OK)
        return status;
    status = heddle_run(ctx, graph, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    if (status == HEDDLE_OK)
        status = heddle_run_reference(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static inline void check_no_memory(const char *algorithm, shape s) {
    structure_attempt attempt = {&s, algorithm};
    support_try_every_failure(run_and_verify, &attempt);
    shape_free(&s);
}

/* A cancelled context gives no result, and serves again once it is reset. */
static inline void check_cancelled(const char *algorithm, shape s) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_adjacency in;
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    support_cancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_CANCELLED);
    assert_null(result);
    support_uncancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    support_cancel(ctx);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_CANCELLED);
    support_uncancel(ctx);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

#endif
