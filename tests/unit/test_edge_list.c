/* test_edge_list.c - edge lists: the shapes they come in, what is wrong with bad ones, and writing them. */
#include "text_format.h"

static void expect(const char *text, const char *shown) { expect_graph_with("edgelist", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("edgelist", text, NULL, line, column, token, expected);
}

static heddle_load_options options_with(int weight_column, heddle_id_choice ids) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.weight_column = weight_column;
    options.ids = ids;
    return options;
}

/* ---- Good -------------------------------------------------------------------------------------------------------- */

static void separators_comments_and_line_ends(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, unweighted: 1>2 2>3";
    expect("1 2\n2 3\n", shown);
    expect("1\t2\n2\t3", shown);
    expect("1,2\r\n2;3\r\n", shown);
    expect("# c\n% c\n// c\n  # c\n1 2\n\n   \n\t\n2 3\n# end", shown);
    expect("  1   ,  2  \n\t2\t;\t3\t\n", shown);
    expect("\xef\xbb\xbf"
           "1 2\n2 3",
           shown);
    expect("+1 2\n2 +3\n", shown);
    expect("1 2 # trailing words\n2 3\n", shown);
}

static void a_file_without_edges_is_an_empty_graph(void **state) {
    (void)state;
    expect("# nothing\n\n", "0 vertices, directed, unweighted:");
    expect("source,target,weight\n", "0 vertices, directed, u32:");
}

static void ids_of_all_sizes(void **state) {
    (void)state;
    expect("-5 7\n0 -9223372036854775808\n", "4 vertices, directed, unweighted: -5>7 0>-9223372036854775808");
    expect("18446744073709551615 1\n9223372036854775807 9223372036854775808\n",
           "4 vertices, directed, unweighted: 9223372036854775807>9223372036854775808 18446744073709551615>1");
    expect("123456789012345 12345678\n123456789 1234567890123456\n",
           "4 vertices, directed, unweighted: 123456789>1234567890123456 123456789012345>12345678");
    expect("-0 0\n", "1 vertices, directed, unweighted: 0>0");
    /* leading zeros make them labels, wherever they are */
    expect("7 42\n007 042\n7 007\n", "4 vertices, directed, unweighted: 7>42 7>007 007>042");
    expect("00 0\n", "2 vertices, directed, unweighted: 00>0");
    expect("0 10\n10 0\n", "2 vertices, directed, unweighted: 0>10 10>0");
    heddle_load_options integers;
    heddle_load_options_init(&integers);
    integers.ids = HEDDLE_IDS_INTEGER;
    expect_graph_with("edgelist", "000000000000000000000000000000000000001 2\n", &integers,
                      "2 vertices, directed, unweighted: 1>2");
}

/* An id as text: its length whatever the room, as much as fits, and nothing is written behind. */
static void ids_as_text(void **state) {
    static const struct {
        const char *file, *id;
    } cases[] = {{"abcdef 2\n", "abcdef"},
                 {"-12345 2\n", "-12345"},
                 {"18446744073709551615 2\n", "18446744073709551615"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_context *ctx = support_context(1);
        heddle_graph *graph;
        heddle_vertex v;
        size_t length = strlen(cases[i].id);
        support_assert_status(ctx, heddle_graph_load(ctx, support_write_text("ids.txt", cases[i].file), NULL, &graph),
                              HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_find(ctx, graph, cases[i].id, &v), HEDDLE_OK);
        for (size_t room = 0; room < 32; room++) {
            char text[33], expected[33];
            size_t fits = !room ? 0 : length < room ? length : room - 1;
            memset(text, '#', sizeof text);
            assert_int_equal(heddle_graph_id_text(graph, v, text, room), length);
            assert_int_equal(memcmp(text, cases[i].id, fits), 0);
            if (room)
                assert_int_equal(text[fits], '\0');
            memset(expected, '#', sizeof expected);
            assert_int_equal(memcmp(text + room, expected, sizeof text - room), 0);
        }
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
}

static void vertices_that_do_not_occur(void **state) {
    (void)state;
    heddle_load_options options = options_with(HEDDLE_COLUMN_AUTO, HEDDLE_IDS_AUTO);
    options.vertices = 5;
    expect_graph_with("edgelist", "1 2\n", &options, "5 vertices, directed, unweighted: 1>2");
    expect_graph_with("edgelist", "", &options, "5 vertices, directed, unweighted:"); /* as a file of comments */
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "metis", "", 0, &options, &graph), HEDDLE_E_FORMAT);
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n003 2\n", 10, &options, &graph), HEDDLE_E_FORMAT);
    const heddle_error *error = heddle_context_error(ctx);
    assert_int_equal(error->line, 2);
    assert_non_null(strstr(error->message, "expected an id without leading zeros"));
    options.ids = HEDDLE_IDS_INTEGER;
    expect_graph_with("edgelist", "1 2\n003 2\n", &options, "5 vertices, directed, unweighted: 1>2 3>2");
    heddle_context_destroy(&ctx);
}

static void weights_in_the_third_column(void **state) {
    (void)state;
    expect("1 2 5\n2 3 4294967295\n", "3 vertices, directed, u32: 1>2:5 2>3:4294967295");
    expect("1 2 -5\n2 3 2147483647\n", "3 vertices, directed, i32: 1>2:-5 2>3:2147483647");
    expect("1 2 5\n2 3 0.5\n3 1 -1e3", "3 vertices, directed, f32: 1>2:5 2>3:0.5 3>1:-1000");
    expect("1 2 99999999999\n2 3 0.5\n", "3 vertices, directed, f64: 1>2:99999999999 2>3:0.5");
    expect("1,2,.5\r\n2,3,5.\r\n", "3 vertices, directed, f32: 1>2:0.5 2>3:5");
    expect("1,2,10,1289241911.72836\n2,3,-1,1289241941\n", "3 vertices, directed, i32: 1>2:10 2>3:-1");
    expect("1 2 friend 3\n2 3 foe\n", "3 vertices, directed, unweighted: 1>2 2>3");
    expect("1 2 2020-01-31\n2 3 x\n", "3 vertices, directed, unweighted: 1>2 2>3");
    expect("1 2\n2 3 7\n", "3 vertices, directed, unweighted: 1>2 2>3");
    expect("1 2 \"7\"\n2 3 8\n", "3 vertices, directed, u32: 1>2:7 2>3:8");
}

static void the_weight_column_can_be_named(void **state) {
    (void)state;
    heddle_load_options none = options_with(HEDDLE_COLUMN_NONE, HEDDLE_IDS_AUTO);
    heddle_load_options fourth = options_with(4, HEDDLE_IDS_AUTO), first = options_with(1, HEDDLE_IDS_AUTO);
    expect_graph_with("edgelist", "1 2 5\n2 3 x\n", &none, "3 vertices, directed, unweighted: 1>2 2>3");
    expect_graph_with("edgelist", "1 2 5 7\n2,3,,8\n", &fourth, "3 vertices, directed, u32: 1>2:7 2>3:8");
    expect_error_with("edgelist", "1 2 5 7\n2 3 5\n", &fourth, 2, 6, "end of line",
                      "a weight in column 4 (--weight-column none reads none)");
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, &first, &graph), HEDDLE_E_ARGUMENT);
    heddle_context_destroy(&ctx);
}

static void headers(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, unweighted: 1>2 2>3";
    expect("source,target\n1,2\n2,3\n", shown);
    expect("# c\n\"Source\";\"Target\"\n1;2\n2;3\n", shown);
    expect("a b\n1 2\n2 3\n", shown);
    expect("from to weight\n1 2 5\n2 3 6\n", "3 vertices, directed, u32: 1>2:5 2>3:6");
    expect("u,v,time,cost\n1,2,100,5\n2,3,200,6\n", "3 vertices, directed, u32: 1>2:5 2>3:6");
    expect("source,target,weight\nann,bob,2\nbob,cy,3\n", "3 vertices, directed, u32: ann>bob:2 bob>cy:3");
}

static void labels(void **state) {
    (void)state;
    expect("ann bob\nbob cy\nann cy\n", "3 vertices, directed, unweighted: ann>bob ann>cy bob>cy");
    expect("ann\tbob\t0.5\nbob\tcy\t2\n", "3 vertices, directed, f32: ann>bob:0.5 bob>cy:2");
    expect("New York, Los Angeles ,3\nLos Angeles,San Jos\xc3\xa9,4\r\n",
           "3 vertices, directed, u32: New York>Los Angeles:3 Los Angeles>San Jos\xc3\xa9:4");
    expect("\"a b\" c\nc \"d, e\"\n", "3 vertices, directed, unweighted: a b>c c>d, e");
    expect("_x -y\nz 2\n", "4 vertices, directed, unweighted: _x>-y z>2");
    expect("1 bob\n2 1\n", "3 vertices, directed, unweighted: 1>bob 2>1");
    expect("\"1\",\"2\"\n\"2\",\"3\"\n", "3 vertices, directed, unweighted: 1>2 2>3");
    heddle_load_options strings = options_with(HEDDLE_COLUMN_AUTO, HEDDLE_IDS_STRING);
    expect_graph_with("edgelist", "10 9\n9 010\n", &strings, "3 vertices, directed, unweighted: 10>9 9>010");
    heddle_load_options integers = options_with(HEDDLE_COLUMN_AUTO, HEDDLE_IDS_INTEGER);
    expect_graph_with("edgelist", "\"10\",\"9\"\n", &integers, "2 vertices, directed, unweighted: 10>9");
}

static void a_label_of_the_greatest_length(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    for (int i = 0; i < 65535; i++)
        add_text(&text, "x");
    add_text(&text, " y\n");
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    char cut[8];
    assert_int_equal(heddle_graph_id_text(graph, 0, cut, sizeof cut), 65535);
    heddle_graph_destroy(&graph);
    text.bytes = 65535;
    add_text(&text, "x y\n");
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_E_FORMAT);
    assert_string_equal(heddle_context_error(ctx)->expected, "a label of at most 65535 bytes");
    heddle_context_destroy(&ctx);
    free(text.data);
}

/* ---- Bad --------------------------------------------------------------------------------------------------------- */

static void bad_ids(void **state) {
    (void)state;
    const char *integer = "an integer vertex id (use --ids string for labels)", *bits = "a vertex id that fits 64 bits";
    wrong("1 2\n3\n", 2, 2, "end of line", "a second vertex id");
    wrong("1 2\n3", 2, 2, "end of file", "a second vertex id");
    wrong("5\n", 1, 2, "end of line", "a second vertex id");
    wrong("1 2\nbob 3\n", 2, 1, "bob", integer);
    wrong("1 2\n3 bob\n", 2, 3, "bob", integer);
    wrong("1.5 2\n", 1, 1, "1.5", integer);
    wrong("3x 2\n", 1, 1, "3x", integer);
    wrong("1 2\n1 0x10\n", 2, 3, "0x10", integer);
    wrong("1 2\n1 -\n", 2, 3, "-", integer);
    wrong("1 2\n18446744073709551616 1\n", 2, 1, "18446744073709551616", bits);
    wrong("1 2\n1 -9223372036854775809\n", 2, 3, "-9223372036854775809", bits);
    wrong("1 99999999999999999999999999\n", 1, 3, "99999999999999999999999999", bits);
    wrong("1,,2\n", 1, 3, ",", "a vertex id");
    wrong(",1,2\n", 1, 1, ",", "a vertex id");
    wrong("1 2\n\n# c\n  7  \n", 4, 6, "end of line", "a second vertex id");
    heddle_load_options integers = options_with(HEDDLE_COLUMN_AUTO, HEDDLE_IDS_INTEGER);
    expect_error_with("edgelist", "ann bob\n", &integers, 1, 1, "ann", integer);
}

static void bad_labels(void **state) {
    (void)state;
    wrong("ann bob\ncy\n", 2, 3, "end of line", "a second vertex label");
    wrong("a,b\nc,,d\n", 2, 3, ",", "a vertex label");
    wrong("a b\n\"c d\n", 2, 1, "\"c d", "a closing quote in the same line");
    wrong("a b\n\"c\"d e\n", 2, 4, "d", "a separator after the closing quote");
    wrong("a b\n\"\" c\n", 2, 2, "\"", "a vertex label");
    heddle_load_options options = options_with(HEDDLE_COLUMN_AUTO, HEDDLE_IDS_AUTO);
    options.vertices = 5;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "a b\n", 4, &options, &graph), HEDDLE_E_ARGUMENT);
    heddle_context_destroy(&ctx);
}

/* A line break inside quotes, in columns that are not read: the lines after it would be edges that nobody wrote. */
static void open_quotes(void **state) {
    (void)state;
    const char *closing = "a closing quote in the same line";
    wrong("source,target,comment\n1,2,\"x\n3,4,y\"\n", 2, 5, "\"x", closing);
    wrong("1,2,3.5,ok,\"x\n3,4,1,y\"\n", 1, 12, "\"x", closing);
    wrong("1 2 \"x\n3 4 y\"\n", 1, 5, "\"x", closing);
    wrong("ann\tbob\t5\t \"x \"\"y\"\"\n", 1, 12, "\"x \"\"y\"\"", closing);
    wrong("source,target,\"a\n3,4,b\"\n", 1, 15, "\"a", closing);
    expect_graph_with("edgelist", "1,2,\"x, \"\"y\"\"\",\"\"\n3,4,5\" wide\n5,6,it is \"so\n7,8,\"a\" b\n", NULL,
                      "8 vertices, directed, unweighted: 1>2 3>4 5>6 7>8");
    for (int weighted = 0; weighted < 2; weighted++) { /* long enough for the fast path */
        text_buffer text = {NULL, 0, 0};
        for (int i = 0; i < 1000; i++)
            add_text(&text, "%d,%d,%s\"%s\n", i, i + 1, weighted ? "7," : "", i == 500 ? "open" : "closed\"");
        add_text(&text, "1,2,7,9\n");
        expect_error_in("edgelist", text.data, text.bytes, NULL, 501, weighted ? 11 : 9, "\"open", closing);
        free(text.data);
    }
}

static void bad_weights(void **state) {
    (void)state;
    const char *finite = "a finite number as weight", *fits = "a weight that fits 64 bits with sign";
    wrong("1 2 nan\n", 1, 5, "nan", finite);
    wrong("1 2 -Inf\n", 1, 5, "-Inf", finite);
    wrong("1 2 1\n2 3 NaN\n", 2, 5, "NaN", finite);
    wrong("1 2 1\n2 3 1e309\n", 2, 5, "1e309", finite);
    wrong("1 2 1\n2 3 1e-400\n", 2, 5, "1e-400", finite);
    wrong("1 2 1\n2 3 -1e400\n", 2, 5, "-1e400", finite);
    wrong("1 2 1\n2 3 4x\n", 2, 5, "4x", finite);
    wrong("1 2 1\n2 3\n", 2, 4, "end of line", "a weight in column 3 (--weight-column none reads none)");
    wrong("1,2,1\n2,3,,\n", 2, 5, ",", finite);
    wrong("1 2 1\n2 3 9223372036854775808\n3 4 5\n", 2, 5, "9223372036854775808", fits);
    wrong("1 2 1\n2 3 -9223372036854775809\n", 2, 5, "-9223372036854775809", fits);
}

static void what_is_not_text(void **state) {
    (void)state;
    expect_error_in("edgelist", "1 2\n\0\0\0", 7, NULL, 2, 1, "\\x00", "text");
    expect_error_in("edgelist", "1 2\n3\x01 4\n", 9, NULL, 2, 2, "\\x01", "text");
    expect_error_in("edgelist", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, NULL, 3, 1, "\\x00", "text");
    expect_error_in("edgelist", "a b\nc \x7f\n", 8, NULL, 2, 3, "\\x7f", "text");
    expect_error_in("edgelist", "1 2\r3 4\r", 8, NULL, 1, 4, "\\x0d", "text");
}

static void ids_that_no_type_holds(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    const char *text = "1 -2\n3 9223372036854775808\n";
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text, strlen(text), NULL, &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "negative");
    heddle_context_destroy(&ctx);
}

/* ---- Large ------------------------------------------------------------------------------------------------------- */

enum { EDGES = 60000 };

/* Lines of every shape, mixed at random, over many parts. */
static void lines_of_every_shape_in_parallel(void **state) {
    (void)state;
    static int64_t sources[EDGES], targets[EDGES];
    static uint32_t weights[EDGES];
    static const char *const shapes[] = {"%lld %lld %u\n", "%lld\t%lld\t%u\r\n", "  %lld , %lld ;%u,17 x\n",
                                         "%lld,%lld,%u\n", "%lld %lld %u \n",    "+%lld %lld %u tail\r\n"};
    text_buffer text = {NULL, 0, 0};
    uint64_t seed = 11;
    add_text(&text, "1000000 1000000 0\n");
    sources[0] = targets[0] = 1000000;
    for (int i = 1; i < EDGES; i++) {
        uint64_t word = draw(&seed);
        sources[i] = (int64_t)(word >> 20) % (1 << (word & 15));
        targets[i] = (int64_t)(draw(&seed) % 1000001);
        weights[i] = (uint32_t)(draw(&seed) >> (32 + (word & 31)));
        if (word % 97 == 0)
            add_text(&text, "# a comment, %llu\n\n", (unsigned long long)word);
        if (word % 1000 == 1)
            sources[i] += INT64_C(1000000000000);
        size_t shape = word % 7 ? 0 : (word >> 50) % 6;
        add_text(&text, shapes[shape], (long long)sources[i], (long long)targets[i], weights[i]);
    }
    expect_edges("edgelist", &text, 0, EDGES, sources, targets, weights, HEDDLE_WEIGHT_U32);
    free(text.data);
}

static void real_weights_in_parallel(void **state) {
    (void)state;
    static int64_t sources[EDGES], targets[EDGES];
    static double weights[EDGES];
    text_buffer text = {NULL, 0, 0};
    uint64_t seed = 13;
    for (int i = 0; i < EDGES; i++) {
        uint64_t word = draw(&seed);
        char weight[64];
        sources[i] = (int64_t)(word >> 40) % 5000;
        targets[i] = (int64_t)(word >> 20) % 5000;
        snprintf(weight, sizeof weight, "%s%.*f", word & 1 ? "-" : "", (int)(word >> 1 & 15),
                 (double)(word >> 11) * 0x1p-53 * (double)(1 << (word >> 6 & 15)));
        weights[i] = strtod(weight, NULL);
        add_text(&text, "%lld %lld %s\n", (long long)sources[i], (long long)targets[i], weight);
    }
    expect_edges("edgelist", &text, 0, EDGES, sources, targets, weights, HEDDLE_WEIGHT_F64);
    free(text.data);
}

/* The first wrong line is reported, however many there are and whoever finds one first. */
static void the_first_error_wins(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    for (int i = 1; i <= EDGES; i++)
        add_text(&text, i >= 20011 && i % 10 == 1 ? "%d x%d\n" : "%d %d\n", i, i);
    for (int threads = 1; threads <= 8; threads *= 2) {
        heddle_context *ctx = support_context(threads);
        heddle_graph *graph;
        support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_E_FORMAT);
        assert_int_equal(heddle_context_error(ctx)->line, 20011);
        assert_string_equal(heddle_context_error(ctx)->token, "x20011");
        heddle_context_destroy(&ctx);
    }
    free(text.data);
}

/* One line may be longer than a part, and the text may end anywhere. */
static void long_lines_and_every_end(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    heddle_context *ctx = support_context(4);
    heddle_graph *graph;
    add_text(&text, "1 2 ");
    for (int i = 0; i < 300000; i++)
        add_text(&text, "x");
    add_text(&text, "\n2 3\n");
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(graph), 2);
    heddle_graph_destroy(&graph);
    text.bytes = 0;
    for (int i = 0; i < 40; i++)
        add_text(&text, "%d %d\n", i * i * i, i);
    for (size_t bytes = 1; bytes <= text.bytes; bytes++) {
        uint64_t edges = 0;
        bool in_line = false, complete = false;
        for (size_t i = 0; i < bytes; i++) {
            in_line = text.data[i] != '\n';
            complete = in_line && (complete || (i > 0 && text.data[i - 1] == ' '));
            edges += !in_line;
        }
        heddle_status status = load_bytes(ctx, "edgelist", text.data, bytes, NULL, &graph);
        if (in_line && !complete) {
            support_assert_status(ctx, status, HEDDLE_E_FORMAT);
            continue;
        }
        support_assert_status(ctx, status, HEDDLE_OK);
        assert_int_equal(heddle_graph_edges(graph), edges + in_line);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
    free(text.data);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    for (int i = 0; i < 20000; i++)
        add_text(&text, "%d %d %d\n", i, i * 7 % 1000, i);
    expect_memory_errors("edgelist", &text, "saved.el");
    text.bytes = 0;
    for (int i = 0; i < 2000; i++)
        add_text(&text, "v%d v%d\n", i, i * 7 % 100);
    expect_memory_errors("edgelist", &text, "saved.csv");
    free(text.data);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void written(const char *text, const char *name, const char *content) {
    expect_written_with("edgelist", text, NULL, name, content);
}

static void what_is_written(void **state) {
    (void)state;
    written("5 7\n7 -2\n", "out.el", "# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n5\t7\n7\t-2\n");
    written("5 7 3\n7 5 4\n", "out.wel", "# Nodes: 2 Edges: 2\n# FromNodeId\tToNodeId\tWeight\n5\t7\t3\n7\t5\t4\n");
    written("5 7 -3\n7 5 4\n", "out.csv", "source,target,weight\n5,7,-3\n7,5,4\n");
    written("5 7 1.0\n7 5 0.1\n", "out.csv", "source,target,weight\n5,7,1.0\n7,5,0.1\n");
    written("1 2 3.4028235e38\n2 3 1e-45\n", "out.csv", "source,target,weight\n1,2,3.4028235e+38\n2,3,1e-45\n");
    written("18446744073709551615 1\n", "out.tsv",
            "# Nodes: 2 Edges: 1\n# FromNodeId\tToNodeId\n18446744073709551615\t1\n");
    written("ann,b c\n\"#x\",7\n\"1,5\",//\n", "out.csv", "source,target\nann,\"b c\"\n\"#x\",\"7\"\n\"1,5\",\"//\"\n");
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.el", 0, 0, 0, false);
    expect_round_trip("large.csv", 1, 0, 0, false);
    expect_round_trip("large.txt", 1, 1, 0, false);
}

/* ---- Real files -------------------------------------------------------------------------------------------------- */

#define REAL(function, name, vertices, edges)                        \
    static void function(void **state) {                             \
        (void)state;                                                 \
        expect_counts(name, vertices, edges, 1, HEDDLE_WEIGHT_NONE); \
    }
REAL(cnr_2000, "cnr-2000.txt.zst", 325557, 3216152)
REAL(npm_deps, "npm-deps-2017.txt.zst", 304031, 2333313)
REAL(web_stanford, "web-Stanford.txt.zst", 281903, 2312497)
REAL(ego_twitter, "ego-twitter-undirected.txt.gz", 81306, 1342310)
REAL(soc_slashdot, "soc-Slashdot0902.txt.gz", 82168, 948464)
REAL(gnutella_31, "p2p-Gnutella31.txt.gz", 62586, 147892)
REAL(gnutella_08, "p2p-Gnutella08.txt.gz", 6301, 20777)
REAL(wiki_vote, "wiki-Vote.txt.gz", 7115, 103689)
REAL(facebook, "facebook_combined.txt.gz", 4039, 88234)
REAL(email_eu, "email-Eu-core.txt.gz", 1005, 25571)
REAL(as_caida, "as-caida20071105.txt.gz", 26475, 53381)
REAL(mit8, "MIT8.edgelist.gz", 6440, 251252)

static void bitcoin_otc(void **state) {
    (void)state;
    expect_counts("soc-sign-bitcoinotc.csv.gz", 5881, 35592, 1, HEDDLE_WEIGHT_I32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_comments_and_line_ends),
        cmocka_unit_test(a_file_without_edges_is_an_empty_graph),
        cmocka_unit_test(ids_of_all_sizes),
        cmocka_unit_test(ids_as_text),
        cmocka_unit_test(vertices_that_do_not_occur),
        cmocka_unit_test(weights_in_the_third_column),
        cmocka_unit_test(the_weight_column_can_be_named),
        cmocka_unit_test(headers),
        cmocka_unit_test(labels),
        cmocka_unit_test(a_label_of_the_greatest_length),
        cmocka_unit_test(bad_ids),
        cmocka_unit_test(bad_labels),
        cmocka_unit_test(open_quotes),
        cmocka_unit_test(bad_weights),
        cmocka_unit_test(what_is_not_text),
        cmocka_unit_test(ids_that_no_type_holds),
        cmocka_unit_test(lines_of_every_shape_in_parallel),
        cmocka_unit_test(real_weights_in_parallel),
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(long_lines_and_every_end),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(cnr_2000),
        cmocka_unit_test(npm_deps),
        cmocka_unit_test(web_stanford),
        cmocka_unit_test(ego_twitter),
        cmocka_unit_test(soc_slashdot),
        cmocka_unit_test(gnutella_31),
        cmocka_unit_test(gnutella_08),
        cmocka_unit_test(wiki_vote),
        cmocka_unit_test(facebook),
        cmocka_unit_test(email_eu),
        cmocka_unit_test(as_caida),
        cmocka_unit_test(mit8),
        cmocka_unit_test(bitcoin_otc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
