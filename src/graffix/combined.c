/* combined.c - several techniques of Graffix, one after the other.
 *
 * Latency comes first, because it goes by the graph alone. Coalesce renumbers the vertices, so that the members of
 * clusters get the numbers of their places, and divergence, which goes by the vertices of a warp, comes last. Copies,
 * and vertices that have some, get no edges from it. The edges inside clusters are those of the last graph.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/latency.h"

/* Members of clusters are vertices without copies' edges: what a copy has taken over is walked by rounds outside. */
static void renumber_clusters(const hd_copies *copies, hd_clusters *clusters) {
    for (uint64_t i = 0; clusters->count && i < clusters->starts[clusters->count]; i++)
        clusters->members[i] = copies->place[clusters->members[i]];
}

/* Places whose vertex has no copies have as many edges as their rows; those of others have not changed. */
static heddle_status count_degrees(heddle_context *ctx, const heddle_graph *graph, hd_copies *copies) {
    uint64_t words = copies->places / 64 + 1, *shared;
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(HD_NEW_ZERO(ctx, &shared, words, "copies"));
    for (uint64_t i = 0; i < copies->count; i++) {
        shared[copies->list[i].copy / 64] |= UINT64_C(1) << (copies->list[i].copy % 64);
        shared[copies->list[i].owner / 64] |= UINT64_C(1) << (copies->list[i].owner % 64);
    }
    HD_PARALLEL_FOR(ctx, schedule(static) if (copies->places >= HD_WORTH_THREADS))
    for (uint64_t p = 0; p < copies->places; p++)
        if (copies->vertex[p] != UINT32_MAX && !(shared[p / 64] >> (p % 64) & 1))
            copies->degrees[p] = (uint32_t)(out.offsets[p + 1] - out.offsets[p]);
    HD_DELETE(&ctx->allocator, shared, words);
    return HEDDLE_OK;
}

/* Takes over what a part has made. */
static heddle_status join(heddle_context *ctx, hd_graffix_result *all, hd_graffix_result *part) {
    all->added_edges += part->added_edges;
    all->lifted += part->lifted;
    if (part->graph) {
        heddle_graph_destroy(&all->graph);
        all->graph = part->graph;
    }
    if (part->clusters.starts)
        all->clusters = part->clusters;
    if (part->copies.places) {
        all->copies = part->copies;
        renumber_clusters(&all->copies, &all->clusters);
    } else if (part->graph && all->copies.places)
        return count_degrees(ctx, all->graph, &all->copies);
    return HEDDLE_OK;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                          hd_graffix_result *result) {
    const heddle_graph *now = graph;
    for (size_t i = 0; hd_graffix_part(options->kind, i); i++) {
        hd_graffix_options own = *options;
        hd_graffix_result part;
        own.kind = hd_graffix_part(options->kind, i);
        own.threshold = options->thresholds[i];
        own.copies = result->copies.places ? &result->copies : NULL;
        HD_TRY(hd_graffix_graph(ctx, now, &own, &part));
        HD_TRY(join(ctx, result, &part));
        now = result->graph ? result->graph : graph;
    }
    return result->clusters.count ? hd_clusters_rows(ctx, now, &result->clusters) : HEDDLE_OK;
}

#define COMBINED(id, text, order_, copies_, clusters_, ...)                                    \
    extern const hd_graffix hd_graffix_##id;                                                   \
    const hd_graffix hd_graffix_##id = {.name = text,                                          \
                                        .description = "these techniques one after the other", \
                                        .in_reports = "graffix-" text,                         \
                                        .order = &hd_order_##order_,                           \
                                        .copies = copies_,                                     \
                                        .clusters = clusters_,                                 \
                                        .parts = {__VA_ARGS__},                                \
                                        .make = make}

COMBINED(latency_coalesce, "latency+coalesce", none, true, true, &hd_graffix_latency, &hd_graffix_coalesce);
COMBINED(latency_divergence, "latency+divergence", degree, false, true, &hd_graffix_latency, &hd_graffix_divergence);
COMBINED(coalesce_divergence, "coalesce+divergence", none, true, false, &hd_graffix_coalesce, &hd_graffix_divergence);
COMBINED(all, "latency+coalesce+divergence", none, true, true, &hd_graffix_latency, &hd_graffix_coalesce,
         &hd_graffix_divergence);
