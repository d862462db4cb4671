/* test_pairs.c - the sample that tells how much symmetrising drops, and the two ways of building that it chooses
 * from. */
#include "graph/pairs.h"

#include "support.h"

#include <stdlib.h>

static double kept_of(const uint64_t (*edges)[2], size_t count, bool parallel) {
    heddle_context *ctx = support_context(1);
    hd_pairs pairs = {.marks = NULL};
    for (size_t i = 0; i < count; i++) {
        uint64_t a = edges[i][0], b = edges[i][1];
        assert_true(hd_pairs_add(ctx, &pairs, (hd_pair_hash(a, b) & ~UINT64_C(1)) | (a > b)));
    }
    double kept = hd_pairs_kept(&pairs, parallel);
    hd_pairs_free(ctx, &pairs);
    heddle_context_destroy(&ctx);
    return kept;
}

static void what_is_kept(void **unused) {
    (void)unused;
    static const uint64_t edges[][2] = {{1, 2}, {2, 1}, {7, 3}, {7, 3}, {4, 9}, {5, 6}, {6, 5}, {6, 5}};
    assert_true(kept_of(edges, 0, true) == 1);
    assert_true(kept_of(edges, 1, true) == 1);
    assert_true(kept_of(edges, 2, true) == 0.5);         /* both directions are one edge */
    assert_true(kept_of(edges, 4, true) == 3.0 / 4);     /* 1-2, and 3-7 twice */
    assert_true(kept_of(edges, 4, false) == 2.0 / 4);    /* and once */
    assert_true(kept_of(edges + 5, 3, true) == 2.0 / 3); /* one of two has a partner */
    static const uint64_t apart[][2] = {{1, 2}, {7, 3}, {4, 9}, {2, 1}, {5, 6}, {7, 3}, {9, 4}, {6, 5}};
    assert_true(kept_of(apart, 8, true) == 5.0 / 8); /* wherever they stand */
    assert_true(kept_of(apart, 8, false) == 4.0 / 8);
}

static void few_are_sampled(void **unused) {
    (void)unused;
    uint64_t limit = hd_pairs_limit(UINT64_C(1) << 30), hits = 0;
    assert_true(hd_pairs_limit(1000) == UINT64_MAX);
    for (uint64_t i = 0; i < 1 << 20; i++)
        hits += hd_pair_hash(i % 1024, 5000 + i / 1024) <= limit;
    assert_in_range(hits, 16, 64); /* 32 expected: one in 2^15 */
    assert_true(hd_pair_hash(3, 8) == hd_pair_hash(8, 3));
}

/* A graph of edges i -> i + 1 .. i + 4, each once, and once more with the reverse edges in the list: the second is
 * built in two rounds, the first in one. */
static heddle_graph *build(heddle_context *ctx, uint64_t vertices, bool both) {
    uint64_t count = 0, room = vertices * 8;
    int64_t *from = malloc(room * sizeof *from), *to = malloc(room * sizeof *to);
    heddle_build_options options;
    heddle_graph *graph;
    heddle_build_options_init(&options);
    options.symmetrize = 1;
    for (uint64_t v = 0; v < vertices; v++)
        for (uint64_t d = 1; d <= 4; d++)
            for (int back = 0; back <= both; back++) {
                uint64_t w = (v + d) % vertices;
                from[count] = (int64_t)(back ? w : v);
                to[count++] = (int64_t)(back ? v : w);
            }
    assert_int_equal(heddle_graph_from_edges(ctx, 0, count, from, to, NULL, HEDDLE_WEIGHT_NONE, &options, &graph),
                     HEDDLE_OK);
    free(from);
    free(to);
    return graph;
}

static void same_either_way(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *once = build(ctx, 50000, false), *twice = build(ctx, 50000, true);
    heddle_adjacency a, b;
    assert_int_equal(heddle_graph_edges(once), 400000);
    assert_int_equal(heddle_graph_edges(twice), 400000);
    assert_int_equal(heddle_graph_out(ctx, once, &a), HEDDLE_OK);
    assert_int_equal(heddle_graph_out(ctx, twice, &b), HEDDLE_OK);
    assert_memory_equal(a.offsets, b.offsets, 50001 * sizeof *a.offsets);
    assert_memory_equal(a.targets, b.targets, 400000 * sizeof *a.targets);
    heddle_graph_destroy(&once);
    heddle_graph_destroy(&twice);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_kept), cmocka_unit_test(few_are_sampled),
                                       cmocka_unit_test(same_either_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
