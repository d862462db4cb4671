/* test_generate.c - the generators: exact shapes where there is no chance, frequencies within five standard deviations
 * where there is, and the same graph for every number of threads. */
#include "support.h"

#include "base/random.h"
#include "generate/generate.h"

#include <math.h>
#include <stdlib.h>

extern const hd_generator_kind hd_generator_rmat;

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

static heddle_generate_options kind(const char *name) {
    heddle_generate_options options;
    heddle_generate_options_init(&options);
    options.kind = name;
    return options;
}

/* Options of `name`, cut down to some thousand edges. */
static heddle_generate_options small(const char *name) {
    heddle_generate_options options = kind(name);
    options.scale = 9;
    options.width = 31;
    options.height = 17;
    if (!strcmp(name, "clique"))
        options.vertices = 40;
    if (!strcmp(name, "grid"))
        options.depth = 3;
    static const uint64_t degrees[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 0};
    options.degrees = degrees;
    options.degree_count = sizeof degrees / sizeof *degrees;
    return options;
}

static heddle_graph *make(heddle_context *context, const heddle_generate_options *options) {
    heddle_graph *graph;
    support_assert_status(context, heddle_graph_generate(context, options, &graph), HEDDLE_OK);
    return graph;
}

static heddle_adjacency rows_of(const heddle_graph *graph) {
    heddle_adjacency rows;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &rows), HEDDLE_OK);
    return rows;
}

static uint64_t degree(const heddle_adjacency *rows, uint64_t v) { return rows->offsets[v + 1] - rows->offsets[v]; }

static double weight(const heddle_graph *graph, const heddle_adjacency *rows, uint64_t k) {
    return hd_weight_at(rows->weights, heddle_graph_weight_type(graph), k);
}

static void assert_size(const heddle_graph *graph, uint64_t vertices, uint64_t edges) {
    assert_int_equal(heddle_graph_vertices(graph), vertices);
    assert_int_equal(heddle_graph_edges(graph), edges);
}

static void assert_row(const heddle_graph *graph, uint64_t v, size_t count, const uint32_t *targets) {
    heddle_adjacency rows = rows_of(graph);
    assert_int_equal(degree(&rows, v), count);
    assert_memory_equal(rows.targets + rows.offsets[v], targets, count * sizeof *targets);
}
#define ROW(graph, v, ...) assert_row(graph, v, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

/* Every arc has its reverse, as often and of equal weight. */
static void assert_symmetric(const heddle_graph *graph) {
    heddle_adjacency rows = rows_of(graph);
    uint64_t n = heddle_graph_vertices(graph);
    uint64_t *next = calloc(n + 1, sizeof *next);
    assert_int_equal(heddle_graph_directed(graph), 0);
    for (uint64_t v = 0; v < n; v++)
        next[v] = rows.offsets[v];
    /* arcs met in ascending order of source must stand in each target's row in that order */
    for (uint64_t v = 0; v < n; v++) {
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++) {
            uint64_t reverse = next[rows.targets[e]]++;
            assert_int_equal(rows.targets[reverse], v);
            assert_true(weight(graph, &rows, reverse) == weight(graph, &rows, e));
        }
    }
    free(next);
}

static void assert_simple(const heddle_graph *graph) {
    heddle_adjacency rows = rows_of(graph);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++) {
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++) {
            assert_int_not_equal(rows.targets[e], v);
            assert_true(e == rows.offsets[v] || rows.targets[e] > rows.targets[e - 1]);
        }
    }
}

/* ---- Shapes without chance ----------------------------------------------------------------------------------- */

static void test_star(void **state) {
    (void)state;
    heddle_generate_options options = kind("star");
    options.vertices = 5;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 5, 8);
    ROW(graph, 0, 1, 2, 3, 4);
    for (uint64_t leaf = 1; leaf < 5; leaf++)
        ROW(graph, leaf, 0);
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);
}

static void test_path(void **state) {
    (void)state;
    heddle_generate_options options = kind("path");
    options.vertices = 100000;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 100000, 2 * 99999);
    ROW(graph, 0, 1);
    ROW(graph, 50000, 49999, 50001);
    ROW(graph, 99999, 99998);
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);
}

static void test_clique(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 9; n++) {
        heddle_generate_options options = kind("clique");
        options.vertices = n;
        heddle_graph *graph = make(ctx, &options);
        assert_size(graph, n, n * (n - 1));
        assert_simple(graph);
        heddle_graph_destroy(&graph);
    }
}

static void test_tree(void **state) {
    (void)state;
    heddle_generate_options options = kind("tree");
    options.vertices = 9;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 9, 16);
    ROW(graph, 0, 1, 2);
    ROW(graph, 1, 0, 3, 4);
    ROW(graph, 3, 1, 7, 8);
    ROW(graph, 8, 3);
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);

    options.branching = 1; /* a path */
    options.vertices = 20000;
    graph = make(ctx, &options);
    options.kind = "path";
    heddle_graph *path = make(ctx, &options);
    support_assert_same_graph(ctx, graph, path);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&path);

    options.kind = "tree"; /* a star */
    options.branching = UINT64_MAX;
    graph = make(ctx, &options);
    options.kind = "star";
    heddle_graph *star = make(ctx, &options);
    support_assert_same_graph(ctx, graph, star);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&star);
}

static void test_grid(void **state) {
    (void)state;
    heddle_generate_options options = kind("grid");
    options.width = 3;
    options.height = 2;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 6, 2 * (2 * 2 + 3));
    ROW(graph, 0, 1, 3);
    ROW(graph, 4, 1, 3, 5);
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);

    options.height = 4;
    options.depth = 5;
    graph = make(ctx, &options);
    assert_size(graph, 60, 2 * (2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4));
    ROW(graph, 16, 4, 13, 15, 17, 19, 28); /* x = 1, y = 1, z = 1: all six neighbours */
    assert_symmetric(graph);
    assert_simple(graph);
    heddle_graph_destroy(&graph);
}

static void test_thin_grids_are_paths(void **state) {
    (void)state;
    const uint64_t shapes[3][3] = {{5000, 1, 1}, {1, 5000, 1}, {1, 1, 5000}};
    heddle_generate_options options = kind("path");
    options.vertices = 5000;
    heddle_graph *path = make(ctx, &options);
    for (int k = 0; k < 3; k++) {
        options = kind("grid");
        options.width = shapes[k][0];
        options.height = shapes[k][1];
        options.depth = shapes[k][2];
        heddle_graph *graph = make(ctx, &options);
        support_assert_same_graph(ctx, graph, path);
        heddle_graph_destroy(&graph);
    }
    heddle_graph_destroy(&path);
}

static void test_smallest_sizes(void **state) {
    (void)state;
    const char *const kinds[] = {"star", "path", "clique", "tree", "uniform", "smallworld"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint64_t n = 1; n <= 2; n++) {
            heddle_generate_options options = kind(kinds[k]);
            options.vertices = n;
            options.degree = 0;
            options.weighted = 1;
            heddle_graph *graph = make(ctx, &options);
            bool empty = !strcmp(kinds[k], "uniform") || !strcmp(kinds[k], "smallworld");
            assert_size(graph, n, empty ? 0 : 2 * (n - 1));
            heddle_graph_destroy(&graph);
        }
    }
    heddle_generate_options options = kind("grid");
    options.width = options.height = 1;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 1, 0);
    heddle_graph_destroy(&graph);

    options = kind("uniform"); /* nothing but loops */
    options.vertices = 1;
    options.degree = 3;
    graph = make(ctx, &options);
    assert_size(graph, 1, 3);
    heddle_graph_destroy(&graph);

    options = kind("rmat");
    options.scale = 1;
    graph = make(ctx, &options);
    assert_size(graph, 2, 32);
    heddle_graph_destroy(&graph);
}

/* ---- Frequencies --------------------------------------------------------------------------------------------- */

/* `hits` of `trials` with probability p: at most five standard deviations away. */
static void assert_share(uint64_t hits, uint64_t trials, double p) {
    double expected = p * (double)trials, deviation = sqrt((double)trials * p * (1 - p));
    if (fabs((double)hits - expected) > 5 * deviation + 1e-9)
        fail_msg("%llu of %llu, expected about %.0f +- %.0f", (unsigned long long)hits, (unsigned long long)trials,
                 expected, deviation);
}

/* At every level of the recursion the four quadrants have their probabilities. */
static void test_rmat_quadrants(void **state) {
    (void)state;
    const int scales[] = {1, 2, 5, 6, 7, 11, 13};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        heddle_generate_options options = kind("rmat");
        options.scale = scales[k];
        options.degree = ldexp(1, 18 - options.scale);
        options.scramble = 0;
        heddle_graph *graph = make(ctx, &options);
        heddle_adjacency rows = rows_of(graph);
        assert_size(graph, UINT64_C(1) << options.scale, 1 << 18);
        for (int level = 0; level < options.scale; level++) {
            uint64_t hits[4] = {0};
            for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
                for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
                    hits[(v >> level & 1) << 1 | (rows.targets[e] >> level & 1)]++;
            assert_share(hits[0], 1 << 18, 0.57);
            assert_share(hits[1], 1 << 18, 0.19);
            assert_share(hits[2], 1 << 18, 0.19);
            assert_share(hits[3], 1 << 18, 0.05);
        }
        heddle_graph_destroy(&graph);
    }
}

/* A pair of vertices is tied with the probability of its blocks, whatever its place among the pairs. */
static void test_block_pairs(void **state) {
    (void)state;
    enum { SEEDS = 3000, N = 9 };
    const uint64_t sizes[] = {2, 3, 4};
    const double rates[] = {0.5, 0.1, 0, 0.1, 1, 0.25, 0, 0.25, 0.03};
    uint64_t tied[N][N] = {{0}};
    heddle_generate_options options = kind("blockmodel");
    options.blocks = 3;
    options.block_sizes = sizes;
    options.rates = rates;
    for (options.seed = 1; options.seed <= SEEDS; options.seed++) {
        heddle_graph *graph = make(ctx, &options);
        heddle_adjacency rows = rows_of(graph);
        assert_simple(graph);
        for (uint64_t v = 0; v < N; v++)
            for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
                tied[v][rows.targets[e]]++;
        heddle_graph_destroy(&graph);
    }
    for (uint64_t u = 0; u < N; u++)
        for (uint64_t v = 0; v < N; v++)
            if (u != v)
                assert_share(tied[u][v], SEEDS, rates[3 * ((u > 1) + (u > 4)) + (v > 1) + (v > 4)]);
}

/* Half-edges are joined evenly: each of one vertex as often with each of another. */
static void test_configuration_pairs(void **state) {
    (void)state;
    enum { SEEDS = 3000, N = 4, STUBS = 10 };
    const uint64_t degrees[N] = {1, 2, 3, 4};
    uint64_t joined[N][N] = {{0}};
    heddle_generate_options options = kind("configuration");
    options.degrees = degrees;
    options.degree_count = N;
    for (options.seed = 1; options.seed <= SEEDS; options.seed++) {
        heddle_graph *graph = make(ctx, &options);
        heddle_adjacency rows = rows_of(graph);
        for (uint64_t v = 0; v < N; v++) {
            uint64_t found = 0;
            for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++) {
                found += 1 + (rows.targets[e] == v);
                joined[v][rows.targets[e]]++;
            }
            assert_int_equal(found, degrees[v]);
        }
        heddle_graph_destroy(&graph);
    }
    for (uint64_t u = 0; u < N; u++) {
        for (uint64_t v = 0; v < N; v++) {
            double pairs = (double)(u == v ? degrees[u] * (degrees[u] - 1) / 2 : degrees[u] * degrees[v]);
            double expected = SEEDS * pairs / (STUBS - 1); /* a pair of half-edges is joined in 1 of 9 graphs */
            if (fabs((double)joined[u][v] - expected) > 6 * sqrt(expected) + 1e-9)
                fail_msg("%llu edges from %llu to %llu, expected about %.0f", (unsigned long long)joined[u][v],
                         (unsigned long long)u, (unsigned long long)v, expected);
        }
    }
}

/* The star is given; each later vertex has its edges to different earlier ones. */
static void test_barabasi_edges(void **state) {
    (void)state;
    for (uint64_t degree = 1; degree <= 40; degree += 13) {
        heddle_generate_options options = kind("barabasi");
        options.vertices = 500;
        options.degree = (double)degree;
        heddle_graph *graph = make(ctx, &options);
        heddle_adjacency rows = rows_of(graph);
        assert_size(graph, 500, 2 * degree * (500 - degree));
        assert_symmetric(graph);
        assert_simple(graph);
        for (uint64_t v = degree + 1; v < 500; v++) {
            uint64_t earlier = 0;
            for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
                earlier += rows.targets[e] < v;
            assert_int_equal(earlier, degree);
        }
        heddle_graph_destroy(&graph);
    }
}

/* Adds up what an alias table gives to each outcome: it must be the product of the quadrants' probabilities. */
static void assert_table_exact(const hd_rmat_table *table, const double quadrant[4]) {
    static double share[HD_RMAT_CELLS];
    memset(share, 0, sizeof share);
    double full = ldexp(1, HD_RMAT_FRACTION), cells = ldexp(1, 2 * (int)table->levels);
    for (uint64_t cell = 0; cell <= table->mask; cell++) {
        if (cell & ~table->mask)
            continue;
        double own = (double)(table->cells[cell] >> HD_RMAT_INDEX) / full;
        share[cell] += own / cells;
        share[table->cells[cell] & (HD_RMAT_CELLS - 1)] += (1 - own) / cells;
    }
    for (uint64_t outcome = 0; outcome < HD_RMAT_CELLS; outcome++) {
        double expected = (outcome & ~table->mask) ? 0 : 1;
        for (unsigned level = 0; level < table->levels; level++)
            expected *= quadrant[(outcome >> (HD_RMAT_LEVELS + level) & 1) << 1 | (outcome >> level & 1)];
        if (fabs(share[outcome] - expected) > 1e-15)
            fail_msg("outcome %llu has probability %.17g, expected %.17g", (unsigned long long)outcome, share[outcome],
                     expected);
    }
}

static void test_rmat_tables(void **state) {
    (void)state;
    const double quadrants[][4] = {{0.57, 0.19, 0.19, 0.05}, {0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 0}, {0, 0, 1, 0},
                                   {0.1, 0.2, 0.3, 0.4},     {0.7, 0.2, 0.1, 0}};
    hd_generator *generator = malloc(sizeof *generator);
    for (size_t k = 0; k < sizeof quadrants / sizeof *quadrants; k++) {
        for (int scale = 1; scale <= 31; scale++) {
            heddle_generate_options options = kind("rmat");
            options.scale = scale;
            options.a = quadrants[k][0];
            options.b = quadrants[k][1];
            options.c = quadrants[k][2];
            memset(generator, 0, sizeof *generator);
            support_assert_status(ctx, hd_generator_rmat.prepare(ctx, &options, generator), HEDDLE_OK);
            const hd_rmat *rmat = &generator->rmat;
            assert_int_equal(rmat->draws * rmat->shorter.levels + rmat->long_ones, scale);
            assert_table_exact(&rmat->shorter, quadrants[k]);
            if (rmat->long_ones) {
                assert_int_equal(rmat->longer.levels, rmat->shorter.levels + 1);
                assert_table_exact(&rmat->longer, quadrants[k]);
            }
        }
    }
    free(generator);
}

static int by_count(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Scrambling gives the vertices other names, and nothing else. */
static void test_rmat_scramble(void **state) {
    (void)state;
    for (int scale = 1; scale <= 12; scale++) {
        heddle_generate_options options = kind("rmat");
        uint64_t n = UINT64_C(1) << scale, *degrees[2], loops[2] = {0, 0};
        options.scale = scale;
        for (int scramble = 0; scramble < 2; scramble++) {
            options.scramble = scramble;
            heddle_graph *graph = make(ctx, &options);
            heddle_adjacency rows = rows_of(graph);
            degrees[scramble] = malloc(n * sizeof(uint64_t));
            for (uint64_t v = 0; v < n; v++) {
                degrees[scramble][v] = degree(&rows, v);
                for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
                    loops[scramble] += rows.targets[e] == v;
            }
            heddle_graph_destroy(&graph);
        }
        if (scale > 6) /* the hub is not vertex 0 any more, nor are the low half's arcs the most */
            assert_true(degrees[1][0] < degrees[0][0]);
        qsort(degrees[0], n, sizeof(uint64_t), by_count);
        qsort(degrees[1], n, sizeof(uint64_t), by_count);
        assert_memory_equal(degrees[0], degrees[1], n * sizeof(uint64_t));
        assert_int_equal(loops[0], loops[1]);
        free(degrees[0]);
        free(degrees[1]);
    }
}

/* Any number of vertices: the smallest ids keep the most arcs, and scrambling only renames. */
static void test_rmat_vertices(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 1000, 1025, 5000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        heddle_generate_options options = kind("rmat");
        uint64_t n = sizes[i], *degrees[2];
        options.vertices = n;
        for (int scramble = 0; scramble < 2; scramble++) {
            options.scramble = scramble;
            heddle_graph *graph = make(ctx, &options);
            heddle_adjacency rows = rows_of(graph);
            assert_size(graph, n, 16 * n);
            degrees[scramble] = malloc(n * sizeof(uint64_t));
            assert_non_null(degrees[scramble]);
            for (uint64_t v = 0; v < n; v++)
                degrees[scramble][v] = degree(&rows, v);
            heddle_graph_destroy(&graph);
        }
        if (n >= 1000) { /* a + b = 0.76 of the arcs leave the first half */
            uint64_t first = 0;
            for (uint64_t v = 0; v < n / 2; v++)
                first += degrees[0][v];
            assert_in_range(first, 16 * n * 73 / 100, 16 * n * 79 / 100);
        }
        qsort(degrees[0], n, sizeof(uint64_t), by_count);
        qsort(degrees[1], n, sizeof(uint64_t), by_count);
        assert_memory_equal(degrees[0], degrees[1], n * sizeof(uint64_t));
        free(degrees[0]);
        free(degrees[1]);
    }
}

static void test_rmat_extremes(void **state) {
    (void)state;
    heddle_generate_options options = kind("rmat");
    options.scale = 10;
    options.scramble = 0;
    options.a = 1;
    options.b = options.c = 0;
    heddle_graph *graph = make(ctx, &options);
    heddle_adjacency rows = rows_of(graph);
    assert_int_equal(degree(&rows, 0), 16 << 10);
    assert_int_equal(rows.targets[(16 << 10) - 1], 0);
    heddle_graph_destroy(&graph);

    options.a = 0.5; /* the diagonal only */
    options.build.drop_loops = 1;
    graph = make(ctx, &options);
    assert_size(graph, 1024, 0);
    heddle_graph_destroy(&graph);
}

static void test_uniform(void **state) {
    (void)state;
    heddle_generate_options options = kind("uniform");
    options.vertices = 1000;
    options.degree = 123.4561; /* rounded to 123456 arcs */
    heddle_graph *graph = make(ctx, &options);
    heddle_adjacency rows = rows_of(graph), columns;
    assert_size(graph, 1000, 123456);
    assert_int_equal(heddle_graph_directed(graph), 1);
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &columns), HEDDLE_OK);
    for (uint64_t v = 0; v < 1000; v++) {
        assert_share(degree(&rows, v), 123456, 0.001);
        assert_share(degree(&columns, v), 123456, 0.001);
    }
    heddle_graph_destroy(&graph);
}

static void test_road(void **state) {
    (void)state;
    heddle_generate_options options = kind("road");
    options.width = 100;
    options.height = 90;
    uint64_t all = 99 * 90 + 100 * 89;
    options.probability = 0;
    heddle_graph *road = make(ctx, &options);
    options.kind = "grid";
    heddle_graph *grid = make(ctx, &options);
    support_assert_same_graph(ctx, road, grid);
    heddle_graph_destroy(&road);
    heddle_graph_destroy(&grid);

    options = kind("road");
    options.width = 100;
    options.height = 90;
    options.weighted = 1;
    road = make(ctx, &options);
    assert_share(all - heddle_graph_edges(road) / 2, all, 0.1);
    assert_symmetric(road);
    assert_simple(road);
    heddle_graph_destroy(&road);

    options.probability = 1;
    road = make(ctx, &options);
    assert_size(road, 9000, 0);
    heddle_graph_destroy(&road);
}

static void test_small_world(void **state) {
    (void)state;
    heddle_generate_options options = kind("smallworld");
    options.vertices = 7;
    options.degree = 4;
    options.probability = 0;
    heddle_graph *graph = make(ctx, &options);
    assert_size(graph, 7, 28);
    ROW(graph, 0, 1, 2, 5, 6);
    ROW(graph, 6, 0, 1, 4, 5);
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);

    options.degree = 6; /* the whole clique */
    graph = make(ctx, &options);
    assert_size(graph, 7, 42);
    assert_simple(graph);
    heddle_graph_destroy(&graph);

    options.vertices = 20000;
    options.degree = 10;
    options.probability = 0.25;
    graph = make(ctx, &options);
    heddle_adjacency rows = rows_of(graph);
    uint64_t far = 0;
    for (uint64_t v = 0; v < 20000; v++) {
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++) {
            uint64_t gap = v < rows.targets[e] ? rows.targets[e] - v : v - rows.targets[e];
            gap = gap < 20000 - gap ? gap : 20000 - gap;
            assert_int_not_equal(gap, 0);
            far += gap > 5;
        }
    }
    assert_size(graph, 20000, 200000);
    assert_share(far / 2, 100000, 0.25 * (1 - 10.0 / 19999));
    assert_symmetric(graph);
    heddle_graph_destroy(&graph);
}

/* ---- Rules for all kinds ------------------------------------------------------------------------------------- */

static void test_table(void **state) {
    (void)state;
    const heddle_generator_info *info;
    assert_non_null(heddle_generator_at(11));
    assert_null(heddle_generator_at(12));
    for (size_t k = 0; (info = heddle_generator_at(k)); k++) {
        bool directed = strstr(info->description, "undirected") == NULL;
        heddle_generate_options options = small(info->kind);
        assert_non_null(strstr(info->options, "seed"));
        heddle_graph *graph = make(ctx, &options);
        assert_int_equal(heddle_graph_directed(graph), directed);
        assert_int_equal(heddle_graph_weight_type(graph), HEDDLE_WEIGHT_NONE);
        if (!directed)
            assert_symmetric(graph);
        options.build.symmetrize = 1;
        options.weighted = 1;
        heddle_graph_destroy(&graph);
        graph = make(ctx, &options);
        assert_symmetric(graph);
        heddle_graph_destroy(&graph);
    }
}

static void test_defaults(void **state) {
    (void)state;
    heddle_graph *graph = make(ctx, NULL);
    assert_size(graph, 1 << 16, 16 << 16);
    heddle_graph_destroy(&graph);
}

static void test_threads(void **state) {
    (void)state;
    const heddle_generator_info *info;
    for (size_t k = 0; (info = heddle_generator_at(k)); k++) {
        heddle_generate_options options = small(info->kind);
        options.scale = 13;
        options.weighted = 1;
        options.width = 200;
        if (options.vertices)
            options.vertices = 200;
        heddle_graph *reference = make(ctx, &options);
        const int threads[] = {1, 3, 7};
        for (int t = 0; t < 3; t++) {
            heddle_context *other = support_context(threads[t]);
            heddle_graph *graph = make(other, &options);
            support_assert_same_graph(ctx, reference, graph);
            heddle_graph_destroy(&graph);
            heddle_context_destroy(&other);
        }
        heddle_graph_destroy(&reference);
    }
}

static uint64_t fingerprint(const heddle_graph *graph) {
    heddle_adjacency rows = rows_of(graph);
    uint64_t hash = heddle_graph_vertices(graph);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        hash = hd_hash2(hash, rows.offsets[v + 1]);
    for (uint64_t e = 0; e < heddle_graph_edges(graph); e++) {
        double value = weight(graph, &rows, e);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = hd_hash2(hd_hash2(hash, rows.targets[e]), bits);
    }
    return hash;
}

static void test_seeds(void **state) {
    (void)state;
    const char *const kinds[] = {"rmat", "uniform", "road", "smallworld", "barabasi", "blockmodel", "configuration"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint64_t seen[8];
        for (uint64_t seed = 0; seed < 8; seed++) {
            heddle_generate_options options = small(kinds[k]);
            options.seed = seed == 7 ? UINT64_MAX : seed;
            heddle_graph *graph = make(ctx, &options);
            seen[seed] = fingerprint(graph);
            for (uint64_t before = 0; before < seed; before++)
                assert_int_not_equal(seen[seed], seen[before]);
            heddle_graph_destroy(&graph);
        }
    }
}

/* The same graph on every machine and in every version: these numbers must never change. */
static void test_fingerprints(void **state) {
    (void)state;
    const struct {
        const char *kind;
        int real;
        uint64_t fingerprint;
    } known[] = {
        {"rmat", 0, UINT64_C(0x9ce0454a16e3d623)},          {"uniform", 0, UINT64_C(0xcb3d77460252c133)},
        {"road", 1, UINT64_C(0x34110c74b5dbec67)},          {"smallworld", 1, UINT64_C(0x7378122eb2905d16)},
        {"barabasi", 0, UINT64_C(0x7491493f43390ec1)},      {"blockmodel", 0, UINT64_C(0x8ecf7dfe8dd88bfd)},
        {"configuration", 0, UINT64_C(0x8a5a9ac20fd8ecf1)},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        heddle_generate_options options = small(known[k].kind);
        options.weighted = 1;
        options.weight_real = known[k].real;
        heddle_graph *graph = make(ctx, &options);
        if (fingerprint(graph) != known[k].fingerprint)
            fail_msg("%s: UINT64_C(0x%016llx)", known[k].kind, (unsigned long long)fingerprint(graph));
        heddle_graph_destroy(&graph);
    }
}

/* ---- Weights ------------------------------------------------------------------------------------------------- */

static void check_weights(double low, double high, int real, heddle_weight_type type, uint64_t distinct) {
    heddle_generate_options options = kind("clique");
    options.vertices = 100;
    options.weighted = 1;
    options.weight_min = low;
    options.weight_max = high;
    options.weight_real = real;
    heddle_graph *graph = make(ctx, &options);
    heddle_adjacency rows = rows_of(graph);
    assert_int_equal(heddle_graph_weight_type(graph), type);
    assert_symmetric(graph);
    double least = INFINITY, most = -INFINITY, sum = 0, m = (double)heddle_graph_edges(graph);
    for (uint64_t e = 0; e < heddle_graph_edges(graph); e++) {
        double w = weight(graph, &rows, e);
        least = fmin(least, w);
        most = fmax(most, w);
        sum += w / m;
    }
    double from = real ? (float)low : low, to = real ? (float)high : high;
    assert_true(least >= from);
    assert_true(real && from < to ? most < to : most <= to);
    if (distinct && distinct < 100) { /* every value occurs */
        assert_true(least == low);
        assert_true(most == high);
    }
    double middle = low / 2 + high / 2, deviation = (high / 2 - low / 2) / sqrt(m / 2); /* of m / 2 draws, at most */
    assert_true(fabs(sum - middle) <= 5 * deviation + 1e-6 * fabs(middle));
    heddle_graph_destroy(&graph);
}

static void test_weights(void **state) {
    (void)state;
    check_weights(1, 64, 0, HEDDLE_WEIGHT_U32, 64);
    check_weights(0, 0, 0, HEDDLE_WEIGHT_U32, 1);
    check_weights(7, 7, 0, HEDDLE_WEIGHT_U32, 1);
    check_weights(0, 4294967295.0, 0, HEDDLE_WEIGHT_U32, 0);
    check_weights(-3, 3, 0, HEDDLE_WEIGHT_I32, 7);
    check_weights(-2147483648.0, 2147483647.0, 0, HEDDLE_WEIGHT_I32, 0);
    check_weights(-5, -5, 0, HEDDLE_WEIGHT_I32, 1);
    check_weights(0, 1, 1, HEDDLE_WEIGHT_F32, 0);
    check_weights(-0.5, 0.25, 1, HEDDLE_WEIGHT_F32, 0);
    check_weights(1, 1 + 0x1p-23, 1, HEDDLE_WEIGHT_F32, 0); /* neighbours: only the lower one is left */
    check_weights(0.1, 0.1, 1, HEDDLE_WEIGHT_F32, 0);
    check_weights(-3e38, 3e38, 1, HEDDLE_WEIGHT_F32, 0);
    check_weights(1e-40, 1e-39, 1, HEDDLE_WEIGHT_F32, 0);
}

/* An arc, its parallels and its reverse weigh the same, so no rule for duplicates can tell them apart. */
static void test_parallel_arcs_weigh_the_same(void **state) {
    (void)state;
    heddle_generate_options options = small("rmat");
    options.weighted = 1;
    heddle_graph *graphs[2];
    options.build.duplicates = HEDDLE_DUPLICATES_MIN;
    graphs[0] = make(ctx, &options);
    options.build.duplicates = HEDDLE_DUPLICATES_MAX;
    graphs[1] = make(ctx, &options);
    assert_true(heddle_graph_edges(graphs[0]) < 16 << 9);
    support_assert_same_graph(ctx, graphs[0], graphs[1]);
    heddle_graph_destroy(&graphs[0]);
    heddle_graph_destroy(&graphs[1]);
}

/* ---- What is refused ----------------------------------------------------------------------------------------- */

static void refuse(const heddle_generate_options *options, heddle_status expected, const char *words) {
    heddle_graph *graph = (heddle_graph *)1;
    support_assert_status(ctx, heddle_graph_generate(ctx, options, &graph), expected);
    support_assert_message(ctx, words);
    assert_null(graph);
}

#define REFUSE_AS(status, name, words, ...)           \
    do {                                              \
        heddle_generate_options options = kind(name); \
        __VA_ARGS__;                                  \
        refuse(&options, status, words);              \
    } while (0)
#define REFUSE(...) REFUSE_AS(HEDDLE_E_ARGUMENT, __VA_ARGS__)

static void test_refusals(void **state) {
    (void)state;
    REFUSE("rmatt", "unknown kind of graph 'rmatt', expected one of rmat, uniform,", (void)0);
    REFUSE("", "expected one of", (void)0);
    REFUSE(NULL, "expected one of", (void)0);
    REFUSE("rmat", "_init", options.size = 0);
    REFUSE("rmat", "scale is 0, expected 1 to 31", options.scale = 0);
    REFUSE("rmat", "scale is 32, expected 1 to 31", options.scale = 32);
    REFUSE("star", "scale is -1", options.scale = -1);
    REFUSE("grid", "takes no number of vertices", options.vertices = 100);
    REFUSE("rmat", "degree is -1", options.degree = -1);
    REFUSE("rmat", "degree is nan", options.degree = NAN);
    REFUSE("uniform", "degree is inf", options.degree = INFINITY);
    REFUSE("uniform", "below 2^63 edges", options.degree = 1e15);
    REFUSE_AS(HEDDLE_E_LIMIT, "uniform", "more than can be addressed", options.degree = 1e12);
    REFUSE_AS(HEDDLE_E_LIMIT, "clique", "more than can be addressed", options.vertices = UINT32_MAX);
    REFUSE("uniform", "vertices is 4294967296, expected at most 4294967295", options.vertices = UINT64_C(1) << 32);
    REFUSE("path", "expected at most 4294967295", options.vertices = UINT64_MAX);
    REFUSE("rmat", "a is 1.5, expected a probability", options.a = 1.5);
    REFUSE("rmat", "b is -0.1, expected a probability", options.b = -0.1);
    REFUSE("rmat", "c is nan", options.c = NAN);
    REFUSE("rmat", "a + b + c is 1.38, expected at most 1", options.c = 0.62);
    REFUSE("road", "probability is 1.01", options.probability = 1.01);
    REFUSE("smallworld", "probability is nan", options.probability = NAN);
    REFUSE("smallworld", "degree of a small world is 3, expected an even", options.degree = 3);
    REFUSE("smallworld", "degree of a small world is 2.5, expected an even", options.degree = 2.5);
    REFUSE("smallworld", "below the number of vertices, 16", options.vertices = 16);
    REFUSE("smallworld", "degree of a small world is -2", options.degree = -2);
    REFUSE("smallworld", "degree of a small world is nan", options.degree = NAN);
    REFUSE("grid", "width of a grid is 0", options.width = 0);
    REFUSE("road", "height of a grid is 0", options.height = 0);
    REFUSE("grid", "depth of a grid is 0", options.depth = 0);
    REFUSE("grid", "too many vertices", options.width = UINT64_C(1) << 22);
    REFUSE("grid", "too many vertices", options.depth = UINT64_MAX);
    REFUSE("road", "too many vertices", options.height = UINT64_MAX);
    REFUSE("tree", "branching of a tree is 0", options.branching = 0);
}

static void test_refused_weights(void **state) {
    (void)state;
    REFUSE("star", "the smaller first", options.weighted = 1; options.weight_min = 65);
    REFUSE("star", "expected finite", options.weighted = 1; options.weight_max = INFINITY);
    REFUSE("star", "expected finite", options.weighted = 1; options.weight_min = NAN);
    REFUSE("star", "not whole numbers", options.weighted = 1; options.weight_min = 0.5);
    REFUSE("star", "do not fit 32 bits", options.weighted = 1; options.weight_max = 4294967296.0);
    REFUSE("star", "do not fit 32 bits", options.weighted = 1; options.weight_min = -1;
           options.weight_max = 2147483648.0);
    REFUSE("star", "do not fit 32 bits", options.weighted = 1; options.weight_min = -2147483649.0);
    REFUSE("star", "single precision", options.weighted = 1; options.weight_real = 1; options.weight_max = 1e39);
}

static heddle_status generate_once(heddle_context *context, void *user) {
    heddle_graph *graph;
    heddle_status status = heddle_graph_generate(context, user, &graph);
    assert_true((status == HEDDLE_OK) == (graph != NULL));
    heddle_graph_destroy(&graph);
    return status;
}

static void test_every_allocation_can_fail(void **state) {
    (void)state;
    const heddle_generator_info *info;
    for (size_t k = 0; (info = heddle_generator_at(k)); k++) {
        heddle_generate_options options = small(info->kind);
        options.weighted = 1;
        support_try_every_failure(generate_once, &options);
    }
}

static int cancel_at_once(void *user, const heddle_progress *progress) {
    (void)user;
    return !strcmp(progress->phase, "generate");
}

static void test_cancel(void **state) {
    (void)state;
    heddle_context_options context_options;
    heddle_context *context;
    heddle_graph *graph;
    heddle_generate_options options = kind("uniform");
    options.scale = 20; /* seconds, if nobody stopped it */
    options.degree = 100;
    heddle_context_options_init(&context_options);
    context_options.progress = cancel_at_once;
    assert_int_equal(heddle_context_create(&context_options, &context), HEDDLE_OK);
    support_assert_status(context, heddle_graph_generate(context, &options, &graph), HEDDLE_E_CANCELLED);
    assert_null(graph);
    heddle_context_destroy(&context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_clique),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_thin_grids_are_paths),
        cmocka_unit_test(test_smallest_sizes),
        cmocka_unit_test(test_rmat_quadrants),
        cmocka_unit_test(test_block_pairs),
        cmocka_unit_test(test_configuration_pairs),
        cmocka_unit_test(test_barabasi_edges),
        cmocka_unit_test(test_rmat_tables),
        cmocka_unit_test(test_rmat_scramble),
        cmocka_unit_test(test_rmat_vertices),
        cmocka_unit_test(test_rmat_extremes),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_road),
        cmocka_unit_test(test_small_world),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_fingerprints),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_parallel_arcs_weigh_the_same),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_refused_weights),
        cmocka_unit_test(test_every_allocation_can_fail),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
