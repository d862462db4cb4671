/* test_far_edges.c - offsets beyond 2^33 on the CPU: a search in a graph whose edges before these cannot be read
 * (far_edges.h) gives what plain loops give; with HEDDLE_TEST_ALL it has more than 2^27 vertices too. */
#include "support.h"

#include "far_edges.h"
#include "graph/graph.h"
#include "residency/span.h"

static uint64_t plain(const far_edges *far, uint64_t *distance) {
    uint64_t changed = 1, reached = 0;
    for (uint64_t v = 0; v <= FAR_ROWS; v++)
        distance[v] = v == 1 ? 0 : UINT64_MAX;
    while (changed) {
        changed = 0;
        for (uint64_t v = 1; v <= FAR_ROWS; v++)
            for (uint64_t e = far->offsets[v]; distance[v] != UINT64_MAX && e < far->offsets[v + 1]; e++) {
                uint64_t d = distance[v] + 1;
                changed += d < distance[far->targets[e]];
                distance[far->targets[e]] = d < distance[far->targets[e]] ? d : distance[far->targets[e]];
            }
    }
    for (uint64_t v = 0; v <= FAR_ROWS; v++)
        reached += distance[v] != UINT64_MAX;
    return reached;
}

static void search(const far_edges *far) {
    static const heddle_vertex source = 1;
    static uint64_t expected[FAR_ROWS + 1];
    heddle_context *ctx = support_context(2);
    heddle_run_options options;
    heddle_graph *graph;
    heddle_result *result;
    support_assert_status(ctx, hd_graph_new(ctx, &graph), HEDDLE_OK);
    graph->vertices = far->n;
    graph->edges = far->m;
    graph->directed = true;
    graph->out = (hd_csr){.offsets = far->offsets, .targets = far->targets};
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.sources = &source;
    options.source_count = 1;
    options.device = "cpu";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_int_equal(plain(far, expected), FAR_ROWS);
    for (uint64_t v = 1; v <= FAR_ROWS; v++)
        assert_int_equal((uint64_t)heddle_result_value(result, (heddle_vertex)v), expected[v]);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void search_with(uint64_t more) {
    far_edges far;
    if (!far_make(&far, more)) {
        print_message("skipped: no 32 GiB of addresses\n");
        skip();
    }
    search(&far);
    far_free(&far);
}

static void far_rows(void **unused) {
    (void)unused;
    search_with(5);
}

static void many_vertices(void **unused) {
    (void)unused;
    if (!getenv("HEDDLE_TEST_ALL")) {
        print_message("skipped: only with HEDDLE_TEST_ALL\n");
        skip();
    }
    search_with((UINT64_C(1) << 27) + 1);
}

/* Rows of 2^24 edges each, more than 2^33 in all: partitions cover them without gaps. */
static void partitions(void **unused) {
    enum { ROWS = 700 };
    uint64_t offsets[ROWS + 1], at = 0;
    heddle_context *ctx = support_context(1);
    hd_partition p;
    (void)unused;
    for (uint64_t v = 0; v <= ROWS; v++)
        offsets[v] = v << 24;
    hd_span_cost cost = {.edge_bytes = 8, .limit = UINT64_C(3) << 26};
    support_assert_status(ctx, hd_partition_rows(ctx, offsets, ROWS, &cost, &p), HEDDLE_OK);
    for (uint64_t i = 0; i < p.count; i++) {
        assert_int_equal(p.spans[i].first_edge, at);
        assert_int_equal(p.spans[i].first_edge, offsets[p.spans[i].first_row]);
        assert_true(hd_span_edges(&p.spans[i]) * 8 <= cost.limit);
        at = p.spans[i].end_edge;
    }
    assert_int_equal(at, offsets[ROWS]);
    hd_partition_free(ctx, &p);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_rows), cmocka_unit_test(many_vertices),
                                       cmocka_unit_test(partitions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
