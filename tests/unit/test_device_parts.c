/* test_device_parts.c - runs on several devices: three of PoCL, or logical ones, and with the CPU. */
#include "device_case.h"
#include "parts_case.h"

/* "opencl:0,1,2"; a device that is alone stands for three logical ones. */
static const char *three(void) {
    static char list[64];
    size_t kind = strcspn(device_name, ":");
    bool pocl = strcmp(device_name, "opencl") == 0;
    snprintf(list, sizeof list, "%.*s:%s", (int)kind, device_name, pocl ? "0,1,2" : "0,0,0");
    return list;
}

static const char *with_cpu(void) {
    static char list[64];
    snprintf(list, sizeof list, "%s,cpu", device_name);
    return list;
}

static void compare(heddle_context *ctx, const heddle_graph *graph, int number, const char *program, const char *list,
                    const char *plan) {
    heddle_result *one = parts_run(ctx, graph, program, "cpu", "auto");
    heddle_result *several = parts_run(ctx, graph, program, list, plan);
    parts_compare(one, several, program, number);
    heddle_result_destroy(&one);
    heddle_result_destroy(&several);
}

/* Exchanges in turn, so that every program meets every exchange and every graph. */
static void every_program_and_exchange(void **state) {
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    for (int g = 0; (graph = parts_graph(device_ctx, g)); g++) {
        for (int p = 0; parts_programs[p]; p++)
            for (int x = 0; parts_exchanges[x]; x++) {
                char plan[32];
                snprintf(plan, sizeof plan, "ws,exchange=%s", parts_exchanges[x]);
                if ((g + p + x) % 3 == 0 || g == 9 || getenv("HEDDLE_TEST_ALL"))
                    compare(device_ctx, graph, g, parts_programs[p], (p + x) % 2 ? with_cpu() : three(), plan);
            }
        heddle_graph_destroy(&graph);
    }
}

/* Those that update vertices elsewhere than wseg does: by atomics, in a second kernel, a lane by itself. */
static void other_schedules(void **state) {
    static const char *const plans[] = {"tigr-v+,direction=pull", "schedule=edge", "baseline"}, *const programs[] = {
                                                                                                    "sssp", "pr", "hs"};
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    graph = parts_generate(device_ctx, "rmat", 0, 9);
    for (size_t i = 0; i < 3; i++)
        for (size_t p = 0; p < 3; p++)
            if (p == i || getenv("HEDDLE_TEST_ALL"))
                compare(device_ctx, graph, 9, programs[p], three(), plans[i]);
    heddle_graph_destroy(&graph);
}

/* What has changed passes from device to device, beside parts that the host serves, and empty ones. */
static void peers(void **state) {
    static const char *const programs[] = {"sssp", "pr", "hs", "cc"};
    static const int graphs[] = {4, 6, 7, 9};
    char list[80];
    (void)state;
    skip_without_device();
    snprintf(list, sizeof list, "%s,cpu", three());
    for (size_t g = 0; g < 4; g++) {
        heddle_graph *graph = parts_graph(device_ctx, graphs[g]);
        for (size_t p = 0; p < 4; p++)
            compare(device_ctx, graph, graphs[g], programs[p], (g + p) % 2 ? list : three(), "ws-vr,peer=yes");
        heddle_graph_destroy(&graph);
    }
}

static heddle_result *run_within(const heddle_graph *graph, const char *program, const char *plan, uint64_t limit) {
    heddle_run_options options = support_run_options(program, three(), plan);
    heddle_result *result;
    options.parents = 0;
    options.memory_limit = limit;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

/* Edges of a part in host memory, or passing through in windows: because the plan says so, or the limit. */
static void residencies(void **state) {
    static const struct {
        const char *program, *plan;
        uint64_t limit;
        const char *residency;
        bool on_host;
    } cases[] = {{"sssp", "ws,residency=host", 0, "host", true},
                 {"sssp", "ws", 13 << 10, "mixed", true},
                 {"sssp", "ws,residency=stream,stream.partitions=7", 0, "stream", false},
                 {"sssp", "ws,residency=stream", 13 << 10, "stream", true},
                 {"pr", "ws,residency=stream,stream.partitions=7,stream.reuse=no", 0, "stream", true}};
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    graph = parts_generate(device_ctx, "rmat", 0, 9);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_result *one = parts_run(device_ctx, graph, cases[i].program, "cpu", "auto");
        support_clear_notes();
        heddle_result *several = run_within(graph, cases[i].program, cases[i].plan, cases[i].limit);
        const heddle_report *report = heddle_result_report(several);
        parts_compare(one, several, cases[i].program, 9);
        assert_string_equal(report->residency, cases[i].residency);
        assert_int_equal(report->edges_on_host > 0, cases[i].on_host);
        assert_int_equal(strstr(support_notes(), "residency mixed") != NULL, !strcmp(cases[i].residency, "mixed"));
        heddle_result_destroy(&one);
        heddle_result_destroy(&several);
    }
    heddle_graph_destroy(&graph);
}

static void refuse(const heddle_graph *graph, const char *plan, uint64_t limit, heddle_status expected,
                   const char *words) {
    heddle_run_options options = support_run_options("sssp", three(), plan);
    heddle_result *result;
    options.memory_limit = limit;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), expected);
    support_assert_message(device_ctx, words);
}

/* What parts cannot do, with what to use instead. */
static void refusals(void **state) {
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    graph = parts_generate(device_ctx, "rmat", 0, 9);
    refuse(graph, "ws", 1 << 10, HEDDLE_E_DEVICE_MEMORY, "larger memory limit");
    refuse(graph, "ws,residency=device", 13 << 10, HEDDLE_E_DEVICE_MEMORY, "residency=mixed");
    refuse(graph, "exchange=ms,peer=yes", 0, HEDDLE_E_REFUSED, "use exchange=vr instead");
    refuse(graph, "residency=disk", 0, HEDDLE_E_REFUSED, "use residency=stream instead");
    refuse(graph, "residency=stream,stream.partitions=1", 13 << 10, HEDDLE_E_DEVICE_MEMORY,
           "a larger stream.partitions");
    refuse(graph, "schedule=edge,residency=stream", 0, HEDDLE_E_REFUSED, "use schedule=thread, vwarp or wseg instead");
    refuse(graph, "residency=stream,stream.packed=yes", 0, HEDDLE_E_REFUSED, "stream.partitions or stream.reuse");
    heddle_graph_destroy(&graph);
}

/* What a device's outbox holds is what the CPU would send. */
static void the_same_is_sent(void **state) {
    static const char *const programs[] = {"pr", "cs"};
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    graph = parts_generate(device_ctx, "rmat", 0, 9);
    for (size_t p = 0; p < 2; p++)
        for (int x = 0; parts_exchanges[x]; x++) {
            char plan[48];
            heddle_part a[3], b[3];
            snprintf(plan, sizeof plan, "ws,sync=strict,exchange=%s", parts_exchanges[x]);
            heddle_result *cpu = parts_run(device_ctx, graph, programs[p], "cpu,cpu,cpu", plan);
            heddle_result *device = parts_run(device_ctx, graph, programs[p], three(), plan);
            assert_int_equal(heddle_result_parts(cpu, a, sizeof *a, 3), 3);
            assert_int_equal(heddle_result_parts(device, b, sizeof *b, 3), 3);
            for (int i = 0; i < 3; i++) {
                uint64_t more = a[i].bytes_sent > b[i].bytes_sent ? a[i].bytes_sent : b[i].bytes_sent;
                uint64_t less = a[i].bytes_sent + b[i].bytes_sent - more;
                assert_true(a[i].edges == b[i].edges && a[i].remote == b[i].remote);
                assert_true(b[i].bytes_useful <= b[i].bytes_sent && b[i].changed > 0);
                assert_true(more - less <= more / 5); /* rounding ends the changes of some values earlier */
            }
            heddle_result_destroy(&cpu);
            heddle_result_destroy(&device);
        }
    heddle_graph_destroy(&graph);
}

/* Different kinds of device get slices by their speed, which a note tells. */
static void slices_by_speed(void **state) {
    heddle_graph *graph;
    heddle_part parts[2];
    (void)state;
    skip_without_device();
    graph = parts_generate(device_ctx, "uniform", 8192, 0);
    assert_true(heddle_graph_edges(graph) >= 1 << 16);
    support_clear_notes();
    compare(device_ctx, graph, 10, "bfs", with_cpu(), "ws-vr");
    assert_non_null(strstr(support_notes(), "slices by measured speed"));
    heddle_result *result = parts_run(device_ctx, graph, "bfs", with_cpu(), "ws-vr");
    assert_int_equal(heddle_result_parts(result, parts, sizeof *parts, 2), 2);
    assert_true(parts[0].edges + parts[1].edges == heddle_graph_edges(graph));
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

/* A device that is not there, among others that are. */
static void missing_devices(void **state) {
    heddle_graph *graph;
    heddle_result *result;
    char list[64];
    (void)state;
    skip_without_device();
    graph = parts_graph(device_ctx, 4);
    snprintf(list, sizeof list, "cpu,%.*s:77", (int)strcspn(device_name, ":"), device_name);
    heddle_run_options options = support_run_options("cc", list, "ws-vr");
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_E_DEVICE);
    support_assert_message(device_ctx, ":77");
    heddle_graph_destroy(&graph);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_result *result = NULL;
    heddle_run_options options = support_run_options("cc", with_cpu(), "ws-vr");
    heddle_status status = heddle_run(ctx, user, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static void every_allocation_may_fail(void **state) {
    heddle_graph *graph;
    heddle_adjacency in;
    (void)state;
    skip_without_device();
    graph = parts_graph(device_ctx, 4);
    support_assert_status(device_ctx, heddle_graph_in(device_ctx, graph, &in), HEDDLE_OK); /* stays with the graph */
    support_try_every_failure(attempt, graph);
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_and_exchange),
        cmocka_unit_test(other_schedules),
        cmocka_unit_test(peers),
        cmocka_unit_test(residencies),
        cmocka_unit_test(refusals),
        cmocka_unit_test(the_same_is_sent),
        cmocka_unit_test(slices_by_speed),
        cmocka_unit_test(missing_devices),
        cmocka_unit_test(every_allocation_may_fail),
    };
    setenv("POCL_DEVICES", "pthread pthread pthread", 1);
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
