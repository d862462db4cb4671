/* test_stats.c - the statistics: graphs whose figures are known, and random ones against plain computations. */
#include "support.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

static heddle_context *ctx;

static int setup(void **state) {
    (void)state;
    ctx = support_context(2);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

static heddle_stats stats_of(heddle_context *context, const heddle_graph *graph) {
    heddle_stats stats = {.size = sizeof stats};
    support_assert_status(context, heddle_graph_stats(context, graph, &stats), HEDDLE_OK);
    return stats;
}

typedef struct pair {
    int64_t from, to;
} pair;

static heddle_graph *graph_of(uint64_t vertices, const pair *pairs, size_t count, const void *weights,
                              heddle_weight_type type) {
    int64_t *from = malloc((count + 1) * sizeof *from), *to = malloc((count + 1) * sizeof *to);
    heddle_graph *graph;
    for (size_t k = 0; k < count; k++) {
        from[k] = pairs[k].from;
        to[k] = pairs[k].to;
    }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, vertices, count, from, to, weights, type, NULL, &graph),
                          HEDDLE_OK);
    free(from);
    free(to);
    return graph;
}

static heddle_graph *generate(heddle_context *context, const char *kind, uint64_t vertices, double degree,
                              double probability) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.vertices = vertices;
    options.degree = degree;
    options.probability = probability;
    support_assert_status(context, heddle_graph_generate(context, &options, &graph), HEDDLE_OK);
    return graph;
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g, expected %.17g", value, expected);
}

/* ---- Known figures ------------------------------------------------------------------------------------------- */

static void test_by_hand(void **state) {
    (void)state;
    /* 0 -> 1 twice, 0 -> 2, 1 -> 1 three times, 3 -> 2; 4 alone; 5 -> 6 */
    const pair pairs[] = {{0, 1}, {1, 1}, {0, 2}, {3, 2}, {0, 1}, {1, 1}, {5, 6}, {1, 1}};
    const int32_t weights[] = {5, -2, 7, 1, 9, 3, 4, 2};
    heddle_graph *graph = graph_of(7, pairs, 8, weights, HEDDLE_WEIGHT_I32);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.vertices, 7);
    assert_int_equal(stats.edges, 8);
    assert_int_equal(stats.directed, 1);
    assert_int_equal(stats.weight_type, HEDDLE_WEIGHT_I32);
    assert_near(stats.weight_min, -2);
    assert_near(stats.weight_max, 9);
    assert_int_equal(stats.self_loops, 3);
    assert_int_equal(stats.duplicate_edges, 3);
    assert_int_equal(stats.isolated, 1);
    assert_int_equal(stats.max_out_degree, 3);
    assert_int_equal(stats.max_in_degree, 5);
    assert_int_equal(stats.max_out_vertex, 0);
    /* out-degrees 0 0 0 1 1 3 3 */
    assert_near(stats.mean_degree, 8.0 / 7);
    assert_near(stats.median_degree, 1);
    assert_near(stats.p99_degree, 3);
    assert_near(stats.degree_deviation, sqrt((3 * 64 + 2 * 1 + 2 * 169) / 49.0 / 7) / (8.0 / 7));
    assert_near(stats.gini, (0 * -6 + 0 * -4 + 0 * -2 + 1 * 0 + 1 * 2 + 3 * 4 + 3 * 6) / 56.0);
    assert_near(stats.warp_efficiency, 8.0 / (32 * 3));
    assert_int_equal(stats.histogram[0], 3);
    assert_int_equal(stats.histogram[1], 2);
    assert_int_equal(stats.histogram[2], 2);
    assert_int_equal(stats.components, 3);
    assert_int_equal(stats.largest_component, 4);
    assert_int_equal(stats.estimated_diameter, 3); /* 1 - 0 - 2 - 3 */
    assert_int_equal(stats.bytes_csr, 8 * 8 + 8 * 8);
    heddle_graph_destroy(&graph);
}

static void test_without_edges(void **state) {
    (void)state;
    for (uint64_t n = 0; n <= 40; n += n < 2 ? 1 : 19) {
        int64_t none = 0;
        heddle_graph *graph;
        uint32_t weight = 0;
        support_assert_status(
            ctx, heddle_graph_from_edges(ctx, n, 0, &none, &none, &weight, HEDDLE_WEIGHT_U32, NULL, &graph), HEDDLE_OK);
        heddle_stats stats = stats_of(ctx, graph);
        assert_int_equal(stats.vertices, n);
        assert_int_equal(stats.edges, 0);
        assert_int_equal(stats.isolated, n);
        assert_int_equal(stats.histogram[0], n);
        assert_int_equal(stats.components, n);
        assert_int_equal(stats.largest_component, n ? 1 : 0);
        assert_int_equal(stats.estimated_diameter, 0);
        assert_int_equal(stats.max_out_degree, 0);
        assert_int_equal(stats.max_in_degree, 0);
        assert_int_equal(stats.max_out_vertex, 0);
        assert_true(stats.weight_min == 0 && stats.weight_max == 0 && stats.mean_degree == 0);
        assert_true(stats.median_degree == 0 && stats.p99_degree == 0 && stats.degree_deviation == 0);
        assert_true(stats.gini == 0 && stats.warp_efficiency == 1);
        assert_int_equal(stats.bytes_csr, 8 * (n + 1));
        heddle_graph_destroy(&graph);
    }
}

static void test_loops_alone(void **state) {
    (void)state;
    const pair pairs[] = {{0, 0}, {2, 2}};
    heddle_graph *graph = graph_of(3, pairs, 2, NULL, HEDDLE_WEIGHT_NONE);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.self_loops, 2);
    assert_int_equal(stats.isolated, 1);
    assert_int_equal(stats.components, 3);
    assert_int_equal(stats.largest_component, 1);
    assert_int_equal(stats.estimated_diameter, 0);
    heddle_graph_destroy(&graph);
}

static void test_star(void **state) {
    (void)state;
    const double n = 100001; /* more leaves than small degrees are counted to */
    heddle_graph *graph = generate(ctx, "star", 100001, 0, 0);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.directed, 0);
    assert_int_equal(stats.max_out_degree, 100000);
    assert_int_equal(stats.max_in_degree, 100000);
    assert_int_equal(stats.max_out_vertex, 0);
    assert_near(stats.median_degree, 1);
    assert_near(stats.p99_degree, 1);
    /* all leaves equal: only the differences to the centre count */
    assert_near(stats.gini, (n - 1) * (n - 2) / (n * 2 * (n - 1)));
    assert_near(stats.warp_efficiency, 200000.0 / (32 * (100000.0 + 3125)));
    assert_int_equal(stats.histogram[1], 100000);
    assert_int_equal(stats.histogram[17], 1);
    assert_int_equal(stats.components, 1);
    assert_int_equal(stats.largest_component, 100001);
    assert_int_equal(stats.estimated_diameter, 2);
    heddle_graph_destroy(&graph);
}

static void test_deep_path(void **state) {
    (void)state;
    heddle_graph *graph = generate(ctx, "path", 1000000, 0, 0);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.estimated_diameter, 999999);
    assert_int_equal(stats.components, 1);
    assert_int_equal(stats.isolated, 0);
    assert_near(stats.median_degree, 2);
    heddle_graph_destroy(&graph);
}

/* Arcs that all point towards the middle: connected only when direction is ignored. */
static void test_against_the_arrows(void **state) {
    (void)state;
    enum { N = 5001 };
    pair *pairs = malloc((N - 1) * sizeof *pairs);
    for (int64_t v = 0; v + 1 < N; v++)
        pairs[v] = v % 2 ? (pair){v + 1, v} : (pair){v, v + 1};
    heddle_graph *graph = graph_of(N, pairs, N - 1, NULL, HEDDLE_WEIGHT_NONE);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.components, 1);
    assert_int_equal(stats.estimated_diameter, N - 1);
    assert_int_equal(stats.max_in_degree, 2);
    assert_int_equal(stats.isolated, 0);
    free(pairs);
    heddle_graph_destroy(&graph);
}

static void test_regular(void **state) {
    (void)state;
    heddle_graph *graph = generate(ctx, "smallworld", 640, 4, 0);
    heddle_stats stats = stats_of(ctx, graph);
    assert_true(stats.gini == 0 && stats.degree_deviation == 0 && stats.warp_efficiency == 1);
    assert_near(stats.mean_degree, 4);
    assert_near(stats.p99_degree, 4);
    assert_int_equal(stats.histogram[3], 640);
    assert_int_equal(stats.estimated_diameter, 160); /* half round, two steps at a time */
    heddle_graph_destroy(&graph);
}

static void test_grid_and_tree(void **state) {
    (void)state;
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = "grid";
    options.width = 300;
    options.height = 200;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    assert_int_equal(stats_of(ctx, graph).estimated_diameter, 299 + 199);
    heddle_graph_destroy(&graph);

    graph = generate(ctx, "tree", 1 << 16, 0, 0); /* levels 0 .. 15 full, one vertex on level 16 */
    assert_int_equal(stats_of(ctx, graph).estimated_diameter, 16 + 15);
    heddle_graph_destroy(&graph);

    graph = generate(ctx, "clique", 100, 0, 0);
    assert_int_equal(stats_of(ctx, graph).estimated_diameter, 1);
    heddle_graph_destroy(&graph);
}

/* Few vertices, many parallel arcs: degrees above the number of vertices. */
static void test_heavy_multigraph(void **state) {
    (void)state;
    enum { M = 300000 };
    pair *pairs = malloc(M * sizeof *pairs);
    for (int64_t k = 0; k < M; k++)
        pairs[k] = k < 200000 ? (pair){2, 0} : k < 290000 ? (pair){1, 1} : (pair){0, 2};
    heddle_graph *graph = graph_of(3, pairs, M, NULL, HEDDLE_WEIGHT_NONE);
    heddle_stats stats = stats_of(ctx, graph);
    assert_int_equal(stats.max_out_degree, 200000);
    assert_int_equal(stats.max_out_vertex, 2);
    assert_int_equal(stats.max_in_degree, 200000);
    assert_int_equal(stats.duplicate_edges, M - 3);
    assert_int_equal(stats.self_loops, 90000);
    assert_near(stats.median_degree, 90000);
    assert_near(stats.p99_degree, 200000);
    assert_near(stats.gini, (-2.0 * 10000 + 2.0 * 200000) / (3.0 * M));
    assert_int_equal(stats.histogram[14] + stats.histogram[17] + stats.histogram[18], 3);
    assert_int_equal(stats.components, 2);
    assert_int_equal(stats.largest_component, 2);
    assert_int_equal(stats.estimated_diameter, 1);
    free(pairs);
    heddle_graph_destroy(&graph);
}

/* ---- Against plain computations ------------------------------------------------------------------------------ */

static int by_count(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Breadth-first over both directions by repeated passes over all arcs; -1 is unreached. Returns the depth. */
static int64_t plain_search(const heddle_adjacency *rows, uint64_t n, uint64_t start, int64_t *level) {
    int64_t depth = 0;
    bool found = true;
    for (uint64_t v = 0; v < n; v++)
        level[v] = -1;
    level[start] = 0;
    for (; found; depth += found) {
        found = false;
        for (uint64_t v = 0; v < n; v++) {
            for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
                uint64_t u = rows->targets[e];
                if ((level[v] == depth && level[u] < 0) || (level[u] == depth && level[v] < 0)) {
                    level[level[u] < 0 ? u : v] = depth + 1;
                    found = true;
                }
            }
        }
    }
    return depth;
}

static void compare_with_plain(const heddle_graph *graph) {
    heddle_stats stats = stats_of(ctx, graph);
    heddle_adjacency rows;
    uint64_t n = heddle_graph_vertices(graph), components = 0, largest = 0, isolated = 0, loops = 0, max_in = 0;
    uint64_t *out = calloc(n, sizeof *out), *in = calloc(n, sizeof *in), histogram[HEDDLE_HISTOGRAM_BINS] = {0};
    int64_t *level = malloc(n * sizeof *level), diameter = 0;
    bool *seen = calloc(n, sizeof *seen);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);

    for (uint64_t v = 0; v < n; v++) {
        out[v] = rows.offsets[v + 1] - rows.offsets[v];
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++) {
            in[rows.targets[e]]++;
            loops += rows.targets[e] == v;
        }
    }
    double steps = 0, squares = 0, differences = 0, mean = (double)stats.edges / (double)n;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t longest = 0;
        for (uint64_t u = v; v % 32 == 0 && u < n && u < v + 32; u++)
            longest = out[u] > longest ? out[u] : longest;
        steps += (double)longest;
        squares += ((double)out[v] - mean) * ((double)out[v] - mean);
        for (uint64_t u = 0; u < n; u++)
            differences += fabs((double)out[u] - (double)out[v]);
        isolated += out[v] + in[v] == 0;
        max_in = in[v] > max_in ? in[v] : max_in;
        unsigned bin = 0;
        for (uint64_t d = out[v]; d; d >>= 1)
            bin++;
        histogram[bin]++;
    }
    for (uint64_t v = 0; v < n; v++) {
        uint64_t size = 0;
        if (seen[v])
            continue;
        components++;
        plain_search(&rows, n, v, level);
        for (uint64_t u = 0; u < n; u++) {
            seen[u] = seen[u] || level[u] >= 0;
            size += level[u] >= 0;
        }
        largest = size > largest ? size : largest;
    }
    for (uint64_t v = 0; v < n; v++) {
        int64_t depth = plain_search(&rows, n, v, level);
        diameter = depth > diameter ? depth : diameter;
    }
    assert_int_equal(stats.components, components);
    assert_int_equal(stats.largest_component, largest);
    assert_int_equal(stats.isolated, isolated);
    assert_int_equal(stats.self_loops, loops);
    assert_int_equal(stats.max_in_degree, max_in);
    assert_memory_equal(stats.histogram, histogram, sizeof histogram);
    assert_near(stats.mean_degree, mean);
    if (stats.edges) {
        assert_near(stats.warp_efficiency, (double)stats.edges / (32 * steps));
        assert_near(stats.degree_deviation, sqrt(squares / (double)n) / mean);
        assert_near(stats.gini, differences / (2 * (double)n * (double)stats.edges));
    }
    assert_true((int64_t)stats.estimated_diameter <= diameter);
    uint64_t first = 0;
    while (first < n && out[first] != stats.max_out_degree)
        first++;
    assert_int_equal(stats.max_out_vertex, first);
    qsort(out, n, sizeof *out, by_count);
    assert_int_equal(stats.max_out_degree, out[n - 1]);
    assert_near(stats.median_degree, ((double)out[(n - 1) / 2] + (double)out[n / 2]) / 2);
    assert_near(stats.p99_degree, (double)out[(uint64_t)ceil(0.99 * (double)n) - 1]);
    free(out);
    free(in);
    free(level);
    free(seen);
}

static void test_random_graphs(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        heddle_generate_options options;
        heddle_graph *graph;
        heddle_generate_options_init(&options);
        options.seed = seed;
        options.kind = seed % 3 == 0 ? "rmat" : "uniform";
        options.vertices = seed % 3 == 0 ? 0 : 1 + hd_below(hd_random(1, seed), 150);
        options.scale = 1 + (int)(seed % 7);
        options.degree = 0.25 * (double)(seed % 9);
        options.build.symmetrize = seed % 4 == 3;
        support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
        compare_with_plain(graph);
        heddle_graph_destroy(&graph);
    }
}

/* ---- Rules for all ------------------------------------------------------------------------------------------- */

static void assert_same_stats(const heddle_stats *a, const heddle_stats *b) {
    assert_int_equal(a->self_loops, b->self_loops);
    assert_int_equal(a->duplicate_edges, b->duplicate_edges);
    assert_int_equal(a->isolated, b->isolated);
    assert_int_equal(a->max_out_degree, b->max_out_degree);
    assert_int_equal(a->max_in_degree, b->max_in_degree);
    assert_int_equal(a->max_out_vertex, b->max_out_vertex);
    assert_true(a->weight_min == b->weight_min && a->weight_max == b->weight_max);
    assert_true(a->mean_degree == b->mean_degree && a->median_degree == b->median_degree);
    assert_true(a->p99_degree == b->p99_degree && a->degree_deviation == b->degree_deviation);
    assert_true(a->gini == b->gini && a->warp_efficiency == b->warp_efficiency);
    assert_memory_equal(a->histogram, b->histogram, sizeof a->histogram);
    assert_int_equal(a->components, b->components);
    assert_int_equal(a->largest_component, b->largest_component);
    assert_int_equal(a->estimated_diameter, b->estimated_diameter);
}

/* Large enough for every way of walking a level: alone, top-down, bottom-up. */
static void test_threads(void **state) {
    (void)state;
    const char *const kinds[] = {"rmat", "uniform", "smallworld", "star"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        heddle_stats reference = {.size = sizeof reference};
        const int threads[] = {1, 2, 3, 7};
        for (int t = 0; t < 4; t++) {
            heddle_context *other = support_context(threads[t]);
            heddle_graph *graph = generate(other, kinds[k], 0, 4, 0.2);
            heddle_stats stats = stats_of(other, graph);
            if (t == 0)
                reference = stats;
            assert_same_stats(&stats, &reference);
            heddle_graph_destroy(&graph);
            heddle_context_destroy(&other);
        }
    }
}

static heddle_status stats_once(heddle_context *context, void *user) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_stats stats = {.size = sizeof stats};
    (void)user;
    heddle_generate_options_init(&options);
    options.scale = 9;
    options.degree = 64; /* some degrees are large enough to be listed */
    options.a = 0.9;
    options.b = options.c = 0.03;
    heddle_status status = heddle_graph_generate(context, &options, &graph);
    if (status == HEDDLE_OK)
        status = heddle_graph_stats(context, graph, &stats);
    heddle_graph_destroy(&graph);
    return status;
}

static void test_every_allocation_can_fail(void **state) {
    (void)state;
    support_try_every_failure(stats_once, NULL);
}

static int cancel_in(void *user, const heddle_progress *progress) { return !strcmp(progress->phase, user); }

/* 0 -> 1 -> 2 -> 0, 1 -> 0 and a loop; a star, whose degrees are as different as can be; a tree. */
static void test_ends(void **state) {
    (void)state;
    static const int64_t from[] = {0, 1, 2, 1, 2}, to[] = {1, 2, 0, 0, 2};
    heddle_context *ctx = support_context(2);
    heddle_stats stats = {.size = sizeof stats};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 3, 5, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_stats(ctx, graph, &stats), HEDDLE_OK);
    assert_true(fabs(stats.density - 5.0 / 6) < 1e-15);
    assert_true(stats.reciprocity == 0.5);
    assert_int_equal(stats.forest, 0);
    heddle_graph_destroy(&graph);
    heddle_generate_options options;
    heddle_generate_options_init(&options);
    options.kind = "star";
    options.vertices = 9;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_stats(ctx, graph, &stats), HEDDLE_OK);
    assert_true(fabs(stats.assortativity + 1) < 1e-12 && stats.reciprocity == 1 && stats.forest == 1);
    heddle_graph_destroy(&graph);
    options.kind = "clique"; /* all degrees are equal */
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_stats(ctx, graph, &stats), HEDDLE_OK);
    assert_true(isnan(stats.assortativity) && stats.density == 1 && stats.forest == 0);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void test_cancel(void **state) {
    (void)state;
    heddle_graph *graph = generate(ctx, "rmat", 0, 16, 0);
    char phases[][16] = {"transpose", "degrees", "edges", "components", "diameter"};
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        heddle_context_options options;
        heddle_context *other;
        heddle_stats stats = {.size = sizeof stats, .vertices = 77};
        heddle_context_options_init(&options);
        options.progress = cancel_in;
        options.progress_user = phases[k];
        assert_int_equal(heddle_context_create(&options, &other), HEDDLE_OK);
        support_assert_status(other, heddle_graph_stats(other, graph, &stats), HEDDLE_E_CANCELLED);
        assert_int_equal(stats.vertices, 77); /* untouched */
        heddle_context_destroy(&other);
    }
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_without_edges),
        cmocka_unit_test(test_loops_alone),
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_deep_path),
        cmocka_unit_test(test_against_the_arrows),
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_grid_and_tree),
        cmocka_unit_test(test_heavy_multigraph),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_every_allocation_can_fail),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
