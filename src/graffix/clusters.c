/* clusters.c - see graffix.h: the edges inside clusters, as rows for the CPU and packed for devices. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/latency.h"

#include <string.h>

static const uint32_t none = UINT32_MAX;

/* The cluster of each vertex, or `none`; and its index there. */
static heddle_status number(heddle_context *ctx, const hd_clusters *c, uint64_t n, uint32_t **cluster,
                            uint32_t **index) {
    HD_TRY(HD_NEW(ctx, cluster, n, "clusters"));
    heddle_status status = HD_NEW(ctx, index, n, "clusters");
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, *cluster, n);
        return status;
    }
    memset(*cluster, 0xff, n * sizeof **cluster);
    for (uint64_t k = 0; k < c->count; k++)
        for (uint64_t i = c->starts[k]; i < c->starts[k + 1]; i++) {
            (*cluster)[c->members[i]] = (uint32_t)k;
            (*index)[c->members[i]] = (uint32_t)(i - c->starts[k]);
        }
    return HEDDLE_OK;
}

static void free_rows(heddle_context *ctx, hd_clusters *c) {
    HD_DELETE(&ctx->allocator, c->offsets, c->vertices + 1);
    HD_DELETE(&ctx->allocator, c->targets, c->edges);
    if (c->weights)
        hd_free(&ctx->allocator, c->weights, c->edges * hd_weight_size(c->weight_type));
    c->offsets = NULL;
    c->targets = NULL;
    c->weights = NULL;
}

heddle_status hd_clusters_rows(heddle_context *ctx, const heddle_graph *graph, hd_clusters *c) {
    uint64_t n = graph->vertices;
    size_t size = hd_weight_size(graph->weight_type);
    uint32_t *cluster, *index;
    heddle_adjacency out;
    heddle_status status;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    free_rows(ctx, c);
    c->vertices = n;
    HD_TRY(number(ctx, c, n, &cluster, &index));
    HD_CHECK(HD_NEW(ctx, &c->offsets, n + 1, "edges inside clusters"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        c->offsets[v] = 0;
        for (uint64_t e = out.offsets[v]; cluster[v] != none && e < out.offsets[v + 1]; e++)
            c->offsets[v] += cluster[out.targets[e]] == cluster[v];
    }
    c->edges = hd_prefix_sum(ctx, c->offsets, n);
    c->offsets[n] = c->edges;
    c->weight_type = graph->weight_type;
    HD_CHECK(HD_NEW(ctx, &c->targets, c->edges, "edges inside clusters"));
    if (size)
        HD_CHECK(hd_new(ctx, &c->weights, c->edges, size, false, "edges inside clusters"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t at = c->offsets[v];
        for (uint64_t e = out.offsets[v]; cluster[v] != none && e < out.offsets[v + 1]; e++) {
            if (cluster[out.targets[e]] != cluster[v])
                continue;
            c->targets[at] = out.targets[e];
            if (size)
                memcpy((char *)c->weights + at * size, (const char *)out.weights + e * size, size);
            at++;
        }
    }
out:
    HD_DELETE(&ctx->allocator, cluster, n);
    HD_DELETE(&ctx->allocator, index, n);
    return status;
}

/* ---- For devices ------------------------------------------------------------------------------------------------- */

static uint64_t words_of(const hd_clusters *c) {
    return c->count + 1 + 2 * c->count + 2 * c->starts[c->count] + c->edges;
}

/* In-rows of cluster k: counts, then sources and weights, in `at` and behind it. */
static void pack_rows(const hd_clusters *c, uint64_t k, const uint32_t *index, uint32_t *offsets, uint32_t *sources,
                      char *weights) {
    uint64_t first = c->starts[k], count = c->starts[k + 1] - first;
    size_t size = hd_weight_size(c->weight_type);
    uint32_t fill[HD_CLUSTER_MOST];
    for (uint64_t i = 0; i < count; i++) { /* offsets[i + 1] counts, then ends */
        heddle_vertex v = c->members[first + i];
        for (uint64_t e = c->offsets[v]; e < c->offsets[v + 1]; e++)
            offsets[index[c->targets[e]] + 1]++;
    }
    for (uint64_t i = 0; i < count; i++) {
        offsets[i + 1] += offsets[i];
        fill[i] = offsets[i];
    }
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex v = c->members[first + i];
        for (uint64_t e = c->offsets[v]; e < c->offsets[v + 1]; e++) {
            uint32_t at = fill[index[c->targets[e]]]++;
            sources[at] = (uint32_t)i;
            if (size)
                memcpy(weights + at * size, (const char *)c->weights + e * size, size);
        }
    }
}

heddle_status hd_clusters_pack(heddle_context *ctx, uint64_t vertices, const hd_clusters *c, hd_clusters_packed *to) {
    size_t size = hd_weight_size(c->weight_type);
    uint32_t *cluster, *index, at, edge = 0;
    heddle_status status;
    *to = (hd_clusters_packed){.words_room = words_of(c), .weights_bytes = c->edges * size};
    if (to->words_room >= UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "graffix=latency: clusters of more than 2^32 words: a higher threshold");
    HD_TRY(number(ctx, c, vertices, &cluster, &index));
    HD_CHECK(HD_NEW_ZERO(ctx, &to->words, to->words_room, "clusters"));
    HD_CHECK(HD_NEW_ZERO(ctx, &to->weights, to->weights_bytes, "clusters"));
    at = (uint32_t)c->count + 1;
    for (uint64_t k = 0; k < c->count; k++) {
        uint64_t first = c->starts[k], count = c->starts[k + 1] - first;
        to->words[k] = at;
        to->words[at] = (uint32_t)count;
        memcpy(to->words + at + 1, c->members + first, count * sizeof *c->members);
        to->words[at + 1 + count] = edge;
        at += (uint32_t)(2 * count + 2);
        for (uint64_t i = 0; i < count; i++) {
            heddle_vertex v = c->members[first + i];
            edge += (uint32_t)(c->offsets[v + 1] - c->offsets[v]);
        }
    }
    to->words[c->count] = at;
    to->places = at;
    for (uint64_t k = 0; k < c->count; k++) {
        uint32_t *offsets = to->words + to->words[k] + 1 + to->words[to->words[k]];
        pack_rows(c, k, index, offsets, to->words + at, to->weights);
    }
out:
    HD_DELETE(&ctx->allocator, cluster, vertices);
    HD_DELETE(&ctx->allocator, index, vertices);
    if (status != HEDDLE_OK)
        hd_clusters_packed_free(ctx, to);
    return status;
}

void hd_clusters_packed_free(heddle_context *ctx, hd_clusters_packed *packed) {
    HD_DELETE(&ctx->allocator, packed->words, packed->words_room);
    HD_DELETE(&ctx->allocator, packed->weights, packed->weights_bytes);
}

void hd_clusters_free(heddle_context *ctx, hd_clusters *c) {
    free_rows(ctx, c);
    HD_DELETE(&ctx->allocator, c->members, c->room);
    HD_DELETE(&ctx->allocator, c->starts, c->room + 1);
    *c = (hd_clusters){.count = 0};
}
