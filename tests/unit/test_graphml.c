/* test_graphml.c - GraphML: good files, what is wrong with bad ones, and writing them. */
#include "text_format.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
#define KEY "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
#define TAIL "</graph></graphml>"

#ifdef HD_HAVE_EXPAT

static void expect(const char *text, const char *shown) { expect_graph_with("graphml", text, NULL, shown); }

static void wrong(const char *text, uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_with("graphml", text, NULL, line, column, token, expected);
}

static void good_files(void **state) {
    (void)state;
    expect(HEAD "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b&amp;&#228;\"/>"
                "<edge source=\"a\" target=\"b&amp;&#228;\"/>" TAIL,
           "2 vertices, directed, unweighted: a>b&\xc3\xa4");
    expect("<graphml><graph edgedefault=\"undirected\"><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>"
           "<edge source=\"1\" target=\"2\"/><edge source=\"2\" target=\"2\"/>" TAIL,
           "3 vertices, undirected, unweighted: 1>2 2>1 2>2");
    expect(
        "<g:graphml xmlns:g=\"x\"><!-- a <comment> --><g:graph edgedefault='directed'><g:edge source='2' target='1'/>"
        "<g:node id='1'><g:data key='x'>text<b/></g:data></g:node><g:node id='2'/></g:graph></g:graphml>",
        "2 vertices, directed, unweighted: 2>1");
    expect("<graphml><graph edgedefault=\"undirected\"/></graphml>", "0 vertices, undirected, unweighted:");
    expect("<graphml><graph edgedefault='directed'><node xml:id='z' id='a'/><node xml:id='b'/>"
           "<edge source='a' target='b'/>" TAIL,
           "2 vertices, directed, unweighted: a>b");
    /* both sorts of edges */
    expect("<graphml><graph edgedefault=\"undirected\"><edge source=\"1\" target=\"2\"/>"
           "<edge source=\"2\" target=\"3\" directed=\"true\"/><edge source=\"3\" target=\"1\"/>" TAIL,
           "3 vertices, directed, unweighted: 1>2 1>3 2>1 2>3 3>1");
    expect("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph edgedefault=\"directed\">"
           "<edge source=\"\xe4\" target=\"b\"/>" TAIL,
           "2 vertices, directed, unweighted: \xc3\xa4>b");
}

static void weights(void **state) {
    (void)state;
    expect(HEAD KEY "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"x\">9</data>"
                    "<data key=\"d0\"> 2.5\n</data></edge><edge source=\"2\" target=\"1\"/>" TAIL,
           "2 vertices, directed, f32: 1>2:2.5 2>1:1");
    expect(HEAD
           "<key id=\"w\" for=\"edge\" attr.name=\"Weight\" attr.type=\"int\"><desc>x</desc><default>7</default></key>"
           "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"w\">5</data></edge>"
           "<edge source=\"2\" target=\"1\"/>" TAIL,
           "2 vertices, directed, u32: 1>2:5 2>1:7");
    /* an attribute of nodes is none of edges; weight goes before value */
    expect(HEAD "<key id=\"a\" for=\"node\" attr.name=\"weight\"/><key id=\"b\" for=\"edge\" attr.name=\"value\"/>"
                "<key id=\"c\" for=\"all\" attr.name=\"weight\"/><graph edgedefault=\"directed\"><node id=\"1\">"
                "<data key=\"a\">4</data></node><edge source=\"1\" target=\"2\"><data key=\"c\">6</data>"
                "<data key=\"b\">5</data><data key=\"a\">4</data></edge>" TAIL,
           "2 vertices, directed, u32: 1>2:6");
    /* NetworkX declares a key for each type of number */
    expect(HEAD "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>"
                "<key id=\"d1\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>"
                "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"d0\">4</data></edge>"
                "<edge source=\"2\" target=\"3\"><data key=\"d1\">0.5</data></edge>" TAIL,
           "3 vertices, directed, f32: 1>2:4 2>3:0.5");
    expect(HEAD "<key id=\"d9\" for=\"edge\" attr.name=\"value\"><default>3</default></key>"
                "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>"
                "<key id=\"d1\" for=\"edge\" attr.name=\"weight\"><default>7</default></key>"
                "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"d0\">4</data></edge>"
                "<edge source=\"2\" target=\"3\"><data key=\"d9\">5</data></edge>" TAIL,
           "3 vertices, directed, u32: 1>2:4 2>3:7");
    wrong(HEAD KEY
          "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"d0\">x1</data></edge>" TAIL,
          4, 74, "x1", "a finite number as weight");
    wrong(HEAD KEY "<graph edgedefault=\"directed\"><edge source=\"1\" target=\"2\"><data key=\"d0\"/></edge>" TAIL, 4,
          75, "<", "a finite number as weight");
}

/* igraph numbers its nodes, and keeps their names in an attribute. */
static void igraph_names(void **state) {
    (void)state;
#define NAMES \
    "<key id=\"v_name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/><graph edgedefault=\"directed\">"
    expect("<graphml>" NAMES "<node id=\"n0\"><data key=\"v_name\">A &amp; B</data></node>"
           "<node id=\"n1\"><data key=\"v_name\">\xc3\xa4</data></node><edge source=\"n0\" target=\"n1\"/>" TAIL,
           "2 vertices, directed, unweighted: A & B>\xc3\xa4");
    expect("<graphml>" NAMES "<node id=\"n0\"><data key=\"v_name\">x</data></node>"
           "<node id=\"n1\"><data key=\"v_name\">x</data></node><edge source=\"n0\" target=\"n1\"/>" TAIL,
           "2 vertices, directed, unweighted: n0>n1");
    expect("<graphml>" NAMES
           "<node id=\"n0\"><data key=\"v_name\"/></node><node id=\"n1\"><data key=\"v_name\">7</data>"
           "</node><edge source=\"n0\" target=\"n1\"/>" TAIL,
           "2 vertices, directed, unweighted: >7");
    wrong("<graphml>" NAMES "<node id=\"n0\"><data key=\"v_name\">x</data><data key=\"v_name\">y</data></node>", 1, 165,
          "y", "one label for each vertex");
#undef NAMES
}

static void bad_files(void **state) {
    (void)state;
    wrong("<graphml>\n<graph>\n<node id=\"1\">\n</graph></graphml>", 4, 3, "graph></graphml>",
          "XML that is well-formed (mismatched tag)");
    wrong("<graphml>\n<graph>", 2, 8, "end of file", "XML that is well-formed (no element found)");
    wrong("<gexf></gexf>", 1, 1, "<gexf", "the element graphml");
    wrong("<graphml></graphml>\n", 2, 1, "end of file", "an element graph");
    wrong("<graphml><graph></graph><graph></graph></graphml>", 1, 25, "<graph", "one graph in the file");
    wrong("<graphml><graph><node id='a'><graph>", 1, 30, "<graph",
          "no graph inside a graph (nested graphs are not supported)");
    wrong("<graphml><graph edgedefault=\"both\">", 1, 10, "<graph", "edgedefault directed or undirected");
    wrong("<graphml><graph><node/>", 1, 17, "<node", "a node with an id");
    wrong("<graphml><graph>\n<node id='ab'/><node id='ab'/>", 2, 26, "ab", "a vertex that was not declared before");
    wrong("<graphml><graph><edge source='a' target='b'><edge source='b' target='a'/></edge>", 1, 45, "<edge",
          "no edge inside an edge");
    wrong("<graphml><graph><edge source='a'/>", 1, 17, "<edge", "an edge with source and target");
    wrong("<graphml><graph><edge source='a' target='b' directed='x'/>", 1, 17, "<edge", "directed true or false");
    wrong("<graphml><graph><hyperedge/>", 1, 17, "<hyperedge", "edges of two ends (hyperedges are not supported)");
}

/* A billion laughs, and other ways to grow: declared entities are refused before any is used. */
static void entities(void **state) {
    (void)state;
    wrong("<?xml version=\"1.0\"?>\n<!DOCTYPE x [\n<!ENTITY a \"ha\">\n<!ENTITY b \"&a;&a;&a;\">]>\n"
          "<graphml><graph><node id=\"&b;\"/>" TAIL,
          3, 1, "<!ENTITY", "no declarations of entities (they are not supported)");
    wrong("<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><graphml><graph/></graphml>", 1, 14, "<!ENTITY",
          "no declarations of entities (they are not supported)");
    wrong("<graphml><graph><node id=\"&nbsp;\"/>" TAIL, 1, 17, "<node", "XML that is well-formed (undefined entity)");
}

static void deep_nesting(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, "<graphml>");
    for (int i = 0; i < 100000; i++)
        add_text(&text, "<a>");
    expect_error_in("graphml", text.data, text.bytes, NULL, 1, 775, "<a", "at most 256 elements inside each other");
    free(text.data);
}

static void other_encodings(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const char wide[] = "<\0g\0r\0a\0p\0h\0m\0l\0/\0>\0";
    support_assert_status(ctx, load_bytes(ctx, "graphml", wide, sizeof wide - 1, NULL, &graph), HEDDLE_E_UNSUPPORTED);
    support_assert_message(ctx, "iconv");
    heddle_context_destroy(&ctx);
}

static void what_is_written(void **state) {
    (void)state;
    static const char directed[] =
        HEAD "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
             "  <graph edgedefault=\"directed\">\n    <node id=\"a&amp;&quot;&lt;\"/>\n    <node id=\"\xc3\xa4\"/>\n"
             "    <edge source=\"a&amp;&quot;&lt;\" target=\"\xc3\xa4\"><data key=\"weight\">0.5</data></edge>\n"
             "  </graph>\n</graphml>\n";
    static const char undirected[] =
        HEAD "  <graph edgedefault=\"undirected\">\n    <node id=\"1\"/>\n    <node id=\"2\"/>\n"
             "    <node id=\"9\"/>\n    <edge source=\"1\" target=\"2\"/>\n  </graph>\n</graphml>\n";
    expect_written_with("graphml", directed, NULL, "out.graphml", directed);
    expect_written_with("graphml", undirected, NULL, "out.graphml", undirected);
}

static void large_graphs_come_back(void **state) {
    (void)state;
    expect_round_trip("large.graphml", 1, 1, 0, true);
    expect_round_trip("large.graphml", 0, 0, 1, true);
}

static void every_allocation_can_fail(void **state) {
    (void)state;
    text_buffer text = {NULL, 0, 0};
    add_text(&text, HEAD KEY "<graph edgedefault=\"undirected\">\n");
    for (int i = 0; i < 300; i++)
        add_text(&text, "<node id=\"v%d\"/>\n", i);
    for (int i = 0; i < 9000; i++)
        add_text(&text, "<edge source=\"v%d\" target=\"v%d\"><data key=\"d0\">%d</data></edge>\n", i % 300, i * 7 % 300,
                 i);
    add_text(&text, TAIL);
    expect_memory_errors("graphml", &text, "saved.graphml");
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(weights),
        cmocka_unit_test(igraph_names),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(entities),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(other_encodings),
        cmocka_unit_test(what_is_written),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void refused_by_name(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const char text[] = HEAD "<graph>" TAIL;
    support_assert_status(ctx, load_bytes(ctx, NULL, text, sizeof text - 1, NULL, &graph), HEDDLE_E_UNSUPPORTED);
    support_assert_message(ctx, "libexpat1-dev");
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
