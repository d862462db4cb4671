/* from_edges.c - a graph from the caller's arrays. */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/ascending.h"
#include "graph/build.h"

void heddle_build_options_init_sized(heddle_build_options *options, size_t size) {
    heddle_build_options defaults = {.size = sizeof defaults};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

heddle_status hd_build_options_check(heddle_context *ctx, const heddle_build_options *options) {
    if (options->size != sizeof *options)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "build options: size is %zu, expected %zu, which _init sets",
                       options->size, sizeof *options);
    if (options->duplicates < HEDDLE_DUPLICATES_KEEP || options->duplicates > HEDDLE_DUPLICATES_MEAN)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "build options: duplicates is %d, which has no meaning",
                       (int)options->duplicates);
    if (!hd_all_zero(options->reserved, sizeof options->reserved))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "build options: a reserved field is not 0; it has no meaning here");
    return HEDDLE_OK;
}

typedef struct array_source {
    const hd_edge_arrays *arrays;
    uint64_t parts;
} array_source;

static void begin(void *context, hd_cursor *cursor) {
    array_source *self = context;
    cursor->position = hd_split(self->arrays->edges, self->parts, cursor->part);
    cursor->end = hd_split(self->arrays->edges, self->parts, cursor->part + 1);
}

static bool unfit_weight(double weight) { return !(weight - weight == 0); /* NaN or infinite */ }

static void next(void *context, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_edge_arrays *given = ((array_source *)context)->arrays;
    uint64_t e = cursor->position, left = cursor->end - e;
    size_t count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    for (size_t i = 0; i < count; i++, e++) {
        uint64_t from = hd_edge_source_at(given, e), to = hd_edge_target_at(given, e);
        if (given->vertices && (from >= given->vertices || to >= given->vertices))
            cursor->expected = "an id below the number of vertices";
        cursor->seen_negative |= (int64_t)(from | to) < 0;
        batch->source[i] = from;
        batch->target[i] = to;
        if (given->weights) {
            hd_batch_weigh(batch, i, given->weights, given->type, e);
            if (unfit_weight(batch->weight[i]))
                cursor->expected = "a finite weight";
        }
        if (cursor->expected) {
            cursor->error_at = e;
            return; /* count stays 0 */
        }
    }
    cursor->position = e;
    batch->count = count;
}

static heddle_status fail(void *context, heddle_context *ctx, const hd_cursor *cursor) {
    const hd_edge_arrays *given = ((const array_source *)context)->arrays;
    uint64_t e = cursor->error_at;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "edge %llu (%lld -> %lld): expected %s", (unsigned long long)e,
                   (long long)hd_edge_source_at(given, e), (long long)hd_edge_target_at(given, e), cursor->expected);
}

uint64_t hd_array_parts(const heddle_context *ctx, uint64_t edges) {
    uint64_t parts = (uint64_t)ctx->threads * 4;
    return edges >> 30 > parts ? edges >> 30 : parts;
}

heddle_status hd_weights_given(heddle_context *ctx, const void *weights, heddle_weight_type type, uint64_t edges) {
    if (!hd_weight_is_known(type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weight_type is %d, which has no meaning", (int)type);
    if (weights && type == HEDDLE_WEIGHT_NONE)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights are given, and weight_type says that there are none");
    if (!weights && type != HEDDLE_WEIGHT_NONE && edges)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights is NULL, and weight_type says that there are some");
    return HEDDLE_OK;
}

heddle_status hd_edges_given(heddle_context *ctx, const char *function, uint64_t edges, const void *sources,
                             const void *targets, const heddle_build_options *given, heddle_build_options *options) {
    heddle_build_options_init(options);
    HD_TRY(hd_take_options(ctx, function, given, options, sizeof *options));
    HD_TRY(hd_build_options_check(ctx, options));
    if (edges && !(sources && targets))
        return hd_fail_null(ctx, function, sources ? "targets" : "sources");
    if (edges > SIZE_MAX / 16) /* both ends of each, of 8 bytes */
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu edges are more than can be addressed", (unsigned long long)edges);
    return HEDDLE_OK;
}

/* Whether rows are the edges as they are, if these ascend: no rule drops, joins or adds one. */
static bool rows_are_edges(const heddle_context *ctx, const heddle_build_options *options,
                           const hd_edge_arrays *given) {
    return given->vertices && given->edges && !options->symmetrize && !options->drop_loops && !options->drop_isolated &&
           options->duplicates == HEDDLE_DUPLICATES_KEEP && !options->memory_limit && !ctx->limit &&
           !ctx->build_together && !ctx->weight_type;
}

static heddle_status build_from_arrays(heddle_context *ctx, const char *function, const hd_edge_arrays *given,
                                       const heddle_build_options *wanted, heddle_graph **graph) {
    heddle_build_options options;
    HD_TRY(hd_edges_given(ctx, function, given->edges, given->sources, given->targets, wanted, &options));
    HD_TRY(hd_weights_given(ctx, given->weights, given->type, given->edges));
    if (given->vertices > UINT32_MAX - 1)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    hd_threads_settle(ctx, hd_work(given->vertices, given->edges, 1));
    if (rows_are_edges(ctx, &options, given)) {
        HD_TRY(hd_graph_from_ascending(ctx, given, graph));
        if (*graph)
            return HEDDLE_OK;
    }
    array_source self = {given, hd_array_parts(ctx, given->edges)};
    hd_edge_source source = {.self = &self,
                             .parts = self.parts,
                             .phase = "build",
                             .work = given->edges,
                             .apart = true,
                             .ids = given->vertices ? HD_IDS_KNOWN : HD_IDS_DISCOVER,
                             .vertices = given->vertices,
                             .id_hint = given->edges * 16 + 1024,
                             .weighted = given->type != HEDDLE_WEIGHT_NONE,
                             .weight_type = given->type,
                             .begin = begin,
                             .next = next,
                             .fail = fail};
    return hd_graph_build(ctx, &source, &options, graph);
}

heddle_status heddle_graph_from_edges(heddle_context *ctx, uint64_t vertices, uint64_t edges, const int64_t *sources,
                                      const int64_t *targets, const void *weights, heddle_weight_type weight_type,
                                      const heddle_build_options *options, heddle_graph **graph) {
    hd_edge_arrays given = {sources, targets, false, weights, weight_type, edges, vertices};
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    return build_from_arrays(ctx, __func__, &given, options, graph);
}

heddle_status heddle_graph_from_edges32(heddle_context *ctx, uint64_t vertices, uint64_t edges, const uint32_t *sources,
                                        const uint32_t *targets, const void *weights, heddle_weight_type weight_type,
                                        const heddle_build_options *options, heddle_graph **graph) {
    hd_edge_arrays given = {sources, targets, true, weights, weight_type, edges, vertices};
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    return build_from_arrays(ctx, __func__, &given, options, graph);
}
