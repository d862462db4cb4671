/* test_engine.c - vertex programs on the CPU engine: every built-in program against a plain fixed-point loop, on graphs
 * that hurt, for several numbers of threads; hs, cs and nn against their references; and what validators reject. */
#include "support.h"

#include "engine/cpu/cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static heddle_graph *generate(heddle_context *ctx, const char *kind, uint64_t vertices, int weighted, int symmetrize) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    if (strcmp(kind, "grid") == 0)
        options.width = 40, options.height = vertices > 1600 ? vertices / 40 : 40;
    else if (strcmp(kind, "rmat") == 0 || strcmp(kind, "uniform") == 0)
        options.scale = 11;
    else
        options.vertices = vertices;
    options.weighted = weighted;
    options.build.symmetrize = symmetrize;
    if (heddle_graph_generate(ctx, &options, &graph) != HEDDLE_OK)
        fail_msg("%s: %s", kind, heddle_context_error(ctx)->message);
    return graph;
}

/* Bellman-Ford in double: what bfs (weight 1), sssp and sswp must give. */
static double *relax_all(heddle_context *ctx, const heddle_graph *graph, int widest, int hops, heddle_vertex source) {
    heddle_adjacency out;
    uint64_t n = heddle_graph_vertices(graph);
    assert_int_equal(heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    double *value = malloc(sizeof *value * (n + 1));
    for (uint64_t v = 0; v < n; v++)
        value[v] = widest ? -INFINITY : INFINITY;
    if (n)
        value[source] = widest ? INFINITY : 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint64_t v = 0; v < n; v++)
            for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
                double w = hops || !out.weights ? 1 : ((const uint32_t *)out.weights)[e];
                double offer = widest ? fmin(value[v], w) : value[v] + w;
                double *mine = &value[out.targets[e]];
                if (widest ? offer > *mine : offer < *mine) {
                    *mine = offer;
                    changed = 1;
                }
            }
    }
    return value;
}

static void assert_program(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *kind) {
    heddle_vertex source = 0;
    heddle_result *result;
    hd_cpu_setup setup = {.sources = &source, .source_count = heddle_graph_vertices(graph) ? 1 : 0};
    int widest = strcmp(name, "sswp") == 0, hops = strcmp(name, "bfs") == 0;
    double *expected = relax_all(ctx, graph, widest, hops, source);
    assert_int_equal(hd_result_new(ctx, name, &result), HEDDLE_OK);
    assert_int_equal(hd_cpu_execute(ctx, graph, hd_cpu_program_find(name, 0), &setup, result), HEDDLE_OK);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        if (heddle_result_value(result, (heddle_vertex)v) != expected[v])
            fail_msg("%s on %s, vertex %llu: expected %g, found %g", name, kind, (unsigned long long)v, expected[v],
                     heddle_result_value(result, (heddle_vertex)v));
    free(expected);
    heddle_result_destroy(&result);
}

static void test_path_programs(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"rmat", "uniform", "grid", "star", "path", "clique", "tree"};
    static const char *const names[] = {"bfs", "sssp", "sswp"};
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *ctx = support_context(*threads);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int weighted = 0; weighted < 2; weighted++) {
                heddle_graph *graph = generate(ctx, kinds[k], strcmp(kinds[k], "clique") ? 2000 : 90, weighted, 0);
                for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                    assert_program(ctx, graph, names[i], kinds[k]);
                heddle_graph_destroy(&graph);
            }
        heddle_context_destroy(&ctx);
    }
}

/* A frontier whose row is cut into strips, among so many edges that they are pushed. */
static void test_long_row_in_the_frontier(void **unused) {
    enum { LEAVES = 20000, OTHERS = 400000, VERTICES = 2 * LEAVES };
    static const char *const names[] = {"bfs", "sssp", "sswp"};
    (void)unused;
    int64_t *from = malloc(sizeof *from * (LEAVES + OTHERS)), *to = malloc(sizeof *to * (LEAVES + OTHERS));
    assert_true(from && to);
    for (int64_t i = 0; i < LEAVES; i++)
        from[i] = i != 0, to[i] = i + 1;
    for (int64_t i = 0; i < OTHERS; i++)
        from[LEAVES + i] = LEAVES + 1 + i % (LEAVES - 1), to[LEAVES + i] = LEAVES + 1 + i / 7 % (LEAVES - 1);
    for (const int *threads = support_threads(); *threads; threads++) {
        heddle_context *ctx = support_context(*threads);
        heddle_graph *graph;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, VERTICES, LEAVES + OTHERS, from, to, NULL,
                                                      HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            assert_program(ctx, graph, names[i], "a long row");
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
    free(from);
    free(to);
}

static void test_components_program(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(3);
    heddle_graph *graph = generate(ctx, "rmat", 0, 0, 1);
    heddle_adjacency out;
    heddle_result *result;
    hd_cpu_setup setup = {.source_count = 0};
    assert_int_equal(hd_result_new(ctx, "cc", &result), HEDDLE_OK);
    assert_int_equal(hd_cpu_execute(ctx, graph, hd_cpu_program_find("cc", 0), &setup, result), HEDDLE_OK);
    assert_int_equal(heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    const uint32_t *label = result->values;
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++) {
        assert_true(label[v] <= v && label[label[v]] == label[v]);
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++)
            assert_int_equal(label[v], label[out.targets[e]]);
    }
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* One vertex with many in-edges, cut into many pieces, must sum as if it were whole. */
static void test_rows_cut_into_pieces(void **unused) {
    (void)unused;
    uint64_t leaves = 300000;
    int64_t *from = malloc(sizeof *from * leaves), *to = malloc(sizeof *to * leaves);
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    for (uint64_t i = 0; i < leaves; i++) {
        from[i] = (int64_t)i + 1;
        to[i] = 0;
    }
    assert_int_equal(heddle_graph_from_edges(ctx, leaves + 1, leaves, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                     HEDDLE_OK);
    double *initial = malloc(sizeof *initial * (leaves + 1));
    double mean = 0;
    for (uint64_t i = 0; i <= leaves; i++) {
        initial[i] = (double)(i % 1000) / 1000;
        mean += i ? initial[i] / (double)leaves : 0;
    }
    heddle_run_options_init(&options);
    options.algorithm = "cs";
    options.initial = initial;
    options.precision = HEDDLE_PRECISION_DOUBLE;
    assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(fabs(heddle_result_value(result, 0) - mean) < 1e-9);
    assert_true(heddle_result_value(result, 7) == initial[7]);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    free(from);
    free(to);
    free(initial);
}

/* A vertex without in-edges that is not fixed keeps any value it started from, which the rule cannot know. */
static void assert_wrong_values_are_seen(heddle_context *ctx, const heddle_graph *graph,
                                         const heddle_run_options *options, heddle_result *result, const char *kind) {
    heddle_adjacency in;
    double *values = (double *)(uintptr_t)heddle_result_values(result)->data;
    assert_int_equal(heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph) && v < 50; v++) {
        double kept = values[v];
        if (in.offsets[v + 1] == in.offsets[v])
            continue;
        values[v] = kept + 0.5;
        if (heddle_verify(ctx, graph, options, result) != HEDDLE_E_VERIFY)
            fail_msg("%s on %s: vertex %llu off by 0.5 was accepted", options->algorithm, kind, (unsigned long long)v);
        values[v] = kept;
    }
}

static void assert_steady(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *kind,
                          heddle_precision precision) {
    heddle_run_options options;
    heddle_result *result, *reference;
    heddle_run_options_init(&options);
    options.algorithm = name;
    options.precision = precision;
    if (heddle_run(ctx, graph, &options, &result) != HEDDLE_OK)
        fail_msg("%s on %s: %s", name, kind, heddle_context_error(ctx)->message);
    support_assert_verified(ctx, graph, &options, result);
    assert_int_equal(heddle_run_reference(ctx, graph, &options, &reference), HEDDLE_OK);
    for (uint64_t v = 0; precision == HEDDLE_PRECISION_DOUBLE && v < heddle_graph_vertices(graph); v++) {
        double a = heddle_result_value(result, (heddle_vertex)v), b = heddle_result_value(reference, (heddle_vertex)v);
        if (fabs(a - b) > 1e-9)
            fail_msg("%s on %s, vertex %llu: reference %.12g, found %.12g", name, kind, (unsigned long long)v, b, a);
    }
    if (precision == HEDDLE_PRECISION_DOUBLE)
        assert_wrong_values_are_seen(ctx, graph, &options, result, kind);
    heddle_result_destroy(&result);
    heddle_result_destroy(&reference);
}

static void test_steady_algorithms(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"rmat", "grid", "star", "path"}, *const names[] = {"hs", "cs", "nn"};
    heddle_context *ctx = support_context(2);
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < 3; i++)
            for (int weighted = 0; weighted < 2; weighted++) {
                heddle_graph *graph = generate(ctx, kinds[k], 500, weighted, 0);
                assert_steady(ctx, graph, names[i], kinds[k], HEDDLE_PRECISION_DOUBLE);
                assert_steady(ctx, graph, names[i], kinds[k], HEDDLE_PRECISION_SINGLE);
                heddle_graph_destroy(&graph);
            }
    heddle_context_destroy(&ctx);
}

/* Heat from a few places: most pieces see nothing new in most rounds and are left out, which must not show. */
static void assert_spreads(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *kind) {
    const uint64_t n = heddle_graph_vertices(graph), rounds = 120 / support_stride(3);
    double *initial = calloc(n, sizeof *initial);
    heddle_run_options options;
    heddle_result *result, *reference;
    assert_non_null(initial);
    initial[0] = initial[n / 2] = initial[n - 1] = 1;
    heddle_run_options_init(&options);
    options.algorithm = name;
    options.precision = HEDDLE_PRECISION_DOUBLE;
    options.initial = initial;
    options.tolerance = 1e-12;
    options.max_iterations = rounds;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->iterations, rounds);
    assert_true(heddle_result_report(result)->edges_walked < rounds * heddle_graph_edges(graph));
    support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &reference), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++) {
        double a = heddle_result_value(result, (heddle_vertex)v), b = heddle_result_value(reference, (heddle_vertex)v);
        if (fabs(a - b) > 1e-12)
            fail_msg("%s on %s, vertex %llu: reference %.15g, found %.15g", name, kind, (unsigned long long)v, b, a);
    }
    heddle_result_destroy(&result);
    heddle_result_destroy(&reference);
    free(initial);
}

static void test_quiet_pieces(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"path", "grid"};
    heddle_context *ctx = support_context(2);
    for (size_t k = 0; k < 2; k++)
        for (int weighted = 0; weighted < 2; weighted++) {
            heddle_graph *graph = generate(ctx, kinds[k], 100000, weighted, 0);
            assert_spreads(ctx, graph, "hs", kinds[k]);
            assert_spreads(ctx, graph, "cs", kinds[k]);
            heddle_graph_destroy(&graph);
        }
    heddle_context_destroy(&ctx);
}

/* Weights that cancel out each other but for a little make heat grow without bound. */
static void test_growth_is_told(void **unused) {
    (void)unused;
    int64_t from[] = {0, 1, 1, 2}, to[] = {1, 2, 0, 1};
    int32_t weights[] = {-3, -3, -3, -3};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    assert_int_equal(heddle_graph_from_edges(ctx, 3, 4, from, to, weights, HEDDLE_WEIGHT_I32, NULL, &graph), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "hs";
    assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_E_WEIGHT);
    support_assert_message(ctx, "grow without bound");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_empty_graph(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    assert_int_equal(heddle_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph), HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "hs";
    assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->count, 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static const char reachable[] =
    "#define VALUE u32\n"
    "#define MESSAGE u32\n"
    "#define TRAITS (MONOTONE | FROM_SOURCES)\n"
    "#define PARAMETERS \"mark=1\"\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source * (u32)run->parameter[0]; }\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE value, u32 degree) { return value; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return %s; }\n"
    "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {\n"
    "    if (sum <= *value) return 0;\n"
    "    *value = sum;\n"
    "    return 1;\n"
    "}\n";

static heddle_status run_text(heddle_context *ctx, const heddle_graph *graph, const char *reduce,
                              const char *parameters, heddle_result **result) {
    char text[2048];
    heddle_run_options options;
    snprintf(text, sizeof text, reachable, reduce);
    heddle_run_options_init(&options);
    options.program = support_write_text("reachable.c", text);
    options.parameters = parameters;
    return heddle_run(ctx, graph, &options, result);
}

static void test_user_program(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = generate(ctx, "path", 100, 0, 0);
    heddle_result *result;
    if (run_text(ctx, graph, "MAXIMUM(a, b)", "mark=5", &result) != HEDDLE_OK)
        fail_msg("%s", heddle_context_error(ctx)->message);
    for (uint64_t v = 0; v < 100; v++)
        assert_int_equal(heddle_result_value(result, (heddle_vertex)v), 5);
    heddle_result_destroy(&result);

    assert_int_equal(run_text(ctx, graph, "a - b", NULL, &result), HEDDLE_E_PROGRAM);
    assert_null(result);
    assert_int_equal(run_text(ctx, graph, "a + ", NULL, &result), HEDDLE_E_PROGRAM);
    assert_int_equal(heddle_context_error(ctx)->line, 8);
    assert_int_equal(run_text(ctx, graph, "MAXIMUM(a, b)", "marx=5", &result), HEDDLE_E_ARGUMENT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_program_lacks_function(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = generate(ctx, "path", 10, 0, 0);
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.program = support_write_text("lacking.c", "#define VALUE u32\n#define MESSAGE u32\n");
    assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_E_PROGRAM);
    assert_non_null(strstr(heddle_context_error(ctx)->message, "lacks init"));
    options.program = support_temp_path("absent.c");
    assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_E_OPEN);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Hops that cost what a parameter says; the second has no identity. */
#define HOPS(identity)                                                                                          \
    "#define VALUE f64\n#define MESSAGE f64\n#define TRAITS MONOTONE\n#define PARAMETERS \"cost=2 more=0.5\"\n" \
    "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? 0 : INFINITE; }\n"                             \
    "PROGRAM MESSAGE identity(void) { return " identity "; }\n"                                                 \
    "PROGRAM MESSAGE send(VALUE value, u32 degree) { return value; }\n"                                         \
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }\n"                                  \
    "PROGRAM int update(VALUE *value, MESSAGE m, ABOUT me, RUN run) {\n"                                        \
    "    m += run->parameter[0] + run->parameter[1];\n"                                                         \
    "    if (!(m < *value)) return 0;\n    *value = m;\n    return 1;\n}\n"

static double last_hop(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    double value = heddle_result_value(result, 3);
    heddle_result_destroy(&result);
    return value;
}

/* A compiled program belongs to no context, and says what it declares. */
static void test_program_object(void **unused) {
    static const heddle_vertex source = 0;
    heddle_context *ctx = support_context(2), *other = support_context(1);
    heddle_graph *graph = generate(ctx, "path", 4, 0, 0);
    heddle_program *program;
    heddle_run_options options;
    (void)unused;
    support_assert_status(ctx,
                          heddle_program_compile(ctx, "hops.c", HOPS("INFINITE"), HEDDLE_PRECISION_DEFAULT, &program),
                          HEDDLE_OK);
    const heddle_program_info *about = heddle_program_about(program);
    assert_string_equal(about->name, "hops.c");
    assert_int_equal(about->traits, HEDDLE_PROGRAM_MONOTONE);
    assert_int_equal(about->output, HEDDLE_VALUE_F64);
    assert_int_equal(about->weighted, 0);
    assert_int_equal(about->value_bytes, 8);
    assert_int_equal(about->parameter_count, 2);
    assert_string_equal(about->parameters[1].name, "more");
    assert_true(about->parameters[0].value == 2 && about->parameters[1].value == 0.5);
    heddle_run_options_init(&options);
    options.compiled_program = program;
    options.sources = &source;
    options.source_count = 1;
    options.device = "cpu";
    assert_true(last_hop(ctx, graph, &options) == 7.5);
    heddle_context_destroy(&ctx);
    options.parameters = "cost=1";
    assert_true(last_hop(other, graph, &options) == 4.5);
    options.precision = HEDDLE_PRECISION_DOUBLE; /* compiled for it by the run */
    assert_true(last_hop(other, graph, &options) == 4.5);
    heddle_program_destroy(&program);
    assert_null(program);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&other);
}

/* The context keeps programs by their text: another text of the same name is another program, also after one that was
 * refused; and a run that finds the program kept compiles nothing. */
static void test_programs_kept_in_a_context(void **unused) {
    static const heddle_vertex source = 0;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = generate(ctx, "path", 4, 0, 0);
    heddle_run_options options;
    heddle_result *result;
    (void)unused;
    heddle_run_options_init(&options);
    options.program = "hops.c";
    options.sources = &source;
    options.source_count = 1;
    options.device = "cpu";
    for (int i = 0; i < 3; i++) {
        options.program_text = HOPS("INFINITE");
        assert_true(last_hop(ctx, graph, &options) == 7.5);
        options.program_text = HOPS("1"); /* refused each time, not only the first */
        assert_int_equal(heddle_run(ctx, graph, &options, &result), HEDDLE_E_PROGRAM);
        support_assert_message(ctx, "neutral to identity()");
    }
    options.program_text = HOPS("INFINITE");
    const char *compiler = getenv("CC");
    char *wanted = compiler ? strdup(compiler) : NULL;
    setenv("HEDDLE_CACHE", "/nonexistent/cache", 1); /* neither the cache nor a compiler is needed */
    setenv("CC", "/nonexistent/cc", 1);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_true(heddle_result_report(result)->compile == 0);
    heddle_result_destroy(&result);
    if (wanted)
        setenv("CC", wanted, 1);
    else
        unsetenv("CC");
    free(wanted);
    setenv("HEDDLE_CACHE", support_temp_path("cache"), 1);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* All vertices take what the totals say, twice. */
static const char totals[] =
    "#define VALUE f64\n"
    "#define MESSAGE f64\n"
    "#define TRAITS (SUM | REVERSED)\n"
    "#define TOTALS (ADDED(0) | LARGEST(1) | SMALLEST(3))\n"
    "#define FIRST_PHASE 7\n"
    "#define DONE\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { return me->vertex + 1.0 + 7 % PHASE(run); }\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE value, u32 degree) { return 0; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n"
    "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {\n"
    "    *value = TOTAL(run, 0) + 2 * TOTAL(run, 1) + 3 * TOTAL(run, 3) + PHASE(run) + (f64)PHASE_ROUND(run);\n"
    "    return 1;\n"
    "}\n"
    "PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {\n"
    "    part[0] = part[1] = part[3] = after + 7 / PHASE(run) * 0;\n"
    "}\n"
    "PROGRAM int done(RUN run) { return run->iteration == 2; }\n"
    "PROGRAM u32 next_phase(RUN run) { return PHASE(run) + 1; }\n";

/* A hub whose row is cut into pieces, and several pieces of vertices. */
static void test_totals(void **unused) {
    enum { LEAVES = 100000 };
    double n = LEAVES + 1, first = n * (n + 1) / 2 + 2 * n + 3 + 7, second = n * first + 5 * first + 8;
    heddle_run_options options;
    (void)unused;
    heddle_run_options_init(&options);
    options.program = support_write_text("totals.c", totals);
    for (int threads = 1; threads <= 4; threads += 3)
        for (int plan = 0; plan < 2; plan++) {
            heddle_context *ctx = support_context(threads);
            heddle_graph *graph = generate(ctx, "star", LEAVES + 1, 0, 0);
            heddle_result *result;
            options.plan = plan ? "cusha-gs" : "auto";
            if (heddle_run(ctx, graph, &options, &result) != HEDDLE_OK)
                fail_msg("%s", heddle_context_error(ctx)->message);
            assert_int_equal(heddle_result_report(result)->iterations, 2);
            for (heddle_vertex v = 0; v <= LEAVES; v += LEAVES / 4)
                if (fabs(heddle_result_value(result, v) - second) > 0)
                    fail_msg("vertex %u: %.17g, expected %.17g", v, heddle_result_value(result, v), second);
            heddle_result_destroy(&result);
            heddle_graph_destroy(&graph);
            heddle_context_destroy(&ctx);
        }
}

static heddle_status run_with_little_memory(heddle_context *ctx, void *user) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_generate_options generate_options;
    heddle_run_options options;
    heddle_generate_options_init(&generate_options);
    generate_options.kind = "rmat";
    generate_options.scale = 6;
    heddle_status status = heddle_graph_generate(ctx, &generate_options, &graph);
    heddle_run_options_init(&options);
    options.algorithm = user;
    if (status == HEDDLE_OK)
        status = heddle_run(ctx, graph, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(ctx, graph, &options, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void test_every_allocation_may_fail(void **unused) {
    (void)unused;
    support_try_every_failure(run_with_little_memory, "hs");
    support_try_every_failure(run_with_little_memory, "cs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_programs),
        cmocka_unit_test(test_long_row_in_the_frontier),
        cmocka_unit_test(test_components_program),
        cmocka_unit_test(test_rows_cut_into_pieces),
        cmocka_unit_test(test_steady_algorithms),
        cmocka_unit_test(test_quiet_pieces),
        cmocka_unit_test(test_growth_is_told),
        cmocka_unit_test(test_empty_graph),
        cmocka_unit_test(test_user_program),
        cmocka_unit_test(test_program_lacks_function),
        cmocka_unit_test(test_program_object),
        cmocka_unit_test(test_programs_kept_in_a_context),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    setenv("HEDDLE_CACHE", support_temp_path("cache"), 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
