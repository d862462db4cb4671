/* pr_rows.c - see pr_rows.h. The loop over a plain row is as simple as possible: speculation past its end fetches what
 * the next row needs, which gains more than several partial sums or prefetching.
 */
#include "algorithm/pr/pr_rows.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { STRIP = HD_RANK_STRIP, LENGTHS = HD_ROW_LENGTHS, LONG = LENGTHS - 1, SAMPLES = 1024 };
static const double nearly_all = 0.9;

#define INLINE static inline __attribute__((always_inline))

INLINE double add_row(const void *share, const heddle_vertex *sources, uint64_t length, const bool single) {
    double sum = 0;
    for (uint64_t e = 0; e < length; e++)
        sum += single ? (double)((const float *)share)[sources[e]] : ((const double *)share)[sources[e]];
    return sum;
}

INLINE void add_plain(const hd_pr_rows *rows, uint64_t strip, const void *share, const bool single, double *sums) {
    const uint64_t *offsets = rows->in.offsets + strip * STRIP;
    for (uint64_t i = 0, count = hd_strip_rows(rows, strip); i < count; i++)
        sums[i] = add_row(share, rows->in.targets + offsets[i], offsets[i + 1] - offsets[i], single);
}

void hd_pr_rows_add_coded(const hd_pr_rows *rows, uint64_t strip, const uint8_t *codes, const double *values,
                          double *sums) {
    const uint64_t *offsets = rows->in.offsets + strip * STRIP;
    for (uint64_t i = 0, count = hd_strip_rows(rows, strip); i < count; i++) {
        double sum = 0;
        for (uint64_t e = offsets[i]; e < offsets[i + 1]; e++)
            sum += values[codes[rows->in.targets[e]]];
        sums[i] = sum;
    }
}

/* ---- Sorted -------------------------------------------------------------------------------------------------- */

/* Position in a strip. */
typedef struct cursor {
    const int16_t *sources;
    const uint8_t *order;
} cursor;

/* share: of the strip's first vertex. */
INLINE double add_near(const void *share, const int16_t *sources, uint64_t length, const bool single) {
    double sum = 0;
    for (uint64_t e = 0; e < length; e++)
        sum += single ? (double)((const float *)share)[sources[e]] : ((const double *)share)[sources[e]];
    return sum;
}

/* `length` is a constant wherever this is called. */
INLINE void add_same(cursor *at, uint64_t count, const uint64_t length, const void *share, const bool single,
                     double *sums) {
    const int16_t *sources = at->sources;
    const uint8_t *order = at->order;
    for (uint64_t k = 0; k < count; k++, sources += length)
        sums[order[k]] = add_near(share, sources, length, single);
    *at = (cursor){sources, order + count};
}

INLINE void add_sorted(const hd_pr_rows *rows, uint64_t strip, const void *shares, const bool single, double *sums) {
    const uint64_t first = strip * STRIP, *offsets = rows->in.offsets + first;
    const uint16_t *counts = rows->counts[strip];
    const void *share = single ? (const void *)((const float *)shares + first) : (const double *)shares + first;
    cursor at = {rows->sources + offsets[0], rows->order + first};
    add_same(&at, counts[0], 0, share, single, sums);
    add_same(&at, counts[1], 1, share, single, sums);
    add_same(&at, counts[2], 2, share, single, sums);
    add_same(&at, counts[3], 3, share, single, sums);
    add_same(&at, counts[4], 4, share, single, sums);
    add_same(&at, counts[5], 5, share, single, sums);
    add_same(&at, counts[6], 6, share, single, sums);
    add_same(&at, counts[7], 7, share, single, sums);
    add_same(&at, counts[8], 8, share, single, sums);
    for (uint64_t k = 0; k < counts[LONG]; k++) {
        uint64_t i = at.order[k], length = offsets[i + 1] - offsets[i];
        sums[i] = add_near(share, at.sources, length, single);
        at.sources += length;
    }
}

/* Whether the strip is sorted: every row has some length. */
static bool is_sorted(const hd_pr_rows *rows, uint64_t strip) {
    unsigned sum = 0;
    for (unsigned length = 0; rows->sources && length < LENGTHS; length++)
        sum += rows->counts[strip][length];
    return sum > 0;
}

void hd_pr_rows_add(const hd_pr_rows *rows, uint64_t strip, const void *share, bool single, double *sums) {
    bool sorted = is_sorted(rows, strip);
    if (sorted && single)
        add_sorted(rows, strip, share, true, sums);
    else if (sorted)
        add_sorted(rows, strip, share, false, sums);
    else if (single)
        add_plain(rows, strip, share, true, sums);
    else
        add_plain(rows, strip, share, false, sums);
}

/* ---- Making the order ---------------------------------------------------------------------------------------- */

static unsigned length_of(const uint64_t *offsets, uint64_t i) {
    uint64_t length = offsets[i + 1] - offsets[i];
    return length < LONG ? (unsigned)length : LONG;
}

/* Whether the strip's sources fit in 16 bits. */
static bool all_near(const hd_pr_rows *rows, uint64_t strip) {
    const uint64_t first = strip * STRIP, begin = rows->in.offsets[first];
    const heddle_vertex *sources = rows->in.targets + begin;
    uint64_t count = hd_strip_edges(rows, strip, strip + 1), far = 0;
    for (uint64_t e = 0; e < count; e++)
        far |= (sources[e] + UINT64_C(0x8000) - first) >> 16;
    return far == 0;
}

static void sort_strip(hd_pr_rows *rows, uint64_t strip) {
    const uint64_t first = strip * STRIP, *offsets = rows->in.offsets + first, count = hd_strip_rows(rows, strip);
    uint16_t *counts = rows->counts[strip], place[LENGTHS] = {0};
    uint8_t *order = rows->order + first;
    int16_t *to = rows->sources + offsets[0];
    memset(counts, 0, sizeof *rows->counts);
    if (!all_near(rows, strip))
        return;
    for (uint64_t i = 0; i < count; i++)
        counts[length_of(offsets, i)]++;
    for (unsigned length = 1; length < LENGTHS; length++)
        place[length] = (uint16_t)(place[length - 1] + counts[length - 1]);
    for (uint64_t i = 0; i < count; i++)
        order[place[length_of(offsets, i)]++] = (uint8_t)i;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t i = order[k], length = offsets[i + 1] - offsets[i];
        const heddle_vertex *from = rows->in.targets + offsets[i];
        for (uint64_t e = 0; e < length; e++)
            to[e] = (int16_t)((int64_t)from[e] - (int64_t)first);
        to += length;
    }
}

static heddle_status sort_rows(heddle_context *ctx, hd_pr_rows *rows) {
    HD_TRY(HD_NEW(ctx, &rows->sources, rows->edges, "sorted rows"));
    HD_TRY(HD_NEW(ctx, &rows->order, rows->vertices, "sorted rows"));
    HD_TRY(HD_NEW(ctx, &rows->counts, rows->strips, "sorted rows"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 16) if (rows->edges >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < rows->strips; strip++)
        sort_strip(rows, strip);
    return HEDDLE_OK;
}

heddle_status hd_pr_rows_new(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *in, bool sorted,
                             hd_pr_rows *rows) {
    *rows = (hd_pr_rows){.in = *in,
                         .vertices = vertices,
                         .edges = in->offsets[vertices],
                         .strips = (vertices + STRIP - 1) / STRIP};
    heddle_status status = sorted ? sort_rows(ctx, rows) : HEDDLE_OK;
    if (status != HEDDLE_OK)
        hd_pr_rows_free(ctx, rows);
    return status;
}

void hd_pr_rows_free(heddle_context *ctx, hd_pr_rows *rows) {
    const heddle_allocator *allocator = &ctx->allocator;
    HD_DELETE(allocator, rows->sources, rows->edges);
    HD_DELETE(allocator, rows->order, rows->vertices);
    HD_DELETE(allocator, rows->counts, rows->strips);
    *rows = (hd_pr_rows){.vertices = 0};
}

bool hd_pr_rows_near(uint64_t vertices, const heddle_adjacency *in) {
    uint64_t near = 0, seen = 0;
    for (uint64_t v = 0, step = vertices / SAMPLES + 1; v < vertices; v += step) {
        seen += in->offsets[v + 1] - in->offsets[v];
        for (uint64_t e = in->offsets[v]; e < in->offsets[v + 1]; e++) {
            uint64_t u = in->targets[e];
            near += (u > v ? u - v : v - u) <= INT16_MAX;
        }
    }
    return (double)near >= nearly_all * (double)seen;
}
