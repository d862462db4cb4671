/* triangles.cl - triangles on a device, for tc and lcc.
 * Idea: every edge goes to its end of higher degree (of equals, of larger number), and for every arc u -> v of these
 * rows the common entries of the rows of u and v are the third corners: no oriented row is longer than sqrt(2m).
 *
 * Orienting goes by pieces of arcs, whatever the lengths of rows: flags and counts of a piece, their prefix sums, then
 * the arcs that are kept, side by side. To count, a warp takes a tile of arcs, one for each lane. The entries of the
 * shorter rows of all its arcs are one list of needles, and each lane looks up every 32nd in the longer row, so that
 * lanes are equally busy whether rows are short or long. Needles ascend: a search goes on where the last one ended.
 *
 * A third corner is credited to the arc u -> w on which it was found, in memory that no other row uses, and its
 * neighbours by the same warp; arcs are added up for their vertices at the end. There an arc has what its second corner
 * gets, too.
 *
 * With TC_WEIGHED an edge counts as often as its weight says, which is 1 or 2, and what is counted at a vertex is not
 * triangles but the edges opposite to it. */
#include "algorithm/triangles/triangles_state.h"
#include "engine/primitive/owner.cl"
#include "engine/primitive/row_of.cl"
#include "engine/primitive/sums.cl"

/* ---- Orienting --------------------------------------------------------------------------------------------------- */

/* Which arcs of a piece are kept, as bits, and how many. */
KERNEL tc_flag(u32 n, u64 arcs, u32 pieces, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
               GLOBAL u32 *flags, GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u64 first = p * TC_PIECE, end = arcs - first < TC_PIECE ? arcs : first + TC_PIECE;
        u32 low = row_of(offsets, 0, n, first), high = row_of(offsets, low, n, end - 1) + 1, count = 0;
        for (u64 base = first; base < end; base += HD_WARP) {
            u64 e = base + HD_LANE < end ? base + HD_LANE : end - 1;
            u32 w = targets[e], bits;
            hd_offset mine, other = offsets[w + 1] - offsets[w];
            low = row_of(offsets, low, high, e); /* later arcs are in later rows */
            mine = offsets[low + 1] - offsets[low];
            bits =
                hd_ballot(scratch[HD_WARP_HERE], base + HD_LANE < end && (other > mine || (other == mine && w > low)));
            count += hd_popcount(bits);
            if (HD_LANE == 0)
                flags[base / 32] = bits;
        }
        if (HD_LANE == 0)
            counts[p] = count;
    }
}

/* Writes the arcs that are kept, at most `room`, from `places` of the pieces on, and where rows of them begin and end.
 */
KERNEL tc_turn(u32 n, u64 arcs, u32 pieces, u64 room, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
               GLOBAL const u32 *weights, GLOBAL const u32 *flags, GLOBAL const hd_offset *places, GLOBAL u32 *from,
               GLOBAL u32 *to, GLOBAL u32 *weighs, GLOBAL hd_offset *starts, GLOBAL hd_offset *ends) {
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u64 first = p * TC_PIECE, end = arcs - first < TC_PIECE ? arcs : first + TC_PIECE, place = places[p];
        u32 low = row_of(offsets, 0, n, first), high = row_of(offsets, low, n, end - 1) + 1;
        for (u64 e = first + HD_LANE; e < end; e += HD_WARP) {
            u32 bits = flags[e / 32], keep = bits >> HD_LANE & 1;
            u64 at = place + hd_popcount(bits & ((1u << HD_LANE) - 1));
            low = row_of(offsets, low, high, e);
            if (keep && at < room) {
                from[at] = low;
                to[at] = targets[e];
#if TC_WEIGHED
                weighs[at] = weights[e];
#endif
            }
            if (e == offsets[low])
                starts[low] = (hd_offset)at;
            if (e + 1 == offsets[low + 1])
                ends[low] = (hd_offset)(at + keep);
            place += hd_popcount(bits);
        }
    }
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

/* A 64-bit number; not all devices have atomics of 64 bits. */
INLINE void tc_add(GLOBAL u64 *counts, u64 index, u64 more) {
#ifdef HD_ATOMICS64
    hd_add64(&counts[index], more);
#else
    hd_add_wide((GLOBAL u32 *)counts, index, more);
#endif
}

/* The arcs of a tile, one for each lane of a warp. */
typedef struct tc_tile {
    u32 upto[HD_WARP];    /* needles of this arc and those before it */
    u32 length[HD_WARP];  /* of the longer row */
    u32 swapped[HD_WARP]; /* the needles are those of the second corner's row */
    u32 source[HD_WARP];
    u32 first[HD_WARP], second[HD_WARP];      /* what the two corners get */
    hd_offset needles[HD_WARP], row[HD_WARP]; /* where the tile's needle 0 would be; the longer row */
} tc_tile;

/* The first entry from `low` on that is not below. */
INLINE u32 tc_search(GLOBAL const u32 *row, u32 low, u32 high, u32 entry) {
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (row[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds an arc's count so far to its corners. */
INLINE void tc_flush(LOCAL tc_tile *tile, u32 arc, u32 first, u32 second) {
    if (second) { /* then the other, too */
        hd_add_local(&tile->first[arc], first);
        hd_add_local(&tile->second[arc], second);
    }
}

#define TC_ARCS GLOBAL const u32 *from, GLOBAL const u32 *to, GLOBAL const u32 *weighs
#if TC_WEIGHED
#define TC_WEIGHT(e) weighs[e]
#else
#define TC_WEIGHT(e) 1u
#endif

/* Looks for all needles of a tile whose first arc is `base`. */
INLINE void tc_look(LOCAL tc_tile *tile, hd_offset base, u32 total, TC_ARCS, GLOBAL u32 *credit) {
    u32 arc = 0, end = 0, low = 0, length = 0, first = 0, second = 0;
    hd_offset needles = 0, row = 0;
    (void)from, (void)weighs;
    for (u32 k = HD_LANE; k < total; k += HD_WARP) {
        u32 entry;
        if (k >= end) {
            tc_flush(tile, arc, first, second);
            arc = hd_owner(tile->upto, arc, k);
            end = tile->upto[arc];
            length = tile->length[arc];
            needles = tile->needles[arc];
            row = tile->row[arc];
            low = first = second = 0;
        }
        entry = to[(hd_offset)(needles + k)];
        low = tc_search(to + row, low, length, entry);
        if (low < length && to[row + low] == entry) {
            hd_offset needle = needles + k, hit = row + low;
            hd_offset third = tile->swapped[arc] ? hit : needle, across = tile->swapped[arc] ? needle : hit;
            (void)across;
            hd_add32(&credit[third], TC_WEIGHT(base + arc));
            first += TC_WEIGHT(across);
            second += TC_WEIGHT(third);
            low++;
        }
    }
    tc_flush(tile, arc, first, second);
}

/* `taken`: tiles that warps have taken so far, `take` at once. */
KERNEL tc_count(u64 room, u32 take, u32 pieces, GLOBAL const hd_offset *places, TC_ARCS, GLOBAL const hd_offset *starts,
                GLOBAL const hd_offset *ends, GLOBAL u32 *credit, GLOBAL u64 *counts, GLOBAL u32 *taken) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    SHARED tc_tile tiles[HD_WARPS];
    LOCAL u32 *mine = scratch[HD_WARP_HERE];
    LOCAL tc_tile *tile = &tiles[HD_WARP_HERE];
    hd_offset arcs = places[pieces] < room ? places[pieces] : (hd_offset)room;
    for (;;) {
        u64 next = (u64)hd_broadcast(mine, HD_LANE == 0 ? hd_add32(taken, take) : 0) * HD_WARP;
        if (next >= arcs)
            break;
        for (u32 i = 0; i < take; i++) {
            hd_offset base = (hd_offset)next + i * HD_WARP, e = base + HD_LANE;
            u32 total, all, here, below, u = e < arcs ? from[e] : 0, v = e < arcs ? to[e] : 0;
            hd_offset a = e < arcs ? starts[u] : 0, b = e < arcs ? starts[v] : 0;
            u32 a_length = e < arcs ? (u32)(ends[u] - a) : 0, b_length = e < arcs ? (u32)(ends[v] - b) : 0;
            int swapped = b_length <= a_length;
            u32 few = swapped ? b_length : a_length;
            below = hd_scan(mine, few, &total);
            tile->upto[HD_LANE] = below + few;
            tile->length[HD_LANE] = swapped ? a_length : b_length;
            tile->swapped[HD_LANE] = (u32)swapped;
            tile->source[HD_LANE] = e < arcs ? u : 0xffffffffu;
            tile->first[HD_LANE] = tile->second[HD_LANE] = 0;
            tile->needles[HD_LANE] = (swapped ? b : a) - below;
            tile->row[HD_LANE] = swapped ? a : b;
            hd_warp_barrier();
            tc_look(tile, base, total, from, to, weighs, credit);
            hd_warp_barrier();
            if (tile->second[HD_LANE])
                hd_add32(&credit[e], tile->second[HD_LANE]);
            /* Arcs of one row are side by side: sums up to the last of them, less those before the first. */
            here = tile->first[HD_LANE];
            below = hd_scan(mine, here, &all);
            if (all && e < arcs) {
                int begins = HD_LANE == 0 || tile->source[HD_LANE - (HD_LANE > 0)] != u;
                int stops = HD_LANE == HD_WARP - 1 || tile->source[HD_LANE + (HD_LANE < HD_WARP - 1)] != u;
                u64 sum = (stops ? (u64)below + here : 0) - (begins ? (u64)below : 0);
                if (sum)
                    tc_add(counts, u, sum);
            }
            hd_warp_barrier();
        }
    }
}

/* Adds the counts of arcs to their targets. */
KERNEL tc_credit(u64 room, u32 pieces, GLOBAL const hd_offset *places, GLOBAL const u32 *to, GLOBAL const u32 *credit,
                 GLOBAL u64 *counts) {
    u64 arcs = places[pieces] < room ? places[pieces] : room;
    for (u64 e = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; e < arcs; e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (credit[e])
            tc_add(counts, to[e], credit[e]);
}
