/* test_gap.c - serialized graphs of the GAP benchmark suite: read, written, and refused when they are not whole. */
#define _GNU_SOURCE
#include "context_case.h"

#include "graph/graph.h"
#include "io/format.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Files by hand ---------------------------------------------------------------------------------------------- */

typedef struct image {
    char data[512];
    size_t bytes;
} image;

static void put(image *i, const void *data, size_t bytes) {
    memcpy(i->data + i->bytes, data, bytes);
    i->bytes += bytes;
}

static void put_header(image *i, bool directed, int64_t edges, int64_t vertices) {
    char flag = directed;
    i->bytes = 0;
    put(i, &flag, 1);
    put(i, &edges, 8);
    put(i, &vertices, 8);
}

static void put_rows(image *i, const int64_t *offsets, int64_t vertices, const int32_t *arcs, size_t words) {
    put(i, offsets, (size_t)(vertices + 1) * 8);
    put(i, arcs, words * 4);
}

/* 0 -> 1, 0 -> 2, 2 -> 0 with both directions, as the suite writes it. */
static image directed_image(void) {
    image i;
    put_header(&i, true, 3, 3);
    put_rows(&i, (int64_t[]){0, 2, 2, 3}, 3, (int32_t[]){1, 2, 0}, 3);
    put_rows(&i, (int64_t[]){0, 1, 2, 3}, 3, (int32_t[]){2, 0, 0}, 3);
    return i;
}

/* 0 - 1 of weight -7, 1 - 2 of weight 5. */
static image weighted_image(void) {
    image i;
    put_header(&i, false, 4, 3);
    put_rows(&i, (int64_t[]){0, 1, 3, 4}, 3, (int32_t[]){1, -7, 0, -7, 2, 5, 1, 5}, 8);
    return i;
}

static heddle_status load_image(const image *i, const char *name, heddle_graph **graph) {
    return heddle_graph_load(ctx, support_write_file(name, i->data, i->bytes), NULL, graph);
}

static void assert_refused(const image *i, const char *words) {
    heddle_graph *graph;
    support_assert_status(ctx, load_image(i, "bad.sg", &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, words);
    support_assert_message(ctx, "bad.sg");
    assert_null(graph);
}

static void reads_directed(void **state) {
    image i = directed_image();
    heddle_graph *graph;
    heddle_adjacency rows;
    (void)state;
    support_assert_status(ctx, load_image(&i, "directed", &graph), HEDDLE_OK); /* no suffix: by its content */
    assert_int_equal(heddle_graph_vertices(graph), 3);
    assert_int_equal(heddle_graph_edges(graph), 3);
    assert_true(heddle_graph_directed(graph));
    assert_int_equal(heddle_graph_weight_type(graph), HEDDLE_WEIGHT_NONE);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    assert_memory_equal(rows.offsets, ((uint64_t[]){0, 2, 2, 3}), 32);
    assert_memory_equal(rows.targets, ((uint32_t[]){1, 2, 0}), 12);
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &rows), HEDDLE_OK);
    assert_memory_equal(rows.offsets, ((uint64_t[]){0, 1, 2, 3}), 32);
    assert_memory_equal(rows.targets, ((uint32_t[]){2, 0, 0}), 12);
    heddle_graph_destroy(&graph);
}

static void reads_weighted(void **state) {
    image i = weighted_image();
    heddle_graph *graph;
    heddle_adjacency rows;
    (void)state;
    support_assert_status(ctx, load_image(&i, "weighted", &graph), HEDDLE_OK);
    assert_false(heddle_graph_directed(graph));
    assert_int_equal(heddle_graph_weight_type(graph), HEDDLE_WEIGHT_I32);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    assert_memory_equal(rows.targets, ((uint32_t[]){1, 0, 2, 1}), 16);
    assert_memory_equal(rows.weights, ((int32_t[]){-7, -7, 5, 5}), 16);
    heddle_graph_destroy(&graph);
}

static void sorts_rows(void **state) {
    image i;
    heddle_graph *graph;
    heddle_adjacency rows;
    (void)state;
    put_header(&i, true, 4, 4);
    put_rows(&i, (int64_t[]){0, 3, 3, 4, 4}, 4, (int32_t[]){3, 30, 1, 10, 2, 20, 0, 5}, 8);
    put_rows(&i, (int64_t[]){0, 1, 2, 3, 4}, 4, (int32_t[]){2, 5, 0, 10, 0, 20, 0, 30}, 8);
    support_assert_status(ctx, load_image(&i, "unsorted.wsg", &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_weight_type(graph), HEDDLE_WEIGHT_U32);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    assert_memory_equal(rows.targets, ((uint32_t[]){1, 2, 3, 0}), 16);
    assert_memory_equal(rows.weights, ((uint32_t[]){10, 20, 30, 5}), 16);
    heddle_graph_destroy(&graph);
}

static void build_options_apply(void **state) {
    image i = directed_image();
    heddle_load_options options;
    heddle_graph *graph;
    (void)state;
    heddle_load_options_init(&options);
    options.build.symmetrize = 1;
    const char *path = support_write_file("options.sg", i.data, i.bytes);
    support_assert_status(ctx, heddle_graph_load(ctx, path, &options, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(graph), 4);
    assert_false(heddle_graph_directed(graph));
    heddle_graph_destroy(&graph);
}

/* ---- Damage ----------------------------------------------------------------------------------------------------- */

static void truncated_everywhere(void **state) {
    image images[] = {directed_image(), weighted_image()};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (size_t whole = images[k].bytes; images[k].bytes > 1; whole--) {
            images[k].bytes = whole - 1;
            assert_refused(&images[k], "bad.sg");
        }
    image half = weighted_image(); /* by chance the size of an unweighted file */
    heddle_graph *graph;
    half.bytes -= 16;
    support_assert_status(ctx, load_image(&half, "half.wsg", &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "without weights");
}

static void headers_that_lie(void **state) {
    image i = directed_image();
    (void)state;
#define TRY(flag, edges, vertices, words)     \
    do {                                      \
        image lie = directed_image();         \
        put_header(&lie, 1, edges, vertices); \
        lie.data[0] = flag;                   \
        lie.bytes = i.bytes;                  \
        assert_refused(&lie, words);          \
    } while (0)
    TRY(1, INT64_C(1000000000000000000), 3, "more edges than");
    TRY(1, -1, 3, "more edges than");
    TRY(1, INT64_MIN, 3, "more edges than");
    TRY(1, 3, INT64_MAX, "more vertices than");
    TRY(1, 3, -1, "more vertices than");
    TRY(1, 3, 1 << 30, "size does not fit");
    TRY(1, 4, 3, "size does not fit");
    TRY(1, 3, 4, "size does not fit");
    TRY(0, 3, 3, "size does not fit");
    TRY(2, 3, 3, "first byte");
#undef TRY
}

static void rows_that_lie(void **state) {
    image i;
    (void)state;
    for (int at = 0; at < 4; at++) { /* each offset of the first direction */
        int64_t wild[] = {-1, 1000, INT64_MAX};
        for (int k = 0; k < 3; k++) {
            i = directed_image();
            memcpy(i.data + 17 + 8 * at, &wild[k], 8);
            assert_refused(&i, "row offsets");
        }
    }
    for (int at = 0; at < 3; at++) {
        int32_t wild[] = {-1, 3, INT32_MAX};
        for (int k = 0; k < 3; k++) {
            i = directed_image();
            memcpy(i.data + 17 + 32 + 4 * at, &wild[k], 4);
            assert_refused(&i, "below the number of vertices");
        }
    }
    const int32_t other = -6, end = 2;
    i = weighted_image(); /* one arc's weight differs from its reverse's */
    memcpy(i.data + 17 + 32 + 4, &other, sizeof other);
    assert_refused(&i, "its reverse have different weights");
    i = weighted_image();
    memcpy(i.data + 17 + 32 + 8, &end, sizeof end); /* 1 -> 2 twice, and 0 -> 1 alone */
    assert_refused(&i, "lacks its reverse");
}

/* ---- Round trips ------------------------------------------------------------------------------------------------ */

static heddle_graph *make_graph(uint64_t n, uint64_t m, heddle_weight_type type, bool symmetrize) {
    int64_t *ends = malloc((2 * m + 1) * sizeof *ends);
    uint32_t *weights = malloc((m + 1) * sizeof *weights);
    heddle_build_options options;
    heddle_graph *graph;
    uint64_t x = 88172645463325252u;
    for (uint64_t k = 0; k < 2 * m; k++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        ends[k] = (int64_t)(x % n);
        weights[k / 2] = (uint32_t)(x >> 40);
    }
    heddle_build_options_init(&options);
    options.symmetrize = symmetrize;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, n, m, ends, ends + m,
                                                  type == HEDDLE_WEIGHT_NONE ? NULL : weights, type, &options, &graph),
                          HEDDLE_OK);
    free(ends);
    free(weights);
    return graph;
}

static void everything_comes_back(void **state) {
    static const char *const names[] = {"round.sg", "round.wsg", "round.sg.gz", "round.wsg.zst"};
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        bool weighted = variant & 1, symmetrize = variant & 2;
        heddle_graph *graph =
            make_graph(3000, variant & 4 ? 70000 : 1000, weighted ? HEDDLE_WEIGHT_U32 : HEDDLE_WEIGHT_NONE, symmetrize);
        for (int i = weighted; i < 4; i += 2) {
            heddle_graph *back;
            heddle_status status = heddle_graph_save(ctx, graph, support_temp_path(names[i]), NULL);
            if (status == HEDDLE_E_UNSUPPORTED)
                continue;
            support_assert_status(ctx, status, HEDDLE_OK);
            support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path(names[i]), NULL, &back), HEDDLE_OK);
            support_assert_same_graph(ctx, graph, back);
            heddle_graph_destroy(&back);
        }
        heddle_graph_destroy(&graph);
    }
}

/* The other direction is in the file as it should be, for the readers that use it. */
static void writes_both_directions(void **state) {
    image i = directed_image();
    heddle_graph *graph;
    size_t bytes;
    (void)state;
    support_assert_status(ctx, load_image(&i, "both.sg", &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("again.sg"), NULL), HEDDLE_OK);
    char *again = support_read_file(support_temp_path("again.sg"), &bytes);
    assert_int_equal(bytes, i.bytes);
    assert_memory_equal(again, i.data, bytes);
    free(again);
    heddle_graph_destroy(&graph);
}

static void empty_graphs(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        heddle_graph *graph, *back;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("empty.sg"), NULL), HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path("empty.sg"), NULL, &back), HEDDLE_OK);
        support_assert_same_graph(ctx, graph, back);
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&back);
    }
}

static void weights_by_suffix(void **state) {
    heddle_graph *graph = make_graph(10, 20, HEDDLE_WEIGHT_NONE, false), *back;
    heddle_adjacency rows;
    (void)state;
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("ones.wsg"), NULL), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "1 is written"));
    support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path("ones.wsg"), NULL, &back), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, back, &rows), HEDDLE_OK);
    for (int k = 0; k < 20; k++)
        assert_int_equal(((const uint32_t *)rows.weights)[k], 1);
    assert_int_equal(heddle_graph_save(ctx, back, support_temp_path("lost.sg"), NULL), HEDDLE_E_LOSSY);
    support_assert_message(ctx, "weights");
    assert_int_not_equal(access(support_temp_path("lost.sg"), F_OK), 0);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

static heddle_status load_and_save(heddle_context *failing, void *path) {
    heddle_graph *graph;
    HD_TRY(heddle_graph_load(failing, path, NULL, &graph));
    heddle_status status = heddle_graph_save(failing, graph, support_temp_path("copy.wsg"), NULL);
    heddle_graph_destroy(&graph);
    return status;
}

static void memory_fails(void **state) {
    image images[] = {directed_image(), weighted_image()};
    (void)state;
    for (int k = 0; k < 2; k++)
        support_try_every_failure(load_and_save,
                                  (void *)(uintptr_t)support_write_file("memory.sg", images[k].data, images[k].bytes));
}

static void cancelled(void **state) {
    image i = weighted_image();
    heddle_graph *graph;
    (void)state;
    support_cancel(ctx);
    assert_int_equal(load_image(&i, "cancelled.wsg", &graph), HEDDLE_E_CANCELLED);
    support_uncancel(ctx);
    assert_null(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_directed),
        cmocka_unit_test(reads_weighted),
        cmocka_unit_test(sorts_rows),
        cmocka_unit_test(build_options_apply),
        cmocka_unit_test(truncated_everywhere),
        cmocka_unit_test(headers_that_lie),
        cmocka_unit_test(rows_that_lie),
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(writes_both_directions),
        cmocka_unit_test(empty_graphs),
        cmocka_unit_test(weights_by_suffix),
        cmocka_unit_test(memory_fails),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
