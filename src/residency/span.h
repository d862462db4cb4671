/* span.h - a piece of a graph's rows that is in memory as a whole: what passes through a buffer at a time when the
 * edges do not fit, on a device or on the CPU.
 *
 * Rows are cut into spans of about equal bytes that hold whole rows. A row larger than a span is cut into consecutive
 * spans of its own, which hold nothing else; they form one group. Every other span is a group by itself. Activity is
 * kept per group: a vertex that is active makes all spans of its row necessary.
 */
#ifndef HD_RESIDENCY_SPAN_H
#define HD_RESIDENCY_SPAN_H

#include "base/context.h"

typedef struct hd_span {
    uint64_t first_row, end_row;   /* a cut row: all its spans have the same */
    uint64_t first_edge, end_edge; /* of the whole graph's edges */
    uint64_t group;
} hd_span;

/* How the rows of a graph are cut. Spans are in the order of rows and edges; together they cover each row and edge once
 * (cut rows: each edge once). No rows: no spans. */
typedef struct hd_partition {
    hd_span *spans;
    uint64_t count, groups;
    uint64_t most_rows, most_edges; /* of the largest span */
    uint64_t room;                  /* spans allocated */
} hd_partition;

/* Bytes of a span in memory. */
typedef struct hd_span_cost {
    uint64_t edge_bytes; /* at least 1 */
    uint64_t row_bytes;  /* for its offsets and what else a buffer holds for each row; may be 0 */
    uint64_t limit;      /* bytes of a span, at most; at least those of one row with one edge */
} hd_span_cost;

/* Cuts `rows` rows with these offsets (rows + 1 entries). Spans are as few as the limit allows, and about equal. Takes
 * time in the number of spans, not of rows. HEDDLE_E_LIMIT if the limit is too small for one edge. */
heddle_status hd_partition_rows(heddle_context *ctx, const uint64_t *offsets, uint64_t rows, const hd_span_cost *cost,
                                hd_partition *partition);
void hd_partition_free(heddle_context *ctx, hd_partition *partition);

/* The first span that has this row. The row must be one of the partition's. */
uint64_t hd_partition_find(const hd_partition *partition, uint64_t row);

static inline uint64_t hd_span_edges(const hd_span *span) { return span->end_edge - span->first_edge; }

#endif
