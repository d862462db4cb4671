/* test_order.c - renamed graphs: the order is the one that was asked for, the graph is the same under other names, and
 * runs on it give what runs on the graph itself give. */
#include "context_case.h"
#include "order_cases.h"

#include "engine/derived_graphs.h"
#include "graph/order.h"

/* ---- The order -------------------------------------------------------------------------------------------------- */

static uint64_t degree(const heddle_graph *graph, uint64_t v) {
    heddle_adjacency out, in;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    return out.offsets[v + 1] - out.offsets[v] + (graph->directed ? in.offsets[v + 1] - in.offsets[v] : 0);
}

typedef struct ranked {
    uint64_t degree;
    heddle_vertex vertex;
} ranked;

static int by_degree(const void *first, const void *second) {
    const ranked *a = first, *b = second;
    return a->degree != b->degree ? (a->degree > b->degree ? -1 : 1)
                                  : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* The vertices by descending degree, equal ones by their numbers. */
static void sort_plainly(const heddle_graph *graph, heddle_vertex *sequence) {
    uint64_t n = graph->vertices;
    ranked *all = malloc((n + 1) * sizeof *all);
    assert_non_null(all);
    for (uint64_t v = 0; v < n; v++)
        all[v] = (ranked){degree(graph, v), (heddle_vertex)v};
    qsort(all, n, sizeof *all, by_degree);
    for (uint64_t v = 0; v < n; v++)
        sequence[v] = all[v].vertex;
    free(all);
}

/* In the order of a queue. */
static void search_slowly(const heddle_graph *graph, const heddle_vertex *roots, heddle_vertex *sequence) {
    heddle_adjacency out;
    uint64_t n = graph->vertices, head = 0, tail = 0;
    bool *seen = calloc(n + 1, sizeof *seen);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    for (uint64_t k = 0; k < n; k++) {
        if (!seen[roots[k]])
            sequence[tail++] = roots[k];
        seen[roots[k]] = true;
        for (; head < tail; head++)
            for (uint64_t e = out.offsets[sequence[head]]; e < out.offsets[sequence[head] + 1]; e++)
                if (!seen[out.targets[e]]) {
                    seen[out.targets[e]] = true;
                    sequence[tail++] = out.targets[e];
                }
    }
    assert_int_equal(tail, n);
    free(seen);
}

/* The first arc of a sorted row that does not end before `target`. */
static uint64_t first_not_before(const heddle_vertex *targets, uint64_t from, uint64_t to, heddle_vertex target) {
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        *(targets[middle] < target ? &from : &to) = targets[middle] < target ? middle + 1 : middle;
    }
    return from;
}

/* Row by row: each arc of the graph, in order, is the first one not taken yet of its name in the renamed row. */
static void assert_renamed(const heddle_graph *graph, const heddle_graph *renamed) {
    heddle_adjacency out, other;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, renamed, &other), HEDDLE_OK);
    bool *taken = calloc(graph->edges + 1, sizeof *taken);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t p = renamed->places[v], from = other.offsets[p], to = other.offsets[p + 1];
        assert_int_equal(to - from, out.offsets[v + 1] - out.offsets[v]);
        for (uint64_t e = from + 1; e < to; e++)
            assert_true(other.targets[e - 1] <= other.targets[e]);
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            heddle_vertex target = renamed->places[out.targets[e]];
            uint64_t k = first_not_before(other.targets, from, to, target);
            while (k < to && taken[k])
                k++;
            if (k == to || other.targets[k] != target)
                fail_msg("vertex %llu has lost an arc", (unsigned long long)v);
            taken[k] = true;
            if (out.weights)
                assert_memory_equal((const char *)out.weights + 4 * e, (const char *)other.weights + 4 * k, 4);
        }
    }
    free(taken);
}

static void check_order(const shape *s, scheme w, int threads) {
    heddle_context *other = support_context(threads);
    heddle_graph *graph = case_graph(ctx, s, w), *renamed;
    heddle_vertex *by_degree = malloc((s->vertices + 1) * sizeof *by_degree);
    heddle_vertex *by_search = malloc((s->vertices + 1) * sizeof *by_search);
    sort_plainly(graph, by_degree);
    search_slowly(graph, by_degree, by_search);
    for (int k = 0; k < 2; k++) {
        const hd_order *order = k ? &hd_order_bfs : &hd_order_degree;
        const heddle_vertex *sequence = order == &hd_order_degree ? by_degree : by_search;
        support_assert_status(other, hd_order_graph(other, graph, order, &renamed), HEDDLE_OK);
        for (uint64_t i = 0; i < s->vertices; i++)
            if (renamed->places[sequence[i]] != i)
                fail_msg("%s, %s: vertex %lu is at %lu, expected %llu", s->name, order->info.name,
                         (unsigned long)sequence[i], (unsigned long)renamed->places[sequence[i]],
                         (unsigned long long)i);
        assert_int_equal(renamed->directed, graph->directed);
        assert_int_equal(renamed->weight_type, graph->weight_type);
        assert_renamed(graph, renamed);
        heddle_graph_destroy(&renamed);
    }
    free(by_degree);
    free(by_search);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&other);
}

static void orders_are_what_they_say(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        check_order(&s, i % 3 == 0 ? WEIGHTS_NONE : i % 3 == 1 ? WEIGHTS_SIGNED : WEIGHTS_F32, 1 + i % 3 * 3);
        shape_free(&s);
    }
}

/* Levels of so many edges that threads share them. */
static void large_levels(void **state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        shape s = shape_skewed("large", 5000, 150000, 21, both);
        check_order(&s, WEIGHTS_U32, 1 + 3 * both);
        check_order(&s, WEIGHTS_U32, 4);
        shape_free(&s);
    }
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static void every_algorithm(void **state) {
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_ZEROS, WEIGHTS_MIXED};
    shape nothing = shape_new("nothing", 0, 0);
    (void)state;
    check_orders(ctx, "cpu", &nothing, WEIGHTS_NONE);
    shape_free(&nothing);
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        check_orders(ctx, "cpu", &s, schemes[i % 4]);
        if (support_stride(2) == 1)
            check_orders(ctx, "cpu", &s, schemes[(i + 2) % 4]);
        shape_free(&s);
    }
}

static heddle_graph *skewed(scheme w) {
    shape s = shape_at(15);
    heddle_graph *graph = case_graph(ctx, &s, w);
    shape_free(&s);
    return graph;
}

/* What options say of vertices goes along. */
static void options_go_along(void **state) {
    heddle_graph *graph = skewed(WEIGHTS_U32);
    uint64_t n = graph->vertices;
    double *numbers = malloc(n * sizeof *numbers);
    unsigned char *fixed = malloc(n);
    heddle_vertex sources[] = {7, 300, 7, 12};
    (void)state;
    for (uint64_t v = 0; v < n; v++) {
        numbers[v] = (double)(case_hash(v) % 100) / 64;
        fixed[v] = v % 5 == 0;
    }
    for (int p = 0; p < 2; p++) {
        heddle_run_options options = support_run_options("bc", "cpu", order_plans[p]);
        options.samples = 20;
        options.seed = 3;
        check_order_near(ctx, graph, &options, 1e-9, "sampled bc");
        options = support_run_options("bc", "cpu", order_plans[p]);
        options.sources = sources;
        options.source_count = 4;
        check_order_near(ctx, graph, &options, 1e-9, "bc from sources");
        options = support_run_options("pr", "cpu", order_plans[p]);
        options.personalization = numbers;
        options.weighted = 1;
        check_order_near(ctx, graph, &options, 1e-5, "pr");
        options = support_run_options("hs", "cpu", order_plans[p]);
        options.initial = numbers;
        options.fixed = fixed;
        options.precision = HEDDLE_PRECISION_DOUBLE;
        check_order_near(ctx, graph, &options, 1e-9, "hs");
        options = support_run_options("cs", "cpu", order_plans[p]);
        options.max_iterations = 5;
        options.precision = HEDDLE_PRECISION_DOUBLE;
        check_order_near(ctx, graph, &options, 1e-9, "cs");
        options = support_run_options("bfs", "cpu", order_plans[p]);
        options.sources = sources;
        options.source_count = 4;
        check_order_exact(ctx, graph, &options, "bfs from sources");
    }
    free(numbers);
    free(fixed);
    heddle_graph_destroy(&graph);
}

static void searches_from_each_source(void **state) {
    heddle_graph *graph = skewed(WEIGHTS_NONE);
    heddle_vertex sources[] = {7, 300, 12};
    heddle_run_options options = support_run_options("bfs", "cpu", "order=bfs"), plain = options;
    heddle_result *result, *expected;
    (void)state;
    options.sources = plain.sources = sources;
    options.source_count = plain.source_count = 3;
    options.each = plain.each = 1;
    options.parents = plain.parents = 0;
    plain.plan = "auto";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &plain, &expected), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->columns, 3);
    assert_memory_equal(heddle_result_values(result)->data, heddle_result_values(expected)->data,
                        3 * graph->vertices * sizeof(uint32_t));
    support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&graph);
}

static void refused(const heddle_graph *graph, const char *algorithm, const char *plan, heddle_status status,
                    const char *words) {
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), status);
    support_assert_message(ctx, words);
    assert_null(result);
}

static void refusals_have_reasons(void **state) {
    heddle_graph *graph = skewed(WEIGHTS_SIGNED);
    heddle_run_options options = support_run_options("sssp", "cpu", "auto");
    heddle_result *result;
    char message[1024];
    (void)state;
    refused(graph, "mst", "order=degree", HEDDLE_E_REFUSED, "equal weight");
    refused(graph, "bfs", "order=size", HEDDLE_E_ARGUMENT, "expected none, degree, bfs");
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
    snprintf(message, sizeof message, "%s", heddle_context_error(ctx)->message);
    refused(graph, "sssp", "order=degree", HEDDLE_E_WEIGHT, message); /* by the names that the user knows */
    heddle_graph_destroy(&graph);
}

/* A view inside another: both are in the report, and made once. */
static void orders_of_splits(void **state) {
    static const char *const algorithms[] = {"sssp", "bc", "scc"};
    heddle_graph *graph = skewed(WEIGHTS_U32);
    (void)state;
    for (size_t i = 0; i < 2 * sizeof algorithms / sizeof *algorithms; i++) {
        heddle_run_options options = support_run_options(algorithms[i / 2], "cpu", "order=bfs,transform=udt,K=3");
        heddle_result *result;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        const heddle_report *report = heddle_result_report(result);
        assert_string_equal(report->transform, "order-bfs+udt");
        assert_int_equal(report->transforming > 0, i % 2 == 0);
        assert_true(heddle_result_values(result)->count == graph->vertices);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
}

/* A program of the user's own is told the numbers of the user's graph. */
static void check_program(const char *plan, bool weighted) {
    heddle_graph *graph = skewed(WEIGHTS_NONE);
    heddle_run_options options = support_run_options("", "cpu", plan);
    char text[1000];
    heddle_result *result, *plain;
    snprintf(text, sizeof text,
             "#define VALUE u32\n#define MESSAGE u32\n#define TRAITS MONOTONE\n%s"
             "PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->vertex; }\n"
             "PROGRAM MESSAGE identity(void) { return ~0u; }\n"
             "PROGRAM MESSAGE send(VALUE v, %su32 d) { (void)d; return v; }\n"
             "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a < b ? a : b; }\n"
             "PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {\n"
             "(void)me, (void)run; if (m >= *v) return 0; *v = m; return 1; }\n",
             weighted ? "#define WEIGHT f32\n#define DUMB_WEIGHT 0\n" : "", weighted ? "WEIGHT w, " : "");
    options.program = support_write_text("number.c", text);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    options.plan = "order=none";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &plain), HEDDLE_OK);
    for (heddle_vertex v = 0; v < heddle_graph_vertices(graph); v++)
        assert_true(heddle_result_value(result, v) == heddle_result_value(plain, v));
    heddle_result_destroy(&result);
    heddle_result_destroy(&plain);
    heddle_graph_destroy(&graph);
}

static void programs(void **state) {
    (void)state;
    check_program("order=degree", false);
    check_program("order=degree,transform=udt,K=2", true);
}

/* ---- Keeping ---------------------------------------------------------------------------------------------------- */

static bool makes_an_order(const heddle_graph *graph, const char *plan) {
    heddle_run_options options = support_run_options("cc", "cpu", plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    bool made = heddle_result_report(result)->transforming > 0;
    heddle_result_destroy(&result);
    return made;
}

static void orders_are_kept(void **state) {
    heddle_graph *graph = skewed(WEIGHTS_NONE), *other = skewed(WEIGHTS_NONE);
    (void)state;
    assert_true(makes_an_order(graph, "order=degree"));
    assert_false(makes_an_order(graph, "order=degree"));
    assert_false(makes_an_order(graph, "order=none"));
    assert_false(makes_an_order(graph, "auto"));
    assert_false(makes_an_order(graph, "order=degree,schedule=thread"));
    assert_true(makes_an_order(graph, "order=bfs"));
    assert_true(makes_an_order(other, "order=bfs"));
    assert_false(makes_an_order(other, "order=bfs"));
    assert_true(makes_an_order(graph, "order=bfs"));
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&other);
}

static heddle_status attempt(heddle_context *other, void *user) {
    const char *const *what = user;
    heddle_run_options options = support_run_options(what[0], "cpu", what[1]);
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 0, 2};
    heddle_status status = heddle_graph_from_edges(other, 5, 4, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(other, graph, &options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void memory_runs_out(void **state) {
    static const char *cases[][2] = {{"sssp", "order=bfs"},
                                     {"cc", "order=bfs"},
                                     {"scc", "order=bfs,transform=star,K=1"},
                                     {"bc", "order=bfs,transform=star,K=1"},
                                     {"sssp", "order=bfs,transform=star,K=1"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        support_try_every_failure(attempt, (void *)cases[i]);
}

/* .hdl files have them: they never change, and no order takes that of another. */
static void numbers_in_files(void **state) {
    static const char *const names[] = {"none", "degree", "bfs", "out"};
    (void)state;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(hd_order_at(i)->info.name, names[i]);
    for (uint32_t i = 0; hd_order_at(i); i++) {
        assert_int_equal(hd_order_at(i)->number, i);
        assert_true(i <= HD_ORDERS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_files),
        cmocka_unit_test(orders_are_what_they_say),
        cmocka_unit_test(large_levels),
        cmocka_unit_test(every_algorithm),
        cmocka_unit_test(options_go_along),
        cmocka_unit_test(searches_from_each_source),
        cmocka_unit_test(refusals_have_reasons),
        cmocka_unit_test(orders_of_splits),
        cmocka_unit_test(programs),
        cmocka_unit_test(orders_are_kept),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
