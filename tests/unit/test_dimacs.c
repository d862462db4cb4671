/* test_dimacs.c - DIMACS shortest-path files: good ones, what is wrong with bad ones, and writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("dimacs", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("dimacs", text, NULL, line, column, token, expected);
}

static const char arc_or_comment[] = "an arc line 'a FROM TO WEIGHT' or a comment 'c ...'";

static void good_files(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, u32: 1>2:5 2>1:7 3>3:0";
    expect("p sp 3 3\na 1 2 5\na 2 1 7\na 3 3 0\n", shown);
    expect("c made by\nc\n\np sp 3 3\r\nc x\r\na 1 2 5\r\n\r\na 2 1 7\r\na 3 3 0", shown);
    expect("  c x\n p  sp\t3 3 \n  a  1\t2 5 \na 2 1 7\nc a 1 1 1\na 3 3 0\n", shown);
    expect("p sp 2 1\na 1 2 -4\n", "2 vertices, directed, i32: 1>2:-4");
    expect("p sp 2 1\na 1 2 0.5\n", "2 vertices, directed, f32: 1>2:0.5");
    expect("p sp 4 0\n", "4 vertices, directed, u32:");
}

static void bad_headers(void **state) {
    (void)state;
    wrong("c only comments\n", 2, 1, "end of file", "a problem line 'p sp VERTICES ARCS'");
    wrong("c x\na 1 2 3\n", 2, 1, "a", "a problem line 'p sp VERTICES ARCS' before the arcs");
    wrong("p col 3 2\n", 1, 3, "col", "sp, a shortest-path problem (no others are supported)");
    wrong("p sp\n", 1, 5, "end of line", "the number of vertices");
    wrong("p sp x 2\n", 1, 6, "x", "the number of vertices");
    wrong("p sp 3\n", 1, 7, "end of line", "the number of arcs");
    wrong("p sp 3 2 1\n", 1, 10, "1", "the end of the line");
    wrong("p sp 3 1000000000000000000\na 1 2 3\n", 1, 8, "1000000000000000000", "1, the number of arcs in the file");
    wrong("p sp 1000000000000 1\na 1 2 3\n", 1, 6, "1000000000000",
          "at most 1056000 vertices, in proportion to the file's size");
}

static void bad_arcs(void **state) {
    (void)state;
    wrong("p sp 3 1\na 1 4 3\n", 2, 5, "4", "a vertex from 1 to 3");
    wrong("p sp 3 1\na 0 1 3\n", 2, 3, "0", "a vertex from 1 to 3");
    wrong("p sp 3 1\na 1 2\n", 2, 6, "end of line", "a finite number as weight");
    wrong("p sp 3 1\na 1 2 3 4\n", 2, 9, "4", "the end of the line");
    wrong("p sp 3 1\na 1 2 inf\n", 2, 7, "inf", "a finite number as weight");
    wrong("p sp 3 1\na 1 2 99999999999999999999\n", 2, 7, "99999999999999999999",
          "a weight that fits 64 bits with sign");
    wrong("p sp 3 1\ne 1 2 3\n", 2, 1, "e", arc_or_comment);
    wrong("p sp 3 1\n1 2 3 4\n", 2, 1, "1", arc_or_comment);
    wrong("p sp 3 1\na 1 2 3\np sp 3 1\n", 3, 1, "p", arc_or_comment);
    wrong("p sp 3 1\na1 2 3 4\n", 2, 1, "a1", arc_or_comment);
    wrong("c x\np sp 3 2\na 1 2 3\n", 2, 8, "2", "1, the number of arcs in the file");
    wrong("p sp 3 1\na 1 2 3\na 2 1 3\n", 1, 8, "1", "2, the number of arcs in the file");
}

enum { EDGES = 60000, VERTICES = 3000 };

static void arcs_in_parallel(void **state) {
    (void)state;
    static int64_t sources[EDGES], targets[EDGES];
    static uint32_t weights[EDGES];
    text_buffer text = {NULL, 0, 0};
    uint64_t seed = 19;
    add_text(&text, "c x\np sp %d %d\n", VERTICES, EDGES);
    for (int i = 0; i < EDGES; i++) {
        uint64_t word = draw(&seed);
        sources[i] = (int64_t)(word >> 40) % VERTICES + 1;
        targets[i] = (int64_t)(word >> 20) % VERTICES + 1;
        weights[i] = (uint32_t)draw(&seed) >> (word & 31);
        if (word % 97 == 0)
            add_text(&text, "c a 1 2 3\n\n");
        add_text(&text, word % 11 ? "a %lld %lld %u\n" : " a  %lld\t%lld %u \r\n", (long long)sources[i],
                 (long long)targets[i], weights[i]);
    }
    expect_edges("dimacs", &text, 0, EDGES, sources, targets, weights, HEDDLE_WEIGHT_U32);
    free(text.data);
}

static void the_first_error_wins(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "p sp 3000 %d\n", EDGES);
    for (int i = 2; i <= EDGES; i++)
        add_text(&text, i >= 30001 && i % 100 == 1 ? "a 1 %d 1\n" : "a %d 1 1\n", i < 30000 ? i % 3000 + 1 : 3001);
    for (int threads = 1; threads <= 8; threads *= 2) {
        heddle_context *ctx = support_context(threads);
        heddle_graph *graph;
        support_assert_status(ctx, load_bytes(ctx, "dimacs", text.data, text.bytes, NULL, &graph), HEDDLE_E_FORMAT);
        assert_int_equal(heddle_context_error(ctx)->line, 30000);
        assert_int_equal(heddle_context_error(ctx)->column, 3);
        heddle_context_destroy(&ctx);
    }
    free(text.data);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "p sp 1000 20000\n");
    for (int i = 0; i < 20000; i++)
        add_text(&text, "a %d %d %d\n", i % 1000 + 1, i * 7 % 997 + 1, i);
    expect_memory_errors("dimacs", &text, "saved.gr");
    free(text.data);
}

static void what_is_written(void **state) {
    (void)state;
    static const char *const files[] = {"p sp 3 3\na 1 2 5\na 2 1 7\na 3 3 0\n", "p sp 2 1\na 1 2 -4\n", "p sp 4 0\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_written_with("dimacs", files[i], NULL, "out.gr", files[i]);
}

/* The format has no unweighted arcs: they get the weight 1. */
static void unweighted_graphs(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    size_t bytes;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, NULL, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("out.gr"), NULL), HEDDLE_OK);
    char *content = support_read_file(support_temp_path("out.gr"), &bytes);
    assert_string_equal(content, "p sp 2 1\na 1 2 1\n");
    free(content);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.gr", 1, 0, 0, true);
}

static void rome99(void **state) {
    (void)state;
    expect_counts("rome99.gr.gz", 3353, 8870, 1, HEDDLE_WEIGHT_U32);
}

static void greater_tokyo(void **state) {
    (void)state;
    expect_counts("osm-greater-tokyo.gr.zst", 2064578, 4734094, 1, HEDDLE_WEIGHT_U32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_arcs),
        cmocka_unit_test(arcs_in_parallel),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(unweighted_graphs),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(rome99),
        cmocka_unit_test(greater_tokyo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
