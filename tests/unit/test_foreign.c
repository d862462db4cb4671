/* test_foreign.c - files that are recognised but not read, and DOT, which is only written. */
#include "text_format.h"

#define BYTES(text) text, sizeof text - 1

static void refused(const char *name, const char *data, size_t bytes, const char *words) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_load(ctx, support_write_file(name, data, bytes), NULL, &graph),
                          HEDDLE_E_FORMAT);
    support_assert_message(ctx, words);
    support_assert_message(ctx, "which is not read: ");
    heddle_context_destroy(&ctx);
}

static void refused_by_name(void **state) {
    (void)state;
    refused("a", BYTES("<?xml version=\"1.0\"?>\n<!-- x --><gexf xmlns=\"x\"></gexf>"), "a GEXF file");
    refused("a", BYTES("<!DOCTYPE html>\n<html>"), "an HTML page");
    refused("a.svg", BYTES("<?xml version=\"1.0\"?><svg/>"), "XML, but not GraphML");
    refused("a.dot", BYTES("digraph { a -> b }"), "a DOT file");
    refused("a.txt", BYTES("// x\n/* y */ strict graph \"a b\"\n{ a -- b }"), "gv2gml");
    refused("a.txt", BYTES("digraph G{a->b}"), "a DOT file");
    refused("a.txt",
            BYTES("\xef\xbb\xbf"
                  "digraph G{a->b}"),
            "a DOT file");
    refused("a.txt", BYTES("\xef\xbb\xbfLEDA.GRAPH\n"), "a LEDA file");
    refused("a.opml", BYTES("\xef\xbb\xbf<opml> <b>\n"), "XML, but not GraphML");
    refused("a", BYTES("PAR1\x15\x04"), "read_parquet");
    refused("a.xlsx", BYTES("PK\x03\x04\x14\0\0\0\0\0xxxxxxxxxxxx[Content_Types].xml"), "an Excel workbook");
    refused("a.npz", BYTES("PK\x03\x04\x14\0\0\0\0\0xxxxxxxxxxxxdata.npy"), "a NumPy .npz archive");
    refused("a.zip", BYTES("PK\x03\x04\x14\0\0\0\0\0xxxxxxxxxxxxedges.txt"), "a zip archive");
    refused("a", BYTES("7z\xbc\xaf\x27\x1c"), "a 7z archive");
    refused("a.mat", BYTES("MATLAB 5.0 MAT-file, Platform: GLNXA64\x01"), "a MATLAB .mat file");
    refused("a", BYTES("\x89HDF\r\n\x1a\n"), "an HDF5 file");
    refused("a", BYTES("SQLite format 3\0"), "a SQLite database");
    refused("a.npy", BYTES("\x93NUMPY\x01\0"), "a NumPy .npy array");
    refused("a",
            BYTES("\xff\xfe"
                  "1\0 \0002\0"),
            "text in UTF-16");
    refused("a.nt", BYTES("<http://a> <http://b> <http://c> .\n"), "N-Triples");
    refused("web.graph", BYTES("\x01\x02\x03\x7f"), "a WebGraph");
    refused("web.properties", BYTES("#BVGraph properties\nnodes=3\n"), "ArcListASCIIGraph");
    refused("a.txt", BYTES("0 1\r1 2\r"), "carriage returns, which is not read: tr");
    refused("a.txt", BYTES(" source | target \n--------+--------\n      1 |      2\n(1 row)\n"), "psql --csv");
    refused("a.txt", BYTES("a -> b\nb -> c\n"), "lines with arrows");
    refused("a.txt", BYTES("a->b\nb->c\n"), "lines with arrows");
    refused("a.txt", BYTES("# a graph\n\na -> b\nb -> c\n"), "lines with arrows");
    refused("a.txt", BYTES("a => b\nb <-> c\nb -- c\n"), "lines with arrows");
    refused("a.txt", BYTES("a \xe2\x86\x92 b\nb \xe2\x86\x92 c\n"), "lines with arrows");
    refused("a.txt", BYTES("a=>b\n"), "lines with arrows");
    refused("a.lgl", BYTES("# 0\n1\n2\n# 1\n2\n"), "Read_Lgl");
    refused("a.csv", BYTES("0,1,1\n1,0,0\n1,0,0\n"), "an adjacency matrix (as many rows as columns)");
    refused("a.csv", BYTES("0;1;1;0\n0;0;0;1\n1;0;0;0\n0;0;1;0"), "an adjacency matrix");
    refused("a.csv", BYTES(",A,B,C\nA,0,1,0\nB,1,0,0\nC,0,0,0\n"), "an adjacency matrix with names");
    refused("a.csv", BYTES("a,b,c\n0,1,0\n1,0,0\n0,0,0\n\n"), "below their names");
    refused("a.csv", BYTES("\"\",\"A\",\"B\"\n\"A\",0,1\n\"B\",1,0\n"), "an adjacency matrix with names");
    refused("a.txt", BYTES("A B C\nA 0 1 0\nB 1 0 0\nC 0 0 0\n"), "an adjacency matrix with names");
    refused("a.tsv", BYTES("\t0\t1\t2\n0\t0\t1\t0\n1\t1\t0\t0\n2\t0\t0\t0\n"), "an adjacency matrix with names");
    refused("a", BYTES("AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n"), "a Ligra file");
}

/* With loops, and without symmetry: zeros and ones are left as evidence. */
static void large_matrix(void **state) {
    enum { SIDE = 100 };
    static char text[SIDE * SIDE * 2 + 1];
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        text[2 * i] = (char)('0' + (i % 7 == 0));
        text[2 * i + 1] = i % SIDE == SIDE - 1 ? '\n' : ',';
    }
    refused("a.csv", text, sizeof text - 1, "an adjacency matrix (as many rows as columns)");
}

static void galois(void **state) {
    (void)state;
    uint64_t file[6] = {1, 0, 1, 2, 2, 0}; /* version, size of data, vertices, edges, ends, two targets */
    refused("a.gr", (const char *)file, sizeof file, "a binary .gr file of Galois");
}

static void what_is_no_such_file(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    static const char *const texts[] = {"graph a\ngraph b\n",     "digraph graph\n",
                                        "PAR1 ORC1\nORC1 PAR1\n", "<a> <b>\n",
                                        "0 1 5\n1 2 3\n2 0 4\n",  ",source,target\n0,a,b\n1,b,a\n",
                                        "a b\r\nb c\r\n",         "1 2 3\n2 3 4\n3 4 5\n",
                                        "a - b\na c d\n",         "x a 1\na b 2\nb c 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        heddle_status status = heddle_graph_load(ctx, support_write_text("a.txt", texts[i]), NULL, &graph);
        support_assert_status(ctx, status, HEDDLE_OK);
        heddle_graph_destroy(&graph);
    }
    heddle_context_destroy(&ctx);
}

/* ---- DOT -------------------------------------------------------------------------------------------------------- */

static void expect_dot(const char *edges, bool symmetrize, const char *written) {
    heddle_context *ctx = support_context(2);
    heddle_load_options options;
    heddle_graph *graph;
    size_t bytes;
    heddle_load_options_init(&options);
    options.build.symmetrize = symmetrize;
    support_assert_status(ctx, load_bytes(ctx, "edgelist", edges, strlen(edges), &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("out.dot"), NULL), HEDDLE_OK);
    char *content = support_read_file(support_temp_path("out.dot"), &bytes);
    assert_string_equal(content, written);
    free(content);
    heddle_graph_destroy(&graph);
    support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path("out.dot"), NULL, &graph), HEDDLE_E_FORMAT);
    heddle_context_destroy(&ctx);
}

static void dot_is_written(void **state) {
    (void)state;
    expect_dot("1 2 5\n2 1 6\n", false,
               "digraph {\n  \"1\";\n  \"2\";\n  \"1\" -> \"2\" [label=\"5\"];\n  \"2\" -> \"1\" [label=\"6\"];\n}\n");
    expect_dot("a\\b c\n", true, "graph {\n  \"a\\\\b\";\n  \"c\";\n  \"a\\\\b\" -- \"c\";\n}\n");
}

static void large_graphs_are_not_drawn(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_generate_options options;
    heddle_save_options save;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    heddle_save_options_init(&save);
    options.kind = "rmat";
    options.scale = 13;
    options.degree = 16;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("big.dot"), &save), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "--to dot");
    save.format = "dot";
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("big.dot"), &save), HEDDLE_OK);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_by_name), cmocka_unit_test(large_matrix),
        cmocka_unit_test(galois),          cmocka_unit_test(what_is_no_such_file),
        cmocka_unit_test(dot_is_written),  cmocka_unit_test(large_graphs_are_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
