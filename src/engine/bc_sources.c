/* bc_sources.c - see bc_sources.h. */
#include "engine/bc_sources.h"

#include "base/memory.h"
#include "base/random.h"

static heddle_status draw(heddle_context *ctx, const heddle_graph *graph, uint64_t seed, hd_sources *sources) {
    uint64_t n = graph->vertices;
    HD_TRY(HD_NEW(ctx, &sources->drawn, n, "sampled sources"));
    for (uint64_t v = 0; v < n; v++)
        sources->drawn[v] = (heddle_vertex)v;
    for (uint64_t i = 0; i < sources->count; i++) {
        uint64_t j = i + hd_below(hd_random(seed, i), n - i);
        heddle_vertex v = sources->drawn[i];
        sources->drawn[i] = sources->drawn[j];
        sources->drawn[j] = v;
    }
    for (uint64_t i = 0; graph->places && i < sources->count; i++) /* the same sources on a renamed graph */
        sources->drawn[i] = graph->places[sources->drawn[i]];
    sources->list = sources->drawn;
    return HEDDLE_OK;
}

static double scale_of(const heddle_graph *graph, const heddle_run_options *options) {
    double n = (double)graph->vertices;
    if (options->normalized)
        return n > 2 ? 1 / ((n - 1) * (n - 2)) : 1;
    return graph->directed ? 1 : 0.5;
}

heddle_status hd_sources_check(heddle_context *ctx, const heddle_run_options *options) {
    if (options->source_count && options->samples)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "sources and samples: expected one or the other");
    return HEDDLE_OK;
}

heddle_status hd_sources_of(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            hd_sources *sources) {
    uint64_t n = graph->vertices;
    double all = (double)n;
    *sources = (hd_sources){.count = n, .scale = scale_of(graph, options)};
    HD_TRY(hd_sources_check(ctx, options));
    if (options->source_count) {
        sources->count = options->source_count;
        sources->list = options->sources;
    } else if (options->samples > n) {
        hd_note(ctx, "%llu samples of %llu vertices: all are used", (unsigned long long)options->samples,
                (unsigned long long)n);
    } else if (options->samples && options->samples < n) {
        sources->count = options->samples;
        sources->scale *= all / (double)options->samples;
        return draw(ctx, graph, options->seed, sources);
    }
    return HEDDLE_OK;
}

void hd_sources_free(heddle_context *ctx, const heddle_graph *graph, hd_sources *sources) {
    HD_DELETE(&ctx->allocator, sources->drawn, graph->vertices);
}

/* ---- Drawn independently ---------------------------------------------------------------------------------------- */

heddle_status hd_source_pool_new(heddle_context *ctx, const heddle_graph *graph, hd_source_pool *pool) {
    const heddle_graph *host = hd_graph_on_host(graph);
    const heddle_vertex *places = graph->places;
    heddle_adjacency out;
    *pool = (hd_source_pool){.list = NULL};
    HD_TRY(hd_graph_bare(ctx, host, false, &out));
    HD_TRY(HD_NEW(ctx, &pool->list, graph->vertices, "possible sources"));
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t row = places && host == graph ? places[v] : v;
        if (out.offsets[row + 1] > out.offsets[row])
            pool->list[pool->count++] = places ? places[v] : (heddle_vertex)v;
    }
    return HEDDLE_OK;
}

void hd_source_pool_free(heddle_context *ctx, const heddle_graph *graph, hd_source_pool *pool) {
    HD_DELETE(&ctx->allocator, pool->list, graph->vertices);
}

heddle_status hd_source_pool_draw(heddle_context *ctx, const heddle_graph *graph, const hd_source_pool *pool,
                                  uint64_t seed, uint64_t first, uint64_t count, hd_sources *sources) {
    *sources = (hd_sources){.count = count};
    HD_TRY(HD_NEW(ctx, &sources->drawn, graph->vertices, "sampled sources"));
    for (uint64_t i = 0; i < count; i++)
        sources->drawn[i] = pool->list[hd_below(hd_random(seed, first + i), pool->count)];
    sources->list = sources->drawn;
    return HEDDLE_OK;
}

double hd_source_pool_scale(const heddle_graph *graph, const heddle_run_options *options, const hd_source_pool *pool,
                            uint64_t count) {
    return scale_of(graph, options) * (double)pool->count / (double)count;
}
