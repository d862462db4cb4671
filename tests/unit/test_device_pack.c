/* test_device_pack.c - rows packed on a device under other names hold the row's names, whole or in pieces; PageRank
 * over such rows. Runs on OpenCL; where there is none it says that it was skipped. */
#include "device_case.h"

#include "device/budget.h"
#include "engine/primitive/pack_renamed.h"
#include "graph/order.h"
#include "graph/pack.h"
#include "nvrtc_case.h"

#include <string.h>

extern const char hd_text_scan[], hd_text_sort[], hd_text_pack_renamed[];

enum { BLOCKS = HD_PACK_BLOCKS };

/* Another permutation for each `way`: as they are, backwards, scattered. */
static uint32_t name_of(uint64_t v, uint64_t n, int way) {
    return (uint32_t)(way == 0 ? v : way == 1 ? n - 1 - v : (v * 2654435761u + 7) % n);
}

static int compare(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* What all pieces hold, edge by edge. */
static uint32_t *unpack(const hd_packed_pieces *pieces, const heddle_adjacency *rows, uint64_t n) {
    uint32_t *words = malloc(pieces->words * 4 + 4), *found = malloc(pieces->chunks * HD_PACK_CHUNK * 4);
    uint64_t at = 0;
    assert_true(words && found);
    for (uint64_t k = 0; k < pieces->count; at += pieces->piece[k++].count)
        memcpy(words + at, pieces->piece[k].words, pieces->piece[k].count * 4);
    hd_packed packed = {
        .blocks = BLOCKS, .chunks = pieces->chunks, .starts = pieces->starts, .words = words, .count = pieces->words};
    assert_int_equal(at, pieces->words);
    assert_true(hd_packed_sound(device_ctx, &packed));
    for (uint64_t k = 0; k < packed.chunks; k++)
        hd_unpack_chunk(&packed, rows->offsets, n, k, found + k * HD_PACK_CHUNK);
    free(words);
    return found;
}

static void check_rows(const hd_packed_pieces *pieces, const heddle_adjacency *rows, uint64_t n, int way) {
    uint32_t *found = unpack(pieces, rows, n), *expected = malloc(rows->offsets[n] * 4 + 4);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t from = rows->offsets[v], count = rows->offsets[v + 1] - from;
        for (uint64_t e = from; e < from + count; e++)
            expected[e] = name_of(rows->targets[e], n, way);
        qsort(expected + from, count, 4, compare);
        if (pieces->count > 1) /* a row that is cut is sorted in each piece */
            qsort(found + from, count, 4, compare);
        for (uint64_t e = from; e < from + count; e++)
            if (found[e] != expected[e])
                fail_msg("row %llu, edge %llu of %llu: found %u, expected %u", (unsigned long long)v,
                         (unsigned long long)(e - from), (unsigned long long)count, found[e], expected[e]);
    }
    free(found);
    free(expected);
}

/* The graph's rows, and their offsets on the device. */
static hd_resident *open_rows(const heddle_graph *graph, bool wide, heddle_adjacency *rows) {
    heddle_report report = {.compute = 0};
    hd_resident *r;
    support_assert_status(device_ctx, heddle_graph_out(device_ctx, graph, rows), HEDDLE_OK);
    support_assert_status(device_ctx,
                          hd_resident_open(device_ctx, graph, device_name, HD_WANT_OUT | HD_WANT_BARE, wide, &report,
                                           &r),
                          HEDDLE_OK);
    return r;
}

/* `room`: bytes that the device has left; 0: any number. Returns how many pieces there were. */
static uint64_t pack(const heddle_graph *graph, int way, bool wide, uint64_t room) {
    heddle_report report = {.compute = 0};
    uint64_t n = graph->vertices;
    uint32_t *names = malloc(n * 4);
    hd_packed_pieces pieces;
    hd_buffer buffer;
    heddle_adjacency rows;
    bool fits;
    hd_resident *r = open_rows(graph, wide, &rows);
    hd_device *d = r->device;
    for (uint64_t v = 0; v < n; v++)
        names[v] = name_of(v, n, way);
    if (room)
        hd_budget_limit(d, d->budget.used + room, false);
    hd_pack_renaming what = {.device = d,
                             .rows = &rows,
                             .vertices = n,
                             .blocks = BLOCKS,
                             .offsets = &r->out.offsets,
                             .names = &buffer,
                             .wide = r->wide};
    support_assert_status(device_ctx, hd_pack_renamed_fits(&what, &fits), HEDDLE_OK);
    assert_true(fits);
    support_assert_status(device_ctx, d->allocate(d, n * 4, "names", &buffer), HEDDLE_OK);
    support_assert_status(device_ctx, d->upload(d, &buffer, 0, names, n * 4), HEDDLE_OK);
    support_assert_status(device_ctx, hd_pack_renamed(&what, &report, &pieces), HEDDLE_OK);
    check_rows(&pieces, &rows, n, way);
    uint64_t count = pieces.count;
    hd_packed_pieces_free(device_ctx, &pieces);
    hd_packed_pieces_free(device_ctx, &pieces);
    d->release(d, &buffer);
    hd_budget_limit(d, UINT64_MAX, false);
    free(names);
    return count;
}

static void one_piece(void **unused) {
    (void)unused;
    static const struct {
        const char *kind;
        int scale, degree;
    } graphs[] = {{"rmat", 8, 4}, {"rmat", 11, 16}, {"uniform", 9, 31}, {"uniform", 5, 31}, {"rmat", 10, 1}};
    skip_without_device();
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        heddle_graph *graph = generate_case(graphs[i].kind, graphs[i].scale, graphs[i].degree, i % 2, false);
        for (int way = 0; way < 3; way++)
            assert_int_equal(pack(graph, way, (way + i) % 2, 0), 1);
        heddle_graph_destroy(&graph);
    }
}

/* Rows that are longer than a piece, too. */
static void many_pieces(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = generate_case("rmat", 12, 32, true, false);
    assert_true(pack(graph, 2, false, 2 << 20) > 3);
    assert_true(pack(graph, 1, true, 1 << 20) > 7);
    heddle_graph_destroy(&graph);
}

static void no_room(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = generate_case("rmat", 12, 32, true, false);
    heddle_adjacency rows;
    bool fits;
    hd_resident *r = open_rows(graph, false, &rows);
    hd_pack_renaming what = {.device = r->device, .rows = &rows, .vertices = graph->vertices, .blocks = BLOCKS};
    hd_budget_limit(r->device, r->device->budget.used + (1 << 18), false);
    support_assert_status(device_ctx, hd_pack_renamed_fits(&what, &fits), HEDDLE_OK);
    assert_false(fits);
    hd_budget_limit(r->device, UINT64_MAX, false);
    heddle_graph_destroy(&graph);
}

/* Vertices of most out-edges first; ties in their order. */
static void places(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_graph *graph = generate_case("rmat", 12, 4, false, false);
    uint64_t n = graph->vertices, *offsets = graph->out.offsets;
    heddle_vertex *place = malloc(n * 4), *at = malloc(n * 4);
    support_assert_status(device_ctx, hd_places_by_out_degree(device_ctx, graph, place), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++)
        at[place[v]] = (heddle_vertex)v;
    for (uint64_t i = 1; i < n; i++) {
        uint64_t before = offsets[at[i - 1] + 1] - offsets[at[i - 1]], here = offsets[at[i] + 1] - offsets[at[i]];
        assert_true(before > here || (before == here && at[i - 1] < at[i]));
    }
    free(place);
    free(at);
    heddle_graph_destroy(&graph);
}

/* Directed and undirected, all rows here or there, twice: the second run finds rows and names. */
static void ranks(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < 4; i++) {
        heddle_graph *graph = generate_case("rmat", 14, i % 2 ? 16 : 32, i % 2, false);
        uint64_t n = heddle_graph_vertices(graph), m = heddle_graph_edges(graph);
        heddle_run_options options;
        heddle_run_options_init(&options);
        options.algorithm = "pr";
        options.device = device_name;
        options.plan = "residency=mixed";
        options.memory_limit = n * (i < 2 ? 40 : 100) + m * 2;
        double bits = 0;
        for (int again = 0; again < 2; again++) {
            heddle_result *result;
            support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
            const heddle_report *report = heddle_result_report(result);
            support_assert_status(device_ctx, heddle_verify(device_ctx, graph, &options, result), HEDDLE_OK);
            assert_true(report->device_bytes <= options.memory_limit);
            assert_true(report->bits_per_edge > 0);
            assert_true(again == 0 || (report->bits_per_edge == bits && report->packing == 0));
            bits = report->bits_per_edge;
            heddle_result_destroy(&result);
        }
        hd_packed packed;
        heddle_adjacency in;
        support_assert_status(device_ctx, heddle_graph_in(device_ctx, graph, &in), HEDDLE_OK);
        support_assert_status(device_ctx, hd_pack_rows(device_ctx, &in, n, BLOCKS, &packed), HEDDLE_OK);
        if (bits * (double)m >= 0.95 * (double)packed.count * 32)
            fail_msg("graph %d takes %g bits per edge, and %g under its own names", i, bits,
                     (double)packed.count * 32 / (double)m);
        hd_packed_free(device_ctx, &packed);
        heddle_graph_destroy(&graph);
    }
}

static void compiles_as_cuda(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_pack_renamed, NULL};
    find_compiler();
    if (!nvrtc.compile)
        skip();
    assert_kernels_compile("pack", "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n#define PACK_BLOCKS 31u\n", texts,
                           NVRTC_TODAY);
    assert_kernels_compile(
        "pack", "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n#define PACK_BLOCKS 31u\n#define HD_OFFSET_64\n", texts,
        NVRTC_TODAY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_piece), cmocka_unit_test(many_pieces),
                                       cmocka_unit_test(no_room),   cmocka_unit_test(places),
                                       cmocka_unit_test(ranks),     cmocka_unit_test(compiles_as_cuda)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
