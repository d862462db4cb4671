/* batch_arcs.h - turns the edges of a batch into arcs with the bits of their weights, for every way of placing them. */
#ifndef HD_GRAPH_BATCH_ARCS_H
#define HD_GRAPH_BATCH_ARCS_H

#include "graph/builder.h"

#include <math.h>
#include <string.h>

/* Arcs placed between two checks of the cancel flag: while the staging arrays are fresh, each arc may touch a huge page
 * for the first time, and a whole batch would take seconds. */
enum { HD_PLACE_CHECK = 64 };

static inline uint32_t hd_place_weight(heddle_weight_type type, double weight) {
    uint32_t bits;
    float single;
    switch (type) {
    case HEDDLE_WEIGHT_U32: return (uint32_t)weight;
    case HEDDLE_WEIGHT_I32: return (uint32_t)(int32_t)weight;
    case HEDDLE_WEIGHT_F32:
        single = (float)weight;
        memcpy(&bits, &single, sizeof bits);
        return bits;
    default: return 0;
    }
}

/* The signs that an edge's two arcs may have. */
typedef enum hd_sign { HD_SIGN_SAME, HD_SIGN_OTHER, HD_SIGN_MINUS } hd_sign;

static inline double hd_signed(double value, hd_sign sign) {
    return sign == HD_SIGN_SAME ? value : sign == HD_SIGN_OTHER ? -value : -fabs(value);
}

/* Bits of the i-th weight; `size` is that of the type, a constant. */
static HD_ALWAYS_INLINE uint64_t hd_arc_weight(const hd_builder *b, const hd_edge_batch *batch, size_t i, hd_sign sign,
                                               const size_t size) {
    if (size == 0)
        return 0;
    if (size == 4)
        return hd_place_weight(b->weight_type, hd_signed(batch->weight[i], sign));
    if (b->weight_type == HEDDLE_WEIGHT_I64) { /* the survey has seen that it can be negated */
        int64_t whole = hd_batch_whole(batch, i);
        return sign == HD_SIGN_OTHER || (sign == HD_SIGN_MINUS && whole > 0) ? -(uint64_t)whole : (uint64_t)whole;
    }
    double value = hd_signed(batch->weight[i], sign);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t hd_key_range(const hd_builder *b, uint64_t raw, uint32_t vertex) {
    return (b->keys_are_ids ? raw : vertex) >> b->shift;
}

/* Places one arc; false if the part has more arcs in the bucket than the survey counted, or the placing failed. */
typedef bool (*hd_put_arc)(const hd_builder *b, void *state, uint64_t range, uint32_t from, uint32_t to,
                           uint64_t weight, uint32_t tag, const size_t size);

/* Passes every arc of the batch to `put`; `size` and `put` are constants. False as soon as `put` returns that. */
static HD_ALWAYS_INLINE bool hd_place_edges(const hd_builder *b, const hd_edge_batch *batch, const uint32_t *from,
                                            const uint32_t *to, const size_t size, hd_put_arc put, void *state) {
    hd_sign forth = b->skew_flattened ? HD_SIGN_MINUS : HD_SIGN_SAME;
    hd_sign back = b->source->skew ? HD_SIGN_OTHER : HD_SIGN_SAME;
    back = b->skew_flattened ? HD_SIGN_MINUS : back;
    uint32_t tag = b->rules.symmetrize ? HD_BUCKET_REVERSE : 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (i % HD_PLACE_CHECK == 0 && hd_cancelled(b->ctx))
            return true;
        if (!put(b, state, hd_key_range(b, batch->source[i], from[i]), from[i], to[i],
                 hd_arc_weight(b, batch, i, forth, size), 0, size))
            return false;
        if (!b->both || from[i] == to[i])
            continue;
        if (!put(b, state, hd_key_range(b, batch->target[i], to[i]), to[i], from[i],
                 hd_arc_weight(b, batch, i, back, size), tag, size))
            return false;
    }
    return true;
}

#endif
