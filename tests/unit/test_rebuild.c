/* test_rebuild.c - rows as a source of edges: all of them once, in order, however they are cut up and aligned; and
 * parts of graphs. */
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "graph/rebuild.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = support_context(4);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

/* Rows of pairs at an odd address; many are empty, one is long. */
static char *make_rows(hd_rows *rows, uint64_t n, uint64_t m) {
    char *memory = malloc(1 + (n + 1) * 8 + m * 8);
    uint64_t offset = 0;
    assert_non_null(memory);
    *rows = (hd_rows){.vertices = n, .edges = m, .stride = 8, .weight_type = HEDDLE_WEIGHT_I32};
    rows->offsets = memory + 1;
    rows->targets = rows->offsets + (n + 1) * 8;
    rows->weights = rows->targets + 4;
    for (uint64_t v = 0; v <= n; v++) {
        memcpy(memory + 1 + v * 8, &offset, 8);
        uint64_t degree = v == n / 2 ? m / 2 : v % 3 == 0 ? 5 : 0;
        offset = v + 1 >= n || offset + degree > m ? m : offset + degree;
    }
    for (uint64_t k = 0; k < m; k++) {
        int32_t pair[2] = {(int32_t)hd_below(hd_random(3, k), n), (int32_t)k - 5};
        memcpy(memory + 1 + (n + 1) * 8 + k * 8, pair, 8);
    }
    return memory;
}

static uint64_t offset_of(const hd_rows *rows, uint64_t v) {
    uint64_t offset;
    memcpy(&offset, rows->offsets + v * 8, 8);
    return offset;
}

static void walks_every_edge_once(void **state) {
    hd_rows rows;
    hd_edge_batch *batch = malloc(sizeof *batch);
    char *memory = make_rows(&rows, 1000, 300000);
    hd_edge_source source = hd_rows_source(ctx, &rows);
    uint64_t k = 0, row = 0;
    (void)state;
    assert_true(source.parts > 1);
    for (uint64_t part = 0; part < source.parts; part++) {
        hd_cursor cursor = {.part = part};
        source.begin(source.self, &cursor);
        for (;;) {
            source.next(source.self, &cursor, batch);
            if (batch->count == 0)
                break;
            for (size_t i = 0; i < batch->count; i++, k++) {
                int32_t pair[2];
                memcpy(pair, rows.targets + k * 8, 8);
                while (offset_of(&rows, row + 1) <= k)
                    row++;
                assert_int_equal(batch->source[i], row);
                assert_int_equal(batch->target[i], pair[0]);
                assert_true(batch->weight[i] == pair[1]);
            }
        }
    }
    assert_int_equal(k, 300000);
    free(memory);
    free(batch);
}

static void no_edges_no_vertices(void **state) {
    static const uint64_t offsets[4];
    (void)state;
    for (uint64_t n = 0; n < 4; n++) {
        hd_rows rows = {.vertices = n, .offsets = (const char *)offsets, .targets = "", .stride = 4};
        hd_edge_source source = hd_rows_source(ctx, &rows);
        heddle_build_options options;
        heddle_graph *graph;
        heddle_build_options_init(&options);
        support_assert_status(ctx, hd_graph_build(ctx, &source, &options, &graph), HEDDLE_OK);
        assert_int_equal(heddle_graph_vertices(graph), n);
        assert_int_equal(heddle_graph_edges(graph), 0);
        heddle_graph_destroy(&graph);
    }
}

/* A rebuilt graph is the graph, and the ids go along. */
static void rebuilding_changes_nothing(void **state) {
    static const int64_t sources[] = {-5, 70, 70, 1000000000000}, targets[] = {70, -5, 70, -5};
    static const float weights[] = {0.5f, 1, 2, -3};
    heddle_build_options options;
    heddle_graph *graph, *again;
    (void)state;
    heddle_build_options_init(&options);
    assert_false(hd_build_options_change(ctx, &options, HEDDLE_WEIGHT_NONE));
    support_assert_status(
        ctx, heddle_graph_from_edges(ctx, 0, 4, sources, targets, weights, HEDDLE_WEIGHT_F32, NULL, &graph), HEDDLE_OK);
    support_assert_status(ctx, hd_graph_rebuild(ctx, graph, &options, &again), HEDDLE_OK);
    support_assert_same_graph(ctx, graph, again);
    heddle_graph_destroy(&again);
    options.drop_loops = 1;
    assert_true(hd_build_options_change(ctx, &options, HEDDLE_WEIGHT_NONE));
    support_assert_status(ctx, hd_graph_rebuild(ctx, graph, &options, &again), HEDDLE_OK);
    assert_int_equal(heddle_graph_edges(again), 3);
    assert_int_equal(heddle_graph_id(again, 2), 1000000000000);
    heddle_graph_destroy(&again);
    heddle_graph_destroy(&graph);
}

/* Against the definition, arc by arc: of random graphs, directed or not, with ids and weights. */
static void check_subgraph(const heddle_subgraph_options *options, const heddle_graph *graph) {
    uint64_t n = heddle_graph_vertices(graph), degree[64] = {0}, arcs = 0, kept = 0, found = 0;
    bool keep[64];
    heddle_adjacency out, rows;
    heddle_graph *part;
    support_assert_status(ctx, heddle_graph_subgraph(ctx, graph, options, &part), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, part, &rows), HEDDLE_OK);
    assert_int_equal(heddle_graph_directed(part), heddle_graph_directed(graph));
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            degree[v]++;
            degree[out.targets[e]] += heddle_graph_directed(graph) || out.targets[e] == v;
        }
    for (uint64_t v = 0; v < n; v++) {
        keep[v] = (!options->keep || options->keep[v]) && degree[v] >= options->min_degree &&
                  degree[v] <= options->max_degree;
        if (keep[v] && !options->drop_isolated)
            assert_int_equal(heddle_graph_id(part, (heddle_vertex)kept), heddle_graph_id(graph, (heddle_vertex)v));
        kept += keep[v];
    }
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            float weight = ((const float *)out.weights)[e];
            if (!keep[v] || !keep[out.targets[e]] || weight < options->min_weight || weight > options->max_weight)
                continue;
            while (rows.offsets[found + 1] <= arcs)
                found++;
            assert_int_equal(heddle_graph_id(part, (heddle_vertex)found), heddle_graph_id(graph, (heddle_vertex)v));
            assert_int_equal(heddle_graph_id(part, rows.targets[arcs]), heddle_graph_id(graph, out.targets[e]));
            assert_true(((const float *)rows.weights)[arcs++] == weight);
        }
    assert_int_equal(heddle_graph_edges(part), arcs);
    if (!options->drop_isolated)
        assert_int_equal(heddle_graph_vertices(part), kept);
    for (uint64_t v = 0; v < heddle_graph_vertices(part) && options->drop_isolated && !heddle_graph_directed(graph);
         v++)
        assert_true(rows.offsets[v + 1] > rows.offsets[v]);
    heddle_graph_destroy(&part);
}

/* Some edges are left, both arcs of an undirected one or none, and none is new. */
static void check_sample(const heddle_subgraph_options *options, const heddle_graph *graph) {
    heddle_adjacency rows;
    heddle_graph *part;
    uint64_t loops = 0;
    support_assert_status(ctx, heddle_graph_subgraph(ctx, graph, options, &part), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, part, &rows), HEDDLE_OK);
    assert_true(heddle_graph_edges(part) < heddle_graph_edges(graph));
    if (!heddle_graph_directed(part))
        support_assert_status(ctx, hd_graph_verify(ctx, part, HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS),
                              HEDDLE_OK);
    for (uint64_t v = 0; v < heddle_graph_vertices(part); v++)
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
            loops += rows.targets[e] == v;
    assert_true(heddle_graph_edges(part) > loops);
    heddle_graph_destroy(&part);
}

static void parts_of_graphs(void **state) {
    enum { N = 40, M = 120 };
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        int64_t from[M], to[M];
        float weights[M];
        unsigned char keep[N];
        heddle_build_options build;
        heddle_subgraph_options options;
        heddle_graph *graph;
        for (uint64_t k = 0; k < M; k++) {
            from[k] = (int64_t)hd_below(hd_random(seed, 3 * k), N) * 7 - 50;
            to[k] = (int64_t)hd_below(hd_random(seed, 3 * k + 1), N) * 7 - 50;
            weights[k] = (float)hd_below(hd_random(seed, 3 * k + 2), 8);
        }
        heddle_build_options_init(&build);
        build.symmetrize = seed % 2;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 0, M, from, to, weights, HEDDLE_WEIGHT_F32, &build, &graph),
                              HEDDLE_OK);
        for (uint64_t v = 0; v < N; v++)
            keep[v] = hd_random(seed, 1000 + v) % 4 > 0;
        heddle_subgraph_options_init(&options);
        check_subgraph(&options, graph);
        options.keep = keep;
        check_subgraph(&options, graph);
        options.min_degree = 3;
        options.max_degree = 9;
        check_subgraph(&options, graph);
        options.min_weight = 2;
        options.max_weight = 5;
        check_subgraph(&options, graph);
        options.drop_isolated = 1;
        check_subgraph(&options, graph);
        options.edge_share = 0.5;
        check_sample(&options, graph);
        options.vertex_share = 1.5;
        heddle_graph *part;
        support_assert_status(ctx, heddle_graph_subgraph(ctx, graph, &options, &part), HEDDLE_E_ARGUMENT);
        heddle_graph_destroy(&graph);
    }
}

static void labels_of_parts(void **state) {
    static const char *const from[] = {"ann", "bob", "cid"}, *const to[] = {"bob", "cid", "ann"};
    static const unsigned char keep[] = {1, 0, 1};
    heddle_subgraph_options options;
    heddle_graph *graph, *part;
    char label[8];
    (void)state;
    support_assert_status(ctx, heddle_graph_from_labels(ctx, 3, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    heddle_subgraph_options_init(&options);
    options.keep = keep;
    support_assert_status(ctx, heddle_graph_subgraph(ctx, graph, &options, &part), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(part), 2);
    assert_int_equal(heddle_graph_edges(part), 1);
    heddle_graph_id_text(part, 1, label, sizeof label);
    assert_string_equal(label, "cid");
    heddle_graph_destroy(&part);
    options.min_weight = NAN;
    support_assert_status(ctx, heddle_graph_subgraph(ctx, graph, &options, &part), HEDDLE_E_ARGUMENT);
    assert_null(part);
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_every_edge_once),
        cmocka_unit_test(no_edges_no_vertices),
        cmocka_unit_test(rebuilding_changes_nothing),
        cmocka_unit_test(parts_of_graphs),
        cmocka_unit_test(labels_of_parts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
