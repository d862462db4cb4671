/* test_pack.c - packed rows give back their targets. */
#include "support.h"

#include "graph/pack.h"

#include <stdlib.h>

typedef struct shape {
    uint64_t n, edges;
    uint64_t *offsets;
    uint32_t *targets;
} shape;

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Rows of the given degrees with targets below `range`. */
static shape make_rows(uint64_t n, const uint32_t *degrees, uint32_t range) {
    shape s = {.n = n, .offsets = calloc(n + 1, sizeof *s.offsets)};
    uint64_t state = 88172645463325252u;
    for (uint64_t v = 0; v < n; v++)
        s.offsets[v + 1] = s.offsets[v] + degrees[v];
    s.edges = s.offsets[n];
    s.targets = calloc(s.edges + 1, sizeof *s.targets);
    for (uint64_t e = 0; e < s.edges; e++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        s.targets[e] = (uint32_t)(state >> 20) % range;
    }
    for (uint64_t v = 0; v < n; v++)
        qsort(s.targets + s.offsets[v], degrees[v], sizeof *s.targets, by_value);
    return s;
}

static void expect_same(shape s, uint32_t blocks) {
    heddle_context *ctx = support_context(2);
    heddle_adjacency rows = {.offsets = s.offsets, .targets = s.targets};
    hd_packed packed;
    uint32_t targets[HD_PACK_MOST_BLOCKS * HD_PACK_BLOCK], each = blocks * HD_PACK_BLOCK;
    support_assert_status(ctx, hd_pack_rows(ctx, &rows, s.n, blocks, &packed), HEDDLE_OK);
    assert_int_equal(packed.chunks, (s.edges + each - 1) / each);
    for (uint64_t k = 0; k < packed.chunks; k++) {
        hd_unpack_chunk(&packed, s.offsets, s.n, k, targets);
        for (uint64_t i = 0; i < each; i++) {
            uint64_t e = k * each + i;
            uint32_t expected = s.targets[e < s.edges ? e : s.edges - 1];
            if (targets[i] != expected)
                fail_msg("chunk %lu, edge %lu: target %u instead of %u", (unsigned long)k, (unsigned long)e, targets[i],
                         expected);
        }
    }
    assert_true(packed.count <= (s.edges + each) * 36 / 32 + 16 * packed.chunks);
    hd_packed_free(ctx, &packed);
    heddle_context_destroy(&ctx);
    free(s.offsets);
    free(s.targets);
}

static void rows_of_all_lengths(void **state) {
    (void)state;
    static const uint32_t ranges[] = {1, 2, 100, 1u << 20, UINT32_MAX};
    uint32_t degrees[300];
    for (int i = 0; i < 300; i++)
        degrees[i] = i % 7 == 3 ? 0 : i % 50 == 7 ? 1000 : (uint32_t)i % 40;
    for (int i = 0; i < 5; i++) {
        expect_same(make_rows(300, degrees, ranges[i]), 31);
        expect_same(make_rows(300, degrees, ranges[i]), 1);
        expect_same(make_rows(300, degrees, ranges[i]), HD_PACK_MOST_BLOCKS);
    }
}

static void edges_of_chunks(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0, 1, 31, 32, 33, 991, 992, 993, 1984, 5000};
    for (int i = 0; i < 10; i++) {
        uint32_t degrees[6] = {0, 0, lengths[i], 0, 0, 0};
        expect_same(make_rows(6, degrees, 1u << 16), 31);
        degrees[0] = 992 - 32;
        degrees[4] = 1;
        expect_same(make_rows(6, degrees, UINT32_MAX), 31);
    }
    expect_same(make_rows(0, NULL, 1), 31);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    static const uint32_t degrees[3] = {100, 0, 3000};
    shape s = make_rows(3, degrees, 1000);
    heddle_adjacency rows = {.offsets = s.offsets, .targets = s.targets};
    hd_packed packed;
    (void)user;
    heddle_status status = hd_pack_rows(ctx, &rows, 3, 8, &packed);
    hd_packed_free(ctx, &packed);
    free(s.offsets);
    free(s.targets);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    support_try_every_failure(attempt, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_all_lengths), cmocka_unit_test(edges_of_chunks),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
