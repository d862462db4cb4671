/* test_kcore.c - core numbers: graphs that hurt against the reference, for 1, 2 and 7 threads; the validator. */
#include "value_cases.h"

static void known(void **state) {
    (void)state;
    /* A clique of 4 with an edge in both directions and one twice, a cycle that hangs on it, a tail, a loop. */
    static const int64_t from[] = {0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 5, 5, 6, 7},
                         to[] = {1, 2, 3, 2, 3, 3, 2, 2, 4, 5, 3, 6, 6, 7};
    static const double cores[] = {3, 3, 3, 3, 2, 2, 1, 0, 0};
    check_known("kcore", 9, 14, from, to, false, cores);
    check_known("kcore", 9, 14, from, to, true, cores);
}

static void shapes(void **state) {
    (void)state;
    check_values("kcore");
}

/* Many levels, long chains of removals, and steps that all threads share. */
static void deep_and_wide(void **state) {
    (void)state;
    check_structure_shape("kcore", shape_path("long path", support_large(400000), false), WEIGHTS_NONE);
    check_structure_shape("kcore", shape_star("large star", support_large(400000), false, false), WEIGHTS_NONE);
    check_structure_shape("kcore", shape_grid("grid", 300), WEIGHTS_NONE);
    check_structure_shape("kcore", shape_random("random", 60000, 240000, 5, false), WEIGHTS_NONE);
}

/* Paths a - w - b. Threads remove pieces of 64 vertices, in the order of their ids, and where the a of one piece come
 * to their w from the first to the last, the b of the next come to them from the last to the first: two threads meet at
 * one w in each pair of pieces, and both lower it, which only one of them may. */
static void lowered_at_once(void **state) {
    (void)state;
    enum { PIECE = 64 };
    uint64_t pairs = support_large(1 << 17);
    shape s = shape_new("paths of three", 3 * pairs, 2 * pairs);
    heddle_context *ctx = support_context(2);
    for (uint64_t leaf = 0; leaf < 2 * pairs; leaf++) {
        uint64_t place = leaf / PIECE % 2 ? PIECE - 1 - leaf % PIECE : leaf % PIECE;
        shape_edge(&s, leaf, 2 * pairs + leaf / (2 * PIECE) * PIECE + place);
    }
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_run_options options = support_run_options("kcore", "cpu", "auto");
    for (int round = 0; round < 64; round++) {
        heddle_result *result;
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        for (uint64_t v = 0; v < s.vertices; v++)
            assert_true(((const uint32_t *)heddle_result_values(result)->data)[v] == 1);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    shape_free(&s);
}

static void tiny_graphs(void **state) {
    (void)state;
    check_tiny("kcore", WEIGHTS_NONE, 1000);
}

static void wrong_values(void **state) {
    (void)state;
    check_wrong_values_of("kcore");
}

static void out_of_memory(void **state) {
    (void)state;
    check_no_memory("kcore", shape_random("random", 100, 300, 1, false));
}

static void cancelled(void **state) {
    (void)state;
    check_cancelled("kcore", shape_random("random", 300, 900, 1, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known),       cmocka_unit_test(shapes),          cmocka_unit_test(deep_and_wide),
        cmocka_unit_test(tiny_graphs), cmocka_unit_test(wrong_values),    cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled),   cmocka_unit_test(lowered_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
