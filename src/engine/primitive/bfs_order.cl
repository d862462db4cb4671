/* bfs_order.cl - the order of a breadth-first search (graph/order.c) on the device, the same as the host's bit by bit.
 * Idea: a vertex belongs to the first one of the level before that leads to it, and children of one vertex follow its
 * row; claims by atomic minimum make that independent of timing. Beats the host (bench/notes, Renaming); deep
 * and thin graphs are given back to it.
 *
 * Levels of many vertices, or with long rows, take a kernel for each step: rows claim their targets, count those that
 * are theirs, and, after a prefix sum of the counts, write them down. Small levels are done by one group, many in a
 * row. `claims` are places in the sequence plus 1; UINT32_MAX: not visited. */
#include "engine/primitive/bfs_order_state.h"

/* Claims a target, unless an earlier vertex of the sequence has claimed it. `mine`: a place plus 1. */
INLINE void hd_claim(GLOBAL u32 *claims, u32 target, u32 mine) {
    if (hd_load32(&claims[target]) > mine)
        hd_min32(&claims[target], mine);
}

/* Whether the row owns the target of arc e. Parallel arcs are adjacent, and only the first counts. */
INLINE u32 hd_owns(GLOBAL const u32 *targets, GLOBAL const u32 *claims, u64 first, u64 e, u32 mine) {
    return hd_load32(&claims[targets[e]]) == mine && (e == first || targets[e - 1] != targets[e]);
}

KERNEL_OF(HD_WARP *HD_WARPS) hd_search_isolated(u32 n, GLOBAL const u32 *degrees, GLOBAL u32 *words) {
    u32 isolated = 0;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        isolated += degrees[v] == 0;
    if (isolated)
        hd_add32(&words[SEARCH_ISOLATED], isolated);
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_begin(GLOBAL const u32 *roots, GLOBAL u32 *sequence, GLOBAL u32 *claims, GLOBAL u32 *words) {
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        sequence[0] = roots[0];
        claims[roots[0]] = 0;
        words[SEARCH_TO] = 1;
    }
}

/* ---- One kernel per step ---------------------------------------------------------------------------------------- */

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_claim(u32 row_most, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *sequence,
                GLOBAL u32 *claims, GLOBAL u32 *longs, GLOBAL u32 *words) {
    u32 from = words[SEARCH_FROM], to = words[SEARCH_TO];
    for (u64 i = from + HD_WARP_INDEX; i < to; i += HD_WARP_TOTAL) {
        u64 e = offsets[sequence[i]], end = offsets[sequence[i] + 1];
        if (end - e > row_most) {
            if (HD_LANE == 0)
                longs[hd_add32(&words[SEARCH_LONGS], 1)] = (u32)i;
            end = e;
        }
        for (e += HD_LANE; e < end; e += HD_WARP)
            hd_claim(claims, targets[e], (u32)i + 1);
    }
}

/* Long rows: one group per row. */
KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_claim_long(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *sequence,
                     GLOBAL u32 *claims, GLOBAL const u32 *longs, GLOBAL const u32 *words) {
    for (u64 k = HD_GROUP_INDEX; k < words[SEARCH_LONGS]; k += HD_GROUP_TOTAL) {
        u32 i = longs[k];
        for (u64 e = offsets[sequence[i]] + HD_GROUP_LANE; e < offsets[sequence[i] + 1]; e += HD_GROUP_SIZE)
            hd_claim(claims, targets[e], i + 1);
    }
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_count(u32 row_most, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *sequence,
                GLOBAL const u32 *claims, GLOBAL const u32 *words, GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS * HD_SCRATCH];
    u32 from = words[SEARCH_FROM], to = words[SEARCH_TO];
    for (u64 i = from + HD_WARP_INDEX; i < to; i += HD_WARP_TOTAL) {
        u64 first = offsets[sequence[i]], end = offsets[sequence[i] + 1], is_long = end - first > row_most;
        u32 mine = 0, total;
        for (u64 e = first + HD_LANE; e < end && !is_long; e += HD_WARP)
            mine += hd_owns(targets, claims, first, e, (u32)i + 1);
        hd_scan(&scratch[HD_WARP_HERE * HD_SCRATCH], mine, &total);
        if (HD_LANE == 0 && !is_long)
            counts[i - from] = total;
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        counts[to - from] = 0;
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_count_long(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *sequence,
                     GLOBAL const u32 *claims, GLOBAL const u32 *longs, GLOBAL const u32 *words, GLOBAL u32 *counts) {
    SHARED u32 sum[1];
    u32 from = words[SEARCH_FROM], count = words[SEARCH_LONGS];
    for (u64 k = HD_GROUP_INDEX; k < count; k += HD_GROUP_TOTAL) {
        u32 i = longs[k], mine = 0;
        u64 first = offsets[sequence[i]], end = offsets[sequence[i] + 1];
        if (HD_GROUP_LANE == 0)
            sum[0] = 0;
        hd_group_barrier();
        for (u64 e = first + HD_GROUP_LANE; e < end; e += HD_GROUP_SIZE)
            mine += hd_owns(targets, claims, first, e, i + 1);
        hd_add_local(&sum[0], mine);
        hd_group_barrier();
        if (HD_GROUP_LANE == 0)
            counts[i - from] = sum[0];
        hd_group_barrier();
    }
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_fill(u32 row_most, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *claims,
               GLOBAL const u32 *words, GLOBAL const hd_offset *sums, GLOBAL u32 *sequence) {
    SHARED u32 scratch[HD_WARPS * HD_SCRATCH];
    u32 from = words[SEARCH_FROM], to = words[SEARCH_TO];
    for (u64 i = from + HD_WARP_INDEX; i < to; i += HD_WARP_TOTAL) {
        u64 first = offsets[sequence[i]], end = offsets[sequence[i] + 1], place = to + sums[i - from];
        if (end - first > row_most || sums[i - from] == sums[i - from + 1])
            end = first;
        for (u64 base = first; base < end; base += HD_WARP) {
            u64 e = base + HD_LANE;
            u32 total, own = e < end && hd_owns(targets, claims, first, e < end ? e : first, (u32)i + 1);
            u32 below = hd_scan(&scratch[HD_WARP_HERE * HD_SCRATCH], own, &total);
            if (own)
                sequence[place + below] = targets[e];
            place += total;
        }
    }
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_fill_long(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *claims,
                    GLOBAL const u32 *longs, GLOBAL const u32 *words, GLOBAL const hd_offset *sums,
                    GLOBAL u32 *sequence) {
    SHARED u32 scratch[HD_WARPS * HD_SCRATCH];
    SHARED u32 parts[HD_WARPS];
    u32 from = words[SEARCH_FROM], to = words[SEARCH_TO], count = words[SEARCH_LONGS];
    for (u64 k = HD_GROUP_INDEX; k < count; k += HD_GROUP_TOTAL) {
        u32 i = longs[k];
        u64 first = offsets[sequence[i]], end = offsets[sequence[i] + 1], place = to + sums[i - from];
        for (u64 base = first; base < end; base += HD_GROUP_SIZE) {
            u64 e = base + HD_GROUP_LANE;
            u32 all, own = e < end && hd_owns(targets, claims, first, e < end ? e : first, i + 1);
            u32 below = hd_group_scan(scratch, parts, own, &all);
            if (own)
                sequence[place + below] = targets[e];
            place += all;
        }
    }
}

KERNEL_OF(HD_WARP *HD_WARPS) hd_search_turn(GLOBAL const hd_offset *sums, GLOBAL u32 *words) {
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        u32 from = words[SEARCH_FROM], to = words[SEARCH_TO];
        words[SEARCH_FROM] = to;
        words[SEARCH_TO] = to + (u32)sums[to - from];
        words[SEARCH_DEPTH]++;
        words[SEARCH_LONGS] = 0;
    }
}

/* ---- Small levels ----------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 8 /* edges that a lane loads at a time */ };

INLINE void hd_claim_some(GLOBAL const u32 *targets, GLOBAL u32 *claims, u64 e, u64 end, u32 mine) {
    u32 target[AT_ONCE], claim[AT_ONCE];
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++)
        target[k] = targets[e + k < end ? e + k : end - 1];
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++)
        claim[k] = hd_load32(&claims[target[k]]);
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++)
        if (claim[k] > mine && e + k < end)
            hd_min32(&claims[target[k]], mine);
}

/* Which of the AT_ONCE arcs from e on have a target that the row owns, as a bitmask. */
INLINE u32 hd_owns_some(GLOBAL const u32 *targets, GLOBAL const u32 *claims, u64 first, u64 e, u64 end, u32 mine) {
    u32 target[AT_ONCE], claim[AT_ONCE], owned = 0, before = e > first ? targets[e - 1] : 0xffffffffu;
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++)
        target[k] = targets[e + k < end ? e + k : end - 1];
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++)
        claim[k] = hd_load32(&claims[target[k]]);
    HD_UNROLL
    for (u32 k = 0; k < AT_ONCE; k++) {
        owned |= (u32)(claim[k] == mine && target[k] != before && e + k < end) << k;
        before = target[k];
    }
    return owned;
}

/* One group runs many small levels, one lane per row, until a level has more than `most` vertices or a row longer than
 * row_most, or `rounds` levels are done. */
KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_narrow(u32 most, u32 row_most, u32 rounds, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
                 GLOBAL u32 *sequence, GLOBAL u32 *claims, GLOBAL u32 *words) {
    SHARED u32 scratch[HD_WARPS * HD_SCRATCH];
    SHARED u32 parts[HD_WARPS];
    SHARED u32 longs[1];
    u32 from = words[SEARCH_FROM], to = words[SEARCH_TO], round = 0, going = 1;
    while (going) {
        if (HD_GROUP_LANE == 0)
            longs[0] = 0;
        hd_group_barrier();
        u32 fits = to - from <= most && round < rounds;
        for (u32 i = from + HD_GROUP_LANE; fits && i < to; i += HD_GROUP_SIZE)
            if (offsets[sequence[i] + 1] - offsets[sequence[i]] > row_most)
                hd_or_local(&longs[0], 1);
        hd_group_barrier();
        going = fits && from < to && !longs[0];
        for (u32 i = from + HD_GROUP_LANE; going && i < to; i += HD_GROUP_SIZE) {
            u64 end = offsets[sequence[i] + 1];
            for (u64 e = offsets[sequence[i]]; e < end; e += AT_ONCE)
                hd_claim_some(targets, claims, e, end, i + 1);
        }
        hd_cluster_barrier();
        u32 found = to, last = going ? to : from;
        for (u32 base = from; base < last; base += HD_GROUP_SIZE) {
            u32 i = base + HD_GROUP_LANE, mine = 0, owned = 0, all;
            u64 first = i < last ? offsets[sequence[i]] : 0, end = i < last ? offsets[sequence[i] + 1] : 0;
            for (u64 e = first; e < end; e += AT_ONCE) {
                owned = hd_owns_some(targets, claims, first, e, end, i + 1);
                mine += hd_popcount(owned);
            }
            u32 place = found + hd_group_scan(scratch, parts, mine, &all);
            for (u64 e = first; e < end && mine; e += AT_ONCE) {
                if (end - first > AT_ONCE)
                    owned = hd_owns_some(targets, claims, first, e, end, i + 1);
                for (u32 left = owned; left; left &= left - 1u)
                    sequence[place++] = targets[e + hd_lowest(left)];
            }
            found += all;
        }
        hd_cluster_barrier();
        from = going ? to : from;
        to = going ? found : to;
        round += going;
    }
    if (HD_GROUP_LANE == 0) {
        words[SEARCH_FROM] = from;
        words[SEARCH_TO] = to;
        words[SEARCH_DEPTH] += round;
    }
}

/* ---- Vertices that the search did not reach --------------------------------------------------------------------- */

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_open(u32 count, GLOBAL const u32 *roots, GLOBAL const u32 *claims, GLOBAL u32 *flags) {
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k <= count; k += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        flags[k] = k < count && claims[roots[k]] == 0xffffffffu;
}

KERNEL_OF(HD_WARP *HD_WARPS)
hd_search_rest(u32 count, GLOBAL const u32 *roots, GLOBAL const hd_offset *sums, GLOBAL u32 *rest) {
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k < count; k += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (sums[k + 1] > sums[k])
            rest[sums[k]] = roots[k];
}
