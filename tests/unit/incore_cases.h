/* incore_cases.h - what the tests of the in-core engine share: graphs that hurt, expected values, one run. */
#ifndef INCORE_CASES_H
#define INCORE_CASES_H

#include "support.h"

#include "base/memory.h"
#include "device/device.h"
#include "engine/device/incore.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *device_name = "opencl:0";
static uint64_t memory_limit = UINT64_MAX;

/* ---- Graphs ----------------------------------------------------------------------------------------------------- */

typedef struct sample {
    const char *name;
    heddle_graph *graph;
} sample;

enum { MOST_SAMPLES = 24 };
static sample samples[MOST_SAMPLES];
static size_t sample_count;
static heddle_context *ctx;

static void add_sample(const char *name, heddle_graph *graph) { samples[sample_count++] = (sample){name, graph}; }

static void add_generated(const char *name, const char *kind, uint64_t vertices, int symmetrize) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    if (strcmp(kind, "rmat") == 0)
        options.scale = 8;
    else
        options.vertices = vertices;
    options.weighted = 1;
    options.build.symmetrize = symmetrize;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    add_sample(name, graph);
}

static void add_edges(const char *name, uint64_t n, uint64_t m, const int64_t *from, const int64_t *to,
                      const uint32_t *weights) {
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, n, m, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    add_sample(name, graph);
}

/* Many edges into one vertex: a row cut by many tiles. */
static void add_inward_star(uint64_t leaves) {
    int64_t *from = malloc(leaves * sizeof *from), *to = malloc(leaves * sizeof *to);
    uint32_t *weights = malloc(leaves * sizeof *weights);
    for (uint64_t i = 0; i < leaves; i++) {
        from[i] = (int64_t)i + 1;
        to[i] = i % 7 == 3 ? (int64_t)(i + 1) % 5 : 0;
        weights[i] = (uint32_t)(i * 2654435761u % 50);
    }
    add_edges("inward star", leaves + 1, leaves, from, to, weights);
    free(from);
    free(to);
    free(weights);
}

static int make_samples(void **unused) {
    (void)unused;
    char missing[192] = "";
    ctx = support_context(2);
    if (hd_device_kind_at(1)->discover(missing, sizeof missing) == 0) {
        print_message("skipped: no OpenCL device: %s\n", missing);
        return 0;
    }
    static const int64_t odd_from[] = {0, 0, 1, 1, 1, 2, 5, 5, 6, 3}, odd_to[] = {0, 1, 2, 2, 1, 0, 6, 5, 5, 2};
    static const uint32_t odd_weights[] = {0, 0, 7, 3, 0, 1, 0, 9, 0, 4000000000u};
    add_generated("rmat", "rmat", 0, 0);
    add_generated("rmat both ways", "rmat", 0, 1);
    add_generated("path", "path", 70, 0);
    add_generated("clique", "clique", 33, 0);
    add_generated("star", "star", 300, 0);
    add_inward_star(3000);
    add_edges("odd", 9, 10, odd_from, odd_to, odd_weights);
    add_edges("one vertex", 1, 0, odd_from, odd_to, odd_weights);
    add_edges("no edges", 40, 0, odd_from, odd_to, odd_weights);
    add_edges("no vertices", 0, 0, odd_from, odd_to, odd_weights);
    return 0;
}

static int free_samples(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sample_count; i++)
        heddle_graph_destroy(&samples[i].graph);
    heddle_context_destroy(&ctx);
    return 0;
}

/* ---- Expected values -------------------------------------------------------------------------------------------- */

static hd_cpu_setup setup_for(const char *name, const heddle_graph *graph, double *initial, unsigned char *fixed) {
    static const heddle_vertex sources[] = {0, 0};
    uint64_t n = heddle_graph_vertices(graph);
    hd_cpu_setup setup = {.sources = sources, .source_count = n ? 2 : 0};
    if (strcmp(name, "pr") == 0) {
        setup.parameter[0] = 0.85;
        setup.tolerance = 1e-6;
        setup.max_iterations = 40;
    } else if (strcmp(name, "hs") == 0 || strcmp(name, "cs") == 0 || strcmp(name, "nn") == 0) {
        for (uint64_t v = 0; v < n; v++) {
            initial[v] = (double)(v % 11) / 10;
            fixed[v] = v % 5 == 0;
        }
        setup.parameter[0] = 0.5;
        setup.initial = initial;
        setup.fixed = fixed;
        setup.tolerance = 1e-5;
        setup.max_iterations = 12;
    }
    return setup;
}

/* PageRank as NetworkX defines it. */
static void rank_plainly(const heddle_graph *graph, const hd_cpu_setup *setup, double *rank) {
    heddle_adjacency out;
    uint64_t n = heddle_graph_vertices(graph);
    double *next = calloc(n + 1, sizeof *next), d = setup->parameter[0], change = 1;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++)
        rank[v] = 1 / (double)n;
    for (uint64_t round = 0; round < setup->max_iterations && change >= setup->tolerance; round++) {
        double idle = 0;
        change = 0;
        for (uint64_t v = 0; v < n; v++)
            idle += out.offsets[v] == out.offsets[v + 1] ? rank[v] : 0;
        for (uint64_t v = 0; v < n; v++)
            next[v] = (1 - d + d * idle) / (double)n;
        for (uint64_t v = 0; v < n; v++)
            for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++)
                next[out.targets[e]] += d * rank[v] / (double)(out.offsets[v + 1] - out.offsets[v]);
        for (uint64_t v = 0; v < n; v++) {
            change += fabs(next[v] - rank[v]);
            rank[v] = next[v];
        }
    }
    free(next);
}

/* The smallest vertex of each component, direction ignored. */
static void label_plainly(const heddle_graph *graph, double *label) {
    heddle_adjacency out;
    uint64_t n = heddle_graph_vertices(graph);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++)
        label[v] = (double)v;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint64_t v = 0; v < n; v++)
            for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
                double *a = &label[v], *b = &label[out.targets[e]];
                changed |= *a != *b;
                *a = *b = fmin(*a, *b);
            }
    }
}

static void expect(const char *name, const heddle_graph *graph, const hd_cpu_setup *setup, double *expected) {
    heddle_result *result;
    if (strcmp(name, "pr") == 0) {
        rank_plainly(graph, setup, expected);
        return;
    }
    if (strcmp(name, "cc") == 0) {
        label_plainly(graph, expected);
        return;
    }
    support_assert_status(ctx, hd_result_new(ctx, name, &result), HEDDLE_OK);
    support_assert_status(ctx, hd_cpu_execute(ctx, graph, hd_cpu_program_find(name, false), setup, result), HEDDLE_OK);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        expected[v] = heddle_result_value(result, (heddle_vertex)v);
    heddle_result_destroy(&result);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

/* Under the plan that the text says. */
static heddle_status execute(heddle_context *in, const heddle_graph *graph, const hd_incore_program *program,
                             const hd_cpu_setup *setup, const char *plan, heddle_result *result) {
    hd_run run = {
        .ctx = in, .graph = graph, .options = {.device = device_name}, .result = result, .limit = memory_limit};
    heddle_status status = hd_plan_parse(in, plan, &run.plan);
    return status == HEDDLE_OK ? hd_incore_execute(&run, program, setup) : status;
}

static void assert_run(const hd_incore_program *program, const char *name, const sample *s, const char *plan) {
    uint64_t n = heddle_graph_vertices(s->graph);
    double *initial = calloc(n + 1, sizeof *initial), *expected = calloc(n + 1, sizeof *expected);
    unsigned char *fixed = calloc(n + 1, 1);
    hd_cpu_setup setup = setup_for(name, s->graph, initial, fixed);
    bool exact = program->traits & MONOTONE;
    heddle_result *result;
    expect(name, s->graph, &setup, expected);
    support_assert_status(ctx, hd_result_new(ctx, name, &result), HEDDLE_OK);
    heddle_status status = execute(ctx, s->graph, program, &setup, plan, result);
    if (status != HEDDLE_OK)
        fail_msg("%s on %s, plan %s: %s", name, s->name, plan, heddle_context_error(ctx)->message);
    for (uint64_t v = 0; v < n; v++) {
        double found = heddle_result_value(result, (heddle_vertex)v), off = fabs(found - expected[v]);
        if (exact ? found != expected[v] : !(off <= 2e-6 * fmax(1, fabs(expected[v]))))
            fail_msg("%s on %s, plan %s, vertex %llu: expected %.9g, found %.9g after %llu rounds", name, s->name, plan,
                     (unsigned long long)v, expected[v], found, (unsigned long long)result->report.iterations);
    }
    assert_true(result->report.device_bytes > 0);
    heddle_result_destroy(&result);
    free(initial);
    free(fixed);
    free(expected);
}

static hd_incore_program program_of(const char *name) {
    hd_incore_program program;
    support_assert_status(ctx, hd_incore_find(ctx, name, false, &program), HEDDLE_OK);
    return program;
}

static void assert_everywhere(const char *name, const char *plan) {
    hd_incore_program program = program_of(name);
    for (size_t i = 0; i < sample_count; i++)
        assert_run(&program, name, &samples[i], plan);
}

static void skip_without_device(void) {
    if (sample_count == 0)
        skip();
}

static const char *const schedules[] = {"thread", "vwarp,width=4", "wseg", "vnode,K=3", "edge"};
static const char *const forms[] = {"vnode,K=3,coalesced=yes", "vnode,K=3,mapping=dynamic"};

/* `directions`: bit 0 for pull, bit 1 for push. */
static inline void run_schedule(const char *name, const char *schedule, unsigned directions) {
    static const char *const words[] = {"pull", "push"};
    for (unsigned d = 0; d < 2; d++) {
        char plan[128];
        snprintf(plan, sizeof plan, "schedule=%s,direction=%s,debug=yes", schedule, words[d]);
        if (directions >> d & 1)
            assert_everywhere(name, plan);
    }
}

/* Every schedule in one direction, in turn; the next program has the others. With HEDDLE_TEST_ALL in both. */
static inline void run_schedules(const char *name) {
    static unsigned programs;
    skip_without_device();
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++)
        run_schedule(name, schedules[i], getenv("HEDDLE_TEST_ALL") ? 3 : 1u << (programs + i) % 2);
    programs++;
}

static inline void run_forms(const char *name) {
    skip_without_device();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        run_schedule(name, forms[i], 3);
}

#define TEST_PROGRAM(name)                   \
    static void test_##name(void **unused) { \
        (void)unused;                        \
        run_schedules(#name);                \
    }
#define TEST_FORMS(name)                              \
    static void test_forms_of_##name(void **unused) { \
        (void)unused;                                 \
        run_forms(#name);                             \
    }

/* Lines of a program and a plan. */
static inline void run_options(const char *const *options, size_t count) {
    skip_without_device();
    for (size_t i = 0; i < count; i++) {
        char name[8];
        size_t length = strcspn(options[i], " ");
        snprintf(name, sizeof name, "%.*s", (int)length, options[i]);
        assert_everywhere(name, options[i] + length + 1);
    }
}

static inline int run_incore_tests(const struct CMUnitTest *tests, size_t count) {
    setenv("POCL_DEVICES", "pthread", 0);
    setenv("HEDDLE_CACHE", support_temp_path("cache"), 1);
    return _cmocka_run_group_tests("incore", tests, count, make_samples, free_samples);
}

#endif
