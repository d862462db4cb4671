/* test_profile.c - lanes counted by instrumented kernels against those computed from the degrees: exactly the same in
 * rounds that all vertices take part in. Runs on OpenCL; where there is none it says that it was skipped. */
#include "incore_cases.h"

#include "plan/plan.h"
#include "schedule/efficiency.h"

static heddle_result *run_counting(const heddle_graph *graph, const char *algorithm, const char *plan, int profile) {
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device_name;
    options.plan = plan;
    options.max_iterations = 3;
    options.profile = profile;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    if (status != HEDDLE_OK)
        fail_msg("%s, plan %s: %s", algorithm, plan, heddle_context_error(ctx)->message);
    return result;
}

/* The slots of one round, computed. */
static uint64_t slots_of(const heddle_graph *graph, const char *text) {
    heddle_adjacency in, out;
    hd_plan plan;
    hd_efficiency sum;
    hd_plan_program facts = {.name = "pr", .add_size = 8, .value_size = 4, .message_size = 8};
    support_assert_status(ctx, hd_plan_parse(ctx, text, &plan), HEDDLE_OK);
    support_assert_status(ctx, hd_plan_fit(ctx, &facts, 32, false, true, &plan), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    hd_row_offsets rows = {heddle_graph_vertices(graph), plan.direction == HD_PULL ? in.offsets : out.offsets, NULL};
    support_assert_status(ctx, hd_efficiency_of(ctx, &rows, &plan, 8 * plan.warp, &sum), HEDDLE_OK);
    return sum.slots;
}

static void test_counted_is_computed(void **unused) {
    (void)unused;
    static const char *const plans[] = {
        "schedule=thread,direction=pull,debug=yes",
        "schedule=vwarp,width=4,direction=pull,debug=yes",
        "schedule=wseg,direction=pull,debug=yes",
        "schedule=vnode,direction=pull,debug=yes",
        "schedule=vnode,K=3,coalesced=yes,direction=pull,debug=yes",
        "schedule=vnode,mapping=dynamic,direction=pull,debug=yes",
        "schedule=edge,direction=pull,debug=yes",
        "schedule=wseg,direction=pull,warp=8,debug=yes",
        "schedule=thread,direction=push,debug=yes",
        "schedule=vnode,mapping=dynamic,direction=push,debug=yes",
        "schedule=edge,direction=push,debug=yes",
    };
    static const char *const names[] = {"rmat", "inward star", "star", "no edges"};
    skip_without_device();
    for (size_t p = 0; p < sizeof plans / sizeof *plans; p++)
        for (size_t i = 0; i < sample_count; i++)
            for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
                if (strcmp(samples[i].name, names[k]) != 0)
                    continue;
                heddle_result *result = run_counting(samples[i].graph, "pr", plans[p], 1);
                const heddle_report *report = heddle_result_report(result);
                uint64_t rounds = report->iterations, edges = heddle_graph_edges(samples[i].graph) * rounds;
                uint64_t slots = slots_of(samples[i].graph, plans[p]) * rounds;
                if (report->lanes_useful != edges || report->lanes_walked != slots)
                    fail_msg("plan %s on %s: expected %llu lanes of %llu in %llu rounds, counted %llu of %llu",
                             plans[p], names[k], (unsigned long long)edges, (unsigned long long)slots,
                             (unsigned long long)rounds, (unsigned long long)report->lanes_useful,
                             (unsigned long long)report->lanes_walked);
                if (edges)
                    assert_true(report->lanes_computed == (double)report->lanes_useful / (double)report->lanes_walked);
                heddle_result_destroy(&result);
            }
}

/* The edges of all rounds; HEDDLE_NOT_KNOWN if those of one are not known. */
static uint64_t edges_of_rounds(const heddle_result *result) {
    heddle_round round[8];
    uint64_t edges = 0, count = heddle_result_rounds(result, round, sizeof *round, 8);
    assert_true(count > 0 && count <= 8);
    for (uint64_t i = 0; i < count; i++) {
        if (round[i].edges == HEDDLE_NOT_KNOWN)
            return HEDDLE_NOT_KNOWN;
        edges += round[i].edges;
    }
    return edges;
}

/* A worklist: useful lanes are the edges walked, also those of each round, which are known only if they are counted. */
static void test_worklist(void **unused) {
    (void)unused;
    static const char *const plans[] = {
        "schedule=edge,debug=yes",
        "tigr-v,debug=yes",
        "schedule=thread,direction=push,debug=yes",
    };
    skip_without_device();
    for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
        heddle_result *result = run_counting(samples[0].graph, "sssp", plans[p], 1);
        const heddle_report *report = heddle_result_report(result);
        assert_true(report->lanes_useful > 0);
        assert_int_equal(report->lanes_useful, report->edges_walked);
        assert_int_equal(edges_of_rounds(result), report->edges_walked);
        assert_true(report->lanes_walked >= report->lanes_useful);
        assert_true(report->lanes_walked % 32 == 0);
        heddle_result_destroy(&result);
        result = run_counting(samples[0].graph, "sssp", plans[p], 0);
        assert_int_equal(edges_of_rounds(result), HEDDLE_NOT_KNOWN);
        heddle_result_destroy(&result);
    }
}

/* Shards: every entry is gathered, and its copy written, in each of the first rounds, which change all values. */
static void test_shards(void **unused) {
    (void)unused;
    static const char *const plans[] = {"cusha-gs,debug=yes", "cusha-cw,debug=yes", "cusha-gs,range=9,debug=yes",
                                        "cusha-cw,range=9,debug=yes"};
    skip_without_device();
    for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
        heddle_result *result = run_counting(samples[0].graph, "pr", plans[p], 1);
        const heddle_report *report = heddle_result_report(result);
        assert_int_equal(report->lanes_useful, 2 * heddle_graph_edges(samples[0].graph) * report->iterations);
        assert_true(report->lanes_computed == (double)report->lanes_useful / (double)report->lanes_walked);
        heddle_result_destroy(&result);
    }
}

/* Nothing is counted unless it is asked for; plan auto counts too, though an algorithm's own kernels do not. */
static void test_asked_for(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_result *result = run_counting(samples[0].graph, "pr", "schedule=wseg,debug=yes", 0);
    assert_int_equal(heddle_result_report(result)->lanes_walked, 0);
    heddle_result_destroy(&result);
    result = run_counting(samples[0].graph, "cc", "auto", 1);
    assert_true(heddle_result_report(result)->lanes_walked > 0);
    heddle_result_destroy(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_is_computed),
        cmocka_unit_test(test_worklist),
        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_asked_for),
    };
    return run_incore_tests(tests, sizeof tests / sizeof *tests);
}
