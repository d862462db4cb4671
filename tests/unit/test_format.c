/* test_format.c - finding a file's format, what is lost on the way into one, and round trips between all of them. */
#define _GNU_SOURCE
#include "context_case.h"

#include "graph/graph.h"
#include "io/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static heddle_graph *make(uint64_t n, uint64_t m, const int64_t *sources, const int64_t *targets, const void *weights,
                          heddle_weight_type type, bool symmetrize) {
    heddle_build_options options;
    heddle_graph *graph;
    heddle_build_options_init(&options);
    options.symmetrize = symmetrize;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, n, m, sources, targets, weights, type, &options, &graph),
                          HEDDLE_OK);
    return graph;
}

static heddle_status save(const heddle_graph *graph, const char *name, bool lossy) {
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.lossy = lossy;
    return heddle_graph_save(ctx, graph, support_temp_path(name), &options);
}

static heddle_graph *load(const char *name) { return load_file(support_temp_path(name)); }

/* Refused without --lossy, with `words`, and nothing written; with it, written. */
static heddle_graph *assert_lossy(const heddle_graph *graph, const char *name, const char *words) {
    unlink(support_temp_path(name));
    size_t entries = support_temp_entries();
    support_assert_status(ctx, save(graph, name, false), HEDDLE_E_LOSSY);
    support_assert_message(ctx, words);
    support_assert_message(ctx, "--lossy");
    support_assert_message(ctx, name);
    assert_int_equal(support_temp_entries(), entries);
    support_clear_notes();
    support_assert_status(ctx, save(graph, name, true), HEDDLE_OK);
    if (!strstr(support_notes(), words))
        fail_msg("expected '%s' in the notes:\n%s", words, support_notes());
    return load(name);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void the_table(void **state) {
    const hd_format *const formats[] = {&hd_format_edge_list, &hd_format_matrix_market, &hd_format_dimacs,
                                        &hd_format_metis,     &hd_format_gap,           &hd_format_hdl,
                                        &hd_format_graphml,   &hd_format_gml,           &hd_format_pajek,
                                        &hd_format_adjacency, &hd_format_json,          &hd_format_dot};
    const size_t count = sizeof formats / sizeof *formats;
    (void)state;
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(heddle_format_at(i), &formats[i]->info);
    assert_null(heddle_format_at(count));
}

static void suffixes(void **state) {
    (void)state;
    assert_true(hd_path_has_suffix("a.sg", ".sg"));
    assert_true(hd_path_has_suffix("x/y.z/a.SG.gz", ".sg"));
    assert_true(hd_path_has_suffix("a.sg.zst", ".sg"));
    assert_false(hd_path_has_suffix("a.wsg", ".sg"));
    assert_false(hd_path_has_suffix("a.sg/b", ".sg"));
    assert_false(hd_path_has_suffix("sg", ".sg"));
    assert_false(hd_path_has_suffix("", ".sg"));
    assert_false(hd_path_has_suffix(".gz", ".sg"));
    assert_false(hd_path_has_suffix("a.", ".sg"));
    assert_false(hd_path_has_suffix("-", ".sg"));
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static void found_by_content(void **state) {
    static const struct {
        const char *name, *text;
        uint64_t vertices, edges;
    } files[] = {
        {"found.txt", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", 3, 1},
        {"found", "p sp 4 1\na 1 2 7\n", 4, 1},
        {"found.bin", "# a comment\n0 5\n", 2, 1},
        {"found.graph", "3 1\n2\n1\n\n", 3, 2},
        {"found.el", "3 1\n2 1\n", 3, 2},
        {"found.txt", "Creator \"x\"\ngraph [ node [ id 1 ] ]", 1, 0},
        {"found.csv", "% x\n*Vertices 3\n*Edges\n1 2\n", 3, 2},
        {"found", " {\"nodes\": [{\"id\": 1}], \"links\": []}", 1, 0},
        {"found.el", "3 3\n2 3\n1 3\n1 2\n", 3, 4}, /* could be METIS: the suffix decides, … */
        {"found.edges.gz", "3 3\n2 3\n1 3\n1 2\n", 3, 4},
        {"found.graph", "3 3\n2 3\n1 3\n1 2\n", 3, 6},
        {"found.txt", "3 3\n2 3\n1 3\n1 2\n", 3, 6}, /* … and without one the better guess */
        {"found.el", "4 3\n2 3 4\n1\n1\n1\n", 4, 6}, /* cannot be an edge list */
        {"found.txt", "1 2 3 4\n2 1\n3\n4 1 2\n", 4, 6},
        {"found.adjlist", "1 2 3 4\n", 4, 3},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof files / sizeof *files; i++) { /* without and with a byte order mark */
        char text[128];
        snprintf(text, sizeof text, "%s%s", i % 2 ? "\xef\xbb\xbf" : "", files[i / 2].text);
        support_write_text(files[i / 2].name, text);
        heddle_graph *graph = load(files[i / 2].name);
        assert_int_equal(heddle_graph_vertices(graph), files[i / 2].vertices);
        assert_int_equal(heddle_graph_edges(graph), files[i / 2].edges);
        heddle_graph_destroy(&graph);
    }
}

static void not_found(void **state) {
    heddle_graph *graph;
    heddle_load_options options;
    char junk[300];
    (void)state;
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (char)(i * 37 + 200);
    heddle_load_options_init(&options);
    support_assert_status(ctx, heddle_graph_load(ctx, support_write_file("junk", junk, sizeof junk), &options, &graph),
                          HEDDLE_E_FORMAT);
    support_assert_message(ctx, "junk");
    assert_null(graph);
    options.format = "nonsense";
    assert_int_equal(heddle_graph_load(ctx, support_temp_path("junk"), &options, &graph), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "edgelist mtx dimacs metis gap hdl");
    options.format = "hdl"; /* the user's word is taken */
    assert_int_equal(heddle_graph_load(ctx, support_write_text("edges.txt", "1 2\n"), &options, &graph),
                     HEDDLE_E_FORMAT);
    support_assert_message(ctx, ".hdl");
}

static void wrong_arguments(void **state) {
    heddle_graph *graph = make(2, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, false), *other;
    heddle_load_options options;
    heddle_save_options save_options;
    (void)state;
    const char *path = support_write_text("wrong.txt", "1 2\n");
    heddle_load_options_init(&options);
    assert_int_equal(heddle_graph_load(NULL, path, &options, &other), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_graph_load(ctx, NULL, &options, &other), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_graph_load(ctx, path, &options, NULL), HEDDLE_E_ARGUMENT);
    options.size = 3;
    assert_int_equal(heddle_graph_load(ctx, path, &options, &other), HEDDLE_E_ARGUMENT);
    heddle_load_options_init(&options);
    options.build.duplicates = (heddle_duplicates)17;
    assert_int_equal(heddle_graph_load(ctx, path, &options, &other), HEDDLE_E_ARGUMENT);
    heddle_load_options_init(&options);
    options.weight_column = -4;
    assert_int_equal(heddle_graph_load(ctx, path, &options, &other), HEDDLE_E_ARGUMENT);
    heddle_save_options_init(&save_options);
    save_options.size = 0;
    assert_int_equal(heddle_graph_save(ctx, graph, path, &save_options), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_graph_save(ctx, graph, support_temp_path("a.unknown"), NULL), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, ".el .wel .txt");
    support_assert_message(ctx, ".hdl");
    assert_int_equal(heddle_graph_save(ctx, graph, support_temp_path("a.gz"), NULL), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_graph_save(ctx, graph, "-", NULL), HEDDLE_E_ARGUMENT);
    heddle_graph_destroy(&graph);
}

/* ---- Losses ----------------------------------------------------------------------------------------------------- */

static const int64_t path_sources[] = {0, 1}, path_targets[] = {1, 2};

static void direction_is_lost(void **state) {
    heddle_graph *graph = make(3, 2, path_sources, path_targets, NULL, HEDDLE_WEIGHT_NONE, false);
    (void)state;
    heddle_graph *back = assert_lossy(graph, "direction.graph", "the direction of the edges");
    assert_int_equal(heddle_graph_edges(back), 4);
    assert_false(heddle_graph_directed(back));
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

static void ids_are_lost(void **state) {
    static const int64_t sources[] = {7, -1}, targets[] = {9, 7};
    static const char *const names[] = {"ids.mtx", "ids.gr", "ids.sg"};
    heddle_graph *graph = make(0, 2, sources, targets, NULL, HEDDLE_WEIGHT_NONE, false);
    (void)state;
    for (int i = 0; i < 3; i++) {
        heddle_graph *back = assert_lossy(graph, names[i], "vertex ids");
        assert_int_equal(heddle_graph_vertices(back), 3);
        assert_int_equal(heddle_graph_edges(back), 2);
        heddle_graph_destroy(&back);
    }
    heddle_graph_destroy(&graph);
    support_write_text("names.txt", "anna bob\nbob carl\n");
    graph = load("names.txt");
    heddle_graph *back = assert_lossy(graph, "names.mtx", "string labels");
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

/* Counting from 0 or from 1 is a matter of the format, not of the graph. */
static void bases_are_changed(void **state) {
    heddle_graph *graph = make(3, 2, path_sources, path_targets, NULL, HEDDLE_WEIGHT_NONE, false);
    (void)state;
    support_assert_status(ctx, save(graph, "base.mtx", false), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "ids 0 .. 2 become 1 .. 3"));
    heddle_graph *back = load("base.mtx");
    assert_int_equal(heddle_graph_id(back, 0), 1);
    support_assert_status(ctx, save(back, "base.sg", false), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "ids 1 .. 3 become 0 .. 2"));
    heddle_graph_destroy(&back);
    back = load("base.sg");
    support_assert_same_graph(ctx, graph, back);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

static void weights_are_lost(void **state) {
    static const float fractions[] = {1.5f, 2.25f}, whole[] = {3, -4}, large[] = {1, 1e30f};
    static const uint32_t beyond[] = {1, 3000000000u};
    static const int32_t negative[] = {-2, 5};
    heddle_adjacency rows;
    (void)state;
    heddle_graph *graph = make(3, 2, path_sources, path_targets, fractions, HEDDLE_WEIGHT_F32, false);
    heddle_graph *back = assert_lossy(graph, "fraction.gr", "fractions of weights");
    support_assert_status(ctx, heddle_graph_out(ctx, back, &rows), HEDDLE_OK);
    assert_memory_equal(rows.weights, ((uint32_t[]){2, 2}), 8);
    heddle_graph_destroy(&back);
    back = assert_lossy(graph, "fraction.sg", "weights");
    assert_int_equal(heddle_graph_weight_type(back), HEDDLE_WEIGHT_NONE);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);

    graph = make(3, 2, path_sources, path_targets, whole, HEDDLE_WEIGHT_F32, false); /* nothing to lose */
    support_assert_status(ctx, save(graph, "whole.wsg", false), HEDDLE_OK);
    back = load("whole.wsg");
    support_assert_same_graph(ctx, graph, back);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);

    graph = make(3, 2, path_sources, path_targets, large, HEDDLE_WEIGHT_F32, false);
    back = assert_lossy(graph, "large.gr", "outside of its range");
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);

    graph = make(3, 2, path_sources, path_targets, beyond, HEDDLE_WEIGHT_U32, false);
    back = assert_lossy(graph, "beyond.wsg", "outside of its range");
    heddle_graph_destroy(&back);
    support_assert_status(ctx, save(graph, "beyond.gr", false), HEDDLE_OK); /* text has room for it */
    heddle_graph_destroy(&graph);

    graph = make(3, 2, path_sources, path_targets, negative, HEDDLE_WEIGHT_I32, true);
    back = assert_lossy(graph, "negative.graph", "above 0");
    assert_int_equal(heddle_graph_weight_type(back), HEDDLE_WEIGHT_NONE);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);
}

/* Every text that holds real weights gives back the same numbers, of the same type, also where the fewest digits of a
 * float are those of another double. */
static void real_weights_come_back(void **state) {
    (void)state;
    static const float single[] = {5.4099016f, 0.1f, 3, -0.5f, 1e-45f, 3.4028235e38f, 16777216, 0};
    static const double full[] = {0.1, 1.0 / 3, -5e-324, 1.7976931348623157e308, 5.4099016, 0, 1e22, 123456789.123};
    static const char *const names[] = {"r.el", "r.csv", "r.mtx", "r.graphml", "r.gml", "r.net", "r.json"};
    const int64_t sources[] = {1, 2, 3, 4, 5, 6, 7, 8}, targets[] = {2, 3, 4, 5, 6, 7, 8, 1};
    for (int wide = 0; wide < 2; wide++) {
        heddle_weight_type type = wide ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_F32;
        heddle_graph *graph = make(0, 8, sources, targets, wide ? (const void *)full : single, type, false);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            heddle_adjacency out;
            support_assert_status(ctx, save(graph, names[i], false), HEDDLE_OK);
#ifndef HD_HAVE_EXPAT
            if (strstr(names[i], "graphml"))
                continue;
#endif
            heddle_graph *back = load(names[i]);
            assert_int_equal(heddle_graph_weight_type(back), type);
            support_assert_status(ctx, heddle_graph_out(ctx, back, &out), HEDDLE_OK);
            assert_memory_equal(out.weights, wide ? (const void *)full : single, wide ? sizeof full : sizeof single);
            heddle_graph_destroy(&back);
        }
        heddle_graph_destroy(&graph);
    }
}

static void loops_and_isolated_vertices_are_lost(void **state) {
    static const int64_t sources[] = {0, 1, 3, 3}, targets[] = {1, 1, 3, 0};
    heddle_graph *graph = make(6, 4, sources, targets, NULL, HEDDLE_WEIGHT_NONE, true);
    (void)state;
    heddle_graph *back = assert_lossy(graph, "loops.graph", "2 self loops");
    assert_int_equal(heddle_graph_edges(back), 4);
    assert_int_equal(heddle_graph_vertices(back), 6);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);
    graph = make(6, 4, sources, targets, NULL, HEDDLE_WEIGHT_NONE, false);
    back = assert_lossy(graph, "isolated.el", "3 isolated vertices");
    assert_int_equal(heddle_graph_vertices(back), 3);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);
}

/* Several losses are named together, and all happen. */
static void several_losses(void **state) {
    static const int64_t sources[] = {5, 5, 6}, targets[] = {5, 6, 8};
    static const float weights[] = {0.5f, 1.5f, 2.5f};
    heddle_graph *graph = make(0, 3, sources, targets, weights, HEDDLE_WEIGHT_F32, false);
    heddle_adjacency rows;
    (void)state;
    heddle_graph *back = assert_lossy(graph, "several.graph", "ids (it counts from 1), the direction of the edges");
    support_assert_status(ctx, save(graph, "several.graph", false), HEDDLE_E_LOSSY);
    support_assert_message(ctx, "1 self loop");
    assert_int_equal(heddle_graph_edges(back), 4);
    support_assert_status(ctx, heddle_graph_out(ctx, back, &rows), HEDDLE_OK);
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);
}

/* Formats that cannot state it get both arcs; edge lists state it, in a comment or a column. */
static void undirected_is_noted(void **state) {
    heddle_graph *graph = make(3, 2, path_sources, path_targets, NULL, HEDDLE_WEIGHT_NONE, true);
    (void)state;
    support_assert_status(ctx, save(graph, "both.adjlist", false), HEDDLE_OK);
    assert_non_null(strstr(support_last_note(), "both arcs"));
    heddle_graph *back = load("both.adjlist");
    assert_int_equal(heddle_graph_edges(back), 4);
    assert_true(heddle_graph_directed(back));
    static const char *const stating[] = {"one.el", "one.csv", "one.tsv"};
    for (size_t i = 0; i < sizeof stating / sizeof *stating; i++) {
        heddle_graph_destroy(&back);
        support_assert_status(ctx, save(graph, stating[i], false), HEDDLE_OK);
        back = load(stating[i]);
        assert_int_equal(heddle_graph_edges(back), 4);
        assert_false(heddle_graph_directed(back));
    }
    heddle_graph_destroy(&graph), heddle_graph_destroy(&back);
}

/* ---- Round trips ------------------------------------------------------------------------------------------------ */

/* From each format into each other and back, over a graph that all can hold. */
static void between_all_formats(void **state) {
    static const char *const names[] = {"all.el",  "all.mtx", "all.gr",     "all.graph",
                                        "all.wsg", "all.hdl", "all.csv.gz", "all.hdl.zst"};
    static const int64_t sources[] = {0, 0, 1, 3, 2}, targets[] = {1, 2, 2, 4, 4};
    static const uint32_t weights[] = {4, 1, 7, 2, 9};
    enum { NAMES = sizeof names / sizeof *names };
    heddle_graph *graph = make(5, 5, sources, targets, weights, HEDDLE_WEIGHT_U32, true);
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        heddle_load_options options;
        heddle_load_options_init(&options);
        options.build.symmetrize = 1; /* for those that cannot say it themselves */
        heddle_status status = save(graph, names[i], false);
        if (status == HEDDLE_E_UNSUPPORTED)
            continue;
        support_assert_status(ctx, status, HEDDLE_OK);
        for (int k = 0; k < NAMES; k++) {
            heddle_graph *first, *second;
            char other[64];
            snprintf(other, sizeof other, "second-%s", names[k]);
            support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path(names[i]), &options, &first),
                                  HEDDLE_OK);
            status = save(first, other, false);
            if (status != HEDDLE_E_UNSUPPORTED) {
                support_assert_status(ctx, status, HEDDLE_OK);
                support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path(other), &options, &second),
                                      HEDDLE_OK);
                second->ids.base = first->ids.base = 0;
                support_assert_same_graph(ctx, graph, first);
                support_assert_same_graph(ctx, graph, second);
                heddle_graph_destroy(&second);
            }
            heddle_graph_destroy(&first);
        }
    }
    heddle_graph_destroy(&graph);
}

/* ---- Trouble ---------------------------------------------------------------------------------------------------- */

static heddle_status save_lossy(heddle_context *failing, void *graph) {
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.lossy = 1;
    HD_TRY(heddle_graph_save(failing, graph, support_temp_path("memory.graph"), &options));
    HD_TRY(heddle_graph_save(failing, graph, support_temp_path("memory.gr"), &options));
    return heddle_graph_save(failing, graph, support_temp_path("memory.el"), &options);
}

static void memory_fails(void **state) {
    static const int64_t sources[] = {5, 5, 6}, targets[] = {5, 6, 8};
    static const float weights[] = {0.5f, 1.5f, 2.5f};
    heddle_graph *graph = make(0, 3, sources, targets, weights, HEDDLE_WEIGHT_F32, false);
    (void)state;
    support_try_every_failure(save_lossy, graph);
    heddle_graph_destroy(&graph);
}

/* ---- A file that changes meanwhile ---------------------------------------------------------------------------- */

static const char *changing;

static void grow_file(const char *path) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("1 2\n", file);
    fclose(file);
}

/* Once, while it is being read. */
static int grow_meanwhile(void *unused, const heddle_progress *progress) {
    (void)unused, (void)progress;
    if (changing)
        grow_file(changing);
    changing = NULL;
    return 0;
}

static void changed_while_read(void **state) {
    (void)state;
    static const char *const texts[] = {"0 1\n1 2\n", "0 1\n1 x\n"}; /* the second is an error too */
    heddle_context_options options;
    heddle_context *watching;
    heddle_context_options_init(&options);
    options.progress = grow_meanwhile;
    assert_int_equal(heddle_context_create(&options, &watching), HEDDLE_OK);
    for (size_t i = 0; i < 2; i++) {
        const char *path = support_write_text("changing.txt", texts[i]);
        heddle_graph *graph;
        changing = path;
        support_assert_status(watching, heddle_graph_load(watching, path, NULL, &graph), HEDDLE_E_READ);
        support_assert_message(watching, "the file changed while it was read");
        support_assert_message(watching, "changing.txt");
        assert_null(graph);
        unlink(path);
    }
    heddle_context_destroy(&watching);
}

/* Before its parts are looked at for the first time. Another file of the same name is another file. */
static void changed_before_first_use(void **state) {
    (void)state;
    static const int64_t sources[] = {0, 1, 2}, targets[] = {1, 2, 0};
    heddle_graph *graph = make(3, 3, sources, targets, NULL, HEDDLE_WEIGHT_NONE, false), *back;
    heddle_adjacency rows;
    support_assert_status(ctx, save(graph, "changing.hdl", false), HEDDLE_OK);
    back = load("changing.hdl");
    grow_file(support_temp_path("changing.hdl"));
    for (int i = 0; i < 2; i++)
        support_assert_status(ctx, heddle_graph_out(ctx, back, &rows), HEDDLE_E_READ);
    support_assert_message(ctx, "the file changed while it was read");
    heddle_graph_destroy(&back);
    support_assert_status(ctx, save(graph, "changing.hdl", false), HEDDLE_OK);
    back = load("changing.hdl");
    support_assert_status(ctx, save(graph, "changing.hdl", false), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, back, &rows), HEDDLE_OK);
    heddle_graph_destroy(&back);
    heddle_graph_destroy(&graph);
    unlink(support_temp_path("changing.hdl"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table),
        cmocka_unit_test(suffixes),
        cmocka_unit_test(found_by_content),
        cmocka_unit_test(not_found),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(direction_is_lost),
        cmocka_unit_test(ids_are_lost),
        cmocka_unit_test(bases_are_changed),
        cmocka_unit_test(weights_are_lost),
        cmocka_unit_test(loops_and_isolated_vertices_are_lost),
        cmocka_unit_test(real_weights_come_back),
        cmocka_unit_test(several_losses),
        cmocka_unit_test(undirected_is_noted),
        cmocka_unit_test(between_all_formats),
        cmocka_unit_test(memory_fails),
        cmocka_unit_test(changed_while_read),
        cmocka_unit_test(changed_before_first_use),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
