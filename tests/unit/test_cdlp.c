/* test_cdlp.c - label propagation: graphs that hurt against the reference, for 1, 2 and 7 threads and several numbers
 * of rounds; the validator; the most frequent label of a row by itself. */
#include "value_cases.h"

#include "engine/cpu/row_mode.h"

static void known(void **state) {
    (void)state;
    /* Two triangles, a vertex with a loop, one alone, and two whose labels alternate: 10 rounds bring them back. */
    static const int64_t from[] = {0, 1, 2, 3, 4, 5, 6, 8}, to[] = {1, 2, 0, 4, 5, 3, 6, 9};
    static const double both[] = {0, 0, 0, 3, 3, 3, 6, 7, 8, 9};
    check_known("cdlp", 10, 8, from, to, true, both);
}

static void shapes(void **state) {
    (void)state;
    check_values("cdlp");
    check_structure_shape("cdlp", shape_grid("grid", 200), WEIGHTS_NONE);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("cdlp", WEIGHTS_NONE, 500);
}

/* Few and many rounds: marks come into play, and labels that alternate for ever. */
static void rounds(void **state) {
    (void)state;
    heddle_context *ctx = support_context(2);
    for (int i = 0; i < STRUCTURES; i++) {
        shape s = structure_at(i);
        heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
        for (uint64_t count = 1; count <= 60; count += count < 4 ? 1 : 28) {
            heddle_run_options options;
            heddle_result *found, *expected;
            heddle_run_options_init(&options);
            options.algorithm = "cdlp";
            options.max_iterations = count;
            support_assert_status(ctx, heddle_run(ctx, graph, &options, &found), HEDDLE_OK);
            support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &expected), HEDDLE_OK);
            assert_same_result(found, expected, s.name);
            assert_same_figures(found, expected, s.name);
            support_assert_status(ctx, heddle_verify(ctx, graph, &options, found), HEDDLE_OK);
            assert_true(heddle_result_report(found)->iterations <= count);
            heddle_result_destroy(&found);
            heddle_result_destroy(&expected);
        }
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    heddle_context_destroy(&ctx);
}

/* Rows that are too long for the own tables of 7 threads, beside others: hubs with leaves of which some are shared. */
static void long_rows(void **state) {
    (void)state;
    enum { HUBS = 4, LEAVES = 12000, ALL = 40000 };
    shape s = shape_new("hubs", HUBS + ALL, HUBS * LEAVES);
    for (uint64_t h = 0; h < HUBS; h++)
        for (uint64_t k = 0; k < LEAVES; k++)
            shape_edge(&s, h, HUBS + (h * LEAVES / 2 + k) % ALL);
    check_structure_shape("cdlp", s, WEIGHTS_NONE);
}

static void wrong_values(void **state) {
    (void)state;
    check_wrong_values_of("cdlp");
}

/* Rows of all lengths around those at which another way is taken, with few and with many different labels. */
static void most_frequent(void **state) {
    (void)state;
    enum { LABELS = 5000, LONGEST = 600 };
    static heddle_vertex row[LONGEST];
    static uint32_t label[LABELS], counts[LABELS];
    heddle_context *ctx = support_context(1);
    for (int way = 0; way < 2; way++) { /* a hash table; a counter for each label */
        hd_row_mode mode;
        support_assert_status(ctx, hd_row_mode_open(ctx, way ? 2000 : LABELS * 2, LONGEST, &mode), HEDDLE_OK);
        assert_int_equal(mode.keys == NULL, way);
        for (uint64_t turn = 0; turn < 400; turn++) {
            uint64_t count = 1 + case_hash(turn) % (turn % 2 ? 40 : LONGEST),
                     different = 1 + case_hash(turn + 1) % 2000;
            uint64_t cut = case_hash(turn + 2) % (count + 1);
            uint32_t best = 0;
            memset(counts, 0, sizeof counts);
            for (uint64_t i = 0; i < LABELS; i++)
                label[i] = (uint32_t)(case_hash(turn * LABELS + i) % different);
            for (uint64_t i = 0; i < count; i++)
                counts[label[row[i] = (heddle_vertex)(case_hash(turn * 7 + i) % LABELS)]]++;
            for (uint32_t l = 1; l < 2000; l++)
                best = counts[l] > counts[best] ? l : best;
            assert_int_equal(hd_row_mode_of(&mode, label, (hd_row_part){row, cut},
                                            (hd_row_part){row + cut, count - cut}),
                             best);
        }
        hd_row_mode_close(ctx, &mode);
    }
    heddle_context_destroy(&ctx);
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("cdlp", shape_random("random", 100, 300, 1, false));
    check_no_memory("cdlp", shape_wheel("wheel", 100, 100, 1, true));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("cdlp", shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),         cmocka_unit_test(shapes),        cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(rounds),        cmocka_unit_test(long_rows),     cmocka_unit_test(wrong_values),
        cmocka_unit_test(most_frequent), cmocka_unit_test(out_of_memory), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
