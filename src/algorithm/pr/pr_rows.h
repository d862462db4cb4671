/* pr_rows.h - sums over rows of in-edges for PageRank, strip by strip.
 *
 * Plain: the graph's own rows. Sorted: where rows are short, each costs a wrong guess of where it ends, more than its
 * edges do; so the rows of a strip are copied in the order of their length, and those of one length have one loop
 * without a question in it. Sources are kept in 16 bits, by their distance from the strip; strips with sources too far
 * off for that stay plain. Either way a row is added up in ascending order of its sources.
 */
#ifndef HD_ALGORITHM_PR_PR_ROWS_H
#define HD_ALGORITHM_PR_PR_ROWS_H

#include "graph/graph.h"

enum {
    HD_RANK_STRIP = 256, /* vertices whose ranks are worked out, and whose changes are added up, together */
    HD_ROW_LENGTHS = 10  /* rows of 0 to 8 edges, and all others */
};

typedef struct hd_rank_rows {
    heddle_adjacency in; /* offsets NULL: rows are not used */
    uint64_t vertices, edges, strips;
    int16_t *sources; /* sorted: a strip's edges where the graph has them, row after row in `order`; else NULL */
    uint8_t *order;   /* of a strip's rows: ascending by length, those of one length by vertex */
    uint16_t (*counts)[HD_ROW_LENGTHS]; /* of a strip's rows, by length; all 0: the strip is plain */
} hd_rank_rows;

/* `in` must outlive the rows. */
heddle_status hd_rank_rows_new(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *in, bool sorted,
                               hd_rank_rows *rows);
void hd_rank_rows_free(heddle_context *ctx, hd_rank_rows *rows);

/* sums[i]: of `share`, float when `single` else double, over the row of the strip's vertex i. */
void hd_rank_rows_add(const hd_rank_rows *rows, uint64_t strip, const void *share, bool single, double *sums);

/* The same of codes' values, of plain rows. */
void hd_rank_rows_add_coded(const hd_rank_rows *rows, uint64_t strip, const uint8_t *codes, const double *values,
                            double *sums);

static inline uint64_t hd_strip_rows(const hd_rank_rows *rows, uint64_t strip) {
    uint64_t left = rows->vertices - strip * HD_RANK_STRIP;
    return left < HD_RANK_STRIP ? left : HD_RANK_STRIP;
}

/* The edges of strips from .. to. */
static inline uint64_t hd_strip_edges(const hd_rank_rows *rows, uint64_t from, uint64_t to) {
    uint64_t end = to < rows->strips ? to * HD_RANK_STRIP : rows->vertices;
    return rows->in.offsets[end] - rows->in.offsets[from * HD_RANK_STRIP];
}

/* Whether nearly all edges join vertices whose numbers are close: then caches hold what rows ask for, and to sort them
 * pays where they are short. Looks at a few vertices, the same ones each time. */
bool hd_rank_rows_near(uint64_t vertices, const heddle_adjacency *in);

#endif
