/* test_heads.c - heads are the neighbours of largest degree. */
#include "support.h"

#include "graph/heads.h"

static void largest_degrees_first(void **state) {
    (void)state;
    /* degrees: 0: 6, 1: 0, 2: 2, 3: 4, 4: 5, 5: 1, 6: 4 */
    static const uint64_t offsets[] = {0, 6, 6, 8, 12, 17, 18, 22};
    static const uint32_t targets[] = {1, 2, 3, 4, 5, 6, 0, 0, 0, 2, 4, 6, 0, 1, 2, 3, 5, 3, 0, 1, 2, 3};
    static const struct {
        uint32_t each, words[22];
        uint64_t count;
    } expected[] = {
        {4, {3, 0x79, 0x5d, 4, 3, 6, 2, 0, 0, 0, 2, 4, 6, 0, 3, 2, 5, 3, 0, 1, 2, 3}, 22},
        {3, {3, 0x79, 0x5d, 4, 3, 6, 0, 0, 0, 4, 6, 0, 3, 2, 3, 0, 3, 2}, 18},
        {2, {3, 0x79, 0x5d, 4, 3, 0, 0, 0, 4, 0, 3, 3, 0, 3}, 14},
        {1, {3, 0x79, 0x5d, 4, 0, 0, 0, 3, 0}, 9},
    };
    heddle_context *ctx = support_context(2);
    heddle_adjacency rows = {.offsets = offsets, .targets = targets};
    uint64_t counts[HD_MOST_HEADS + 1];
    hd_heads_count(ctx, offsets, 7, counts);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        uint32_t words[22];
        assert_int_equal(counts[expected[k].each], expected[k].count);
        hd_heads_find(ctx, &rows, offsets, 7, expected[k].each, words);
        for (uint64_t i = 0; i < expected[k].count; i++)
            if (words[i] != expected[k].words[i])
                fail_msg("%u heads, word %d: %u instead of %u", expected[k].each, (int)i, words[i],
                         expected[k].words[i]);
    }
    heddle_context_destroy(&ctx);
}

/* Groups of 32 vertices begin where the ones before end; a row of three has its last edge four times at most. */
static void groups(void **state) {
    (void)state;
    enum { N = 100 };
    uint64_t offsets[N + 1] = {0}, counts[HD_MOST_HEADS + 1];
    uint32_t targets[5 * N], words[5 * N], at;
    heddle_context *ctx = support_context(2);
    for (uint32_t v = 0; v < N; v++) {
        offsets[v + 1] = offsets[v] + v % 5;
        for (uint64_t e = offsets[v]; e < offsets[v + 1]; e++)
            targets[e] = v;
    }
    heddle_adjacency rows = {.offsets = offsets, .targets = targets};
    hd_heads_count(ctx, offsets, N, counts);
    assert_int_equal(counts[4], 4 * 3 + 20 * (1 + 2 + 4 + 4));
    hd_heads_find(ctx, &rows, offsets, N, 4, words);
    at = 12;
    for (uint32_t v = 0; v < N; v++) {
        uint32_t code = (words[v / 32 * 3 + 1] >> v % 32 & 1) + 2 * (words[v / 32 * 3 + 2] >> v % 32 & 1);
        assert_int_equal(code, v % 5 < 3 ? v % 5 : 3);
        if (v % 32 == 0)
            assert_int_equal(words[v / 32 * 3], at);
        for (uint32_t i = 0; i < (code < 3 ? code : 4); i++)
            assert_int_equal(words[at++], v);
    }
    assert_int_equal(at, counts[4]);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(largest_degrees_first), cmocka_unit_test(groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
