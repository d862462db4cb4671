/* test_plan.c - plans: what text means, what is filled in for a program, and what is refused with which reason. */
#include "support.h"

#include "plan/plan.h"

#include <stdio.h>

static const hd_plan_program paths = {.name = "sssp", .monotone = true, .value_size = 4, .message_size = 4};
static const hd_plan_program ranks = {.name = "pr", .sums = true, .add_size = 8, .value_size = 4, .message_size = 8};
static const hd_plan_program large = {.name = "own.c", .monotone = true, .value_size = 24, .message_size = 24};
static const hd_plan_program sums = {.name = "own.c", .mixes = true, .value_size = 4, .message_size = 12};

static hd_plan fit(heddle_context *ctx, const char *text, const hd_plan_program *program) {
    hd_plan plan;
    support_assert_status(ctx, hd_plan_parse(ctx, text, &plan), HEDDLE_OK);
    support_assert_status(ctx, hd_plan_fit(ctx, program, 32, true, true, &plan), HEDDLE_OK);
    return plan;
}

static void test_presets(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    const hd_plan_program *const programs[] = {&paths, &ranks};
    char name[32];
    for (size_t i = 0; heddle_plan_at(i); i++)
        for (size_t p = 0; p < 2;
             p++) { /* every preset means something for every program, but for sums in split shards */
            if (p == 1 && strcmp(heddle_plan_at(i), "udt-cusha") == 0)
                continue;
            hd_plan plan = fit(ctx, heddle_plan_at(i), programs[p]);
            assert_string_equal(plan.name, heddle_plan_at(i));
            assert_true(plan.schedule && plan.direction && plan.worklist && plan.strict && plan.warp == 32);
        }
    hd_plan tigr = fit(ctx, "tigr-v", &paths), tigr_plus = fit(ctx, "tigr-v+", &ranks),
            wide = fit(ctx, "vwc-8", &paths);
    assert_true(tigr.K == 10 && tigr.worklist == HD_YES && tigr.strict == HD_NO && tigr.direction == HD_PUSH);
    assert_true(tigr_plus.coalesced == HD_YES && tigr_plus.worklist == HD_NO && tigr_plus.strict == HD_YES);
    assert_int_equal(tigr_plus.direction, HD_PUSH); /* sums too */
    hd_plan base = fit(ctx, "tigr-base", &paths);
    assert_true(base.schedule == &hd_schedule_thread && base.direction == HD_PUSH && base.worklist == HD_YES &&
                base.strict == HD_NO && base.transform == NULL);
    assert_true(wide.width == 8 && wide.direction == HD_PULL && wide.worklist == HD_NO);
    hd_schedule_label(&wide, name, sizeof name);
    assert_string_equal(name, "vwarp-8");
    hd_schedule_label(&tigr, name, sizeof name);
    assert_string_equal(name, "vnode");
    hd_plan shards = fit(ctx, "udt-cusha,K=8", &paths), strict = fit(ctx, "cusha-gs", &ranks);
    assert_true(shards.schedule == &hd_schedule_shard && shards.listed == HD_YES &&
                shards.transform == &hd_transform_udt);
    assert_true(shards.K == 8 && shards.strict == HD_NO && shards.direction == HD_PULL);
    assert_true(strict.listed == HD_NO && strict.strict == HD_YES && strict.host == HD_NO);
    heddle_context_destroy(&ctx);
}

static void test_keys(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    hd_plan plan = fit(ctx, "schedule=vwarp,width=4,direction=push,worklist=no,sync=strict,offsets=64", &paths);
    assert_true(plan.schedule == &hd_schedule_vwarp && plan.width == 4 && plan.direction == HD_PUSH);
    assert_true(plan.worklist == HD_NO && plan.strict == HD_YES && plan.wide_offsets == HD_YES);
    assert_string_equal(plan.name, "custom");
    plan = fit(ctx, "tigr-v,K=4,mapping=dynamic", &paths);
    assert_true(plan.K == 4 && plan.dynamic == HD_YES && strcmp(plan.name, "tigr-v") == 0);
    plan = fit(ctx, NULL, &ranks);
    assert_true(plan.direction == HD_PULL && plan.strict == HD_YES);
    plan = fit(ctx, "worklist=yes", &paths);
    assert_int_equal(plan.direction, HD_PUSH);
    plan = fit(ctx, "worklist=no", &paths);
    assert_int_equal(plan.direction, HD_PULL);
    plan = fit(ctx, "auto", &large); /* no word: no atomics on it */
    assert_true(plan.direction == HD_PULL && plan.strict == HD_YES);
    heddle_context_destroy(&ctx);
}

static void test_schedule_by_degrees(void **unused) {
    (void)unused;
    static const struct {
        uint64_t longest;
        double mean;
        const hd_schedule *schedule;
    } cases[] = {{4, 3.6, &hd_schedule_thread},
                 {17, 3.6, &hd_schedule_vnode},
                 {60, 32, &hd_schedule_wseg},
                 {100000, 30, &hd_schedule_edge},
                 {100000, 2, &hd_schedule_edge}};
    heddle_context *ctx = support_context(1);
    hd_plan_program heat = {.name = "heat", .sums = true, .add_size = 4, .value_size = 4, .message_size = 12};
    heat.longest = 100000, heat.mean_degree = 30;
    assert_int_equal(fit(ctx, NULL, &heat).schedule, &hd_schedule_vnode);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_plan_program program = ranks;
        program.longest = cases[i].longest;
        program.mean_degree = cases[i].mean;
        assert_int_equal(fit(ctx, NULL, &program).schedule, cases[i].schedule);
    }
    heddle_context_destroy(&ctx);
}

static void test_transforms(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    hd_plan plan = fit(ctx, "tigr-udt", &paths);
    assert_true(plan.transform == &hd_transform_udt && plan.schedule == &hd_schedule_thread && plan.K == 0);
    assert_true(plan.direction == HD_PUSH && plan.worklist == HD_YES && plan.strict == HD_NO);
    plan = fit(ctx, "tigr-udt,K=100", &ranks);
    assert_true(plan.direction == HD_PULL && plan.K == 100);
    plan = fit(ctx, "tigr-udt,transform=none", &paths);
    assert_null(plan.transform);
    support_assert_status(ctx, hd_plan_parse(ctx, "transform=tree", &plan), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "expected none, cliq, circ, star, udt, rstar");
    support_assert_status(ctx, hd_plan_parse(ctx, "tigr-udt,K=0", &plan), HEDDLE_E_ARGUMENT);
    heddle_context_destroy(&ctx);
}

/* What was named, and what is left of a plan for the run on a split graph. */
static void test_what_was_said(void **unused) {
    (void)unused;
    static const char *const open[] = {NULL, "auto", "order=bfs", "auto,order=none"};
    static const char *const named[] = {"auto,debug=no", "transform=none", "ws", "K=4", "ws,order=degree"};
    heddle_context *ctx = support_context(1);
    hd_plan plan;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        support_assert_status(ctx, hd_plan_parse(ctx, open[i], &plan), HEDDLE_OK);
        assert_true(hd_plan_is_auto(&plan));
        assert_string_equal(plan.name, "auto");
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        support_assert_status(ctx, hd_plan_parse(ctx, named[i], &plan), HEDDLE_OK);
        assert_false(hd_plan_is_auto(&plan));
    }
    support_assert_status(ctx, hd_plan_parse(ctx, "baseline,worklist=no", &plan), HEDDLE_OK);
    assert_true(plan.given ==
                (HD_GIVEN_PRESET | HD_GIVEN_WORKLIST)); /* a direction of a preset does not count as given */
    support_assert_status(ctx, hd_plan_parse(ctx, "transform=udt,K=8,direction=pull", &plan), HEDDLE_OK);
    hd_plan rest = hd_plan_without_transform(&plan);
    assert_true(hd_plan_is_auto(&rest) && !rest.transform && !rest.K && !rest.direction);
    support_assert_status(ctx, hd_plan_parse(ctx, "tigr-udt,offsets=64", &plan), HEDDLE_OK);
    rest = hd_plan_without_transform(&plan);
    assert_true(!hd_plan_is_auto(&rest) && rest.schedule == &hd_schedule_thread && rest.wide_offsets == HD_YES);
    heddle_context_destroy(&ctx);
}

static void test_text_that_is_no_plan(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"fastest", "no plan 'fastest': expected auto, baseline, vwc-2"},
        {"", "no plan ''"},
        {"ws,fastest", "'fastest': expected KEY=VALUE"},
        {"speed=high", "no key 'speed'"},
        {"=high", "no key ''"},
        {"schedule=fast", "schedule=fast: expected thread, vwarp, wseg, vnode, edge"},
        {"schedule=", "schedule=: expected thread"},
        {"direction=up", "expected pull, push"},
        {"sync=none", "expected relaxed, strict"},
        {"width=3", "width=3: expected a power of two from 2 to 32"},
        {"width=64", "from 2 to 32"},
        {"width=8x", "width=8x"},
        {"K=0", "K=0: expected a number from 1"},
        {"K=-1", "K=-1"},
        {"K=99999999999999999999", "from 1 to"},
        {"warp=4", "from 8 to 64"},
        {"offsets=16", "expected 32, 64"},
        {"range=0", "range=0: expected a number from 1"},
        {"window=both", "window=both: expected gs, cw"},
        {"shards=disk", "shards=disk: expected device, host"},
    };
    heddle_context *ctx = support_context(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_plan plan;
        support_assert_status(ctx, hd_plan_parse(ctx, cases[i].text, &plan), HEDDLE_E_ARGUMENT);
        support_assert_message(ctx, cases[i].words);
    }
    heddle_context_destroy(&ctx);
}

static void test_refusals(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        const hd_plan_program *program;
        const char *words;
    } cases[] = {
        {"worklist=yes", &ranks, "every vertex is active"},
        {"worklist=yes,direction=pull", &paths, "needs direction=push"},
        {"sync=relaxed", &ranks, "does not promise the same end"},
        {"sync=relaxed,direction=push", &sums, "applied once"},
        {"sync=relaxed", &large, "half written"},
        {"direction=push", &large, "cannot be reduced by atomics"},
        {"schedule=vnode,sync=strict", &sums, "schedule=vnode: a message"},
        {"schedule=wseg,width=8", &paths, "only schedule=vwarp"},
        {"schedule=wseg,K=8", &paths, "only schedule=vnode"},
        {"ws,coalesced=yes", &paths, "only schedule=vnode"},
        {"ws,mapping=dynamic", &paths, "only schedule=vnode"},
        {"cusha-cw,direction=push", &paths, "with schedule=shard the direction is pull"},
        {"cusha-gs,worklist=yes", &paths, "without a worklist"},
        {"cusha-gs", &large, "cannot be reduced in shared memory by atomics; use schedule=wseg or edge"},
        {"schedule=shard,sync=relaxed", &ranks, "does not promise the same end"},
        {"ws,window=cw", &paths, "window: only schedule=shard"},
        {"ws,range=64", &paths, "range: only schedule=shard"},
        {"ws,shards=host", &paths, "shards: only schedule=shard"},
        {"warp=8", &paths, "this device has warps of 32 lanes"},
    };
    heddle_context *ctx = support_context(1);
    hd_plan plan;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_assert_status(ctx, hd_plan_parse(ctx, cases[i].text, &plan), HEDDLE_OK);
        support_assert_status(ctx, hd_plan_fit(ctx, cases[i].program, 32, true, true, &plan), HEDDLE_E_REFUSED);
        support_assert_message(ctx, cases[i].words);
    }
    support_assert_status(ctx, hd_plan_parse(ctx, "schedule=vwarp,width=16,warp=8", &plan), HEDDLE_OK);
    support_assert_status(ctx, hd_plan_fit(ctx, &paths, 32, false, true, &plan), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "wider than the warp");
    support_assert_status(ctx, hd_plan_parse(ctx, "schedule=edge,direction=push", &plan), HEDDLE_OK);
    support_assert_status(ctx, hd_plan_fit(ctx, &ranks, 32, false, false, &plan), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "64-bit atomics");
    support_assert_status(ctx, hd_plan_parse(ctx, "cusha-cw", &plan), HEDDLE_OK);
    support_assert_status(ctx, hd_plan_fit(ctx, &ranks, 32, false, false, &plan), HEDDLE_E_REFUSED);
    support_assert_message(ctx, "64-bit atomics");
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_presets),
                                       cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_schedule_by_degrees),
                                       cmocka_unit_test(test_transforms),
                                       cmocka_unit_test(test_what_was_said),
                                       cmocka_unit_test(test_text_that_is_no_plan),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
