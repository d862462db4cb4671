/* test_lost_memory.c - an allocation that fails gives an error or the right result, never a part of one. Only one
 * fails, and the later ones succeed: a run that noted aside that work was lost must ask before it hands over what is
 * left. */
#include "path_cases.h"

typedef struct expected {
    uint64_t values, bytes, edges; /* edges: of a forest */
    void *data, *parents, *ends;
} expected;

static uint64_t value_bytes(const heddle_values *values) {
    bool wide =
        values->type == HEDDLE_VALUE_U64 || values->type == HEDDLE_VALUE_F64 || values->type == HEDDLE_VALUE_I64;
    return values->count * values->columns * (wide ? 8 : 4);
}

static void *copy_of(const void *data, uint64_t bytes) {
    void *copy = malloc(bytes + 1);
    assert_non_null(copy);
    if (data)
        memcpy(copy, data, bytes);
    return copy;
}

static void keep(const heddle_result *result, expected *e) {
    const heddle_values *values = heddle_result_values(result);
    const heddle_forest *forest = heddle_result_forest(result);
    const heddle_vertex *parents = heddle_result_parents(result);
    *e = (expected){.values = values->count, .bytes = value_bytes(values), .edges = forest->edges};
    e->data = copy_of(values->data, e->bytes);
    e->parents = parents ? copy_of(parents, values->count * sizeof *parents) : NULL;
    e->ends = copy_of(forest->ends, forest->edges * 2 * sizeof *forest->ends);
}

static bool is_same(const heddle_result *result, const expected *e) {
    const heddle_values *values = heddle_result_values(result);
    const heddle_forest *forest = heddle_result_forest(result);
    const heddle_vertex *parents = heddle_result_parents(result);
    return value_bytes(values) == e->bytes && forest->edges == e->edges &&
           (!e->bytes || memcmp(values->data, e->data, e->bytes) == 0) && !parents == !e->parents &&
           (!parents || memcmp(parents, e->parents, e->values * sizeof *parents) == 0) &&
           (!e->edges || memcmp(forest->ends, e->ends, e->edges * 2 * sizeof *forest->ends) == 0);
}

static heddle_status load_and_run(const char *path, const heddle_run_options *options, int threads, uint64_t n,
                                  heddle_context **ctx, heddle_result **result) {
    heddle_context_options opening;
    heddle_graph *graph = NULL;
    *result = NULL;
    heddle_context_options_init(&opening);
    opening.threads = threads;
    opening.allocator = support_failing_once(n);
    heddle_status status = heddle_context_create(&opening, ctx);
    if (status == HEDDLE_OK)
        status = heddle_graph_load(*ctx, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(*ctx, graph, options, result);
    heddle_graph_destroy(&graph);
    return status;
}

static void check(const char *path, const char *algorithm, int threads) {
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    heddle_context *ctx;
    heddle_result *result;
    expected e;
    assert_int_equal(load_and_run(path, &options, threads, 0, &ctx, &result), HEDDLE_OK);
    uint64_t allocations = support_allocations();
    keep(result, &e);
    heddle_result_destroy(&result);
    heddle_context_destroy(&ctx);
    for (uint64_t n = 1; n <= allocations; n += support_stride(7)) {
        heddle_status status = load_and_run(path, &options, threads, n, &ctx, &result);
        if (status == HEDDLE_OK ? !is_same(result, &e) : status != HEDDLE_E_MEMORY)
            fail_msg("%s, %d threads, allocation %llu of %llu failed: %s", algorithm, threads, (unsigned long long)n,
                     (unsigned long long)allocations,
                     status == HEDDLE_OK ? "OK, with another result" : heddle_context_error(ctx)->message);
        heddle_result_destroy(&result);
        heddle_context_destroy(&ctx);
        assert_int_equal(support_live_blocks(), 0);
    }
    free(e.data);
    free(e.parents);
    free(e.ends);
}

static void check_all(const char *path, int threads) {
    const heddle_algorithm_info *each;
    for (size_t i = 0; (each = heddle_algorithm_at(i)); i++)
        check(path, each->name, threads);
}

static void small(void **unused) {
    heddle_context *ctx = support_context(1);
    (void)unused;
    check_all(case_file(ctx, shape_random("a small graph", 26, 80, 3, true), WEIGHTS_U32, "small.txt"), 1);
    heddle_context_destroy(&ctx);
}

/* Long enough for buckets far from the present one, and for several chunks of a work list. */
static void paths(void **unused) {
    heddle_context *ctx = support_context(1);
    (void)unused;
    for (int threads = 1; threads <= 4; threads += 3)
        for (int w = 0; w < 2; w++) {
            const char *path = case_file(ctx, shape_skewed("a skewed graph", 20000, 60000, 5, true),
                                         w ? WEIGHTS_MIXED : WEIGHTS_HUGE, w ? "mixed.hdl" : "huge.hdl");
            check(path, "bfs", threads);
            check(path, "sssp", threads);
            check(path, "sswp", threads);
        }
    heddle_context_destroy(&ctx);
}

static void several_threads(void **unused) {
    heddle_context *ctx = support_context(1);
    (void)unused;
    check_all(case_file(ctx, shape_skewed("a skewed graph", 3000, 9000, 7, true), WEIGHTS_U32, "skewed.hdl"), 4);
    check(case_file(ctx, shape_skewed("a directed graph", 3000, 9000, 7, false), WEIGHTS_F32, "directed.hdl"), "scc",
          4);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small), cmocka_unit_test(paths),
                                       cmocka_unit_test(several_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
