/* mst_join.c - brings edges into the order of (u, v), by stable radix sorts in runs.
 *
 * Edges from descending arcs are in the order of their rows, which is that of v. A sort by u gives the order of (u, v);
 * then the two sequences are merged.
 */
#include "algorithm/mst/mst.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, FEW = 64 /* edges: counting digits costs more than the sort */ };

typedef enum end { SMALLER, LARGER } end;

static inline unsigned digit_of(const hd_mst_edge *edge, end by, unsigned shift) {
    return (by == LARGER ? edge->v : edge->u) >> shift & (DIGITS - 1);
}

/* Even runs without gaps. */
static void lay_out(hd_mst_batch *batch, uint64_t count) {
    batch->count = count;
    for (uint64_t run = 0; run < batch->runs; run++) {
        batch->starts[run] = hd_split(count, batch->runs, run);
        batch->counts[run] = hd_split(count, batch->runs, run + 1) - batch->starts[run];
    }
}

static heddle_status new_batch(heddle_context *ctx, uint64_t runs, uint64_t room, hd_mst_batch *batch) {
    *batch = (hd_mst_batch){.runs = runs};
    HD_TRY(HD_NEW(ctx, &batch->starts, runs, "edge runs"));
    HD_TRY(HD_NEW(ctx, &batch->counts, runs, "edge runs"));
    HD_TRY(HD_NEW(ctx, &batch->edges, room, "edges"));
    batch->room = room;
    return HEDDLE_OK;
}

heddle_status hd_mst_batch_new(heddle_context *ctx, uint64_t count, hd_mst_batch *batch) {
    uint64_t runs = count < HD_WORTH_THREADS ? 1 : (uint64_t)ctx->threads;
    HD_TRY(new_batch(ctx, runs, count, batch));
    lay_out(batch, count);
    return HEDDLE_OK;
}

/* One pass of the sort. */
static void sort_by_digit(heddle_context *ctx, const hd_mst_batch *from, hd_mst_edge *to, end by, unsigned shift,
                          uint64_t (*places)[DIGITS]) {
    HD_PARALLEL_FOR(ctx, if (from->count >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t run = 0; run < from->runs; run++) {
        const hd_mst_edge *edge = from->edges + from->starts[run], *end = edge + from->counts[run];
        memset(places[run], 0, sizeof places[run]);
        for (; edge < end; edge++)
            places[run][digit_of(edge, by, shift)]++;
    }
    uint64_t place = 0;
    for (unsigned digit = 0; digit < DIGITS; digit++)
        for (uint64_t run = 0; run < from->runs; run++) {
            uint64_t count = places[run][digit];
            places[run][digit] = place;
            place += count;
        }
    HD_PARALLEL_FOR(ctx, if (from->count >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t run = 0; run < from->runs; run++) {
        const hd_mst_edge *edge = from->edges + from->starts[run], *end = edge + from->counts[run];
        for (; edge < end; edge++)
            to[places[run][digit_of(edge, by, shift)]++] = *edge;
    }
}

/* By insertion, behind the edges of earlier runs. */
static void sort_few(hd_mst_batch *batch, end by) {
    hd_mst_edge *sorted = batch->edges;
    uint64_t count = 0;
    for (uint64_t run = 0; run < batch->runs; run++)
        for (uint64_t i = 0; i < batch->counts[run]; i++) {
            hd_mst_edge edge = batch->edges[batch->starts[run] + i];
            uint64_t k = count++;
            for (; k > 0 && (by == LARGER ? sorted[k - 1].v > edge.v : sorted[k - 1].u > edge.u); k--)
                sorted[k] = sorted[k - 1];
            sorted[k] = edge;
        }
    lay_out(batch, count);
}

/* Leaves the edges sorted and without gaps. */
static heddle_status sort_by(heddle_context *ctx, uint64_t vertices, end by, hd_mst_batch *batch) {
    hd_mst_batch other = {.runs = 0};
    uint64_t(*places)[DIGITS] = NULL;
    heddle_status status;
    if (batch->count <= FEW) {
        sort_few(batch, by);
        return HEDDLE_OK;
    }
    HD_CHECK(new_batch(ctx, batch->runs, batch->count, &other));
    HD_CHECK(HD_NEW(ctx, &places, batch->runs, "sort counts"));
    unsigned shift = 0;
    do {
        sort_by_digit(ctx, batch, other.edges, by, shift, places);
        lay_out(&other, batch->count);
        hd_mst_batch swap = *batch;
        *batch = other;
        other = swap;
        shift += DIGIT_BITS;
        HD_CHECK(hd_cancelled_status(ctx));
    } while (shift < 32 && (vertices - 1) >> shift);
out:
    hd_mst_batch_free(ctx, &other);
    HD_DELETE(&ctx->allocator, places, batch->runs);
    return status;
}

heddle_status hd_mst_sort(heddle_context *ctx, uint64_t vertices, hd_mst_batch *batch) {
    if (batch->count == 0)
        return HEDDLE_OK;
    HD_TRY(sort_by(ctx, vertices, LARGER, batch));
    return sort_by(ctx, vertices, SMALLER, batch);
}

/* ---- Merging ------------------------------------------------------------------------------------------------- */

/* Number of sorted edges before `edge`. */
static uint64_t count_before(const hd_mst_batch *sorted, const hd_mst_edge *edge) {
    uint64_t low = 0, high = sorted->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (hd_mst_before(&sorted->edges[middle], edge))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void merge(const hd_mst_edge *a, uint64_t count_a, const hd_mst_edge *b, uint64_t count_b, hd_mst_edge *to) {
    const hd_mst_edge *end_a = a + count_a, *end_b = b + count_b;
    while (a < end_a && b < end_b)
        *to++ = hd_mst_before(a, b) ? *a++ : *b++;
    memcpy(to, a, (size_t)(end_a - a) * sizeof *a);
    memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof *b);
}

/* For each run of the batch: `bounds` has the beginning of its part of the other edges, `places` its own. */
static void merge_runs(heddle_context *ctx, const hd_mst_batch *batch, const hd_mst_batch *reversed, uint64_t *bounds,
                       uint64_t *places, hd_mst_edge *to) {
    uint64_t runs = batch->runs;
    bounds[runs] = reversed->count;
    for (uint64_t run = runs; run-- > 0;) {
        bounds[run] = batch->counts[run] ? count_before(reversed, &batch->edges[batch->starts[run]]) : bounds[run + 1];
        places[run] = batch->counts[run];
    }
    bounds[0] = 0;
    hd_prefix_sum(ctx, places, runs);
    HD_PARALLEL_FOR(ctx, if (batch->count + reversed->count >= HD_WORTH_THREADS) schedule(dynamic, 1))
    for (uint64_t run = 0; run < runs; run++)
        merge(batch->edges + batch->starts[run], batch->counts[run], reversed->edges + bounds[run],
              bounds[run + 1] - bounds[run], to + places[run] + bounds[run]);
}

heddle_status hd_mst_join(hd_mst *mst, hd_mst_batch *batch, hd_mst_batch *reversed) {
    heddle_context *ctx = mst->ctx;
    uint64_t count = batch->count + reversed->count, *bounds = NULL, *places = NULL, runs = batch->runs;
    hd_mst_batch merged = {.runs = 0};
    heddle_status status;
    if (reversed->count == 0)
        return HEDDLE_OK;
    HD_CHECK(sort_by(ctx, mst->vertices, SMALLER, reversed));
    HD_CHECK(new_batch(ctx, runs, count, &merged));
    HD_CHECK(HD_NEW(ctx, &bounds, runs + 1, "merge bounds"));
    HD_CHECK(HD_NEW(ctx, &places, runs + 1, "merge bounds"));
    merge_runs(ctx, batch, reversed, bounds, places, merged.edges);
    lay_out(&merged, count);
    hd_mst_batch swap = *batch;
    *batch = merged;
    merged = swap;
out:
    HD_DELETE(&ctx->allocator, bounds, runs + 1);
    HD_DELETE(&ctx->allocator, places, runs + 1);
    hd_mst_batch_free(ctx, &merged);
    return status;
}
