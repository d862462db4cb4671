/* test_rounds.c - the records of a run's rounds: what they add up to, how long lists are shortened, and their API. */
#include "support.h"

#include "base/context.h"
#include "base/rounds.h"

#include <math.h>
#include <stdlib.h>

static heddle_graph *make(heddle_context *ctx, const char *kind, uint64_t n, bool symmetric) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.width = options.height = 60;
    options.scale = 12;
    options.vertices = n;
    options.weighted = 1;
    options.build.symmetrize = symmetric;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static double elapsed; /* seconds of the last run */

static heddle_result *run(heddle_context *ctx, const heddle_graph *graph, const char *algorithm) {
    double start = hd_clock();
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    heddle_result *result;
    options.samples = strcmp(algorithm, "bc") == 0 ? 300 : 0; /* not from all vertices, which would take long */
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    elapsed = hd_clock() - start;
    return result;
}

typedef struct sums {
    uint64_t rounds, edges;
    double seconds, end;
} sums;

/* Records follow each other, in number and in time. */
static sums add_up(const heddle_result *result) {
    uint64_t count = heddle_result_round_count(result);
    heddle_round *rounds = calloc(count + 1, sizeof *rounds);
    sums all = {0};
    assert_int_equal(heddle_result_rounds(result, rounds, sizeof *rounds, count), count);
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(rounds[i].number, all.rounds + 1);
        assert_true(rounds[i].rounds > 0);
        assert_true(rounds[i].begin >= all.end - 1e-9 && rounds[i].seconds >= 0);
        assert_true(rounds[i].kernel[0]);
        all.end = rounds[i].begin + rounds[i].seconds;
        all.rounds += rounds[i].rounds;
        all.edges = all.edges == HEDDLE_NOT_KNOWN || rounds[i].edges == HEDDLE_NOT_KNOWN ? HEDDLE_NOT_KNOWN
                                                                                         : all.edges + rounds[i].edges;
        all.seconds += rounds[i].seconds;
    }
    free(rounds);
    return all;
}

/* What the records say is what the report says: no round is forgotten, none counted twice. */
static void add_up_to_the_report(void **state) {
    static const char *const algorithms[] = {"bfs", "sssp", "sswp", "pr", "bc", "hs", "cs", "nn"};
    static const int threads[] = {1, 3};
    (void)state;
    for (int t = 0; t < 2; t++) {
        heddle_context *ctx = support_context(threads[t]);
        heddle_graph *graphs[] = {make(ctx, "uniform", 3000, true), make(ctx, "grid", 0, false)};
        for (int g = 0; g < 2; g++)
            for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
                heddle_result *result = run(ctx, graphs[g], algorithms[i]);
                const heddle_report *report = heddle_result_report(result);
                sums all = add_up(result);
                assert_true(all.end <= elapsed);
                assert_true(report->compute >= all.seconds - 1e-6 && report->compute + report->prepare <= elapsed);
                if (all.rounds != report->iterations || all.edges != report->edges_walked)
                    fail_msg("%s, %d threads: records of %llu rounds and %llu edges, reported %llu and %llu",
                             algorithms[i], threads[t], (unsigned long long)all.rounds, (unsigned long long)all.edges,
                             (unsigned long long)report->iterations, (unsigned long long)report->edges_walked);
                assert_true(all.seconds <= report->compute + report->prepare + 0.01);
                heddle_result_destroy(&result);
            }
        heddle_graph_destroy(&graphs[0]);
        heddle_graph_destroy(&graphs[1]);
        heddle_context_destroy(&ctx);
    }
}

/* The steps of algorithms that have no iterations to speak of are there too. */
static void steps_are_recorded(void **state) {
    static const char *const algorithms[] = {"cc", "scc", "mst"};
    (void)state;
    heddle_context *ctx = support_context(2);
    heddle_graph *graphs[] = {make(ctx, "uniform", 3000, true), make(ctx, "rmat", 0, false)};
    for (int g = 0; g < 2; g++)
        for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
            heddle_result *result = run(ctx, graphs[g], algorithms[i]);
            assert_true(add_up(result).rounds > 0);
            heddle_result_destroy(&result);
        }
    heddle_graph_destroy(&graphs[0]);
    heddle_graph_destroy(&graphs[1]);
    heddle_context_destroy(&ctx);
}

/* A run of very many rounds has few records, and they still add up. */
static void long_runs_stay_short(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    heddle_graph *path = make(ctx, "path", 100000, false);
    heddle_vertex first = 0;
    heddle_run_options options = support_run_options("bfs", "cpu", "auto");
    heddle_result *result;
    options.sources = &first;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, path, &options, &result), HEDDLE_OK);
    uint64_t count = heddle_result_round_count(result);
    assert_true(count >= HD_ROUNDS_MOST / 2 && count < HD_ROUNDS_MOST);
    sums all = add_up(result);
    assert_int_equal(all.rounds, 100000);
    assert_int_equal(all.edges, 2 * 99999);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&path);
    heddle_context_destroy(&ctx);
}

/* Records that are put together: sums, "mixed" and "several" where they differ, not known where one is not. */
static void put_together(void **state) {
    (void)state;
    static const char elsewhere[] = "b"; /* the same name */
    heddle_context *ctx = support_context(1);
    assert_int_equal(hd_rounds_begin(ctx), HEDDLE_OK);
    for (int i = 0; i < HD_ROUNDS_MOST * 3 / 2; i++)
        HD_ROUND(ctx, .rounds = 1, .vertices = 2, .edges = i == 9 ? HD_NOT_KNOWN : 10, .weight_bytes = 4,
                 .direction = i % 2 && i < 8 ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH,
                 .kernel = i % 2 == 0 ? "b"
                           : i < 8    ? "a kernel whose name is longer than its room"
                                      : elsewhere,
                 .traffic = {1, 2, 3, 4, 5, 6, 0.5, 0.25, 7, 8, 9, 10, 11}, .exchange = {12, 13, 1, 2, 4});
    hd_rounds_end(ctx);
    const heddle_round *list = ctx->rounds.list;
    assert_int_equal(ctx->rounds.count, HD_ROUNDS_MOST * 3 / 4);
    assert_int_equal(list[0].rounds, 2);
    assert_int_equal(list[0].vertices, 4);
    assert_int_equal(list[0].edges, 20);
    assert_int_equal(list[0].bytes, 160);
    assert_true(list[0].parts_needed == 2 && list[0].parts_sent == 4 && list[0].parts_reused == 6);
    assert_true(list[0].bytes_needed == 8 && list[0].bytes_sent == 10 && list[0].bytes_reused == 12);
    assert_true(list[0].copy_seconds == 1 && list[0].kernel_seconds == 0.5);
    assert_true(list[0].parts_gathered == 14 && list[0].bytes_gathered == 16);
    assert_true(list[0].parts_in_place == 18 && list[0].bytes_in_place == 20 && list[0].parts_again == 22);
    assert_int_equal(list[0].exchanged, 24);
    assert_int_equal(list[0].direction, HEDDLE_DIRECTION_MIXED);
    assert_string_equal(list[0].kernel, "several");
    assert_true(list[4].edges == HEDDLE_NOT_KNOWN && list[4].bytes == HEDDLE_NOT_KNOWN);
    assert_int_equal(list[5].direction, HEDDLE_DIRECTION_PUSH);
    assert_string_equal(list[5].kernel, "b");
    assert_int_equal(list[HD_ROUNDS_MOST * 3 / 4 - 1].number, HD_ROUNDS_MOST * 3 / 2 - 1);
    assert_string_equal(list[HD_ROUNDS_MOST * 3 / 4 - 1].kernel, "b");
    HD_ROUND(ctx, .rounds = 1, .kernel = "after the run"); /* not one of its rounds */
    assert_int_equal(ctx->rounds.count, HD_ROUNDS_MOST * 3 / 4);
    heddle_context_destroy(&ctx);
}

/* A caller who knows fewer fields gets those; one who knows more gets zeros behind. */
static void trimmed(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    assert_int_equal(hd_rounds_begin(ctx), HEDDLE_OK);
    for (int i = 0; i < 3; i++)
        HD_ROUND(ctx, .rounds = 4, .vertices = HD_NOT_KNOWN, .edges = HD_NOT_KNOWN, .kernel = "several at once");
    hd_rounds_trim(ctx, 20); /* more than there are: nothing to do */
    assert_int_equal(ctx->rounds.number, 12);
    hd_rounds_trim(ctx, 7);
    hd_rounds_end(ctx);
    assert_int_equal(ctx->rounds.count, 2);
    assert_int_equal(ctx->rounds.list[0].rounds, 4);
    assert_int_equal(ctx->rounds.list[1].rounds, 3);
    heddle_context_destroy(&ctx);
}

static void other_sizes(void **state) {
    (void)state;
    struct {
        heddle_round round;
        uint64_t more;
    } later[4];
    uint64_t earlier[4][2]; /* number and rounds */
    heddle_context *ctx = support_context(1);
    heddle_graph *path = make(ctx, "path", 10, false);
    heddle_result *result = run(ctx, path, "bfs");
    memset(later, 0xff, sizeof later);
    assert_int_equal(heddle_result_rounds(result, &later[0].round, sizeof *later, 4), 4);
    assert_int_equal(heddle_result_rounds(result, (heddle_round *)(void *)earlier, sizeof *earlier, 4), 4);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(earlier[i][0], i + 1);
        assert_int_equal(earlier[i][1], 1);
        assert_int_equal(later[i].round.number, i + 1);
        assert_string_equal(later[i].round.kernel, "top-down");
        assert_int_equal(later[i].more, 0);
    }
    assert_int_equal(heddle_result_rounds(result, NULL, sizeof *later, 4), 0);
    assert_int_equal(heddle_result_rounds(NULL, &later[0].round, sizeof *later, 4), 0);
    assert_int_equal(heddle_result_round_count(NULL), 0);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&path);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_up_to_the_report),
        cmocka_unit_test(steps_are_recorded),
        cmocka_unit_test(long_runs_stay_short),
        cmocka_unit_test(put_together),
        cmocka_unit_test(trimmed),
        cmocka_unit_test(other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
