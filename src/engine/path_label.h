/* path_label.h - labels of paths, for sssp and sswp alike.
 *
 * A label is an unsigned number of 32 or 64 bits; smaller is better, and sources have 0. Along an edge a label never
 * improves: a distance grows by the weight, a width (stored inverted) is limited to the weight. The bits of nonnegative
 * floating-point numbers, read as integers, have the same order, so every kind is compared, and lowered atomically, as
 * an integer. Functions take the kind as a constant and are inlined: one loop serves all.
 */
#ifndef HD_ENGINE_PATH_LABEL_H
#define HD_ENGINE_PATH_LABEL_H

#include "base/float_bits.h"
#include "base/parallel.h"

#include <string.h>

typedef enum hd_path {
    HD_SUM_U32,  /* u32 weights, or i32 weights that are not negative */
    HD_SUM_U64,  /* the same, for sums that do not fit 32 bits */
    HD_SUM_F32,  /* f32 weights that are not negative */
    HD_SUM_F64,  /* the same, summed in double */
    HD_SUM_I64,  /* i64 weights that are not negative: 64-bit sums; vertices whose sum does not fit stay unreached */
    HD_SUM_D64,  /* f64 weights that are not negative */
    HD_WIDE_U32, /* widest path by u32 weights: 64-bit labels, 2^32 - width */
    HD_WIDE_I32, /* by i32 weights: 2^31 - width */
    HD_WIDE_F32, /* by f32 weights: 32-bit labels, bits converted so that they order as numbers, then inverted */
    HD_WIDE_I64, /* by i64 weights other than the least and the largest: 2^63 - 1 - width */
    HD_WIDE_F64  /* by f64 weights: as f32, with 64 bits */
} hd_path;

/* X(path) for each kind: for code that is compiled once per kind. */
/* clang-format has no stable layout for this. */
/* clang-format off */
#define HD_EACH_PATH(X) \
    X(HD_SUM_U32) X(HD_SUM_U64) X(HD_SUM_F32) X(HD_SUM_F64) X(HD_SUM_I64) X(HD_SUM_D64) \
    X(HD_WIDE_U32) X(HD_WIDE_I32) X(HD_WIDE_F32) X(HD_WIDE_I64) X(HD_WIDE_F64)
/* clang-format on */

#define HD_PATH_INLINE static inline __attribute__((always_inline))

HD_PATH_INLINE bool hd_path_is_32(const hd_path path) {
    return path == HD_SUM_U32 || path == HD_SUM_F32 || path == HD_WIDE_F32;
}

/* Bytes of a weight. */
HD_PATH_INLINE uint64_t hd_path_weight_size(const hd_path path) {
    return path == HD_SUM_I64 || path == HD_SUM_D64 || path == HD_WIDE_I64 || path == HD_WIDE_F64 ? 8 : 4;
}

/* The label of vertices that no path reaches; for sums in floating point it is infinity. */
HD_PATH_INLINE uint64_t hd_path_unreached(const hd_path path) {
    if (path == HD_SUM_F32)
        return hd_bits_of((float)__builtin_inf());
    if (path == HD_SUM_F64 || path == HD_SUM_D64)
        return hd_bits_of_double(__builtin_inf());
    return hd_path_is_32(path) ? UINT32_MAX : UINT64_MAX;
}

HD_PATH_INLINE uint64_t hd_path_label(const hd_path path, const void *labels, uint64_t v) {
    return hd_path_is_32(path) ? hd_load(&((const uint32_t *)labels)[v]) : hd_load(&((const uint64_t *)labels)[v]);
}

/* The label of a path that is one edge of this weight. -0 counts as 0. */
HD_PATH_INLINE uint64_t hd_wide_label(const hd_path path, const void *weights, uint64_t k) {
    if (path == HD_WIDE_U32)
        return (UINT64_C(1) << 32) - ((const uint32_t *)weights)[k];
    if (path == HD_WIDE_I32)
        return (uint64_t)((INT64_C(1) << 31) - ((const int32_t *)weights)[k]);
    if (path == HD_WIDE_I64)
        return (uint64_t)INT64_MAX - (uint64_t)((const int64_t *)weights)[k];
    if (path == HD_WIDE_F64) {
        uint64_t bits = hd_bits_of_double(((const double *)weights)[k] + 0.0);
        return bits >> 63 ? bits : ~(bits | UINT64_C(1) << 63);
    }
    uint32_t bits = hd_bits_of(((const float *)weights)[k] + 0.0f);
    return bits >> 31 ? bits : ~(bits | UINT32_C(1) << 31);
}

/* The label after edge k. For HD_SUM_U32 it may need more than 32 bits: then it is not a label. */
HD_PATH_INLINE uint64_t hd_path_along(const hd_path path, uint64_t label, const void *weights, uint64_t k) {
    switch (path) {
    case HD_SUM_U32:
    case HD_SUM_U64: return label + ((const uint32_t *)weights)[k];
    case HD_SUM_F32: return hd_bits_of(hd_float_of((uint32_t)label) + ((const float *)weights)[k]);
    case HD_SUM_F64: return hd_bits_of_double(hd_double_of(label) + (double)((const float *)weights)[k]);
    case HD_SUM_I64: {
        uint64_t sum = label + (uint64_t)((const int64_t *)weights)[k];
        return sum < label ? UINT64_MAX : sum;
    }
    case HD_SUM_D64: return hd_bits_of_double(hd_double_of(label) + ((const double *)weights)[k]);
    default: {
        uint64_t edge = hd_wide_label(path, weights, k);
        return label > edge ? label : edge;
    }
    }
}

/* Atomic minimum of v's label; true if this call lowered it. */
HD_PATH_INLINE bool hd_path_lower(const hd_path path, void *labels, uint64_t v, uint64_t label, const bool shared) {
    uint64_t old = hd_path_label(path, labels, v);
    if (label >= old)
        return false;
    if (hd_path_is_32(path)) {
        uint32_t *place = (uint32_t *)labels + v, seen = (uint32_t)old;
        if (!shared)
            *place = (uint32_t)label;
        else
            while (!hd_compare_swap(place, &seen, (uint32_t)label))
                if (label >= seen)
                    return false;
    } else {
        uint64_t *place = (uint64_t *)labels + v;
        if (!shared)
            *place = label;
        else
            while (!hd_compare_swap(place, &old, label))
                if (label >= old)
                    return false;
    }
    return true;
}

#endif
