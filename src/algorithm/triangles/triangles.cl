/* triangles.cl - triangles on a device, for tc and lcc.
 * Idea: every edge goes to its end of lower degree (of equals, of smaller number), and for every arc u -> v of these
 * rows the common entries of the rows of u and v are the third corners. Warps take pieces of arcs, so that they are
 * balanced whatever the degrees: no oriented row is longer than sqrt(2m).
 *
 * Rows are ascending by number, as the graph's; a row's arcs that are kept stand at the beginning of its place. With
 * TC_WEIGHED an edge counts as often as its weight says, which is 1 or 2, and what is counted at a vertex is not
 * triangles but the edges opposite to it. */
#include "engine/primitive/row_of.cl"

enum { TILE = 32 }; /* arcs that a warp takes at once */

KERNEL tc_orient(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *weights,
                 GLOBAL u32 *kept, GLOBAL u32 *weighs, GLOBAL u32 *lengths, GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 v = HD_WARP_INDEX; v < n; v += HD_WARP_TOTAL) {
        hd_offset begin = offsets[v], end = offsets[v + 1];
        u32 count = 0;
        for (u64 first = begin; first < end; first += HD_WARP) {
            u64 e = first + HD_LANE;
            u32 w = e < end ? targets[e] : 0, total;
            hd_offset degree = offsets[w + 1] - offsets[w];
            int keep = e < end && (degree > end - begin || (degree == end - begin && w > v));
            u32 place = hd_rank(scratch[HD_WARP_HERE], keep, &total);
            if (keep)
                kept[begin + count + place] = w;
#if TC_WEIGHED
            if (keep)
                weighs[begin + count + place] = weights[e];
#endif
            count += total;
        }
        if (HD_LANE == 0) {
            lengths[v] = count;
            counts[2 * v] = 0;
            counts[2 * v + 1] = 0;
        }
    }
}

/* The common entries of two rows, which begin at places a and b. */
INLINE hd_meeting tc_meet(LOCAL u32 *scratch, GLOBAL const u32 *kept, GLOBAL const u32 *weighs, u64 a, u32 a_count,
                          u64 b, u32 b_count, u32 each, GLOBAL u32 *counts) {
#if TC_WEIGHED
    return hd_row_meet_twice(scratch, kept + a, weighs + a, a_count, kept + b, weighs + b, b_count, each, counts);
#else
    hd_meeting met;
    (void)weighs, (void)each;
    met.a = met.b = hd_row_meet(scratch, kept + a, a_count, kept + b, b_count, counts);
    return met;
#endif
}

/* All lanes of a warp are at the same place all the time. */
KERNEL tc_count(u32 n, u64 arcs, GLOBAL const hd_offset *offsets, GLOBAL const u32 *kept, GLOBAL const u32 *weighs,
                GLOBAL const u32 *lengths, GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 first = HD_WARP_INDEX * TILE; first < arcs; first += HD_WARP_TOTAL * TILE) {
        u64 last = first + TILE < arcs ? first + TILE : arcs;
        u32 u = row_of(offsets, 0, n, first);
        for (u64 e = first; e < last;) {
            u64 begin, end;
            u32 length, v;
            hd_meeting met;
            while (offsets[u + 1] <= e)
                u++;
            begin = offsets[u];
            end = offsets[u + 1];
            length = lengths[u];
            int arc = e - begin < length;
            v = arc ? kept[e] : 0;
            met = tc_meet(scratch[HD_WARP_HERE], kept, weighs, begin, arc ? length : 0, offsets[v], lengths[v],
                          TC_WEIGHED && arc ? weighs[e] : 1, counts);
            if (met.a && HD_LANE == 0) {
                hd_count64(counts, u, met.b);
                hd_count64(counts, v, met.a);
            }
            e = arc ? e + 1 : end; /* the rest of the row is not kept */
        }
    }
}
