/* test_fake_start.c - the way from a file to a device, with drivers that fail: large copies through pinned memory, a
 * device that starts on a thread of its own, in-edges made on the device. Each call fails once; everything is given
 * back, and what arrives is what was sent. */
#include "fake_case.h"

#include "device/stage.h"
#include "engine/device/resident.h"

enum { LAUNCH_FAILED = 719 };

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

enum { BYTES = (HD_STAGES + 1) * HD_STAGE_BYTES + 12345, BEFORE = 64 };

static heddle_status there_and_back(hd_device *d, const char *data, char *back) {
    hd_buffer buffer = {0};
    heddle_status status = d->allocate(d, BYTES + BEFORE, "a test", &buffer);
    if (status == HEDDLE_OK)
        status = d->upload(d, &buffer, BEFORE, data, BYTES);
    if (status == HEDDLE_OK)
        status = d->download(d, back, &buffer, BEFORE, BYTES);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    d->release(d, &buffer);
    return status;
}

static void copies(void **unused) {
    (void)unused;
    char *data = malloc(BYTES), *back = malloc(BYTES);
    assert_true(data && back);
    for (uint64_t i = 0; i < BYTES; i++)
        data[i] = (char)(i * 2654435761u >> 24);
    for (uint64_t n = 0;; n++) {
        heddle_context *ctx = support_context(2);
        hd_device *d;
        begin(0, 0, false);
        support_assert_status(ctx, hd_device_open(ctx, "cuda", &d), HEDDLE_OK);
        begin(n, LAUNCH_FAILED, false);
        memset(back, 0, BYTES);
        heddle_status status = there_and_back(d, data, back);
        bool failed = fake_failed() != NULL;
        if (status == HEDDLE_OK)
            assert_memory_equal(data, back, BYTES);
        else
            support_assert_message(ctx, fake_failed());
        d->close(d);
        heddle_context_destroy(&ctx);
        assert_nothing_left("a large copy", n);
        if (n && !failed) {
            assert_true(n > HD_STAGES * 4);
            break;
        }
    }
    free(data);
    free(back);
}

/* ---- Starting ---------------------------------------------------------------------------------------------------- */

static heddle_graph *make_graph(heddle_context *ctx, int scale) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = scale;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static heddle_run_options options_for(const char *device) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.device = device;
    options.plan = "ws";
    return options;
}

/* Whatever fails on the other thread is told by the run, in the same words. */
static void start_may_fail(const char *device, int error) {
    heddle_run_options options = options_for(device);
    for (uint64_t n = 1;; n += support_stride(5)) {
        heddle_context *ctx = support_context(1);
        heddle_graph *graph = make_graph(ctx, 6);
        heddle_result *result = NULL;
        begin(n, error, false);
        support_assert_status(ctx, heddle_device_prepare(ctx, &options, UINT64_C(1) << 24), HEDDLE_OK);
        heddle_status status = heddle_run(ctx, graph, &options, &result);
        bool failed = fake_failed() != NULL;
        if (status != HEDDLE_OK) {
            assert_true(status == HEDDLE_E_DEVICE);
            support_assert_message(ctx, fake_failed());
            begin(0, 0, false); /* and the context is none the worse */
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        }
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
        assert_nothing_left("a start", n);
        if (!failed)
            break;
    }
}

static void starts(void **unused) {
    (void)unused;
    start_may_fail("cuda:1", LAUNCH_FAILED);
    start_may_fail("opencl", -36);
}

/* A start that nobody waits for ends with the context; a second one of the same device is none. */
static void nobody_waits(void **unused) {
    (void)unused;
    static const char *const devices[] = {"cuda", "opencl:1", "cuda:7", "auto", "cpu"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        heddle_context *ctx = support_context(1);
        heddle_run_options options = options_for(devices[i]);
        begin(0, 0, false);
        for (int again = 0; again < 2; again++)
            support_assert_status(ctx, heddle_device_prepare(ctx, &options, 1000), HEDDLE_OK);
        heddle_context_cancel(ctx);
        heddle_context_destroy(&ctx);
        assert_true((fake_calls() > 0) == (i < 3));
        assert_nothing_left(devices[i], 0);
    }
    heddle_context *ctx = support_context(1);
    heddle_run_options options = options_for("cuda");
    options.size = 1;
    support_assert_status(ctx, heddle_device_prepare(ctx, &options, 0), HEDDLE_E_ARGUMENT);
    heddle_context_destroy(&ctx);
}

/* "auto": a large file starts the GPU that the run is then given, or another that is asked for does not find it
 * there. */
static void automatic(void **unused) {
    (void)unused;
    static const char *const devices[] = {"cuda", "cuda:1", "cpu"};
    for (size_t i = 0; i < 3; i++) {
        heddle_context *ctx = support_context(1);
        heddle_graph *graph = make_graph(ctx, 6);
        heddle_run_options options = options_for("auto");
        heddle_result *result;
        begin(0, 0, false);
        options.algorithm = "mst";
        support_assert_status(ctx, heddle_device_prepare(ctx, &options, UINT64_C(1) << 30), HEDDLE_OK);
        options = options_for(devices[i]);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
        assert_true(fake_calls() > 0);
        assert_nothing_left("auto", 0);
    }
}

/* A mapped file is checked while the device starts; a damaged one is told, whether or not the start was asked for. */
static void mapped_file(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = make_graph(ctx, 12);
    heddle_save_options save;
    heddle_run_options options = options_for("cuda");
    size_t bytes;
    heddle_save_options_init(&save);
    const char *path = support_temp_path("start.hdl");
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, &save), HEDDLE_OK);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    for (int i = 0; i < 4; i++) {
        heddle_result *result = NULL;
        bool damaged = i / 2, asked = i % 2;
        if (i == 2) {
            char *content = support_read_file(path, &bytes);
            content[bytes / 3] ^= 1; /* in the targets */
            support_write_file("start.hdl", content, bytes);
            free(content);
        }
        ctx = support_context(2);
        begin(0, 0, false);
        if (asked)
            support_assert_status(ctx, heddle_device_prepare(ctx, &options, 0), HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), damaged ? HEDDLE_E_FORMAT : HEDDLE_OK);
        if (damaged)
            support_assert_message(ctx, "section 'out targets' is damaged");
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
        assert_nothing_left("a mapped file", (uint64_t)i);
    }
}

/* ---- In-edges ---------------------------------------------------------------------------------------------------- */

static void in_edges(void **unused) {
    (void)unused;
    heddle_context *other = support_context(2);
    heddle_graph *graph = make_graph(other, 14); /* large enough to be transposed on the device */
    for (uint64_t n = 1;; n += support_stride(5)) {
        heddle_context *ctx = support_context(1);
        heddle_report report = {.compute = 0};
        hd_resident *r;
        begin(n, LAUNCH_FAILED, false);
        heddle_status status = hd_resident_open(ctx, graph, "cuda", HD_WANT_IN, false, &report, &r);
        bool failed = fake_failed() != NULL;
        if (status == HEDDLE_OK) /* weights come later, and the rows once more with them */
            status = hd_resident_open(ctx, graph, "cuda", HD_WANT_IN | HD_WANT_WEIGHTS, false, &report, &r);
        failed |= fake_failed() != NULL;
        if (status == HEDDLE_OK) {
            uint64_t arcs = heddle_graph_edges(graph) * 4, rows = (heddle_graph_vertices(graph) + 1) * 4;
            assert_int_equal(r->bytes, 4 * arcs + 2 * rows);
            assert_true(r->in.targets.handle && r->in.weights.handle);
        } else
            support_assert_message(ctx, fake_failed());
        heddle_context_destroy(&ctx);
        assert_nothing_left("in-edges", n);
        if (!failed) {
            assert_true(n > 60);
            break;
        }
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&other);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies),       cmocka_unit_test(starts),
                                       cmocka_unit_test(nobody_waits), cmocka_unit_test(automatic),
                                       cmocka_unit_test(mapped_file),  cmocka_unit_test(in_edges)};
    (void)count;
    return have_fakes(arguments) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
