/* test_metis.c - METIS files: good ones, what is wrong with bad ones, telling them from edge lists, writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("metis", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("metis", text, NULL, line, column, token, expected);
}

/* ---- Good -------------------------------------------------------------------------------------------------------- */

static void good_files(void **state) {
    (void)state;
    const char *shown = "4 vertices, undirected, unweighted: 1>2 1>3 2>1 3>1";
    expect("4 2\n2 3\n1\n1\n\n", shown);
    expect("% c\n4 2 0\n%\n2 3\n1\n% c\n1\n\n\n\n", shown);
    expect("4 2\r\n 3\t2 \r\n1\r\n1\r\n\r\n", shown);
    expect("  4 2 000 \n3 2\n1\n1 \n ", shown);
    expect("3 1\n\n3\n2", "3 vertices, undirected, unweighted: 2>3 3>2");
    expect("0 0\n", "0 vertices, undirected, unweighted:");
    expect("2 0\n\n\n", "2 vertices, undirected, unweighted:");
}

static void weights_and_sizes(void **state) {
    (void)state;
    const char *shown = "3 vertices, undirected, u32: 1>2:5 1>3:7 2>1:5 3>1:7";
    expect("3 2 1\n2 5 3 7\n1 5\n1 7\n", shown);
    expect("3 2 001\n3 7  2 5 \n1 5\n1 7\n", shown);
    expect("3 2 11\n9 2 5 3 7\n9 1 5\n9 1 7\n", shown);
    expect("3 2 11 2\n9 8 2 5 3 7\n9 8 1 5\n9 8 1 7\n", shown);
    expect("3 2 111 1\n4 9 2 5 3 7\n4 9 1 5\n4 9 1 7\n", shown);
    expect("3 2 10\n9 2 3\n9 1\n9 1\n", "3 vertices, undirected, unweighted: 1>2 1>3 2>1 3>1");
    expect("3 2 100\n4 2 3\n4 1\n4 1\n", "3 vertices, undirected, unweighted: 1>2 1>3 2>1 3>1");
    expect("2 1 1\n2 0.5\n1 0.5\n", "2 vertices, undirected, f32: 1>2:0.5 2>1:0.5");
}

static void loops_and_parallel_edges(void **state) {
    (void)state;
    expect("2 2\n2 2\n1 1\n", "2 vertices, undirected, unweighted: 1>2 1>2 2>1 2>1");
    expect("2 2\n1 2\n1\n", "2 vertices, undirected, unweighted: 1>1 1>2 2>1");
}

/* ---- Bad --------------------------------------------------------------------------------------------------------- */

static void bad_headers(void **state) {
    (void)state;
    const char *format = "a format of up to three digits, each 0 or 1";
    wrong("% c\n", 2, 1, "end of file", "a line with the numbers of vertices and edges");
    wrong("x 2\n", 1, 1, "x", "the number of vertices");
    wrong("3\n", 1, 2, "end of line", "the number of edges");
    wrong("3 2 2\n", 1, 5, "2", format);
    wrong("3 2 0011\n", 1, 5, "0011", format);
    wrong("3 2 11 x\n", 1, 8, "x", "the number of weights of a vertex");
    wrong("3 2 11 1001\n1 1\n1\n", 1, 8, "1001", "at most 1000 weights of a vertex");
    wrong("3 2 11 1 1\n", 1, 10, "1", "the end of the line");
    wrong("1000000000000000000 1\n1\n1\n", 1, 1, "1000000000000000000",
          "at most 1055232 vertices, in proportion to the file's size");
    wrong("2 9223372036854775808\n\n\n", 1, 3, "9223372036854775808",
          "half the number of neighbours in the lines, which is 0");
    wrong("1000000 1\n2\n1\n", 1, 1, "1000000", "2, the number of vertex lines in the file");
    wrong("2 1000000000000000000\n2\n1\n", 1, 3, "1000000000000000000",
          "half the number of neighbours in the lines, which is 2");
}

static void bad_rows(void **state) {
    (void)state;
    wrong("3 1\n2\n1\n", 1, 1, "3", "2, the number of vertex lines in the file");
    wrong("2 1\n2\n1\n1\n", 4, 1, "1", "the end of the file, for all vertices have had their line");
    wrong("2 1\n2\n1 3\n", 3, 3, "3", "a vertex from 1 to 2");
    wrong("2 1\n2\n0\n", 3, 1, "0", "a vertex from 1 to 2");
    wrong("2 1\n2\nx\n", 3, 1, "x", "a vertex from 1 to 2");
    wrong("2 1\n2\n1,\n", 3, 1, "1,", "a vertex from 1 to 2");
    wrong("2 1 1\n2 5\n1\n", 3, 2, "end of line", "a finite number as weight");
    wrong("2 1 1\n2 5\n1 nan\n", 3, 3, "nan", "a finite number as weight");
    wrong("2 1 1\n2 9223372036854775808\n1 9223372036854775808\n", 2, 3, "9223372036854775808",
          "a weight that fits 64 bits with sign");
    wrong("2 1 10\n2 2\n\n", 3, 1, "end of line", "the size or weight of the vertex");
    wrong("2 1 10\nx 2\n1 1\n", 2, 1, "x", "the size or weight of the vertex");
}

static void counts_that_do_not_agree(void **state) {
    (void)state;
    wrong("3 2\n2\n1 3\n\n", 1, 3, "2", "an even number of neighbours, two for each edge, but the lines hold 3");
    wrong("3 1\n2\n1 3\n2\n", 1, 3, "1", "half the number of neighbours in the lines, which is 4");
    wrong("3 3\n2\n1 3\n2\n", 1, 3, "3", "half the number of neighbours in the lines, which is 4");
}

static void lines_that_do_not_agree(void **state) {
    (void)state;
    wrong("3 1\n2\n3\n\n", 2, 1, "2", "a neighbour whose own line lists vertex 1 as often, with the same weight");
    wrong("4 2\n2 3\n1\n4\n\n", 2, 3, "3", "a neighbour whose own line lists vertex 1 as often, with the same weight");
    wrong("% c\n4 2\n\n% c\n\n2 1\n3 2\n", 6, 3, "1",
          "a neighbour whose own line lists vertex 3 as often, with the same weight");
    wrong("2 1 1\n2 5\n1 6\n", 2, 1, "2", "a neighbour whose own line lists vertex 1 as often, with the same weight");
    wrong("3 2\n2 2\n1\n1\n", 2, 1, "2", "a neighbour whose own line lists vertex 1 as often, with the same weight");
}

/* ---- Large ------------------------------------------------------------------------------------------------------- */

enum { SIDE = 120, VERTICES = SIDE * SIDE };

/* A grid with some odd lines among its rows; `cut` != 0 leaves out that vertex' first neighbour. */
static void make_grid(text_buffer *text, bool weighted, int cut) {
    text->bytes = 0;
    add_text(text, "%% a grid\n%d %d%s\n", VERTICES, 2 * SIDE * (SIDE - 1), weighted ? " 1" : "");
    for (int v = 0; v < VERTICES; v++) {
        int x = v % SIDE, y = v / SIDE;
        int around[4] = {y > 0 ? v - SIDE : -1, x > 0 ? v - 1 : -1, x + 1 < SIDE ? v + 1 : -1,
                         y + 1 < SIDE ? v + SIDE : -1};
        bool first = true;
        if (v % 101 == 0)
            add_text(text, "%% vertex %d\n", v + 1);
        for (int i = 0; i < 4; i++) {
            if (around[i] < 0)
                continue;
            if (!(first && v + 1 == cut))
                add_text(text, v % 7 ? "%d " : "  %d\t", around[i] + 1);
            if (weighted)
                add_text(text, "%d ", (v + around[i]) * 1000);
            first = false;
        }
        add_text(text, v % 5 ? "\n" : "\r\n");
    }
}

static void rows_in_parallel(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    text_buffer text = {NULL, 0, 0};
    make_grid(&text, true, 0);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        heddle_context *ctx = support_context(threads[i]);
        heddle_graph *graph;
        heddle_adjacency out;
        support_assert_status(ctx, load_bytes(ctx, "metis", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
        assert_int_equal(heddle_graph_edges(graph), 4 * SIDE * (SIDE - 1));
        support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
        for (uint64_t v = 0; v < VERTICES; v++)
            for (uint64_t k = out.offsets[v]; k < out.offsets[v + 1]; k++)
                assert_int_equal(((const uint32_t *)out.weights)[k], (v + out.targets[k]) * 1000);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
    free(text.data);
}

static void the_missing_end_is_found(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    make_grid(&text, false, 7000);
    char *count = strstr(text.data, " 28560"); /* so that the counts agree: a loop makes up for what is missing */
    assert_non_null(count);
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    text.bytes--;
    add_text(&text, " %d\n", VERTICES);
    support_assert_status(ctx, load_bytes(ctx, "metis", text.data, text.bytes, NULL, &graph), HEDDLE_E_FORMAT);
    assert_string_equal(heddle_context_error(ctx)->token, "7000");
    support_assert_message(ctx, "a neighbour whose own line lists vertex 6880 as often");
    heddle_context_destroy(&ctx);
    free(text.data);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    make_grid(&text, false, 0);
    expect_memory_errors("metis", &text, "saved.graph");
    free(text.data);
}

/* ---- Recognising ------------------------------------------------------------------------------------------------- */

static void recognised(const char *text, bool undirected) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    const char *path = support_write_text("unnamed", text);
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
    if (heddle_graph_directed(graph) == undirected)
        fail_msg("taken for the other format: %s", text);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void metis_files_are_told_from_edge_lists(void **state) {
    (void)state;
    recognised("4 2\n2 3\n1\n1\n\n", true);
    recognised("% c\n3 3\n2 3\n1 3\n1 2\n", true);
    recognised("3 2 1\n2 5 3 7\n1 5\n1 7\n", true);
    recognised("3 3\n2 3\n1 3\n1 2\n3 1\n", false);
    recognised("4 2\n2 3\n1 2\n1 3\n", false);
    recognised("2 1\n1 2\n", false);
    recognised("7 7\n1 2\n2 3\n", false);
    recognised("3 2 1\n2 3 1\n1 2 1\n", false);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void what_is_written(void **state) {
    (void)state;
    static const char *const files[] = {"4 2\n2 3\n1\n1\n\n", "3 2 1\n2 5 3 7\n1 5\n1 7\n", "3 1\n\n3\n2\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_written_with("metis", files[i], NULL, "out.graph", files[i]);
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.graph", 0, 0, 1, true);
    expect_round_trip("large.graph", 1, 0, 1, true);
}

/* ---- Real files -------------------------------------------------------------------------------------------------- */

#define REAL(function, name, vertices, edges)                        \
    static void function(void **state) {                             \
        (void)state;                                                 \
        expect_counts(name, vertices, edges, 0, HEDDLE_WEIGHT_NONE); \
    }
REAL(mdual, "mdual.graph.gz", 258569, 1026264)
REAL(astro_ph, "astro-ph.graph.gz", 16706, 242502)
REAL(pgp, "PGPgiantcompo.graph.gz", 10680, 48632)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(weights_and_sizes),
        cmocka_unit_test(loops_and_parallel_edges),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_rows),
        cmocka_unit_test(counts_that_do_not_agree),
        cmocka_unit_test(lines_that_do_not_agree),
        cmocka_unit_test(rows_in_parallel),
        cmocka_unit_test(the_missing_end_is_found),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(metis_files_are_told_from_edge_lists),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(mdual),
        cmocka_unit_test(astro_ph),
        cmocka_unit_test(pgp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
