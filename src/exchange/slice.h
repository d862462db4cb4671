/* slice.h - one part's share of a graph: a contiguous range of the vertices, with the edges into them.
 *
 * A part numbers its vertices from 0: its own first, in their order, then the vertices of others that it reads, in
 * theirs. So it has room for the values that it uses, and none for the rest. The vertices of one owner stand together,
 * and the owner has the same list as a boundary: the own vertices that this part reads, in the same order. A message
 * therefore names a vertex by its place in that list, and both sides know before the run how long it can be.
 *
 * A slice is made from rows that a part has, whoever read them: hd_slice_make needs no other rows, and hd_slice_join
 * asks the other parts what they read of this one.
 */
#ifndef HD_EXCHANGE_SLICE_H
#define HD_EXCHANGE_SLICE_H

#include "exchange/link.h"
#include "graph/graph.h"

/* Rows of a part's own vertices: those at offsets[first] …, or from another place of the arrays. Edge k of the rows,
 * counted from offsets[0], is targets[k] and weights[k]. */
typedef struct hd_slice_rows {
    const uint64_t *offsets; /* own + 1, of any base */
    const uint32_t *targets; /* in the numbers of the whole graph; targets[offsets[0]] is the first */
    const void *weights;     /* likewise; NULL: there are none */
} hd_slice_rows;

typedef struct hd_slice {
    uint32_t part, parts;
    uint64_t first, own, remote; /* own vertices: first .. first + own of the graph; others' that are read */
    uint64_t *firsts;            /* parts + 1: the first vertex of each part */
    uint64_t edges;
    uint64_t *offsets;   /* own + 1, from 0 */
    uint32_t *targets;   /* in the part's own numbers */
    const void *weights; /* NULL: none */
    void *made_weights;  /* what `weights` points to, if they were merged here */
    size_t weight_size;
    uint32_t *names;          /* own + remote: each vertex's number in the graph */
    uint64_t *remote_start;   /* parts + 1: the remote vertices of each owner, counted from 0 */
    uint64_t *boundary_start; /* parts + 1: what each part reads, in `boundary` */
    uint32_t *boundary;       /* own vertices */
    uint64_t boundary_count;  /* boundary_start[parts] */
} hd_slice;

/* Cuts rows into `parts` ranges with about the same number of vertices and edges together; with `speeds`, in proportion
 * to them (one is above 0). `offsets` has n + 1 entries; `second` (or NULL) those of a second direction. A range may be
 * empty. Cost: parts times log(n). */
void hd_slice_cut(const uint64_t *offsets, const uint64_t *second, uint64_t n, uint32_t parts, const double *speeds,
                  uint64_t *firsts);

/* Cuts the same rows anew: going through range p of `firsts` took seconds[p], and each new range takes about the same
 * time, if a range's seconds are spread evenly over its vertices and edges. */
void hd_slice_cut_again(const uint64_t *offsets, const uint64_t *second, uint64_t n, uint32_t parts,
                        const uint64_t *firsts, const double *seconds, uint64_t *again);

/* The slice of one part, all but its boundary. `second` (offsets NULL: none): rows of a second direction, which are
 * put behind the first ones'. Weights of one direction are used where they are. Linear in the edges and in n / 64,
 * n being the vertices of the graph; parallel. HEDDLE_E_MEMORY; the slice is freed in any case by hd_slice_free. */
heddle_status hd_slice_make(heddle_context *ctx, const uint64_t *firsts, uint32_t part, uint32_t parts,
                            const hd_slice_rows *rows, const hd_slice_rows *second, size_t weight_size,
                            hd_slice *slice);
/* Called by all parts: fills in the boundaries. */
heddle_status hd_slice_join(hd_link *link, hd_slice *slice);
/* Called by all parts: fills in an element for each remote vertex, from its owner's array. */
heddle_status hd_slice_share(hd_link *link, const hd_slice *slice, const void *own, size_t size, void *remote);
void hd_slice_free(heddle_context *ctx, hd_slice *slice);

/* The slice with the directions of messages changed, for boxes alone: its "own" vertices are the remote ones of
 * `slice`, and what comes in is about the boundary, by place there. So a part writes to owners about what it reads of
 * them. Uses arrays of `slice`, and 4 bytes for each remote vertex. */
heddle_status hd_slice_owners(heddle_context *ctx, const hd_slice *slice, hd_slice *owners);
void hd_slice_owners_free(heddle_context *ctx, hd_slice *owners);

/* A vertex' number in the part; own + remote: it has none. */
uint64_t hd_slice_number(const hd_slice *slice, heddle_vertex name);

/* Vertices that part p reads of this one, and that this one reads of p. */
static inline uint64_t hd_slice_read_by(const hd_slice *s, uint32_t p) {
    return s->boundary_start[p + 1] - s->boundary_start[p];
}
static inline uint64_t hd_slice_reads(const hd_slice *s, uint32_t p) {
    return s->remote_start[p + 1] - s->remote_start[p];
}

#endif
