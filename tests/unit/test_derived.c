/* test_derived.c - the cache of what is derived from a graph: what is kept, and what is freed when. */
#include "context_case.h"
#include "path_cases.h"

#include "engine/derived_graphs.h"

#include <stdlib.h>

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

/* ---- Without memory for what is kept ---------------------------------------------------------------------------- */

static uint64_t until_failure; /* allocations until one fails; 0: none does */

static void *fail_once(void *user, size_t bytes, int zero) {
    (void)user;
    if (until_failure && --until_failure == 0)
        return NULL;
    return zero ? calloc(1, bytes) : malloc(bytes);
}

static void release(void *user, void *block, size_t bytes) {
    (void)user, (void)bytes;
    free(block);
}

/* A run that fails for lack of memory frees what is kept and starts again: its result is like any other. */
static void second_attempt(void **state) {
    (void)state;
    heddle_context_options options;
    heddle_run_options run;
    heddle_context *other;
    int again = 0;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.allocator = (heddle_allocator){fail_once, release, NULL};
    support_assert_status(NULL, heddle_context_create(&options, &other), HEDDLE_OK);
    shape s = shape_at(15);
    heddle_graph *graph = case_graph(other, &s, WEIGHTS_NONE);
    shape_free(&s);
    heddle_run_options_init(&run);
    run.algorithm = "cc";
    run.device = "cpu";
    run.plan = "order=degree";
    for (uint64_t n = 1; n <= 12; n++) {
        heddle_result *first, *second;
        support_assert_status(other, heddle_run(other, graph, &run, &first), HEDDLE_OK); /* keeps the renamed graph */
        until_failure = n;
        heddle_status status = heddle_run(other, graph, &run, &second);
        bool failed = until_failure == 0;
        until_failure = 0;
        if (status == HEDDLE_OK) {
            assert_true(heddle_result_values(second)->labels);
            assert_same_result(first, second, "a second attempt");
            again += failed;
        } else
            assert_int_equal(status, HEDDLE_E_MEMORY);
        heddle_result_destroy(&first);
        heddle_result_destroy(&second);
    }
    assert_true(again > 0);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_recently_used_go_first),
                                       cmocka_unit_test(entries_go_with_their_graphs),
                                       cmocka_unit_test(second_attempt)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
