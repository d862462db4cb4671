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
        cmocka_unit_test(known),       cmocka_unit_test(shapes),       cmocka_unit_test(deep_and_wide),
        cmocka_unit_test(tiny_graphs), cmocka_unit_test(wrong_values), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
