/* test_device_rename.c - graphs renamed on the device are the host's, bit for bit; runs on them give what they give
 * without an order, and what the host asks for of their rows comes back. */
#include "device_case.h"
#include "order_cases.h"

#include "engine/derived_graphs.h"
#include "engine/primitive/rename.h"
#include "nvrtc_case.h"

#include <stdio.h>

extern const char hd_text_scan[], hd_text_sort[], hd_text_transpose[], hd_text_rename[], hd_text_bfs_order[],
    hd_text_restore_order[];

static void assert_same(const void *found, const void *expected, uint64_t bytes, const char *what) {
    for (uint64_t i = 0; i < bytes; i++)
        if (((const char *)found)[i] != ((const char *)expected)[i])
            fail_msg("%s: byte %llu of %llu differs", what, (unsigned long long)i, (unsigned long long)bytes);
}

static void assert_there(const hd_resident *r, const hd_buffer *buffer, const void *expected, uint64_t bytes,
                         const char *where) {
    char *found = malloc(bytes + 1);
    assert_non_null(found);
    support_assert_status(r->ctx, r->device->download(r->device, found, buffer, 0, bytes), HEDDLE_OK);
    support_assert_status(r->ctx, r->device->finish(r->device), HEDDLE_OK);
    assert_same(found, expected, bytes, where);
    free(found);
}

/* Out- and in-edges of a hollow graph, by way of the host, against those that the host makes. */
static void check_rows(const heddle_graph *graph, const hd_order *order, bool wide, const char *where) {
    heddle_context *ctx = device_ctx;
    heddle_report report = {.compute = 0};
    const heddle_graph *renamed;
    heddle_graph *expected;
    hd_resident *r;
    heddle_adjacency is, should;
    uint64_t n = graph->vertices, m = graph->edges;
    support_assert_status(ctx, hd_order_graph(ctx, graph, order, &expected), HEDDLE_OK);
    support_assert_status(ctx, hd_derived_order_there(ctx, graph, order, device_name, &report, &renamed), HEDDLE_OK);
    assert_true(renamed->hollow);
    assert_same(renamed->names, expected->names, n * 4, where);
    assert_same(renamed->places, expected->places, n * 4, where);
    for (int pass = 0; pass < 2; pass++) /* without weights, then with them */
        support_assert_status(ctx,
                              hd_resident_open(ctx, renamed, device_name,
                                               HD_WANT_OUT | (pass ? HD_WANT_WEIGHTS | HD_WANT_IN : 0), wide, &report,
                                               &r),
                              HEDDLE_OK);
    assert_true(renamed->hollow || !n || graph->directed);
    assert_int_equal(r->wide, wide);
    support_assert_status(ctx, heddle_graph_in(ctx, expected, &should), HEDDLE_OK);
    if (wide)
        assert_there(r, &r->in.offsets, should.offsets, (n + 1) * 8, where);
    assert_there(r, &r->in.targets, should.targets, m * 4, where);
    if (graph->weight_type)
        assert_there(r, &r->in.weights, should.weights, m * 4, where);
    support_assert_status(ctx, hd_graph_verify(ctx, renamed, HD_VERIFY_OFFSETS), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, renamed, &is), HEDDLE_OK);
    assert_false(renamed->hollow);
    support_assert_status(ctx, heddle_graph_out(ctx, expected, &should), HEDDLE_OK);
    assert_same(is.offsets, should.offsets, (n + 1) * 8, where);
    assert_same(is.targets, should.targets, m * 4, where);
    if (graph->weight_type)
        assert_same(is.weights, should.weights, m * 4, where);
    heddle_graph_destroy(&expected);
}

static void rows_are_the_hosts(void **state) {
    static const scheme schemes[] = {WEIGHTS_NONE, WEIGHTS_U32, WEIGHTS_F32};
    (void)state;
    skip_without_device();
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_graph *graph = case_graph(device_ctx, &s, schemes[i % 3]);
        check_rows(graph, &hd_order_degree, i % 2, s.name);
        check_rows(graph, &hd_order_bfs, !(i % 2), s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* Long rows, levels of many vertices, vertices without edges, parallel edges, searches that the host goes on with. */
static void skewed_rows(void **state) {
    (void)state;
    skip_without_device();
    for (int i = 0; i < 4; i++) {
        heddle_graph *graph =
            i < 2 ? generate_case("rmat", 13, 24, i, true) : generate_case("uniform", 13, 1, i % 2, true);
        check_rows(graph, &hd_order_degree, i % 2, "skewed, by degree");
        check_rows(graph, &hd_order_bfs, false, "skewed, by search");
        heddle_graph_destroy(&graph);
    }
}

/* Hubs, one behind the other, with leaves that they share; then a path that is too long for a search on the device. */
static void hubs_and_paths(void **state) {
    enum { HUBS = 5, LEAVES = 3000, PATH = 6000 };
    static int64_t from[HUBS * LEAVES], to[HUBS * LEAVES];
    heddle_build_options build;
    heddle_graph *graph;
    (void)state;
    skip_without_device();
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    for (int64_t i = 0; i < HUBS * LEAVES; i++) {
        from[i] = i / LEAVES * 2000;
        to[i] = from[i] + 1 + i % LEAVES;
    }
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, HUBS * LEAVES, HUBS * LEAVES, from, to, NULL,
                                                  HEDDLE_WEIGHT_NONE, &build, &graph),
                          HEDDLE_OK);
    check_rows(graph, &hd_order_bfs, true, "hubs");
    heddle_graph_destroy(&graph);
    for (int64_t i = 0; i < PATH; i++) {
        from[i] = i;
        to[i] = i + 1;
    }
    support_assert_status(device_ctx,
                          heddle_graph_from_edges(device_ctx, PATH + 1, PATH, from, to, NULL, HEDDLE_WEIGHT_NONE,
                                                  &build, &graph),
                          HEDDLE_OK);
    check_rows(graph, &hd_order_bfs, false, "a path");
    heddle_graph_destroy(&graph);
}

static const heddle_graph *rename_there(const heddle_graph *graph, const hd_order *order) {
    heddle_report report = {.compute = 0};
    const heddle_graph *renamed;
    support_assert_status(device_ctx, hd_derived_order_there(device_ctx, graph, order, device_name, &report, &renamed),
                          HEDDLE_OK);
    return renamed;
}

/* The host has no rows of the renamed graph, and most runs do not want them. */
static void runs_on_hollow_graphs(void **state) {
    static const char *const exact[] = {"bfs", "sssp", "cc", "sswp", "scc"}, *const near[] = {"pr", "bc"};
    static const int shapes[] = {2, 9, 13, 16};
    (void)state;
    skip_without_device();
    for (int i = 0; i < 4; i++) {
        shape s = shape_at(shapes[i]);
        heddle_graph *graph = case_graph(device_ctx, &s, i % 2 ? WEIGHTS_HUGE : WEIGHTS_F32);
        const hd_order *order = i % 2 ? &hd_order_bfs : &hd_order_degree;
        const heddle_graph *renamed = rename_there(graph, order);
        for (size_t a = 0; a < sizeof exact / sizeof *exact; a++) {
            heddle_run_options options = support_run_options(exact[a], device_name, order_plans[i % 2]);
            check_order_exact(device_ctx, graph, &options, exact[a]);
            assert_ptr_equal(hd_derived_order_ready(device_ctx, graph, order), renamed);
        }
        for (size_t a = 0; a < sizeof near / sizeof *near; a++) {
            heddle_run_options options = support_run_options(near[a], device_name, order_plans[i % 2]);
            options.samples = a ? 5 : 0;
            check_order_near(device_ctx, graph, &options, 1e-5, near[a]);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* Plans that lay out the rows themselves ask for them, and so do runs on the CPU. */
static void rows_come_to_the_host(void **state) {
    (void)state;
    skip_without_device();
    shape s = shape_at(15);
    for (int turn = 0; turn < 3; turn++) {
        heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_U32);
        const heddle_graph *renamed = rename_there(graph, &hd_order_degree);
        heddle_run_options options =
            support_run_options("sssp", turn ? "cpu" : device_name, turn ? "order=degree" : "ws,order=degree");
        if (turn == 2)
            hd_resident_forget(device_ctx); /* what was on the device is lost: the host makes the rows */
        check_order_exact(device_ctx, graph, &options, "rows on the host");
        assert_false(renamed->hollow);
        heddle_graph_destroy(&graph);
    }
    shape_free(&s);
}

/* Both orders in turns: there is one place for renamed graphs on a device. Names are brought there again. */
static void orders_in_turns(void **state) {
    (void)state;
    skip_without_device();
    shape s = shape_at(9);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_U32);
    rename_there(graph, &hd_order_degree);
    rename_there(graph, &hd_order_bfs);
    for (int turn = 0; turn < 4; turn++) {
        heddle_run_options options = support_run_options(turn < 2 ? "cc" : "sssp", device_name, order_plans[turn % 2]);
        check_order_exact(device_ctx, graph, &options, order_plans[turn % 2]);
        assert_true(hd_derived_order_ready(device_ctx, graph, turn % 2 ? &hd_order_bfs : &hd_order_degree)->hollow);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* What a GPU does by itself: the order is the run's transform, and is taken again. */
static void made_when_it_pays(void **state) {
    (void)state;
    skip_without_device();
    heddle_context *ctx = support_context(2);
    hd_device *device;
    support_assert_status(ctx, hd_device_keep(ctx, device_name, NULL, &device), HEDDLE_OK);
    device->info.accelerator = true;
    for (int i = 0; i < 2; i++) {
        heddle_graph *graph = generate_case("rmat", 14, 17, i, true);
        for (int turn = 0; turn < 2; turn++) {
            heddle_run_options options = support_run_options("bfs", device_name, order_plans[i]);
            heddle_device_memory memory = {.size = sizeof memory};
            heddle_result *result, *expected;
            support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_OK);
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
            support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
            const heddle_report *report = heddle_result_report(result);
            assert_same_result(result, expected, order_plans[i]);
            assert_true(hd_derived_order_ready(ctx, graph, i ? &hd_order_bfs : &hd_order_degree)->hollow);
            assert_int_equal(report->transforming > 0, turn == 0);
            if (turn == 0 && (memory.wanted < report->device_bytes || memory.wanted > 3 * report->device_bytes))
                fail_msg("%s: expected about %llu bytes, the run took %llu", order_plans[i],
                         (unsigned long long)memory.wanted, (unsigned long long)report->device_bytes);
            heddle_result_destroy(&result);
            heddle_result_destroy(&expected);
        }
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

static void compiles_as_cuda(void **state) {
    (void)state;
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_transpose, hd_text_rename, NULL},
                             *const search[] = {hd_text_scan, hd_text_bfs_order, NULL},
                             *const back[] = {hd_text_restore_order, NULL};
    find_compiler();
    if (!nvrtc.compile)
        skip();
    for (int i = 0; i < 2; i++)
        assert_kernels_compile("rename",
                               i ? "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n"
                                 : "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n",
                               texts, NVRTC_TODAY);
    assert_kernels_compile("search", "#define HD_WARPS 32\n#define HD_WEIGHT_TYPE 0\n", search, NVRTC_TODAY);
    assert_kernels_compile("bring-back", "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n", back, NVRTC_TODAY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_the_hosts),    cmocka_unit_test(skewed_rows),
                                       cmocka_unit_test(hubs_and_paths),        cmocka_unit_test(runs_on_hollow_graphs),
                                       cmocka_unit_test(rows_come_to_the_host), cmocka_unit_test(orders_in_turns),
                                       cmocka_unit_test(made_when_it_pays),     cmocka_unit_test(compiles_as_cuda)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
