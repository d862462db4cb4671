/* test_incore_more.c - the in-core engine beside its matrix: devices without double precision, several threads at once,
 * PageRank by weights and personalised, parents of widest paths; with HEDDLE_TEST_ALL every option with every other. */
#include "incore_cases.h"

#include <pthread.h>

/* ---- Without double precision ------------------------------------------------------------------------------------ */

static void test_without_doubles(void **unused) {
    (void)unused;
    static const char *const options[] = {
        "bfs ws,doubles=no,debug=yes",
        "sssp schedule=edge,doubles=no,debug=yes",
        "sswp tigr-v,doubles=no,debug=yes",
        "cc schedule=edge,doubles=no,debug=yes",
        "pr ws,doubles=no,debug=yes",
        "pr schedule=edge,doubles=no,debug=yes",
        "hs schedule=edge,doubles=no,debug=yes",
        "cs tigr-v,doubles=no,debug=yes",
        "nn schedule=thread,direction=push,doubles=no,debug=yes",
    };
    run_options(options, sizeof options / sizeof *options);
    hd_incore_program program;
    hd_cpu_setup setup = {.source_count = 0};
    heddle_result *result;
    support_assert_status(ctx, hd_incore_find(ctx, "hs", true, &program), HEDDLE_OK);
    support_assert_status(ctx, hd_result_new(ctx, "hs", &result), HEDDLE_OK);
    support_assert_status(ctx, execute(ctx, samples[0].graph, &program, &setup, "doubles=no", result),
                          HEDDLE_E_REFUSED);
    support_assert_message(ctx, "no double precision");
    heddle_result_destroy(&result);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

typedef struct worker {
    uint64_t seed;
    char error[256]; /* "": all was well */
} worker;

/* bfs and pr on a graph and a context of its own, each checked by its certificate. */
static void work(worker *w, heddle_context *mine) {
    static const char *const names[] = {"bfs", "pr", "bfs", "pr"}, *const plans[] = {"ws", "ws", "tigr-v", "vwc-4"};
    heddle_generate_options options;
    heddle_graph *graph = NULL;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = 7;
    options.seed = w->seed;
    heddle_status status = heddle_graph_generate(mine, &options, &graph);
    for (int i = 0; i < 4 && status == HEDDLE_OK; i++) {
        heddle_run_options run;
        heddle_result *result = NULL;
        heddle_run_options_init(&run);
        run.algorithm = names[i];
        run.device = device_name;
        run.plan = plans[i];
        status = heddle_run(mine, graph, &run, &result);
        if (status == HEDDLE_OK)
            status = heddle_verify(mine, graph, &run, result);
        heddle_result_destroy(&result);
    }
    if (status != HEDDLE_OK)
        snprintf(w->error, sizeof w->error, "%.250s", heddle_context_error(mine)->message);
    heddle_graph_destroy(&graph);
}

static void *start_worker(void *argument) {
    worker *w = argument;
    heddle_context *mine = NULL;
    if (heddle_context_create(NULL, &mine) != HEDDLE_OK) {
        snprintf(w->error, sizeof w->error, "no context");
        return NULL;
    }
    work(w, mine);
    heddle_context_destroy(&mine);
    return NULL;
}

static void test_threads(void **unused) {
    (void)unused;
    enum { THREADS = 4 };
    worker workers[THREADS];
    pthread_t threads[THREADS];
    skip_without_device();
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.seed = (uint64_t)i + 1};
        assert_int_equal(pthread_create(&threads[i], NULL, start_worker, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        if (*workers[i].error)
            fail_msg("thread %d: %s", i, workers[i].error);
}

/* ---- PageRank's options and parents ------------------------------------------------------------------------------ */

/* The same run on the CPU and on the device. */
static void assert_as_on_cpu(const sample *s, heddle_run_options *options, const char *plan, double tolerance) {
    heddle_result *expected, *result;
    uint64_t n = heddle_graph_vertices(s->graph);
    options->device = "cpu";
    options->plan = NULL;
    support_assert_status(ctx, heddle_run(ctx, s->graph, options, &expected), HEDDLE_OK);
    options->device = device_name;
    options->plan = plan;
    heddle_status status = heddle_run(ctx, s->graph, options, &result);
    if (status != HEDDLE_OK)
        fail_msg("%s on %s, plan %s: %s", options->algorithm, s->name, plan, heddle_context_error(ctx)->message);
    for (heddle_vertex v = 0; v < n; v++) {
        double a = heddle_result_value(expected, v), b = heddle_result_value(result, v);
        if (!(a == b || fabs(a - b) <= tolerance))
            fail_msg("%s on %s, plan %s, vertex %lu: expected %.9g, found %.9g", options->algorithm, s->name, plan,
                     (unsigned long)v, a, b);
    }
    if (options->parents && n)
        assert_memory_equal(heddle_result_parents(expected), heddle_result_parents(result), n * sizeof(heddle_vertex));
    support_assert_verified(ctx, s->graph, options, result);
    heddle_result_destroy(&expected);
    heddle_result_destroy(&result);
}

static void test_rank_options(void **unused) {
    (void)unused;
    static const char *const plans[] = {"ws,debug=yes", "schedule=edge,direction=push,debug=yes", "tigr-v,debug=yes"};
    skip_without_device();
    for (size_t i = 0; i < sample_count; i++) {
        uint64_t n = heddle_graph_vertices(samples[i].graph);
        double *personal = calloc(n + 1, sizeof *personal);
        for (uint64_t v = 0; v < n; v++)
            personal[v] = v % 3 ? 0 : (double)(v % 5) + 1;
        for (int which = 1; which < 4; which++) {
            heddle_run_options options;
            heddle_run_options_init(&options);
            options.algorithm = "pr";
            options.weighted = which & 1;
            options.personalization = which & 2 ? personal : NULL;
            options.tolerance = which == 2 ? 0 : 1e-9; /* single precision, double */
            assert_as_on_cpu(&samples[i], &options, plans[(i + (size_t)which) % 3], 1e-6);
        }
        free(personal);
    }
}

static void test_wide_parents(void **unused) {
    (void)unused;
    static const char *const plans[] = {"ws,debug=yes", "schedule=edge,debug=yes"};
    skip_without_device();
    for (size_t i = 0; i < 2 * sample_count; i++) {
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = "sswp";
        options.parents = 1;
        assert_as_on_cpu(&samples[i / 2], &options, plans[i % 2], 0);
    }
}

/* Without weights the parents are those of a breadth-first search; with real ones labels are made of their bits. */
static void test_wide_kinds(void **unused) {
    (void)unused;
    enum { EDGES = 600, VERTICES = 90 };
    int64_t from[EDGES], to[EDGES];
    float real[EDGES];
    int32_t whole[EDGES];
    const void *weights[] = {NULL, real, whole};
    static const heddle_weight_type types[] = {HEDDLE_WEIGHT_NONE, HEDDLE_WEIGHT_F32, HEDDLE_WEIGHT_I32};
    skip_without_device();
    for (uint32_t i = 0; i < EDGES; i++) {
        from[i] = i * 2654435761u % VERTICES;
        to[i] = i * 40503u % 65521 % VERTICES;
        whole[i] = (int32_t)(i % 7) - 3;
        real[i] = (float)whole[i] / 3;
    }
    for (size_t k = 0; k < 3; k++) {
        sample s = {.name = "kinds of weights"};
        heddle_run_options options;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, VERTICES, EDGES, from, to, weights[k], types[k], NULL,
                                                      &s.graph),
                              HEDDLE_OK);
        heddle_run_options_init(&options);
        options.algorithm = "sswp";
        options.parents = 1;
        assert_as_on_cpu(&s, &options, "tigr-v,debug=yes", 0);
        heddle_graph_destroy(&s.graph);
    }
}

/* ---- Everything with everything ---------------------------------------------------------------------------------- */

/* A plan that is refused by the plan's own rules does not count. */
static bool fits(const hd_incore_program *program, const char *plan) {
    char *source;
    size_t bytes;
    hd_run run = {.ctx = ctx};
    support_assert_status(ctx, hd_plan_parse(ctx, plan, &run.plan), HEDDLE_OK);
    if (hd_incore_source(&run, program, hd_device_kind_of("opencl"), HEDDLE_WEIGHT_U32, &source, &bytes) != HEDDLE_OK)
        return false;
    HD_DELETE(&ctx->allocator, source, bytes);
    return true;
}

static void run_product(const char *name) {
    static const char *const walks[] = {"thread", "vwarp,width=4",           "wseg",
                                        "vnode",  "vnode,coalesced=yes,K=4", "vnode,mapping=dynamic",
                                        "edge"};
    hd_incore_program program = program_of(name);
    unsigned count = 0;
    for (unsigned i = 0; i < 7 * 2 * 3 * 2 * 2 * 2; i++) {
        char plan[192];
        unsigned rest = i / 7;
        snprintf(plan, sizeof plan, "schedule=%s,direction=%s,warp=%d,offsets=%d,sync=%s,worklist=%s,debug=yes",
                 walks[i % 7], rest % 2 ? "push" : "pull", 8 << (rest / 2 % 3 == 2 ? 3 : rest / 2 % 3 * 2),
                 32 << rest / 6 % 2, rest / 12 % 2 ? "strict" : "relaxed", rest / 24 % 2 ? "yes" : "no");
        if (!fits(&program, plan))
            continue;
        for (unsigned k = 0; k < 3; k++) /* other graphs each time */
            assert_run(&program, name, &samples[(i / 7 + k * 3) % sample_count], plan);
        count++;
    }
    print_message("%s: %u plans\n", name, count);
    assert_true(count > 30);
}

static void test_product(void **unused) {
    (void)unused;
    skip_without_device();
    if (!getenv("HEDDLE_TEST_ALL")) {
        print_message("skipped: only with HEDDLE_TEST_ALL\n");
        skip();
    }
    run_product("sssp");
    run_product("pr");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_doubles), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_rank_options),    cmocka_unit_test(test_wide_parents),
                                       cmocka_unit_test(test_wide_kinds),      cmocka_unit_test(test_product)};
    return run_incore_tests(tests, sizeof tests / sizeof *tests);
}
