/* incore_layout.c - what a schedule needs beside the rows themselves: tiles, virtual nodes, the first queue. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/incore_parts.h"

/* The row in which the merged sequence of rows and edges stands at `place`. */
static uint64_t row_at(const hd_incore_rows *rows, uint64_t place) {
    uint64_t low = 0, high = rows->vertices; /* the most rows r with r + offset(r) <= place */
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (middle + hd_incore_offset(rows, middle) <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Tile k begins inside row layout->words[k]. */
static bool begins_inside(const hd_incore_rows *rows, const hd_incore_layout *layout, uint64_t k, uint64_t size) {
    uint64_t row = layout->words[k];
    return row < rows->vertices && k * size - row > hd_incore_offset(rows, row);
}

static heddle_status cut_tiles(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                               hd_incore_layout *layout) {
    uint64_t size = shape->rows, whole = rows->vertices + rows->edges, tiles = (whole + size - 1) / size;
    if (tiles >= UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu tiles are more than a device can number", (unsigned long long)tiles);
    layout->count = tiles;
    layout->room = tiles + 1;
    HD_TRY(HD_NEW(ctx, &layout->words, layout->room, "tiles"));
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t k = 0; k <= tiles; k++)
        layout->words[k] = (uint32_t)row_at(rows, k * size < whole ? k * size : whole);
    if (shape->push)
        return HEDDLE_OK;
    for (uint64_t k = 1; k < tiles; k++)
        layout->splits_room += begins_inside(rows, layout, k, size) ? 3 : 0;
    HD_TRY(HD_NEW(ctx, &layout->splits, layout->splits_room, "rows cut by tiles"));
    for (uint64_t k = 1; k < tiles; k++) {
        if (!begins_inside(rows, layout, k, size))
            continue;
        uint32_t *last = layout->splits + 3 * layout->splits_count;
        if (layout->splits_count && last[-3] == layout->words[k]) {
            last[-1] = (uint32_t)k;
            continue;
        }
        last[0] = layout->words[k];
        last[1] = (uint32_t)k - 1;
        last[2] = (uint32_t)k;
        layout->splits_count++;
    }
    return HEDDLE_OK;
}

static uint64_t parts_of(const hd_incore_rows *rows, uint64_t v, uint32_t chunk) {
    uint64_t degree = hd_incore_offset(rows, v + 1) - hd_incore_offset(rows, v);
    return degree / chunk + (degree % chunk != 0);
}

static uint64_t all_parts(heddle_context *ctx, const hd_incore_rows *rows, uint32_t chunk) {
    uint64_t count = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : count))
    for (uint64_t v = 0; v < rows->vertices; v++)
        count += parts_of(rows, v, chunk);
    return count;
}

/* Writes a vertex' entries; returns the place behind them. */
static uint32_t *write_parts(const hd_incore_rows *rows, uint64_t v, uint32_t chunk, uint32_t *to) {
    for (uint64_t i = 0, parts = parts_of(rows, v, chunk); i < parts; i++) {
        *to++ = (uint32_t)v;
        *to++ = (uint32_t)i;
    }
    return to;
}

static heddle_status list_nodes(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                hd_incore_layout *layout) {
    layout->count = all_parts(ctx, rows, shape->chunk);
    if (layout->count >= UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu virtual nodes are more than a device can number: take a larger K",
                       (unsigned long long)layout->count);
    layout->room = 2 * layout->count;
    HD_TRY(HD_NEW(ctx, &layout->words, layout->room, "virtual nodes"));
    uint32_t *to = layout->words;
    for (uint64_t v = 0; v < rows->vertices; v++)
        to = write_parts(rows, v, shape->chunk, to);
    return HEDDLE_OK;
}

static bool sends_first(const uint64_t *sources, uint64_t v) { return !sources || (sources[v / 64] >> (v % 64) & 1); }

/* The vertices that send in the first round: those with a bit in `sources`, or all. */
static heddle_status list_first(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                const uint64_t *sources, hd_incore_layout *layout) {
    for (uint64_t v = 0; v < rows->vertices; v++)
        if (sends_first(sources, v))
            layout->queue_count += shape->pairs ? parts_of(rows, v, shape->chunk) : 1;
    layout->queue_room = shape->pairs ? 2 * layout->queue_count : layout->queue_count;
    HD_TRY(HD_NEW(ctx, &layout->queue, layout->queue_room, "worklist"));
    uint32_t *to = layout->queue;
    for (uint64_t v = 0; v < rows->vertices; v++) {
        if (sends_first(sources, v) && shape->pairs)
            to = write_parts(rows, v, shape->chunk, to);
        else if (sends_first(sources, v))
            *to++ = (uint32_t)v;
    }
    return HEDDLE_OK;
}

static heddle_status first_queue(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                 const hd_cpu_setup *setup, bool from_sources, hd_incore_layout *layout) {
    uint64_t words = rows->vertices / 64 + 1, *sources;
    layout->queue_most = shape->pairs ? all_parts(ctx, rows, shape->chunk) : rows->vertices;
    if (layout->queue_most >= UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu entries are more than a device's worklist can number",
                       (unsigned long long)layout->queue_most);
    if (!from_sources)
        return list_first(ctx, shape, rows, NULL, layout);
    HD_TRY(HD_NEW_ZERO(ctx, &sources, words, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++)
        sources[setup->sources[i] / 64] |= UINT64_C(1) << (setup->sources[i] % 64);
    heddle_status status = list_first(ctx, shape, rows, sources, layout);
    HD_DELETE(&ctx->allocator, sources, words);
    return status;
}

heddle_status hd_incore_layout_new(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                   const hd_cpu_setup *setup, bool from_sources, hd_incore_layout *layout) {
    *layout = (hd_incore_layout){.count = 0};
    if (shape->tiles)
        HD_TRY(cut_tiles(ctx, shape, rows, layout));
    if (shape->nodes && !shape->worklist)
        HD_TRY(list_nodes(ctx, shape, rows, layout));
    if (shape->worklist)
        HD_TRY(first_queue(ctx, shape, rows, setup, from_sources, layout));
    return HEDDLE_OK;
}

void hd_incore_layout_free(heddle_context *ctx, hd_incore_layout *layout) {
    HD_DELETE(&ctx->allocator, layout->words, layout->room);
    HD_DELETE(&ctx->allocator, layout->splits, layout->splits_room);
    HD_DELETE(&ctx->allocator, layout->queue, layout->queue_room);
}
