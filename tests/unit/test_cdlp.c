/* test_cdlp.c - label propagation, cdlp and lpa: graphs that hurt against the references, for 1, 2 and 7 threads and
 * several numbers of rounds; the validators; colours, and the most frequent label of a row, by themselves. */
#include "value_cases.h"

#include "engine/cpu/colours.h"
#include "engine/label_rank.h"

static const char *const algorithms[] = {"cdlp", "lpa"};
#define FOR_BOTH for (int a = 0; a < 2; a++)

static void known(void **state) {
    (void)state;
    /* Two triangles, a vertex with a loop, one alone, and two whose labels alternate: 10 rounds bring them back. */
    static const int64_t from[] = {0, 1, 2, 3, 4, 5, 6, 8}, to[] = {1, 2, 0, 4, 5, 3, 6, 9};
    static const double both[] = {0, 0, 0, 3, 3, 3, 6, 7, 8, 9};
    check_known("cdlp", 10, 8, from, to, true, both);
}

static void shapes(void **state) {
    (void)state;
    FOR_BOTH {
        check_values(algorithms[a]);
        check_structure_shape(algorithms[a], shape_grid("grid", a ? 60 : 200), WEIGHTS_NONE);
    }
}

static void tiny_graphs(void **state) {
    (void)state;
    FOR_BOTH check_tiny(algorithms[a], WEIGHTS_NONE, 500);
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
            options.algorithm = algorithms[count % 2];
            options.max_iterations = count;
            options.seed = count;
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
    FOR_BOTH {
        shape s = shape_new("hubs", HUBS + ALL, HUBS * LEAVES);
        for (uint64_t h = 0; h < HUBS; h++)
            for (uint64_t k = 0; k < LEAVES; k++)
                shape_edge(&s, h, HUBS + (h * LEAVES / 2 + k) % ALL);
        check_structure_shape(algorithms[a], s, WEIGHTS_NONE);
    }
}

static void wrong_values(void **state) {
    (void)state;
    FOR_BOTH check_wrong_values_of(algorithms[a]);
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

/* Of equally frequent labels the own one wins, else that of smallest rank; ranks are different. */
static void ties(void **state) {
    (void)state;
    static const uint32_t label[] = {7, 9, 7, 9, 8, 5};
    static const heddle_vertex row[] = {0, 1, 2, 3, 4};
    heddle_context *ctx = support_context(1);
    uint64_t sevens = 0;
    hd_row_mode mode;
    support_assert_status(ctx, hd_row_mode_open(ctx, 10, 5, &mode), HEDDLE_OK);
    for (uint32_t salt = 0; salt < 1000; salt++) {
        hd_row_ties own = {9, salt}, other = {8, salt};
        assert_int_equal(hd_row_mode_by(&mode, label, (hd_row_part){row, 5}, (hd_row_part){NULL, 0}, &own), 9);
        uint32_t found = hd_row_mode_by(&mode, label, (hd_row_part){row, 3}, (hd_row_part){row + 3, 2}, &other);
        assert_int_equal(found, HD_LABEL_RANK(7u, 8u, salt) < HD_LABEL_RANK(9u, 8u, salt) ? 7 : 9);
        assert_true(HD_LABEL_RANK(7u, 8u, salt) != HD_LABEL_RANK(9u, 8u, salt) && HD_LABEL_RANK(7u, 7u, salt) == 0);
        sevens += found == 7;
    }
    assert_true(sevens > 400 && sevens < 600);
    hd_row_mode_close(ctx, &mode);
    heddle_context_destroy(&ctx);
}

/* Neighbours have different colours, no vertex could have a smaller one, and threads do not matter. */
static void colours(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        heddle_vertex *first = NULL;
        uint64_t first_count = 0;
        for (const int *threads = support_threads(); *threads; threads++) {
            heddle_context *ctx = support_context(*threads);
            heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
            uint32_t *colour = calloc(s.vertices + 1, sizeof *colour);
            hd_row_modes rows;
            hd_colours found;
            support_assert_status(ctx, hd_row_modes_rows(ctx, graph, &rows), HEDDLE_OK);
            support_assert_status(ctx, hd_colours_open(&rows, 5, &found), HEDDLE_OK);
            for (uint64_t k = 0; k < found.count; k++)
                for (uint64_t p = found.starts[k]; p < found.starts[k + 1]; p++)
                    colour[found.order[p]] = (uint32_t)k + 1;
            for (uint64_t v = 0; v < s.vertices; v++) {
                assert_true(colour[v] > 0 && colour[v] <= hd_row_modes_degree(&rows, v) + 1);
                for (uint64_t e = rows.out.offsets[v]; e < rows.out.offsets[v + 1]; e++)
                    assert_true(rows.out.targets[e] == v || colour[rows.out.targets[e]] != colour[v]);
            }
            if (first) {
                assert_int_equal(found.count, first_count);
                assert_memory_equal(found.order, first, s.vertices * sizeof *first);
            } else {
                first = memcpy(malloc((s.vertices + 1) * sizeof *first), found.order, s.vertices * sizeof *first);
                first_count = found.count;
            }
            hd_colours_close(ctx, &found);
            hd_row_modes_close(&rows);
            free(colour);
            heddle_graph_destroy(&graph);
            heddle_context_destroy(&ctx);
        }
        free(first);
        shape_free(&s);
    }
}

/* Two cliques with one edge between them: they are the communities, whatever the seed. */
static void cliques(void **state) {
    (void)state;
    enum { SIZE = 8 };
    heddle_context *ctx = support_context(2);
    shape s = shape_new("two cliques", 2 * SIZE, SIZE * (SIZE - 1) + 1);
    s.symmetric = true;
    for (uint64_t i = 0; i < SIZE; i++)
        for (uint64_t k = i + 1; k < SIZE; k++) {
            shape_edge(&s, i, k);
            shape_edge(&s, SIZE + i, SIZE + k);
        }
    shape_edge(&s, 0, SIZE);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    uint64_t right = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        heddle_run_options options;
        heddle_result *result;
        heddle_run_options_init(&options);
        options.algorithm = "lpa";
        options.seed = seed;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        assert_int_equal(heddle_result_report(result)->converged, 1);
        right += hd_result_figure_of(result, "communities") == 2 && hd_result_figure_of(result, "largest") == SIZE;
        heddle_result_destroy(&result);
    }
    assert_true(right > 40); /* sometimes one label takes both */
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void out_of_memory(void **state) {
    (void)state;
    FOR_BOTH check_no_memory(algorithms[a], shape_random("random", 100, 300, 1, false));
    FOR_BOTH check_no_memory(algorithms[a], shape_wheel("wheel", 100, 100, 1, true));
}

static void cancelled(void **state) {
    (void)state;
    FOR_BOTH check_cancelled(algorithms[a], shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),         cmocka_unit_test(shapes),        cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(rounds),        cmocka_unit_test(long_rows),     cmocka_unit_test(wrong_values),
        cmocka_unit_test(most_frequent), cmocka_unit_test(out_of_memory), cmocka_unit_test(cancelled),
        cmocka_unit_test(ties),          cmocka_unit_test(colours),       cmocka_unit_test(cliques),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
