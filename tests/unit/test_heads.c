/* test_heads.c - heads are the neighbours of largest degree. */
#include "support.h"

#include "graph/heads.h"

static void largest_degrees_first(void **state) {
    (void)state;
    /* degrees: 0: 6, 1: 0, 2: 2, 3: 4, 4: 5, 5: 1, 6: 4 */
    static const uint64_t offsets[] = {0, 6, 6, 8, 12, 17, 18, 22};
    static const uint32_t targets[] = {1, 2, 3, 4, 5, 6, 0, 0, 0, 2, 4, 6, 0, 1, 2, 3, 5, 3, 0, 1, 2, 3};
    enum { EACH = 4 };
    static const uint32_t expected[7][EACH] = {{4, 3, 6, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 2, 4, 6},
                                               {0, 3, 2, 5}, {3, 3, 3, 3}, {0, 1, 2, 3}};
    heddle_context *ctx = support_context(2);
    heddle_adjacency rows = {.offsets = offsets, .targets = targets};
    uint32_t heads[7 * EACH];
    hd_heads_find(ctx, &rows, offsets, 7, EACH, heads);
    for (int v = 0; v < 7; v++)
        for (int i = 0; i < EACH; i++)
            if (heads[v * EACH + i] != expected[v][i])
                fail_msg("head %d of vertex %d: %u instead of %u", i, v, heads[v * EACH + i], expected[v][i]);
    hd_heads_find(ctx, &rows, offsets, 7, 1, heads);
    for (int v = 0; v < 7; v++)
        assert_int_equal(heads[v], expected[v][0]);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(largest_degrees_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
