/* bucket.c - sorts a bucket of arcs into rows.
 *
 * An LSD radix sort: target digits, then the row. It is stable, linear for any degree distribution, and stays in the
 * cache because a bucket does. Input that is already sorted, as most files are, is detected in the pass that counts the
 * rows, and not moved.
 */
#include "graph/bucket.h"

#include "base/float_bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/graph.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, ROW_MASK = HD_BUCKET_VERTICES - 1 };

static void free_arcs(const heddle_allocator *allocator, hd_bucket_scratch *scratch) {
    HD_DELETE(allocator, scratch->arcs.local, scratch->capacity);
    HD_DELETE(allocator, scratch->arcs.target, scratch->capacity);
    if (scratch->arcs.weight)
        hd_free(allocator, scratch->arcs.weight, scratch->capacity * scratch->weight_size);
    scratch->arcs.weight = NULL;
}

static bool scratch_reserve(const heddle_allocator *allocator, hd_bucket_scratch *scratch, uint64_t count,
                            size_t weight_size) {
    if (!scratch->starts && !(scratch->starts = hd_alloc(allocator, HD_BUCKET_VERTICES * sizeof *scratch->starts)))
        return false;
    if (count <= scratch->capacity)
        return true;
    free_arcs(allocator, scratch);
    scratch->capacity = count + count / 4;
    scratch->weight_size = weight_size;
    scratch->arcs.local = hd_alloc(allocator, scratch->capacity * sizeof(uint16_t));
    scratch->arcs.target = hd_alloc(allocator, scratch->capacity * sizeof(uint32_t));
    scratch->arcs.weight = weight_size ? hd_alloc(allocator, scratch->capacity * weight_size) : NULL;
    return scratch->arcs.local && scratch->arcs.target && (!weight_size || scratch->arcs.weight);
}

void hd_bucket_scratch_free(const heddle_allocator *allocator, hd_bucket_scratch *scratch) {
    free_arcs(allocator, scratch);
    HD_DELETE(allocator, scratch->starts, HD_BUCKET_VERTICES);
    scratch->capacity = 0;
}

typedef struct arc_order {
    bool rows_done;    /* ascending by row, then target */
    bool targets_done; /* ascending by target in input order: only the row pass is needed */
} arc_order;

/* Counts the arcs of each row, and checks whether they are already sorted. */
static arc_order count_rows(const hd_arcs *arcs, uint64_t count, uint64_t *counts, uint32_t vertices) {
    arc_order order = {true, true};
    uint32_t row_before = 0, target_before = 0;
    memset(counts, 0, (size_t)vertices * sizeof *counts);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t row = arcs->local[i] & ROW_MASK, target = arcs->target[i];
        counts[row]++;
        bool falls = target < target_before;
        order.targets_done &= !falls;
        order.rows_done &= row > row_before || (row == row_before && !falls);
        row_before = row;
        target_before = target;
    }
    return order;
}

/* ---- Weights as bits, `size` being that of their type, a constant ----------------------------------------------- */

static HD_ALWAYS_INLINE uint64_t weight_get(const void *weights, uint64_t i, const size_t size) {
    return size == 4 ? ((const uint32_t *)weights)[i] : ((const uint64_t *)weights)[i];
}

static HD_ALWAYS_INLINE void weight_put(void *weights, uint64_t i, uint64_t bits, const size_t size) {
    if (size == 4)
        ((uint32_t *)weights)[i] = (uint32_t)bits;
    else
        ((uint64_t *)weights)[i] = bits;
}

static inline bool weight_less(heddle_weight_type type, uint64_t a, uint64_t b) {
    switch (type) {
    case HEDDLE_WEIGHT_F32: return hd_float_of((uint32_t)a) < hd_float_of((uint32_t)b);
    case HEDDLE_WEIGHT_F64: return hd_double_of(a) < hd_double_of(b);
    case HEDDLE_WEIGHT_I32: return (int32_t)a < (int32_t)b;
    case HEDDLE_WEIGHT_I64: return (int64_t)a < (int64_t)b;
    default: return a < b;
    }
}

static bool add_reals(heddle_weight_type type, uint64_t *sum, uint64_t b) {
    if (type == HEDDLE_WEIGHT_F64) {
        double value = hd_double_of(*sum) + hd_double_of(b);
        memcpy(sum, &value, sizeof value);
        return isfinite(value);
    }
    float value = hd_float_of((uint32_t)*sum) + hd_float_of((uint32_t)b);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *sum = bits;
    return isfinite(value);
}

/* False when the sum leaves the type. */
static bool weight_add(heddle_weight_type type, uint64_t *sum, uint64_t b) {
    if (type == HEDDLE_WEIGHT_F32 || type == HEDDLE_WEIGHT_F64)
        return add_reals(type, sum, b);
    int64_t low = 0, high = UINT32_MAX, value;
    if (type == HEDDLE_WEIGHT_I32) {
        low = INT32_MIN, high = INT32_MAX;
        value = (int64_t)(int32_t)*sum + (int32_t)b;
    } else if (type == HEDDLE_WEIGHT_U32) {
        value = (int64_t)(*sum + b);
    } else {
        low = INT64_MIN, high = INT64_MAX;
        if (__builtin_add_overflow((int64_t)*sum, (int64_t)b, &value))
            return false;
    }
    *sum = (uint64_t)value;
    return value >= low && value <= high;
}

/* ---- Sorting ---------------------------------------------------------------------------------------------------- */

static HD_ALWAYS_INLINE void move_arc(const hd_arcs *from, uint64_t i, hd_arcs *to, uint64_t j, const size_t size) {
    to->local[j] = from->local[i];
    to->target[j] = from->target[i];
    if (size)
        weight_put(to->weight, j, weight_get(from->weight, i, size), size);
}

static HD_ALWAYS_INLINE void pass_by_target(const hd_arcs *from, hd_arcs *to, uint64_t count, int shift, int bits,
                                            const size_t size) {
    uint64_t starts[DIGITS + 1];
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    memset(starts, 0, sizeof(uint64_t) * ((size_t)mask + 2));
    for (uint64_t i = 0; i < count; i++)
        starts[((from->target[i] >> shift) & mask) + 1]++;
    for (uint32_t d = 0; d < mask; d++)
        starts[d + 1] += starts[d];
    for (uint64_t i = 0; i < count; i++)
        move_arc(from, i, to, starts[(from->target[i] >> shift) & mask]++, size);
}

static HD_ALWAYS_INLINE void pass_by_row(const hd_arcs *from, hd_arcs *to, uint64_t count, const uint64_t *counts,
                                         uint32_t vertices, uint64_t *starts, const size_t size) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < vertices; row++) {
        starts[row] = sum;
        sum += counts[row];
    }
    for (uint64_t i = 0; i < count; i++)
        move_arc(from, i, to, starts[from->local[i] & ROW_MASK]++, size);
}

static HD_ALWAYS_INLINE void sort_arcs(hd_arcs *arcs, hd_bucket_scratch *scratch, uint64_t count,
                                       const uint64_t *counts, uint32_t vertices, int target_bits, bool targets_done,
                                       const size_t size) {
    hd_arcs from = *arcs, to = scratch->arcs, swap;
    int passes = targets_done ? 0 : (target_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    int bits = passes ? (target_bits + passes - 1) / passes : 0;
    for (int p = 0; p < passes; p++) {
        pass_by_target(&from, &to, count, p * bits, bits, size);
        swap = from, from = to, to = swap;
    }
    pass_by_row(&from, &to, count, counts, vertices, scratch->starts, size);
    if (to.target == arcs->target)
        return;
    memcpy(arcs->local, to.local, count * sizeof *to.local);
    memcpy(arcs->target, to.target, count * sizeof *to.target);
    if (size)
        memcpy(arcs->weight, to.weight, count * size);
}

/* ---- Runs of parallel arcs ------------------------------------------------------------------------------------- */

static HD_ALWAYS_INLINE void sort_weights(heddle_weight_type type, void *weights, uint64_t first, uint64_t count,
                                          const size_t size) {
    for (uint64_t gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint64_t i = gap; i < count; i++) {
            uint64_t weight = weight_get(weights, first + i, size), j = i;
            for (; j >= gap && weight_less(type, weight, weight_get(weights, first + j - gap, size)); j -= gap)
                weight_put(weights, first + j, weight_get(weights, first + j - gap, size), size);
            weight_put(weights, first + j, weight, size);
        }
}

/* sum / count, in the type of the weights; whole ones are rounded to the nearest, halves away from 0. */
static uint64_t weight_share(heddle_weight_type type, uint64_t sum, uint64_t count) {
    if (type == HEDDLE_WEIGHT_F32)
        return hd_bits_of(hd_float_of((uint32_t)sum) / (float)count);
    if (type == HEDDLE_WEIGHT_F64)
        return hd_bits_of_double(hd_double_of(sum) / (double)count);
    int64_t whole = type == HEDDLE_WEIGHT_I32 ? (int32_t)sum : (int64_t)sum, parts = (int64_t)count;
    int64_t quotient = whole / parts, rest = whole % parts;
    if (rest >= parts - rest)
        quotient++;
    else if (-rest >= parts + rest)
        quotient--;
    return (uint64_t)quotient;
}

/* Merges `count` arcs into one, whose weight becomes the first; false if a sum overflows. */
static HD_ALWAYS_INLINE bool combine(const hd_bucket_rules *rules, void *weights, uint64_t count, const size_t size) {
    bool mean = rules->duplicates == HEDDLE_DUPLICATES_MEAN, sum = rules->duplicates == HEDDLE_DUPLICATES_SUM || mean;
    if (sum && hd_weight_real(rules->weight_type))
        sort_weights(rules->weight_type, weights, 0, count, size); /* fixed order: both directions get equal sums */
    uint64_t one = weight_get(weights, 0, size);
    for (uint64_t i = 1; i < count; i++) {
        uint64_t other = weight_get(weights, i, size);
        bool less = weight_less(rules->weight_type, other, one);
        if (sum) {
            if (!weight_add(rules->weight_type, &one, other))
                return false;
        } else if ((rules->duplicates == HEDDLE_DUPLICATES_MIN && less) ||
                   (rules->duplicates == HEDDLE_DUPLICATES_MAX && !less)) {
            one = other;
        }
    }
    weight_put(weights, 0, mean ? weight_share(rules->weight_type, one, count) : one, size);
    return true;
}

/* Pairs of opposite arcs, both kinds kept: the lightest forward arc with the lightest reverse one, and so on. Each pair
 * gets the smaller weight, and arcs without a partner stay: row and column then agree. Writes the weights to `weights`
 * and returns their number; *unequal counts pairs whose weights differ. */
static HD_ALWAYS_INLINE uint64_t pair_arcs(heddle_weight_type type, const hd_arcs *arcs, uint64_t from, uint64_t to,
                                           void *weights, uint64_t *unequal, const size_t size) {
    uint64_t forward = 0, length = to - from, f = 0;
    for (uint64_t i = from; i < to; i++)
        forward += !(arcs->local[i] & HD_BUCKET_REVERSE);
    uint64_t reverse = length - forward, r = forward, most = forward > reverse ? forward : reverse;
    if (!size)
        return most;
    for (uint64_t i = from; i < to; i++)
        weight_put(weights, arcs->local[i] & HD_BUCKET_REVERSE ? r++ : f++, weight_get(arcs->weight, i, size), size);
    if (!forward || !reverse)
        return most;
    sort_weights(type, weights, 0, forward, size);
    sort_weights(type, weights, forward, reverse, size);
    for (uint64_t i = 0; i < reverse; i++) {
        uint64_t other = weight_get(weights, forward + i, size),
                 one = i < forward ? weight_get(weights, i, size) : other;
        *unequal += weight_less(type, other, one) || weight_less(type, one, other);
        if (i >= forward || weight_less(type, other, one))
            weight_put(weights, i, other, size);
    }
    return most;
}

/* One run of arcs with the same row and target, arcs[from .. to); writes the kept ones at `out` (<= from) and returns
 * their number, or UINT64_MAX on overflow. */
static HD_ALWAYS_INLINE uint64_t finish_run(const hd_bucket_rules *rules, hd_arcs *arcs, uint64_t from, uint64_t to,
                                            uint64_t out, hd_arcs *spare, uint64_t *unequal, const size_t size) {
    uint32_t target = arcs->target[from];
    uint64_t kept = to - from;
    char *weights = size ? (char *)arcs->weight + from * size : NULL;
    if (rules->duplicates != HEDDLE_DUPLICATES_KEEP && kept > 1) {
        if (size && !combine(rules, weights, kept, size))
            return UINT64_MAX;
        kept = 1;
    } else if (rules->symmetrize && kept > 1) {
        kept = pair_arcs(rules->weight_type, arcs, from, to, spare->weight, unequal, size);
        weights = spare->weight;
    }
    for (uint64_t i = 0; i < kept; i++) {
        arcs->target[out + i] = target;
        if (size)
            weight_put(arcs->weight, out + i, weight_get(weights, i, size), size);
    }
    return kept;
}

/* Applies the rules row by row; `lengths` holds the rows' lengths before, and after. False when a weight sum
 * overflows. */
static HD_ALWAYS_INLINE bool filter_rows(const hd_bucket_rules *rules, hd_arcs *arcs, uint32_t first, uint32_t vertices,
                                         hd_arcs *spare, uint64_t *lengths, uint64_t *kept, const size_t size) {
    uint64_t at = 0, out = 0, unequal = 0, unused;
    for (uint32_t row = 0; row < vertices; row++) {
        uint64_t end = at + lengths[row], row_start = out;
        while (at < end) {
            uint64_t run = at + 1;
            while (run < end && arcs->target[run] == arcs->target[at])
                run++;
            if (!rules->drop_loops || arcs->target[at] != first + row) {
                uint64_t *counter = arcs->target[at] > first + row ? &unequal : &unused; /* each pair once */
                uint64_t written = finish_run(rules, arcs, at, run, out, spare, counter, size);
                if (written == UINT64_MAX)
                    return false;
                out += written;
            }
            at = run;
        }
        lengths[row] = out - row_start;
    }
    if (unequal)
        hd_fetch_add(rules->unequal, unequal);
    *kept = out;
    return true;
}

static HD_ALWAYS_INLINE heddle_status finish(const hd_bucket_rules *rules, hd_arcs *arcs, uint64_t count,
                                             uint32_t first, uint32_t vertices, hd_bucket_scratch *scratch,
                                             uint64_t *lengths, uint64_t *kept, const size_t size) {
    arc_order order = count_rows(arcs, count, lengths, vertices);
    if (!order.rows_done)
        sort_arcs(arcs, scratch, count, lengths, vertices, rules->target_bits, order.targets_done, size);
    *kept = count;
    if (!rules->drop_loops && !rules->symmetrize && rules->duplicates == HEDDLE_DUPLICATES_KEEP)
        return HEDDLE_OK;
    return filter_rows(rules, arcs, first, vertices, &scratch->arcs, lengths, kept, size) ? HEDDLE_OK : HEDDLE_E_LIMIT;
}

heddle_status hd_bucket_finish(const heddle_allocator *allocator, const hd_bucket_rules *rules, hd_arcs arcs,
                               uint64_t count, uint32_t first, uint32_t vertices, hd_bucket_scratch *scratch,
                               uint64_t *lengths, uint64_t *kept) {
    if (!scratch_reserve(allocator, scratch, count, rules->weight_size))
        return HEDDLE_E_MEMORY;
    switch (rules->weight_size) { /* one specialised copy of the code for each size */
    case 0: return finish(rules, &arcs, count, first, vertices, scratch, lengths, kept, 0);
    case 4: return finish(rules, &arcs, count, first, vertices, scratch, lengths, kept, 4);
    default: return finish(rules, &arcs, count, first, vertices, scratch, lengths, kept, 8);
    }
}
