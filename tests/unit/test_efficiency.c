/* test_efficiency.c - lanes and sectors of every schedule, against figures worked out by hand on small rows, and
 * against a plain count lane by lane on graphs of some size. */
#include "support.h"

#include "plan/estimate.h"
#include "schedule/efficiency.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 4096 };

/* ---- By hand ---------------------------------------------------------------------------------------------------- */

typedef struct hand_case {
    const char *what;
    hd_plan plan;
    uint32_t tile;
    uint64_t degrees[6];
    uint64_t rows, slots, sectors;
} hand_case;

#define PLAN(...) \
    { .warp = 4, __VA_ARGS__ }
#define NODES(k) .schedule = &hd_schedule_vnode, .K = k, .dynamic = HD_NO

/* Warps of 4 lanes. Sectors are 8 edges: edges 0-7, 8-15 … */
static const hand_case by_hand[] = {
    /* rows begin at edges 0 3 4 4 | 8: warp 0 takes 4 steps, warp 1 two. Step 0 of warp 0 reads edges 0 3 4 (one
     * sector), step 1: 1 5, step 2: 2 6, step 3: 7; warp 1 reads 8, then 9 */
    {"thread", PLAN(.schedule = &hd_schedule_thread), 0, {3, 1, 0, 4, 2}, 5, 16 + 8, 4 + 2},
    /* two rows at a time, two lanes each: rows 0, 1: 2 steps; rows 2, 3: 2; row 4: 1 */
    {"vwarp-2", PLAN(.schedule = &hd_schedule_vwarp, .width = 2), 0, {3, 1, 0, 4, 2}, 5, 8 + 8 + 4, 2 + 2 + 1},
    {"vwarp-4", PLAN(.schedule = &hd_schedule_vwarp, .width = 4), 0, {3, 1, 0, 4, 2}, 5, 4 * 4, 4},
    /* 8 edges in 2 steps, then 2 edges */
    {"wseg", PLAN(.schedule = &hd_schedule_wseg), 0, {3, 1, 0, 4, 2}, 5, 8 + 4, 3},
    /* nodes of at most 2: 2 1 | 1 | | 2 2 | 2: a warp of four and a warp of two, two steps each. Step 0 of warp 0 reads
     * edges 0 2 3 4, step 1: 1 5; warp 1: 6 8, then 7 9 */
    {"vnode", PLAN(NODES(2), .coalesced = HD_NO), 0, {3, 1, 0, 4, 2}, 5, 8 + 8, 2 + 4},
    /* the same lengths; of row 3 the nodes read 4 6 and 5 7. Warp 0: 0 1 3 4, then 2 6; warp 1: 5 8, then 7 9 */
    {"vnode coalesced", PLAN(NODES(2), .coalesced = HD_YES), 0, {3, 1, 0, 4, 2}, 5, 8 + 8, 2 + 4},
    /* five nodes of rows 0 .. 3: a warp of four, and one of one; then row 4's */
    {"vnode dynamic",
     PLAN(.schedule = &hd_schedule_vnode, .K = 2, .dynamic = HD_YES),
     0,
     {3, 1, 0, 4, 2},
     5,
     8 + 8 + 8,
     2 + 2 + 2},
    /* 15 places in tiles of 8: e e e r e r r e | e e e r e e r: 5 edges (0 .. 4), then 5 (5 .. 9) in two steps each */
    {"edge", PLAN(.schedule = &hd_schedule_edge), 8, {3, 1, 0, 4, 2}, 5, 8 + 8, 2 + 3},
    {"nothing to walk", PLAN(.schedule = &hd_schedule_thread), 0, {0, 0, 0}, 3, 0, 0},
    {"no rows", PLAN(.schedule = &hd_schedule_wseg), 0, {0}, 0, 0, 0},
    {"no rows, tiles", PLAN(.schedule = &hd_schedule_edge), 8, {0}, 0, 0, 0},
    {"no rows, nodes", PLAN(NODES(2)), 0, {0}, 0, 0, 0},
};

static void test_by_hand(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        const hand_case *c = &by_hand[i];
        uint64_t offsets[8] = {0};
        hd_efficiency found;
        for (uint64_t v = 0; v < c->rows; v++)
            offsets[v + 1] = offsets[v] + c->degrees[v];
        hd_row_offsets rows = {c->rows, offsets, NULL};
        support_assert_status(ctx, hd_efficiency_of(ctx, &rows, &c->plan, c->tile, &found), HEDDLE_OK);
        if (found.useful != offsets[c->rows] || found.slots != c->slots || found.sectors != c->sectors)
            fail_msg("%s: expected %llu lanes of %llu and %llu sectors, found %llu of %llu and %llu", c->what,
                     (unsigned long long)offsets[c->rows], (unsigned long long)c->slots, (unsigned long long)c->sectors,
                     (unsigned long long)found.useful, (unsigned long long)found.slots,
                     (unsigned long long)found.sectors);
    }
    heddle_context_destroy(&ctx);
}

/* Rows of two directions, one behind the other: {1, 2} and {2, 0} are rows of 3 and 2. */
static void test_two_directions(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(1);
    static const uint64_t first[] = {0, 1, 3}, second[] = {0, 2, 2};
    hd_row_offsets rows = {2, first, second};
    hd_plan plan = {.schedule = &hd_schedule_thread, .warp = 32};
    hd_efficiency found;
    support_assert_status(ctx, hd_efficiency_of(ctx, &rows, &plan, 0, &found), HEDDLE_OK);
    assert_int_equal(found.useful, 5);
    assert_int_equal(found.slots, 3 * 32);
    assert_true(hd_efficiency_share(&found) == 5.0 / 96);
    assert_true(hd_efficiency_share(&(hd_efficiency){0}) == 1);
    heddle_context_destroy(&ctx);
}

/* ---- Lane by lane ----------------------------------------------------------------------------------------------- */

/* What the lanes of one warp walk, and how far they have come. */
typedef struct lane {
    uint64_t edge, stride, left;
} lane;

static void step_lanes(lane *lanes, uint32_t warp, hd_efficiency *sum) {
    for (;;) {
        uint64_t seen[64];
        uint32_t count = 0, active = 0;
        for (uint32_t i = 0; i < warp; i++) {
            if (!lanes[i].left)
                continue;
            uint64_t sector = lanes[i].edge / 8;
            uint32_t k = 0;
            while (k < count && seen[k] != sector)
                k++;
            if (k == count)
                seen[count++] = sector;
            lanes[i].edge += lanes[i].stride;
            lanes[i].left--;
            active++;
        }
        if (!active)
            return;
        sum->useful += active;
        sum->slots += warp;
        sum->sectors += count;
    }
}

/* The virtual nodes of all rows. */
static uint64_t list_nodes(const uint64_t *offsets, uint64_t n, uint32_t K, bool coalesced, lane *nodes) {
    uint64_t count = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = offsets[v + 1] - offsets[v], parts = (degree + K - 1) / K;
        for (uint64_t i = 0; i < parts; i++)
            nodes[count++] = coalesced ? (lane){offsets[v] + i, parts, (degree - i + parts - 1) / parts}
                                       : (lane){offsets[v] + i * K, 1, degree - i * K < K ? degree - i * K : K};
    }
    return count;
}

static hd_efficiency count_plainly(const uint64_t *offsets, uint64_t n, const hd_plan *plan) {
    hd_efficiency sum = {0};
    uint32_t warp = plan->warp, width = plan->schedule == &hd_schedule_vwarp ? plan->width : 1;
    lane lanes[64];
    if (plan->schedule == &hd_schedule_vnode) {
        lane *nodes = malloc((offsets[n] + 1) * sizeof *nodes);
        uint64_t count = list_nodes(offsets, n, plan->K, plan->coalesced == HD_YES, nodes);
        for (uint64_t first = 0; first < count; first += warp) {
            for (uint32_t i = 0; i < warp; i++)
                lanes[i] = first + i < count ? nodes[first + i] : (lane){0, 0, 0};
            step_lanes(lanes, warp, &sum);
        }
        free(nodes);
        return sum;
    }
    for (uint64_t first = 0; first < n; first += warp / width) {
        for (uint32_t i = 0; i < warp; i++) {
            uint64_t v = first + i / width, part = i % width, degree = v < n ? offsets[v + 1] - offsets[v] : 0;
            lanes[i] =
                (lane){v < n ? offsets[v] + part : 0, width, degree > part ? (degree - part + width - 1) / width : 0};
        }
        step_lanes(lanes, warp, &sum);
    }
    return sum;
}

/* Degrees of all sizes, long rows among short ones, over several blocks. */
static uint64_t make_rows(uint64_t seed, uint64_t *offsets) {
    for (uint64_t v = 0; v < MOST_ROWS; v++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t draw = seed >> 33;
        offsets[v + 1] = offsets[v] + (draw % 3 == 0 ? 0 : draw % 997 == 0 ? draw % 5000 : draw % 14);
    }
    return MOST_ROWS;
}

static void test_lane_by_lane(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    static const hd_plan plans[] = {
        {.schedule = &hd_schedule_thread, .warp = 32},
        {.schedule = &hd_schedule_thread, .warp = 64},
        {.schedule = &hd_schedule_vwarp, .width = 2, .warp = 32},
        {.schedule = &hd_schedule_vwarp, .width = 8, .warp = 8},
        {.schedule = &hd_schedule_vwarp, .width = 32, .warp = 32},
        {.schedule = &hd_schedule_vnode, .K = 10, .warp = 32, .dynamic = HD_NO},
        {.schedule = &hd_schedule_vnode, .K = 3, .warp = 8, .dynamic = HD_NO, .coalesced = HD_YES},
        {.schedule = &hd_schedule_vnode, .K = 1, .warp = 64, .dynamic = HD_NO},
    };
    static uint64_t offsets[MOST_ROWS + 1];
    uint64_t n = make_rows(7, offsets);
    hd_row_offsets rows = {n, offsets, NULL};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        hd_efficiency found, expected = count_plainly(offsets, n, &plans[i]);
        support_assert_status(ctx, hd_efficiency_of(ctx, &rows, &plans[i], 256, &found), HEDDLE_OK);
        if (found.useful != expected.useful || found.slots != expected.slots || found.sectors != expected.sectors)
            fail_msg("plan %zu: expected %llu of %llu, %llu sectors; found %llu of %llu, %llu", i,
                     (unsigned long long)expected.useful, (unsigned long long)expected.slots,
                     (unsigned long long)expected.sectors, (unsigned long long)found.useful,
                     (unsigned long long)found.slots, (unsigned long long)found.sectors);
    }
    heddle_context_destroy(&ctx);
}

/* The statistics of a graph name the share of the schedule `thread` too. */
static void test_as_statistics(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_adjacency out;
    heddle_stats stats = {.size = sizeof stats};
    hd_efficiency found;
    heddle_generate_options_init(&options);
    options.scale = 10;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_stats(ctx, graph, &stats), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    hd_row_offsets rows = {heddle_graph_vertices(graph), out.offsets, NULL};
    hd_plan plan = {.schedule = &hd_schedule_thread, .warp = 32};
    support_assert_status(ctx, hd_efficiency_of(ctx, &rows, &plan, 0, &found), HEDDLE_OK);
    assert_int_equal(found.useful, heddle_graph_edges(graph));
    assert_true(hd_efficiency_share(&found) == stats.warp_efficiency);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* One hub among short rows: the warp that has it is what a round waits for, unless its edges are shared out. */
static void test_longest(void **unused) {
    (void)unused;
    enum { ROWS = 1000, HUB = 64000, SHORT = 2 };
    static const struct {
        const char *name;
        hd_plan plan;
        uint32_t side;
        uint64_t longest;
    } cases[] = {
        {"thread", {.schedule = &hd_schedule_thread, .warp = 32}, 1, HUB},
        {"vwarp-8", {.schedule = &hd_schedule_vwarp, .width = 8, .warp = 32}, 8, HUB / 8},
        {"wseg", {.schedule = &hd_schedule_wseg, .warp = 32}, 32, (HUB + 31 * SHORT + 31) / 32},
        {"edge", {.schedule = &hd_schedule_edge, .warp = 32}, 32, 8},
        {"vnode", {.schedule = &hd_schedule_vnode, .warp = 32, .K = 10, .dynamic = HD_NO}, 1, 10},
    };
    uint64_t offsets[ROWS + 1] = {0};
    double before = 1e9;
    heddle_context *ctx = support_context(2);
    for (uint64_t v = 0; v < ROWS; v++)
        offsets[v + 1] = offsets[v] + (v == 500 ? HUB : SHORT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_efficiency found;
        support_assert_status(
            ctx, hd_efficiency_of(ctx, &(hd_row_offsets){ROWS, offsets, NULL}, &cases[i].plan, 256, &found), HEDDLE_OK);
        if (found.longest != cases[i].longest)
            fail_msg("%s: expected %llu steps of the longest warp, found %llu", cases[i].name,
                     (unsigned long long)cases[i].longest, (unsigned long long)found.longest);
        double now = hd_estimate_round(&found, 1, 32, cases[i].side);
        if (!(now < before))
            fail_msg("%s: expected a shorter round than %g s, found %g s", cases[i].name, before, now);
        before = now;
    }
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    static const uint64_t offsets[] = {0, 5, 9};
    hd_row_offsets rows = {2, offsets, NULL};
    hd_plan plan = {.schedule = &hd_schedule_vnode, .K = 2, .warp = 32, .dynamic = HD_NO};
    return hd_efficiency_of(ctx, &rows, &plan, 0, user);
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    hd_efficiency found;
    support_try_every_failure(attempt, &found);
    assert_int_equal(found.useful, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),       cmocka_unit_test(test_two_directions),
        cmocka_unit_test(test_lane_by_lane),  cmocka_unit_test(test_as_statistics),
        cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
