/* test_fake_queues.c - several queues on a device, by the drivers of tests/fake: work goes to the queue that was
 * selected, a queue waits for the events it awaits and for nothing else, and all is given back. The fake CUDA driver
 * does everything as late as it may. */
#include "fake_case.h"

#include "device/device.h"
#include "engine/device/incore.h"
#include "engine/result.h"
#include "plan/plan.h"

static const char *const names[] = {"cuda", "opencl"};

static void fetch(heddle_context *ctx, hd_device *d, const hd_buffer *buffer, uint32_t *word) {
    support_assert_status(ctx, d->download(d, word, buffer, 0, 4), HEDDLE_OK);
    support_assert_status(ctx, d->finish(d), HEDDLE_OK);
}

/* Queue 1 writes, queue 2 overwrites it once queue 1 is there, the device's own queue reads once queue 2 is there. */
static heddle_status relay(hd_device *d, uint32_t *word) {
    hd_buffer buffer = {.handle = 0};
    uint32_t second = 2;
    double seconds = -1;
    heddle_status status;
    HD_CHECK(d->allocate(d, 64, "a test", &buffer));
    HD_CHECK(d->queues(d, 2));
    HD_CHECK(d->queues(d, 2)); /* they are there */
    HD_CHECK(d->post(d, 0));
    d->select(d, 2);
    HD_CHECK(d->await(d, 0));
    d->select(d, 1);
    HD_CHECK(d->await(d, 0));
    HD_CHECK(d->fill(d, &buffer, 0, 1, 4));
    HD_CHECK(d->post(d, 1));
    d->select(d, 2);
    HD_CHECK(d->await(d, 1));
    HD_CHECK(d->send(d, &buffer, 0, &second, 4));
    HD_CHECK(d->post(d, HD_EVENTS - 1));
    d->select(d, 0);
    HD_CHECK(d->await(d, HD_EVENTS - 1));
    HD_CHECK(d->download(d, word, &buffer, 0, 4));
    HD_CHECK(d->finish(d));
    HD_CHECK(d->elapsed(d, 1, HD_EVENTS - 1, &seconds));
    assert_true(seconds >= 0);
out:
    d->release(d, &buffer);
    return status;
}

static void test_every_call_may_fail(void **unused) {
    (void)unused;
    for (size_t k = 0; k < 2; k++)
        for (uint64_t n = 1;; n += support_stride(5)) {
            heddle_context *ctx = support_context(1);
            hd_device *d = NULL;
            uint32_t word = 0;
            begin(n, k ? -36 : 719, false);
            heddle_status status = hd_device_open(ctx, names[k], &d);
            if (status == HEDDLE_OK)
                status = relay(d, &word);
            bool failed = fake_failed() != NULL;
            if (failed)
                assert_says(ctx, status, names[k], n, false);
            if (status == HEDDLE_OK)
                assert_int_equal(word, 2);
            if (d)
                d->close(d);
            heddle_context_destroy(&ctx);
            assert_nothing_left(names[k], n);
            if (!failed)
                break;
        }
}

/* The driver is as late as it may be: what is written to pinned memory behind a copy arrives, what another queue does
 * is not seen before its event is awaited. */
static void test_lateness(void **unused) {
    heddle_context *ctx = support_context(1);
    hd_device *d;
    hd_buffer buffer;
    uint32_t word = 0, pageable = 7, *block;
    double seconds;
    (void)unused;
    begin(0, 0, false);
    support_assert_status(ctx, hd_device_open(ctx, "cuda", &d), HEDDLE_OK);
    support_assert_status(ctx, d->allocate(d, 64, "a test", &buffer), HEDDLE_OK);
    support_assert_status(ctx, d->queues(d, 1), HEDDLE_OK);
    block = d->pin(d, 64);
    *block = 5;
    d->select(d, 1);
    support_assert_status(ctx, d->send(d, &buffer, 0, block, 4), HEDDLE_OK);
    support_assert_status(ctx, d->post(d, 0), HEDDLE_OK);
    d->select(d, 0);
    fetch(ctx, d, &buffer, &word);
    assert_int_equal(word, 0);
    support_assert_status(ctx, d->elapsed(d, 0, 0, &seconds), HEDDLE_E_DEVICE);
    *block = 6;
    support_assert_status(ctx, d->await(d, 0), HEDDLE_OK);
    fetch(ctx, d, &buffer, &word);
    assert_int_equal(word, 6);
    d->select(d, 1);
    support_assert_status(ctx, d->send(d, &buffer, 0, &pageable, 4), HEDDLE_OK);
    pageable = 8;
    fetch(ctx, d, &buffer, &word);
    assert_int_equal(word, 7);
    d->select(d, 0);
    d->unpin(d, block);
    d->release(d, &buffer);
    d->close(d);
    heddle_context_destroy(&ctx);
    assert_nothing_left("lateness", 0);
}

/* ---- Edges that pass through the device ------------------------------------------------------------------------- */

static heddle_graph *make_graph(heddle_context *ctx) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = 6;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* The engine alone, so that every call is one of the run's. */
static heddle_status stream(heddle_context *ctx, const heddle_graph *graph, const char *device, const char *name,
                            const char *plan) {
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources,
                          .source_count = 1,
                          .parameter = {0.85},
                          .tolerance = 1e-6,
                          .max_iterations = strcmp(name, "pr") == 0 ? 9 : 0};
    hd_run run = {.ctx = ctx, .graph = graph, .options = {.device = device}, .limit = UINT64_MAX};
    hd_incore_program program;
    heddle_status status;
    HD_TRY(hd_plan_parse(ctx, plan, &run.plan));
    HD_TRY(hd_incore_find(ctx, name, false, &program));
    HD_TRY(hd_result_new(ctx, name, &run.result));
    status = hd_incore_execute(&run, &program, &setup);
    heddle_result_destroy(&run.result);
    return status;
}

/* The fake kernel of a round looks whether the edges of its partition have arrived (tests/fake/kernels.c). */
static void test_streams_may_fail(void **unused) {
    static const struct {
        const char *device, *program, *plan;
        int error;
    } runs[] = {{"cuda", "pr", "schedule=coo,stream.partitions=5,stream.queues=2,stream.reuse=no", 719},
                {"cuda", "sssp", "residency=stream,stream.partitions=3", 2},
                {"cuda", "pr", "schedule=coo,stream.packed=yes,stream.partitions=5,stream.queues=2,stream.reuse=no",
                 719},
                {"cuda", "sssp",
                 "schedule=coo,worklist=yes,stream.gather=yes,stream.packed=no,stream.partitions=5,stream.queues=2",
                 719},
                {"cuda", "cc", "residency=stream,stream.gather=yes,stream.packed=yes,stream.partitions=5", 2},
                {"cuda", "sssp",
                 "residency=stream,stream.place=yes,stream.packed=yes,stream.partitions=5,stream.queues=2", 719},
                {"cuda", "sssp",
                 "schedule=coo,worklist=yes,stream.again=yes,stream.reuse=no,stream.packed=no,"
                 "stream.gather=no,stream.partitions=4,stream.queues=2",
                 719},
                {"opencl", "cc", "schedule=coo,worklist=no,stream.partitions=3,stream.queues=2", -36}};
    heddle_context *maker = support_context(1);
    heddle_graph *graph = make_graph(maker);
    (void)unused;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        for (uint64_t n = 1;; n += support_stride(5)) {
            heddle_context *ctx = support_context(1);
            begin(n, runs[k].error, false);
            heddle_status status = stream(ctx, graph, runs[k].device, runs[k].program, runs[k].plan);
            bool failed = fake_failed() != NULL;
            if (failed)
                assert_says(ctx, status, runs[k].plan, n, false);
            else
                support_assert_status(ctx, status, HEDDLE_OK);
            begin(0, 0, false);
            if (n % 16 == 0) /* the context is none the worse */
                support_assert_status(ctx, stream(ctx, graph, runs[k].device, runs[k].program, runs[k].plan),
                                      HEDDLE_OK);
            heddle_context_destroy(&ctx);
            assert_nothing_left(runs[k].plan, n);
            if (!failed)
                break;
        }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&maker);
}

static char noted[512];
static void take_note(void *user, const char *text) {
    (void)user;
    snprintf(noted, sizeof noted, "%s", text);
}

/* Two runs; in the second, on another device, call n fails. Returns the name of that call. */
static const char *run_twice(const heddle_graph *graph, const char *first, uint64_t n) {
    static const char plan[] = "residency=stream,stream.packed=yes,stream.partitions=5";
    heddle_context_options options;
    heddle_context *ctx;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.note = take_note;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    begin(0, 0, false);
    support_assert_status(ctx, stream(ctx, graph, first, "pr", plan), HEDDLE_OK);
    noted[0] = '\0';
    begin(n, 2, false);
    heddle_status status = stream(ctx, graph, "cuda:1", "pr", plan);
    const char *failed = fake_failed();
    if (failed && strcmp(failed, "cuMemHostAlloc") == 0)
        support_assert_status(ctx, status, HEDDLE_OK);
    heddle_context_destroy(&ctx);
    assert_nothing_left("two runs", n);
    return failed;
}

/* If no memory can be pinned, edges that another graph or device has pinned are freed first. */
static void test_pinned_memory_returns(void **unused) {
    heddle_context *maker = support_context(1);
    heddle_graph *graph = make_graph(maker);
    const char *failed;
    int pins = 0;
    (void)unused;
    for (uint64_t n = 1; (failed = run_twice(graph, "cuda:0", n)); n++)
        if (strcmp(failed, "cuMemHostAlloc") == 0) {
            assert_null(strstr(noted, "pins no"));
            pins++;
        }
    assert_true(pins > 0);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&maker);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_may_fail),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_streams_may_fail),
        cmocka_unit_test(test_pinned_memory_returns),
    };
    (void)count;
    if (!have_fakes(arguments))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
