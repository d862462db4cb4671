/* test_parts.c - runs on several devices, here parts of the CPU: the results of one device, what is sent, refusals. */
#include "base/random.h"
#include "parts_case.h"

#include <stdlib.h>

static const char *const lists[] = {"cpu,cpu", "cpu,cpu,cpu", "cpu,cpu,cpu,cpu,cpu"};

/* Without an exchange in the plan, these have rounds of their own, or may have. */
static const char *const own_rounds[] = {"bfs", "sssp", "cc", "pr"};
enum { EXCHANGES = sizeof parts_exchanges / sizeof *parts_exchanges - 1 };

static bool has_own_rounds(const char *program) {
    bool has = false;
    for (size_t i = 0; i < sizeof own_rounds / sizeof *own_rounds; i++)
        has = has || strcmp(own_rounds[i], program) == 0;
    return has;
}

/* `exchange` NULL: plan auto. */
static void compare(heddle_context *ctx, const heddle_graph *graph, int g, const heddle_result *one,
                    const char *program, const char *list, const char *exchange) {
    char plan[24] = "auto";
    if (exchange)
        snprintf(plan, sizeof plan, "exchange=%s", exchange);
    else if (!has_own_rounds(program))
        return; /* the same as vr */
    heddle_result *several = parts_run(ctx, graph, program, list, plan);
    parts_compare(one, several, program, g);
    assert_string_equal(heddle_result_report(several)->exchange, exchange ? exchange : "vr");
    heddle_result_destroy(&several);
}

static void every_program_and_exchange(void **state) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    (void)state;
    for (int g = 0; (graph = parts_graph(ctx, g)); g++) {
        for (int p = 0; parts_programs[p]; p++) {
            heddle_result *one = parts_run(ctx, graph, parts_programs[p], "cpu", "auto");
            for (int x = 0; x <= EXCHANGES; x++) /* the last is none */
                for (size_t d = 0; d < sizeof lists / sizeof *lists; d++)
                    compare(ctx, graph, g, one, parts_programs[p], lists[d], parts_exchanges[x]);
            heddle_result_destroy(&one);
        }
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* A grid: parts have pieces without a row that others read, which are computed while messages travel. */
static void interior_and_boundary(void **state) {
    heddle_context *ctx = support_context(2);
    heddle_generate_options grid;
    heddle_graph *graph;
    (void)state;
    heddle_generate_options_init(&grid);
    grid.kind = "grid";
    grid.width = 200;
    grid.height = 120;
    grid.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &grid, &graph), HEDDLE_OK);
    for (int p = 0; parts_programs[p]; p++) {
        heddle_result *one = parts_run(ctx, graph, parts_programs[p], "cpu", "auto");
        for (int x = 1; x <= EXCHANGES; x++) /* ms, vr, and none */
            compare(ctx, graph, 100, one, parts_programs[p], lists[x % 2], parts_exchanges[x]);
        heddle_result_destroy(&one);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void compare_parents(const heddle_result *one, const heddle_result *several, uint64_t count) {
    const heddle_vertex *a = heddle_result_parents(one), *b = heddle_result_parents(several);
    assert_true((a != NULL) == (b != NULL));
    for (uint64_t v = 0; a && v < count; v++)
        assert_int_equal(a[v], b[v]);
}

/* Diamonds in a row: each doubles the number of shortest paths, which soon exceeds what a number can hold. */
static heddle_graph *diamonds(heddle_context *ctx, int count) {
    int64_t *from = calloc(4 * (size_t)count, sizeof *from), *to = calloc(4 * (size_t)count, sizeof *to);
    float *weights = calloc(4 * (size_t)count, sizeof *weights);
    for (int d = 0; d < count; d++)
        for (int k = 0; k < 4; k++) {
            from[4 * d + k] = 3 * d + (k < 2 ? 0 : k - 1);
            to[4 * d + k] = 3 * d + (k < 2 ? k + 1 : 3);
        }
    heddle_graph *graph = parts_from(ctx, 3 * (uint64_t)count + 1, 4 * (uint64_t)count, from, to, weights);
    free(from);
    free(to);
    free(weights);
    return graph;
}

static heddle_result *run_sampled(heddle_context *ctx, const heddle_graph *graph, const char *algorithm,
                                  const char *device, uint64_t samples) {
    heddle_run_options options = support_run_options(algorithm, device, "auto");
    heddle_result *result;
    options.parents = 0;
    options.samples = samples;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static void compare_forests(const heddle_result *a, const heddle_result *b) {
    const heddle_forest *one = heddle_result_forest(a), *two = heddle_result_forest(b);
    assert_non_null(one);
    assert_non_null(two);
    assert_int_equal(one->edges, two->edges);
    if (one->edges)
        assert_memory_equal(one->ends, two->ends, 2 * one->edges * sizeof *one->ends);
    if (one->edges && one->weights)
        assert_memory_equal(one->weights, two->weights, one->edges * sizeof(uint32_t));
}

/* Betweenness has the same bits: sums are over the same rows, in the same order. Forests have the same edges. */
static void other_algorithms(void **state) {
    static const char *const algorithms[] = {"bc", "scc", "mst"};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    (void)state;
    for (int g = 0; (graph = g < 10   ? parts_graph(ctx, g)
                             : g < 11 ? diamonds(ctx, 950)
                             : g < 13 ? parts_undirected(ctx, g - 11)
                                      : NULL);
         g++) {
        uint64_t samples = g == 10 ? 1 : g > 6 ? 4 : 0;
        for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
            heddle_result *one = run_sampled(ctx, graph, algorithms[a], "cpu", samples);
            for (size_t d = 0; d < (g == 10 ? 1 : sizeof lists / sizeof *lists); d++) { /* it has many levels */
                heddle_result *several = run_sampled(ctx, graph, algorithms[a], lists[d], samples);
                if (strcmp(algorithms[a], "mst") == 0)
                    compare_forests(one, several);
                else
                    parts_compare(one, several, algorithms[a], g);
                assert_int_equal(heddle_result_part_count(several), 2 + d + (d == 2));
                heddle_result_destroy(&several);
            }
            heddle_result_destroy(&one);
        }
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* Slices by measured cost: where they end depends on the clock, and results do not. */
static void slices_by_cost(void **state) {
    static const char *const programs[] = {"bfs", "sssp", "cc", "pr", "hs"};
    heddle_context *ctx = support_context(2);
    (void)state;
    for (int g = 4; g < 10; g++) {
        heddle_graph *graph = parts_graph(ctx, g);
        for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
            heddle_result *one = parts_run(ctx, graph, programs[p], "cpu", "auto");
            heddle_result *several = parts_run(ctx, graph, programs[p], "cpu,cpu,cpu", "slices=cost");
            parts_compare(one, several, programs[p], g);
            heddle_result_destroy(&one);
            heddle_result_destroy(&several);
        }
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* Levels, distances of whole numbers and widths, with the parents that go with them, pass their certificates. */
static void certificates(void **state) {
    static const char *const programs[] = {"bfs", "sssp", "sswp", "cc", "pr"};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = parts_generate(ctx, "uniform", 300, 0);
    (void)state;
    for (size_t p = 0; p < 2 * (sizeof programs / sizeof *programs); p++) {
        heddle_run_options options = support_run_options(programs[p / 2], "cpu,cpu,cpu", p % 2 ? "ws-vr" : "auto");
        heddle_result *result, *one;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        support_assert_status(ctx, heddle_verify(ctx, graph, &options, result), HEDDLE_OK);
        options.device = "cpu";
        options.plan = "auto";
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &one), HEDDLE_OK);
        compare_parents(one, result, heddle_graph_vertices(graph));
        heddle_result_destroy(&one);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* A path and a few cycles whose ids have no locality: components of parts are short pieces, and many. */
static void components_of_pieces(void **state) {
    enum { N = 1009, EDGES = 900 };
    int64_t from[EDGES], to[EDGES];
    float weights[EDGES];
    heddle_context *ctx = support_context(2);
    (void)state;
    for (int k = 0; k < EDGES; k++) {
        bool cycle = k >= 700;
        int next = cycle && k % 10 == 9 ? k - 9 : k + 1; /* cycles of ten */
        from[k] = k * 389 % N;
        to[k] = next * 389 % N;
        weights[k] = 1;
    }
    heddle_graph *graph = parts_from(ctx, N, EDGES, from, to, weights);
    heddle_result *one = parts_run(ctx, graph, "cc", "cpu", "auto");
    for (size_t d = 0; d < sizeof lists / sizeof *lists; d++)
        compare(ctx, graph, 300, one, "cc", lists[d], NULL);
    heddle_result_destroy(&one);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Two cliques with one edge between them, which no sample of edges has: parts have a clique each, or halves of them. */
static void giants_with_a_bridge(void **state) {
    enum { SIZE = 60, EDGES = SIZE * (SIZE - 1) + 1 };
    int64_t from[EDGES], to[EDGES];
    heddle_context *ctx = support_context(2);
    heddle_build_options build;
    heddle_graph *graph;
    int k = 0;
    (void)state;
    for (int u = 0; u < SIZE; u++)
        for (int v = u + 1; v < SIZE; v++, k += 2) {
            from[k] = u, to[k] = v;
            from[k + 1] = SIZE + u, to[k + 1] = SIZE + v;
        }
    from[k] = SIZE / 2, to[k] = SIZE + SIZE / 2;
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    for (int bridge = 0; bridge < 2; bridge++) {
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 2 * SIZE, EDGES - 1 + bridge, from, to, NULL,
                                                      HEDDLE_WEIGHT_NONE, &build, &graph),
                              HEDDLE_OK);
        heddle_result *one = parts_run(ctx, graph, "cc", "cpu", "auto");
        for (size_t d = 0; d < sizeof lists / sizeof *lists; d++)
            compare(ctx, graph, 500 + bridge, one, "cc", lists[d], NULL);
        heddle_result_destroy(&one);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* The same where each end of the bridge has leaves in the other's part, which see their edges: that part knows this end
 * as a vertex of the leaves' component, which is not its giant. */
static void giants_with_leaves(void **state) {
    enum { SIZE = 60, LEAVES = 20, END = LEAVES + SIZE, EDGES = SIZE * (SIZE - 1) + 1 + 2 * LEAVES };
    int64_t from[EDGES], to[EDGES];
    heddle_context *ctx = support_context(2);
    heddle_build_options build;
    heddle_graph *graph;
    int k = 0;
    (void)state;
    for (int u = 0; u < SIZE; u++)
        for (int v = u + 1; v < SIZE; v++, k += 2) {
            from[k] = LEAVES + u, to[k] = LEAVES + v;
            from[k + 1] = END + u, to[k + 1] = END + v;
        }
    for (int leaf = 0; leaf < LEAVES; leaf++, k += 2) {
        from[k] = leaf, to[k] = END;
        from[k + 1] = END - 1, to[k + 1] = END + SIZE + leaf;
    }
    from[k] = END - 1, to[k] = END;
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 2 * END, EDGES, from, to, NULL, HEDDLE_WEIGHT_NONE, &build,
                                                  &graph),
                          HEDDLE_OK);
    heddle_result *one = parts_run(ctx, graph, "cc", "cpu", "auto");
    for (size_t d = 0; d < sizeof lists / sizeof *lists; d++)
        compare(ctx, graph, 502, one, "cc", lists[d], NULL);
    heddle_result_destroy(&one);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Distances of every type: also whole ones that do not fit 32 bits, double precision, and none at all. */
static void distances_of_all_types(void **state) {
    enum { EDGES = 12 };
    static const int64_t from[EDGES] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 7, 3, 6},
                         to[EDGES] = {1, 2, 3, 4, 5, 6, 3, 4, 6, 0, 0, 5};
    uint32_t u32[EDGES], large[EDGES];
    int32_t i32[EDGES];
    int64_t i64[EDGES];
    float f32[EDGES];
    double f64[EDGES];
    const struct {
        const void *weights;
        heddle_weight_type type;
        heddle_precision precision;
    } cases[] = {{u32, HEDDLE_WEIGHT_U32, 0}, {large, HEDDLE_WEIGHT_U32, 0},
                 {i32, HEDDLE_WEIGHT_I32, 0}, {i64, HEDDLE_WEIGHT_I64, 0},
                 {f32, HEDDLE_WEIGHT_F32, 0}, {f32, HEDDLE_WEIGHT_F32, HEDDLE_PRECISION_DOUBLE},
                 {f64, HEDDLE_WEIGHT_F64, 0}, {NULL, HEDDLE_WEIGHT_NONE, 0}};
    heddle_context *ctx = support_context(2);
    (void)state;
    for (int k = 0; k < EDGES; k++) {
        u32[k] = (uint32_t)(k * 7 % 5);
        large[k] = 3000000000U - (uint32_t)k;
        i32[k] = 1 + k % 3;
        i64[k] = (INT64_C(1) << 40) + k;
        f32[k] = 0.1f * (float)(k * 7 % 5);
        f64[k] = 1e-3 * (k * 7 % 5);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_graph *graph;
        heddle_result *one, *several;
        heddle_run_options options = support_run_options("sssp", "cpu", "auto");
        options.precision = cases[i].precision;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 9, EDGES, from, to, cases[i].weights, cases[i].type, NULL,
                                                      &graph),
                              HEDDLE_OK);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &one), HEDDLE_OK);
        options.device = "cpu,cpu,cpu";
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &several), HEDDLE_OK);
        parts_compare(one, several, "sssp", 200 + (int)i);
        assert_int_equal(heddle_result_values(one)->type, heddle_result_values(several)->type);
        compare_parents(one, several, 9);
        heddle_result_destroy(&one);
        heddle_result_destroy(&several);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

static uint64_t bytes_of(heddle_context *ctx, const heddle_graph *graph, const char *program, const char *plan) {
    heddle_result *result = parts_run(ctx, graph, program, "cpu,cpu,cpu", plan);
    heddle_part parts[3];
    uint64_t sent = 0, vertices = 0, edges = 0;
    assert_int_equal(heddle_result_part_count(result), 3);
    assert_int_equal(heddle_result_parts(result, parts, sizeof *parts, 3), 3);
    for (int p = 0; p < 3; p++) {
        assert_string_equal(parts[p].device, "cpu");
        assert_true(parts[p].bytes_useful <= parts[p].bytes_sent);
        sent += parts[p].bytes_sent;
        vertices += parts[p].vertices;
        edges += parts[p].edges;
    }
    assert_int_equal(vertices, heddle_graph_vertices(graph));
    assert_true(edges == heddle_graph_edges(graph) || edges == 2 * heddle_graph_edges(graph));
    uint64_t count = heddle_result_round_count(result), exchanged = 0, active = 0;
    heddle_round *rounds = calloc(count + 1, sizeof *rounds);
    heddle_result_rounds(result, rounds, sizeof *rounds, count);
    for (uint64_t i = 0; i < count; i++) {
        exchanged += rounds[i].exchanged;
        active += rounds[i].vertices;
    }
    assert_int_equal(exchanged, sent);
    for (uint64_t p = 0; p < 3; p++) {
        assert_int_equal(heddle_result_part_rounds(result, p, NULL, sizeof *rounds, 0), count);
        assert_int_equal(heddle_result_part_rounds(result, p, rounds, sizeof *rounds, count), count);
        for (uint64_t i = 0; i < count; i++) {
            exchanged -= rounds[i].exchanged;
            active -= rounds[i].vertices;
            assert_true(rounds[i].vertices <= parts[p].vertices * rounds[i].rounds);
        }
    }
    assert_int_equal(exchanged, 0);
    assert_int_equal(active, 0);
    assert_int_equal(heddle_result_part_rounds(result, 3, rounds, sizeof *rounds, count), 0);
    free(rounds);
    heddle_result_destroy(&result);
    return sent;
}

/* Vertex Refinement sends at most a fifth of everything, except where nearly all values change in every round; rounds
 * of their own send no more, or, where all values do change, all that are read as they are. */
static void refinement_sends_less(void **state) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = parts_generate(ctx, "rmat", 0, 11);
    (void)state;
    for (int p = 0; parts_programs[p]; p++) {
        bool ranks = strcmp(parts_programs[p], "pr") == 0;
        uint64_t all = bytes_of(ctx, graph, parts_programs[p], "exchange=all");
        uint64_t ms = bytes_of(ctx, graph, parts_programs[p], "exchange=ms");
        uint64_t vr = bytes_of(ctx, graph, parts_programs[p], "exchange=vr");
        bool busy = ranks || strcmp(parts_programs[p], "hs") == 0;
        uint64_t own = has_own_rounds(parts_programs[p]) ? bytes_of(ctx, graph, parts_programs[p], "auto") : vr;
        if (!(ms <= all && vr <= ms + ms / 8) || (!busy && vr > all / 5) || own > (ranks ? ms : vr))
            fail_msg("%s: all %llu bytes, ms %llu, vr %llu, own %llu", parts_programs[p], (unsigned long long)all,
                     (unsigned long long)ms, (unsigned long long)vr, (unsigned long long)own);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* The source leads to 200 vertices of another part, which also has a cycle that nothing leads to, and along a path: its
 * edges are not walked again in every round. */
static void sources_leave_the_frontier(void **state) {
    enum { PATH = 200, LEAVES = 200, CYCLE = 100, EDGES = PATH - 1 + LEAVES + CYCLE };
    int64_t from[EDGES], to[EDGES];
    float weights[EDGES];
    heddle_context *ctx = support_context(2);
    (void)state;
    for (int k = 0; k < EDGES; k++) {
        int leaf = k - (PATH - 1), round = leaf - LEAVES;
        from[k] = leaf < 0 ? k : round < 0 ? 0 : PATH + LEAVES + round;
        to[k] = leaf < 0 ? k + 1 : round < 0 ? PATH + leaf : PATH + LEAVES + (round + 1) % CYCLE;
        weights[k] = 1;
    }
    heddle_graph *graph = parts_from(ctx, PATH + LEAVES + CYCLE, EDGES, from, to, weights);
    heddle_result *one = parts_run(ctx, graph, "bfs", "cpu", "auto");
    heddle_result *several = parts_run(ctx, graph, "bfs", "cpu,cpu", "auto");
    parts_compare(one, several, "bfs", 400);
    assert_true(heddle_result_report(several)->edges_walked < 8 * EDGES);
    heddle_result_destroy(&one);
    heddle_result_destroy(&several);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* An undirected graph whose searches go down, up and down again, along a path that winds through all parts. */
static heddle_graph *with_a_tail(heddle_context *ctx) {
    enum { VERTICES = 4096, DEGREE = 16, TAIL = 300, EDGES = VERTICES * DEGREE + TAIL };
    heddle_build_options build;
    heddle_graph *graph;
    int64_t *ends = malloc(2 * EDGES * sizeof *ends);
    assert_non_null(ends);
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    for (uint64_t k = 0; k < EDGES; k++) {
        uint64_t tail = k < EDGES - TAIL ? 0 : k - (EDGES - TAIL);
        ends[k] = (int64_t)(k < EDGES - TAIL ? k / DEGREE : tail ? VERTICES + (tail - 1) * 7 % TAIL : 5);
        ends[EDGES + k] =
            (int64_t)(k < EDGES - TAIL ? hd_random(1, k) % VERTICES * (k % 2) : VERTICES + tail * 7 % TAIL);
    }
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, VERTICES + TAIL, EDGES, ends, ends + EDGES, NULL,
                                                  HEDDLE_WEIGHT_NONE, &build, &graph),
                          HEDDLE_OK);
    free(ends);
    return graph;
}

static void assert_both_directions(const heddle_result *result) {
    heddle_round rounds[1024];
    uint64_t count = heddle_result_rounds(result, rounds, sizeof *rounds, sizeof rounds / sizeof *rounds);
    bool down = false, up = false, down_again = false;
    for (uint64_t i = 0; i < count; i++) {
        down_again = down_again || (up && rounds[i].direction == HEDDLE_DIRECTION_PUSH);
        down = down || rounds[i].direction == HEDDLE_DIRECTION_PUSH;
        up = up || (down && rounds[i].direction == HEDDLE_DIRECTION_PULL);
    }
    assert_true(down && up && down_again);
}

/* Levels and parents are those of one process, and few edges are walked: rows lead both ways. */
static void searches_both_ways(void **state) {
    const heddle_vertex sources[] = {4100, 9};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = with_a_tail(ctx);
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof lists / sizeof *lists); i++) {
        heddle_run_options options = support_run_options("bfs", "cpu", "auto");
        heddle_result *one, *several;
        if (i % 2) {
            options.sources = sources;
            options.source_count = 2;
        }
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &one), HEDDLE_OK);
        options.device = lists[i / 2];
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &several), HEDDLE_OK);
        parts_compare(one, several, "bfs", 300);
        compare_parents(one, several, heddle_graph_vertices(graph));
        assert_both_directions(several);
        uint64_t walked = heddle_result_report(several)->edges_walked, edges = heddle_graph_edges(graph);
        if (walked >= edges / 2)
            fail_msg("%s: walked %llu of %llu edges; expected less than half", lists[i / 2], (unsigned long long)walked,
                     (unsigned long long)edges);
        heddle_result_destroy(&one);
        heddle_result_destroy(&several);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* A user's program with a value of 12 bytes, which uses its own number and the round. */
static const char program_text[] =
    "typedef struct best { f32 sum; u32 rounds, name; } best;\n"
    "#define VALUE best\n#define MESSAGE f32\n#define TRAITS (ALL_ACTIVE | SUM)\n#define OUTPUT f32\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { best b = {(f32)(me->vertex % 7), 0, me->vertex}; (void)run; return b; }\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE v, u32 degree) { return v.sum / (f32)degree; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n"
    "PROGRAM int update(VALUE *v, MESSAGE sum, ABOUT me, RUN run) {\n"
    "    if (run->iteration >= 4 || me->in_degree == 0) return 0;\n"
    "    v->sum = (f32)0.5 * (v->sum + sum);\n    v->rounds++;\n    return 1;\n}\n"
    "PROGRAM f32 output(VALUE v) { return v.sum + (f32)v.rounds + (f32)v.name; }\n";

static void programs_of_users(void **state) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = parts_generate(ctx, "rmat", 0, 7);
    heddle_result *results[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        heddle_run_options options = support_run_options("bfs", i ? "cpu,cpu,cpu" : "cpu", "auto");
        options.program_text = program_text;
        heddle_status status = heddle_run(ctx, graph, &options, &results[i]);
        if (status == HEDDLE_E_UNSUPPORTED)
            skip(); /* no C compiler */
        support_assert_status(ctx, status, HEDDLE_OK);
    }
    parts_compare(results[0], results[1], "program", 9);
    heddle_result_destroy(&results[0]);
    heddle_result_destroy(&results[1]);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void refuse(heddle_context *ctx, const heddle_graph *graph, const char *algorithm, const char *device,
                   const char *plan, heddle_status expected, const char *words) {
    heddle_run_options options = support_run_options(algorithm, device, plan);
    heddle_result *result;
    options.parents = 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), expected);
    support_assert_message(ctx, words);
}

static void refusals(void **state) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = parts_graph(ctx, 4);
    (void)state;
    refuse(ctx, graph, "tc", "cpu,cpu", "auto", HEDDLE_E_REFUSED, "use one device instead");
    refuse(ctx, graph, "bc", "cpu,cpu", "exchange=all", HEDDLE_E_REFUSED, "use plan auto instead");
    refuse(ctx, graph, "bc", "cpu,cpu", "ws-vr", HEDDLE_E_REFUSED, "use plan auto instead");
    refuse(ctx, graph, "bfs", "cpu,cpu", "direction=push", HEDDLE_E_REFUSED, "direction=pull");
    refuse(ctx, graph, "bfs", "cpu,cpu", "worklist=yes", HEDDLE_E_REFUSED, "worklist=no");
    refuse(ctx, graph, "bfs", "cpu,cpu", "tigr-udt", HEDDLE_E_REFUSED, "transform=none");
    refuse(ctx, graph, "bfs", "cpu,cpu", "cusha-gs", HEDDLE_E_REFUSED, "schedule=wseg");
    refuse(ctx, graph, "bfs", "cpu,cpu", "residency=disk", HEDDLE_E_REFUSED, "residency=device");
    refuse(ctx, graph, "bfs", "cpu,cpu", "exchange=none", HEDDLE_E_ARGUMENT, "expected all, ms, vr");
    refuse(ctx, graph, "bfs", "cpu,1", "auto", HEDDLE_E_ARGUMENT, "expected auto, cpu");
    refuse(ctx, graph, "bfs", "cpu,", "auto", HEDDLE_E_ARGUMENT, "expected auto, cpu");
    refuse(ctx, graph, "bfs", "auto,cpu", "auto", HEDDLE_E_ARGUMENT, "expected auto, cpu");
    refuse(ctx, graph, "hs", "cpu,cpu", "order=nothing", HEDDLE_E_ARGUMENT, "order=");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Values that grow end the run on all parts, with the reason. */
static void failures_end_all(void **state) {
    static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 0};
    static const float weights[] = {3, -2, 3, -2};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = parts_from(ctx, 4, 4, from, to, weights);
    double initial[] = {1, 2, 3, 4};
    heddle_result *result;
    (void)state;
    heddle_run_options options = support_run_options("hs", "cpu,cpu", "auto");
    options.initial = initial;
    options.max_iterations = 100000;
    options.rate = 1;
    heddle_status several = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    options.device = "cpu";
    heddle_status one = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    assert_int_equal(one, HEDDLE_E_WEIGHT);
    assert_int_equal(several, HEDDLE_E_WEIGHT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static int stop_at_once(void *user, const heddle_progress *progress) {
    (void)user;
    return strcmp(progress->phase, "compute") == 0;
}

static void cancelling(void **state) {
    heddle_context_options context;
    heddle_context *ctx;
    heddle_result *result;
    (void)state;
    heddle_context_options_init(&context);
    context.progress = stop_at_once;
    assert_int_equal(heddle_context_create(&context, &ctx), HEDDLE_OK);
    heddle_graph *graph = parts_generate(ctx, "rmat", 0, 8);
    heddle_run_options options = support_run_options("pr", "cpu,cpu,cpu", "auto");
    options.tolerance = 1e-300;
    options.max_iterations = UINT64_MAX;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_CANCELLED);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

typedef struct trial {
    const char *algorithm, *plan;
    const heddle_graph *graph;
} trial;

static heddle_status attempt(heddle_context *ctx, void *user) {
    const trial *t = user;
    heddle_result *result = NULL;
    heddle_run_options options = support_run_options(t->algorithm, "cpu,cpu,cpu", t->plan);
    heddle_status status = heddle_run(ctx, t->graph, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static void every_allocation_may_fail(void **state) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = parts_generate(ctx, "rmat", 0, 5), *undirected = parts_undirected(ctx, 0);
    heddle_adjacency in;
    trial trials[] = {{"pr", "exchange=vr", graph},   {"cc", "auto", graph},  {"bfs", "auto", graph},
                      {"sssp", "slices=cost", graph}, {"pr", "auto", graph},  {"bc", "auto", graph},
                      {"scc", "auto", graph},         {"mst", "auto", graph}, {"bfs", "auto", undirected}};
    (void)state;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK); /* stays with the graph */
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        support_try_every_failure(attempt, &trials[i]);
    heddle_graph_destroy(&undirected);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Whole weights, of the type that files have by default: parts find the parents, and one process need not. */
static void parents_of_paths(void **state) {
    heddle_generate_options generate;
    heddle_graph *graph;
    heddle_round rounds[1024];
    heddle_context *ctx = support_context(2);
    (void)state;
    heddle_generate_options_init(&generate);
    generate.kind = "rmat";
    generate.scale = 8;
    generate.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &generate, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_weight_type(graph), HEDDLE_WEIGHT_U32);
    heddle_run_options options = support_run_options("sssp", "cpu", "auto");
    heddle_result *one, *several;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &one), HEDDLE_OK);
    options.device = "cpu,cpu,cpu";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &several), HEDDLE_OK);
    parts_compare(one, several, "sssp", 600);
    compare_parents(one, several, heddle_graph_vertices(graph));
    uint64_t count = heddle_result_rounds(several, rounds, sizeof *rounds, sizeof rounds / sizeof *rounds);
    assert_string_equal(rounds[count - 1].kernel, "slices, parents");
    heddle_result_destroy(&one);
    heddle_result_destroy(&several);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Components that form chains, of one vertex or two: the number of rounds does not grow with the chain. */
static void chains_of_components(void **state) {
    enum { LENGTH = 3000 };
    static int64_t from[2 * LENGTH], to[2 * LENGTH];
    heddle_context *ctx = support_context(2);
    (void)state;
    for (int pairs = 0; pairs < 2; pairs++) {
        uint64_t edges = 0;
        for (int64_t v = 0; v + 1 < LENGTH; v++) {
            from[edges] = v;
            to[edges++] = v + 1;
            if (pairs && v % 2 == 0) {
                from[edges] = v + 1;
                to[edges++] = v;
            }
        }
        heddle_graph *graph;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 0, edges, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        heddle_result *one = parts_run(ctx, graph, "scc", "cpu", "auto");
        heddle_result *several = parts_run(ctx, graph, "scc", "cpu,cpu,cpu", "auto");
        parts_compare(one, several, "scc", 500 + pairs);
        uint64_t rounds = heddle_result_report(several)->iterations;
        if (rounds > 400)
            fail_msg("%d vertices in a chain take %llu rounds; expected at most 400", LENGTH,
                     (unsigned long long)rounds);
        heddle_result_destroy(&one);
        heddle_result_destroy(&several);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_and_exchange),
        cmocka_unit_test(interior_and_boundary),
        cmocka_unit_test(other_algorithms),
        cmocka_unit_test(slices_by_cost),
        cmocka_unit_test(certificates),
        cmocka_unit_test(components_of_pieces),
        cmocka_unit_test(giants_with_a_bridge),
        cmocka_unit_test(giants_with_leaves),
        cmocka_unit_test(distances_of_all_types),
        cmocka_unit_test(refinement_sends_less),
        cmocka_unit_test(sources_leave_the_frontier),
        cmocka_unit_test(searches_both_ways),
        cmocka_unit_test(chains_of_components),
        cmocka_unit_test(parents_of_paths),
        cmocka_unit_test(programs_of_users),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failures_end_all),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
