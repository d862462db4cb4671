/* test_shards.c - shards: the layout's promises on graphs that hurt, for any number of threads; every program under
 * G-Shards and Concatenated Windows with ranges of 1, 7, 64 and the engine's own choice, against the CPU's engine; and
 * what is refused with which reason. */
#include "incore_cases.h"

#include "engine/device/shards.h"
#include "plan/plan.h"

/* ---- Layout ----------------------------------------------------------------------------------------------------- */

static hd_incore_rows rows_of(const heddle_graph *graph, bool both) {
    hd_incore_rows rows = {.vertices = heddle_graph_vertices(graph), .edges = heddle_graph_edges(graph)};
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows.first), HEDDLE_OK);
    if (both) {
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &rows.second), HEDDLE_OK);
        rows.edges *= 2;
    }
    return rows;
}

static hd_shards shards_of(heddle_context *where, const heddle_graph *graph, bool both, hd_shards_wish wish) {
    hd_shards shards;
    hd_incore_rows rows = rows_of(graph, both);
    support_assert_status(where, hd_shards_new(where, &rows, rows.first.offsets, wish, &shards), HEDDLE_OK);
    return shards;
}

static uint64_t sum_of_rows(const hd_incore_rows *rows) {
    uint64_t sum = 0;
    for (uint64_t v = 0; v < rows->vertices; v++) {
        for (uint64_t e = rows->first.offsets[v]; e < rows->first.offsets[v + 1]; e++)
            sum += (v + 1) * 31 + (rows->first.targets[e] + 1) * UINT64_C(1000003) +
                   ((const uint32_t *)rows->first.weights)[e] * UINT64_C(77777777);
        for (uint64_t e = rows->second.offsets ? rows->second.offsets[v] : 0;
             rows->second.offsets && e < rows->second.offsets[v + 1]; e++)
            sum += (v + 1) * 31 + (rows->second.targets[e] + 1) * UINT64_C(1000003) +
                   ((const uint32_t *)rows->second.weights)[e] * UINT64_C(77777777);
    }
    return sum;
}

/* Every edge is in the shard of its target, by ascending source, and in its source's window. */
static void assert_windows(const hd_shards *s, const hd_incore_rows *rows) {
    uint64_t sum = 0, count = s->count;
    assert_int_equal(s->starts[count], rows->edges);
    for (uint64_t j = 0; j < count; j++)
        for (uint64_t e = s->starts[j]; e < s->starts[j + 1]; e++) {
            uint64_t i = s->sources[e] / s->range;
            assert_int_equal(s->targets[e] / s->range, j);
            assert_true(e == s->starts[j] || s->sources[e - 1] <= s->sources[e]);
            assert_true(e - s->starts[j] >= s->windows[i * count + j]);
            assert_true(e - s->starts[j] < s->windows[(i + 1) * count + j]);
            assert_int_equal(s->degrees[e],
                             rows->first.offsets[s->sources[e] + 1] - rows->first.offsets[s->sources[e]]);
            sum += (s->sources[e] + UINT64_C(1)) * 31 + (s->targets[e] + UINT64_C(1)) * 1000003 +
                   ((const uint32_t *)s->weights)[e] * UINT64_C(77777777);
        }
    assert_true(sum == sum_of_rows(rows));
}

/* The lists name every entry once, range by range, with its source. */
static void assert_lists(const hd_shards *listed, const hd_shards *plain) {
    unsigned char *seen = calloc(plain->edges + 1, 1);
    assert_int_equal(listed->lists[listed->count], plain->edges);
    for (uint64_t i = 0; i < listed->count; i++)
        for (uint64_t k = listed->lists[i]; k < listed->lists[i + 1]; k++) {
            uint64_t place = hd_shards_place(listed, k);
            assert_true(place < plain->edges && !seen[place]++);
            assert_int_equal(listed->sources[k], plain->sources[place]);
            assert_int_equal(listed->sources[k] / listed->range, i);
            assert_true(k == listed->lists[i] || hd_shards_place(listed, k - 1) < place);
        }
    free(seen);
}

static void test_layout(void **unused) {
    (void)unused;
    static const uint32_t ranges[] = {1, 7, 64, 0};
    skip_without_device();
    heddle_context *many = support_context(3);
    for (size_t k = 0; k < 8 * sample_count; k++) {
        const heddle_graph *graph = samples[k / 8].graph;
        bool both = k / 4 % 2;
        hd_shards_wish wish = {.range = ranges[k % 4], .most = 4096, .weight_size = sizeof(uint32_t), .degrees = true};
        if (wish.range == 1 && heddle_graph_vertices(graph) > 600)
            continue; /* too many windows for a quick test */
        hd_incore_rows rows = rows_of(graph, both);
        hd_shards plain = shards_of(ctx, graph, both, wish);
        assert_windows(&plain, &rows);
        for (int wide = 0; wide < 2; wide++) {
            hd_shards_wish other = wish;
            other.listed = true;
            other.wide = wide;
            hd_shards listed = shards_of(many, graph, both, other);
            assert_memory_equal(listed.targets, plain.targets, plain.edges * sizeof *plain.targets);
            assert_lists(&listed, &plain);
            hd_shards_free(many, &listed);
        }
        hd_shards_free(ctx, &plain);
    }
    heddle_context_destroy(&many);
}

static void test_ranges(void **unused) {
    (void)unused;
    /* windows of 32 entries: 4096 * 4096 / 2^22 of them */
    assert_int_equal(hd_shards_range(1 << 22, UINT64_C(1) << 27, 9000), 2048);
    assert_int_equal(hd_shards_range(1 << 22, UINT64_C(1) << 27, 1000), 1000);
    assert_int_equal(hd_shards_range(100, 1000, 9000), 64);
    assert_int_equal(hd_shards_range(100, 0, 9000), 64);
    assert_int_equal(hd_shards_range(0, 0, 9000), 64);
    assert_true(hd_shards_range(UINT64_C(1) << 26, UINT64_C(1) << 40, 9000) >= 4096); /* not too many shards */
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static void run_plan(const char *name, const char *plan, uint64_t most) {
    hd_incore_program program = program_of(name);
    skip_without_device();
    for (size_t i = 0; i < sample_count; i++)
        if (heddle_graph_vertices(samples[i].graph) <= most)
            assert_run(&program, name, &samples[i], plan);
}

#define TEST_SHARDS(name)                                           \
    static void test_##name(void **unused) {                        \
        (void)unused;                                               \
        skip_without_device();                                      \
        run_plan(#name, "cusha-gs,range=7,debug=yes", 600);         \
        run_plan(#name, "cusha-cw,range=64,debug=yes", UINT32_MAX); \
    }
TEST_SHARDS(bfs)
TEST_SHARDS(sssp)
TEST_SHARDS(sswp)
TEST_SHARDS(cc)
TEST_SHARDS(pr)
TEST_SHARDS(hs)
TEST_SHARDS(cs)
TEST_SHARDS(nn)

static void test_options(void **unused) {
    (void)unused;
    skip_without_device();
    run_plan("sssp", "schedule=shard,window=cw,range=7,debug=yes", 600);
    run_plan("hs", "schedule=shard,window=gs,range=64,debug=yes", UINT32_MAX);
    run_plan("sssp", "cusha-gs,range=1,debug=yes", 400);
    run_plan("hs", "cusha-cw,range=1,debug=yes", 400);
    run_plan("sssp", "cusha-gs,sync=strict,range=64,debug=yes", UINT32_MAX);
    run_plan("cc", "cusha-cw,sync=strict,range=64,debug=yes", UINT32_MAX);
    run_plan("sssp", "cusha-cw,offsets=64,range=64,warp=8,debug=yes", UINT32_MAX);
    run_plan("pr", "cusha-gs,offsets=64,range=64,warp=64,debug=yes", UINT32_MAX);
    run_plan("bfs", "cusha-cw", UINT32_MAX); /* optimised, as users run it */
    run_plan("pr", "cusha-gs", UINT32_MAX);
}

/* ---- On the CPU ------------------------------------------------------------------------------------------------- */

/* Against the engine that walks rows; twice, with one thread and with two: the same bits. */
static void assert_cpu_run(const char *name, const sample *s, const char *text) {
    uint64_t n = heddle_graph_vertices(s->graph);
    double *initial = calloc(n + 1, sizeof *initial), *expected = calloc(n + 1, sizeof *expected);
    unsigned char *fixed = calloc(n + 1, 1);
    hd_cpu_setup setup = setup_for(name, s->graph, initial, fixed);
    const hd_cpu_program *program = hd_cpu_program_find(name, false);
    heddle_result *result[2];
    hd_plan plan;
    setup.ranks = strcmp(name, "pr") == 0;
    support_assert_status(ctx, hd_plan_parse(ctx, text, &plan), HEDDLE_OK);
    expect(name, s->graph, &setup, expected);
    for (int threads = 1; threads <= 2; threads++) {
        heddle_context *here = support_context(threads);
        heddle_result **made = &result[threads - 1];
        support_assert_status(here, hd_result_new(here, name, made), HEDDLE_OK);
        support_assert_status(here,
                              hd_shards_execute(here, s->graph, program, &setup, &plan, strcmp(name, "cc") == 0, *made),
                              HEDDLE_OK);
        assert_string_equal(heddle_result_report(*made)->schedule, "shard");
        heddle_context_destroy(&here);
    }
    for (uint64_t v = 0; v < n; v++) {
        double found = heddle_result_value(result[0], (heddle_vertex)v), off = fabs(found - expected[v]);
        if (program->traits & MONOTONE ? found != expected[v] : !(off <= 2e-6 * fmax(1, fabs(expected[v]))))
            fail_msg("%s on %s, plan %s, vertex %llu: expected %.9g, found %.9g", name, s->name, text,
                     (unsigned long long)v, expected[v], found);
        assert_true(found == heddle_result_value(result[1], (heddle_vertex)v));
    }
    assert_int_equal(result[0]->report.iterations, result[1]->report.iterations);
    heddle_result_destroy(&result[0]);
    heddle_result_destroy(&result[1]);
    free(initial);
    free(fixed);
    free(expected);
}

static void test_cpu(void **unused) {
    (void)unused;
    static const char *const names[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn"};
    static const char *const plans[] = {"cusha-gs", "cusha-cw", "cusha-gs,range=1", "cusha-cw,range=7",
                                        "schedule=shard,window=gs,range=64"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t p = 0; p < sizeof plans / sizeof *plans; p++)
            for (size_t i = 0; i < sample_count; i++)
                if (!strstr(plans[p], "range=1") || heddle_graph_vertices(samples[i].graph) <= 600)
                    assert_cpu_run(names[k], &samples[i], plans[p]);
}

static heddle_status attempt(heddle_context *fresh, void *user) {
    heddle_vertex source = 0;
    hd_cpu_setup setup = {.sources = &source, .source_count = 1};
    heddle_result *result = NULL;
    hd_plan plan;
    heddle_status status = hd_result_new(fresh, "sssp", &result);
    if (status == HEDDLE_OK)
        status = hd_plan_parse(fresh, user, &plan);
    if (status == HEDDLE_OK && strstr(user, "debug")) {
        hd_incore_program program = program_of("sssp");
        status = execute(fresh, samples[0].graph, &program, &setup, user, result);
    } else if (status == HEDDLE_OK) {
        status = hd_shards_execute(fresh, samples[0].graph, hd_cpu_program_find("sssp", false), &setup, &plan, false,
                                   result);
    }
    heddle_result_destroy(&result);
    return status;
}

static void test_every_allocation_may_fail(void **unused) {
    (void)unused;
    skip_without_device();
    support_try_every_failure(attempt, "cusha-gs");
    support_try_every_failure(attempt, "cusha-cw");
    support_try_every_failure(attempt, "cusha-cw,range=64,debug=yes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_bfs),
        cmocka_unit_test(test_sssp),
        cmocka_unit_test(test_sswp),
        cmocka_unit_test(test_cc),
        cmocka_unit_test(test_pr),
        cmocka_unit_test(test_hs),
        cmocka_unit_test(test_cs),
        cmocka_unit_test(test_nn),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return run_incore_tests(tests, sizeof tests / sizeof *tests);
}
