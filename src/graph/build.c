/* build.c - a graph from a source of edges, in linear time, without holding an edge list.
 *
 * The source is read in passes, its parts in parallel:
 *   1. survey (survey.c): which ids occur, the type and range of the weights, and how many arcs leave each small range
 *      of ids;
 *   2. placing (arrange.c): ranges are grouped into buckets of about 10^5 arcs and at most 2^15 vertices, and each arc
 *      is written to its bucket. Write positions follow from the counts per part, so every bucket holds its arcs in
 *      input order for any number of threads;
 *   3. finishing, bucket by bucket, in the cache: sorting into rows, loops, duplicates, missing reverse arcs
 *     (bucket.c).
 * The array that the arcs are placed in becomes the CSR's target array: beyond it the build needs 2 bytes per arc. Ids
 * that are huge or text need one or two more passes, to collect them.
 *
 * Symmetrising doubles the arcs before it drops those that existed already. If a sample shows that these are many
 * (pairs.c), it places and finishes one half of the buckets after the other, so that peak memory stays low.
 */
#include "base/limit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/external.h"

void hd_builder_release(hd_builder *b) {
    heddle_context *ctx = b->ctx;
    const heddle_allocator *allocator = &ctx->allocator;
    if (b->parts)
        hd_builder_reset_parts(b);
    HD_DELETE(allocator, b->parts, b->source->parts);
    hd_id_map_free(ctx, &b->map);
    HD_DELETE(allocator, b->counts, b->counts_size);
    HD_DELETE(allocator, b->bucket_of, b->ranges);
    HD_DELETE(allocator, b->buckets, b->ranges + 1);
    HD_DELETE(allocator, b->runs, b->source->parts * b->bucket_count);
    HD_DELETE(allocator, b->staged.local, b->staged_local);
    HD_DELETE(allocator, b->staged.target, b->staged_arcs);
    if (b->staged.weight)
        hd_free(allocator, b->staged.weight, b->staged_arcs * b->rules.weight_size);
    HD_DELETE(allocator, b->offsets, b->map.vertices + 1);
}

/* Moves the arrays into the graph, shrunk to their final size. */
static heddle_status hand_over(hd_builder *b, uint64_t arcs, heddle_graph *graph) {
    const heddle_allocator *allocator = &b->ctx->allocator;
    uint64_t n = b->map.vertices;
    graph->vertices = n;
    graph->edges = arcs;
    graph->directed = !b->undirected;
    graph->weight_type = b->weight_type;
    graph->out.owned = true;
    if (arcs != b->staged_arcs) {
        uint32_t *fitted = hd_resize(allocator, b->staged.target, b->staged_arcs * 4, arcs * 4);
        if (!fitted)
            return hd_fail_memory(b->ctx, arcs * 4, "edge targets");
        graph->out.targets = fitted;
        b->staged.target = NULL;
        if (b->staged.weight) {
            uint64_t each = b->rules.weight_size;
            graph->out.weights = hd_resize(allocator, b->staged.weight, b->staged_arcs * each, arcs * each);
            if (!graph->out.weights)
                return hd_fail_memory(b->ctx, arcs * each, "edge weights");
        }
    } else {
        graph->out.targets = b->staged.target;
        graph->out.weights = b->staged.weight;
    }
    b->staged.target = NULL;
    b->staged.weight = NULL;
    graph->out.offsets = b->offsets;
    b->offsets = NULL;
    return hd_ids_from_map(b->ctx, &b->map, b->ids_unsigned, &graph->ids);
}

void hd_builder_take(hd_builder *b, const hd_edge_source *source, const heddle_build_options *options) {
    b->source = source;
    b->undirected = source->undirected || options->symmetrize;
    b->drop_isolated = options->drop_isolated || source->drop_isolated;
    b->skew_flattened = source->skew && options->symmetrize;
    b->rules.drop_loops = options->drop_loops;
    b->rules.symmetrize = options->symmetrize && !source->undirected && !source->mirror;
    b->rules.duplicates = options->duplicates;
    /* If the file lists both arcs of an edge, "first" may pick different weights; the minimum is the same for both. */
    if (options->duplicates == HEDDLE_DUPLICATES_FIRST && source->undirected && !source->mirror)
        b->rules.duplicates = HEDDLE_DUPLICATES_MIN;
    b->rules.unequal = &b->unequal;
    b->both = source->mirror || b->rules.symmetrize;
}

void hd_builder_note_unequal(const hd_builder *b) {
    if (b->unequal)
        hd_note(b->ctx,
                "%llu pair%s of opposite edges %s different weights: both get the smaller one; --dedup=sum (max, mean, "
                "first) combines all edges between two vertices otherwise",
                (unsigned long long)b->unequal, b->unequal == 1 ? "" : "s", b->unequal == 1 ? "has" : "have");
}

void hd_builder_weigh(hd_builder *b, uint64_t vertices) {
    b->rules.weight_type = b->weight_type;
    b->rules.weight_size = hd_weight_size(b->weight_type);
    b->rules.target_bits = 64 - __builtin_clzll(vertices | 1);
}

static heddle_status build(hd_builder *b, heddle_graph *graph) {
    uint64_t arcs;
    HD_TRY(hd_builder_survey(b));
    hd_builder_weigh(b, b->map.vertices);
    if (!hd_builder_fits(b))
        return hd_external_build(b, graph);
    HD_TRY(hd_builder_arrange(b, &arcs));
    hd_prefix_sum(b->ctx, b->offsets, b->map.vertices);
    return hand_over(b, arcs, graph);
}

heddle_status hd_graph_build(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options,
                             heddle_graph **graph) {
    hd_builder b = {.ctx = ctx};
    *graph = NULL;
    if (ctx->build_together)
        return ctx->build_together(ctx, source, options);
    hd_builder_take(&b, source, options);
    HD_TRY(hd_graph_new(ctx, graph));
    hd_limit limit = {.most = 0}; /* the caller's, if no enclosing call has set it */
    if (!ctx->limit)
        hd_limit_begin(ctx, &limit, options->memory_limit, 0, options->spill);
    heddle_status status = build(&b, *graph);
    if (status == HEDDLE_OK)
        hd_builder_note_unequal(&b);
    hd_builder_release(&b);
    if (status == HEDDLE_OK && options->drop_isolated)
        status = hd_graph_drop_isolated(ctx, *graph);
    hd_limit_end(ctx, &limit);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(graph);
    return status;
}
