/* shards.c - see shards.h. A stable counting sort of the edges by their target's range: each range of sources counts
 * its edges to each shard, which are its windows' lengths; a prefix sum gives the windows' positions; then each range
 * of sources writes its entries. */
#include "engine/device/shards.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

enum {
    WINDOW = 32,          /* desired entries per window */
    RANGE_LEAST = 64,     /* smallest range that is chosen automatically */
    SHARDS_MOST = 1 << 14 /* windows are numbered by pairs of shards */
};

/* The nearest power of two: every range needs its own compilation of the kernel. */
uint32_t hd_shards_range(uint64_t vertices, uint64_t edges, uint32_t most) {
    double wanted = edges ? (double)vertices * sqrt(WINDOW / (double)edges) : 0;
    double least = (double)vertices / SHARDS_MOST;
    uint64_t range = RANGE_LEAST;
    while (((double)range * sqrt(2) < wanted || (double)range < least) && range < most)
        range *= 2;
    return range < most ? (uint32_t)range : most;
}

heddle_status hd_shards_size(heddle_context *ctx, const hd_incore_rows *rows, hd_shards_wish wish, uint32_t *range,
                             uint32_t *shards) {
    if (wish.range > wish.most)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "range=%lu: shared memory holds a range of %lu vertices at most",
                       (unsigned long)wish.range, (unsigned long)wish.most);
    *range = wish.range ? wish.range : hd_shards_range(rows->vertices, rows->edges, wish.most);
    uint64_t count = (rows->vertices + *range - 1) / *range;
    if (count > SHARDS_MOST)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "range=%lu cuts %llu vertices into %llu shards, %d are possible: take a range of %llu or more "
                       "(shared memory holds %lu), or schedule=edge",
                       (unsigned long)*range, (unsigned long long)rows->vertices, (unsigned long long)count,
                       SHARDS_MOST, (unsigned long long)(rows->vertices / SHARDS_MOST + 1), (unsigned long)wish.most);
    *shards = (uint32_t)count;
    return HEDDLE_OK;
}

/* ---- Windows ---------------------------------------------------------------------------------------------------- */

typedef void (*visit)(hd_shards *s, const uint32_t *targets, const void *weights, uint64_t from, uint64_t to,
                      uint32_t source, uint32_t degree, uint32_t *row);

static void count_edges(hd_shards *s, const uint32_t *targets, const void *weights, uint64_t from, uint64_t to,
                        uint32_t source, uint32_t degree, uint32_t *row) {
    (void)weights, (void)source, (void)degree;
    for (uint64_t e = from; e < to; e++)
        row[targets[e] / s->range]++;
}

static void place_edges(hd_shards *s, const uint32_t *targets, const void *weights, uint64_t from, uint64_t to,
                        uint32_t source, uint32_t degree, uint32_t *row) {
    for (uint64_t e = from; e < to; e++) {
        uint32_t shard = targets[e] / s->range;
        uint64_t place = s->starts[shard] + row[shard]++;
        s->targets[place] = targets[e];
        s->sources[place] = source;
        if (s->weight_size == sizeof(uint32_t))
            ((uint32_t *)s->weights)[place] = ((const uint32_t *)weights)[e];
        else if (s->weight_size)
            ((uint64_t *)s->weights)[place] = ((const uint64_t *)weights)[e];
        if (s->degrees)
            s->degrees[place] = degree;
    }
}

/* All edges of the sources of range i; `row` is the range's row of windows. */
static inline void walk_range(hd_shards *s, const hd_incore_rows *rows, const uint64_t *out_offsets,
                              const uint32_t *degrees, uint64_t i, uint32_t *row, visit each) {
    uint64_t last = (i + 1) * s->range < s->vertices ? (i + 1) * s->range : s->vertices;
    for (uint64_t v = i * s->range; v < last; v++) {
        uint32_t degree = degrees ? degrees[v] : (uint32_t)(out_offsets[v + 1] - out_offsets[v]);
        each(s, rows->first.targets, rows->first.weights, rows->first.offsets[v], rows->first.offsets[v + 1],
             (uint32_t)v, degree, row);
        if (rows->second.offsets)
            each(s, rows->second.targets, rows->second.weights, rows->second.offsets[v], rows->second.offsets[v + 1],
                 (uint32_t)v, degree, row);
    }
}

/* Row i + 1 of the windows: lengths become the beginnings of row i and, after its entries were written, their ends,
 * which are the beginnings of row i + 1. */
static heddle_status find_windows(heddle_context *ctx, hd_shards *s, const hd_incore_rows *rows,
                                  const uint64_t *out_offsets) {
    uint64_t count = s->count, longest = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t i = 0; i < count; i++)
        walk_range(s, rows, out_offsets, NULL, i, s->windows + (i + 1) * count, count_edges);
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : longest))
    for (uint64_t j = 0; j < count; j++) {
        uint64_t sum = 0;
        for (uint64_t i = 1; i <= count; i++) {
            uint64_t length = s->windows[i * count + j];
            s->windows[i * count + j] = (uint32_t)sum;
            sum += length;
        }
        s->starts[j] = sum;
        longest = sum > longest ? sum : longest;
    }
    if (longest > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "a shard of %llu edges is too long: take a smaller range",
                       (unsigned long long)longest);
    hd_prefix_sum(ctx, s->starts, count);
    return HEDDLE_OK;
}

/* ---- Concatenated windows --------------------------------------------------------------------------------------- */

static void list_range(hd_shards *s, uint64_t i, const uint32_t *sources) {
    uint64_t k = s->lists[i];
    for (uint64_t j = 0; j < s->count; j++) {
        uint64_t from = s->starts[j] + s->windows[i * s->count + j];
        uint64_t to = s->starts[j] + s->windows[(i + 1) * s->count + j];
        for (uint64_t place = from; place < to; place++, k++) {
            s->sources[k] = sources[place];
            if (s->wide)
                ((uint64_t *)s->mapper)[k] = place;
            else
                ((uint32_t *)s->mapper)[k] = (uint32_t)place;
        }
    }
}

static size_t mapper_word(const hd_shards *s) { return s->wide ? sizeof(uint64_t) : sizeof(uint32_t); }

static void free_windows(heddle_context *ctx, hd_shards *s) {
    HD_DELETE(&ctx->allocator, s->windows, ((uint64_t)s->count + 1) * s->count);
}

static heddle_status list_windows(heddle_context *ctx, hd_shards *s, const hd_incore_rows *rows) {
    uint32_t *sources = s->sources;
    heddle_status status;
    s->sources = NULL;
    HD_CHECK(HD_NEW(ctx, &s->sources, s->edges, "concatenated windows"));
    HD_CHECK(HD_NEW(ctx, &s->lists, s->count + 1, "concatenated windows"));
    HD_CHECK(hd_new(ctx, &s->mapper, s->edges, mapper_word(s), false, "concatenated windows"));
    for (uint64_t i = 0; i <= s->count; i++)
        s->lists[i] = hd_incore_offset(rows, i * s->range < s->vertices ? i * s->range : s->vertices);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t i = 0; i < s->count; i++)
        list_range(s, i, sources);
    free_windows(ctx, s);
out:
    HD_DELETE(&ctx->allocator, sources, s->edges);
    return status;
}

/* ---- Making and freeing ----------------------------------------------------------------------------------------- */

static heddle_status make(heddle_context *ctx, const hd_incore_rows *rows, const uint64_t *out_offsets,
                          hd_shards_wish wish, hd_shards *s) {
    HD_TRY(hd_shards_size(ctx, rows, wish, &s->range, &s->count));
    HD_TRY(HD_NEW(ctx, &s->starts, s->count + 1, "shards"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->windows, ((uint64_t)s->count + 1) * s->count, "windows"));
    HD_TRY(HD_NEW(ctx, &s->targets, s->edges, "shards"));
    HD_TRY(HD_NEW(ctx, &s->sources, s->edges, "shards"));
    if (wish.weight_size)
        HD_TRY(hd_new(ctx, &s->weights, s->edges, wish.weight_size, false, "shards"));
    if (wish.degrees)
        HD_TRY(HD_NEW(ctx, &s->degrees, s->edges, "shards"));
    HD_TRY(find_windows(ctx, s, rows, out_offsets));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t i = 0; i < s->count; i++)
        walk_range(s, rows, out_offsets, wish.out_degrees, i, s->windows + (i + 1) * s->count, place_edges);
    return wish.listed ? list_windows(ctx, s, rows) : HEDDLE_OK;
}

heddle_status hd_shards_new(heddle_context *ctx, const hd_incore_rows *rows, const uint64_t *out_offsets,
                            hd_shards_wish wish, hd_shards *shards) {
    *shards = (hd_shards){.vertices = rows->vertices,
                          .edges = rows->edges,
                          .listed = wish.listed,
                          .wide = wish.wide,
                          .weight_size = wish.weight_size};
    heddle_status status = make(ctx, rows, out_offsets, wish, shards);
    if (status != HEDDLE_OK)
        hd_shards_free(ctx, shards);
    return status;
}

uint64_t hd_shards_bytes(const hd_shards *s, size_t copy) {
    uint64_t count = s->count, each = copy + 8 + s->weight_size + (s->degrees ? 4 : 0);
    return s->edges * (each + (s->listed ? mapper_word(s) : 0)) + (count + 1) * 8 +
           (s->listed ? (count + 1) * 8 : (count + 1) * count * 4);
}

void hd_shards_free(heddle_context *ctx, hd_shards *shards) {
    const heddle_allocator *allocator = &ctx->allocator;
    free_windows(ctx, shards);
    HD_DELETE(allocator, shards->starts, shards->count + 1);
    HD_DELETE(allocator, shards->lists, shards->count + 1);
    if (shards->mapper)
        hd_free(allocator, shards->mapper, shards->edges * mapper_word(shards));
    HD_DELETE(allocator, shards->sources, shards->edges);
    HD_DELETE(allocator, shards->targets, shards->edges);
    if (shards->weights)
        hd_free(allocator, shards->weights, shards->edges * shards->weight_size);
    HD_DELETE(allocator, shards->degrees, shards->edges);
    *shards = (hd_shards){.range = 0};
}
