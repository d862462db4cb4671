/* test_fake_kernels.c - algorithms with kernels of their own, on drivers that fail: each call of a run is made to fail,
 * once, and then for good. The error says which call it was, everything is given back, and the context is good for
 * another run. On CUDA with groups that can wait for each other, on CUDA where they cannot, and on OpenCL. */
#include "fake_case.h"

#include "algorithm/algorithm.h"

enum { LAUNCH_FAILED = 719, INVALID_QUEUE = -36 };

typedef struct machine {
    const char *device;
    bool cooperative;
    int error;
    uint64_t stride; /* one call in so many is made to fail: where there are thousands, that is enough */
} machine;

static const machine machines[] = {{"cuda", true, LAUNCH_FAILED, 1},
                                   {"cuda", false, LAUNCH_FAILED, 5},
                                   {"opencl", false, INVALID_QUEUE, 11}};

/* Graphs: one with many edges a vertex, a path, which is deep, one without directions, and one that is larger. */
enum { DENSE, DEEP, UNDIRECTED, LARGE, GRAPHS };
static heddle_graph *graphs[GRAPHS];

typedef struct job {
    const char *algorithm, *plan;
    int graph;
    uint64_t sources; /* 0: whatever is usual */
    bool each, parents;
} job;

static const job jobs[] = {
    {"bfs", "auto", .graph = DENSE, .sources = 2, .parents = true},
    {"bfs", "auto", .graph = DENSE, .sources = 3, .each = true},
    {"sssp", "auto", .graph = DENSE, .sources = 1, .parents = true},
    {"sswp", "auto", .graph = DENSE, .sources = 1},
    {"cc", "auto", .graph = DENSE},
    {"cc", "auto", .graph = UNDIRECTED},
    {"pr", "auto", .graph = DENSE},
    {"pr", "auto", .graph = LARGE},
    {"pr", "auto", .graph = DENSE, .sources = 3, .each = true},
    {"bc", "auto", .graph = DENSE, .sources = 1},
    {"bc", "auto", .graph = DEEP, .sources = 1},
    {"bc", "auto", .graph = DENSE, .sources = 3},
    {"bc", "ws", .graph = DENSE, .sources = 1},
    {"bc", "tigr-udt,K=4", .graph = DENSE, .sources = 1},
    {"bc", "tigr-udt,K=4", .graph = DEEP, .sources = 1},
    {"scc", "auto", .graph = DENSE},
    {"scc", "schedule=edge", .graph = DENSE},
    {"mst", "auto", .graph = UNDIRECTED},
    {"mst", "auto", .graph = DEEP},
    {"mst", "ws", .graph = DENSE},
    {"harmonic", "auto", .graph = DENSE, .sources = 3},
    {"tc", "auto", .graph = UNDIRECTED},
    {"lcc", "auto", .graph = DENSE},
    {"similar", "auto", .graph = DENSE},
    {"kcore", "auto", .graph = DENSE},
    {"cdlp", "auto", .graph = DENSE},
    {"lpa", "auto", .graph = DENSE},
    {"louvain", "auto", .graph = DENSE},
    {"leiden", "auto", .graph = UNDIRECTED},
    {"walks", "auto", .graph = DENSE},
    {"eigenvector", "auto", .graph = UNDIRECTED},
    {"katz", "auto", .graph = DENSE},
    {"hits", "auto", .graph = DENSE},
    {"scc", "graffix-latency,graffix.prepare=device", .graph = DENSE},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static heddle_graph *make_graph(heddle_context *ctx, const char *kind, int scale, bool undirected) {
    heddle_generate_options options;
    heddle_graph *made;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = scale;
    options.vertices = scale ? 0 : 80;
    options.weighted = 1;
    options.build.symmetrize = undirected;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &made), HEDDLE_OK);
    return made;
}

static int make_graphs(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    graphs[DENSE] = make_graph(ctx, "rmat", 7, false);
    graphs[DEEP] = make_graph(ctx, "path", 0, false);
    graphs[LARGE] = make_graph(ctx, "rmat", 12, false);
    graphs[UNDIRECTED] = make_graph(ctx, "rmat", 7, true);
    heddle_context_destroy(&ctx);
    return 0;
}

static int free_graphs(void **unused) {
    (void)unused;
    for (int i = 0; i < GRAPHS; i++)
        heddle_graph_destroy(&graphs[i]);
    return 0;
}

static void begin_on(const machine *m, uint64_t at, bool forever) {
    fake_begin(&(fake_setup){.at = at,
                             .error = m->error,
                             .forever = forever,
                             .devices = 1,
                             .memory = plenty,
                             .cooperative = m->cooperative});
}

static heddle_status run(heddle_context *ctx, const machine *m, const job *j) {
    static const heddle_vertex sources[] = {1, 2, 3};
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = j->algorithm;
    options.plan = j->plan;
    options.approximate = strstr(j->plan, "graffix") != NULL;
    options.device = m->device;
    options.sources = j->sources ? sources : NULL;
    options.source_count = j->sources;
    options.each = j->each;
    options.parents = j->parents;
    heddle_status status = heddle_run(ctx, graphs[j->graph], &options, &result);
    assert_true((status == HEDDLE_OK) == (result != NULL));
    heddle_result_destroy(&result);
    return status;
}

/* Makes call n fail, with all that follow or not. False: the run has fewer calls. */
static bool fail_call(const machine *m, const job *j, uint64_t n, bool forever) {
    heddle_context *ctx = support_context(1);
    char what[160];
    snprintf(what, sizeof what, "%s on %s%s, plan %s", j->algorithm, m->device, m->cooperative ? " together" : "",
             j->plan);
    begin_on(m, n, forever);
    heddle_status status = run(ctx, m, j);
    bool failed = fake_failed() != NULL;
    /* What is not known of a device may be what the plan needs; where all fails, a later call may be told. */
    bool excused = failed && status != HEDDLE_OK && harmless(fake_failed()) && (forever || status == HEDDLE_E_REFUSED);
    if (failed && !excused)
        assert_says(ctx, status, what, n, false);
    else if (!failed)
        support_assert_status(ctx, status, HEDDLE_OK);
    begin_on(m, 0, false);
    if (failed && n / m->stride % 4 == 0) /* the context is none the worse */
        support_assert_status(ctx, run(ctx, m, j), HEDDLE_OK);
    heddle_context_destroy(&ctx);
    assert_nothing_left(what, n);
    return failed;
}

/* Where all later calls fail too, one in three will do. So do fewer of the late calls of long runs, which are those of
 * another round, source or batch. */
static void fail_every_call(const machine *m, bool forever) {
    const uint64_t stride = m->stride * (forever ? 3 : 1) * support_stride(11);
    for (const job *j = jobs; j < jobs + JOBS; j++) {
        uint64_t n = 1 + (uint64_t)(j - jobs) % stride;
        while (fail_call(m, j, n, forever))
            n += stride + n / 400 * stride;
        assert_true(n > 50);
    }
}

static void test_together(void **unused) { (void)unused, fail_every_call(&machines[0], false); }
static void test_together_gone(void **unused) { (void)unused, fail_every_call(&machines[0], true); }
static void test_cuda(void **unused) { (void)unused, fail_every_call(&machines[1], false); }
static void test_opencl(void **unused) { (void)unused, fail_every_call(&machines[2], false); }

/* Every algorithm with kernels of its own has a job above, or one with the same kernels has. */
static void test_all_are_here(void **unused) {
    static const char *const alike[] = {"closeness", "eccentricity"}; /* as harmonic */
    (void)unused;
    for (size_t i = 0; heddle_algorithm_at(i); i++) {
        heddle_run_options options = {.algorithm = heddle_algorithm_at(i)->name};
        const hd_algorithm *algorithm = hd_algorithm_of(&options);
        bool here = !hd_executors_have(algorithm, HD_ON_DEVICE, true);
        for (size_t j = 0; j < JOBS + 2; j++)
            here = here || strcmp(options.algorithm, j < JOBS ? jobs[j].algorithm : alike[j - JOBS]) == 0;
        if (!here)
            fail_msg("%s has kernels of its own, and no job here", options.algorithm);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_are_here), cmocka_unit_test(test_together),
                                       cmocka_unit_test(test_together_gone), cmocka_unit_test(test_cuda),
                                       cmocka_unit_test(test_opencl)};
    (void)count;
    return have_fakes(arguments) ? cmocka_run_group_tests(tests, make_graphs, free_graphs) : 1;
}
