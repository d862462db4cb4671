/* incore_layout.c - data that a schedule needs besides the rows: tiles, virtual nodes, the first queue. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/incore_parts.h"

enum { BLOCK = 1 << 13 /* vertices */ };

/* The row that contains position `place` of the merged sequence of rows and edges. */
static uint64_t row_at(const hd_incore_rows *rows, uint64_t place) {
    uint64_t low = 0, high = rows->vertices; /* the largest number of rows r with r + offset(r) <= place */
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

static bool takes_part(const uint64_t *sources, uint64_t v) { return !sources || (sources[v / 64] >> (v % 64) & 1); }

/* Entries of the list: the vertices with a bit in `sources`, or all; each as one entry, or as one entry of two words
 * per part. */
typedef struct listing {
    const hd_incore_rows *rows;
    const uint64_t *sources;
    bool parts;
    uint32_t chunk;
} listing;

static uint64_t entries_of(const listing *l, uint64_t v) {
    return !takes_part(l->sources, v) ? 0 : l->parts ? parts_of(l->rows, v, l->chunk) : 1;
}

static void write_block(const listing *l, uint64_t from, uint64_t to, uint32_t *words) {
    for (uint64_t v = from; v < to; v++)
        for (uint64_t i = 0, count = entries_of(l, v); i < count; i++) {
            *words++ = (uint32_t)v;
            if (l->parts)
                *words++ = (uint32_t)i;
        }
}

/* Vertices are processed in blocks: count, prefix sum, write. Two parallel passes over the offsets. */
static heddle_status make_list(heddle_context *ctx, const listing *l, const char *what, uint32_t **words,
                               uint64_t *room, uint64_t *count) {
    uint64_t n = l->rows->vertices, blocks = (n + BLOCK - 1) / BLOCK, *starts, each = l->parts ? 2 : 1;
    heddle_status status;
    HD_TRY(HD_NEW_ZERO(ctx, &starts, blocks + 1, what));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < blocks; b++)
        for (uint64_t v = b * BLOCK; v < n && v < (b + 1) * BLOCK; v++)
            starts[b] += entries_of(l, v);
    hd_prefix_sum(ctx, starts, blocks);
    *count = starts[blocks];
    *room = each * *count;
    if (*count >= UINT32_MAX)
        HD_CHECK(hd_fail(ctx, HEDDLE_E_LIMIT, "%llu virtual nodes are more than a device can number: take a larger K",
                         (unsigned long long)*count));
    HD_CHECK(HD_NEW(ctx, words, *room, what));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < blocks; b++)
        write_block(l, b * BLOCK, n - b * BLOCK < BLOCK ? n : (b + 1) * BLOCK, *words + each * starts[b]);
out:
    if (status != HEDDLE_OK)
        *room = *count = 0;
    HD_DELETE(&ctx->allocator, starts, blocks + 1);
    return status;
}

static heddle_status list_nodes(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                hd_incore_layout *layout) {
    listing all = {.rows = rows, .parts = true, .chunk = shape->chunk};
    return make_list(ctx, &all, "virtual nodes", &layout->words, &layout->room, &layout->count);
}

/* The vertices that send in the first round: those with a bit in `sources`, or all. */
static heddle_status list_first(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                const uint64_t *sources, hd_incore_layout *layout) {
    listing first = {.rows = rows, .sources = sources, .parts = shape->pairs, .chunk = shape->chunk};
    return make_list(ctx, &first, "worklist", &layout->queue, &layout->queue_room, &layout->queue_count);
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
