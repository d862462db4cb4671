/* path_cases.h - graphs that hurt, for the tests of bfs, sssp and sswp: shapes times ways to weigh their edges. */
#ifndef PATH_CASES_H
#define PATH_CASES_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Shapes: edges in arrays ----------------------------------------------------------------------------------- */

typedef struct shape {
    const char *name;
    uint64_t vertices, edges;
    int64_t *from, *to;
    bool symmetric; /* to be symmetrised */
} shape;

static inline uint64_t case_hash(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline shape shape_new(const char *name, uint64_t vertices, uint64_t room) {
    shape s = {.name = name, .vertices = vertices};
    s.from = malloc((room + 1) * sizeof *s.from);
    s.to = malloc((room + 1) * sizeof *s.to);
    if (!s.from || !s.to)
        fail_msg("no memory for the shape %s", name);
    return s;
}

static inline void shape_free(shape *s) {
    free(s->from);
    free(s->to);
}

static inline void shape_edge(shape *s, uint64_t from, uint64_t to) {
    s->from[s->edges] = (int64_t)from;
    s->to[s->edges++] = (int64_t)to;
}

static inline shape shape_random(const char *name, uint64_t n, uint64_t m, uint64_t seed, bool symmetric) {
    shape s = shape_new(name, n, m);
    s.symmetric = symmetric;
    for (uint64_t k = 0; k < m; k++)
        shape_edge(&s, case_hash(seed + 2 * k) % n, case_hash(seed + 2 * k + 1) % n);
    return s;
}

/* Degrees as skewed as in R-MAT: the product of uniform numbers crowds at 0. */
static inline shape shape_skewed(const char *name, uint64_t n, uint64_t m, uint64_t seed, bool symmetric) {
    shape s = shape_new(name, n, m);
    s.symmetric = symmetric;
    for (uint64_t k = 0; k < m; k++) {
        uint64_t a = case_hash(seed + 4 * k) % n * (case_hash(seed + 4 * k + 1) % n) / n;
        uint64_t b = case_hash(seed + 4 * k + 2) % n * (case_hash(seed + 4 * k + 3) % n) / n;
        shape_edge(&s, a * a / n, b * b / n);
    }
    return s;
}

static inline shape shape_path(const char *name, uint64_t n, bool backward) {
    shape s = shape_new(name, n, n);
    for (uint64_t v = 0; v + 1 < n; v++)
        shape_edge(&s, backward ? n - 1 - v : v, backward ? n - 2 - v : v + 1);
    return s;
}

static inline shape shape_star(const char *name, uint64_t n, bool inward, bool symmetric) {
    shape s = shape_new(name, n, n);
    s.symmetric = symmetric;
    for (uint64_t v = 1; v < n; v++)
        shape_edge(&s, inward ? v : 0, inward ? 0 : v);
    return s;
}

static inline shape shape_grid(const char *name, uint64_t side) {
    shape s = shape_new(name, side * side, 2 * side * side);
    s.symmetric = true;
    for (uint64_t v = 0; v < side * side; v++) {
        if (v % side + 1 < side)
            shape_edge(&s, v, v + 1);
        if (v + side < side * side)
            shape_edge(&s, v, v + side);
    }
    return s;
}

static inline shape shape_clique(const char *name, uint64_t n) {
    shape s = shape_new(name, n, n * n);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++)
            shape_edge(&s, u, v); /* loops too */
    return s;
}

/* Two rings with chords, a pair, and vertices without edges; parallel edges and loops in between. */
static inline shape shape_pieces(const char *name) {
    shape s = shape_new(name, 64, 200);
    for (uint64_t v = 0; v < 20; v++) {
        shape_edge(&s, v, (v + 1) % 20);
        shape_edge(&s, v, (v + 1) % 20);
        shape_edge(&s, v, (v * 7) % 20);
        shape_edge(&s, 30 + v, 30 + (v + 3) % 20);
        shape_edge(&s, 30 + v, 30 + v);
    }
    shape_edge(&s, 60, 61);
    shape_edge(&s, 61, 60);
    return s;
}

/* A ladder of small rings: with edges of weight 0 the tight ones run in circles. */
static inline shape shape_rings(const char *name) {
    shape s = shape_new(name, 60, 200);
    for (uint64_t ring = 0; ring < 12; ring++)
        for (uint64_t i = 0; i < 5; i++) {
            uint64_t v = ring * 5 + (ring % 2 ? 4 - i : i), w = ring * 5 + (ring % 2 ? (9 - i - 1) % 5 : (i + 1) % 5);
            shape_edge(&s, v, w);
            shape_edge(&s, w, v);
            if (ring < 11 && i % 2)
                shape_edge(&s, v, (ring + 1) * 5 + case_hash(v) % 5);
        }
    return s;
}

enum { SHAPES = 18 };

/* The small ones, all by number. */
static inline shape shape_at(int i) {
    shape s;
    switch (i) {
    case 0: return shape_new("no edges", 5, 0);
    case 1: return shape_new("one vertex", 1, 0);
    case 2:
        s = shape_new("one loop", 1, 1);
        shape_edge(&s, 0, 0);
        return s;
    case 3: return shape_path("path", 100, false);
    case 4: return shape_path("path against the numbers", 100, true);
    case 5: return shape_star("star", 300, false, false);
    case 6: return shape_star("star inward", 300, true, false);
    case 7: return shape_star("star both ways", 300, false, true);
    case 8: return shape_clique("clique", 24);
    case 9: return shape_pieces("pieces");
    case 10: return shape_rings("rings");
    case 11: return shape_grid("grid", 20);
    case 12: return shape_random("sparse random", 200, 260, 1, false);
    case 13: return shape_random("random", 300, 3000, 2, false);
    case 14: return shape_random("random both ways", 500, 3000, 3, true);
    case 15: return shape_skewed("skewed", 400, 4000, 4, false);
    case 16: return shape_skewed("skewed both ways", 1000, 9000, 5, true);
    default: return shape_random("many small pieces", 500, 400, 6, true);
    }
}

/* ---- Weights --------------------------------------------------------------------------------------------------- */

typedef enum scheme {
    WEIGHTS_NONE,
    WEIGHTS_U32,      /* 1 .. 255 */
    WEIGHTS_ZEROS,    /* u32, half of them 0, the others 1 or 2 */
    WEIGHTS_ALL_ONE,  /* u32 */
    WEIGHTS_ALL_ZERO, /* u32 */
    WEIGHTS_HUGE,     /* u32, up to 2^32 - 1, and 0 */
    WEIGHTS_I32,      /* 0 .. 1000 */
    WEIGHTS_SIGNED,   /* i32, -2^31 .. 2^31 - 1 */
    WEIGHTS_F32,      /* 0 .. 1 */
    WEIGHTS_MIXED,    /* f32 from 1e-8 to 1e8 and 0: small ones vanish when added to large ones */
    WEIGHTS_ENORMOUS, /* f32 up to 3e38: sums leave the type */
    WEIGHTS_SIGNED_F32,
    SCHEMES
} scheme;

static const char *const scheme_names[] = {"no weights", "u32",        "with zeros",   "all one",
                                           "all zero",   "up to 2^32", "i32",          "signed i32",
                                           "f32",        "mixed f32",  "enormous f32", "signed f32"};

static inline heddle_weight_type scheme_type(scheme w) {
    return w == WEIGHTS_NONE                         ? HEDDLE_WEIGHT_NONE
           : w <= WEIGHTS_HUGE                       ? HEDDLE_WEIGHT_U32
           : w == WEIGHTS_I32 || w == WEIGHTS_SIGNED ? HEDDLE_WEIGHT_I32
                                                     : HEDDLE_WEIGHT_F32;
}

/* The weight of an edge, the same in both directions, as bits. */
static inline uint32_t scheme_weight(scheme w, int64_t a, int64_t b) {
    static const float mixed[] = {0, 1e-8f, 1, 1e8f, 3, 1e-8f, 0.1f, 0};
    uint64_t x = case_hash((uint64_t)(a < b ? a : b) * 1000003 + (uint64_t)(a < b ? b : a));
    float real = (float)(x >> 40) / 0x1p24f;
    uint32_t bits;
    switch (w) {
    case WEIGHTS_U32: return 1 + x % 255;
    case WEIGHTS_ALL_ONE: return 1;
    case WEIGHTS_ZEROS: return x % 4 < 2 ? 0 : x % 4 - 1;
    case WEIGHTS_HUGE: return x % 8 == 0 ? UINT32_MAX : x % 8 == 1 ? 0 : (uint32_t)(x >> 32);
    case WEIGHTS_I32: return x % 1001;
    case WEIGHTS_SIGNED: return x % 8 == 0 ? UINT32_C(1) << 31 : (uint32_t)(x >> 32);
    case WEIGHTS_F32: break;
    case WEIGHTS_MIXED: real = mixed[x % 8]; break;
    case WEIGHTS_ENORMOUS: real *= 3e38f; break;
    case WEIGHTS_SIGNED_F32: real = (real - 0.5f) * (float)(x % 3); break;
    default: return 0;
    }
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static inline heddle_graph *case_graph(heddle_context *ctx, const shape *s, scheme w) {
    uint32_t *weights = malloc((s->edges + 1) * sizeof *weights);
    heddle_build_options build;
    heddle_graph *graph;
    if (!weights)
        fail_msg("no memory for weights");
    for (uint64_t k = 0; k < s->edges; k++)
        weights[k] = scheme_weight(w, s->from[k], s->to[k]);
    heddle_build_options_init(&build);
    build.symmetrize = s->symmetric;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, s->vertices, s->edges, s->from, s->to,
                                                  w == WEIGHTS_NONE ? NULL : weights, scheme_type(w), &build, &graph),
                          HEDDLE_OK);
    free(weights);
    return graph;
}

/* The same in a file, whose path is given; frees the shape. */
static inline const char *case_file(heddle_context *ctx, shape s, scheme w, const char *name) {
    heddle_graph *graph = case_graph(ctx, &s, w);
    const char *path = support_temp_path(name);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, NULL), HEDDLE_OK);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    return path;
}

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

static inline size_t case_value_size(heddle_value_type type) {
    return type == HEDDLE_VALUE_U64 || type == HEDDLE_VALUE_F64 ? 8 : 4;
}

static inline void assert_same_result(const heddle_result *a, const heddle_result *b, const char *where) {
    heddle_values left = *heddle_result_values(a), right = *heddle_result_values(b);
    const heddle_vertex *p = heddle_result_parents(a), *q = heddle_result_parents(b);
    if (left.type != right.type || left.count != right.count)
        fail_msg("%s: %llu values of type %d, expected %llu of type %d", where, (unsigned long long)left.count,
                 (int)left.type, (unsigned long long)right.count, (int)right.type);
    if ((p == NULL) != (q == NULL))
        fail_msg("%s: parents %s", where, p ? "not expected" : "missing");
    size_t size = case_value_size(left.type);
    for (uint64_t v = 0; v < left.count; v++) {
        if (memcmp((const char *)left.data + v * size, (const char *)right.data + v * size, size) != 0)
            fail_msg("%s: vertex %llu has %.17g, expected %.17g", where, (unsigned long long)v,
                     heddle_result_value(a, (heddle_vertex)v), heddle_result_value(b, (heddle_vertex)v));
        if (p && p[v] != q[v])
            fail_msg("%s: vertex %llu has the parent %ld, expected %ld", where, (unsigned long long)v,
                     (long)(int32_t)p[v], (long)(int32_t)q[v]);
    }
}

/* Runs with several numbers of threads and asserts the reference's values and parents, the validator's consent, and
 * that leaving out the parents changes nothing. */
static inline void check_against_reference(const heddle_graph *graph, const heddle_run_options *options,
                                           const char *where) {
    heddle_context *ctx = support_context(1);
    heddle_result *expected, *result;
    heddle_run_options bare = *options;
    bare.parents = 0;
    support_assert_status(ctx, heddle_run_reference(ctx, graph, options, &expected), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, expected), HEDDLE_OK);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *other = support_context(*threads);
        support_assert_status(other, heddle_run(other, graph, options, &result), HEDDLE_OK);
        assert_same_result(result, expected, where);
        support_assert_status(other, heddle_verify(other, graph, options, result), HEDDLE_OK);
        assert_int_equal(heddle_result_report(result)->verified, 1);
        heddle_result_destroy(&result);
        support_assert_status(other, heddle_run(other, graph, &bare, &result), HEDDLE_OK);
        assert_null(heddle_result_parents(result));
        support_assert_status(other, heddle_verify(other, graph, &bare, result), HEDDLE_OK);
        heddle_result_destroy(&result);
        heddle_context_destroy(&other);
    }
    heddle_result_destroy(&expected);
    heddle_context_destroy(&ctx);
}

/* All small shapes under one way to weigh: from the hub, from one vertex, from several; directed graphs also once
 * their in-edges are there. */
static inline void check_shapes(const char *algorithm, scheme w) {
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(ctx, &s, w);
        heddle_vertex last = (heddle_vertex)(s.vertices - 1);
        heddle_vertex sources[] = {last, (heddle_vertex)(s.vertices / 2), 0, last};
        heddle_run_options options;
        heddle_adjacency in;
        char where[200];
        heddle_run_options_init(&options);
        options.algorithm = algorithm;
        options.parents = 1;
        for (int turn = 0; turn < 4; turn++) {
            snprintf(where, sizeof where, "%s, %s, %s, turn %d", algorithm, s.name, scheme_names[w], turn);
            options.sources = turn == 0 ? NULL : turn == 1 ? &sources[2] : sources;
            options.source_count = turn == 0 ? 0 : turn == 1 ? 1 : 4;
            if (turn == 3)
                support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
            check_against_reference(graph, &options, where);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* One shape, from vertex 0. */
static inline void check_shape(const char *algorithm, shape s, scheme w) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, w);
    heddle_vertex source = 0;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.parents = 1;
    options.sources = &source;
    options.source_count = 1;
    check_against_reference(graph, &options, s.name);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* ---- What every one of them must stand -------------------------------------------------------------------------- */

typedef struct attempt_user {
    const heddle_graph *graph;
    const char *algorithm;
} attempt_user;

static inline heddle_status attempt_run(heddle_context *ctx, void *user) {
    const attempt_user *attempt = user;
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = attempt->algorithm;
    options.parents = 1;
    heddle_status status = heddle_run(ctx, attempt->graph, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, attempt->graph, &options, result);
    heddle_result_destroy(&result);
    if (status == HEDDLE_OK) {
        status = heddle_run_reference(ctx, attempt->graph, &options, &result);
        heddle_result_destroy(&result);
    }
    return status;
}

/* Memory runs out at every single allocation. */
static inline void check_out_of_memory(const char *algorithm, scheme w) {
    heddle_context *ctx = support_context(2);
    shape s = shape_at(10);
    attempt_user user = {case_graph(ctx, &s, w), algorithm};
    support_try_every_failure(attempt_run, &user);
    heddle_graph *graph = (heddle_graph *)(uintptr_t)user.graph;
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static inline void check_cancel(const char *algorithm, scheme w) {
    heddle_context *ctx = support_context(2);
    shape s = shape_at(16);
    heddle_graph *graph = case_graph(ctx, &s, w);
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.parents = 1;
    support_cancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_CANCELLED);
    assert_null(result);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), HEDDLE_E_CANCELLED);
    support_uncancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_cancel(ctx);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_E_CANCELLED);
    assert_int_equal(heddle_result_report(result)->verified, -1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    heddle_context_destroy(&ctx);
}

static inline double figure_of(const heddle_result *result, const char *name) {
    const heddle_report *report = heddle_result_report(result);
    for (uint32_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, name) == 0)
            return report->figures[i].value;
    fail_msg("the summary has no figure '%s'", name);
    return 0;
}

#endif
