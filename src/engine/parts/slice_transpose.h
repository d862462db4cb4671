/* slice_transpose.h - a slice's rows transposed: for each vertex that the part knows, local or remote, the local
 * vertices that its edges lead to. A slice has the edges into local vertices; searches that push need these. */
#ifndef HD_ENGINE_PARTS_SLICE_TRANSPOSE_H
#define HD_ENGINE_PARTS_SLICE_TRANSPOSE_H

#include "exchange/slice.h"

typedef struct hd_slice_transpose {
    uint64_t vertices, edges;
    uint64_t *offsets; /* vertices + 1; NULL: not made yet */
    uint32_t *targets; /* own vertices */
    void *weights;     /* NULL: none */
    uint64_t *heavy;   /* where the heavy edges of each row begin; NULL: they are not distinguished */
    size_t weight_size;
    uint64_t swept; /* edges that a search walked for want of these rows */
} hd_slice_transpose;

/* Linear in the slice's edges, parallel; rows ascend. Does nothing if they are there. While it works it needs 8 bytes
 * per edge, and the weights, more. */
heddle_status hd_slice_transpose_make(heddle_context *ctx, const hd_slice *slice, hd_slice_transpose *transposed);
void hd_slice_transpose_free(heddle_context *ctx, hd_slice_transpose *transposed);

static inline uint64_t hd_slice_transpose_degree(const hd_slice_transpose *t, uint64_t v) {
    return t->offsets[v + 1] - t->offsets[v];
}

#endif
