/* test_tc.c - triangles and clustering: graphs that hurt against the reference, for 1, 2 and 7 threads; the validators;
 * row intersection by itself. */
#include "value_cases.h"

#include "check/check_triangles.h"
#include "engine/cpu/row_set.h"

static const char *const algorithms[] = {"tc", "lcc"};
#define FOR_BOTH for (int a = 0; a < 2; a++)

static void known(void **state) {
    (void)state;
    /* 0 1 2 form a triangle, of which one edge has both directions and one is there twice; 3 hangs on it by two edges:
     * a second triangle; 4 has a loop. */
    static const int64_t from[] = {0, 1, 1, 2, 2, 3, 3, 4, 4}, to[] = {1, 0, 2, 0, 0, 0, 2, 4, 3};
    static const double triangles[] = {2, 1, 2, 1, 0};
    static const double arcs[] = {2 / 6.0, 1 / 2.0, 3 / 6.0, 1 / 6.0, 0}, both[] = {4 / 6.0, 1, 4 / 6.0, 2 / 6.0, 0};
    check_known("tc", 5, 9, from, to, false, triangles);
    check_known("tc", 5, 9, from, to, true, triangles);
    check_known("lcc", 5, 9, from, to, false, arcs);
    check_known("lcc", 5, 9, from, to, true, both);
}

static void shapes(void **state) {
    (void)state;
    FOR_BOTH check_values(algorithms[a]);
}

static void tiny_graphs(void **state) {
    (void)state;
    FOR_BOTH check_tiny(algorithms[a], WEIGHTS_NONE, 1000);
}

static void wrong_values(void **state) {
    (void)state;
    FOR_BOTH check_wrong_values_of(algorithms[a]);
}

/* With a small budget the validators look at some vertices only, say so, and still find what the degrees forbid. */
static void sampled(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_wheel("wheel", 500, 1000, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_run_options_init(&options);
    FOR_BOTH {
        heddle_result *result;
        options.algorithm = algorithms[a];
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        support_clear_notes();
        heddle_status status = (a ? hd_verify_lcc_within : hd_verify_tc_within)(ctx, graph, &options, result, 1000);
        support_assert_status(ctx, status, HEDDLE_OK);
        assert_non_null(strstr(support_last_note(), "recounted at"));
        if (a)
            ((double *)result->values)[7] = 1.5;
        else
            ((uint64_t *)result->values)[7] += UINT64_C(1) << 40;
        status = (a ? hd_verify_lcc_within : hd_verify_tc_within)(ctx, graph, &options, result, 1000);
        support_assert_status(ctx, status, HEDDLE_E_VERIFY);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* The figures are checked too, and those with most neighbours are always among the recounted if the budget allows. */
static void figures_and_hubs(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    shape s = shape_wheel("wheel", 500, 1000, 1, true);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options;
    heddle_result *result;
    uint64_t hub = 0;
    heddle_run_options_init(&options);
    options.algorithm = "tc";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    uint64_t *counts = result->values;
    for (uint64_t v = 0; v < s.vertices; v++)
        hub = counts[v] > counts[hub] ? v : hub;
    hd_result_figure_whole(result, "triangles", 1);
    support_assert_status(ctx, hd_verify_tc_within(ctx, graph, &options, result, 20000), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "the report has triangles 1: the counts give");
    counts[hub] -= 3;
    uint64_t sum = 0;
    for (uint64_t v = 0; v < s.vertices; v++)
        sum += counts[v];
    hd_result_figure_whole(result, "triangles", sum / 3);
    hd_result_figure_whole(result, "max", counts[hub]);
    support_assert_status(ctx, hd_verify_tc_within(ctx, graph, &options, result, 20000), HEDDLE_E_VERIFY);
    support_assert_message(ctx, "triangles, expected");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

/* Rows of a hub that only in-edges lead to are renamed too: what is foretold covers it, and not by far. */
static void foretold_memory(void **state) {
    (void)state;
    heddle_context_options create;
    heddle_context *ctx;
    heddle_context_options_init(&create);
    create.threads = 2;
    create.allocator = support_failing_allocator(0);
    support_assert_status(NULL, heddle_context_create(&create, &ctx), HEDDLE_OK);
    shape s = shape_star("star inward", 20000, true, false);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    shape_free(&s);
    FOR_BOTH {
        heddle_device_memory memory = {.size = sizeof memory};
        heddle_run_options options;
        heddle_result *result;
        heddle_adjacency in;
        heddle_run_options_init(&options);
        options.algorithm = algorithms[a];
        options.device = "cpu";
        support_assert_status(ctx, heddle_run_memory(ctx, graph, &options, &memory), HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK); /* what a context keeps */
        heddle_result_destroy(&result);
        support_failing_allocator(0); /* counts from here on */
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        if (support_peak_bytes() > memory.host_run + 4096 /* the result itself */ ||
            memory.host_run > 2 * support_peak_bytes())
            fail_msg("%s took %llu bytes, foretold were %llu", algorithms[a], (unsigned long long)support_peak_bytes(),
                     (unsigned long long)memory.host_run);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* ---- Row intersection ------------------------------------------------------------------------------------------- */

enum { RANGE = 4000 };

/* An ascending row of about `count` entries below RANGE. */
static uint32_t draw_row(uint64_t seed, uint32_t count, heddle_vertex *row, uint8_t *both) {
    uint32_t found = 0;
    for (heddle_vertex v = 0; v < RANGE; v++)
        if (case_hash(seed * RANGE + v) % RANGE < count) {
            both[found] = case_hash(seed * RANGE + v + 1) % 2;
            row[found++] = v;
        }
    return found;
}

static void meet_rows(hd_row_set *set, uint32_t left, uint32_t right, uint64_t seed) {
    static heddle_vertex row[RANGE], other[RANGE];
    static uint8_t both[RANGE], other_both[RANGE];
    uint32_t count = draw_row(seed, left, row, both), others = draw_row(seed + 1000, right, other, other_both);
    uint64_t expected = 0, arcs = 0, other_arcs = 0, sum = 0;
    static uint32_t tally[RANGE];
    for (uint32_t i = 0; i < count; i++) {
        tally[i] = 0;
        for (uint32_t k = 0; k < others; k++)
            if (row[i] == other[k]) {
                tally[i] += 3; /* once by itself, once in arcs of two */
                expected++, arcs += 1 + both[i], other_arcs += 1 + other_both[k];
            }
    }
    hd_row_set_take(set, row, both, count);
    assert_int_equal(hd_row_set_meet(set, other, others, count), expected);
    assert_int_equal(hd_row_set_meet_arcs(set, other, other_both, others, count, 2, &sum), arcs);
    assert_int_equal(sum, other_arcs);
    assert_memory_equal(hd_row_set_tally(set), tally, count * sizeof *tally);
    hd_row_set_drop(set);
}

/* Lengths at which each of the ways is chosen, with and without the table. */
static void intersection(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0, 1, 3, 15, 40, 300, 2000, 4000};
    heddle_context *ctx = support_context(1);
    for (int table = 0; table < 2; table++) {
        hd_row_set set;
        support_assert_status(ctx, hd_row_set_open(ctx, RANGE, RANGE, table, &set), HEDDLE_OK);
        for (size_t i = 0; i < 8; i++)
            for (size_t k = 0; k < 8; k++)
                meet_rows(&set, lengths[i], lengths[k], 8 * i + k);
        hd_row_set_close(ctx, &set);
    }
    heddle_context_destroy(&ctx);
}

static void out_of_memory(void **state) {
    (void)state;
    FOR_BOTH {
        check_no_memory(algorithms[a], shape_random("random", 100, 300, 1, false));
        check_no_memory(algorithms[a], shape_wheel("wheel", 300, 300, 1, false));
    }
}

static void cancelled(void **state) {
    (void)state;
    FOR_BOTH check_cancelled(algorithms[a], shape_wheel("wheel", 300, 300, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),
        cmocka_unit_test(shapes),
        cmocka_unit_test(tiny_graphs),
        cmocka_unit_test(sampled),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(intersection),
        cmocka_unit_test(figures_and_hubs),
        cmocka_unit_test(foretold_memory),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
