/* similar.cl - similar neighbours on a device. Given pairs: a warp per pair looks up the entries of the shorter row in
 * the longer one. The most similar vertices: a group takes a source, adds up in its own array, of a word per vertex,
 * how many walks of two edges lead to each, and lists the pairs that may be among the best. The host computes scores.
 * SIMILAR_MEASURE is a heddle_similarity; SIMILAR_WEIGHED: common neighbours count by their weights. */
#include "algorithm/similar/similar_state.h"

KERNEL similar_pairs(u64 count, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u64 *weights,
                     GLOBAL const u32 *pairs, GLOBAL u32 *sums) {
    for (u64 i = HD_WARP_INDEX; i < count; i += HD_WARP_TOTAL) {
        u32 a = pairs[2 * i], b = pairs[2 * i + 1];
        u32 a_count = (u32)(offsets[a + 1] - offsets[a]), b_count = (u32)(offsets[b + 1] - offsets[b]);
        GLOBAL const u32 *needles = targets + offsets[a_count < b_count ? a : b];
        GLOBAL const u32 *hay = targets + offsets[a_count < b_count ? b : a];
        u32 few = a_count < b_count ? a_count : b_count, many = a_count < b_count ? b_count : a_count;
        u64 sum = 0;
        for (u32 k = HD_LANE; k < few; k += HD_WARP)
            if (hd_row_find(hay, many, needles[k]) < many) {
#if SIMILAR_WEIGHED
                sum += weights[needles[k]];
#else
                sum++;
#endif
            }
        if (sum)
            hd_add_wide(sums, i, sum);
    }
}

/* Whether the pair may be better than the last one of a list that is full, whose score is number / divisor (cosine:
 * `square` is its square, rounded down). An empty list has a number of 0. */
INLINE int similar_passes(u64 sum, u64 a, u64 b, u64 number, u64 divisor, f32 square) {
    (void)a, (void)b, (void)divisor, (void)square;
#if SIMILAR_MEASURE == 1
    return sum * divisor > number * (a < b ? a : b);
#elif SIMILAR_MEASURE == 2
    return (f32)sum * (f32)sum >= square * ((f32)a * (f32)b);
#elif SIMILAR_MEASURE == 5
    return a * b > number;
#elif SIMILAR_WEIGHED
    return sum > number;
#else
    return sum * divisor > number * (a + b - sum);
#endif
}

#define SIMILAR_SOURCE(i) (all ? (u32)(i) : sources[i])

/* `all`: every vertex is a source, and pairs are listed at the smaller one. Counts are 0 before and after. */
KERNEL similar_near(u32 n, u32 first, u32 last, u32 all, GLOBAL const u32 *sources, GLOBAL const hd_offset *offsets,
                    GLOBAL const u32 *targets, GLOBAL const u64 *weights, GLOBAL u32 *counts, GLOBAL u32 *sums,
                    u64 number, u64 divisor, f32 square, u32 room, GLOBAL u32 *found, GLOBAL u32 *state) {
    GLOBAL u32 *own = counts + HD_GROUP_INDEX * n;
#if SIMILAR_WEIGHED
    GLOBAL u32 *own_sums = sums + HD_GROUP_INDEX * n * 2;
#endif
    for (u64 i = first + HD_GROUP_INDEX; i < last; i += HD_GROUP_TOTAL) {
        u32 s = SIMILAR_SOURCE(i);
        for (u64 e = offsets[s] + HD_WARP_HERE; e < offsets[s + 1]; e += HD_WARPS) {
            u32 u = targets[e];
            for (u64 k = offsets[u] + HD_LANE; k < offsets[u + 1]; k += HD_WARP) {
                u32 t = targets[k];
                if (all ? t > s : t != s) {
                    hd_add32(&own[t], 1);
#if SIMILAR_WEIGHED
                    hd_add_wide(own_sums, t, weights[u]);
#endif
                }
            }
        }
        hd_group_barrier();
        for (u64 e = offsets[s] + HD_WARP_HERE; e < offsets[s + 1]; e += HD_WARPS) {
            u32 u = targets[e];
            for (u64 k = offsets[u] + HD_LANE; k < offsets[u + 1]; k += HD_WARP) {
                u32 t = targets[k], count = 0;
                u64 sum;
                if (all ? t > s : t != s)
                    count = hd_and32(&own[t], 0); /* the first who comes takes it */
                if (!count)
                    continue;
                sum = count;
#if SIMILAR_WEIGHED
                sum = (u64)hd_and32(&own_sums[2 * (u64)t + 1], 0) << 32;
                sum |= hd_and32(&own_sums[2 * (u64)t], 0);
#endif
                if (similar_passes(sum, offsets[s + 1] - offsets[s], offsets[t + 1] - offsets[t], number, divisor,
                                   square) &&
                    hd_load32(&state[SIMILAR_FOUND]) <= room) {
                    u32 place = hd_add32(&state[SIMILAR_FOUND], 1);
                    if (place < room) {
                        found[SIMILAR_RECORD * (u64)place] = (u32)i;
                        found[SIMILAR_RECORD * (u64)place + 1] = t;
                        found[SIMILAR_RECORD * (u64)place + 2] = (u32)sum;
                        found[SIMILAR_RECORD * (u64)place + 3] = (u32)(sum >> 32);
                    }
                }
            }
        }
        hd_group_barrier();
    }
}
