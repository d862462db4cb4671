/* rank_cases.h - two small graphs with known ranks and centralities, for the tests of pr and bc. */
#ifndef RANK_CASES_H
#define RANK_CASES_H

#include "path_cases.h"

/* Zachary's karate club. */
static const unsigned char karate_edges[][2] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
    {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
    {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
    {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
    {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
    {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
    {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
    {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}};
enum { KARATE = 34, KARATE_EDGES = sizeof karate_edges / sizeof *karate_edges };

static inline heddle_graph *karate_graph(heddle_context *ctx) {
    shape s = shape_new("karate club", KARATE, KARATE_EDGES);
    s.symmetric = true;
    for (int k = 0; k < KARATE_EDGES; k++)
        shape_edge(&s, karate_edges[k][0], karate_edges[k][1]);
    heddle_graph *graph = case_graph(ctx, &s, WEIGHTS_NONE);
    shape_free(&s);
    return graph;
}

/* A directed graph with a loop (3), parallel edges (1 -> 2) and a vertex without edges (7). */
static const int64_t mixed_from[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 1, 6, 2};
static const int64_t mixed_to[] = {1, 2, 2, 2, 0, 3, 3, 4, 5, 4, 6, 5, 5};
static const float mixed_weights[] = {1, 3, 2, 5, 1, 4, 2, 1, 7, 1, 2, 0.5f, 1};
enum { MIXED = 8, MIXED_EDGES = sizeof mixed_from / sizeof *mixed_from };

static inline heddle_graph *mixed_graph(heddle_context *ctx) {
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, MIXED, MIXED_EDGES, mixed_from, mixed_to, mixed_weights,
                                                  HEDDLE_WEIGHT_F32, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

/* A run that is cancelled gives nothing; once that is taken back, it goes through. */
static inline void check_cancelled_run(const heddle_run_options *options) {
    heddle_context *ctx = support_context(2);
    heddle_graph *graph = karate_graph(ctx);
    heddle_result *result;
    support_cancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_E_CANCELLED);
    assert_null(result);
    support_uncancel(ctx);
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

#endif
