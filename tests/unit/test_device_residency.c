/* test_device_residency.c - runs whose edges lie in the host's memory, in part or wholly, give what runs in the
 * device's memory give: every algorithm, on graphs that hurt, and some of the schedules. */
#include "device_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 70, MOST_EDGES = 400 };

typedef struct edges {
    uint64_t vertices, count;
    int64_t from[MOST_EDGES], to[MOST_EDGES];
} edges;

static void add(edges *e, int64_t from, int64_t to) {
    e->from[e->count] = from;
    e->to[e->count++] = to;
}

/* By number: without edges; one vertex with a loop; a star out of the middle; all sinks but one; a path that ends at
 * the last vertices; loops, parallel edges and isolated vertices; edges at random. */
enum { KINDS = 7 };
static void make_edges(int kind, edges *e) {
    uint32_t state = 12345;
    *e = (edges){.vertices = kind == 1 ? 1 : VERTICES};
    if (kind == 1)
        add(e, 0, 0);
    for (int64_t v = 0; v < VERTICES && kind > 1; v++) {
        if (kind == 2)
            add(e, VERTICES / 2, v);
        if (kind == 3 && v % 2)
            add(e, v, 0);
        if (kind == 4 && v)
            add(e, v - 1, v);
        if (kind == 5 && v % 3 == 0)
            add(e, v, v), add(e, v, (v + 9) % VERTICES), add(e, v, (v + 9) % VERTICES);
        for (int k = 0; k < 5 && kind == 6; k++, state = state * 1664525 + 1013904223)
            add(e, v, (state >> 8) % VERTICES);
    }
}

static heddle_graph *build(int kind, bool undirected) {
    static edges e;
    static uint32_t weights[MOST_EDGES];
    heddle_build_options options;
    heddle_graph *graph;
    make_edges(kind, &e);
    for (uint32_t i = 0; i < MOST_EDGES; i++)
        weights[i] = 1 + i * 7 % 11;
    heddle_build_options_init(&options);
    options.symmetrize = undirected;
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, e.vertices, e.count, e.from, e.to, weights,
                                                  HEDDLE_WEIGHT_U32, &options, &graph),
                          HEDDLE_OK);
    return graph;
}

/* One algorithm under a plan; with `each`, searches side by side. */
typedef struct job {
    const char *algorithm, *plan;
    uint64_t sources;
    bool each, parents;
} job;

static const job jobs[] = {{"bfs", "auto", .sources = 0, .parents = true},
                           {"bfs", "auto", .sources = 3, .each = true},
                           {"bfs", "ws", .sources = 0},
                           {"sssp", "auto", .sources = 0},
                           {"sssp", "schedule=edge,direction=push", .sources = 0},
                           {"sswp", "auto", .sources = 0},
                           {"sswp", "tigr-v", .sources = 0},
                           {"cc", "auto", .sources = 0},
                           {"cc", "order=degree", .sources = 0},
                           {"pr", "auto", .sources = 0},
                           {"pr", "cusha-cw", .sources = 0},
                           {"bc", "auto", .sources = 1},
                           {"bc", "auto", .sources = 3},
                           {"scc", "auto", .sources = 0},
                           {"mst", "auto", .sources = 0},
                           {"hs", "auto", .sources = 0},
                           {"cs", "auto", .sources = 0},
                           {"nn", "auto", .sources = 0}};
enum { JOBS = sizeof jobs / sizeof *jobs };

static heddle_status run(const heddle_graph *graph, const job *j, const char *residency, uint64_t limit,
                         heddle_result **result) {
    static const heddle_vertex sources[] = {0, VERTICES - 1, VERTICES / 2};
    char plan[96];
    heddle_run_options options;
    heddle_run_options_init(&options);
    snprintf(plan, sizeof plan, "%s%s%s", j->plan, residency ? ",residency=" : "", residency ? residency : "");
    options.algorithm = j->algorithm;
    options.plan = plan;
    options.device = device_name;
    options.memory_limit = limit;
    options.sources = sources;
    options.source_count = heddle_graph_vertices(graph) < VERTICES ? j->sources > 0 : j->sources;
    options.each = j->each && options.source_count;
    options.parents = j->parents;
    options.max_iterations = 40;
    return heddle_run(device_ctx, graph, &options, result);
}

static void assert_same(const heddle_result *found, const heddle_result *expected, const char *what) {
    const heddle_values *values = heddle_result_values(expected);
    const heddle_forest *forest = heddle_result_forest(found), *right = heddle_result_forest(expected);
    uint64_t count = values->count * values->columns;
    assert_int_equal(heddle_result_values(found)->count, values->count);
    double *a = calloc(count + 1, sizeof *a), *b = calloc(count + 1, sizeof *b);
    support_assert_status(device_ctx, heddle_result_copy(device_ctx, found, HEDDLE_VALUE_F64, a, count), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_result_copy(device_ctx, expected, HEDDLE_VALUE_F64, b, count), HEDDLE_OK);
    for (uint64_t i = 0; i < count; i++)
        if (!(a[i] == b[i] || fabs(a[i] - b[i]) <= 1e-4 * fabs(b[i]) + 1e-6))
            fail_msg("%s: value %llu is %g, expected %g", what, (unsigned long long)i, a[i], b[i]);
    free(a);
    free(b);
    assert_int_equal(forest->edges, right->edges);
    if (forest->edges)
        assert_memory_equal(forest->ends, right->ends, forest->edges * 2 * sizeof *forest->ends);
    if (heddle_result_parents(expected) && values->count)
        assert_memory_equal(heddle_result_parents(found), heddle_result_parents(expected),
                            values->count * sizeof(heddle_vertex));
}

static int mixed_runs; /* of those that asked for it */

static void compare(const heddle_graph *graph, const job *j, const char *about) {
    static const char *const residencies[] = {"mixed", "host", NULL};
    heddle_result *expected, *found;
    char what[160];
    support_assert_status(device_ctx, run(graph, j, "device", 0, &expected), HEDDLE_OK);
    for (int i = 0; i < 3; i++) {
        uint64_t limit = heddle_graph_vertices(graph) * (i == 2 ? 40 : 24) + 64 + heddle_graph_edges(graph) * 2;
        snprintf(what, sizeof what, "%s, plan %s, residency %s on %s", j->algorithm, j->plan,
                 residencies[i] ? residencies[i] : "open", about);
        heddle_status status = run(graph, j, residencies[i], limit, &found);
        if (status != HEDDLE_OK)
            fail_msg("%s: %s", what, heddle_context_error(device_ctx)->message);
        assert_same(found, expected, what);
        const heddle_report *report = heddle_result_report(found);
        if (report->device_bytes > limit)
            fail_msg("%s: %llu bytes with a limit of %llu", what, (unsigned long long)report->device_bytes,
                     (unsigned long long)limit);
        bool all_fit = strcmp(report->residency, "device") == 0; /* of some graphs */
        if (residencies[i] && !(i == 0 && all_fit))
            assert_string_equal(report->residency, residencies[i]);
        mixed_runs += i == 0 && !all_fit;
        heddle_result_destroy(&found);
    }
    heddle_result_destroy(&expected);
}

static void test_same_results(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < 2 * KINDS; i++) {
        heddle_graph *graph = build(i / 2, i % 2);
        char about[48];
        snprintf(about, sizeof about, "graph %d%s", i / 2, i % 2 ? ", undirected" : "");
        for (int k = 0; k < JOBS; k++) /* one kind of each graph, in turn; of the last both */
            if ((i / 2 == KINDS - 1 || (i + i / 2 + k) % 2) &&
                (heddle_graph_edges(graph) || strcmp(jobs[k].plan, "cusha-cw") != 0))
                compare(graph, &jobs[k], about);
        heddle_graph_destroy(&graph);
    }
    assert_true(mixed_runs > 0);
}

static void assert_exactly(const heddle_result *found, const heddle_result *expected) {
    const heddle_values *right = heddle_result_values(expected), *values = heddle_result_values(found);
    size_t size = right->type == HEDDLE_VALUE_U64 || right->type == HEDDLE_VALUE_F64 ? 8 : 4;
    assert_int_equal(values->type, right->type);
    assert_memory_equal(values->data, right->data, right->count * size);
}

/* An edge beside its weight takes a word, 33 bits (31 edges in a line), two words or three; with more than 48 bits both
 * stay apart. */
static void test_joined_edges(void **unused) {
    (void)unused;
    static const struct {
        int scale;
        double weight_max;
    } kinds[] = {{12, 0x1p20 - 1}, {12, 0x1p21 - 1}, {12, 0x1p22 - 1},
                 {12, 0x1p27 - 1}, {17, 0x1p31 - 1}, {18, 0x1p31 - 1}};
    static const uint64_t bytes[] = {128, 128, 128, 128, 128, 8}, edges[] = {32, 31, 30, 26, 21, 1};
    skip_without_device();
    for (size_t i = 0; i < 2 * (sizeof kinds / sizeof *kinds); i++) {
        const job j = {i % 2 ? "sswp" : "sssp", "auto", .sources = 1};
        heddle_generate_options generate;
        heddle_graph *graph;
        heddle_result *expected, *found;
        heddle_generate_options_init(&generate);
        generate.scale = kinds[i / 2].scale;
        generate.degree = 4;
        generate.weighted = 1;
        generate.weight_min = 0;
        generate.weight_max = kinds[i / 2].weight_max;
        generate.build.symmetrize = i % 4 < 2;
        support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &generate, &graph), HEDDLE_OK);
        support_assert_status(device_ctx, run(graph, &j, "device", 0, &expected), HEDDLE_OK);
        support_assert_status(device_ctx, run(graph, &j, "host", 0, &found), HEDDLE_OK);
        assert_exactly(found, expected);
        uint64_t lines = (heddle_graph_edges(graph) + edges[i / 2] - 1) / edges[i / 2];
        assert_int_equal(heddle_result_report(found)->edges_on_host, lines * bytes[i / 2]);
        heddle_result_destroy(&found);
        heddle_result_destroy(&expected);
        heddle_graph_destroy(&graph);
    }
}

/* The same with known distances: weights that fit a byte, but no word together with the targets, which have 25 bits. */
static void test_byte_weights(void **unused) {
    (void)unused;
    enum { LAST = (1 << 24) + 1 };
    static const int64_t from[] = {0, 0, LAST, 7}, to[] = {LAST, 7, 9, 9};
    static const uint32_t weights[] = {0, 255, 200, 1};
    heddle_graph *graph;
    heddle_result *found;
    skip_without_device();
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, LAST + 1, 4, from, to, weights, HEDDLE_WEIGHT_U32, NULL,
                                                  &graph),
                          HEDDLE_OK);
    support_assert_status(device_ctx, run(graph, &(job){"sssp", "auto", .sources = 0}, "host", 0, &found), HEDDLE_OK);
    const uint32_t *distances = heddle_result_values(found)->data;
    assert_int_equal(distances[LAST], 0);
    assert_int_equal(distances[7], 255);
    assert_int_equal(distances[9], 200);
    assert_int_equal(heddle_result_report(found)->edges_on_host, 128);
    heddle_result_destroy(&found);
    heddle_graph_destroy(&graph);
}

/* Rows of about a line each. Three have 5000 edges: that of vertex 0 leads to all but the next hundred, which have no
 * edges; only the third leads to these, where its tail begins. `tails`: others are longer than a line, too. Else the
 * second and the third are in one round, all weights being equal, and hundreds of vertices without a tail between them.
 */
static heddle_graph *build_even(bool undirected, bool tails) {
    enum { SOME = 611, ENDS = 100, INNER = SOME - ENDS - 1, LONGEST = 5000, MOST = SOME * 36 + 3 * LONGEST };
    static int64_t from[MOST], to[MOST];
    static uint32_t weights[MOST];
    heddle_build_options options;
    heddle_graph *graph;
    uint64_t count = 0;
    for (int64_t v = 0; v < SOME; v += v ? 1 : 1 + ENDS) {
        bool is_long = v == 0 || v == 107 || v == 500;
        for (int64_t i = 0; i < (is_long ? LONGEST : 28 + v % (tails ? 8 : 4)); i++) {
            bool ends = v == 500 && i >= LONGEST / 2;
            from[count] = v;
            to[count] = ends ? 1 + i % ENDS : 1 + ENDS + (v ? v * 31 + i * 17 + i * i : i) % INNER;
            weights[count] = tails ? (uint32_t)(5 + (v * 3 + i * 11) % 64) : 5;
            count++;
        }
    }
    heddle_build_options_init(&options);
    options.symmetrize = undirected;
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, SOME, count, from, to, weights, HEDDLE_WEIGHT_U32,
                                                  &options, &graph),
                          HEDDLE_OK);
    return graph;
}

/* Bytes of such rows as lines and tails. */
static uint64_t hybrid_bytes(const heddle_graph *graph) {
    heddle_adjacency out;
    uint64_t n = heddle_graph_vertices(graph), tails = 0;
    support_assert_status(device_ctx, heddle_graph_out(device_ctx, graph, &out), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++)
        tails += out.offsets[v + 1] - out.offsets[v] > 32 ? out.offsets[v + 1] - out.offsets[v] - 32 : 0;
    return n * 128 + (tails + 1) * 4;
}

/* The first run makes lines and tails, the second has them, sswp too, and bfs frees them. */
static void test_hybrid_rows(void **unused) {
    (void)unused;
    static const char *const algorithms[] = {"sssp", "sssp", "sswp", "bfs", "sswp", "sssp"};
    enum { RUNS = sizeof algorithms / sizeof *algorithms };
    skip_without_device();
    for (int kind = 0; kind < 3; kind++) {
        bool undirected = kind == 1;
        heddle_graph *graph = build_even(undirected, kind != 2);
        heddle_result *expected[RUNS], *found;
        for (int i = 0; i < RUNS; i++)
            support_assert_status(device_ctx,
                                  run(graph, &(job){algorithms[i], "auto", .sources = 1}, "device", 0, &expected[i]),
                                  HEDDLE_OK);
        for (int i = 0; i < RUNS; i++) {
            support_assert_status(device_ctx,
                                  run(graph, &(job){algorithms[i], "auto", .sources = 1}, "host", 0, &found),
                                  HEDDLE_OK);
            assert_exactly(found, expected[i]);
            if (!undirected && strcmp(algorithms[i], "bfs") != 0)
                assert_int_equal(heddle_result_report(found)->edges_on_host, hybrid_bytes(graph));
            heddle_result_destroy(&found);
            heddle_result_destroy(&expected[i]);
        }
        heddle_graph_destroy(&graph);
    }
}

/* bfs beside edges in host memory has queues for a sixteenth of the vertices: frontiers of all sizes, from one source
 * and from many, with rows longer than a part, and with degrees by vertex number that a sample would misjudge. */
static void test_short_queues(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"rmat", "uniform", "grid", "star"};
    enum { MANY = 600 };
    static heddle_vertex sources[MANY];
    skip_without_device();
    for (uint32_t i = 0; i < 6 * 2; i++) {
        heddle_generate_options generate;
        heddle_run_options options;
        heddle_graph *graph;
        heddle_result *found, *expected;
        heddle_generate_options_init(&generate);
        generate.kind = kinds[i / 2 % 4];
        generate.scale = 12;
        generate.vertices = i / 2 % 4 == 3 ? 3000 : 0;
        generate.degree = i / 2 < 4 ? 12 : 3;
        generate.width = 90, generate.height = 60;
        generate.build.symmetrize = i < 4 || i >= 8;
        support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &generate, &graph), HEDDLE_OK);
        uint64_t n = heddle_graph_vertices(graph), m = heddle_graph_edges(graph);
        for (uint32_t k = 0; k < MANY; k++)
            sources[k] = (heddle_vertex)(k * 4 % n);
        heddle_run_options_init(&options);
        options.algorithm = "bfs";
        options.sources = sources;
        options.source_count = i % 2 ? MANY : 1;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
        options.device = device_name;
        options.plan = "residency=mixed";
        options.memory_limit = n * 18 + 8192 + m / 4;
        heddle_status status = heddle_run(device_ctx, graph, &options, &found);
        if (status != HEDDLE_OK)
            fail_msg("%s, graph %u: %s", generate.kind, i, heddle_context_error(device_ctx)->message);
        const heddle_report *report = heddle_result_report(found);
        assert_string_equal(report->residency, "mixed");
        assert_true(report->device_bytes <= options.memory_limit);
        assert_same(found, expected, generate.kind);
        heddle_result_destroy(&found);
        heddle_result_destroy(&expected);
        heddle_graph_destroy(&graph);
    }
}

/* Levels of 1, 63, 64, 65 and 4097 vertices, all of whose rows lie in host memory, and a row of as many edges. */
static void test_sizes_of_levels(void **unused) {
    (void)unused;
    static const uint64_t vertices[] = {2, 64, 65, 66, 4098};
    static const job some[] = {{"bfs", "auto", .sources = 0, .parents = true},
                               {"sssp", "auto", .sources = 0},
                               {"cc", "auto", .sources = 0}};
    skip_without_device();
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices * 3; i++) {
        heddle_generate_options generate;
        heddle_graph *graph;
        heddle_result *found, *expected;
        heddle_run_options options;
        heddle_generate_options_init(&generate);
        generate.kind = "star";
        generate.vertices = vertices[i / 3];
        support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &generate, &graph), HEDDLE_OK);
        heddle_run_options_init(&options);
        options.algorithm = some[i % 3].algorithm;
        options.parents = some[i % 3].parents;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
        support_assert_status(device_ctx, run(graph, &some[i % 3], "host", 0, &found), HEDDLE_OK);
        assert_same(found, expected, some[i % 3].algorithm);
        heddle_result_destroy(&found);
        heddle_result_destroy(&expected);
        heddle_graph_destroy(&graph);
    }
}

/* Figures beforehand: where the edges would lie. */
static void test_foreseen(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = build(6, false);
    heddle_run_options options;
    heddle_device_memory memory = {.size = sizeof memory};
    heddle_run_options_init(&options);
    options.algorithm = "sssp";
    options.device = device_name;
    support_assert_status(device_ctx, heddle_run_memory(device_ctx, graph, &options, &memory), HEDDLE_OK);
    assert_string_equal(memory.residency, "device");
    assert_int_equal(memory.host_resident, 0);
    options.memory_limit = memory.wanted - heddle_graph_edges(graph) * 4;
    support_assert_status(device_ctx, heddle_run_memory(device_ctx, graph, &options, &memory), HEDDLE_OK);
    assert_string_equal(memory.residency, "mixed");
    assert_int_equal(memory.host_resident, heddle_graph_edges(graph) * 4);
    options.memory_limit = 100;
    support_assert_status(device_ctx, heddle_run_memory(device_ctx, graph, &options, &memory), HEDDLE_OK);
    assert_string_equal(memory.residency, "");
    assert_non_null(strstr(memory.refused, "more than the 100 bytes of the memory limit"));
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_results), cmocka_unit_test(test_joined_edges),
                                       cmocka_unit_test(test_byte_weights), cmocka_unit_test(test_hybrid_rows),
                                       cmocka_unit_test(test_short_queues), cmocka_unit_test(test_sizes_of_levels),
                                       cmocka_unit_test(test_foreseen)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
