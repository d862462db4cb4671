/* test_device_scc.c - strongly connected components by the device's own kernels, and under named plans. */
#include "device_structure.h"

static void shapes(void **unused) {
    (void)unused;
    skip_without_device();
    check_shapes_on_device("scc", WEIGHTS_NONE, "auto");
}

static void tiny_graphs(void **unused) {
    (void)unused;
    skip_without_device();
    check_tiny_on_device("scc", WEIGHTS_NONE, 300);
}

static void large(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_on_device("scc", shape_random("random", 30000, 120000, 1, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_random("sparse", 30000, 40000, 2, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_skewed("skewed", 30000, 200000, 3, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_chain("rings in a row", 1000, 20, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_chain("rings against the numbers", 1000, 20, true), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_path("path", 20000, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_path("path backward", 20000, true), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_torus("torus", 60), WEIGHTS_NONE, "auto");
}

/* A hub that leads to more than are pushed from: those beyond look back. Some of them lead to the hub again. */
static void fan(void **unused) {
    (void)unused;
    skip_without_device();
    uint64_t wide = 70000;
    shape s = shape_new("fan", 2 * wide + 1, 4 * wide);
    for (uint64_t i = 1; i <= wide; i++) {
        shape_edge(&s, 0, i);
        shape_edge(&s, i, wide + 1 + case_hash(i) % wide);
        if (i % 3)
            shape_edge(&s, wide + i, 0);
        if (i % 5 == 0)
            shape_edge(&s, wide + i, wide + 1 + case_hash(i + wide) % wide);
    }
    check_shape_on_device("scc", s, WEIGHTS_NONE, "auto");
}

/* A road-like grid: most streets can be driven both ways. */
static void streets(void **unused) {
    (void)unused;
    skip_without_device();
    for (uint64_t seed = 0; seed < 4; seed++) {
        uint64_t side = 60;
        shape s = shape_new("streets", side * side, 4 * side * side);
        for (uint64_t v = 0; v < side * side; v++)
            for (uint64_t down = 0; down < 2; down++) {
                uint64_t w = down ? v + side : v + 1, roll = case_hash(8 * v + 2 * seed + down) % 10;
                if (down ? w >= side * side : w % side == 0)
                    continue;
                if (roll > 0 && roll != 1)
                    shape_edge(&s, v, w);
                if (roll > 0 && roll != 2 && roll != 3)
                    shape_edge(&s, w, v);
            }
        check_shape_on_device("scc", s, WEIGHTS_NONE, "auto");
    }
}

/* Searches creep along these, and are given up; signatures go from end to end. */
static void long_and_thin(void **unused) {
    (void)unused;
    skip_without_device();
    check_shape_on_device("scc", shape_path("long path", 100000, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_path("long path backward", 100000, true), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_chain("pairs in a row", 20000, 2, false), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_chain("pairs against the numbers", 20000, 2, true), WEIGHTS_NONE, "auto");
    check_shape_on_device("scc", shape_ring("ring", 3000), WEIGHTS_NONE, "auto");
}

/* Rings of eight rings of eight rings of eight, one after the other. */
static void nested_rings(void **unused) {
    (void)unused;
    skip_without_device();
    uint64_t n = 1 << 12;
    shape s = shape_new("nested rings", n, 2 * n);
    for (uint64_t size = 8; size <= 512; size *= 8)
        for (uint64_t v = 0; v < n; v += size / 8)
            shape_edge(&s, v, v / size * size + (v + size / 8) % size);
    for (uint64_t v = 0; v + 512 < n; v += 512)
        shape_edge(&s, v + 7, v + 512 + v % 300);
    check_shape_on_device("scc", s, WEIGHTS_NONE, "auto");
}

/* Sites of pages that link to the next and often back, to a page of contents and sometimes elsewhere, mostly to older
 * sites: pairs, hubs, long chains and many small components. */
static void sites(void **unused) {
    (void)unused;
    skip_without_device();
    uint64_t n = 20000;
    shape s = shape_new("sites", n, 4 * n);
    for (uint64_t v = 0; v + 1 < n; v++) {
        uint64_t site = v - v % (50 + 450 * (v / 1000 % 2)), roll = case_hash(v) % 100;
        shape_edge(&s, v, v + 1);
        if (roll < 70)
            shape_edge(&s, v + 1, v);
        if (roll % 10 == 0)
            shape_edge(&s, site, v);
        if (roll == 99)
            shape_edge(&s, v, case_hash(v + n) % (v + 1));
    }
    check_shape_on_device("scc", s, WEIGHTS_NONE, "auto");
}

static void named_plans(void **unused) {
    (void)unused;
    static const char *const plans[] = {"vwc-8", "tigr-v+"};
    skip_without_device();
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        check_shape_on_device("scc", shape_skewed("skewed", 3000, 12000, 3, false), WEIGHTS_NONE, plans[i]);
        check_shape_on_device("scc", shape_skewed("skewed both ways", 1000, 3000, 4, true), WEIGHTS_NONE, plans[i]);
        check_shape_on_device("scc", shape_chain("rings in a row", 40, 7, false), WEIGHTS_NONE, plans[i]);
        check_shape_on_device("scc", shape_chain("pairs in a row", 1500, 2, false), WEIGHTS_NONE, plans[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),       cmocka_unit_test(tiny_graphs), cmocka_unit_test(large),
        cmocka_unit_test(fan),          cmocka_unit_test(streets),     cmocka_unit_test(long_and_thin),
        cmocka_unit_test(nested_rings), cmocka_unit_test(sites),       cmocka_unit_test(named_plans),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
