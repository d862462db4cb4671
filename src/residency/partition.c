/* partition.c - see span.h: cutting rows into spans.
 *
 * Ideal cuts divide all bytes evenly into as few spans as the limit allows; a span ends with the last row in front of
 * the next ideal cut, found by bisection of the offsets. A row above the limit is cut evenly.
 */
#include "residency/span.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

typedef struct cutter {
    heddle_context *ctx;
    const uint64_t *offsets;
    uint64_t rows;
    const hd_span_cost *cost;
    hd_partition *partition;
} cutter;

static uint64_t bytes_of(const cutter *c, uint64_t first, uint64_t end) {
    return (c->offsets[end] - c->offsets[first]) * c->cost->edge_bytes + (end - first) * c->cost->row_bytes;
}

static heddle_status append(cutter *c, hd_span span) {
    hd_partition *p = c->partition;
    if (p->count == p->room) {
        uint64_t room = p->room ? 2 * p->room : 16;
        hd_span *larger;
        HD_TRY(HD_NEW(c->ctx, &larger, room, "partitions"));
        if (p->count)
            memcpy(larger, p->spans, p->count * sizeof *larger);
        HD_DELETE(&c->ctx->allocator, p->spans, p->room);
        p->spans = larger;
        p->room = room;
    }
    p->spans[p->count++] = span;
    p->groups = span.group + 1;
    uint64_t rows = span.end_row - span.first_row, edges = hd_span_edges(&span);
    p->most_rows = rows > p->most_rows ? rows : p->most_rows;
    p->most_edges = edges > p->most_edges ? edges : p->most_edges;
    return HEDDLE_OK;
}

/* The largest end for which rows first .. end keep to `aim` bytes; first itself if not even one row does. */
static uint64_t end_within(const cutter *c, uint64_t first, uint64_t aim) {
    uint64_t low = first, high = c->rows;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (bytes_of(c, first, middle) <= aim)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A row of its own, in as many spans as it needs. */
static heddle_status cut_row(cutter *c, uint64_t row) {
    uint64_t first = c->offsets[row], degree = c->offsets[row + 1] - first, group = c->partition->groups;
    uint64_t most = (c->cost->limit - c->cost->row_bytes) / c->cost->edge_bytes;
    uint64_t pieces = degree / most + (degree % most != 0);
    uint64_t each = degree / pieces + (degree % pieces != 0); /* the quotient rounded up is still at most `most` */
    for (uint64_t at = 0; at < degree; at += each) {
        uint64_t end = degree - at < each ? degree : at + each;
        HD_TRY(append(c, (hd_span){row, row + 1, first + at, first + end, group}));
    }
    return HEDDLE_OK;
}

static heddle_status cut(cutter *c) {
    uint64_t limit = c->cost->limit, all = bytes_of(c, 0, c->rows), spans = all / limit + (all % limit != 0);
    for (uint64_t first = 0, end, k = 0; first < c->rows; first = end) {
        uint64_t behind = bytes_of(c, 0, first), ideal = all;
        while (k < spans && (ideal = hd_split(all, spans, ++k)) <= behind)
            ;
        end = end_within(c, first, k < spans && ideal - behind < limit ? ideal - behind : limit);
        if (end == first) /* a row between the ideal and the limit, or above it */
            end = first + 1;
        if (bytes_of(c, first, end) > limit)
            HD_TRY(cut_row(c, first));
        else
            HD_TRY(append(c, (hd_span){first, end, c->offsets[first], c->offsets[end], c->partition->groups}));
    }
    return HEDDLE_OK;
}

heddle_status hd_partition_rows(heddle_context *ctx, const uint64_t *offsets, uint64_t rows, const hd_span_cost *cost,
                                hd_partition *partition) {
    cutter c = {ctx, offsets, rows, cost, partition};
    *partition = (hd_partition){.spans = NULL};
    if (cost->limit < cost->edge_bytes + cost->row_bytes)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu bytes for a partition are too few for an edge: %llu are needed",
                       (unsigned long long)cost->limit, (unsigned long long)(cost->edge_bytes + cost->row_bytes));
    heddle_status status = cut(&c);
    if (status != HEDDLE_OK)
        hd_partition_free(ctx, partition);
    return status;
}

void hd_partition_free(heddle_context *ctx, hd_partition *partition) {
    HD_DELETE(&ctx->allocator, partition->spans, partition->room);
    *partition = (hd_partition){.spans = NULL};
}

uint64_t hd_partition_find(const hd_partition *partition, uint64_t row) {
    uint64_t low = 0, high = partition->count; /* the first span that ends behind the row */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (partition->spans[middle].end_row > row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
