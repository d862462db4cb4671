/* bc_sources.h - betweenness' options: from which sources, and how the sums are scaled. */
#ifndef HD_ENGINE_BC_SOURCES_H
#define HD_ENGINE_BC_SOURCES_H

#include "graph/graph.h"

typedef struct hd_sources {
    uint64_t count;
    const heddle_vertex *list; /* NULL: 0 .. count-1 */
    heddle_vertex *drawn;      /* `list`, when it is ours: room for every vertex */
    double scale;              /* what the sum of dependencies is multiplied by */
} hd_sources;

/* The sources of a run. `samples` of n vertices are the first ones of a shuffle in which the i-th place is exchanged
 * with place i + hd_below(hd_random(seed, i), n - i). The scale has the factors NetworkX has: 1/2 on undirected graphs,
 * or 1 / ((n - 1)(n - 2)) when normalised; and n / samples. */
heddle_status hd_sources_of(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            hd_sources *sources);
/* Checks that the options give sources in one way only. */
heddle_status hd_sources_check(heddle_context *ctx, const heddle_run_options *options);
void hd_sources_free(heddle_context *ctx, const heddle_graph *graph, hd_sources *sources);

/* Sources drawn independently, each from all vertices with out-edges alike: the i-th is the pool's
 * hd_below(hd_random(seed, i), count)-th vertex, the pool being in the order of the user's graph. */
typedef struct hd_source_pool {
    heddle_vertex *list; /* room for every vertex */
    uint64_t count;
} hd_source_pool;

heddle_status hd_source_pool_new(heddle_context *ctx, const heddle_graph *graph, hd_source_pool *pool);
void hd_source_pool_free(heddle_context *ctx, const heddle_graph *graph, hd_source_pool *pool);
/* The sources first .. first + count - 1; at most as many as there are vertices. hd_sources_free frees them. */
heddle_status hd_source_pool_draw(heddle_context *ctx, const heddle_graph *graph, const hd_source_pool *pool,
                                  uint64_t seed, uint64_t first, uint64_t count, hd_sources *sources);
/* The factor of a sum over `count` of them. */
double hd_source_pool_scale(const heddle_graph *graph, const heddle_run_options *options, const hd_source_pool *pool,
                            uint64_t count);

static inline heddle_vertex hd_source_at(const hd_sources *sources, uint64_t i) {
    return sources->list ? sources->list[i] : (heddle_vertex)i;
}

#endif
