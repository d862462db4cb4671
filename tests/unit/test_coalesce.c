/* test_coalesce.c - graphs that Graffix has renumbered and whose vertices it has copied: the text's example, supersets,
 * exact where copies and new edges change nothing, the confluence of copies, what is refused. */
#include "path_cases.h"

#include "graffix/forest.h"
#include "graffix/graffix.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = support_context(1);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

static heddle_adjacency rows_of(const heddle_graph *graph) {
    heddle_adjacency out;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    return out;
}

/* ---- The text's example ------------------------------------------------------------------------------------------ */

/* Section 2.2: 20 vertices, of which 0, 1, 2, 3, 9 and 16 are roots. Rows are sorted here, and not in the text's
 * figure: its vertices 15, 17 and 18 are 17, 18 and 15. Weights of 0's edges are 1 to 7. */
static heddle_graph *example(void) {
    static const int64_t from[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 9, 16, 4, 13, 17};
    static const int64_t to[] = {4, 5, 6, 7, 8, 13, 14, 0, 10, 12, 15, 17, 18, 11, 12, 19, 19, 4, 5, 17, 18, 18};
    static const uint32_t weights[] = {1, 2, 3, 4, 5, 6, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 10, 20, 1};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 20, 22, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

static const heddle_vertex example_places[20] = {0, 1,  2,  3,  8,  12, 14, 16, 18, 4,
                                                 9, 10, 13, 20, 21, 15, 5,  17, 19, 11};

static void levels_of_the_text(void **state) {
    (void)state;
    heddle_graph *graph = example();
    heddle_adjacency out = rows_of(graph);
    hd_forest forest;
    support_assert_status(ctx, hd_forest_grow(ctx, &out, 20, false, 8, 0, &forest), HEDDLE_OK);
    assert_true(forest.levels == 2 && forest.starts[0] == 0 && forest.starts[1] == 6 && forest.starts[2] == 20);
    assert_true(forest.first_place[0] == 0 && forest.first_place[1] == 8 && forest.places == 24);
    assert_memory_equal(forest.place, example_places, sizeof example_places);
    hd_forest_free(ctx, &forest);
    heddle_graph_destroy(&graph);
}

/* Floods of an undirected graph find the levels that one search from all roots finds. */
static void levels_of_floods(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 3000, 5000, 9, true); /* with components of one vertex, and of few */
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_adjacency out = rows_of(graph);
    hd_forest one, other;
    support_assert_status(ctx, hd_forest_grow(ctx, &out, s.vertices, false, 16, 2, &one), HEDDLE_OK);
    support_assert_status(ctx, hd_forest_grow(ctx, &out, s.vertices, true, 16, 2, &other), HEDDLE_OK);
    assert_true(one.levels == other.levels && one.places == other.places && one.levels > 3);
    assert_memory_equal(one.starts, other.starts, (one.levels + 1) * sizeof *one.starts);
    assert_memory_equal(one.place, other.place, s.vertices * sizeof *one.place);
    assert_memory_equal(one.parent, other.parent, s.vertices * sizeof *one.parent);
    hd_forest_free(ctx, &one);
    hd_forest_free(ctx, &other);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static hd_graffix_result change(const heddle_graph *graph, double threshold, uint32_t chunk, uint32_t spare) {
    hd_graffix_options options = {
        .kind = &hd_graffix_coalesce, .threshold = threshold, .warp = 32, .chunk = chunk, .spare = spare};
    hd_graffix_result result;
    support_assert_status(ctx, hd_graffix_graph(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

/* The edges of a row are these targets and weights. */
static void assert_row(const heddle_adjacency *out, uint64_t v, uint64_t count, const heddle_vertex *targets,
                       const uint32_t *weights) {
    assert_true(out->offsets[v + 1] - out->offsets[v] == count);
    for (uint64_t i = 0; i < count; i++)
        assert_true(out->targets[out->offsets[v] + i] == targets[i] &&
                    ((const uint32_t *)out->weights)[out->offsets[v] + i] == weights[i]);
}

/* Section 2.3: 0 has 4 edges to the 6 vertices of the chunk 16..23, more than 0.6 of them: its copy at 6 takes these
 * edges, and gets new ones to 17 and 19, its neighbours' neighbours there. */
static void copies_of_the_text(void **state) {
    static const heddle_vertex own[] = {8, 12, 14}, copied[] = {16, 17, 18, 19, 20, 21};
    static const uint32_t own_weights[] = {1, 2, 3}, copied_weights[] = {4, 11, 5, 26, 6, 7};
    (void)state;
    heddle_graph *graph = example();
    hd_graffix_result result = change(graph, 0.6, 8, 0);
    const hd_copies *copies = &result.copies;
    assert_non_null(result.graph);
    assert_true(heddle_graph_vertices(result.graph) == 24 && heddle_graph_edges(result.graph) == 24);
    assert_true(result.added_edges == 2 && copies->count == 1 && copies->holes == 3 && copies->levels == 2);
    assert_true(copies->list[0].copy == 6 && copies->list[0].owner == 0 && copies->list[0].members == 2);
    assert_memory_equal(copies->place, example_places, sizeof example_places);
    assert_true(copies->vertex[6] == 0 && copies->vertex[7] == UINT32_MAX && copies->vertex[21] == 14);
    assert_true(copies->degrees[0] == 9 && copies->degrees[6] == 9 && copies->degrees[1] == 6 &&
                copies->degrees[7] == 1);
    heddle_adjacency out = rows_of(result.graph);
    assert_row(&out, 0, 3, own, own_weights);
    assert_row(&out, 6, 6, copied, copied_weights);
    assert_row(&out, 7, 0, NULL, NULL);
    hd_graffix_free(ctx, &result);
    result = change(graph, 0.7, 8, 0); /* 4 of 6 is less */
    assert_true(result.copies.count == 0 && result.added_edges == 0);
    hd_graffix_free(ctx, &result);
    heddle_graph_destroy(&graph);
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

/* An edge between vertices, whichever copies it joins. */
static bool joined(const hd_graffix_result *result, const heddle_adjacency *out, heddle_vertex v, heddle_vertex w) {
    const hd_copies *copies = &result->copies;
    for (uint64_t p = 0; p < copies->places; p++)
        for (uint64_t e = out->offsets[p]; copies->vertex[p] == v && e < out->offsets[p + 1]; e++)
            if (copies->vertex[out->targets[e]] == w)
                return true;
    return false;
}

/* A lower threshold copies more, and adds a superset of edges; no edge is lost; edges lead to vertices, not to
 * copies. */
static void supersets(void **state) {
    static const double thresholds[] = {1, 0.6, 0.4, 0.1};
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape s = shape_skewed("skewed", 300, 3000, 4, undirected);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        hd_graffix_result before = change(graph, 1, 16, 4);
        for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
            hd_graffix_result now = change(graph, thresholds[i], 16, 4);
            heddle_adjacency small = rows_of(before.graph), large = rows_of(now.graph);
            assert_true(now.copies.count >= before.copies.count && now.added_edges >= before.added_edges);
            assert_true(heddle_graph_edges(now.graph) == heddle_graph_edges(graph) + now.added_edges);
            for (uint64_t p = 0; p < before.copies.places; p++)
                for (uint64_t e = small.offsets[p]; e < small.offsets[p + 1]; e++) {
                    heddle_vertex w = before.copies.vertex[small.targets[e]];
                    assert_true(before.copies.place[w] == small.targets[e]);
                    assert_true(joined(&now, &large, before.copies.vertex[p], w));
                }
            hd_graffix_free(ctx, &before);
            before = now;
        }
        assert_true(before.copies.count > 10 && before.added_edges > 10);
        hd_graffix_free(ctx, &before);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

static void same_for_any_threads(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 3000, 30000, 5, false);
    heddle_context *other = support_context(4);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_F32), *again = case_graph(other, &s, WEIGHTS_F32);
    hd_graffix_options options = {
        .kind = &hd_graffix_coalesce, .threshold = 0.2, .warp = 32, .chunk = 16, .spare = 3, .links = true};
    hd_graffix_result one, many;
    support_assert_status(ctx, hd_graffix_graph(ctx, graph, &options, &one), HEDDLE_OK);
    support_assert_status(other, hd_graffix_graph(other, again, &options, &many), HEDDLE_OK);
    support_assert_same_graph(ctx, one.graph, many.graph);
    assert_true(one.copies.count > 0 && one.copies.count == many.copies.count);
    assert_memory_equal(one.copies.list, many.copies.list, one.copies.count * sizeof *one.copies.list);
    hd_graffix_free(ctx, &one);
    hd_graffix_free(other, &many);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&again);
    heddle_context_destroy(&other);
    shape_free(&s);
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static heddle_vertex source; /* 0: the one that is chosen */

static heddle_run_options options_of(const char *algorithm, const char *plan) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.plan = plan;
    options.approximate = 1;
    if (source) {
        options.sources = &source;
        options.source_count = 1;
    }
    return options;
}

static heddle_result *run(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_run_options options = options_of(algorithm, plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    return result;
}

/* The same result, edges and weights of the forest included; floating-point distances within rounding. */
static void check_exact(const heddle_graph *graph, const char *algorithm, const char *plan, const char *where) {
    heddle_result *result = run(graph, algorithm, plan), *exact = run(graph, algorithm, "auto");
    const heddle_forest *a = heddle_result_forest(result), *b = heddle_result_forest(exact);
    bool rounded = heddle_graph_weight_type(graph) == HEDDLE_WEIGHT_F32 && strcmp(algorithm, "sssp") == 0;
    assert_true(rounded || !heddle_result_report(result)->approximate);
    if (heddle_result_values(result)->count != heddle_result_values(exact)->count || a->edges != b->edges)
        fail_msg("%s, %s, %s: another number of values", where, algorithm, plan);
    for (uint64_t v = 0; v < heddle_result_values(result)->count; v++) {
        double x = heddle_result_value(result, (heddle_vertex)v), y = heddle_result_value(exact, (heddle_vertex)v);
        if (!(x == y || fabs(x - y) <= 1e-5 * y))
            fail_msg("%s, %s, %s: vertex %d has %g, expected %g", where, algorithm, plan, (int)v, x, y);
    }
    if (a->edges)
        assert_memory_equal(a->ends, b->ends, 2 * a->edges * sizeof *a->ends);
    if (a->edges && b->weights)
        assert_memory_equal(a->weights, b->weights, a->edges * sizeof(uint32_t));
    const heddle_report *report = heddle_result_report(exact);
    for (uint64_t i = 0; i < report->figure_count; i++) { /* components, reached … are those of the graph itself */
        const heddle_figure *figure = &report->figures[i];
        if (strcmp(figure->name, "residual") != 0 && strcmp(figure->name, "delta") != 0 &&
            fabs(figure_of(result, figure->name) - figure->value) > 1e-5 * fabs(figure->value))
            fail_msg("%s, %s, %s: %s is %g, expected %g", where, algorithm, plan, figure->name,
                     figure_of(result, figure->name), figure->value);
    }
    heddle_result_destroy(&result);
    heddle_result_destroy(&exact);
}

static void exact_by_reduction(void **state) {
    static const char *const plans[] = {"graffix-coalesce", "graffix=coalesce,spare=8,graffix.threshold=0.1",
                                        "graffix-coalesce,chunk=4,spare=1,graffix.threshold=0,confluence.every=3"};
    static const scheme kinds[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_F32, WEIGHTS_SIGNED};
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        scheme w = kinds[i % 5];
        heddle_graph *graph = case_graph(ctx, &s, w);
        for (int p = 0; p < 3; p++) {
            if (w != WEIGHTS_SIGNED)
                check_exact(graph, "sssp", plans[p], s.name);
            check_exact(graph, "cc", plans[p], s.name);
            if (p == 2)
                continue; /* confluence.every is for programs */
            check_exact(graph, "scc", plans[p], s.name);
            check_exact(graph, "mst", plans[p], s.name);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* Chunks of one vertex have no holes; without copies there are no new edges: nothing changes but the numbers. */
static void exact_without_copies(void **state) {
    static const char *const algorithms[] = {"pr", "bfs"};
    (void)state;
    shape s = shape_random("random", 300, 3000, 2, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    for (int i = 0; i < 2; i++)
        check_exact(graph, algorithms[i], "graffix-coalesce,chunk=1,confluence=mean", s.name);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static double inaccuracy_of(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_result *result = run(graph, algorithm, plan);
    const heddle_report *report = heddle_result_report(result);
    double inaccuracy = report->inaccuracy;
    assert_true(report->approximate && report->verified == 1 && figure_of(result, "copies") > 0);
    assert_non_null(strstr(report->transform, "graffix-coalesce"));
    heddle_result_destroy(&result);
    return inaccuracy;
}

static void approximate_elsewhere(void **state) {
    (void)state;
    shape s = shape_skewed("skewed", 400, 4000, 7, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    assert_true(inaccuracy_of(graph, "pr", "graffix-coalesce,spare=4,graffix.threshold=0.3") > 0);
    shape flat = shape_random("sparse", 500, 1500, 3, true);
    heddle_graph *sparse = case_graph(ctx, &flat, WEIGHTS_NONE);
    source = 17; /* not the root, from which edges to the next level are no short cuts */
    assert_true(inaccuracy_of(sparse, "bfs", "graffix-coalesce,spare=8,graffix.threshold=0.1") > 0);
    source = 0;
    heddle_graph_destroy(&sparse);
    shape_free(&flat);
    /* What copies have at the end alone is not passed on; ranks of copies stay what they were. */
    assert_true(inaccuracy_of(graph, "sssp", "graffix-coalesce,spare=8,graffix.threshold=0.1,confluence.every=0") > 0);
    double often = inaccuracy_of(graph, "pr", "graffix-coalesce,spare=8,graffix.threshold=0.1,confluence.every=2");
    assert_true(inaccuracy_of(graph, "pr", "graffix-coalesce,spare=8,graffix.threshold=0.1,confluence.every=0") >
                often);
    /* Rounds over all in-edges correct a mean until it is the value. */
    assert_true(inaccuracy_of(graph, "sssp", "graffix-coalesce,spare=8,graffix.threshold=0.1,confluence=mean") <= 0);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Where no edge is added (threshold 1 and more edges than vertices of a chunk), betweenness is exact with copies. */
static void betweenness(void **state) {
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape s = shape_skewed("skewed", 120, 1200, 5, undirected);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        heddle_result *result = run(graph, "bc", "graffix-coalesce,spare=8,graffix.threshold=1");
        heddle_result *exact = run(graph, "bc", "auto");
        assert_true(figure_of(result, "copies") > 0);
        for (heddle_vertex v = 0; v < s.vertices && figure_of(result, "added_edges") <= 0; v++) {
            double x = heddle_result_value(result, v), y = heddle_result_value(exact, v);
            if (!(fabs(x - y) <= 1e-9 * (1 + y)))
                fail_msg("vertex %d has %.12g, expected %.12g", (int)v, x, y);
        }
        heddle_result_destroy(&result);
        heddle_result_destroy(&exact);
        assert_true(inaccuracy_of(graph, "bc", "graffix-coalesce,spare=8,graffix.threshold=0.2") > 0);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *algorithm, *plan, *words;
        heddle_status status;
    } cases[] = {
        {"sswp", "graffix-coalesce", "sswp: graffix=coalesce: edges to", HEDDLE_E_REFUSED},
        {"pr", "graffix-coalesce,graffix.threshold=1.01", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix-coalesce,chunk=0", "chunk=0: expected a number from 1", HEDDLE_E_ARGUMENT},
        {"pr", "graffix-coalesce,chunk=33", "chunk=33: expected a number from 1 to the warp's 32", HEDDLE_E_ARGUMENT},
        {"pr", "graffix-coalesce,chunk=16,warp=8", "from 1 to the warp's 8 lanes", HEDDLE_E_ARGUMENT},
        {"pr", "graffix-coalesce,spare=16", "spare=16: expected less than the 16 places", HEDDLE_E_ARGUMENT},
        {"pr", "graffix-coalesce,confluence=max", "confluence=max: expected reduce, mean", HEDDLE_E_ARGUMENT},
        {"pr", "graffix=divergence,spare=1", "are for graffix=coalesce", HEDDLE_E_ARGUMENT},
        {"pr", "confluence=mean", "are for graffix=coalesce", HEDDLE_E_ARGUMENT},
        {"cc", "graffix-coalesce,confluence=mean", "have no mean; use confluence=reduce instead", HEDDLE_E_REFUSED},
        {"scc", "graffix-coalesce,confluence=mean", "have no mean; use confluence=reduce instead", HEDDLE_E_REFUSED},
        {"mst", "graffix-coalesce,confluence=mean", "have no mean; use confluence=reduce instead", HEDDLE_E_REFUSED},
        {"scc", "graffix-coalesce,confluence.every=2", "confluence.every is for vertex programs", HEDDLE_E_REFUSED},
        {"bfs", "graffix-coalesce,order=degree", "numbers the vertices itself", HEDDLE_E_REFUSED},
        {"bfs", "graffix-coalesce,transform=udt", "copies share a vertex's edges", HEDDLE_E_REFUSED},
        {"bfs", "graffix-coalesce,schedule=shard", "use schedule=edge instead", HEDDLE_E_REFUSED},
        {"bc", "graffix-coalesce,confluence=mean", "have no mean; use confluence=reduce instead", HEDDLE_E_REFUSED},
    };
    shape s = shape_grid("grid", 5);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *result;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options = options_of(cases[i].algorithm, cases[i].plan);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), cases[i].status);
        support_assert_message(ctx, cases[i].words);
    }
    heddle_run_options options = options_of("pr", "graffix-coalesce");
    options.approximate = 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "is approximate, which --approximate has to allow");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static const char *failing_algorithm;

static heddle_status load_and_run(heddle_context *other, void *path) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options = options_of(failing_algorithm, "graffix-coalesce,spare=8,graffix.threshold=0.1");
    options.max_iterations = 5;
    heddle_status status = heddle_graph_load(other, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(other, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_true(figure_of(result, "copies") > 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void without_memory(void **state) {
    static const char *const algorithms[] = {"pr", "sssp", "scc", "mst", "bc"};
    (void)state;
    const char *path = case_file(ctx, shape_skewed("skewed", 90, 600, 7, false), WEIGHTS_U32, "skewed.hdl");
    for (int i = 0; i < 5; i++) {
        source = i ? 3 : 0; /* pr has none; bc: from all of them takes long */
        failing_algorithm = algorithms[i];
        support_try_every_failure(load_and_run, (void *)(uintptr_t)path);
    }
    source = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_of_the_text),   cmocka_unit_test(levels_of_floods),
                                       cmocka_unit_test(copies_of_the_text),   cmocka_unit_test(supersets),
                                       cmocka_unit_test(same_for_any_threads), cmocka_unit_test(exact_by_reduction),
                                       cmocka_unit_test(exact_without_copies), cmocka_unit_test(approximate_elsewhere),
                                       cmocka_unit_test(betweenness),          cmocka_unit_test(refused),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
