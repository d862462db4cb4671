/* test_verify_kinds.c - certificates of results that are of another kind than the algorithm's: values of another type,
 * too few of them, other forests and walks, figures that are not those of the values. They must say so before they look
 * at a value. */
#include "path_cases.h"

#include "base/word_list.h"
#include "engine/result.h"

static heddle_context *ctx;
static heddle_graph *graph;

static heddle_run_options options_for(const char *algorithm) {
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    options.weighted = strcmp(algorithm, "pr") == 0;
    options.max_iterations = strcmp(algorithm, "cs") ? 0 : 100000;
    return options;
}

/* Whether a change of the result is found out; it is taken back afterwards. */
static void assert_found(const heddle_run_options *options, heddle_result *result, const heddle_result *right,
                         const char *what) {
    if (heddle_verify(ctx, graph, options, result) != HEDDLE_E_VERIFY)
        fail_msg("%s: %s was not found", options->algorithm, what);
    heddle_report report = result->report;
    *result = *right;
    result->report = report;
}

/* No wider than the right type, so that a certificate that looks at values finds some. */
static heddle_value_type other_type(heddle_value_type type) {
    return type == HEDDLE_VALUE_F32 || type == HEDDLE_VALUE_F64 ? HEDDLE_VALUE_U32 : HEDDLE_VALUE_F32;
}

static void check_kinds(const char *algorithm) {
    heddle_run_options options = options_for(algorithm);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result right = *result;
    if (result->count) {
        result->type = other_type(right.type);
        assert_found(&options, result, &right, "another type");
        result->count--;
        assert_found(&options, result, &right, "a value less");
    }
    if (result->walks) {
        result->columns--;
        assert_found(&options, result, &right, "a step less");
    }
    if (result->forest_ends) {
        result->forest_type = right.forest_type == HEDDLE_WEIGHT_F64 ? HEDDLE_WEIGHT_F32 : HEDDLE_WEIGHT_I32;
        assert_found(&options, result, &right, "another type of weights");
        result->forest_ends = NULL;
        result->forest_edges = 0;
        assert_found(&options, result, &right, "no edges");
    }
    if (!strcmp(algorithm, "mst")) {
        result->forest_edges = heddle_graph_vertices(graph);
        assert_found(&options, result, &right, "as many edges as vertices");
    }
    heddle_result_destroy(&result);
}

/* Figures of the report that certificates look at. */
static const char *const proven[][2] = {
    {"closeness", "max"},
    {"harmonic", "max"},
    {"eccentricity", "diameter"},
    {"degree", "mean max"},
    {"bridges", "bridges max"},
    {"truss", "max innermost"},
    {"articulation", "cut_vertices max"},
    {"biconnected", "blocks largest"},
    {"bipartite", "bipartite odd_cycle left right"},
    {"toposort", "acyclic cycle levels longest"},
    {"tc", "triangles max"},
    {"similar", "pairs max"},
    {"louvain", "communities largest modularity"},
    {"leiden", "communities largest modularity"},
};

/* Each of them is found out if it is a little larger. */
static void check_figures(const char *algorithm, const char *names) {
    heddle_run_options options = options_for(algorithm);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    heddle_result right = *result;
    uint32_t known = 0;
    for (uint32_t i = 0; i < right.report.figure_count; i++)
        if (hd_has_word(names, right.report.figures[i].name)) {
            result->report.figures[i].value += 1;
            assert_found(&options, result, &right, right.report.figures[i].name);
            result->report.figures[i].value = right.report.figures[i].value;
            known++;
        }
    if (known < 1)
        fail_msg("%s: no figure of %s", algorithm, names);
    heddle_result_destroy(&result);
}

static void check_all_kinds(void) {
    for (size_t i = 0; heddle_algorithm_at(i); i++)
        check_kinds(heddle_algorithm_at(i)->name);
}

static void check_all_figures(void) {
    for (size_t i = 0; i < sizeof proven / sizeof *proven; i++)
        check_figures(proven[i][0], proven[i][1]);
}

static void check_on(shape s, void (*check)(void)) {
    ctx = support_context(2);
    graph = case_graph(ctx, &s, WEIGHTS_U32);
    check();
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void kinds(void **state) {
    (void)state;
    check_on(shape_skewed("directed", 60, 300, 3, false), check_all_kinds);
    check_on(shape_skewed("both ways", 60, 200, 4, true), check_all_kinds);
}

/* On a path there are two sides and an order, on the others cycles. */
static void figures(void **state) {
    (void)state;
    check_on(shape_skewed("directed", 60, 300, 3, false), check_all_figures);
    check_on(shape_skewed("both ways", 60, 200, 4, true), check_all_figures);
    check_on(shape_path("path", 60, false), check_all_figures);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(figures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
