/* pr_rows.h - sums over rows of in-edges for PageRank, strip by strip.
 *
 * Plain: the graph's own rows. Sorted: if rows are short, a mispredicted branch at the end of each row costs more than
 * its edges. So the rows of a strip are copied in order of length, and one branch-free loop serves all rows of a
 * length. Sources are stored in 16 bits, relative to the strip; strips with more distant sources stay plain. In both
 * forms a row is summed in ascending order of its sources.
 */
#ifndef HD_ALGORITHM_PR_PR_ROWS_H
#define HD_ALGORITHM_PR_PR_ROWS_H

#include "graph/graph.h"

enum {
    HD_RANK_STRIP = 256, /* vertices whose ranks are computed, and whose changes are summed, together */
    HD_ROW_LENGTHS = 10  /* rows of 0 to 8 edges, and all others */
};

typedef struct hd_pr_rows {
    heddle_adjacency in; /* offsets NULL: rows are not used */
    uint64_t vertices, edges, strips;
    int16_t *sources; /* sorted: a strip's edges, at the graph's positions, row after row in `order`; else NULL */
    uint8_t *order;   /* of a strip's rows: ascending by length, those of one length by vertex */
    uint16_t (*counts)[HD_ROW_LENGTHS]; /* of a strip's rows, by length; all 0: the strip is plain */
} hd_pr_rows;

/* `in` must outlive the rows. */
heddle_status hd_pr_rows_new(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *in, bool sorted,
                             hd_pr_rows *rows);
void hd_pr_rows_free(heddle_context *ctx, hd_pr_rows *rows);

/* sums[i]: of `share` (float if `single`, else double) over the row of the strip's vertex i. */
void hd_pr_rows_add(const hd_pr_rows *rows, uint64_t strip, const void *share, bool single, double *sums);

/* The same for the values of codes, over plain rows. */
void hd_pr_rows_add_coded(const hd_pr_rows *rows, uint64_t strip, const uint8_t *codes, const double *values,
                          double *sums);

static inline uint64_t hd_strip_rows(const hd_pr_rows *rows, uint64_t strip) {
    uint64_t left = rows->vertices - strip * HD_RANK_STRIP;
    return left < HD_RANK_STRIP ? left : HD_RANK_STRIP;
}

/* Number of edges of strips from .. to. */
static inline uint64_t hd_strip_edges(const hd_pr_rows *rows, uint64_t from, uint64_t to) {
    uint64_t end = to < rows->strips ? to * HD_RANK_STRIP : rows->vertices;
    return rows->in.offsets[end] - rows->in.offsets[from * HD_RANK_STRIP];
}

/* Whether ids have locality, so that nearly all edges join nearby ids: then the caches hold what rows access, and
 * sorting pays off if rows are short. Samples a few vertices, always the same ones. */
bool hd_pr_rows_near(uint64_t vertices, const heddle_adjacency *in);

#endif
