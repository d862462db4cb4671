/* test_gml.c - GML: good files, what is wrong with bad ones, and writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("gml", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("gml", text, NULL, line, column, token, expected);
}

static void good_files(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, unweighted: 1>2 2>5";
    expect("graph [ directed 1 node [ id 1 ] node [ id 2 ] node [ id 5 ] edge [ source 1 target 2 ]\n"
           "edge [ source 2 target 5 ] ]",
           shown);
    expect("# made by\nCreator \"x ] [\"\nVersion 1\r\ngraph\r\n[\r\n  directed 1\n  label \"g\"\n"
           "  node\n  [\n    id 5\n    graphics [ x 1.0 y [ z 2 ] ]\n  ]\n  node [id 1]\nnode[id 2]\n"
           "  edge [ id 7 source 1\n target 2 ] edge [ target 5 source 2 ]\n]\n",
           shown);
    expect("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
           "2 vertices, undirected, unweighted: 1>2 2>1");
    expect("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 0 ] ]",
           "2 vertices, undirected, unweighted: 0>0");
    expect("graph [ ]", "0 vertices, undirected, unweighted:");
    expect("graph [ edge [ source 1 target 2 ] node [ id 2 label \"b\" ] node [ id 1 label \"a\" ] directed 1 ]",
           "2 vertices, directed, unweighted: a>b");
}

static void weights(void **state) {
    (void)state;
    expect("graph [ directed 1 edge [ source 1 target 2 weight 5 ] edge [ source 2 target 1 weight 7 value 9 ] ]",
           "2 vertices, directed, u32: 1>2:5 2>1:7");
    expect("graph [ directed 1 edge [ source 1 target 2 value -5 ] ]", "2 vertices, directed, i32: 1>2:-5");
    expect("graph [ edge [ source 1 target 2 value 0.5 ] edge [ source 2 target 3 ] ]",
           "3 vertices, undirected, f32: 1>2:0.5 2>1:0.5 2>3:1 3>2:1");
    wrong("graph [ edge [ source 1 target 2 weight x ] ]", 1, 41, "x", "a finite number as weight");
    wrong("graph [\nedge [ source 1 target 2 weight 1e400 ] ]", 2, 33, "1e400", "a finite number as weight");
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.weight_column = 0;
    expect_graph_with("gml", "graph [ directed 1 edge [ source 1 target 2 weight 5 ] ]", &options,
                      "2 vertices, directed, unweighted: 1>2");
}

static void labels(void **state) {
    (void)state;
    heddle_load_options options;
    static const char text[] =
        "graph [ directed 1 node [ id 3 label \"a &quot;&amp;&#228;&lt; b\" ] node [ id 1 label \"c\" ]\n"
        "edge [ source 3 target 1 ] ]";
    expect(text, "2 vertices, directed, unweighted: a \"&\xc3\xa4< b>c");
    heddle_load_options_init(&options);
    options.ids = HEDDLE_IDS_INTEGER;
    expect_graph_with("gml", text, &options, "2 vertices, directed, unweighted: 3>1");
    /* labels that are not their own: the ids count */
    expect("graph [ directed 1 node [ id 3 label \"a\" ] node [ id 1 label \"a\" ] edge [ source 3 target 1 ] ]",
           "2 vertices, directed, unweighted: 3>1");
    expect("graph [ directed 1 node [ id 3 label \"a\" ] node [ id 1 ] edge [ source 3 target 1 ] ]",
           "2 vertices, directed, unweighted: 3>1");
    /* igraph's */
    expect("graph [ directed 1 node [ id 3 name \"Ann\" ] node [ id 1 name \"Bob\" ] edge [ source 3 target 1 ] ]",
           "2 vertices, directed, unweighted: Ann>Bob");
    expect("graph [ directed 1 node [ id 3 label \"7\" ] node [ id 1 label \"-9\" ] edge [ source 3 target 1 ] ]",
           "2 vertices, directed, unweighted: 7>-9");
    expect("graph [ directed 1 node [ id 3 label \"007\" ] node [ id 1 label \"9\" ] edge [ source 3 target 1 ] ]",
           "2 vertices, directed, unweighted: 007>9");
}

static void bad_files(void **state) {
    (void)state;
    wrong("Creator \"x\"\n", 2, 1, "end of file", "a list 'graph [ ... ]'");
    wrong("graph [\n node [ id 1 ]\n", 3, 1, "end of file", "a key and its value, or ']'");
    wrong("graph [ node [ label \"x\" ] ]", 1, 9, "node", "a node with an id");
    wrong("graph [ node [ id 1 ] node [ id 1 ] ]", 1, 33, "1", "a vertex that was not declared before");
    wrong("graph [ edge [ source 1 ] ]", 1, 9, "edge", "an edge with a source and a target");
    wrong("graph [ directed yes ]", 1, 18, "yes", "0 or 1");
    wrong("graph [ node [ id ] ]", 1, 19, "]", "the value of a key");
    wrong("graph [ 5 6 ]", 1, 9, "5", "a key and its value, or ']'");
    wrong("graph [ label \"x\n]", 1, 15, "\"", "a closing quote");
    wrong("graph [ ]\ngraph [ ]", 2, 1, "graph", "one graph in the file");
    wrong("graph [ x [ [ [", 1, 16, "end of file", "']'");
    wrong("] graph [ ]", 1, 1, "]", "a key and its value");
}

static void lists_that_are_not_read(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const struct {
        const char *text, *note;
    } files[] = {
        {"graph [ node [ id 1 graph [ node [ id 2 ] ] ] ]", "the nested graph 'graph [ ... ]' is not read"},
        {"graph [ edge [ source 1 target 1 weight [ x 1 ] ] edge [ source 1 target 1 value [ x 1 ] ] ]",
         "the list 'weight [ ... ]' is not read"},
        {"graph [ node [ id 1 graphics [ x 1 ] ] ]", NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        support_assert_status(ctx, load_bytes(ctx, "gml", files[i].text, strlen(files[i].text), NULL, &graph),
                              HEDDLE_OK);
        assert_int_equal(heddle_graph_vertices(graph), 1);
        if (files[i].note)
            assert_non_null(strstr(support_notes(), files[i].note));
        assert_null(strstr(support_notes(), "graphics"));
        assert_null(strstr(support_notes(), "value")); /* the second of a file */
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

static void what_is_written(void **state) {
    (void)state;
    expect_written_with("gml",
                        "graph [ directed 1 node [ id 1 label \"a&amp;&quot;\" ] node [ id 2 label \"\xc3\xa4\" ]"
                        " edge [ source 1 target 2 weight 5 ] ]",
                        NULL, "out.gml",
                        "graph [\n  directed 1\n  node [\n    id 0\n    label \"a&amp;&quot;\"\n  ]\n"
                        "  node [\n    id 1\n    label \"&#228;\"\n  ]\n"
                        "  edge [\n    source 0\n    target 1\n    weight 5\n  ]\n]\n");
    expect_written_with("gml", "graph [ edge [ source 7 target 9 weight 1e20 ] edge [ source 7 target 9 ] ]", NULL,
                        "out.gml",
                        "graph [\n  directed 0\n  multigraph 1\n  node [\n    id 0\n    label \"7\"\n  ]\n"
                        "  node [\n    id 1\n    label \"9\"\n  ]\n"
                        "  edge [\n    source 0\n    target 1\n    weight 1.0e+20\n  ]\n"
                        "  edge [\n    source 0\n    target 1\n    weight 1.0\n  ]\n]\n");
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.gml", 1, 1, 0, true);
    expect_round_trip("large.gml", 0, 0, 1, true);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "graph [\n");
    for (int i = 0; i < 300; i++)
        add_text(&text, "node [ id %d label \"v%d&amp;\" ]\n", i, i * 7 % 300);
    for (int i = 0; i < 9000; i++)
        add_text(&text, "edge [ source %d target %d weight %d ]\n", i % 300, i * 7 % 300, i);
    add_text(&text, "]\n");
    expect_memory_errors("gml", &text, "saved.gml");
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(weights),
        cmocka_unit_test(labels),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(lists_that_are_not_read),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
