/* test_sizes.c - structs of callers that were built with another header: shorter ones get defaults for what they do not
 * know and answers as far as they go, longer ones are taken as long as what we do not know is 0. */
#include "context_case.h"

#include <math.h>

/* A block with something behind what the caller calls its struct. */
enum { BEHIND = 64, MARK = 0x5a };

static heddle_graph *graph;

static void shorter_options(void **state) {
    (void)state;
    /* a caller that knows no fields past `sources`: nothing of what lies behind is looked at */
    heddle_run_options options;
    memset(&options, MARK, sizeof options);
    heddle_run_options_init_sized(&options, offsetof(heddle_run_options, parents));
    assert_int_equal(options.size, offsetof(heddle_run_options, parents));
    assert_int_equal(((unsigned char *)&options)[offsetof(heddle_run_options, parents)], MARK);
    assert_string_equal(options.algorithm, "bfs");
    options.algorithm = "pr";
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_string_equal(heddle_result_report(result)->algorithm, "pr");
    heddle_result_destroy(&result);
    /* one that knows its size alone has all defaults */
    heddle_load_options load = {.size = sizeof load.size, .format = (const char *)1};
    heddle_graph *read;
    support_assert_status(ctx, heddle_graph_load_memory(ctx, "0 1\n", 4, &load, &read), HEDDLE_OK);
    heddle_graph_destroy(&read);
    heddle_generate_options generate;
    heddle_generate_options_init_sized(&generate, offsetof(heddle_generate_options, vertices));
    generate.kind = "star";
    generate.scale = 3;
    support_assert_status(ctx, heddle_graph_generate(ctx, &generate, &read), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(read), 8);
    heddle_graph_destroy(&read);
}

static void longer_options(void **state) {
    (void)state;
    struct {
        heddle_run_options known;
        char unknown[BEHIND];
    } options;
    heddle_result *result;
    memset(&options, MARK, sizeof options);
    heddle_run_options_init_sized(&options.known, sizeof options);
    for (int i = 0; i < BEHIND; i++)
        assert_int_equal(options.unknown[i], 0);
    support_assert_status(ctx, heddle_run(ctx, graph, &options.known, &result), HEDDLE_OK);
    heddle_result_destroy(&result);
    options.unknown[BEHIND - 1] = 1; /* something that we cannot do */
    support_assert_status(ctx, heddle_run(ctx, graph, &options.known, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "older library");
    options.known.size = (size_t)-1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options.known, &result), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "_init");
}

static void shorter_answers(void **state) {
    (void)state;
    heddle_stats stats;
    memset(&stats, MARK, sizeof stats);
    stats.size = offsetof(heddle_stats, directed);
    support_assert_status(ctx, heddle_graph_stats(ctx, graph, &stats), HEDDLE_OK);
    assert_int_equal(stats.size, offsetof(heddle_stats, directed));
    assert_int_equal(stats.edges, 2);
    assert_int_equal(((unsigned char *)&stats)[offsetof(heddle_stats, directed)], MARK);
    heddle_explanation explanation;
    memset(&explanation, MARK, sizeof explanation);
    explanation.size = offsetof(heddle_explanation, device_reason);
    support_assert_status(ctx, heddle_explain(ctx, graph, NULL, &explanation), HEDDLE_OK);
    assert_string_equal(explanation.device, "cpu");
    assert_int_equal((unsigned char)explanation.device_reason[0], MARK);
}

static void longer_answers(void **state) {
    (void)state;
    struct {
        heddle_cache_info known;
        unsigned char unknown[BEHIND];
    } info;
    memset(&info, MARK, sizeof info);
    info.known.size = sizeof info;
    support_assert_status(ctx, heddle_cache_show(ctx, &info.known), HEDDLE_OK);
    assert_int_equal(info.known.size, sizeof info.known); /* what was filled */
    assert_int_equal(info.unknown[0], MARK);
    assert_string_equal(info.known.kinds[0].kind, "cpu");
    assert_null(info.known.kinds[HEDDLE_CACHE_KINDS - 1].kind);
}

/* Entries of a list lie as far apart as the caller's struct is long. */
static void entries(void **state) {
    (void)state;
    enum { MOST = 8 };
    struct {
        heddle_device_info known;
        unsigned char unknown[BEHIND];
    } list[MOST];
    size_t count = 0;
    memset(list, MARK, sizeof list);
    list[0].known.size = sizeof list[0];
    support_assert_status(ctx, heddle_device_list(ctx, &list[0].known, MOST, &count), HEDDLE_OK);
    assert_true(count >= 2);
    assert_string_equal(list[0].known.kind, "cpu");
    assert_string_equal(list[1].known.kind, "cuda");
    assert_int_equal(list[1].unknown[0], MARK);
}

static int prepare(void **state) {
    static const int64_t from[] = {0, 1}, to[] = {1, 2};
    set_up(state);
    return heddle_graph_from_edges(ctx, 3, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph) != HEDDLE_OK;
}

static int finish(void **state) {
    heddle_graph_destroy(&graph);
    return tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shorter_options), cmocka_unit_test(longer_options), cmocka_unit_test(shorter_answers),
        cmocka_unit_test(longer_answers),  cmocka_unit_test(entries),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
