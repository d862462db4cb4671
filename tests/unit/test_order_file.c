/* test_order_file.c - orders in .hdl files: what goes in comes out, runs use it, and damage is found. */
#include "context_case.h"
#include "order_cases.h"

#include "base/hash.h"
#include "engine/derived_graphs.h"
#include "graph/order.h"
#include "io/hdl.h"

static const char *save_as(const heddle_graph *graph, const char *name, const char *order, bool in_edges) {
    const char *path = support_temp_path(name);
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.in_edges = in_edges;
    options.order = order;
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, &options), HEDDLE_OK);
    return path;
}

static void assert_same_places(const heddle_graph *graph, const heddle_graph *back, const hd_order *order,
                               bool in_edges) {
    heddle_graph *made;
    const heddle_graph *kept = hd_order_kept(back, order);
    assert_non_null(kept);
    assert_int_equal(kept->in.offsets != NULL, in_edges && graph->directed);
    support_assert_status(ctx, hd_graph_verify(ctx, kept, HD_VERIFY_PLACES | HD_VERIFY_OUT | HD_VERIFY_IN), HEDDLE_OK);
    support_assert_status(ctx, hd_order_graph(ctx, graph, order, &made), HEDDLE_OK);
    support_assert_same_graph(ctx, made, kept);
    if (graph->vertices)
        assert_memory_equal(made->places, kept->places, graph->vertices * sizeof *made->places);
    heddle_graph_destroy(&made);
}

static void orders_come_back(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shape s = shape_at(i);
        bool in_edges = i % 2;
        heddle_graph *graph = case_graph(ctx, &s, i % 3 ? WEIGHTS_F32 : WEIGHTS_NONE);
        heddle_graph *back = load_file(save_as(graph, "order.hdl", i % 4 ? "degree,bfs" : "bfs", in_edges));
        support_assert_same_graph(ctx, graph, back);
        assert_int_equal(heddle_graph_has_order(back, "degree"), i % 4 != 0);
        assert_int_equal(heddle_graph_has_order(back, "bfs"), 1);
        assert_int_equal(heddle_graph_has_order(back, "none"), 0);
        assert_same_places(graph, back, &hd_order_bfs, in_edges);
        if (i % 4)
            assert_same_places(graph, back, &hd_order_degree, in_edges);
        heddle_graph_destroy(&graph);
        const char *again = strstr(heddle_build_info(), "zlib: not") ? "again.hdl" : "again.hdl.gz";
        graph = load_file(save_as(back, again, "bfs,bfs", false)); /* from the file, packed, named twice */
        assert_same_places(back, graph, &hd_order_bfs, false);
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&back);
        shape_free(&s);
    }
}

static void unknown_orders(void **state) {
    shape s = shape_at(9);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    heddle_save_options options;
    (void)state;
    heddle_save_options_init(&options);
    options.order = "degree,size";
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path("none.hdl"), &options),
                          HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "expected degree, bfs");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static void check_auto(const heddle_graph *graph, const char *algorithm, const char *plan, const char *expected) {
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_explanation explanation = {.size = sizeof explanation};
    heddle_result *result;
    options.parents = 0;
    if (strcmp(algorithm, "pr") == 0 || strcmp(algorithm, "bc") == 0)
        check_order_near(ctx, graph, &options, 1e-5, algorithm);
    else if (strcmp(algorithm, "mst") != 0)
        check_order_exact(ctx, graph, &options, algorithm);
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    assert_string_equal(heddle_result_report(result)->transform, expected);
    assert_true(!(heddle_result_report(result)->transforming > 0));
    heddle_result_destroy(&result);
    support_assert_status(ctx, heddle_explain(ctx, graph, &options, &explanation), HEDDLE_OK);
    assert_string_equal(explanation.transform, expected);
}

static void runs_use_what_the_file_has(void **state) {
    shape s = shape_at(16);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    heddle_graph *both = load_file(save_as(graph, "both.hdl", "degree,bfs", false));
    heddle_graph *one = load_file(save_as(graph, "one.hdl", "degree", false));
    static const char *const pays[] = {"bfs", "sssp", "sswp", "cc", "bc", "scc"};
    (void)state;
    for (size_t i = 0; i < sizeof pays / sizeof *pays; i++) {
        check_auto(both, pays[i], "auto", i ? "order-bfs" : "order-degree");
        check_auto(both, pays[i], "order=bfs", "order-bfs");
        check_auto(both, pays[i], "order=none", "none");
    }
    check_auto(both, "pr", "auto", "order-bfs");
    check_auto(one, "pr", "auto", "order-degree");
    check_auto(one, "pr", "order=degree", "order-degree");
    check_auto(one, "mst", "auto", "none");
    check_auto(one, "sssp", "auto", "none");
    check_auto(one, "cc", "auto", "order-degree");
    heddle_graph_destroy(&one);
    heddle_graph_destroy(&both);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* ---- Damage ----------------------------------------------------------------------------------------------------- */

enum { DEGREE = 32, BFS = 48 }; /* what kinds are shifted by */

typedef struct image {
    char *data;
    size_t bytes;
} image;

static hd_hdl_header *header_of(image i) { return (hd_hdl_header *)(void *)i.data; }

static hd_hdl_entry *entry_of(image i, uint32_t kind) {
    hd_hdl_entry *table = (hd_hdl_entry *)(void *)(i.data + sizeof(hd_hdl_header));
    for (uint32_t k = 0; k < header_of(i)->sections; k++)
        if (table[k].kind == kind)
            return &table[k];
    fail_msg("no section of kind %u", kind);
    return NULL;
}

/* Makes checksums right again. */
static void seal(image i, hd_hdl_entry *entry) {
    if (entry) {
        uint64_t hash = hd_hash_block(i.data + entry->offset, entry->bytes);
        entry->checksum = hd_hash_join(&hash, entry->bytes);
    }
    header_of(i)->checksum =
        hd_hdl_header_checksum(header_of(i), (hd_hdl_entry *)(void *)(i.data + sizeof(hd_hdl_header)));
}

static image fresh(void) {
    shape s = shape_at(9);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    image i;
    i.data = support_read_file(save_as(graph, "image.hdl", "degree,bfs", true), &i.bytes);
    heddle_graph_destroy(&graph);
    shape_free(&s);
    return i;
}

/* Opens or, failing that, runs: one of them tells. */
static void expect(image i, const char *words) {
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options = support_run_options("sssp", "cpu", "order=bfs");
    options.parents = 0;
    heddle_status status = heddle_graph_load(ctx, support_write_file("bad.hdl", i.data, i.bytes), NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(ctx, graph, &options, &result);
    support_assert_status(ctx, status, HEDDLE_E_FORMAT);
    support_assert_message(ctx, words);
    heddle_result_destroy(&result);
    if (graph) { /* what is not used does no harm */
        options.plan = "order=none";
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    free(i.data);
}

static uint32_t *places_of(image i) { return (uint32_t *)(void *)(i.data + entry_of(i, BFS + HD_HDL_PLACES)->offset); }

static void damage_is_found(void **state) {
    image i = fresh();
    (void)state;
    places_of(i)[3] ^= 1;
    expect(i, "section 'bfs order: places' is damaged: its checksum is wrong");
    i = fresh();
    places_of(i)[3] = places_of(i)[4];
    seal(i, entry_of(i, BFS + HD_HDL_PLACES));
    expect(i, "it is no order of the graph's vertices");
    i = fresh();
    places_of(i)[63] = 64;
    seal(i, entry_of(i, BFS + HD_HDL_PLACES));
    expect(i, "it is no order of the graph's vertices");
    i = fresh();
    uint32_t first = places_of(i)[0];
    places_of(i)[0] = places_of(i)[63]; /* a permutation, but of rows of another length */
    places_of(i)[63] = first;
    seal(i, entry_of(i, BFS + HD_HDL_PLACES));
    expect(i, "it is no order of the graph's vertices");
    i = fresh();
    i.data[entry_of(i, BFS + HD_HDL_OUT_TARGETS)->offset] ^= 1;
    expect(i, "section 'bfs order: out targets' is damaged: its checksum is wrong");
    i = fresh();
    ((uint32_t *)(void *)(i.data + entry_of(i, BFS + HD_HDL_OUT_TARGETS)->offset))[0] = 1000;
    seal(i, entry_of(i, BFS + HD_HDL_OUT_TARGETS));
    expect(i, "a target is no vertex");
}

static void wrong_tables_are_found(void **state) {
    image i = fresh();
    (void)state;
    entry_of(i, BFS + HD_HDL_PLACES)->kind = 1000; /* unknown, so it is skipped */
    seal(i, NULL);
    expect(i, "section 'bfs order: out offsets' should not be there");
    i = fresh();
    entry_of(i, DEGREE + HD_HDL_OUT_WEIGHTS)->kind = 1000;
    seal(i, NULL);
    expect(i, "section 'degree order: out weights' is missing");
    i = fresh();
    entry_of(i, DEGREE + HD_HDL_PLACES)->bytes -= 4;
    seal(i, NULL);
    expect(i, "section 'degree order: places' has");
    i = fresh();
    entry_of(i, DEGREE + HD_HDL_OUT_WEIGHTS)->kind = BFS + HD_HDL_OUT_WEIGHTS;
    seal(i, NULL);
    expect(i, "is there twice");
    i = fresh();
    header_of(i)->flags = 0; /* undirected: no in-edges */
    seal(i, NULL);
    expect(i, "should not be there");
}

static heddle_status attempt(heddle_context *other, void *path) { return support_load_and_run(other, path, "cc"); }

static void memory_runs_out(void **state) {
    shape s = shape_at(2);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_U32);
    (void)state;
    support_try_every_failure(attempt, (void *)(uintptr_t)save_as(graph, "small.hdl", "degree,bfs", true));
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_come_back),           cmocka_unit_test(unknown_orders),
        cmocka_unit_test(runs_use_what_the_file_has), cmocka_unit_test(damage_is_found),
        cmocka_unit_test(wrong_tables_are_found),     cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
