/* test_derived.c - the cache of what is derived from a graph: what is kept, and what is freed when. */
#include "context_case.h"
#include "path_cases.h"

#include "engine/derived_graphs.h"

static heddle_graph *skewed(void) {
    shape s = shape_at(15);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    shape_free(&s);
    return graph;
}

static const heddle_graph *split(const heddle_graph *graph, uint32_t K, bool expect_fresh) {
    hd_split_options options = {.transform = &hd_transform_udt, .K = K};
    const hd_derived_split *found;
    bool fresh;
    support_assert_status(ctx, hd_derived_split_of(ctx, graph, HD_SPLIT_UNCHANGED, &options, &fresh, &found),
                          HEDDLE_OK);
    assert_int_equal(fresh, expect_fresh);
    assert_non_null(found->split.graph);
    return found->split.graph;
}

static const heddle_graph *renamed(const heddle_graph *graph, bool expect_fresh) {
    heddle_report report = {.compute = 0};
    const heddle_graph *found;
    support_assert_status(ctx, hd_derived_order_of(ctx, graph, &hd_order_degree, NULL, &report, &found), HEDDLE_OK);
    assert_int_equal(report.transforming > 0, expect_fresh);
    return found;
}

static void least_recently_used_go_first(void **state) {
    heddle_graph *graph = skewed();
    uint64_t most;
    uint32_t K = 2;
    (void)state;
    hd_derived_begin(ctx, graph, false);
    most = ctx->derived_most;
    split(graph, K, true);
    while (hd_derived_bytes(ctx) <= most) /* in one run: all are in use, and stay */
        split(graph, ++K, true);
    for (uint32_t k = 2; k <= K; k++)
        split(graph, k, false);
    assert_true(hd_derived_bytes(ctx) > most);
    hd_derived_begin(ctx, graph, false); /* the next: 2 is the oldest, and is used again */
    split(graph, 2, false);
    assert_true(hd_derived_bytes(ctx) <= most);
    hd_derived_begin(ctx, graph, false);
    split(graph, 3, true);
    hd_derived_begin(ctx, graph, false);
    split(graph, 2, false);
    heddle_graph_destroy(&graph);
}

/* A split of a renamed graph goes with it, and everything goes when another graph comes. */
static void entries_go_with_their_graphs(void **state) {
    heddle_graph *graph = skewed(), *other = skewed();
    const hd_order *order = &hd_order_degree;
    (void)state;
    hd_derived_begin(ctx, graph, false);
    split(renamed(graph, true), 3, true);
    split(graph, 3, true);
    hd_derived_begin(ctx, graph, false);
    split(renamed(graph, false), 3, false);
    hd_derived_drop_of(ctx, hd_derived_order_ready(ctx, graph, order));
    split(renamed(graph, false), 3, true);
    hd_derived_drop_of(ctx, graph);
    assert_null(hd_derived_order_ready(ctx, graph, order));
    assert_null(ctx->derived);
    split(renamed(graph, true), 3, true);
    hd_derived_begin(ctx, other, false);
    assert_int_equal(hd_derived_bytes(ctx), 0);
    split(other, 3, true);
    hd_derived_begin(ctx, other, true); /* under a memory limit */
    assert_int_equal(hd_derived_bytes(ctx), 0);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_recently_used_go_first),
                                       cmocka_unit_test(entries_go_with_their_graphs)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
