/* test_latency.c - clusters that Graffix reinforces and iterates by themselves: which there are, what they get, exact
 * where new edges change nothing, what is refused. */
#include "path_cases.h"

#include "graffix/latency.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = support_context(2);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

/* A centre 0 and 6 neighbours, of which 1 and 6, 2 and 5, 3 and 4 do not know each other: 12 of 15 pairs. Edges from i
 * to j weigh i + j. Vertex 7 is a leaf of 3. */
static heddle_graph *example(void) {
    int64_t from[20], to[20];
    uint32_t weights[20], count = 0;
    heddle_build_options build;
    heddle_graph *graph;
    for (int64_t i = 0; i < 7; i++)
        for (int64_t j = i + 1; j < 8; j++) {
            if (j == 7 ? i != 3 : i + j == 7)
                continue;
            from[count] = i;
            to[count] = j;
            weights[count++] = (uint32_t)(i + j);
        }
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 8, count, from, to, weights, HEDDLE_WEIGHT_U32, &build, &graph),
                          HEDDLE_OK);
    return graph;
}

static hd_graffix_result change(const heddle_graph *graph, double threshold, double budget) {
    hd_graffix_options options = {
        .kind = &hd_graffix_latency, .threshold = threshold, .warp = 32, .chunk = 16, .budget = budget};
    hd_graffix_result result;
    support_assert_status(ctx, hd_graffix_graph(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static bool has_edge(const heddle_graph *graph, uint64_t v, heddle_vertex w, uint32_t weight) {
    heddle_adjacency out;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    for (uint64_t k = out.offsets[v]; k < out.offsets[v + 1]; k++)
        if (out.targets[k] == w && ((const uint32_t *)out.weights)[k] == weight)
            return true;
    return false;
}

/* At a threshold of 0.8 the centre is in; 1 and 6, then 2 and 5, which have fewest edges, are joined. */
static void reinforced(void **state) {
    (void)state;
    heddle_graph *graph = example();
    hd_graffix_result result = change(graph, 0.8, 1);
    assert_non_null(result.graph);
    assert_true(result.clusters.count == 1 && result.clusters.starts[1] == 7 && result.clusters.members[0] == 0);
    assert_true(result.added_edges == 2 && result.clusters.inside == 4);
    assert_true(has_edge(result.graph, 1, 6, 7) && has_edge(result.graph, 6, 1, 7)); /* by 0: 1 + 6 */
    assert_true(has_edge(result.graph, 2, 5, 7) && has_edge(result.graph, 5, 2, 7));
    assert_true(result.clusters.edges == 2 * (6 + 12 + 2));
    hd_graffix_free(ctx, &result);
    result = change(graph, 0.8, 0); /* no budget: the cluster as it is */
    assert_true(result.graph == NULL && result.added_edges == 0 && result.clusters.count == 1);
    hd_graffix_free(ctx, &result);
    heddle_graph_destroy(&graph);
}

/* The coefficient of 0 is 0.8: within reach of 0.85, which one more edge gives; not of 0.95. */
static void lifted(void **state) {
    (void)state;
    heddle_graph *graph = example();
    hd_graffix_result result = change(graph, 0.85, 1);
    assert_true(result.clusters.count == 1 && result.added_edges == 1 && has_edge(result.graph, 1, 6, 7));
    hd_graffix_free(ctx, &result);
    result = change(graph, 0.85, 0);
    assert_true(result.clusters.count == 0 && !result.graph);
    hd_graffix_free(ctx, &result);
    result = change(graph, 0.95, 1);
    assert_true(result.clusters.count == 0 && !result.graph);
    hd_graffix_free(ctx, &result);
    heddle_graph_destroy(&graph);
}

/* Cliques in a ring; in each, every vertex misses one other. */
static shape cliques(uint64_t count, uint64_t size, bool symmetric) {
    shape s = shape_new("cliques", count * size, count * size * size + count);
    s.symmetric = symmetric;
    for (uint64_t c = 0; c < count; c++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t j = symmetric ? i + 1 : 0; j < size; j++)
                if (i != j && i + j != size - 1)
                    shape_edge(&s, c * size + i, c * size + j);
        shape_edge(&s, c * size + size - 1, (c + 1) % count * size);
    }
    return s;
}

static void budget_is_kept(void **state) {
    (void)state;
    shape s = cliques(40, 8, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    hd_graffix_result large = change(graph, 0.8, 1), small = change(graph, 0.8, 0.01);
    assert_true(large.clusters.count == 40 && small.clusters.count == 40);
    assert_true(large.added_edges == 40 * 2); /* two edges each */
    assert_true(small.added_edges > 0 && small.added_edges <= heddle_graph_edges(graph) / 200);
    hd_graffix_free(ctx, &large);
    hd_graffix_free(ctx, &small);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static heddle_run_options options_of(const char *algorithm, const char *plan) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.plan = plan;
    options.approximate = 1;
    return options;
}

static heddle_result *run(const heddle_graph *graph, const char *algorithm, const char *plan) {
    heddle_run_options options = options_of(algorithm, plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    return result;
}

static void exact_where_edges_change_nothing(void **state) {
    static const char *const algorithms[] = {"sssp", "cc", "scc", "mst"};
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape shapes[] = {cliques(30, 8, undirected), shape_skewed("skewed", 300, 2500, 4, undirected)};
        for (int i = 0; i < 2; i++) {
            heddle_graph *graph = case_graph(ctx, &shapes[i], i ? WEIGHTS_NONE : WEIGHTS_F32);
            for (int a = 0; a < 4; a++) {
                heddle_result *result = run(graph, algorithms[a], "graffix-latency,graffix.threshold=0.7");
                heddle_result *exact = run(graph, algorithms[a], "auto");
                const heddle_forest *one = heddle_result_forest(result), *other = heddle_result_forest(exact);
                bool rounded = a == 0 && i == 0; /* real distances: within rounding */
                assert_true(rounded || !heddle_result_report(result)->approximate);
                assert_true(one->edges == other->edges);
                if (one->edges)
                    assert_memory_equal(one->ends, other->ends, 2 * one->edges * sizeof *one->ends);
                for (uint64_t v = 0; v < heddle_result_values(exact)->count; v++) {
                    double x = heddle_result_value(result, (heddle_vertex)v);
                    double y = heddle_result_value(exact, (heddle_vertex)v);
                    if (!(x == y || fabs(x - y) <= 1e-5 * y))
                        fail_msg("%s, %s: vertex %d has %g, expected %g", shapes[i].name, algorithms[a], (int)v, x, y);
                }
                heddle_result_destroy(&result);
                heddle_result_destroy(&exact);
            }
            heddle_graph_destroy(&graph);
            shape_free(&shapes[i]);
        }
    }
}

/* Rounds inside clusters make rounds over all edges fewer, and change no level that new edges do not change. */
static void fewer_rounds(void **state) {
    (void)state;
    shape s = cliques(40, 8, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_result *plain = run(graph, "bfs", "graffix-latency,graffix.threshold=1,graffix.budget=0");
    heddle_result *inside = run(graph, "bfs", "graffix-latency,graffix.budget=0");
    assert_true(figure_of(plain, "clusters") <= 0 && figure_of(inside, "clusters") >= 40);
    assert_true(heddle_result_report(inside)->iterations < heddle_result_report(plain)->iterations);
    assert_false(heddle_result_report(inside)->approximate);
    assert_same_result(inside, plain, "bfs");
    heddle_result_destroy(&plain);
    heddle_result_destroy(&inside);
    inside = run(graph, "bfs", "graffix-latency,graffix.budget=1");
    assert_true(heddle_result_report(inside)->approximate && heddle_result_report(inside)->inaccuracy >= 0);
    heddle_result_destroy(&inside);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Ranks that clusters iterate are those of the graph with the new edges, from fewer rounds; vertices without out-edges
 * are among the members. */
static void ranks(void **state) {
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        shape shapes[] = {cliques(40, 8, undirected), shape_skewed("skewed", 300, 2500, 4, undirected)};
        for (int i = 0; i < 2; i++) {
            heddle_graph *graph = case_graph(ctx, &shapes[i], WEIGHTS_NONE);
            heddle_run_options options = options_of("pr", "graffix-latency,graffix.threshold=0.6,graffix.budget=0");
            heddle_result *exact, *inside, *plain;
            options.precision = HEDDLE_PRECISION_DOUBLE;
            options.tolerance = 1e-13;
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &inside), HEDDLE_OK);
            options.plan = "graffix-latency,graffix.threshold=1,graffix.budget=0";
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &plain), HEDDLE_OK);
            options.plan = "auto";
            support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &exact), HEDDLE_OK);
            assert_true(figure_of(inside, "clusters") > 5 && !heddle_result_report(inside)->approximate);
            for (heddle_vertex v = 0; v < shapes[i].vertices; v++)
                if (!(fabs(heddle_result_value(inside, v) - heddle_result_value(exact, v)) < 1e-12))
                    fail_msg("%s: vertex %d has %.15g, expected %.15g", shapes[i].name, (int)v,
                             heddle_result_value(inside, v), heddle_result_value(exact, v));
            assert_true(heddle_result_report(inside)->iterations + (i == 0 && !undirected) <=
                        heddle_result_report(plain)->iterations);
            heddle_result_destroy(&plain);
            heddle_result_destroy(&exact);
            heddle_result_destroy(&inside);
            inside = run(graph, "pr", "graffix-latency,graffix.threshold=0.6,graffix.budget=1");
            assert_true(heddle_result_report(inside)->approximate && heddle_result_report(inside)->inaccuracy > 0);
            heddle_result_destroy(&inside);
            heddle_graph_destroy(&graph);
            shape_free(&shapes[i]);
        }
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *algorithm, *plan, *words;
        heddle_status status;
    } cases[] = {
        {"bfs", "graffix-latency,schedule=shard", "use schedule=edge instead", HEDDLE_E_REFUSED},
        {"bfs", "graffix-latency,transform=udt", "use transform=none instead", HEDDLE_E_REFUSED},
        {"bfs", "graffix-latency,sync=strict", "use sync=relaxed instead", HEDDLE_E_REFUSED},
        {"sswp", "graffix-latency", "use plan auto instead", HEDDLE_E_REFUSED},
        {"bfs", "graffix-latency,graffix.budget=2", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"bfs", "graffix-latency,graffix.threshold=1.5", "expected a number from 0 to 1", HEDDLE_E_ARGUMENT},
        {"bfs", "graffix-divergence,graffix.budget=0.1", "graffix.budget is for graffix=latency", HEDDLE_E_ARGUMENT},
    };
    heddle_graph *graph = example();
    heddle_result *result;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options = options_of(cases[i].algorithm, cases[i].plan);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), cases[i].status);
        support_assert_message(ctx, cases[i].words);
    }
    heddle_graph_destroy(&graph);
}

static heddle_status load_and_run(heddle_context *other, void *path) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options = options_of("sssp", "graffix-latency,graffix.budget=1");
    heddle_status status = heddle_graph_load(other, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(other, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_true(figure_of(result, "clusters") > 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void without_memory(void **state) {
    (void)state;
    support_try_every_failure(load_and_run,
                              (void *)(uintptr_t)case_file(ctx, cliques(6, 8, true), WEIGHTS_U32, "cliques.hdl"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reinforced),     cmocka_unit_test(lifted),
        cmocka_unit_test(budget_is_kept), cmocka_unit_test(exact_where_edges_change_nothing),
        cmocka_unit_test(fewer_rounds),   cmocka_unit_test(ranks),
        cmocka_unit_test(refused),        cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
