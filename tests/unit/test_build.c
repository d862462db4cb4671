/* test_build.c - the builder against a plain model: every combination of options, on random multigraphs whose ids are
 * dense, with holes, huge and signed, for several numbers of threads. */
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct arc {
    int64_t from, to;
    double weight;
    int order;
} arc;

typedef struct model {
    arc *arcs;
    size_t count;
} model;

static uint64_t state;

static uint64_t draw(uint64_t bound) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % bound;
}

static int by_arc(const void *left, const void *right) {
    const arc *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->order - b->order;
}

static int by_arc_and_weight(const void *left, const void *right) {
    const arc *a = left, *b = right;
    if (a->from != b->from || a->to != b->to)
        return by_arc(left, right);
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static void combine(model *m, heddle_duplicates rule) {
    size_t out = 0, merged = 0;
    qsort(m->arcs, m->count, sizeof(arc), by_arc);
    for (size_t i = 0; i < m->count; i++) {
        arc *last = out ? &m->arcs[out - 1] : NULL, *each = &m->arcs[i];
        bool fresh = !last || last->from != each->from || last->to != each->to;
        merged = fresh ? 1 : merged + 1;
        if (fresh)
            m->arcs[out++] = *each;
        else if (rule == HEDDLE_DUPLICATES_SUM)
            last->weight += each->weight;
        else if (rule == HEDDLE_DUPLICATES_MEAN) /* whole numbers below 50: sums are exact */
            last->weight = (round(last->weight * (double)(merged - 1)) + each->weight) / (double)merged;
        else if (rule == HEDDLE_DUPLICATES_MIN && each->weight < last->weight)
            last->weight = each->weight;
        else if (rule == HEDDLE_DUPLICATES_MAX && each->weight > last->weight)
            last->weight = each->weight;
    }
    m->count = out;
}

/* All edges between two vertices, in either direction, become one, which both arcs carry. */
static void combine_both(model *m, heddle_duplicates rule) {
    for (size_t i = 0; i < m->count; i++)
        if (m->arcs[i].from > m->arcs[i].to) {
            int64_t from = m->arcs[i].from;
            m->arcs[i].from = m->arcs[i].to;
            m->arcs[i].to = from;
        }
    combine(m, rule);
    m->arcs = realloc(m->arcs, sizeof(arc) * (2 * m->count + 1));
    for (size_t i = 0, count = m->count; i < count; i++)
        if (m->arcs[i].from != m->arcs[i].to)
            m->arcs[m->count++] = (arc){m->arcs[i].to, m->arcs[i].from, m->arcs[i].weight, m->arcs[i].order};
}

/* The k-th lightest arc u -> v answers the k-th lightest v -> u. */
static void symmetrize(model *m) {
    model result = {malloc(sizeof(arc) * (2 * m->count + 1)), 0};
    qsort(m->arcs, m->count, sizeof(arc), by_arc_and_weight);
    for (size_t i = 0; i < m->count; i++) {
        arc a = m->arcs[i];
        size_t rank = 0, seen = 0, partner = m->count;
        if (a.from == a.to) {
            result.arcs[result.count++] = a;
            continue;
        }
        for (size_t j = 0; j < i; j++)
            rank += m->arcs[j].from == a.from && m->arcs[j].to == a.to;
        for (size_t j = 0; j < m->count && partner == m->count; j++)
            if (m->arcs[j].from == a.to && m->arcs[j].to == a.from && seen++ == rank)
                partner = j;
        if (partner < m->count && m->arcs[partner].weight < a.weight)
            a.weight = m->arcs[partner].weight;
        result.arcs[result.count++] = a;
        if (partner == m->count)
            result.arcs[result.count++] = (arc){a.to, a.from, a.weight, a.order};
    }
    free(m->arcs);
    *m = result;
}

static double weight_of(const heddle_adjacency *adjacency, heddle_weight_type type, uint64_t e) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)adjacency->weights)[e];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)adjacency->weights)[e];
    case HEDDLE_WEIGHT_F32: return ((const float *)adjacency->weights)[e];
    case HEDDLE_WEIGHT_F64: return ((const double *)adjacency->weights)[e];
    default: return 1;
    }
}

/* The graph's arcs by id, transposed when `in`. */
static model arcs_of(heddle_context *ctx, const heddle_graph *graph, int in) {
    heddle_adjacency adjacency;
    assert_int_equal(in ? heddle_graph_in(ctx, graph, &adjacency) : heddle_graph_out(ctx, graph, &adjacency),
                     HEDDLE_OK);
    uint64_t n = heddle_graph_vertices(graph), m = heddle_graph_edges(graph);
    model result = {malloc(sizeof(arc) * (m + 1)), m};
    assert_int_equal(adjacency.offsets[0], 0);
    assert_int_equal(adjacency.offsets[n], m);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = adjacency.offsets[v]; e < adjacency.offsets[v + 1]; e++) {
            int64_t here = heddle_graph_id(graph, (heddle_vertex)v);
            int64_t there = heddle_graph_id(graph, adjacency.targets[e]);
            assert_true(e == adjacency.offsets[v] || adjacency.targets[e - 1] <= adjacency.targets[e]);
            result.arcs[e] = (arc){in ? there : here, in ? here : there,
                                   weight_of(&adjacency, heddle_graph_weight_type(graph), e), (int)e};
        }
    return result;
}

static void assert_same_arcs(model expected, model actual, const char *what) {
    qsort(expected.arcs, expected.count, sizeof(arc), by_arc_and_weight);
    qsort(actual.arcs, actual.count, sizeof(arc), by_arc_and_weight);
    if (expected.count != actual.count)
        fail_msg("%s: expected %zu arcs, found %zu", what, expected.count, actual.count);
    for (size_t i = 0; i < expected.count; i++) {
        arc *e = &expected.arcs[i], *a = &actual.arcs[i];
        if (e->from != a->from || e->to != a->to || e->weight != a->weight)
            fail_msg("%s: arc %zu: expected %lld -> %lld (%g), found %lld -> %lld (%g)", what, i, (long long)e->from,
                     (long long)e->to, e->weight, (long long)a->from, (long long)a->to, a->weight);
    }
    free(actual.arcs);
}

typedef struct trial {
    int ids; /* 0 dense known, 1 dense discovered, 2 holes, 3 huge and signed */
    heddle_weight_type type;
    size_t edges;
    uint64_t vertices;
    enum { SHUFFLED, ASCENDING, ALL_BUT_LAST } order;
} trial;

static int64_t spread(const trial *t, uint64_t v) {
    if (t->ids == 2)
        return (int64_t)(v * 7 + 3);
    return t->ids == 3 ? (int64_t)(v * UINT64_C(0x9e3779b97f4a7c15)) : (int64_t)v;
}

static void run_trial(const trial *t, const heddle_build_options *options, int threads) {
    heddle_context_options context_options;
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_context_options_init(&context_options);
    context_options.threads = threads;
    assert_int_equal(heddle_context_create(&context_options, &ctx), HEDDLE_OK);

    int64_t *from = malloc(sizeof *from * (t->edges + 1)), *to = malloc(sizeof *to * (t->edges + 1));
    uint32_t *weights = malloc(sizeof *weights * (t->edges + 1));
    model expected = {malloc(sizeof(arc) * (t->edges + 1)), 0};
    state = 12345 + t->edges * 31 + (uint64_t)t->ids;
    for (size_t i = 0; i < t->edges; i++) {
        from[i] = spread(t, draw(4) ? draw(t->vertices) : draw(1 + t->vertices / 8));
        to[i] = spread(t, draw(t->vertices));
        if (t->order != SHUFFLED) { /* every arc twice */
            uint64_t place = i / 2 * (t->vertices * t->vertices * 2 / t->edges);
            bool last = t->order == ALL_BUT_LAST && i + 1 == t->edges;
            from[i] = last ? 0 : (int64_t)(place / t->vertices);
            to[i] = last ? 0 : (int64_t)(place % t->vertices);
        }
        uint32_t small = (uint32_t)draw(50);
        double value = t->type == HEDDLE_WEIGHT_NONE ? 1 : t->type == HEDDLE_WEIGHT_U32 ? small : (double)small - 25;
        float single = (float)value;
        weights[i] = t->type == HEDDLE_WEIGHT_I32 ? (uint32_t)((int32_t)small - 25) : small;
        if (t->type == HEDDLE_WEIGHT_F32)
            memcpy(&weights[i], &single, sizeof single);
        if (!options->drop_loops || from[i] != to[i])
            expected.arcs[expected.count++] = (arc){from[i], to[i], value, (int)i};
    }
    assert_int_equal(heddle_graph_from_edges(ctx, t->ids == 0 ? t->vertices : 0, t->edges, from, to,
                                             t->type ? weights : NULL, t->type, options, &graph),
                     HEDDLE_OK);
    if (options->duplicates != HEDDLE_DUPLICATES_KEEP) {
        (options->symmetrize ? combine_both : combine)(&expected, options->duplicates);
        for (size_t i = 0; t->type == HEDDLE_WEIGHT_NONE && i < expected.count; i++)
            expected.arcs[i].weight = 1;
    } else if (options->symmetrize)
        symmetrize(&expected);
    assert_int_equal(heddle_graph_directed(graph), !options->symmetrize);
    assert_same_arcs(expected, arcs_of(ctx, graph, 0), "out-edges");
    assert_same_arcs(expected, arcs_of(ctx, graph, 1), "in-edges");
    free(expected.arcs);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    free(from);
    free(to);
    free(weights);
}

static void test_every_option(void **unused) {
    (void)unused;
    static const trial trials[] = {
        {0, HEDDLE_WEIGHT_NONE, 300, 40, SHUFFLED}, {1, HEDDLE_WEIGHT_U32, 500, 30, SHUFFLED},
        {2, HEDDLE_WEIGHT_I32, 400, 60, SHUFFLED},  {3, HEDDLE_WEIGHT_F32, 400, 50, SHUFFLED},
        {0, HEDDLE_WEIGHT_F32, 1, 3, SHUFFLED},     {3, HEDDLE_WEIGHT_NONE, 0, 1, SHUFFLED},
        {0, HEDDLE_WEIGHT_U32, 200, 5, SHUFFLED},   {0, HEDDLE_WEIGHT_F32, 300, 40, ASCENDING},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        for (int symmetric = 0; symmetric < 2; symmetric++)
            for (int loops = 0; loops < 2; loops++)
                for (int duplicates = 0; duplicates <= HEDDLE_DUPLICATES_MEAN; duplicates++) {
                    heddle_build_options options;
                    heddle_build_options_init(&options);
                    options.symmetrize = symmetric;
                    options.drop_loops = loops;
                    options.duplicates = (heddle_duplicates)duplicates;
                    run_trial(&trials[i], &options, 1);
                    run_trial(&trials[i], &options, 3);
                }
}

/* As igraph's collapse has it; and a note where nothing was asked for. */
static void test_opposite_edges(void **unused) {
    (void)unused;
    static const struct {
        heddle_duplicates rule;
        double weight;
    } cases[] = {{HEDDLE_DUPLICATES_SUM, 15},
                 {HEDDLE_DUPLICATES_MIN, 3},
                 {HEDDLE_DUPLICATES_MAX, 7},
                 {HEDDLE_DUPLICATES_MEAN, 5},
                 {HEDDLE_DUPLICATES_FIRST, 5}};
    const int64_t from[] = {1, 2, 1}, to[] = {2, 1, 2};
    const uint32_t weights[] = {5, 7, 3};
    heddle_context *ctx = support_context(1);
    heddle_build_options options;
    heddle_graph *graph;
    heddle_adjacency out;
    heddle_build_options_init(&options);
    options.symmetrize = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options.duplicates = cases[i].rule;
        support_assert_status(
            ctx, heddle_graph_from_edges(ctx, 0, 3, from, to, weights, HEDDLE_WEIGHT_U32, &options, &graph), HEDDLE_OK);
        assert_int_equal(heddle_graph_edges(graph), 2);
        support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
        assert_true(weight_of(&out, heddle_graph_weight_type(graph), 0) == cases[i].weight);
        assert_true(weight_of(&out, heddle_graph_weight_type(graph), 1) == cases[i].weight);
        assert_string_equal(support_last_note(), "");
        heddle_graph_destroy(&graph);
    }
    options.duplicates = HEDDLE_DUPLICATES_KEEP;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 0, 3, from, to, weights, HEDDLE_WEIGHT_U32, &options, &graph),
                          HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(graph), 4);
    assert_non_null(strstr(support_last_note(), "1 pair of opposite edges has different weights"));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_many_buckets(void **unused) {
    (void)unused;
    heddle_build_options options;
    heddle_build_options_init(&options);
    trial large = {1, HEDDLE_WEIGHT_U32, 400000, 100000, SHUFFLED};
    run_trial(&large, &options, 2);
    large = (trial){3, HEDDLE_WEIGHT_NONE, 300000, 200000, SHUFFLED};
    run_trial(&large, &options, 2);
    large = (trial){0, HEDDLE_WEIGHT_U32, 100000, 70000, ASCENDING};
    run_trial(&large, &options, 2);
    large.order = ALL_BUT_LAST;
    run_trial(&large, &options, 2);
}

static void test_isolated_vertices_go(void **unused) {
    (void)unused;
    int64_t from[] = {1, 5}, to[] = {5, 5};
    heddle_build_options options;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    heddle_adjacency out;
    heddle_build_options_init(&options);
    options.drop_isolated = 1;
    assert_int_equal(heddle_graph_from_edges(ctx, 9, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, &options, &graph),
                     HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), 2);
    assert_int_equal(heddle_graph_id(graph, 0), 1);
    assert_int_equal(heddle_graph_id(graph, 1), 5);
    assert_int_equal(heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    assert_int_equal(out.targets[0], 1);
    assert_int_equal(out.targets[1], 1);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    assert_int_equal(support_live_blocks(), 0);
}

static void test_refusals(void **unused) {
    (void)unused;
    int64_t from[] = {0, 3}, to[] = {1, 1};
    float weights[] = {1, 0.0f / 1.0f};
    uint32_t heavy[] = {UINT32_MAX, 1};
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_build_options options;
    assert_int_equal(heddle_context_create(NULL, &ctx), HEDDLE_OK);
    assert_int_equal(heddle_graph_from_edges(ctx, 2, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                     HEDDLE_E_ARGUMENT);
    assert_non_null(strstr(heddle_context_error(ctx)->message, "3 -> 1"));
    assert_null(graph);
    from[0] = -1;
    assert_int_equal(heddle_graph_from_edges(ctx, 4, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                     HEDDLE_E_ARGUMENT);
    assert_non_null(strstr(heddle_context_error(ctx)->message, "-1 -> 1"));
    from[0] = 0;
    memset(&weights[1], 0xff, sizeof weights[1]); /* NaN */
    for (uint64_t vertices = 0; vertices < 8; vertices += 4)
        assert_int_equal(heddle_graph_from_edges(ctx, vertices, 2, from, to, weights, HEDDLE_WEIGHT_F32, NULL, &graph),
                         HEDDLE_E_ARGUMENT);
    heddle_build_options_init(&options);
    options.duplicates = HEDDLE_DUPLICATES_SUM;
    from[1] = 0;
    assert_int_equal(heddle_graph_from_edges(ctx, 0, 2, from, to, heavy, HEDDLE_WEIGHT_U32, &options, &graph),
                     HEDDLE_E_LIMIT);
    heddle_context_destroy(&ctx);
}

static void test_find(void **unused) {
    (void)unused;
    int64_t from[] = {-7, INT64_MAX}, to[] = {12, -7};
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_vertex vertex;
    char text[32];
    assert_int_equal(heddle_context_create(NULL, &ctx), HEDDLE_OK);
    assert_int_equal(heddle_graph_from_edges(ctx, 0, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_find(ctx, graph, "12", &vertex), HEDDLE_OK);
    assert_int_equal(vertex, 1);
    assert_int_equal(heddle_graph_id_text(graph, 0, text, sizeof text), 2);
    assert_string_equal(text, "-7");
    assert_int_equal(heddle_graph_find(ctx, graph, "13", &vertex), HEDDLE_E_SOURCE);
    assert_int_equal(heddle_graph_find(ctx, graph, "12x", &vertex), HEDDLE_E_SOURCE);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_option), cmocka_unit_test(test_opposite_edges),
        cmocka_unit_test(test_many_buckets), cmocka_unit_test(test_isolated_vertices_go),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
