/* test_device_transpose.c - in-edges made on the device are the host's, bit for bit; and rows that go to the device
 * come back as they were, whichever way they went. */
#include "device_case.h"

#include "engine/primitive/transpose.h"
#include "nvrtc_case.h"

#include <stdio.h>

extern const char hd_text_scan[], hd_text_sort[], hd_text_transpose[];

static heddle_graph *make(uint64_t n, uint64_t m, const int64_t *from, const int64_t *to, const void *weights,
                          heddle_weight_type type) {
    heddle_graph *graph;
    support_assert_status(device_ctx, heddle_graph_from_edges(device_ctx, n, m, from, to, weights, type, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

/* An R-MAT graph has long rows, empty ones and parallel edges. */
static heddle_graph *rmat(int scale, int degree) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = scale;
    options.degree = degree;
    options.weighted = 1;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* Downloads and compares with what the host has. */
static void assert_there(hd_device *d, const hd_buffer *buffer, const void *expected, uint64_t bytes,
                         const char *what) {
    char *found = malloc(bytes + 1);
    assert_non_null(found);
    support_assert_status(device_ctx, d->download(d, found, buffer, 0, bytes), HEDDLE_OK);
    support_assert_status(device_ctx, d->finish(d), HEDDLE_OK);
    for (uint64_t i = 0; i < bytes; i++)
        if (found[i] != ((const char *)expected)[i])
            fail_msg("%s: byte %llu of %llu differs", what, (unsigned long long)i, (unsigned long long)bytes);
    free(found);
}

static void assert_rows(const hd_resident *r, const hd_resident_rows *there, const heddle_adjacency *rows,
                        bool weights) {
    uint64_t count = r->vertices + 1;
    uint32_t *narrow = malloc(count * 4);
    assert_non_null(narrow);
    for (uint64_t v = 0; v < count; v++)
        narrow[v] = (uint32_t)rows->offsets[v];
    if (r->wide)
        assert_there(r->device, &there->offsets, rows->offsets, count * 8, "offsets");
    else
        assert_there(r->device, &there->offsets, narrow, count * 4, "narrow offsets");
    assert_there(r->device, &there->targets, rows->targets, r->edges * 4, "targets");
    if (weights)
        assert_there(r->device, &there->weights, rows->weights, r->edges * 4, "weights");
    free(narrow);
}

static void check(const heddle_graph *graph, bool wide) {
    heddle_report report = {.compute = 0};
    hd_resident *r;
    hd_resident_rows made = {.offsets = {0}};
    heddle_adjacency out, in;
    bool weights = heddle_graph_weight_type(graph) != HEDDLE_WEIGHT_NONE;
    support_assert_status(device_ctx,
                          hd_resident_open(device_ctx, graph, device_name, HD_WANT_OUT | HD_WANT_IN | HD_WANT_WEIGHTS,
                                           wide, &report, &r),
                          HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_out(device_ctx, graph, &out), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_in(device_ctx, graph, &in), HEDDLE_OK);
    assert_rows(r, &r->out, &out, weights);
    assert_rows(r, &r->in, &in, weights);
    support_assert_status(device_ctx, hd_transpose_rows(r, weights, &report, &made), HEDDLE_OK);
    assert_rows(r, &made, &in, weights);
    r->device->release(r->device, &made.offsets);
    r->device->release(r->device, &made.targets);
    r->device->release(r->device, &made.weights);
}

static void check_both(heddle_graph *graph) {
    check(graph, false);
    check(graph, true);
    heddle_graph_destroy(&graph);
}

static void small_graphs(void **unused) {
    (void)unused;
    static const int64_t loops[] = {2, 2, 0, 1, 0, 0, 2}, ends[] = {2, 0, 2, 2, 2, 2, 2};
    static const float weights[] = {1, 2, 3, 4, 5, 6, 7};
    skip_without_device();
    check_both(make(0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE));
    check_both(make(5, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE));
    check_both(make(1, 1, &loops[2], &loops[2], NULL, HEDDLE_WEIGHT_NONE));
    check_both(make(3, 7, loops, ends, weights, HEDDLE_WEIGHT_F32)); /* parallel edges of different weights */
    check_both(make(300000, 7, loops, ends, NULL, HEDDLE_WEIGHT_NONE));
}

/* One, two and three digits. */
static void skewed_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    check_both(rmat(7, 20));
    check_both(rmat(13, 12));
    heddle_graph *graph = rmat(17, 4);
    check(graph, false);
    heddle_graph_destroy(&graph);
}

/* All arcs to one vertex, all from one, and to the last of very many. */
static void stars(void **unused) {
    (void)unused;
    enum { LEAVES = 5000 };
    static int64_t centre[LEAVES], leaf[LEAVES];
    skip_without_device();
    for (int64_t i = 0; i < LEAVES; i++)
        leaf[i] = i + 1;
    check_both(make(LEAVES + 1, LEAVES, leaf, centre, NULL, HEDDLE_WEIGHT_NONE));
    check_both(make(LEAVES + 1, LEAVES, centre, leaf, NULL, HEDDLE_WEIGHT_NONE));
    for (int64_t i = 0; i < LEAVES; i++)
        centre[i] = 99999;
    check_both(make(100000, LEAVES, leaf, centre, NULL, HEDDLE_WEIGHT_NONE));
}

/* Rows of a mapped file are checked on their way; a damaged one is refused, and nothing of it stays. */
static void mapped_file(void **unused) {
    (void)unused;
    skip_without_device();
    const char *path = support_temp_path("rows.hdl");
    heddle_graph *graph = rmat(17, 12), *mapped; /* longer than a block of the way */
    heddle_save_options save;
    heddle_save_options_init(&save);
    support_assert_status(device_ctx, heddle_graph_save(device_ctx, graph, path, &save), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_load(device_ctx, path, NULL, &mapped), HEDDLE_OK);
    check(mapped, false);
    heddle_graph_destroy(&mapped);
    heddle_graph_destroy(&graph);
    size_t bytes;
    char *content = support_read_file(path, &bytes);
    content[bytes - bytes / 3] ^= 1;
    support_write_file("rows.hdl", content, bytes);
    free(content);
    support_assert_status(device_ctx, heddle_graph_load(device_ctx, path, NULL, &mapped), HEDDLE_OK);
    heddle_report report = {.compute = 0};
    hd_resident *r;
    support_assert_status(device_ctx,
                          hd_resident_open(device_ctx, mapped, device_name, HD_WANT_OUT | HD_WANT_WEIGHTS, false,
                                           &report, &r),
                          HEDDLE_E_FORMAT);
    support_assert_message(device_ctx, "its checksum is wrong");
    assert_null(hd_resident_where(device_ctx, mapped));
    heddle_graph_destroy(&mapped);
}

static void compiles_as_cuda(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_transpose, NULL};
    find_compiler();
    if (!nvrtc.compile)
        skip();
    assert_kernels_compile("transpose", "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n", texts, NVRTC_TODAY);
    assert_kernels_compile("transpose", "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n", texts,
                           NVRTC_TODAY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_graphs), cmocka_unit_test(skewed_graphs),
                                       cmocka_unit_test(stars), cmocka_unit_test(mapped_file),
                                       cmocka_unit_test(compiles_as_cuda)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
