/* test_json.c - node-link JSON: good files, what is wrong with bad ones, and writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("json", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("json", text, NULL, line, column, token, expected);
}

static void good_files(void **state) {
    (void)state;
    expect("{\"nodes\": [{\"id\": 1}, {\"id\": 2}], \"edges\": [{\"from\": 1, \"to\": 2}]}", /* vis.js */
           "2 vertices, undirected, unweighted: 1>2 2>1");
    const char *shown = "3 vertices, directed, unweighted: 0>1 1>2";
    expect(
        "{\"directed\": true, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}],"
        " \"links\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}]}",
        shown);
    expect(" \n{\"edges\":[{\"target\":1,\"x\":[1,{\"y\":[\"}\"]}],\"source\":0},\n{\"source\":1,\"target\":2}],\r\n"
           "\"nodes\":[{\"id\":2,\"name\":\"c\"},{\"pos\":[1,2],\"id\":0},{\"id\":1}],\"directed\":true,\"graph\":[[]]}"
           "\n\n",
           shown);
    expect("{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": [{\"source\": \"a\", \"target\": \"b\"}]}",
           "2 vertices, undirected, unweighted: a>b b>a");
    expect("{\"nodes\": [], \"links\": []}", "0 vertices, undirected, unweighted:");
    expect("{\"nodes\": [{\"id\": \"x\"}]}", "1 vertices, undirected, unweighted:");
}

static void weights(void **state) {
    (void)state;
    expect("{\"directed\":true,\"links\":[{\"source\":1,\"target\":2,\"weight\":5},{\"source\":2,\"target\":1,"
           "\"weight\":-7}]}",
           "2 vertices, directed, i32: 1>2:5 2>1:-7");
    expect("{\"directed\":true,\"links\":[{\"source\":1,\"target\":2,\"value\":2.5e-1},{\"source\":2,\"target\":1,"
           "\"value\":{}}]}",
           "2 vertices, directed, f32: 1>2:0.25 2>1:1");
    expect("{\"directed\":true,\"links\":[{\"source\":1,\"target\":2,\"weight\":null}]}",
           "2 vertices, directed, unweighted: 1>2");
    wrong("{\"links\":[{\"source\":1,\"target\":2,\"weight\":NaN}]}", 1, 43, "NaN", "a finite number as weight");
    wrong("{\"links\":[{\"source\":1,\"target\":2,\"weight\":true}]}", 1, 43, "true", "a finite number as weight");
    wrong("{\"links\":[{\"source\":1,\"target\":2,\"weight\":[1]}]}", 1, 43, "[1", "a number as weight");
}

static void strings(void **state) {
    (void)state;
    expect(
        "{\"directed\":true,\"links\":[{\"source\":\"\\u0061\\\"\\\\\\/\\u00e4\\ud83d\\ude00\",\"target\":\"b c\"}]}",
        "2 vertices, directed, unweighted: a\"\\/\xc3\xa4\xf0\x9f\x98\x80>b c");
    /* nodes without id go by their place, as d3 had it */
    expect("{\"directed\":true,\"nodes\":[{\"name\":\"x\"},{\"name\":\"y\"}],\"links\":[{\"source\":1,\"target\":0,"
           "\"value\":3}]}",
           "2 vertices, directed, u32: y>x:3");
    expect("{\"directed\":true,\"nodes\":[{\"group\":1},{\"group\":1}],\"links\":[{\"source\":1,\"target\":0}]}",
           "2 vertices, directed, unweighted: 1>0");
    wrong("{\"links\":[{\"source\":\"\\x\",\"target\":1}]}", 1, 22, "\\x", "an escape that JSON has");
    wrong("{\"links\":[{\"source\":\"\\ud800\",\"target\":1}]}", 1, 22, "\\u", "an escape that JSON has");
    wrong("{\"links\":[{\"source\":\"a\nb\",\"target\":1}]}", 1, 23, "\\x0a",
          "a closing quote, and no control characters before it");
}

static void bad_files(void **state) {
    (void)state;
    static const char node_link[] =
        "an object with nodes and edges (node-link JSON, as NetworkX's node_link_data has it)";
    wrong("[1, 2]", 1, 1, "[1",
          "an object with nodes and edges: if this is a list of records, "
          "pandas.read_json(IN).to_csv(OUT, index=False) makes an edge list of it");
    wrong("5", 1, 1, "5", node_link);
    wrong("{}", 1, 2, "}", "nodes and edges (node-link JSON, as NetworkX's node_link_data has it)");
    wrong("{\"nodes\": [], \"adjacency\": []}", 1, 16, "adjacency",
          "nodes and edges: this is NetworkX's adjacency_data; write node_link_data");
    wrong("{\"elements\": {}}", 1, 3, "elements",
          "nodes and edges: this is Cytoscape's JSON; write NetworkX's node_link_data");
    wrong("{\"nodes\": [], \"nodes\": []}", 1, 16, "nodes", "each member once");
    wrong("{\"links\": {}}", 1, 11, "{", "an array");
    wrong("{\"links\": [5]}", 1, 12, "5", "an object");
    wrong("{\"links\": [{\"source\": 1}]}", 1, 12, "{", "an edge with source and target");
    wrong("{\"nodes\": [{\"id\": [1]}]}", 1, 19, "[1", "a string or a number as id");
    wrong("{\"nodes\": [{\"id\": 1},\n {\"id\": \"1\"}]}", 2, 10, "1", "a vertex that was not declared before");
    wrong("{\"nodes\": [{\"id\": 1} {\"id\": 2}]}", 1, 22, "{", "',' or ']'");
    wrong("{\"nodes\" []}", 1, 10, "[", "':'");
    wrong("{nodes: []}", 1, 2, "nodes", "the name of a member, in quotes");
    wrong("{\"directed\": 1}", 1, 14, "1", "true or false");
    wrong("{\"nodes\": []}\n{\"nodes\": []}", 2, 1, "{",
          "the end of the file (JSON Lines are not supported: use an edge list)");
    wrong("{\"nodes\": [", 1, 12, "end of file", "an object");
    wrong("{\"x\": ", 1, 7, "end of file", "a value");
}

static void deep_nesting(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "{\"x\": ");
    for (int i = 0; i < 100000; i++)
        add_text(&text, "[");
    expect_error_in("json", text.data, text.bytes, NULL, 1, 519, "[",
                    "at most 512 objects and arrays inside each other");
    free(text.data);
}

static void what_is_written(void **state) {
    (void)state;
    static const char directed[] =
        "{\"directed\": true, \"multigraph\": false, \"graph\": {},\n \"nodes\": [\n  {\"id\": \"a\\\"\"},\n"
        "  {\"id\": \"b\\u0007\"}],\n \"edges\": [\n  {\"source\": \"a\\\"\", \"target\": \"b\\u0007\","
        " \"weight\": 0.5}]}\n";
    static const char undirected[] =
        "{\"directed\": false, \"multigraph\": true, \"graph\": {},\n \"nodes\": [\n  {\"id\": 3},\n"
        "  {\"id\": 4}],\n \"edges\": [\n  {\"source\": 3, \"target\": 4},\n"
        "  {\"source\": 3, \"target\": 4},\n  {\"source\": 4, \"target\": 4}]}\n";
    expect_written_with("json", directed, NULL, "out.json", directed);
    expect_written_with("json", undirected, NULL, "out.json", undirected);
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.json", 1, 1, 0, true);
    expect_round_trip("large.json", 0, 0, 1, true);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "{\"nodes\": [{\"id\": \"v0\"}");
    for (int i = 1; i < 300; i++)
        add_text(&text, ", {\"id\": \"v%d\\n\"}", i);
    add_text(&text, "], \"links\": [{\"source\": \"v0\", \"target\": \"v0\"}");
    for (int i = 1; i < 9000; i++)
        add_text(&text, ", {\"source\": \"v%d\\n\", \"target\": \"v%d\\n\", \"weight\": %d}", i % 299 + 1,
                 i * 7 % 299 + 1, i);
    add_text(&text, "]}");
    expect_memory_errors("json", &text, "saved.json");
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(weights),
        cmocka_unit_test(strings),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
