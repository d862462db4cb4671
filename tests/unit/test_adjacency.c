/* test_adjacency.c - adjacency lists: reading, writing, and telling them from edge lists. */
#include "text_format.h"

#include "io/adjacency_look.h"

static void expect(const char *text, const char *shown) { expect_graph_with("adjlist", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("adjlist", text, NULL, line, column, token, expected);
}

static void good_files(void **state) {
    (void)state;
    expect("0 1 2 3\n1 2\n2\n3\n", "4 vertices, directed, unweighted: 0>1 0>2 0>3 1>2");
    expect("#made.py\n# GMT now\n\n 0 1\t2 # twice\r\n7\r\n", "4 vertices, directed, unweighted: 0>1 0>2");
    expect("a b c\nb a\n", "3 vertices, directed, unweighted: a>b a>c b>a");
    expect("5 5 5\n", "1 vertices, directed, unweighted: 5>5 5>5");
    expect("0,1,2\n1,2\n", "3 vertices, directed, unweighted: 0>1 0>2 1>2");
    expect("user\ta,b,c\na\tuser\n", "4 vertices, directed, unweighted: user>a user>b user>c a>user");
    expect("9\t1,2,3\n1\n2\t9\n", "4 vertices, directed, unweighted: 2>9 9>1 9>2 9>3");
    expect("C# b\n", "2 vertices, directed, unweighted: C#>b");
    expect("# nothing\n", "0 vertices, directed, unweighted:");
}

static void bad_files(void **state) {
    (void)state;
    wrong("0 1\n1,,2\n", 2, 3, ",", "a vertex");
    wrong("0 1\x01\n", 1, 4, "\\x01", "text");
}

static void look(const char *text, hd_line_kind kind) {
    hd_line_kind got = hd_adjacency_look_at(text, strlen(text)).kind;
    if (got != kind)
        fail_msg("'%s': %d instead of %d", text, (int)got, (int)kind);
}

static void lists_and_edges(void **state) {
    (void)state;
    look("0 1 2 3\n1 2\n2\n3\n", HD_LINES_LISTS);
    look("# x\n0 1 2 3\n1 2 4\n2 5\n", HD_LINES_LISTS);
    look("user\ta,b,c\nb\tuser\n", HD_LINES_LISTS);
    look("0\t1,2,3\n1\t2,3,4\n", HD_LINES_LISTS);
    look("0 1 2\n1\n", HD_LINES_LISTS);
    look("anna bert carl dora\nbert anna\ncarl anna dora\ndora\n", HD_LINES_LISTS);
    look("0 1\n1 2\n", HD_LINES_EDGES);
    look("0 1 2\n1 2 3\n", HD_LINES_EDGES);
    look("0 1 0.5\n1 2\n", HD_LINES_EDGES);
    look("0 1 5\n0 2\n1 2 7\n", HD_LINES_EDGES); /* a source that has several lines */
    look("0 1 5 1082040961\n1 2 6 1082040962\n", HD_LINES_EDGES);
    look("0 1 5 some words\n1 2 6 more\n", HD_LINES_EDGES);
    look("0 1 {'weight': 3}\n1 2 {}\n", HD_LINES_EDGES);
    look("0 1\n1 2\n2", HD_LINES_EDGES); /* cut short */
    look("anna bert 5\nanna carl\n", HD_LINES_EDGES);
    look("anna bert 5 some words\nbert carl 6\n", HD_LINES_EDGES);
    look("Smith, John\tDoe, Jane\n", HD_LINES_EDGES);
    look("", HD_LINES_EDGES);
    look("\n# x\n", HD_LINES_EDGES);
    look("0 1 5\n1 2\n", HD_LINES_EITHER);
    look("0 1\n1 2\n2\n3 4\n", HD_LINES_EITHER);
    look("0\t1,5\n1\t2,7\n", HD_LINES_EITHER);
    look("0 1 2 3\n0 4\n", HD_LINES_EITHER);
    look("0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n", HD_LINES_EITHER);
    look("this is no graph at all\nbut some text\n", HD_LINES_EITHER);
}

/* What is done about it, without a word of the user and with one. */
static void found_by_content(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const struct {
        const char *name, *text, *shown;
    } files[] = {
        {"lists.txt", "0 1 2 3\n1 2\n2\n3\n", "4 vertices, directed, unweighted: 0>1 0>2 0>3 1>2"},
        {"lists.adjlist", "0 1 2\n1 2 0\n", "3 vertices, directed, unweighted: 0>1 0>2 1>0 1>2"},
        {"edges.txt", "0 1 2\n1 2 0\n", "3 vertices, directed, u32: 0>1:2 1>2:0"},
        {"some.edges", "0 1 5\n1 2 7\n", "3 vertices, directed, u32: 0>1:5 1>2:7"},
        {"users.tsv", "0\t1,2,3\n4\t1\n", "5 vertices, directed, unweighted: 0>1 0>2 0>3 4>1"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = support_write_text(files[i].name, files[i].text);
        support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
        assert_string_equal(show(ctx, graph), files[i].shown);
        heddle_graph_destroy(&graph);
    }
    const char *path = support_write_text("either.txt", "0 1 2\n1 2\n");
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "lines of 2 to 3 columns could be edges (--format edgelist) or adjacency lists "
                                "(--format adjlist)");
    heddle_load_options columns;
    heddle_load_options_init(&columns);
    columns.weight_column = 0;
    support_assert_status(ctx, heddle_graph_load(ctx, path, &columns, &graph), HEDDLE_OK);
    assert_string_equal(show(ctx, graph), "3 vertices, directed, unweighted: 0>1 1>2");
    heddle_graph_destroy(&graph);
    path = support_write_text("lists.txt", "0 1 2 3\n1 2\n2\n3\n"); /* lists have no weights anyway */
    support_assert_status(ctx, heddle_graph_load(ctx, path, &columns, &graph), HEDDLE_OK);
    assert_string_equal(show(ctx, graph), "4 vertices, directed, unweighted: 0>1 0>2 0>3 1>2");
    heddle_graph_destroy(&graph);
    path = support_write_text("quoted.tsv", "c\t\"a,b\"\n"); /* as we write the label a,b */
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
    assert_string_equal(show(ctx, graph), "2 vertices, directed, unweighted: c>a,b");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    heddle_load_options options;
    heddle_load_options_init(&options);
    expect_graph_with("adjlist", "0 1 2\n1 2\n", &options, "3 vertices, directed, unweighted: 0>1 0>2 1>2");
}

static void what_is_written(void **state) {
    (void)state;
    static const char lists[] = "0 1 2 3\n1 2\n2\n3\n", labels[] = "a b c a\nb\nc\n";
    expect_written_with("adjlist", lists, NULL, "out.adjlist", lists);
    expect_written_with("adjlist", labels, NULL, "out.adjlist", "a a b c\nb\nc\n");
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.adjlist", 0, 0, 0, true);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    for (int i = 0; i < 1000; i++)
        add_text(&text, "%d %d %d %d\n", i * 13 % 1000, i * 7 % 997, i * 3 % 991, i);
    expect_memory_errors("adjlist", &text, "saved.adjlist");
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(lists_and_edges),
        cmocka_unit_test(found_by_content),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
