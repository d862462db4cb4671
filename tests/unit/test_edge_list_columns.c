/* test_edge_list_columns.c - edge lists that other programs wrote: headers, columns in any order, quotes, decimal
 * commas, lists of vertices beside them, and the notes about what was guessed. */
#include "text_format.h"

static heddle_load_options defaults(void) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    return options;
}

/* Reads the text; the graph and the notes must be these (notes "": none; else each line of it must occur). */
static void reads_with(const char *text, const heddle_load_options *options, const char *shown, const char *notes) {
    char wanted[512];
    expect_graph_with("edgelist", text, options, shown);
    if (!*notes && *support_notes())
        fail_msg("%s\nunexpected note: %s", text, support_notes());
    snprintf(wanted, sizeof wanted, "%s", notes);
    for (char *line = strtok(wanted, "\n"); line; line = strtok(NULL, "\n"))
        if (!strstr(support_notes(), line))
            fail_msg("%s\nnotes: %s\nwithout: %s", text, support_notes(), line);
}

static void reads(const char *text, const char *shown, const char *notes) { reads_with(text, NULL, shown, notes); }

static void refuses(const char *text, const heddle_load_options *options, heddle_status status, const char *message) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text, strlen(text), options, &graph), status);
    support_assert_message(ctx, message);
    heddle_context_destroy(&ctx);
}

/* ---- Headers ----------------------------------------------------------------------------------------------------- */

#define THREE "3 vertices, directed, unweighted: "

static void headers_over_labels(void **state) {
    (void)state;
    static const char *const names[] = {
        "user,item",         "source_id,target_id",     "u,v",          "start,end", "from_node,to_node",
        "follower,followee", "Source Node,Target Node", "kunde,produkt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[100], note[100];
        snprintf(text, sizeof text, "%s\nann,bob\nbob,cy\n", names[i]);
        snprintf(note, sizeof note, "'%s', is taken for a header", names[i]);
        reads(text, THREE "ann>bob bob>cy", note);
    }
    reads("x,y,z\nann,bob,5\ncy,dan,6\n", "4 vertices, directed, u32: ann>bob:5 cy>dan:6", "is taken for a header");
}

static void first_lines_that_are_edges(void **state) {
    (void)state;
    reads("ann,bob\n", "2 vertices, directed, unweighted: ann>bob", "");
    reads("ann,bob\nbob,cy\n", THREE "ann>bob bob>cy", "");
    reads("ann,bob\nann,cy\n", THREE "ann>bob ann>cy", "");
    reads("x,y,5\nann,bob,6\nbob,ann,7\n", "4 vertices, directed, u32: x>y:5 ann>bob:6 bob>ann:7", "");
    reads("# FromNodeId\tToNodeId\nx\ty\na\tb\nb\ta\n", "4 vertices, directed, unweighted: x>y a>b b>a", "");
    /* nothing comes back here, neither from this line nor from the others: no evidence */
    reads("p q\nr s\nt u\n", "6 vertices, directed, unweighted: p>q r>s t>u", "is read as an edge");
}

static void the_user_knows_the_header(void **state) {
    (void)state;
    heddle_load_options yes = defaults(), no = defaults(), strings = defaults();
    yes.header = HEDDLE_HEADER_YES;
    no.header = HEDDLE_HEADER_NO;
    strings.ids = HEDDLE_IDS_STRING;
    reads_with("ann,bob\nbob,cy\n", &yes, "2 vertices, directed, unweighted: bob>cy", "'ann,bob', is taken");
    reads_with("1 2\n2 3\n", &yes, "2 vertices, directed, unweighted: 2>3", "'1 2', is taken");
    reads_with("source,target\nbob,cy\n", &no, "4 vertices, directed, unweighted: source>target bob>cy", "");
    reads_with("0,1\nbob,cy\ncy,bob\n", &strings, "2 vertices, directed, unweighted: bob>cy cy>bob", "'0,1', is taken");
}

static void words_far_down_a_file(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    add_text(&text, "aaa bbb\n");
    for (int i = 0; i < 200000; i++)
        add_text(&text, "v%d v%d\n", i / 3, i / 3 + 1);
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(graph), 200000);
    assert_non_null(strstr(support_notes(), "not ids in the first "));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    free(text.data);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static void columns_by_their_names(void **state) {
    (void)state;
    reads("weight,source,target\n5,1,2\n6,2,3\n", "3 vertices, directed, u32: 1>2:5 2>3:6",
          "source in column 2 ('source'), target in column 3 ('target'), weight in column 1 ('weight')");
    reads("to,from\n1,2\n2,3\n", THREE "2>1 3>2", "source in column 2 ('from')");
    reads("edge_id,source,target,weight\n7,1,2,5\n8,2,3,6\n", "3 vertices, directed, u32: 1>2:5 2>3:6", "header");
    reads("edge_id,source,target,weight\ne7,ann,bob,5\ne8,bob,cy,6\n", "3 vertices, directed, u32: ann>bob:5 bob>cy:6",
          "header");
    reads("source\ttarget\tplace\tweight\n1\t2\tNew York\t5\n2\t3\tRome\t6\n", "3 vertices, directed, u32: 1>2:5 2>3:6",
          "weight in column 4");
    reads("source,target,timestamp\n1,2,100\n2,3,90\n", THREE "1>2 2>3", "header");
    reads("id,start,end\n1,7,8\n2,8,9\n", THREE "7>8 8>9", "source in column 2 ('start')");
}

static void pandas_and_neo4j(void **state) {
    (void)state;
    reads(",source,target,weight\n0,ann,bob,2\n1,bob,cy,3\n", "3 vertices, directed, u32: ann>bob:2 bob>cy:3",
          "header");
    reads(",a,b\n0,5,6\n1,6,7\n", THREE "5>6 6>7", "its first column has no name\nsource in column 2 ('a')");
    reads(",0,1\n0,ann,bob\n1,bob,cy\n", THREE "ann>bob bob>cy", "its first column has no name");
    reads(":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n2,3,LIKES\n", THREE "1>2 2>3", "source in column 1 (':START_ID')");
    reads(":START_ID(P),since:int,:END_ID(P),weight:float,:TYPE\nann,1990,bob,0.5,K\nbob,1991,cy,0.25,K\n",
          "3 vertices, directed, f32: ann>bob:0.5 bob>cy:0.25", "weight in column 4 ('weight:float')");
}

static void columns_of_the_users_choice(void **state) {
    (void)state;
    heddle_load_options options = defaults();
    options.columns = "source=z,target=X,weight=y";
    reads_with("x,y,z\n1,5,3\n", &options, "2 vertices, directed, u32: 3>1:5", "source in column 3 ('z')");
    options.columns = "source=2,target=1";
    reads_with("1 2\n2 3\n", &options, THREE "2>1 3>2", "");
    options.columns = "source=2"; /* the other end is in the first column that is left */
    reads_with("1 2\n2 3\n", &options, THREE "2>1 3>2", "");
    options.columns = "target=1";
    reads_with("1 2\n2 3\n", &options, THREE "2>1 3>2", "");
    options.columns = "source=3";
    reads_with("7 1 2\n7 2 3\n", &options, THREE "2>7 3>7", "");
    options.columns = "weight=1,target=3";
    reads_with("5 1 2\n6 2 3\n", &options, "3 vertices, directed, u32: 1>2:5 2>3:6", "");
    options.columns = "source=from,target=to,weight=none";
    reads_with("from;to;weight\n1;2;5\n", &options, "2 vertices, directed, unweighted: 1>2", "header");
    options.columns = "source=who";
    refuses("from to\n1 2\n", &options, HEDDLE_E_FORMAT, "a header with a column 'who', for the source");
    refuses("# nothing\n", &options, HEDDLE_E_FORMAT, "a header that names the columns");
    options.header = HEDDLE_HEADER_NO;
    refuses("from to\n1 2\n", &options, HEDDLE_E_ARGUMENT, "number them");
    options = defaults();
    static const char *const bad[] = {"",
                                      "source",
                                      "source=",
                                      "sauce=1",
                                      "source=0",
                                      "source=x1,",
                                      "source=1,source=2",

                                      "source=70000",
                                      "=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        options.columns = bad[i];
        refuses("1 2\n", &options, HEDDLE_E_ARGUMENT, "expected source=COLUMN");
    }
    options.columns = "source=2,target=2";
    refuses("1 2\n", &options, HEDDLE_E_ARGUMENT, "column 2 cannot be the target");
    options.columns = "weight=4";
    options.weight_column = 3;
    refuses("1 2 3 4\n", &options, HEDDLE_E_ARGUMENT, "given twice");
}

static void expect(const char *text, const char *shown) { expect_graph_with("edgelist", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("edgelist", text, NULL, line, column, token, expected);
}

/* Gephi's column, which also says what we write. */
static void the_type_of_edges(void **state) {
    (void)state;
    expect("Source,Target,Type,Id,Label,timeset,Weight\n1,2,Undirected,0,,,1.5\n2,3,undirected,1,,,2\n",
           "3 vertices, undirected, f32: 1>2:1.5 2>1:1.5 2>3:2 3>2:2");
    expect("Source,Target,Type\na,b,Directed\nb,b,Directed\n", "2 vertices, directed, unweighted: a>b b>b");
    expect("Source,Target,Type\n1,2,friend\n2,3,enemy\n", "3 vertices, directed, unweighted: 1>2 2>3");
    expect("# Undirected graph, each edge once\n1 2\n2 2\n", "2 vertices, undirected, unweighted: 1>2 2>1 2>2");
    wrong("Source,Target,Type\n1,2,Undirected\n2,3,Directed\n", 3, 5, "Directed",
          "Undirected, as in the first line (edges of both kinds are not supported)");
}

static void noted(const char *text, const char *words) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text, strlen(text), NULL, &graph), HEDDLE_OK);
    if (words ? !strstr(support_notes(), words) : support_notes()[0] != 0)
        fail_msg("expected a note with '%s', found '%s'", words ? words : "", support_notes());
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void what_is_easily_overlooked(void **state) {
    (void)state;
    char text[4000] = "", *p = text;
    for (int i = 0; i < 120; i++)
        p += sprintf(p, "%d %d\n", i / 12, 20 + i % 12);
    noted(text, "every edge is listed once, with source < target: if the graph is undirected, use --undirected");
    sprintf(p, "30 1\n");
    noted(text, NULL);
    noted("#python\t#java\n#java\t#rust\n", "2 lines before the first edge, such as '#python\t#java', are skipped");
    noted("#python\t#java\n", "there are no edges in it");
    noted("#python\tjava\njava\trust\n", "1 line before the first edge, such as '#python\tjava', is skipped");
    noted("%a %b\n%b %c\na b\n", "2 lines before the first edge, such as '%a %b', are skipped as comments: labels that "
                                 "begin with '%' have to be in quotes");
    noted("//a //b\na b\n", "labels that begin with '//' have to be in quotes");
    noted("a b\n//b //c\n", "lines between the edges that begin with '//', such as '//b //c', are comments");
    noted("% sym\n% 3 2 2\n%% a\n1 2\n", NULL);
    noted("# Nodes: 2 Edges: 1\n# a b\n#FromNodeId ToNodeId\n1 2\n", NULL);
    noted("1 2\n007 2\n", ":2: the id '007' has leading zeros: ids are read as text (--ids int reads them as numbers)");
    expect("1|2|3\n2|3|4\n", "3 vertices, directed, u32: 1>2:3 2>3:4"); /* as sqlite3 and psql -A write */
    expect("source|target\nann x|bob\n", "2 vertices, directed, unweighted: ann x>bob");
    expect("sp|P1 sp|P2\nsp|P2 sp|P3\n", "3 vertices, directed, unweighted: sp|P1>sp|P2 sp|P2>sp|P3");
}

static void missing_columns_are_told(void **state) {
    (void)state;
    expect_error_with("edgelist", "weight,source,target\n5,1\n", NULL, 2, 4, "end of line", "a vertex id in column 3");
    expect_error_with("edgelist", "source,target,weight\n1,2\n", NULL, 2, 4, "end of line",
                      "a weight in column 3 (--weight-column none reads none)");
}

static void delimiters(void **state) {
    (void)state;
    heddle_load_options options = defaults();
    options.delimiter = '|';
    reads_with("a b|c d|5\nc d|e|6\n", &options, "3 vertices, directed, u32: a b>c d:5 c d>e:6", "");
    reads_with("1|2|5\n2|3|6\n", &options, "3 vertices, directed, u32: 1>2:5 2>3:6", "");
    options.delimiter = ',';
    options.weight_column = 4;
    reads_with("1,2,New York,5\n2,3,Rome,6\n", &options, "3 vertices, directed, u32: 1>2:5 2>3:6", "");
    expect_error_with("edgelist", "1,2,x,5\n2 3 x 4\n", &options, 2, 1, "2 3 x 4",
                      "an integer vertex id (use --ids string for labels)");
    options.delimiter = 'x';
    refuses("1 2\n", &options, HEDDLE_E_ARGUMENT, "cannot separate columns");
    options.delimiter = ';';
    options.format = "mtx";
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    const char *matrix = "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n";
    support_assert_status(ctx, load_bytes(ctx, "mtx", matrix, strlen(matrix), &options, &graph), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "--delimiter is for edge lists");
    heddle_context_destroy(&ctx);
}

/* ---- Quotes and numbers ------------------------------------------------------------------------------------------ */

static void quotes_inside_quotes(void **state) {
    (void)state;
    reads("\"say \"\"hi\"\"\",b\nb,\"x, y\"\n\"say \"\"hi\"\"\",\"\"\"\"\n",
          "4 vertices, directed, unweighted: say \"hi\">b say \"hi\">\" b>x, y", "");
    reads("a\"b,\"a\"\"b\"\n", "1 vertices, directed, unweighted: a\"b>a\"b", "");
    reads("1,2,\"say \"\"hi\"\"\",7\n2,3,x,8\n", THREE "1>2 2>3", "column 3, ");
    reads("x\t#ai\n#ml\tx\n", "2 vertices, directed, unweighted: x>#ai", "lines between the edges that begin with '#'");
    reads("x\t#ai\n\"#ml\"\tx\n", "3 vertices, directed, unweighted: x>#ai #ml>x", "");
    expect_error_with("edgelist", "a,b\n\"c\"\"\",d\n\"e,f\n", NULL, 3, 1, "\"e,f", "a closing quote in the same line");
    expect_error_with("edgelist", "a,b\n\"c\"\"\",d\n\x01z\x02,f\n", NULL, 3, 1, "\\x01", "text");
    expect_error_with("edgelist", "a,b\n\"c\"\"\"d,e\n", NULL, 2, 6, "d", "a separator after the closing quote");
    expect_written_with("edgelist", "a\tb \"c\n\"\"\"\"\tx\"\n", NULL, "out.csv",
                        "source,target\na,\"b \"\"c\"\n\"\"\"\",x\"\n");
}

static void decimal_commas(void **state) {
    (void)state;
    const char *shown = "3 vertices, directed, f32: 1>2:0.5 2>3:-1.25", *note = "decimal commas";
    reads("1;2;0,5\n2;3;-1,25\n", shown, note);
    reads("1\t2\t0,5\n2\t3\t-1,25\n", shown, note);
    reads("1 2 0,5\n2 3 -1,25\n", shown, note);
    reads("source;target;weight\n1;2;0,5\n2;3;-1,25\n", shown, note);
    reads("bob cy -1,25\nann bob 0,5\n", "3 vertices, directed, f32: bob>cy:-1.25 ann>bob:0.5", note);
    reads("ann bob 0,5\nbob cy -1,25\n", "3 vertices, directed, f32: ann>bob:0.5 bob>cy:-1.25", note);
    reads("ann;bob;0,5\nbob;cy;-1,25\n", "3 vertices, directed, f32: ann>bob:0.5 bob>cy:-1.25", note);
    reads("1,2,5,17\n2,3,6,18\n", "3 vertices, directed, u32: 1>2:5 2>3:6", "");
    refuses("1;2;0,5\n2;3;0.5\n", NULL, HEDDLE_E_FORMAT, "decimal comma");
    expect_error_with("edgelist", "1;2;1,5\n2;3;1,234,5\n", NULL, 2, 5, "1,234,5", "a finite number as weight");
    expect_error_with("edgelist", "1,2,\"1,234\"\n", NULL, 1, 6, "1,234",
                      "a number without commas, for these separate columns");
    expect_error_with("edgelist", "1;2,3\n", NULL, 1, 3, "2,3", "an integer vertex id (use --ids string for labels)");
}

/* ---- Notes ------------------------------------------------------------------------------------------------------- */

static void undirected_in_a_comment(void **state) {
    (void)state;
    heddle_load_options options = defaults();
    const char *text = "# Undirected graph: ../data/x.txt\n# Nodes: 3 Edges: 2\n1 2\n2 3\n";
    reads(text, THREE "1>2 2>3", "'# Undirected graph: ../data/x.txt' says\n--symmetrize");
    reads("% sym unweighted\n1 2\n2 3\n", THREE "1>2 2>3", "--symmetrize");
    reads("# Directed graph\n1 2\n# undirected\n2 3\n", THREE "1>2 2>3", "");
    options.build.symmetrize = 1;
    reads_with(text, &options, "3 vertices, undirected, unweighted: 1>2 2>1 2>3 3>2", "");
}

static void times_for_weights(void **state) {
    (void)state;
    const char *note = "column 3 looks like times\n--weight-column none";
    reads("1 2 1217567877\n2 3 1217560000\n", "3 vertices, directed, u32: 1>2:1217567877 2>3:1217560000", note);
    text_buffer text = {NULL, 0, 0};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    for (int i = 0; i < 20; i++)
        add_text(&text, "%d %d %d\n", i, i + 1, 1990 + i / 2);
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    assert_non_null(strstr(support_notes(), "looks like times"));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    free(text.data);
    heddle_load_options options = defaults();
    options.weight_column = 3;
    reads_with("1 2 1217567877\n", &options, "2 vertices, directed, u32: 1>2:1217567877", "");
    reads("source target weight\n1 2 1217567877\n", "2 vertices, directed, u32: 1>2:1217567877", "header");
    assert_null(strstr(support_notes(), "times"));
    reads("1 2 3\n2 3 4\n3 4 5\n", "4 vertices, directed, u32: 1>2:3 2>3:4 3>4:5", "");
}

static void weights_on_some_lines(void **state) {
    (void)state;
    reads("1 2\n2 3 7\n3 1\n", THREE "1>2 2>3 3>1", ":2: this line has a number in a third column\n--weight-column 3");
    reads("ann bob\nbob ann 7\n", "2 vertices, directed, unweighted: ann>bob bob>ann", ":2: this line");
    reads("source,target\n1,2\n2,3,7\n", THREE "1>2 2>3", ":3: this line");
    reads("1 2\n2 3 # words\n", THREE "1>2 2>3", "");
    reads("1 2 NA\n2 3 5\n3 1 7\n", THREE "1>2 2>3 3>1", ":2: this line has a number in a third column");
    reads("1 2 road\n2 3 3rd street\n", THREE "1>2 2>3", "column 3, 'road', is not a number: edges have no weights");
    reads("id,from,to,miles\n1,1,2,NA\n2,2,3,0.5\n", THREE "1>2 2>3",
          ":3: this line has a number in a further column\n--weight-column 4");
    reads("from,to,time\n1,2,NA\n2,3,5\n", THREE "1>2 2>3", "header");
    assert_null(strstr(support_notes(), "number"));
    text_buffer text = {NULL, 0, 0};
    heddle_context *ctx = support_context(3);
    heddle_graph *graph;
    for (int i = 0; i < 60000; i++)
        add_text(&text, i == 51234 || i == 51299 ? "%d %d 9\n" : "%d %d\n", i, i + 1);
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text.data, text.bytes, NULL, &graph), HEDDLE_OK);
    assert_non_null(strstr(support_notes(), ":51235: this line"));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    free(text.data);
}

static void numbers_of_vertices_and_edges(void **state) {
    (void)state;
    const char *note = "the first line, '5 4', is read as an edge, but could be the numbers of vertices and edges";
    reads("5 4\n1 2\n2 3\n3 4\n4 5\n", "5 vertices, directed, unweighted: 1>2 2>3 3>4 4>5 5>4", note);
    reads("# c\n3 4\n0 1\n1 2\n2 0\n0 2\n", "5 vertices, directed, unweighted: 0>1 0>2 1>2 2>0 3>4", "'3 4'");
    reads("5 4\n1 2\n2 3\n3 4\n4 6\n", "6 vertices, directed, unweighted: 1>2 2>3 3>4 4>6 5>4", "");
    reads("5 4\n1 2\n2 3\n3 4\n", "5 vertices, directed, unweighted: 1>2 2>3 3>4 5>4", "");
    heddle_load_options options = defaults();
    options.header = HEDDLE_HEADER_NO;
    reads_with("3 2\n1 2\n2 3\n", &options, THREE "1>2 2>3 3>2", "");
    options.header = HEDDLE_HEADER_YES;
    reads_with("3 2\n1 2\n2 3\n", &options, THREE "1>2 2>3", "header");
}

static void nul_bytes(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    for (int i = 0; i < 1000; i++)
        add_text(&text, "1 2 x\n");
    size_t at = text.bytes;
    add_text(&text, "1 2 xyz\n1 2 x\n");
    for (int i = 0; i < 100; i++)
        add_text(&text, "1 2 x\n");
    text.data[at + 5] = '\0';
    expect_error_in("edgelist", text.data, text.bytes, NULL, 1001, 6, "\\x00", "text");
    memset(text.data + at, '\0', 7);
    expect_error_in("edgelist", text.data, text.bytes, NULL, 1001, 1, "\\x00", "text");
    free(text.data);
}

/* ---- Lists of vertices ------------------------------------------------------------------------------------------- */

static void reads_beside(const char *vertices, const char *text, const char *shown, const char *last) {
    heddle_load_options options = defaults();
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    char path[512], id[64];
    snprintf(path, sizeof path, "%s", support_write_file("vertices", vertices, strlen(vertices)));
    options.vertices_from = path;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", text, strlen(text), &options, &graph), HEDDLE_OK);
    assert_string_equal(show(ctx, graph), shown);
    heddle_graph_id_text(graph, (heddle_vertex)(heddle_graph_vertices(graph) - 1), id, sizeof id);
    assert_string_equal(id, last);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void vertices_without_edges(void **state) {
    (void)state;
    reads_beside("1\n2\n9\n\n# c\n9\n", "1 2\n2 3\n", "4 vertices, directed, unweighted: 1>2 2>3", "9");
    reads_beside("id,name\n7,x\n", "1 2\n", THREE "1>2", "7");
    reads_beside("-4\n18\n", "1 2\n", "4 vertices, directed, unweighted: 1>2", "18");
    reads_beside("18446744073709551615\n", "1 2\n", THREE "1>2", "18446744073709551615");
    reads_beside("zed\nann\nNew York\n", "ann,bob\nbob,ann\n", "4 vertices, directed, unweighted: ann>bob bob>ann",
                 "New York");
    reads_beside(":ID(P)\tage\nq \"x\"\t3\n\"r \"\"y\"\"\"\t4\n", "ann;bob\nbob;ann\n",
                 "4 vertices, directed, unweighted: ann>bob bob>ann", "r \"y\"");
    reads_beside("zed\n", "\"a \"\"b\"\"\",c\nc,c\n", THREE "a \"b\">c c>c", "zed");
    reads_beside("zed 5\n", "a b\nb a\n", THREE "a>b b>a", "zed");
}

static void vertices_that_cannot_be_read(void **state) {
    (void)state;
    heddle_load_options options = defaults();
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    char path[512];
    options.vertices_from = path;
    snprintf(path, sizeof path, "%s", support_write_file("vertices", "1\nx\n", 4));
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, &options, &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "vertices:2:1: found 'x', expected an integer vertex id");
    snprintf(path, sizeof path, "%s", support_write_file("vertices", "-1\n9223372036854775808\n", 23));
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, &options, &graph), HEDDLE_E_FORMAT);
    options.vertices = 5;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, &options, &graph), HEDDLE_E_ARGUMENT);
    options.vertices = 0;
    options.vertices_from = "/nowhere/at/all";
    support_assert_status(ctx, load_bytes(ctx, "edgelist", "1 2\n", 4, &options, &graph), HEDDLE_E_OPEN);
    heddle_context_destroy(&ctx);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static heddle_status attempt_all(heddle_context *ctx, void *user) {
    const char *text = "\"a \"\"b\"\"\",c,0.5\nc,\"d, e\",1\n";
    heddle_load_options options = defaults();
    heddle_graph *graph;
    options.vertices_from = user;
    heddle_status status = load_bytes(ctx, "edgelist", text, strlen(text), &options, &graph);
    heddle_graph_destroy(&graph);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    text_buffer text = {NULL, 0, 0};
    for (int i = 0; i < 1500; i++)
        add_text(&text, "v%d\n", i);
    snprintf(path, sizeof path, "%s", support_write_file("vertices", text.data, text.bytes));
    support_try_every_failure(attempt_all, path);
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_over_labels),
        cmocka_unit_test(first_lines_that_are_edges),
        cmocka_unit_test(the_user_knows_the_header),
        cmocka_unit_test(words_far_down_a_file),
        cmocka_unit_test(columns_by_their_names),
        cmocka_unit_test(pandas_and_neo4j),
        cmocka_unit_test(columns_of_the_users_choice),
        cmocka_unit_test(the_type_of_edges),
        cmocka_unit_test(what_is_easily_overlooked),
        cmocka_unit_test(missing_columns_are_told),
        cmocka_unit_test(delimiters),
        cmocka_unit_test(quotes_inside_quotes),
        cmocka_unit_test(decimal_commas),
        cmocka_unit_test(undirected_in_a_comment),
        cmocka_unit_test(times_for_weights),
        cmocka_unit_test(weights_on_some_lines),
        cmocka_unit_test(numbers_of_vertices_and_edges),
        cmocka_unit_test(nul_bytes),
        cmocka_unit_test(vertices_without_edges),
        cmocka_unit_test(vertices_that_cannot_be_read),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
