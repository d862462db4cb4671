/* test_incore.c - vertex programs on a device: those that have a frontier, under every schedule against the CPU's
 * engine, on small graphs that hurt; other warp widths, 64-bit offsets, worklists and synchronisation on sssp. Runs on
 * OpenCL, which on machines without a GPU is the CPU (PoCL); where there is none it says that it was skipped. */
#include "incore_cases.h"

TEST_PROGRAM(bfs)
TEST_PROGRAM(sssp)
TEST_PROGRAM(sswp)
TEST_PROGRAM(cc)
TEST_FORMS(sssp)

static void test_options(void **unused) {
    (void)unused;
    static const char *const options[] = {
        "sssp schedule=wseg,direction=pull,warp=8,debug=yes",
        "sssp schedule=wseg,direction=pull,warp=64,offsets=64,debug=yes",
        "sssp schedule=edge,direction=pull,warp=64,debug=yes",
        "sssp schedule=vwarp,width=8,direction=push,warp=8,debug=yes",
        "sssp schedule=edge,direction=push,warp=64,offsets=64,debug=yes",
        "sssp schedule=thread,direction=push,worklist=no,debug=yes",
        "sssp schedule=wseg,direction=push,sync=strict,debug=yes",
        "sssp schedule=wseg,direction=push,worklist=no,sync=strict,debug=yes",
        "sssp schedule=edge,direction=push,worklist=no,debug=yes",
        "sssp schedule=vnode,direction=push,worklist=no,debug=yes",
        "sssp schedule=vnode,direction=push,sync=strict,debug=yes",
        "sssp schedule=vnode,direction=pull,sync=strict,debug=yes",
        "sssp schedule=vnode,mapping=dynamic,direction=push,worklist=no,offsets=64,debug=yes",
        "sssp schedule=vnode,mapping=dynamic,direction=push,K=1073741824,debug=yes", /* no step beyond the edges */
        "sssp schedule=wseg,direction=pull,sync=strict,debug=yes",
        "sssp auto", /* optimised, as users run it */
        "sssp tigr-v",
        "bfs ws",
    };
    run_options(options, sizeof options / sizeof *options);
}

/* Whole-numbered distances: sums that do not fit count as unreached, never as something small. */
static void test_whole_distances(void **unused) {
    (void)unused;
    static const int64_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 3, 4};
    static const uint32_t weights[] = {4000000000u, 200000000u, 200000000u, 7};
    static const double in_u32[] = {0, 4e9, 4.2e9, INFINITY, 7}, in_u64[] = {0, 4e9, 4.2e9, 4.4e9, 7};
    skip_without_device();
    heddle_graph *graph;
    heddle_vertex source = 0;
    hd_cpu_setup setup = {.sources = &source, .source_count = 1};
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 5, 4, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    for (int wide = 0; wide < 2; wide++) {
        hd_incore_program program = program_of("sssp");
        heddle_result *result;
        program.defines = wide ? "#define DISTANCE u64\n" : "#define DISTANCE u32\n";
        program.value_size = program.message_size = wide ? 8 : 4;
        program.output = wide ? HEDDLE_VALUE_U64 : HEDDLE_VALUE_U32;
        support_assert_status(ctx, hd_result_new(ctx, "sssp", &result), HEDDLE_OK);
        support_assert_status(ctx, execute(ctx, graph, &program, &setup, "debug=yes", result), HEDDLE_OK);
        for (heddle_vertex v = 0; v < 5; v++)
            assert_true(heddle_result_value(result, v) == (wide ? in_u64 : in_u32)[v]);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
}

static void init_options(heddle_run_options *options, const char *algorithm) {
    heddle_run_options_init(options);
    options->algorithm = algorithm;
    options->device = "opencl";
}

/* Through the public door: names in the report, a certificate, and nothing compiled the second time. */
static void test_run(void **unused) {
    (void)unused;
    heddle_run_options options;
    heddle_result *result;
    skip_without_device();
    init_options(&options, "hs");
    options.plan = "tigr-v+,debug=yes";
    for (int again = 0; again < 2; again++) {
        support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &result), HEDDLE_OK);
        const heddle_report *report = heddle_result_report(result);
        assert_string_equal(report->device, "opencl:0");
        assert_string_equal(report->schedule, "vnode");
        assert_true(again ? report->compile == 0 : report->compile > 0);
        support_assert_status(ctx, heddle_verify(ctx, samples[0].graph, &options, result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
}

static void test_refusals(void **unused) {
    (void)unused;
    static const struct {
        const char *device, *plan;
        heddle_status status;
        const char *words;
    } cases[] = {
        {"opencl", "fastest", HEDDLE_E_ARGUMENT, "no plan 'fastest'"},
        {"opencl", "worklist=yes", HEDDLE_E_REFUSED, "every vertex is active"},
        {"opencl:77", "auto", HEDDLE_E_DEVICE, "no device opencl:77"},
        {"openclx", "auto", HEDDLE_E_ARGUMENT, "device 'openclx': expected"},
    };
    skip_without_device();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options;
        heddle_result *result;
        init_options(&options, "nn");
        options.device = cases[i].device;
        options.plan = cases[i].plan;
        support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &result), cases[i].status);
        support_assert_message(ctx, cases[i].words);
        assert_null(result);
    }
}

static const char own_program[] =
    "typedef struct pair { f32 best; u32 steps; } pair;\n"
    "#define VALUE pair\n#define MESSAGE pair\n#define WEIGHT f32\n#define TRAITS (MONOTONE | FROM_SOURCES)\n"
    "#define OUTPUT f32\n#define PARAMETERS \"toll=1\"\n"
    "PROGRAM OUTPUT output(VALUE value) { return value.best; }\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { pair p = {me->source ? 0 : INFINITE, 0}; return p; }\n"
    "PROGRAM MESSAGE identity(void) { pair p = {INFINITE, 0}; return p; }\n"
    "PROGRAM MESSAGE send(VALUE value, WEIGHT weight, u32 degree) {\n"
    "    pair p = {value.best + weight, value.steps + 1}; return p; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a.best < b.best ? a : b; }\n"
    "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {\n"
    "    f32 fresh = sum.best + (f32)run->parameter[0];\n"
    "    if (!(fresh < value->best)) return 0;\n"
    "    value->best = fresh; value->steps = sum.steps; return 1; }\n";

/* A user's program, values and messages structs, an output of its own: as on the CPU under every direction. */
static void test_own_program(void **unused) {
    (void)unused;
    static const char *const plans[] = {"debug=yes", "ws,debug=yes",
                                        "schedule=edge,direction=pull,sync=strict,debug=yes"};
    heddle_run_options options;
    heddle_result *expected, *result;
    skip_without_device();
    init_options(&options, NULL);
    options.program = support_write_text("own.c", own_program);
    options.parameters = "toll=2";
    options.device = "cpu";
    support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &expected), HEDDLE_OK);
    options.device = "opencl:0";
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        options.plan = plans[i];
        support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &result), HEDDLE_OK);
        for (heddle_vertex v = 0; v < heddle_graph_vertices(samples[0].graph); v++)
            assert_true(heddle_result_value(result, v) == heddle_result_value(expected, v));
        heddle_result_destroy(&result);
    }
    heddle_result_destroy(&expected);
}

/* One vertex with a million neighbours, once for each schedule. */
static void test_large_star(void **unused) {
    (void)unused;
    heddle_generate_options options;
    sample star = {.name = "large star"};
    hd_incore_program program;
    skip_without_device();
    program = program_of("bfs");
    heddle_generate_options_init(&options);
    options.kind = "star";
    options.vertices = 1000000;
    options.build.symmetrize = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &star.graph), HEDDLE_OK);
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
        char plan[128];
        snprintf(plan, sizeof plan, "schedule=%s,direction=%s,debug=yes", schedules[i], i % 2 ? "push" : "pull");
        assert_run(&program, "bfs", &star, plan);
    }
    heddle_graph_destroy(&star.graph);
}

static heddle_status attempt(heddle_context *fresh, void *user) {
    heddle_vertex source = 0;
    hd_cpu_setup setup = {.sources = &source, .source_count = 1};
    heddle_result *result = NULL;
    hd_incore_program program = program_of("sssp");
    heddle_status status = hd_result_new(fresh, "sssp", &result);
    if (status == HEDDLE_OK)
        status = execute(fresh, samples[0].graph, &program, &setup, user, result);
    heddle_result_destroy(&result);
    return status;
}

static void test_every_allocation_may_fail(void **unused) {
    (void)unused;
    skip_without_device();
    support_try_every_failure(attempt, "schedule=edge,direction=pull,debug=yes");
    support_try_every_failure(attempt, "schedule=edge,direction=push,debug=yes");
}

/* What does not compile for the device is told at the program's own line. */
static void test_broken_program(void **unused) {
    (void)unused;
    static const char text[] = "#define VALUE u32\n#define MESSAGE u32\n"
                               "PROGRAM VALUE init(ABOUT me, RUN run) { return 0; }\n"
                               "PROGRAM MESSAGE identity(void) { return nothing; }\n";
    heddle_result *result;
    hd_cpu_setup setup = {.source_count = 0};
    skip_without_device();
    hd_incore_program program = program_of("bfs");
    program.name = "broken.c";
    program.text = text;
    support_assert_status(ctx, hd_result_new(ctx, "program", &result), HEDDLE_OK);
    support_assert_status(ctx, execute(ctx, samples[0].graph, &program, &setup, "baseline", result), HEDDLE_E_PROGRAM);
    assert_int_equal(heddle_context_error(ctx)->line, 4);
    support_assert_message(ctx, "broken.c:4:");
    assert_null(strchr(heddle_context_error(ctx)->message, '\n'));
    heddle_result_destroy(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bfs),
                                       cmocka_unit_test(test_sssp),
                                       cmocka_unit_test(test_sswp),
                                       cmocka_unit_test(test_cc),
                                       cmocka_unit_test(test_forms_of_sssp),
                                       cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_whole_distances),
                                       cmocka_unit_test(test_run),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_own_program),
                                       cmocka_unit_test(test_large_star),
                                       cmocka_unit_test(test_every_allocation_may_fail),
                                       cmocka_unit_test(test_broken_program)};
    return run_incore_tests(tests, sizeof tests / sizeof *tests);
}
