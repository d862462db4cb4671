/* bucket.c - rows out of a bucket of arcs.
 *
 * Sorting is by radix, least significant digit first: target digits, then the row. It is stable, linear for any degree
 * distribution, and stays in the cache because a bucket does. Input that is already in order, as most files are, is
 * seen to be so in the pass that counts the rows, and not moved at all.
 */
#include "graph/bucket.h"

#include "base/memory.h"
#include "graph/graph.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, ROW_MASK = HD_BUCKET_VERTICES - 1 };

static bool scratch_reserve(const heddle_allocator *allocator, hd_bucket_scratch *scratch, uint64_t count,
                            bool weighted) {
    if (!scratch->starts && !(scratch->starts = hd_alloc(allocator, HD_BUCKET_VERTICES * sizeof *scratch->starts)))
        return false;
    if (count <= scratch->capacity)
        return true;
    HD_DELETE(allocator, scratch->arcs.local, scratch->capacity);
    HD_DELETE(allocator, scratch->arcs.target, scratch->capacity);
    HD_DELETE(allocator, scratch->arcs.weight, scratch->capacity);
    scratch->capacity = count + count / 4;
    scratch->arcs.local = hd_alloc(allocator, scratch->capacity * sizeof(uint16_t));
    scratch->arcs.target = hd_alloc(allocator, scratch->capacity * sizeof(uint32_t));
    scratch->arcs.weight = weighted ? hd_alloc(allocator, scratch->capacity * sizeof(uint32_t)) : NULL;
    return scratch->arcs.local && scratch->arcs.target && (!weighted || scratch->arcs.weight);
}

void hd_bucket_scratch_free(const heddle_allocator *allocator, hd_bucket_scratch *scratch) {
    HD_DELETE(allocator, scratch->arcs.local, scratch->capacity);
    HD_DELETE(allocator, scratch->arcs.target, scratch->capacity);
    HD_DELETE(allocator, scratch->arcs.weight, scratch->capacity);
    HD_DELETE(allocator, scratch->starts, HD_BUCKET_VERTICES);
    scratch->capacity = 0;
}

typedef struct arc_order {
    bool rows_done;    /* ascending by row, then target */
    bool targets_done; /* ascending by target in input order: only the row pass is needed */
} arc_order;

/* Counts the arcs of each row, and looks whether they are in order already. */
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

static inline void move_arc(const hd_arcs *from, uint64_t i, hd_arcs *to, uint64_t j) {
    to->local[j] = from->local[i];
    to->target[j] = from->target[i];
    if (from->weight)
        to->weight[j] = from->weight[i];
}

static void pass_by_target(const hd_arcs *from, hd_arcs *to, uint64_t count, int shift, int bits) {
    uint64_t starts[DIGITS + 1];
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    memset(starts, 0, sizeof(uint64_t) * ((size_t)mask + 2));
    for (uint64_t i = 0; i < count; i++)
        starts[((from->target[i] >> shift) & mask) + 1]++;
    for (uint32_t d = 0; d < mask; d++)
        starts[d + 1] += starts[d];
    for (uint64_t i = 0; i < count; i++)
        move_arc(from, i, to, starts[(from->target[i] >> shift) & mask]++);
}

static void pass_by_row(const hd_arcs *from, hd_arcs *to, uint64_t count, const uint64_t *counts, uint32_t vertices,
                        uint64_t *starts) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < vertices; row++) {
        starts[row] = sum;
        sum += counts[row];
    }
    for (uint64_t i = 0; i < count; i++)
        move_arc(from, i, to, starts[from->local[i] & ROW_MASK]++);
}

static void sort_arcs(hd_arcs *arcs, hd_bucket_scratch *scratch, uint64_t count, const uint64_t *counts,
                      uint32_t vertices, int target_bits, bool targets_done) {
    hd_arcs from = *arcs, to = scratch->arcs, swap;
    if (!arcs->weight)
        to.weight = NULL;
    int passes = targets_done ? 0 : (target_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    int bits = passes ? (target_bits + passes - 1) / passes : 0;
    for (int p = 0; p < passes; p++) {
        pass_by_target(&from, &to, count, p * bits, bits);
        swap = from, from = to, to = swap;
    }
    pass_by_row(&from, &to, count, counts, vertices, scratch->starts);
    if (to.target == arcs->target)
        return;
    memcpy(arcs->local, to.local, count * sizeof *to.local);
    memcpy(arcs->target, to.target, count * sizeof *to.target);
    if (to.weight)
        memcpy(arcs->weight, to.weight, count * sizeof *to.weight);
}

/* ---- Weights as bits ------------------------------------------------------------------------------------------- */

static float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool weight_less(heddle_weight_type type, uint32_t a, uint32_t b) {
    if (type == HEDDLE_WEIGHT_F32)
        return as_float(a) < as_float(b);
    return type == HEDDLE_WEIGHT_I32 ? (int32_t)a < (int32_t)b : a < b;
}

/* False when the sum leaves the type. */
static bool weight_add(heddle_weight_type type, uint32_t *sum, uint32_t b) {
    if (type == HEDDLE_WEIGHT_F32) {
        float value = as_float(*sum) + as_float(b);
        memcpy(sum, &value, sizeof value);
        return isfinite(value);
    }
    if (type == HEDDLE_WEIGHT_U32)
        return !__builtin_add_overflow(*sum, b, sum);
    int32_t value;
    bool fits = !__builtin_add_overflow((int32_t)*sum, (int32_t)b, &value);
    *sum = (uint32_t)value;
    return fits;
}

/* ---- Runs of parallel arcs ------------------------------------------------------------------------------------- */

static void sort_weights(heddle_weight_type type, uint32_t *weights, uint64_t count) {
    for (uint64_t gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (uint64_t i = gap; i < count; i++) {
            uint32_t weight = weights[i];
            uint64_t j = i;
            for (; j >= gap && weight_less(type, weight, weights[j - gap]); j -= gap)
                weights[j] = weights[j - gap];
            weights[j] = weight;
        }
}

/* Makes one arc of the `count` parallel arcs whose weights are given; false when a sum overflows. */
static bool combine(const hd_bucket_rules *rules, uint32_t *weights, uint64_t count) {
    if (rules->duplicates == HEDDLE_DUPLICATES_SUM && hd_weight_real(rules->weight_type))
        sort_weights(rules->weight_type, weights, count); /* an edge and its reverse must come to the same sum */
    for (uint64_t i = 1; i < count; i++) {
        bool less = weight_less(rules->weight_type, weights[i], weights[0]);
        if (rules->duplicates == HEDDLE_DUPLICATES_SUM) {
            if (!weight_add(rules->weight_type, &weights[0], weights[i]))
                return false;
        } else if ((rules->duplicates == HEDDLE_DUPLICATES_MIN && less) ||
                   (rules->duplicates == HEDDLE_DUPLICATES_MAX && !less)) {
            weights[0] = weights[i];
        }
    }
    return true;
}

/* One run of arcs with the same row and target, arcs[from .. to); writes the kept ones at `out` (<= from) and returns
 * their number, or UINT64_MAX on overflow. Symmetrising pairs the lightest forward arc with the lightest reverse one,
 * and so on; each pair gets the smaller weight, and what has no partner stays as it is: row and column then agree. */
static uint64_t finish_run(const hd_bucket_rules *rules, hd_arcs *arcs, uint64_t from, uint64_t to, uint64_t out,
                           hd_arcs *spare) {
    uint64_t forward = 0, reverse = 0, length = to - from;
    if (length == 1) {
        arcs->target[out] = arcs->target[from];
        if (arcs->weight)
            arcs->weight[out] = arcs->weight[from];
        return 1;
    }
    bool keep = rules->duplicates == HEDDLE_DUPLICATES_KEEP;
    uint32_t *weights = spare->weight, target = arcs->target[from];
    if (rules->symmetrize) { /* forward arcs to the front, order kept */
        for (uint64_t i = from; i < to; i++)
            forward += !(arcs->local[i] & HD_BUCKET_REVERSE);
        reverse = length - forward;
    } else {
        forward = length;
    }
    if (weights) {
        uint64_t f = 0, r = forward;
        for (uint64_t i = from; i < to; i++)
            weights[rules->symmetrize && (arcs->local[i] & HD_BUCKET_REVERSE) ? r++ : f++] = arcs->weight[i];
        if (!keep && (!combine(rules, weights, forward) || !combine(rules, weights + forward, reverse)))
            return UINT64_MAX;
    }
    uint64_t many = keep ? forward : forward > 0, back = keep ? reverse : reverse > 0;
    if (weights && many && back) {
        uint32_t *other = weights + forward;
        sort_weights(rules->weight_type, weights, many);
        sort_weights(rules->weight_type, other, back);
        for (uint64_t i = 0; i < many && i < back; i++)
            if (weight_less(rules->weight_type, other[i], weights[i]))
                weights[i] = other[i];
        for (uint64_t i = many; i < back; i++)
            weights[i] = other[i];
    } else if (weights && back) {
        memmove(weights, weights + forward, back * sizeof *weights);
    }
    uint64_t kept = many > back ? many : back;
    for (uint64_t i = 0; i < kept; i++) {
        arcs->target[out + i] = target;
        if (weights)
            arcs->weight[out + i] = weights[i];
    }
    return kept;
}

/* Applies the rules row by row; `lengths` come in as the rows' arcs, go out as what is kept of them. False when a
 * weight sum overflows. */
static bool filter_rows(const hd_bucket_rules *rules, hd_arcs *arcs, uint32_t first, uint32_t vertices, hd_arcs *spare,
                        uint64_t *lengths, uint64_t *kept) {
    uint64_t at = 0, out = 0;
    for (uint32_t row = 0; row < vertices; row++) {
        uint64_t end = at + lengths[row], row_start = out;
        while (at < end) {
            uint64_t run = at + 1;
            while (run < end && arcs->target[run] == arcs->target[at])
                run++;
            if (!rules->drop_loops || arcs->target[at] != first + row) {
                uint64_t written = finish_run(rules, arcs, at, run, out, spare);
                if (written == UINT64_MAX)
                    return false;
                out += written;
            }
            at = run;
        }
        lengths[row] = out - row_start;
    }
    *kept = out;
    return true;
}

heddle_status hd_bucket_finish(const heddle_allocator *allocator, const hd_bucket_rules *rules, hd_arcs arcs,
                               uint64_t count, uint32_t first, uint32_t vertices, hd_bucket_scratch *scratch,
                               uint64_t *lengths, uint64_t *kept) {
    if (!scratch_reserve(allocator, scratch, count, arcs.weight != NULL))
        return HEDDLE_E_MEMORY;
    arc_order order = count_rows(&arcs, count, lengths, vertices);
    if (!order.rows_done)
        sort_arcs(&arcs, scratch, count, lengths, vertices, rules->target_bits, order.targets_done);
    *kept = count;
    if (!rules->drop_loops && !rules->symmetrize && rules->duplicates == HEDDLE_DUPLICATES_KEEP)
        return HEDDLE_OK;
    return filter_rows(rules, &arcs, first, vertices, &scratch->arcs, lengths, kept) ? HEDDLE_OK : HEDDLE_E_LIMIT;
}
