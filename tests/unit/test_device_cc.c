/* test_device_cc.c - connected components by the device's own kernels. */
#include "device_structure.h"

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    check_shapes_on_device("cc", WEIGHTS_NONE, "auto");
}

static void tiny_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    check_tiny_on_device("cc", WEIGHTS_NONE, 200);
}

/* The largest component is not the only one with a row that no warp shall walk alone. */
static void two_stars(void **unused) {
    (void)unused;
    skip_without_device();
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        shape s = shape_new("two stars", 60000, 60000);
        s.symmetric = symmetric;
        for (uint64_t v = 2; v < 60000; v++)
            shape_edge(&s, v % 3 == 0, v);
        check_shape_on_device("cc", s, WEIGHTS_NONE, "auto");
    }
}

/* Vertices are tied by their last edges only, so that nothing is decided before these are looked at. */
static void late_edges(void **unused) {
    (void)unused;
    skip_without_device();
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        shape s = shape_new("late edges", 6000, 40000);
        s.symmetric = symmetric;
        for (uint64_t v = 0; v < 6000; v++)
            for (uint64_t k = 1; k < 4; k++)
                shape_edge(&s, v, v / 4 * 4 + (v + k) % 4);
        for (uint64_t v = 0; v + 64 < 6000; v += 3)
            shape_edge(&s, v, v + 61);
        check_shape_on_device("cc", s, WEIGHTS_NONE, "auto");
    }
}

static void named_plans(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_on_device("cc", shape_skewed("a giant and dust", 2000, 6000, 11, false), WEIGHTS_NONE, "ws");
    check_shape_on_device("cc", shape_skewed("a giant and dust", 2000, 6000, 11, true), WEIGHTS_NONE, "tigr-v+");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(tiny_graphs),
                                       cmocka_unit_test(two_stars), cmocka_unit_test(late_edges),
                                       cmocka_unit_test(named_plans)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
