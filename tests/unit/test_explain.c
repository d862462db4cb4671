/* test_explain.c - heddle_explain through the public interface: plans, reasons, refusals, memory that runs out. The
 * figures themselves are test_efficiency.c's. */
#include "support.h"

#include "algorithm/algorithm.h"

#include <stdio.h>

static heddle_graph *sample(heddle_context *ctx, int weighted) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.scale = 7;
    options.weighted = weighted;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static heddle_run_options ask(const char *algorithm, const char *device, const char *plan) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.plan = plan;
    return options;
}

/* Every algorithm under every preset is explained or refused with a reason, with and without a device. */
static void test_everything(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = sample(ctx, 1);
    static const char *const devices[] = {"auto", "cpu", "cuda:31", "opencl:31"};
    const heddle_algorithm_info *info;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (size_t a = 0; (info = heddle_algorithm_at(a)); a++)
            for (size_t p = 0; heddle_plan_at(p); p++) {
                heddle_run_options options = ask(info->name, devices[d], heddle_plan_at(p));
                options.approximate = 1;
                heddle_explanation found = {.size = sizeof found};
                heddle_status status = heddle_explain(ctx, graph, &options, &found);
                if (status == HEDDLE_E_REFUSED) {
                    assert_true(strlen(heddle_context_error(ctx)->message) > 10);
                    continue;
                }
                support_assert_status(ctx, status, HEDDLE_OK);
                assert_string_equal(found.name, heddle_plan_at(p));
                const hd_algorithm *algorithm = hd_algorithm_find(info->name);
                bool program = algorithm->program != NULL;
                assert_true(found.warp == 32 && found.reason_count >= 1);
                uint32_t streamed = 0; /* coo, which programs that pull cannot have */
                for (uint32_t i = 0; i < found.row_count; i++)
                    streamed += strcmp(found.rows[i].name, "coo") == 0;
                assert_int_equal(found.row_count - streamed, program ? 13 : hd_executors_scheduled(algorithm) ? 11 : 0);
                for (uint32_t i = 0; i < found.row_count; i++) {
                    const heddle_schedule_row *row = &found.rows[i];
                    assert_true(row->lanes_walked >= row->lanes_useful && row->lanes_walked % 32 == 0);
                    assert_true(row->lane_efficiency > 0 && row->lane_efficiency <= 1);
                    assert_true(row->edge_transactions >= 0.125 && row->edge_transactions <= 2);
                    assert_true(strncmp(row->name, "shard", 5) == 0 ? row->transactions > row->edge_transactions
                                                                    : row->transactions == row->edge_transactions + 1);
                    assert_true(row->device_bytes || (!program && strcmp(row->name, "vnode dynamic") == 0));
                }
            }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* A plan that is named in a row is one: the row's own schedule is what it resolves to. */
static void test_rows_are_plans(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = sample(ctx, 0);
    heddle_run_options options = ask("bfs", "cuda:31", "auto");
    heddle_explanation all = {.size = sizeof all}, one = {.size = sizeof one};
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &all), HEDDLE_OK);
    for (uint32_t i = 0; i < all.row_count; i++) {
        options.plan = all.rows[i].plan;
        support_assert_status(ctx, heddle_explain(ctx, graph, &options, &one), HEDDLE_OK);
        if (strncmp(all.rows[i].name, one.schedule, strlen(one.schedule)) != 0)
            fail_msg("plan %s: expected schedule %s, found %s", options.plan, all.rows[i].name, one.schedule);
        assert_int_equal(one.rows[i].device_bytes, all.rows[i].device_bytes);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* What a plan says about itself is what was asked for. */
static void test_words(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = sample(ctx, 0);
    heddle_explanation found = {.size = sizeof found};
    heddle_run_options options = ask("bfs", "cuda:31", "ws,sync=strict,direction=pull,worklist=no");
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_OK);
    assert_string_equal(found.sync, "strict");
    assert_string_equal(found.direction, "pull");
    assert_string_equal(found.worklist, "no");
    options.plan = "ws,sync=relaxed,direction=push,worklist=yes";
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_OK);
    assert_string_equal(found.sync, "relaxed");
    assert_string_equal(found.direction, "push");
    assert_string_equal(found.worklist, "yes");
    assert_string_equal(found.exchange, "none");
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_refusals(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = sample(ctx, 0);
    heddle_explanation found = {.size = sizeof found};
    heddle_run_options options = ask("frob", "auto", "auto");
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "no algorithm 'frob'");
    options = ask("pr", "opencl:31", "worklist=yes");
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "every vertex is active");
    options = ask("bfs", "foo", "auto");
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "device 'foo'");
    options = ask("bfs", "cpu", "nonsense");
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_E_ARGUMENT);
    options.size = 1;
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &found), HEDDLE_E_ARGUMENT);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_run_options options = ask(user, "cpu", "auto");
    heddle_generate_options how;
    heddle_explanation found = {.size = sizeof found};
    heddle_graph *graph;
    heddle_generate_options_init(&how);
    how.scale = 4;
    heddle_status status = heddle_graph_generate(ctx, &how, &graph);
    if (status == HEDDLE_OK)
        status = heddle_explain(ctx, graph, &options, &found);
    heddle_graph_destroy(&graph);
    return status;
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    support_try_every_failure(attempt, "pr");
    support_try_every_failure(attempt, "cc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything), cmocka_unit_test(test_rows_are_plans), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
