/* test_fake_residency.c - edges in two places, on a CUDA driver of the test's own: pages are mapped, filled and given
 * back, the limit is kept, and each call is made to fail once: the run goes on by another way, or says which call it
 * was. */
#include "fake_case.h"

#include "device/device.h"
#include "engine/device/resident.h"
#include "plan/choose.h"

enum { LAUNCH_FAILED = 719, OUT_OF_MEMORY = 2, PAGE = 4096 };

static heddle_graph *directed, *undirected;
static heddle_graph *wide; /* few edges, and values of more than a mebibyte */
static heddle_graph *even; /* rows of about a line each, which sssp cuts (engine/device/hybrid_rows.h) */

static heddle_graph *make_graph(heddle_context *ctx, bool mirrored) {
    heddle_generate_options options;
    heddle_graph *made;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = 11;
    options.weighted = 1;
    options.build.symmetrize = mirrored;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &made), HEDDLE_OK);
    return made;
}

static heddle_graph *make_uniform(heddle_context *ctx, uint64_t vertices, double degree) {
    heddle_generate_options options;
    heddle_graph *made;
    heddle_generate_options_init(&options);
    options.kind = "uniform";
    options.vertices = vertices;
    options.degree = degree;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &made), HEDDLE_OK);
    return made;
}

static int make_graphs(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    directed = make_graph(ctx, false);
    undirected = make_graph(ctx, true);
    wide = make_uniform(ctx, 400000, 0.01);
    even = make_uniform(ctx, 512, 31);
    heddle_context_destroy(&ctx);
    return 0;
}

static int free_graphs(void **unused) {
    (void)unused;
    heddle_graph_destroy(&directed);
    heddle_graph_destroy(&undirected);
    heddle_graph_destroy(&wide);
    heddle_graph_destroy(&even);
    return 0;
}

static heddle_status run(heddle_context *ctx, const heddle_graph *graph, const char *algorithm, const char *plan,
                         uint64_t limit, heddle_report *report) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cuda";
    options.plan = plan;
    options.memory_limit = limit;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    assert_true((status == HEDDLE_OK) == (result != NULL));
    if (report && result)
        *report = *heddle_result_report(result);
    heddle_result_destroy(&result);
    return status;
}

/* ---- Placement --------------------------------------------------------------------------------------------------- */

static const hd_residency *residency_named(const char *name) {
    for (size_t i = 0; hd_residency_at(i); i++)
        if (strcmp(hd_residency_at(i)->name, name) == 0)
            return hd_residency_at(i);
    return NULL;
}

static void assert_holds(heddle_context *ctx, hd_device *d, const hd_buffer *buffer, const void *expected) {
    char *found = malloc(buffer->bytes);
    support_assert_status(ctx, d->download(d, found, buffer, 0, buffer->bytes), HEDDLE_OK);
    support_assert_status(ctx, d->finish(d), HEDDLE_OK);
    assert_memory_equal(found, expected, buffer->bytes);
    free(found);
}

/* Whatever the limit, arrays hold what they should, and no more than the limit lies on the device. */
static void test_pages_hold_the_edges(void **unused) {
    (void)unused;
    const hd_residency *mixed = residency_named("mixed"), *host = residency_named("host");
    uint64_t offsets = (directed->vertices + 1) * 4, targets = directed->edges * 4;
    for (uint64_t eighth = 0; eighth <= 8; eighth++) {
        heddle_context *ctx = support_context(2);
        heddle_report report = {.compute = 0};
        hd_resident *r;
        uint64_t limit = offsets + 2 * targets * eighth / 8 + PAGE;
        begin(0, 0, false);
        support_assert_status(ctx, hd_resident_place(ctx, "cuda", mixed, limit, offsets + 2 * targets, &report),
                              HEDDLE_OK);
        support_assert_status(
            ctx, hd_resident_open(ctx, directed, "cuda", HD_WANT_OUT | HD_WANT_WEIGHTS, false, &report, &r), HEDDLE_OK);
        uint64_t away = r->out.targets.away + r->out.weights.away;
        assert_true(eighth == 8 ? away == 0 : away > 0);
        assert_true(eighth < 2 || away < 2 * targets);
        assert_true(r->device->budget.used <= limit);
        assert_int_equal(r->device->budget.used + away, offsets + 2 * targets);
        assert_int_equal(r->bytes, r->device->budget.used);
        assert_holds(ctx, r->device, &r->out.targets, directed->out.targets);
        assert_holds(ctx, r->device, &r->out.weights, directed->out.weights);
        if (eighth == 4) { /* placed anew: all in host memory */
            support_assert_status(ctx, hd_resident_place(ctx, "cuda", host, UINT64_MAX, 0, &report), HEDDLE_OK);
            support_assert_status(ctx, hd_resident_open(ctx, directed, "cuda", HD_WANT_OUT, false, &report, &r),
                                  HEDDLE_OK);
            assert_int_equal(r->out.targets.away, targets);
            assert_holds(ctx, r->device, &r->out.targets, directed->out.targets);
        }
        heddle_context_destroy(&ctx);
        assert_nothing_left("placing", eighth);
    }
}

static const char *const algorithms[] = {"bfs", "sssp", "sswp", "cc", "pr", "bc", "scc", "mst", "hs", "cs", "nn"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* A run under a limit of a share of what it takes, and back: the limit is kept, and the choice is made as it says. */
static void test_limits(void **unused) {
    (void)unused;
    static const char *const plans[] = {"auto", "ws", "order=degree"};
    for (size_t i = 0; i < ALGORITHMS * 3; i++) {
        const heddle_graph *graph = i % 2 ? directed : undirected;
        const char *algorithm = algorithms[i / 3], *plan = plans[i % 3];
        heddle_context *ctx = support_context(2);
        heddle_report report;
        fake_begin(&(fake_setup){.devices = 1, .memory = plenty, .cooperative = i % 4 < 2});
        heddle_status all = run(ctx, graph, algorithm, plan, 0, &report);
        for (uint64_t k = 1; k <= 16 && all == HEDDLE_OK; k *= 2) {
            uint64_t limit = graph->vertices * 64 + graph->edges * 16 / k;
            support_assert_status(ctx, run(ctx, graph, algorithm, plan, limit, &report), HEDDLE_OK);
            if (report.device_bytes > limit)
                fail_msg("%s, %s: %llu bytes with a limit of %llu", algorithm, plan,
                         (unsigned long long)report.device_bytes, (unsigned long long)limit);
            bool packed = report.edges_on_device < graph->edges * 4; /* what does not fit may do so in fewer bits */
            bool spared = strcmp(plan, "auto") == 0 && strstr("bfs bc", algorithm); /* … or beside shorter queues */
            if (strcmp(report.residency, "mixed") == 0 && report.host_bytes == 0 && !packed && !spared)
                fail_msg("%s, %s: mixed, and nothing in host memory with a limit of %llu", algorithm, plan,
                         (unsigned long long)limit);
        }
        if (all == HEDDLE_OK) {
            support_assert_status(ctx, run(ctx, graph, algorithm, plan, 0, &report), HEDDLE_OK);
            assert_string_equal(report.residency, "device");
            assert_int_equal(report.edges_on_host, 0);
        }
        heddle_context_destroy(&ctx);
        assert_nothing_left(algorithm, i);
    }
}

/* Without a limit, on a device that is too small: the run is tried, and then takes host memory. */
static void test_small_device(void **unused) {
    (void)unused;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        heddle_context *ctx = support_context(2);
        heddle_report report;
        fake_begin(&(fake_setup){.devices = 1, .memory = undirected->edges * 4});
        heddle_status status = run(ctx, undirected, algorithms[i], "auto", 0, &report);
        support_assert_status(ctx, status, HEDDLE_OK);
        assert_string_equal(report.residency, "mixed");
        support_assert_status(ctx, run(ctx, undirected, algorithms[i], "residency=device", 0, &report),
                              HEDDLE_E_DEVICE_MEMORY);
        heddle_context_destroy(&ctx);
        assert_nothing_left(algorithms[i], i);
    }
}

/* --device auto: a graph larger than the GPU may still be faster there; one whose values do not fit never is. */
static void test_chosen_device(void **unused) {
    heddle_context *ctx = support_context(2);
    hd_choose_facts facts = {.cost = {60, 0.3}, .vertices = 1 << 20, .edges = UINT64_C(1) << 30, .runs = 1};
    hd_choose choice;
    (void)unused;
    fake_begin(&(fake_setup){.devices = 1, .memory = UINT64_C(1) << 30});
    hd_choose_device(ctx, &facts, &choice);
    assert_string_equal(choice.device, "cuda:0");
    assert_non_null(strstr(choice.reason, "76 % of the edges in host memory"));
    facts.vertices = 1 << 28;
    hd_choose_device(ctx, &facts, &choice);
    assert_string_equal(choice.device, "cpu");
    assert_non_null(strstr(choice.reason, "no GPU"));
    heddle_context_destroy(&ctx);
    assert_nothing_left("chosen", 0);
}

static void test_too_small_for_values(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    begin(0, 0, false);
    support_assert_status(ctx, run(ctx, directed, "bfs", "auto", 4096, NULL), HEDDLE_E_DEVICE_MEMORY);
    support_assert_message(ctx, "more than the 4.0 KiB of the memory limit");
    support_assert_status(ctx, run(ctx, directed, "bfs", "residency=host", 4096, NULL), HEDDLE_E_DEVICE_MEMORY);
    support_assert_message(ctx, "more than the 4.0 KiB of the memory limit");
    heddle_context_destroy(&ctx);
    assert_nothing_left("too small", 0);
}

/* A driver without virtual memory management: whole arrays, with a note. */
static char noted[1024];
static void take_note(void *user, const char *text) {
    (void)user;
    snprintf(noted, sizeof noted, "%s", text);
}

static heddle_context *noting_context(void) {
    heddle_context_options options;
    heddle_context *ctx;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.note = take_note;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    noted[0] = '\0';
    return ctx;
}

static void test_old_driver(void **unused) {
    (void)unused;
    heddle_context *ctx = noting_context();
    heddle_report report;
    uint64_t limit = directed->vertices * 40 + directed->edges;
    fake_begin(&(fake_setup){.devices = 1, .memory = plenty, .old = true});
    support_assert_status(ctx, run(ctx, directed, "sssp", "residency=mixed", limit, &report), HEDDLE_OK);
    assert_non_null(strstr(noted, "cannot mix pages"));
    assert_true(report.edges_on_host > 0 && report.device_bytes <= limit);
    heddle_context_destroy(&ctx);
    assert_nothing_left("an old driver", 0);
}

/* ---- Failing ----------------------------------------------------------------------------------------------------- */

/* Calls whose failure sends edges, or a buffer, to host memory another way; and those that open a device: without an
 * answer the run opens it once more. */
static bool goes_on(const char *call, int error) {
    static const char *const calls[] = {"cuMemGetAllocationGranularity",
                                        "cuMemAddressReserve",
                                        "cuMemCreate",
                                        "cuMemMap",
                                        "cuMemSetAccess",
                                        "cuMemRelease",
                                        "cuMemUnmap",
                                        "cuMemAddressFree",
                                        "cuStreamSynchronize"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return harmless(call) ||
           strstr("cuInit cuDeviceGet cuDeviceGetCount cuDeviceGetName cuDeviceTotalMem cuMemGetInfo "
                  "cuDriverGetVersion cuDeviceGetAttribute cuDevicePrimaryCtxRetain cuStreamCreate",
                  call) ||
           error == OUT_OF_MEMORY;
}

static void fail_every_call(const heddle_graph *graph, const char *algorithm, const char *plan, int error,
                            bool forever) {
    uint64_t limit = graph->vertices * 50 + graph->edges * 4;
    for (uint64_t n = 1;; n += support_stride(7)) {
        heddle_context *ctx = support_context(1);
        begin(n, error, forever);
        heddle_status status = run(ctx, graph, algorithm, plan, limit, NULL);
        bool failed = fake_failed() != NULL;
        if (!failed)
            support_assert_status(ctx, status, HEDDLE_OK);
        else if (status == HEDDLE_OK && !goes_on(fake_failed(), error))
            fail_msg("%s: call %llu (%s) fails, and the run knows nothing of it", algorithm, (unsigned long long)n,
                     fake_failed());
        else if (status != HEDDLE_OK) {
            if (status != HEDDLE_E_DEVICE && status != HEDDLE_E_DEVICE_MEMORY)
                fail_msg("%s: call %llu (%s) fails: %s", algorithm, (unsigned long long)n, fake_failed(),
                         heddle_context_error(ctx)->message);
            assert_true(*heddle_context_error(ctx)->message);
        }
        begin(0, 0, false);
        if (failed && n % 16 == 0)
            support_assert_status(ctx, run(ctx, graph, algorithm, plan, limit, NULL), HEDDLE_OK);
        heddle_context_destroy(&ctx);
        begin(n, error, false);
        assert_nothing_left(algorithm, n);
        if (!failed) {
            assert_true(n > 40);
            return;
        }
    }
}

static void test_every_call_may_fail(void **unused) {
    (void)unused;
    fail_every_call(directed, "sssp", "residency=mixed", LAUNCH_FAILED, false);
    fail_every_call(directed, "sssp", "residency=mixed", OUT_OF_MEMORY, false);
    fail_every_call(even, "sssp", "residency=mixed", LAUNCH_FAILED, false);
    fail_every_call(even, "sssp", "residency=mixed", OUT_OF_MEMORY, false);
    fail_every_call(even, "sswp", "residency=host", OUT_OF_MEMORY, false);
    fail_every_call(directed, "bfs", "residency=mixed,schedule=wseg", LAUNCH_FAILED, true);
    fail_every_call(directed, "pr", "residency=host", OUT_OF_MEMORY, false);
    fail_every_call(directed, "sssp", "auto", OUT_OF_MEMORY, true);
}

/* The rate of the bus is measured after the first run whose edges cross it, within the memory that the run had. */
static void test_bus(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_report report;
    begin(0, 0, false);
    support_assert_status(ctx, run(ctx, wide, "sssp", "residency=device", 0, &report), HEDDLE_OK);
    assert_true(report.bus == 0);
    uint64_t peak = report.device_bytes;
    support_assert_status(ctx, run(ctx, wide, "sssp", "residency=host", 0, &report), HEDDLE_OK);
    assert_true(report.bus > 0 && report.device_bytes <= peak);
    support_assert_status(ctx, run(ctx, directed, "sssp", "residency=host", 0, &report), HEDDLE_OK);
    assert_true(report.bus > 0); /* it is known from now on */
    heddle_context_destroy(&ctx);
    ctx = support_context(1);
    support_assert_status(ctx, run(ctx, directed, "pr", "residency=host,schedule=thread", 0, &report), HEDDLE_OK);
    assert_true(report.bus == 0); /* too little memory to measure it */
    heddle_context_destroy(&ctx);
    assert_nothing_left("the bus", 0);
    fail_every_call(wide, "sssp", "residency=host", LAUNCH_FAILED, false);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages_hold_the_edges),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_small_device),
                                       cmocka_unit_test(test_chosen_device),
                                       cmocka_unit_test(test_too_small_for_values),
                                       cmocka_unit_test(test_old_driver),
                                       cmocka_unit_test(test_bus),
                                       cmocka_unit_test(test_every_call_may_fail)};
    (void)count;
    return have_fakes(arguments) ? cmocka_run_group_tests(tests, make_graphs, free_graphs) : 1;
}
