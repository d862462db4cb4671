/* test_verify_components.c - the validators of cc, scc and mst reject every result that is wrong in one place. */
#include "structure_cases.h"

#include "engine/result.h"

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *where) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    if (status != HEDDLE_E_VERIFY)
        fail_msg("%s: a wrong result went through: %s", where, heddle_status_name(status));
    assert_int_equal(heddle_result_report(result)->verified, 0);
    if (!heddle_context_error(ctx)->message[0])
        fail_msg("%s: rejected without a word", where);
}

static heddle_result *right_result(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    return result;
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

/* Labels are unique, so that any other one is wrong. */
static void corrupt_labels(const char *algorithm, shape s) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    char where[200];
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    heddle_result *result = right_result(ctx, graph, &options);
    uint32_t *label = result->values;
    for (uint64_t v = 0; v < s.vertices; v++) {
        uint32_t right = label[v];
        for (uint64_t wrong = 0; wrong <= s.vertices + 1; wrong++) {
            if (wrong == right)
                continue;
            label[v] = wrong <= s.vertices ? (uint32_t)wrong : UINT32_MAX;
            snprintf(where, sizeof where, "%s, %s, vertex %llu with label %lu", algorithm, s.name,
                     (unsigned long long)v, (unsigned long)label[v]);
            assert_rejected(ctx, graph, &options, result, where);
        }
        label[v] = right;
    }
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void wrong_labels(const char *algorithm) {
    for (uint64_t seed = 0; seed < 40; seed++)
        corrupt_labels(algorithm, shape_random("random", 12, 6 + seed % 20, seed * 100, seed % 3 == 0));
    corrupt_labels(algorithm, shape_pieces("pieces"));
    corrupt_labels(algorithm, shape_rings("rings"));
    corrupt_labels(algorithm, shape_chain("pairs", 8, 2, false));
    corrupt_labels(algorithm, shape_chain("rings in a row", 6, 5, true));
    corrupt_labels(algorithm, shape_ring("ring", 20));
    corrupt_labels(algorithm, shape_path("path", 20, true));
    corrupt_labels(algorithm, shape_slope("slope", 5));
}

static void cc_labels(void **state) {
    (void)state;
    wrong_labels("cc");
}

static void scc_labels(void **state) {
    (void)state;
    wrong_labels("scc");
}

/* Whole components joined or torn apart, with labels that are the smallest members. */
static void try_labels(const char *algorithm, shape s, const uint32_t *wrong, const char *words) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    heddle_result *result = right_result(ctx, graph, &options);
    memcpy(result->values, wrong, s.vertices * sizeof *wrong);
    assert_rejected(ctx, graph, &options, result, s.name);
    support_assert_message(ctx, words);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void cc_partitions(void **state) {
    (void)state;
    static const uint32_t one[] = {0, 0, 0, 0}, each[] = {0, 1, 2, 3}, torn[] = {0, 0, 2, 2};
    shape pairs = shape_new("two pairs", 4, 2);
    shape_edge(&pairs, 0, 1);
    shape_edge(&pairs, 2, 3);
    try_labels("cc", pairs, one, "vertex 2: label 0, expected 2");
    try_labels("cc", shape_path("path", 4, false), each, "vertex 1: label 1, expected 0");
    try_labels("cc", shape_path("path", 4, false), torn, "vertex 2: label 2, expected 0");
}

static void scc_partitions(void **state) {
    (void)state;
    static const uint32_t one[] = {0, 0, 0, 0}, each[] = {0, 1, 2, 3}, torn[] = {0, 0, 2, 2};
    try_labels("scc", shape_path("path", 4, false), one, "is not reached by it");
    try_labels("scc", shape_path("path", 4, true), one, "does not reach it");
    try_labels("scc", shape_ring("ring", 4), each, "cycle of components");
    shape two = shape_chain("two pairs", 2, 2, false);
    try_labels("scc", two, each, "cycle of components");
    shape square = shape_new("square both ways", 4, 8);
    for (uint64_t v = 0; v < 4; v++) {
        shape_edge(&square, v, (v + 1) % 4);
        shape_edge(&square, (v + 1) % 4, v);
    }
    square.symmetric = false;
    try_labels("scc", square, torn, "cycle of components");
}

static void wrong_shape(void **state) {
    (void)state;
    static const char *const algorithms[] = {"cc", "scc"};
    shape s = shape_ring("ring", 10);
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (int i = 0; i < 2; i++) {
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[i];
        heddle_result *result = right_result(ctx, graph, &options);
        result->type = HEDDLE_VALUE_F32;
        assert_rejected(ctx, graph, &options, result, "another type");
        result->type = HEDDLE_VALUE_U32;
        result->count = 9;
        assert_rejected(ctx, graph, &options, result, "too few values");
        result->count = 10;
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* ---- Forests ----------------------------------------------------------------------------------------------------- */

typedef struct forest_case {
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_run_options options;
    heddle_result *result;
    const char *name;
} forest_case;

static void reject_forest(forest_case *c, const char *what) {
    char where[200];
    snprintf(where, sizeof where, "mst, %s, %s", c->name, what);
    assert_rejected(c->ctx, c->graph, &c->options, c->result, where);
}

/* The forest is unique, so that any other end or weight is wrong. */
static void corrupt_ends(forest_case *c) {
    uint64_t n = heddle_graph_vertices(c->graph);
    for (uint64_t k = 0; k < 2 * c->result->forest_edges; k++) {
        heddle_vertex right = c->result->forest_ends[k];
        for (uint64_t wrong = 0; wrong <= n + 1; wrong++) {
            if (wrong == right)
                continue;
            c->result->forest_ends[k] = wrong <= n ? (heddle_vertex)wrong : UINT32_MAX;
            reject_forest(c, "another end");
        }
        c->result->forest_ends[k] = right;
    }
}

static void corrupt_weights(forest_case *c) {
    uint32_t *weights = c->result->forest_weights;
    for (uint64_t k = 0; weights && k < c->result->forest_edges; k++) {
        uint32_t right = weights[k], sign = UINT32_C(1) << 31;
        uint32_t last = weights[c->result->forest_edges - 1];
        uint32_t wrong[] = {right + 1, right - 1, right ^ sign, ~right, weights[0], last};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            bool real = c->result->forest_type == HEDDLE_WEIGHT_F32;
            bool zeros = real && (wrong[i] | sign) == sign && (right | sign) == sign;
            weights[k] = wrong[i];
            if (wrong[i] != right && !zeros) /* zeros of either sign are the same */
                reject_forest(c, "another weight");
        }
        weights[k] = right;
    }
}

static void move_edge(heddle_result *r, uint64_t to, uint64_t from) {
    memmove(&r->forest_ends[2 * to], &r->forest_ends[2 * from], 2 * sizeof *r->forest_ends);
    if (r->forest_weights)
        ((uint32_t *)r->forest_weights)[to] = ((uint32_t *)r->forest_weights)[from];
}

/* Leaves one edge out; the room stays what it was. */
static void leave_out(forest_case *c) {
    heddle_result *r = c->result;
    uint64_t count = r->forest_edges;
    heddle_vertex *ends = malloc((2 * count + 1) * sizeof *ends);
    uint32_t *weights = malloc((count + 1) * sizeof *weights);
    assert_true(ends && weights);
    memcpy(ends, r->forest_ends, 2 * count * sizeof *ends);
    if (r->forest_weights)
        memcpy(weights, r->forest_weights, count * sizeof *weights);
    for (uint64_t k = 0; k < count; k++) {
        for (uint64_t i = k; i + 1 < count; i++)
            move_edge(r, i, i + 1);
        r->forest_edges = count - 1;
        reject_forest(c, "an edge missing");
        r->forest_edges = count;
        memcpy(r->forest_ends, ends, 2 * count * sizeof *ends);
        if (r->forest_weights)
            memcpy(r->forest_weights, weights, count * sizeof *weights);
    }
    free(ends);
    free(weights);
}

typedef struct plain_edge {
    heddle_vertex u, v;
    uint32_t weight;
} plain_edge;

/* Zeros of either sign are the same. */
static uint32_t plain_weight(heddle_weight_type type, const void *weights, uint64_t k) {
    uint32_t bits = weights ? ((const uint32_t *)weights)[k] : 0;
    return type == HEDDLE_WEIGHT_F32 && bits == UINT32_C(1) << 31 ? 0 : bits;
}

static int by_ends(const void *left, const void *right) {
    const plain_edge *a = left, *b = right;
    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

static void put_forest(heddle_result *r, const plain_edge *edges) {
    for (uint64_t k = 0; k < r->forest_edges; k++) {
        r->forest_ends[2 * k] = edges[k].u;
        r->forest_ends[2 * k + 1] = edges[k].v;
        if (r->forest_weights)
            ((uint32_t *)r->forest_weights)[k] = edges[k].weight;
    }
}

/* Every edge of the forest in turn gives way to every other edge of the graph, in good order. */
static void exchange(forest_case *c) {
    heddle_result *r = c->result;
    uint64_t count = r->forest_edges;
    heddle_adjacency out;
    plain_edge *right = malloc((count + 1) * sizeof *right), *wrong = malloc((count + 1) * sizeof *wrong);
    assert_true(right && wrong);
    support_assert_status(c->ctx, heddle_graph_out(c->ctx, c->graph, &out), HEDDLE_OK);
    for (uint64_t k = 0; k < count; k++)
        right[k] = (plain_edge){r->forest_ends[2 * k], r->forest_ends[2 * k + 1],
                                plain_weight(r->forest_type, r->forest_weights, k)};
    for (heddle_vertex v = 0; v < heddle_graph_vertices(c->graph); v++)
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            heddle_vertex w = out.targets[e];
            plain_edge other = {v < w ? v : w, v < w ? w : v, plain_weight(r->forest_type, out.weights, e)};
            for (uint64_t k = 0; k < count && v != w; k++) {
                memcpy(wrong, right, count * sizeof *wrong);
                wrong[k] = other;
                qsort(wrong, count, sizeof *wrong, by_ends);
                if (memcmp(wrong, right, count * sizeof *wrong) == 0)
                    continue;
                put_forest(r, wrong);
                reject_forest(c, "one edge exchanged for another");
            }
        }
    put_forest(r, right);
    free(right);
    free(wrong);
}

static void corrupt_forest(shape s, scheme w) {
    forest_case c = {.ctx = support_context(1), .name = s.name};
    c.graph = case_graph(c.ctx, &s, w);
    heddle_run_options_init(&c.options);
    c.options.algorithm = "mst";
    c.result = right_result(c.ctx, c.graph, &c.options);
    corrupt_ends(&c);
    corrupt_weights(&c);
    leave_out(&c);
    exchange(&c);
    support_assert_status(c.ctx, heddle_verify(c.ctx, c.graph, &c.options, c.result), HEDDLE_OK);
    heddle_result_destroy(&c.result);
    heddle_graph_destroy(&c.graph);
    heddle_context_destroy(&c.ctx);
    shape_free(&s);
}

static void forests(void **state) {
    (void)state;
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_SIGNED, WEIGHTS_SIGNED_F32};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        for (uint64_t seed = 0; seed < 20; seed++)
            corrupt_forest(shape_random("random", 10, 8 + seed, seed * 100, seed % 3 == 0), schemes[i]);
        corrupt_forest(shape_pieces("pieces"), schemes[i]);
        corrupt_forest(shape_clique("clique", 9), schemes[i]);
        corrupt_forest(shape_grid("grid", 5), schemes[i]);
        corrupt_forest(shape_ring("ring", 12), schemes[i]);
    }
}

/* What is wrong is said. */
static void forest_words(void **state) {
    (void)state;
    int64_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 0, 3};
    uint32_t weights[] = {1, 2, 3, 4};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "mst";
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 4, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    heddle_result *result = right_result(ctx, graph, &options); /* 0 1, 0 3, 1 2 */
    result->forest_ends[4] = 0;
    assert_rejected(ctx, graph, &options, result, "0 2 after 0 3");
    support_assert_message(ctx, "not in ascending order");
    result->forest_ends[3] = 2; /* 0 1, 0 2, 0 2 */
    ((uint32_t *)result->forest_weights)[1] = 3;
    result->forest_ends[5] = 3; /* 0 1, 0 2, 0 3 */
    ((uint32_t *)result->forest_weights)[2] = 4;
    assert_rejected(ctx, graph, &options, result, "0 2 instead of 1 2");
    support_assert_message(ctx, "edge 1 - 2: lighter than an edge of the forest");
    result->forest_ends[4] = 1;
    result->forest_ends[5] = 2; /* 0 1, 0 2, 1 2 */
    ((uint32_t *)result->forest_weights)[2] = 2;
    assert_rejected(ctx, graph, &options, result, "a triangle");
    support_assert_message(ctx, "closes a cycle");
    ((uint32_t *)result->forest_weights)[2] = 5;
    assert_rejected(ctx, graph, &options, result, "a weight that is not there");
    support_assert_message(ctx, "edge 1 - 2: the graph has no such edge of that weight");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cc_labels),      cmocka_unit_test(scc_labels),  cmocka_unit_test(cc_partitions),
        cmocka_unit_test(scc_partitions), cmocka_unit_test(wrong_shape), cmocka_unit_test(forests),
        cmocka_unit_test(forest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
