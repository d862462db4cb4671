/* test_similar.c - similarities: what is known; every measure of pairs, sources and all pairs against the reference,
 * for several numbers of threads; validators that reject every other list; what is refused. */
#include "value_cases.h"

#include "check/check_similar.h"

#include <math.h>

enum { MEASURES = HEDDLE_SIMILARITY_ATTACHMENT + 1 };

static heddle_run_options options_of(int measure) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "similar";
    options.measure = (heddle_similarity)measure;
    return options;
}

static heddle_result *run(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    return result;
}

/* 0 and 1 have the neighbours 2 and 3, 0 also 4; 2 has 5 too. One edge is there twice, one in both directions. */
static void known(void **state) {
    (void)state;
    static const int64_t from[] = {0, 2, 0, 1, 3, 0, 5, 5, 0}, to[] = {2, 0, 3, 2, 1, 4, 2, 5, 3};
    static const heddle_vertex pairs[] = {0, 1, 5, 0, 4, 5};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 6, 9, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    const double expected[MEASURES][3] = {{2 / 3.0, 1 / 3.0, 0},           {1, 1, 0},
                                          {2 / sqrt(6), 1 / sqrt(3), 0},   {1 / log(3) + 1 / log(2), 1 / log(3), 0},
                                          {1 / 3.0 + 1 / 2.0, 1 / 3.0, 0}, {6, 3, 1}};
    for (int m = 0; m < MEASURES; m++) {
        heddle_run_options options = options_of(m);
        options.pairs = pairs;
        options.pair_count = 3;
        heddle_result *result = run(ctx, graph, &options);
        const heddle_forest *forest = heddle_result_forest(result);
        assert_int_equal(forest->edges, 3);
        assert_int_equal(heddle_result_values(result)->count, 0);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(forest->ends[2 * k], pairs[2 * k]);
            assert_int_equal(forest->ends[2 * k + 1], pairs[2 * k + 1]);
            assert_true(fabs(((const double *)forest->weights)[k] - expected[m][k]) < 1e-14);
        }
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void check_modes(shape s) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_vertex sources[5], pairs[24];
    uint64_t n = s.vertices;
    for (uint64_t i = 0; i < 5 && n; i++)
        sources[i] = (heddle_vertex)(case_hash(i / 2) % n);
    for (uint64_t i = 0; i < 12 && n > 1; i++) {
        pairs[2 * i] = (heddle_vertex)(case_hash(i) % n);
        pairs[2 * i + 1] = (heddle_vertex)((pairs[2 * i] + 1 + case_hash(i + 99) % (n - 1)) % n);
    }
    const int stride = (int)support_stride(3); /* 3: each measure in one mode */
    for (int m = 0; m < MEASURES; m++)
        for (int mode = m % stride; mode < 3; mode += stride) {
            heddle_run_options options = options_of(m);
            options.sources = sources;
            options.source_count = n && mode == 1 ? 5 : 0;
            options.pairs = pairs;
            options.pair_count = n > 1 && mode == 2 ? 12 : 0;
            options.top = m == 1 ? 3 : m == 2 ? 100000 : 0;
            options.not_neighbours = m % 2;
            options.min_degree = m < 3 ? 0 : (uint64_t)m;
            check_structure_options(graph, options, support_threads(), s.name);
        }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void shapes(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        if (s.vertices < 1000)
            check_modes(s);
        else
            shape_free(&s);
    }
    check_modes(shape_wheel("wheel", 300, 600, 1, false));
    check_modes(shape_skewed("skewed", 500, 4000, 3, true));
    check_modes(shape_clique("clique", 40));
    check_modes(shape_star("star", 200, false, true));
    for (uint64_t i = 0; i < 30; i++)
        check_modes(shape_random("tiny", 1 + case_hash(i) % 8, case_hash(i + 30) % 20, i * 1000, i % 3 == 0));
}

static void assert_rejected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *what) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    if (status != HEDDLE_E_VERIFY)
        fail_msg("measure %d: %s went through: %s", (int)options->measure, what, heddle_status_name(status));
}

/* A score, an end, an order, a row too few or too many, figures. */
static void spoil_rows(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result = run(ctx, graph, options);
    double *scores = result->forest_weights;
    uint64_t rows = result->forest_edges;
    assert_true(rows > 2);
    for (uint64_t k = 0; k < rows; k++) {
        double right = scores[k];
        scores[k] = nextafter(right, 9);
        assert_rejected(ctx, graph, options, result, "a score");
        scores[k] = right;
        heddle_vertex end = result->forest_ends[2 * k + 1];
        result->forest_ends[2 * k + 1] = (heddle_vertex)graph->vertices;
        assert_rejected(ctx, graph, options, result, "an end");
        result->forest_ends[2 * k + 1] = result->forest_ends[2 * k];
        assert_rejected(ctx, graph, options, result, "one vertex twice");
        result->forest_ends[2 * k + 1] = end;
        end = result->forest_ends[2 * k];
        result->forest_ends[2 * k] = (heddle_vertex)graph->vertices;
        assert_rejected(ctx, graph, options, result, "a first end");
        result->forest_ends[2 * k] = end;
    }
    for (uint64_t k = 0; k + 1 < rows; k++) { /* each row in turn is replaced by a repetition of its neighbour */
        heddle_vertex ends[2] = {result->forest_ends[2 * k], result->forest_ends[2 * k + 1]};
        double score = scores[k];
        memcpy(result->forest_ends + 2 * k, result->forest_ends + 2 * k + 2, sizeof ends);
        scores[k] = scores[k + 1];
        assert_rejected(ctx, graph, options, result, "a repetition");
        memcpy(result->forest_ends + 2 * k, ends, sizeof ends);
        scores[k] = score;
    }
    result->forest_edges--;
    hd_result_figure_whole(result, "pairs", rows - 1);
    assert_rejected(ctx, graph, options, result, "a row too few");
    result->forest_edges++;
    assert_rejected(ctx, graph, options, result, "a figure");
    hd_result_figure_whole(result, "pairs", rows);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
}

/* A list that is right but for the rule it breaks: fewer rows wanted, the larger vertex first, nothing in common. */
static void break_rules(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_run_options fewer = *options;
    heddle_result *result = run(ctx, graph, options);
    uint64_t last = result->forest_edges - 1;
    heddle_vertex *ends = result->forest_ends;
    fewer.top--;
    assert_rejected(ctx, graph, &fewer, result, "more rows than wanted");
    if (!options->source_count)
        for (uint64_t k = 0; k <= last; k++) {
            heddle_vertex first = ends[2 * k];
            ends[2 * k] = ends[2 * k + 1], ends[2 * k + 1] = first;
            assert_rejected(ctx, graph, options, result, "the larger vertex first");
            ends[2 * k + 1] = ends[2 * k], ends[2 * k] = first;
        }
    heddle_vertex row[2] = {ends[2 * last], ends[2 * last + 1]};
    double score = ((double *)result->forest_weights)[last];
    ((double *)result->forest_weights)[last] = 0;
    ends[2 * last] = options->source_count ? options->sources[options->source_count - 1] : 0;
    for (heddle_vertex v = 1; v < graph->vertices; v++) { /* whichever has nothing in common with it, too */
        ends[2 * last + 1] = v;
        assert_rejected(ctx, graph, options, result, "a row that is not wanted");
    }
    memcpy(&ends[2 * last], row, sizeof row);
    ((double *)result->forest_weights)[last] = score;
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
}

/* With little time for it, some sources are looked at, and the note says how many. */
static void check_budget(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         const char *words) {
    heddle_result *result = run(ctx, graph, options);
    support_clear_notes();
    support_assert_status(ctx, hd_verify_similar_within(ctx, graph, options, result, 30), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), words));
    heddle_result_destroy(&result);
}

static void wrong_rows(void **state) {
    (void)state;
    static const heddle_vertex sources[] = {3, 0, 17}, pairs[] = {1, 2, 3, 4, 0, 9, 9, 0};
    heddle_context *ctx = support_context(1);
    shape s = shape_wheel("wheel", 60, 90, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (int m = 0; m < MEASURES; m++) {
        heddle_run_options options = options_of(m);
        options.top = 4;
        spoil_rows(ctx, graph, &options);
        break_rules(ctx, graph, &options);
        options.sources = sources;
        options.source_count = 3;
        spoil_rows(ctx, graph, &options);
        break_rules(ctx, graph, &options);
        check_budget(ctx, graph, &options, "of 3 sources");
        options.source_count = 0;
        options.pairs = pairs;
        options.pair_count = 4;
        spoil_rows(ctx, graph, &options);
    }
    heddle_run_options options = options_of(0);
    check_budget(ctx, graph, &options, "was checked at");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void refused(void **state) {
    (void)state;
    static const heddle_vertex source = 1, same[] = {0, 1, 2, 2}, beyond[] = {0, 20};
    heddle_context *ctx = support_context(1);
    shape s = shape_path("path", 20, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result;
    heddle_run_options options = options_of(MEASURES);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(
        ctx, "measure 6: expected a number from 0 to 5: jaccard overlap cosine adamic-adar resources attachment");
    options = options_of(0);
    options.pair_count = 2;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    options.pairs = same;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "pair 1: vertex 2 with itself");
    options.pairs = beyond;
    options.pair_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_SOURCE);
    options.pairs = same;
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "expected one of them");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void no_memory(void **state) {
    (void)state;
    check_no_memory("similar", shape_wheel("wheel", 60, 90, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("similar", shape_wheel("wheel", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known),      cmocka_unit_test(shapes),
                                       cmocka_unit_test(wrong_rows), cmocka_unit_test(refused),
                                       cmocka_unit_test(no_memory),  cmocka_unit_test(cancelled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
