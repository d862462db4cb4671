/* rebuild.c - see rebuild.h. Parts are ranges of equally many edges; a pass over a part finds its first row by binary
 * search. */
#include "graph/rebuild.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/claims.h"

#include <string.h>

enum { PARTS_PER_THREAD = 8, LEAST_PART = 1 << 16 };

static uint64_t load_offset(const hd_rows *rows, uint64_t v) {
    uint64_t offset;
    memcpy(&offset, rows->offsets + v * sizeof offset, sizeof offset);
    return offset;
}

static uint32_t load_word(const char *words, size_t stride, uint64_t k) {
    uint32_t word;
    memcpy(&word, words + k * stride, sizeof word);
    return word;
}

/* The row that edge k lies in. */
static uint64_t find_row(const hd_rows *rows, uint64_t k) {
    uint64_t low = 0, high = rows->vertices; /* offsets[low] <= k < offsets[high] */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (load_offset(rows, middle) <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum { ROW, ROW_END }; /* the cursor's state: where it is, and the offset of the next row */

static void begin_rows(void *self, hd_cursor *cursor) {
    const hd_rows *rows = self;
    cursor->position = hd_split(rows->edges, rows->parts, cursor->part);
    cursor->end = hd_split(rows->edges, rows->parts, cursor->part + 1);
    if (cursor->position < cursor->end) {
        cursor->state[ROW] = find_row(rows, cursor->position);
        cursor->state[ROW_END] = load_offset(rows, cursor->state[ROW] + 1);
    }
}

/* The weights of edges k .. k + count; `size` is that of their type, a constant. */
static HD_ALWAYS_INLINE void weigh_batch(const hd_rows *rows, uint64_t k, size_t count, hd_edge_batch *batch,
                                         const size_t size) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, rows->weights + (k + i) * rows->weight_stride, size);
        hd_batch_weigh(batch, i, &bits, rows->weight_type, 0);
    }
}

static void next_rows(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_rows *rows = self;
    uint64_t k = cursor->position, row = cursor->state[ROW], row_end = cursor->state[ROW_END], rest = cursor->end - k;
    size_t count = rest < HD_BATCH ? (size_t)rest : HD_BATCH;
    for (size_t i = 0; i < count; i++, k++) {
        while (k == row_end)
            row_end = load_offset(rows, ++row + 1);
        batch->source[i] = row;
        batch->target[i] = load_word(rows->targets, rows->stride, k);
    }
    if (rows->weights && hd_weight_size(rows->weight_type) == 4)
        weigh_batch(rows, cursor->position, count, batch, 4);
    else if (rows->weights)
        weigh_batch(rows, cursor->position, count, batch, 8);
    cursor->position = k;
    cursor->state[ROW] = row;
    cursor->state[ROW_END] = row_end;
    batch->count = count;
}

hd_edge_source hd_rows_source(const heddle_context *ctx, hd_rows *rows) {
    uint64_t parts = (uint64_t)ctx->threads * PARTS_PER_THREAD, most = rows->edges / LEAST_PART + 1;
    rows->parts = parts < most ? parts : most;
    rows->weight_stride = rows->weight_stride ? rows->weight_stride : rows->stride;
    return (hd_edge_source){.self = rows,
                            .parts = rows->parts,
                            .phase = "read",
                            .work = rows->edges,
                            .ids = HD_IDS_KNOWN,
                            .vertices = rows->vertices,
                            .weighted = rows->weights != NULL,
                            .weight_type = rows->weight_type,
                            .undirected = rows->undirected,
                            .begin = begin_rows,
                            .next = next_rows};
}

bool hd_build_options_change(const heddle_context *ctx, const heddle_build_options *options, heddle_weight_type type) {
    return (type && ctx->weight_type && ctx->weight_type != type) || options->symmetrize || options->drop_loops ||
           options->drop_isolated || options->duplicates != HEDDLE_DUPLICATES_KEEP;
}

static heddle_status copy_array(heddle_context *ctx, void **copy, const void *data, uint64_t count, size_t each) {
    HD_TRY(hd_new(ctx, copy, count, each, false, "ids"));
    if (count)
        memcpy(*copy, data, count * each);
    return HEDDLE_OK;
}

/* Gives `to`, whose vertices are the same, a copy of the ids of `from`. */
static heddle_status copy_ids(heddle_context *ctx, const heddle_graph *from, heddle_graph *to) {
    const hd_ids *ids = &from->ids;
    hd_ids copy = {.type = ids->type, .base = ids->base, .owned = true};
    heddle_status status = HEDDLE_OK;
    if (ids->values)
        status = copy_array(ctx, (void **)&copy.values, ids->values, from->vertices, sizeof *ids->values);
    if (ids->starts)
        status = copy_array(ctx, (void **)&copy.starts, ids->starts, from->vertices + 1, sizeof *ids->starts);
    if (status == HEDDLE_OK && ids->starts)
        status = copy_array(ctx, (void **)&copy.text, ids->text, ids->starts[from->vertices], 1);
    if (status != HEDDLE_OK) {
        HD_DELETE(&ctx->allocator, copy.values, from->vertices);
        HD_DELETE(&ctx->allocator, copy.starts, from->vertices + 1);
        return status;
    }
    to->ids = copy;
    return HEDDLE_OK;
}

heddle_status hd_graph_rebuild(heddle_context *ctx, const heddle_graph *graph, const heddle_build_options *options,
                               heddle_graph **result) {
    hd_rows rows = {.vertices = graph->vertices,
                    .edges = graph->edges,
                    .offsets = (const char *)graph->out.offsets,
                    .targets = (const char *)graph->out.targets,
                    .weights = graph->out.weights,
                    .stride = sizeof(uint32_t),
                    .weight_stride = hd_weight_size(graph->weight_type),
                    .weight_type = graph->weight_type,
                    .undirected = !graph->directed};
    HD_TRY(hd_graph_prove_undirected(ctx, graph, true));
    hd_edge_source source = hd_rows_source(ctx, &rows);
    if (graph->out.mapped) {
        source.behind[0] = (struct hd_behind){rows.targets, rows.edges * rows.stride, rows.stride};
        source.behind[1] = (struct hd_behind){rows.weights, rows.edges * rows.weight_stride, rows.weight_stride};
        source.behind[2] = (struct hd_behind){rows.offsets, (rows.vertices + 1) * sizeof(uint64_t), 0};
    }
    source.drop_isolated = options->drop_isolated;
    heddle_build_options with_isolated = *options; /* dropped at the end, when the ids are known */
    with_isolated.drop_isolated = 0;
    HD_TRY(hd_graph_build(ctx, &source, &with_isolated, result));
    heddle_status status = copy_ids(ctx, graph, *result);
    if (status == HEDDLE_OK && options->drop_isolated)
        status = hd_graph_drop_isolated(ctx, *result);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(result);
    return status;
}
