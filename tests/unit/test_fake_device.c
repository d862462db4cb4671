/* test_fake_device.c - drivers that fail: every call of a run is made to fail once, then all from there on. Each time
 * the error says which call it was, everything is given back, and the context is good for another run. The libraries of
 * tests/fake stand in for CUDA and OpenCL. */
#include "fake_case.h"

#include "base/memory.h"
#include "device/device.h"
#include "engine/derived_graphs.h"
#include "graph/order.h"

static heddle_graph *graph;

static int make_graph(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_generate_options options;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = 6;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    heddle_context_destroy(&ctx);
    return 0;
}

static int free_graph(void **unused) {
    (void)unused;
    heddle_graph_destroy(&graph);
    return 0;
}

/* With all edges on the device: without that, a run whose memory does not suffice goes on in the host's
 * (test_fake_residency.c). */
static heddle_status run(heddle_context *ctx, const char *device, const char *algorithm, const char *plan) {
    heddle_run_options options;
    heddle_result *result = NULL;
    char whole[128];
    snprintf(whole, sizeof whole, "%s,residency=device", plan);
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.plan = whole;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    assert_true((status == HEDDLE_OK) == (result != NULL));
    heddle_result_destroy(&result);
    return status;
}

/* Makes call n fail, for n = 1, 2, 3 … until a run has fewer calls. */
static void fail_every_call(const char *device, const char *algorithm, const char *plan, int error, bool memory) {
    char what[160];
    snprintf(what, sizeof what, "%s on %s, plan %s", algorithm, device, plan);
    for (uint64_t n = 1;; n += support_stride(7)) {
        heddle_context *ctx = support_context(1);
        begin(n, error, false);
        heddle_status status = run(ctx, device, algorithm, plan);
        if (!fake_failed()) {
            support_assert_status(ctx, status, HEDDLE_OK);
            heddle_context_destroy(&ctx);
            assert_nothing_left(what, n);
            assert_true(n > 20);
            print_message("%s: fewer than %llu calls\n", what, (unsigned long long)n);
            return;
        }
        assert_says(ctx, status, what, n, memory);
        begin(0, 0, false);
        if (n % 16 == 0) /* the context is none the worse */
            support_assert_status(ctx, run(ctx, device, algorithm, plan), HEDDLE_OK);
        heddle_context_destroy(&ctx);
        begin(n, error, false);
        assert_nothing_left(what, n);
    }
}

static void test_every_cuda_call_may_fail(void **unused) {
    (void)unused;
    enum { LAUNCH_FAILED = 719, OUT_OF_MEMORY = 2 };
    fail_every_call("cuda", "bfs", "ws", LAUNCH_FAILED, false);
    fail_every_call("cuda", "sssp", "schedule=edge,direction=push", LAUNCH_FAILED, false);
    fail_every_call("cuda", "pr", "schedule=edge,direction=pull", LAUNCH_FAILED, false);
    fail_every_call("cuda", "sssp", "tigr-v", OUT_OF_MEMORY, true);
    fail_every_call("cuda", "sssp", "cusha-cw,shards=host", OUT_OF_MEMORY, true);
    fail_every_call("cuda", "pr", "cusha-gs", LAUNCH_FAILED, false);
    fail_every_call("cuda", "sssp", "udt-cusha,K=4", LAUNCH_FAILED, false);
}

static void test_every_opencl_call_may_fail(void **unused) {
    (void)unused;
    enum { INVALID_QUEUE = -36, OUT_OF_RESOURCES = -5 };
    fail_every_call("opencl:0", "bfs", "baseline", INVALID_QUEUE, false);
    fail_every_call("opencl:0", "sssp", "tigr-v+", OUT_OF_RESOURCES, true);
    fail_every_call("opencl:1", "bfs", "baseline", OUT_OF_RESOURCES, true); /* PoCL: kernels stay source text */
    fail_every_call("opencl:1", "pr", "ws", INVALID_QUEUE, false);
}

/* From some call on nothing works any more. */
static void lose(const char *device, const char *algorithm, const char *plan, int error) {
    for (uint64_t n = 1;; n += support_stride(7)) {
        heddle_context *ctx = support_context(1);
        begin(n, error, true);
        heddle_status status = run(ctx, device, algorithm, plan);
        bool failed = fake_failed() != NULL;
        assert_true(status == HEDDLE_OK || *heddle_context_error(ctx)->message);
        if (failed && status == HEDDLE_OK)
            assert_true(harmless(fake_failed()));
        heddle_context_destroy(&ctx);
        assert_nothing_left(algorithm, n);
        if (!failed)
            return;
    }
}

static void test_a_device_disappears(void **unused) {
    (void)unused;
    lose("cuda:1", "sssp", "ws", 100);
    lose("cuda", "pr", "tigr-v", 719);
    lose("opencl", "bfs", "schedule=edge,direction=push", -2);
    lose("opencl:1", "bfs", "ws", -2);
}

typedef struct renaming {
    const char *algorithm, *plan;
    const hd_order *order;
    int error;
    bool forever;
} renaming;

static heddle_status run_renamed(heddle_context *ctx, const renaming *r) {
    heddle_report report = {.compute = 0};
    const heddle_graph *renamed;
    HD_TRY(hd_derived_order_there(ctx, graph, r->order, "cuda", &report, &renamed));
    return run(ctx, "cuda", r->algorithm, r->plan);
}

/* Graphs that are renamed on the device. Where it has no room for that the host does it. */
static void test_renaming(void **unused) {
    (void)unused;
    enum { LAUNCH_FAILED = 719, OUT_OF_MEMORY = 2 };
    static const renaming runs[] = {{"cc", "order=degree", &hd_order_degree, LAUNCH_FAILED, false},
                                    {"cc", "order=degree", &hd_order_degree, OUT_OF_MEMORY, false},
                                    {"pr", "order=degree", &hd_order_degree, LAUNCH_FAILED, true},
                                    {"cc", "order=bfs", &hd_order_bfs, LAUNCH_FAILED, false}};
    for (const renaming *r = runs; r < runs + sizeof runs / sizeof *runs; r++)
        for (uint64_t n = 1;; n += (r->forever ? 5 : 1) * support_stride(7)) {
            heddle_context *ctx = support_context(1);
            begin(n, r->error, r->forever);
            heddle_status status = run_renamed(ctx, r);
            bool failed = fake_failed() != NULL;
            if (!failed)
                support_assert_status(ctx, status, HEDDLE_OK);
            else if (status == HEDDLE_OK && !harmless(fake_failed()) && r->error != OUT_OF_MEMORY)
                fail_msg("renaming: call %llu (%s) fails, and the run knows nothing of it", (unsigned long long)n,
                         fake_failed());
            else if (status != HEDDLE_OK)
                assert_true(status == HEDDLE_E_DEVICE || status == HEDDLE_E_DEVICE_MEMORY);
            begin(0, 0, false);
            if (n % 16 == 0)
                support_assert_status(ctx, run_renamed(ctx, r), HEDDLE_OK);
            heddle_context_destroy(&ctx);
            begin(n, 0, false);
            assert_nothing_left("renaming", n);
            if (!failed)
                break;
        }
}

static void test_indices(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"cuda", "opencl"};
    heddle_context *ctx = support_context(1);
    for (size_t k = 0; k < 2; k++) {
        char name[32], wanted[64];
        hd_device *device;
        begin(0, 0, false);
        for (int i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "%s:%d", kinds[k], i);
            support_assert_status(ctx, hd_device_open(ctx, name, &device), HEDDLE_OK);
            snprintf(wanted, sizeof wanted, "fake %s %d", k ? "device" : "GPU", i);
            assert_string_equal(device->info.name, wanted);
            device->close(device);
        }
        snprintf(name, sizeof name, "%s:7", kinds[k]);
        support_assert_status(ctx, run(ctx, name, "bfs", "ws"), HEDDLE_E_DEVICE);
        snprintf(wanted, sizeof wanted, "no device %s: there are 2", name);
        support_assert_message(ctx, wanted);
        fake_begin(&(fake_setup){.devices = 0, .memory = plenty});
        support_assert_status(ctx, run(ctx, kinds[k], "bfs", "ws"), HEDDLE_E_DEVICE);
        support_assert_message(ctx, k ? "but no driver" : "the driver is there, but no device");
    }
    heddle_context_destroy(&ctx);
    assert_nothing_left("opening", 0);
}

static void test_memory(void **unused) {
    (void)unused;
    static const char *const devices[] = {"cuda", "opencl"};
    for (size_t k = 0; k < 2; k++)
        for (uint64_t bytes = 64; bytes < 1 << 14; bytes = bytes * 3 / 2) {
            heddle_context *ctx = support_context(1);
            fake_begin(&(fake_setup){.devices = 1, .memory = bytes});
            heddle_status status = run(ctx, devices[k], "sssp", "ws");
            if (status != HEDDLE_OK) {
                char number[32];
                assert_int_equal(status, HEDDLE_E_DEVICE_MEMORY);
                snprintf(number, sizeof number, "%llu", (unsigned long long)bytes); /* what the device has */
                support_assert_message(ctx, number);
                support_assert_message(ctx, "bytes wanted for");
            }
            heddle_context_destroy(&ctx);
            assert_nothing_left("too little memory", bytes);
        }
}

/* What earlier runs have left on the device is never in the way: a context that has run other plans can run all that a
 * new one can. */
static void test_room_is_made(void **unused) {
    (void)unused;
    static const char *const plans[] = {"ws", "transform=udt,K=4,schedule=thread", "cusha-cw", "udt-cusha,K=4"};
    enum { PLANS = sizeof plans / sizeof *plans };
    for (uint64_t bytes = 1 << 12; bytes < 1 << 17; bytes = bytes * 5 / 4) {
        heddle_context *ctx;
        heddle_status expected[PLANS];
        fake_begin(&(fake_setup){.devices = 1, .memory = bytes});
        for (size_t i = 0; i < PLANS; i++) {
            ctx = support_context(1);
            expected[i] = run(ctx, "cuda", "sssp", plans[i]);
            heddle_context_destroy(&ctx);
            assert_true(expected[i] == HEDDLE_OK || expected[i] == HEDDLE_E_DEVICE_MEMORY);
        }
        ctx = support_context(1);
        for (size_t i = 0; i < 3 * PLANS; i++)
            support_assert_status(ctx, run(ctx, "cuda", "sssp", plans[(i * 3 + i / PLANS) % PLANS]),
                                  expected[(i * 3 + i / PLANS) % PLANS]);
        heddle_context_destroy(&ctx);
        assert_nothing_left("making room", bytes);
    }
}

/* Listing never fails; what a device does not tell stands in its entry. */
static void test_listing(void **unused) {
    (void)unused;
    for (uint64_t n = 0; n < 80; n++) {
        heddle_context *ctx = support_context(1);
        heddle_device_info devices[16];
        size_t count = 0;
        begin(n, 719, n % 2);
        devices[0].size = sizeof devices[0];
        support_assert_status(ctx, heddle_device_list(ctx, devices, 16, &count), HEDDLE_OK);
        assert_true(count >= 3 && count <= 5);
        for (size_t i = 0; i < count; i++)
            assert_true(*devices[i].name || *devices[i].missing);
        heddle_context_destroy(&ctx);
        assert_nothing_left("listing", n);
    }
}

/* A kernel that does not compile: the compiler's words, and nothing left. */
static void test_no_kernel(void **unused) {
    (void)unused;
    static const char *const devices[] = {"cuda", "opencl:0", "opencl:1"};
    for (size_t k = 0; k < 3; k++) {
        heddle_context *ctx = support_context(1);
        hd_device *device;
        void *binary;
        size_t bytes;
        begin(0, 0, false);
        support_assert_status(ctx, hd_device_open(ctx, devices[k], &device), HEDDLE_OK);
        assert_int_equal(device->compile(device, "mine.c", "this is no kernel", "", &binary, &bytes), HEDDLE_E_PROGRAM);
        support_assert_message(ctx, "error: this is no kernel");
        device->close(device);
        heddle_context_destroy(&ctx);
        assert_nothing_left("compiling", 0);
    }
}

/* PoCL's programs stay built after use, the last few of them: loading one of these again calls nothing. */
static void test_built_programs(void **unused) {
    (void)unused;
    enum { SOURCES = 20 };
    heddle_context *ctx = support_context(1);
    hd_device *device;
    char source[64], left[256];
    size_t bytes;
    void *text, *module;
    begin(0, 0, false);
    support_assert_status(ctx, hd_device_open(ctx, "opencl:1", &device), HEDDLE_OK);
    for (int i = 0; i < 2 * SOURCES; i++) {
        snprintf(source, sizeof source, "kernel void k%d() {}", i % SOURCES);
        support_assert_status(ctx, device->compile(device, "k", source, "-w", &text, &bytes), HEDDLE_OK);
        uint64_t calls = fake_calls();
        support_assert_status(ctx, device->load(device, text, bytes, &module), HEDDLE_OK);
        assert_int_equal(fake_calls(), calls);
        device->unload(device, module);
        hd_free(&ctx->allocator, text, bytes);
        assert_true(fake_left(left, sizeof left) <= 2 + 8); /* context and queue, and programs */
    }
    device->close(device);
    heddle_context_destroy(&ctx);
    assert_nothing_left("programs that stay built", 0);
}

/* Kernels that do nothing: every run comes to an end, and says so where it waits for them. */
static void test_idle(void **unused) {
    (void)unused;
    static const char *const devices[] = {"cuda", "opencl"}, *const plans[] = {"auto", "ws", "tigr-v"};
    static const char *const algorithms[] = {"bfs", "sssp", "sswp", "cc", "pr", "bc", "scc", "mst", "hs", "cs", "nn"};
    for (size_t i = 0; i < 2 * 3 * 11; i++) {
        const char *algorithm = algorithms[i / 6], *plan = plans[i / 2 % 3];
        heddle_context *ctx = support_context(1);
        fake_begin(&(fake_setup){.devices = 1, .memory = plenty, .idle = true});
        alarm(60); /* a hang is a failure */
        heddle_status status = run(ctx, devices[i % 2], algorithm, plan);
        alarm(0);
        bool waits = strcmp(plan, "auto") == 0 && strstr("sssp sswp pr mst", algorithm);
        if (status != HEDDLE_OK || waits)
            support_assert_status(ctx, status, status == HEDDLE_E_REFUSED ? HEDDLE_E_REFUSED : HEDDLE_E_DEVICE);
        heddle_context_destroy(&ctx);
        assert_nothing_left(algorithm, i);
    }
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_cuda_call_may_fail),
                                       cmocka_unit_test(test_every_opencl_call_may_fail),
                                       cmocka_unit_test(test_a_device_disappears),
                                       cmocka_unit_test(test_renaming),
                                       cmocka_unit_test(test_indices),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_room_is_made),
                                       cmocka_unit_test(test_listing),
                                       cmocka_unit_test(test_no_kernel),
                                       cmocka_unit_test(test_built_programs),
                                       cmocka_unit_test(test_idle)};
    (void)count;
    return have_fakes(arguments) ? cmocka_run_group_tests(tests, make_graph, free_graph) : 1;
}
