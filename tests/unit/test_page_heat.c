/* test_page_heat.c - which pages of edges stay on the device: as many as asked for, the hottest, in degree order the
 * last ones. */
#include "context_case.h"

#include "residency/page_heat.h"

#include <string.h>

enum { VERTICES = 1000, MOST = 512 };

static uint64_t offsets[VERTICES + 1];

static uint64_t number(const unsigned char *hot, uint64_t pages) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < pages; i++) {
        assert_true(hot[i] <= 1);
        count += hot[i];
    }
    return count;
}

static hd_paged_edges cut(uint64_t entries) {
    uint64_t all = offsets[VERTICES];
    return (hd_paged_edges){offsets, VERTICES, entries, (all + entries - 1) / entries};
}

static void test_degree_order(void **unused) {
    (void)unused;
    unsigned char hot[MOST];
    for (uint64_t v = 0; v < VERTICES; v++)
        offsets[v + 1] = offsets[v] + VERTICES / (v + 1);
    hd_paged_edges edges = cut(32);
    for (uint64_t count = 0; count <= edges.pages + 1; count++) {
        support_assert_status(ctx, hd_page_heat_choose(ctx, &edges, count, hot), HEDDLE_OK);
        uint64_t expected = count < edges.pages ? count : edges.pages;
        assert_int_equal(number(hot, edges.pages), expected);
        for (uint64_t i = 0; i < expected; i++)
            assert_int_equal(hot[edges.pages - 1 - i], 1);
    }
}

/* One hub between vertices of one edge and without any: its pages come last, the pages it shares before them. */
static void test_hub(void **unused) {
    (void)unused;
    unsigned char hot[MOST];
    for (uint64_t v = 0; v < VERTICES; v++)
        offsets[v + 1] = offsets[v] + (v == 500 ? 100 : v % 2);
    hd_paged_edges edges = cut(16); /* the hub has edges 250 to 349: pages 15 to 21, of which 16 to 20 are its own */
    support_assert_status(ctx, hd_page_heat_choose(ctx, &edges, edges.pages - 5, hot), HEDDLE_OK);
    for (uint64_t i = 0; i < edges.pages; i++)
        assert_int_equal(hot[i], i < 16 || i > 20);
    support_assert_status(ctx, hd_page_heat_choose(ctx, &edges, edges.pages - 7, hot), HEDDLE_OK);
    for (uint64_t i = 0; i < edges.pages; i++)
        assert_int_equal(hot[i], i < 15 || i > 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_degree_order), cmocka_unit_test(test_hub)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
