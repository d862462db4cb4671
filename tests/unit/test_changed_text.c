/* test_changed_text.c - small files of the text formats, cut at every length and with every byte replaced by others:
 * how many of them are read, what those graphs are, and where the errors of the others lie, is recorded here. A
 * reader that takes more or less than before, or names another place, shows in these sums; whether the new ones are
 * right is for the tests of the format to say. GraphML is left out: its errors lie where the version of expat says. */
#include "text_format.h"

typedef struct sums {
    uint64_t read, edges, shown, lines, columns; /* shown: all characters of the graphs as text */
} sums;

typedef struct sample {
    const char *format, *text;
    sums expected;
    heddle_id_choice ids;
    const char *columns;
} sample;

static const sample samples[] = {
    {"edgelist",
     "# nodes: 4\n0 1 5\n1\t2 -7\r\n\n2,3,1e2\n3 0 .5 # end\n",
     {235, 855, 841644, 1039, 898},
     HEDDLE_IDS_AUTO,
     NULL},
    {"edgelist", "a b\nb c\n\"d e\" a\nc \"x\"\"y\"\n", {131, 489, 585589, 360, 517}, HEDDLE_IDS_AUTO, NULL},
    {"edgelist", "source,target,weight\n1,2,3\n4,1,2\n7,4,9\n", {215, 594, 681204, 477, 644}, HEDDLE_IDS_AUTO, NULL},
    {"edgelist",
     "when;to;from\n11;2;-3\n12;\"5\";2\n",
     {41, 75, 118540, 460, 728},
     HEDDLE_IDS_INTEGER,
     "source=from,target=to,weight=when"},
    {"edgelist", "18446744073709551615 0\n007 12\n0 -0\n", {218, 639, 1059942, 226, 1165}, HEDDLE_IDS_STRING, NULL},
    {"adjlist", "#list\na b c\nb c\nd a\n\n# c\nc\n", {262, 951, 1086640, 28, 7}, HEDDLE_IDS_AUTO, NULL},
    {"adjlist", "A\tB, C,D\nB\tA\n", {120, 424, 471403, 12, 34}, HEDDLE_IDS_AUTO, NULL},
    {"dimacs", "c road\np sp 4 3\na 1 2 7\na 2 3 0\na 4 1 90\n", {73, 219, 231862, 1098, 1392}, HEDDLE_IDS_AUTO, NULL},
    {"mtx",
     "%%MatrixMarket matrix coordinate real general\n% c\n3 3 3\n1 2 .5\n2 3 -1e3\n3 1 4\n",
     {55, 165, 185819, 1626, 9541},
     HEDDLE_IDS_AUTO,
     NULL},
    {"mtx",
     "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
     {16, 48, 62128, 873, 11062},
     HEDDLE_IDS_AUTO,
     NULL},
    {"metis", "% c\n3 3 011\n1 2 5 3 6\n1 1 5 3 7\n9 1 6 2 7\n", {44, 264, 188261, 1254, 1563}, HEDDLE_IDS_AUTO, NULL},
    {"pajek",
     "*Network x\n*Vertices 3\n1 \"a b\" 0.1\n2 c\n*arcs\n1 2 3\n*Edges\n2 3 .5\n*arcslist\n3 1 2\n",
     {182, 770, 677966, 3256, 1146},
     HEDDLE_IDS_AUTO,
     NULL},
    {"gml",
     "graph [\n directed 1\n node [ id 1 label \"a&amp;\" ]\n node [ id -2 ]\n"
     " edge [ source 1 target -2 weight 2.5 ]\n] # c\n",
     {412, 431, 1159243, 3022, 8882},
     HEDDLE_IDS_AUTO,
     NULL},
    {"json",
     "{\"directed\": true, \"nodes\": [{\"id\": \"a\\u00e9\"}, {\"id\": 2}],\n"
     " \"links\": [{\"source\": \"a\\u00e9\", \"target\": 2, \"weight\": -1.5, \"k\": [null]}]}\n",
     {358, 379, 1181493, 1648, 33563},
     HEDDLE_IDS_AUTO,
     NULL},
};

static void count(heddle_context *ctx, const sample *s, const char *data, size_t bytes, sums *found) {
    heddle_load_options options;
    heddle_graph *graph;
    heddle_load_options_init(&options);
    options.ids = s->ids;
    options.columns = s->columns;
    heddle_status status = load_bytes(ctx, s->format, data, bytes, &options, &graph);
    if (status == HEDDLE_OK) {
        found->read++;
        found->edges += heddle_graph_edges(graph);
        for (const char *p = show(ctx, graph); *p; p++)
            found->shown += (unsigned char)*p;
        heddle_graph_destroy(&graph);
        return;
    }
    const heddle_error *error = heddle_context_error(ctx);
    assert_null(graph);
    if (status != HEDDLE_E_FORMAT && status != HEDDLE_E_LIMIT && status != HEDDLE_E_WEIGHT &&
        status != HEDDLE_E_ARGUMENT)
        fail_msg("%s: %s\n%.*s", s->format, error->message, (int)bytes, data);
    found->lines += error->line;
    found->columns += error->column;
}

/* Cut at every length, or one byte replaced. */
static void every_change(void **state) {
    static const char others[] = {'\n', ' ', '0', '-', '.', ',', '"', 'x', '\xff'};
    heddle_context *ctx = support_context(1);
    bool same = true;
    (void)state;
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        const sample *s = &samples[k];
        size_t bytes = strlen(s->text);
        sums found = {0};
        char data[512];
        assert_true(bytes < sizeof data);
        for (size_t at = 0; at < bytes; at++) {
            memcpy(data, s->text, bytes);
            count(ctx, s, data, at, &found);
            for (size_t i = 0; i < sizeof others; i++) {
                data[at] = others[i];
                count(ctx, s, data, bytes, &found);
            }
        }
        if (memcmp(&found, &s->expected, sizeof found) == 0)
            continue;
        same = false;
        print_error("%s, file %llu: {%llu, %llu, %llu, %llu, %llu}\n", s->format, (unsigned long long)k,
                    (unsigned long long)found.read, (unsigned long long)found.edges, (unsigned long long)found.shown,
                    (unsigned long long)found.lines, (unsigned long long)found.columns);
    }
    assert_true(same);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
