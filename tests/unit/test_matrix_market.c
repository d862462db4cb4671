/* test_matrix_market.c - Matrix Market files: every field and symmetry, what is wrong with bad ones, writing them. */
#include "text_format.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static void expect(const char *text, const char *shown) { expect_graph_with("mtx", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("mtx", text, NULL, line, column, token, expected);
}

/* ---- Good -------------------------------------------------------------------------------------------------------- */

static void every_field_and_symmetry(void **state) {
    (void)state;
    expect(BANNER "pattern general\n3 3 2\n1 2\n3 3\n", "3 vertices, directed, unweighted: 1>2 3>3");
    expect(BANNER "pattern symmetric\n4 4 3\n2 1\n3 2\n3 3\n",
           "4 vertices, undirected, unweighted: 1>2 2>1 2>3 3>2 3>3");
    expect(BANNER "integer general\n2 2 2\n1 2 5\n2 1 4294967295\n", "2 vertices, directed, u32: 1>2:5 2>1:4294967295");
    expect(BANNER "integer symmetric\n2 2 2\n2 1 -5\n2 2 7\n", "2 vertices, undirected, i32: 1>2:-5 2>1:-5 2>2:7");
    expect(BANNER "integer skew-symmetric\n2 2 1\n2 1 5\n", "2 vertices, directed, i32: 1>2:-5 2>1:5");
    expect(BANNER "real general\n2 2 2\n1 2 1\n2 1 2.5e-1\n", "2 vertices, directed, f32: 1>2:1 2>1:0.25");
    expect(BANNER "real symmetric\n2 2 1\n2 1 0.5\n", "2 vertices, undirected, f32: 1>2:0.5 2>1:0.5");
    expect(BANNER "real skew-symmetric\n3 3 1\n3 1 -.5\n", "3 vertices, directed, f32: 1>3:0.5 3>1:-0.5");
}

static void spelling_comments_and_line_ends(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, unweighted: 1>2 2>3";
    expect("%%matrixmarket MATRIX Coordinate PATTERN General\r\n3 3 2\r\n1 2\r\n2 3\r\n", shown);
    expect(BANNER "pattern general\n% c\n%\n\n  \n%%%\n  3\t3  2  \n\n% c\n  1  2\t\n\n2 3", shown);
    expect(BANNER "pattern general\n3 3 0\n", "3 vertices, directed, unweighted:");
    expect(BANNER "pattern general\n0 0 0", "0 vertices, directed, unweighted:");
    expect(BANNER "real general\n1 1 1\n1 1 9007199254740993\n", "1 vertices, directed, f32: 1>1:9.0072e+15");
}

/* ---- Bad --------------------------------------------------------------------------------------------------------- */

static void bad_banners(void **state) {
    (void)state;
    wrong("1 2\n", 1, 1, "1", "%%MatrixMarket matrix coordinate ...");
    wrong("%%MatrixMarket vector coordinate real general\n", 1, 16, "vector", "matrix");
    wrong("%%MatrixMarket matrix array real general\n2 2\n", 1, 23, "array",
          "coordinate (dense arrays are not supported)");
    wrong(BANNER "complex general\n", 1, 34, "complex",
          "pattern, integer or real (complex matrices are not supported)");
    wrong(BANNER "real hermitian\n", 1, 39, "hermitian",
          "general, symmetric or skew-symmetric (hermitian matrices are not supported)");
    wrong(BANNER "pattern skew-symmetric\n", 1, 42, "skew-symmetric",
          "general or symmetric, for a pattern has no sign");
    wrong(BANNER "real\n", 1, 38, "end of line",
          "general, symmetric or skew-symmetric (hermitian matrices are not supported)");
    wrong(BANNER "real general x\n", 1, 47, "x", "the end of the line");
}

static void bad_sizes(void **state) {
    (void)state;
    wrong(BANNER "pattern general\n% c\n", 3, 1, "end of file", "a line with the numbers of rows, columns and entries");
    wrong(BANNER "pattern general\nx 3 1\n", 2, 1, "x", "the number of rows");
    wrong(BANNER "pattern general\n3\n", 2, 2, "end of line", "the number of columns");
    wrong(BANNER "pattern general\n3 3\n", 2, 4, "end of line", "the number of entries");
    wrong(BANNER "pattern general\n3 3 1 1\n", 2, 7, "1", "the end of the line");
    wrong(BANNER "pattern general\n3 4 1\n1 2\n", 2, 3, "4", "as many columns as rows, 3 (a graph's matrix is square)");
    wrong(BANNER "pattern general\n3 3 1000000000000000000\n1 2\n", 2, 5, "1000000000000000000",
          "1, the number of entries in the file");
    wrong(BANNER "pattern general\n1000000000000000000 1000000000000000000 1\n1 2\n", 2, 1, "1000000000000000000",
          "at most 1072896 vertices, in proportion to the file's size");
}

static void too_many_vertices(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    add_text(&text, "%spattern general\n", BANNER);
    text.capacity = 40 << 20; /* a comment that makes the file large enough to have 2^32 vertices */
    text.data = realloc(text.data, text.capacity);
    memset(text.data + text.bytes, '%', 20 << 20);
    text.bytes += 20 << 20;
    add_text(&text, "\n4294967295 4294967295 0\n");
    support_assert_status(ctx, load_bytes(ctx, "mtx", text.data, text.bytes, NULL, &graph), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "4294967295 vertices declared, at most 4294967294 fit");
    heddle_context_destroy(&ctx);
    free(text.data);
}

static void bad_entries(void **state) {
    (void)state;
    const char *index = "a vertex from 1 to 3";
    wrong(BANNER "pattern general\n3 3 2\n1 2\n0 1\n", 4, 1, "0", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n1 4\n", 4, 3, "4", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n1,2\n", 4, 1, "1,2", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n1\n", 4, 2, "end of line", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n-1 2\n", 4, 1, "-1", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n18446744073709551617 2\n", 4, 1, "18446744073709551617", index);
    wrong(BANNER "pattern general\n3 3 2\n1 2\n2 3 1\n", 4, 5, "1", "the end of the line");
    wrong(BANNER "real general\n3 3 1\n1 2 nan\n", 3, 5, "nan", "a finite number as weight");
    wrong(BANNER "real general\n3 3 1\n1 2   \n", 3, 7, "end of line", "a finite number as weight");
    wrong(BANNER "real general\n3 3 1\n1 2 1e999\n", 3, 5, "1e999", "a finite number as weight");
    wrong(BANNER "integer general\n3 3 1\n1 2 1.5\n", 3, 5, "1.5", "a whole number");
    wrong(BANNER "integer general\n3 3 1\n1 2 -9223372036854775809\n", 3, 5, "-9223372036854775809",
          "a weight that fits 64 bits with sign");
    wrong(BANNER "integer skew-symmetric\n3 3 1\n2 2 1\n", 3, 1, "2 2",
          "no entry on the diagonal of a skew-symmetric matrix");
    wrong(BANNER "pattern general\n3 3 2\n1 2\n", 2, 5, "2", "1, the number of entries in the file");
    wrong(BANNER "pattern general\n3 3 1\n1 2\n2 1\n1 3\n", 2, 5, "1", "3, the number of entries in the file");
    expect_error_in("mtx", BANNER "pattern general\n3 3 1\n1\0002\n", 60, NULL, 3, 1, "1\\x002", index);
}

/* ---- Large ------------------------------------------------------------------------------------------------------- */

enum { EDGES = 60000, VERTICES = 3000 };

static void entries_in_parallel(void **state) {
    (void)state;
    static int64_t sources[EDGES], targets[EDGES];
    static int32_t weights[EDGES];
    text_buffer text = {NULL, 0, 0};
    uint64_t seed = 17;
    add_text(&text, "%sinteger general\n%% c\n%d %d %d\n", BANNER, VERTICES, VERTICES, EDGES);
    for (int i = 0; i < EDGES; i++) {
        uint64_t word = draw(&seed);
        sources[i] = (int64_t)(word >> 40) % VERTICES;
        targets[i] = (int64_t)(word >> 20) % VERTICES;
        weights[i] = (int32_t)draw(&seed) >> (word & 31);
        if (word % 97 == 0)
            add_text(&text, "%% a comment 1 2 3\n\n");
        add_text(&text, word % 11 ? "%lld %lld %d\n" : " %lld\t%lld  %d \r\n", (long long)sources[i] + 1,
                 (long long)targets[i] + 1, weights[i]);
    }
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "mtx", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_id(graph, 0), 1);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    for (int i = 0; i < EDGES; i++) { /* ids count from 1 here, so compare with ids 1 .. n, all of which occur */
        sources[i]++;
        targets[i]++;
    }
    expect_edges("mtx", &text, 0, EDGES, sources, targets, weights, HEDDLE_WEIGHT_I32);
    free(text.data);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "%sreal symmetric\n1000 1000 20000\n", BANNER);
    for (int i = 0; i < 20000; i++)
        add_text(&text, "%d %d %d.5\n", i % 1000 + 1, i * 7 % 997 + 1, i);
    expect_memory_errors("mtx", &text, "saved.mtx");
    free(text.data);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void what_is_written(void **state) {
    (void)state;
    static const char *const files[] = {
        BANNER "pattern general\n3 3 2\n1 2\n3 3\n",
        BANNER "pattern symmetric\n4 4 3\n2 1\n3 2\n3 3\n",
        BANNER "integer symmetric\n2 2 2\n2 1 -5\n2 2 7\n",
        BANNER "real general\n2 2 2\n1 2 1.0\n2 1 0.1\n",
        BANNER "pattern general\n0 0 0\n",
        BANNER "pattern symmetric\n5 5 0\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_written_with("mtx", files[i], NULL, "out.mtx", files[i]);
    expect_written_with("mtx", BANNER "integer skew-symmetric\n2 2 1\n2 1 5\n", NULL, "out.mtx",
                        BANNER "integer general\n2 2 2\n1 2 -5\n2 1 5\n");
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.mtx", 0, 0, 0, true);
    expect_round_trip("large.mtx", 1, 0, 1, true);
    expect_round_trip("large.mtx", 1, 1, 1, true);
}

/* ---- Real files -------------------------------------------------------------------------------------------------- */

#define REAL(function, name, vertices, edges, directed, type) \
    static void function(void **state) {                      \
        (void)state;                                          \
        expect_counts(name, vertices, edges, directed, type); \
    }
REAL(notre_dame, "NotreDame_www.mtx.gz", 325729, 929849, 1, HEDDLE_WEIGHT_NONE)
REAL(luxembourg, "luxembourg_osm.mtx.gz", 114599, 239332, 0, HEDDLE_WEIGHT_NONE)
REAL(karate, "karate.mtx.gz", 34, 156, 0, HEDDLE_WEIGHT_NONE)
REAL(jazz, "jazz.mtx.gz", 198, 5484, 0, HEDDLE_WEIGHT_U32)
REAL(netscience, "netscience.mtx.gz", 1589, 5484, 0, HEDDLE_WEIGHT_F64)
REAL(cage8, "cage8.mtx.gz", 1015, 11003, 1, HEDDLE_WEIGHT_F64)
REAL(ragusa16, "Ragusa16.mtx.gz", 24, 81, 1, HEDDLE_WEIGHT_U32)
REAL(gd01_b, "GD01_b.mtx.gz", 18, 37, 1, HEDDLE_WEIGHT_NONE)
REAL(japan_cities, "osm-japan-cities.mtx.zst", 12517296, 27549158, 0, HEDDLE_WEIGHT_NONE)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_and_symmetry),
        cmocka_unit_test(spelling_comments_and_line_ends),
        cmocka_unit_test(bad_banners),
        cmocka_unit_test(bad_sizes),
        cmocka_unit_test(too_many_vertices),
        cmocka_unit_test(bad_entries),
        cmocka_unit_test(entries_in_parallel),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(notre_dame),
        cmocka_unit_test(luxembourg),
        cmocka_unit_test(karate),
        cmocka_unit_test(jazz),
        cmocka_unit_test(netscience),
        cmocka_unit_test(cage8),
        cmocka_unit_test(ragusa16),
        cmocka_unit_test(gd01_b),
        cmocka_unit_test(japan_cities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
