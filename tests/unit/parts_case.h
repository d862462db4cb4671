/* parts_case.h - graphs that hurt when they are cut, and the comparison of a run on several devices with one on one. */
#ifndef PARTS_CASE_H
#define PARTS_CASE_H

#include "support.h"

#include <math.h>
#include <stdio.h>

static const char *const parts_programs[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn", NULL};
static const char *const parts_exchanges[] = {"all", "ms", "vr", NULL};

static inline heddle_graph *parts_from(heddle_context *ctx, uint64_t n, uint64_t m, const int64_t *from,
                                       const int64_t *to, const float *weights) {
    heddle_build_options build;
    heddle_graph *graph;
    heddle_build_options_init(&build);
    support_assert_status(ctx, heddle_graph_from_edges(ctx, n, m, from, to, weights, HEDDLE_WEIGHT_F32, &build, &graph),
                          HEDDLE_OK);
    return graph;
}

static inline heddle_graph *parts_generate(heddle_context *ctx, const char *kind, uint64_t n, uint32_t scale) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = scale;
    options.degree = 8;
    options.vertices = n;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* Every edge in both directions. */
static inline heddle_graph *parts_undirected(heddle_context *ctx, int which) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = which ? "grid" : "rmat";
    options.scale = 7;
    options.degree = 4;
    options.width = 9;
    options.height = 14;
    options.build.symmetrize = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* NULL past the last. */
static inline heddle_graph *parts_graph(heddle_context *ctx, int which) {
    static const int64_t cross_from[] = {0, 1, 2, 3, 4, 5, 0, 5}, cross_to[] = {3, 4, 5, 0, 1, 2, 5, 0};
    static const int64_t messy_from[] = {0, 0, 0, 1, 1, 2, 4, 4, 6, 6}, messy_to[] = {1, 1, 0, 2, 2, 2, 0, 6, 4, 6};
    static const int64_t heavy_from[] = {1, 2, 3, 4, 5, 6, 7, 8}, heavy_to[] = {0, 0, 0, 0, 0, 0, 0, 0};
    static const float weights[] = {1, 2, 3, 1, 0.5f, 4, 2, 7, 1, 3};
    switch (which) {
    case 0: return parts_from(ctx, 0, 0, NULL, NULL, NULL);               /* empty */
    case 1: return parts_from(ctx, 1, 0, NULL, NULL, NULL);               /* one vertex */
    case 2: return parts_from(ctx, 40, 0, NULL, NULL, NULL);              /* no edges */
    case 3: return parts_generate(ctx, "path", 3, 0);                     /* fewer vertices than parts */
    case 4: return parts_from(ctx, 6, 8, cross_from, cross_to, weights);  /* all edges cross */
    case 5: return parts_from(ctx, 7, 10, messy_from, messy_to, weights); /* parallel edges, loops, isolated */
    case 6: return parts_from(ctx, 9, 8, heavy_from, heavy_to, weights);  /* all in-edges in one row: empty slices */
    case 7: return parts_generate(ctx, "star", 200, 0);
    case 8: return parts_generate(ctx, "path", 70, 0);
    case 9: return parts_generate(ctx, "rmat", 0, 7);
    default: return NULL;
    }
}

static inline heddle_result *parts_run(heddle_context *ctx, const heddle_graph *graph, const char *program,
                                       const char *device, const char *plan) {
    heddle_run_options options = support_run_options(program, device, plan);
    heddle_result *result;
    options.parents = 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static inline void parts_compare(const heddle_result *a, const heddle_result *b, const char *program, int graph) {
    uint64_t count = heddle_result_values(a)->count;
    assert_int_equal(heddle_result_values(b)->count, count);
    for (uint64_t v = 0; v < count; v++) {
        double one = heddle_result_value(a, (heddle_vertex)v), two = heddle_result_value(b, (heddle_vertex)v);
        bool same = one == two || (isnan(one) && isnan(two)) || fabs(one - two) <= 2e-4 * (1 + fabs(one));
        bool exact = strchr("bsc", program[0]) && program[1] != 'r' && strcmp(program, "cs") != 0;
        if (!same || (exact && one != two))
            fail_msg("%s on graph %d: vertex %llu is %g, and %g in parts", program, graph, (unsigned long long)v, one,
                     two);
    }
}

#endif
