/* test_pajek.c - Pajek's networks: good files, what is wrong with bad ones, and writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("pajek", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("pajek", text, NULL, line, column, token, expected);
}

static void good_files(void **state) {
    (void)state;
    expect("*Vertices 3\n*Arcs\n1 2\n2 1\n", "3 vertices, directed, unweighted: 1>2 2>1");
    expect("% made by\r\n*NETWORK test\r\n*vertices 3\r\n\r\n1 \"a b\" 0.1 0.2 ic Red\r\n2 c\r\n3 \"d\"\r\n*ARCS\r\n "
           "1\t2 \r\n",
           "3 vertices, directed, unweighted: a b>c");
    expect("*Vertices 3\n*Edges\n1 2 5\n2 2 7\n", "3 vertices, undirected, u32: 1>2:5 2>1:5 2>2:7");
    expect("*Vertices 3\n*Edges\n1 2 0.5 c Blue\n", "3 vertices, undirected, f32: 1>2:0.5 2>1:0.5");
    expect("*Vertices 3\n*Arcs\n1 2 c Blue\n", "3 vertices, directed, unweighted: 1>2");
    expect("*Vertices 4\n*Arcslist\n1 2 3\n4 1\n", "4 vertices, directed, unweighted: 1>2 1>3 4>1");
    expect("*Vertices 4\n*Edgeslist\n1 2 3\n", "4 vertices, undirected, unweighted: 1>2 1>3 2>1 3>1");
    /* both sorts of edges: a directed graph */
    expect("*Vertices 3\n*Edges\n1 2 5\n1 1 4\n*Arcs\n2 3 7\n*Edges\n3 1 9\n",
           "3 vertices, directed, u32: 1>1:4 1>2:5 1>3:9 2>1:5 2>3:7 3>1:9");
    expect("*Vertices 2\n*Edges\n", "2 vertices, undirected, unweighted:");
    expect("*Vertices 2\n", "2 vertices, directed, unweighted:");
    expect("*Vertices 2\n1 a\n2 b\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2\n2 1\n*Partition x\n1\n",
           "2 vertices, directed, unweighted: a>b b>a");
    expect("*Vertices 2\n1 same\n2 same\n*Arcs\n1 2\n", "2 vertices, directed, unweighted: 1>2");
}

static void bad_files(void **state) {
    (void)state;
    static const char index[] = "a vertex from 1 to 3";
    wrong("1 2\n", 1, 1, "1", "*Vertices and their number");
    wrong("% nothing\n", 2, 1, "end of file", "*Vertices and their number");
    wrong("*Vertices x\n", 1, 11, "x", "the number of vertices");
    wrong("*Vertices 99999999999\n", 1, 11, "99999999999",
          "at most 1054208 vertices, in proportion to the file's size");
    wrong("*Arcs\n1 2\n", 1, 1, "*Arcs", "*Vertices before the edges");
    wrong("*Vertices 3\n*Matrix\n", 2, 1, "*Matrix",
          "*Arcs or *Edges (matrices are not supported: save the network as arcs/edges)");
    wrong("*Vertices 3\n*Nonsense\n", 2, 1, "*Nonsense", "*Vertices, *Arcs, *Edges, *Arcslist or *Edgeslist");
    wrong("*Vertices 3\n*Vertices 3\n", 2, 1, "*Vertices", "one network in the file");
    wrong("*Vertices 3\n4 \"x\"\n", 2, 1, "4", index);
    wrong("*Vertices 3\n1 \"x\n", 2, 3, "\"x", "a closing quote in the same line");
    wrong("*Vertices 3\n*Arcs\n1 0\n", 3, 3, "0", index);
    wrong("*Vertices 3\n*Arcs\n1\n", 3, 2, "end of line", index);
    wrong("*Vertices 3\n*Arcs\n1 2 3x\n", 3, 5, "3x", "a finite number as weight");
    wrong("*Vertices 3\n*Arcs\n1 2 nan\n", 3, 5, "nan", "a finite number as weight");
    wrong("*Vertices 3\n*Edges\n1 2 Inf c Red\n", 3, 5, "Inf", "a finite number as weight");
    wrong("*Vertices 3\n1 \"5\"\n1 \"6\"\n2 \"7\"\n3 \"7\"\n", 3, 4, "6", "one label for each vertex");
    wrong("*Vertices 3\n*Arcslist\n1 2 x\n", 3, 5, "x", index);
}

static void what_is_written(void **state) {
    (void)state;
    static const char directed[] = "*Vertices 2\n1 \"a b\"\n2 \"c\"\n*Arcs\n1 2 5\n";
    static const char undirected[] = "*Vertices 3\n1 \"5\"\n2 \"6\"\n3 \"8\"\n*Edges\n1 2\n2 2\n";
    expect_written_with("pajek", directed, NULL, "out.net", directed);
    expect_written_with("pajek", undirected, NULL, "out.net", undirected);
    expect_written_with("pajek", "*vertices 1\n", NULL, "out.net", "*Vertices 1\n1 \"1\"\n*Arcs\n");
}

static void labels_that_do_not_fit(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const char text[] = "graph [ node [ id 1 label \"a&quot;\" ] ]";
    support_assert_status(ctx, load_bytes(ctx, "gml", text, sizeof text - 1, NULL, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("out.net"), NULL), HEDDLE_E_LOSSY);
    support_assert_message(ctx, "the label of vertex 0 cannot stand in a Pajek file");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.net", 1, 1, 1, true);
    expect_round_trip("large.net", 1, 0, 0, true);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "*Vertices 300\n");
    for (int i = 0; i < 300; i++)
        add_text(&text, "%d \"v%d\"\n", i + 1, i);
    add_text(&text, "*Edges\n");
    for (int i = 0; i < 9000; i++)
        add_text(&text, "%d %d %d\n", i % 300 + 1, i * 7 % 300 + 1, i);
    add_text(&text, "*Arcs\n1 2\n");
    expect_memory_errors("pajek", &text, "saved.net");
    free(text.data);
}

static void notes_come_once(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const char sections[] = "*Vertices 2\n*Arcs\n1 2\n*Partition a\n1\n*Arcs\n2 1\n*Vector b\n1\n";
    support_assert_status(ctx, load_bytes(ctx, "pajek", sections, sizeof sections - 1, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(graph), 2);
    assert_non_null(strstr(support_notes(), "*Partition and what follows it are not read"));
    assert_null(strstr(support_notes(), "*Vector"));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(notes_come_once),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(labels_that_do_not_fit),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
