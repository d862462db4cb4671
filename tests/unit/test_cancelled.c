/* test_cancelled.c - a call that is cancelled at any of its allocations gives "cancelled" and no result, or what it
 * gives otherwise, if it was done by then: runs, references and certificates of all algorithms. */
#include "path_cases.h"

#include "base/parallel.h"

static struct {
    heddle_context *ctx;
    uint64_t left; /* allocations before the one that cancels; 0: none does */
    uint64_t seen;
} plan;

static heddle_allocator counting; /* complains of wrong sizes, and of what is written behind a block */

static void *allocate(void *user, size_t bytes, int zero) {
    (void)user;
    if (hd_fetch_add(&plan.seen, 1) + 1 == plan.left)
        heddle_context_cancel(plan.ctx);
    return counting.allocate(counting.user, bytes, zero);
}

static void release(void *user, void *block, size_t bytes) {
    (void)user;
    counting.release(counting.user, block, bytes);
}

typedef heddle_status (*call)(const heddle_graph *graph, const heddle_run_options *options, heddle_result **result);

static heddle_status run(const heddle_graph *graph, const heddle_run_options *options, heddle_result **result) {
    return heddle_run(plan.ctx, graph, options, result);
}

static heddle_status refer(const heddle_graph *graph, const heddle_run_options *options, heddle_result **result) {
    return heddle_run_reference(plan.ctx, graph, options, result);
}

static heddle_status verify(const heddle_graph *graph, const heddle_run_options *options, heddle_result **result) {
    return heddle_verify(plan.ctx, graph, options, *result);
}

/* One of the calls; those that make a result get NULL, `verify` one that nobody has verified yet. */
static heddle_status attempt(call what, const heddle_graph *graph, const heddle_run_options *options, uint64_t n) {
    heddle_result *result = NULL;
    plan.left = 0;
    if (what == verify)
        support_assert_status(plan.ctx, run(graph, options, &result), HEDDLE_OK);
    plan.seen = 0;
    plan.left = n;
    heddle_status status = what(graph, options, &result);
    plan.left = 0;
    if (status == HEDDLE_E_CANCELLED && what == verify)
        assert_int_equal(heddle_result_report(result)->verified, -1);
    else if (status == HEDDLE_E_CANCELLED)
        assert_null(result);
    heddle_result_destroy(&result);
    return status;
}

static void check(const heddle_graph *graph, const char *algorithm, call what, const char *name) {
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    options.weighted = strcmp(algorithm, "pr") == 0;
    heddle_status whole = attempt(what, graph, &options, 0);
    uint64_t allocations = plan.seen, ended = 0;
    for (uint64_t n = 1; n <= allocations; n += support_stride(7)) {
        heddle_status status = attempt(what, graph, &options, n);
        ended += status == HEDDLE_E_CANCELLED;
        if (status != whole && status != HEDDLE_E_CANCELLED)
            fail_msg("%s, %s, cancelled at allocation %llu of %llu: %s", algorithm, name, (unsigned long long)n,
                     (unsigned long long)allocations, heddle_context_error(plan.ctx)->message);
    }
    if (whole == HEDDLE_OK && allocations && !ended)
        fail_msg("%s, %s: no cancel of %llu was noticed", algorithm, name, (unsigned long long)allocations);
}

static void check_all(shape s, int threads) {
    heddle_context_options opening;
    heddle_context_options_init(&opening);
    opening.threads = threads;
    counting = support_failing_allocator(0);
    opening.allocator = (heddle_allocator){allocate, release, NULL};
    assert_int_equal(heddle_context_create(&opening, &plan.ctx), HEDDLE_OK);
    heddle_graph *graph = case_graph(plan.ctx, &s, WEIGHTS_U32);
    for (size_t i = 0; heddle_algorithm_at(i); i++) {
        const char *algorithm = heddle_algorithm_at(i)->name;
        check(graph, algorithm, run, "run");
        check(graph, algorithm, refer, "reference");
        check(graph, algorithm, verify, "certificate");
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&plan.ctx);
    assert_int_equal(support_live_blocks(), 0);
    shape_free(&s);
}

static void directed(void **state) {
    (void)state;
    check_all(shape_skewed("directed", 200, 900, 3, false), 1);
}

static void both_ways(void **state) {
    (void)state;
    check_all(shape_skewed("both ways", 200, 600, 4, true), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(directed), cmocka_unit_test(both_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
