/* tc.cl - triangles on a device.
 * Idea: every edge goes to its end of lower degree (of equals, of smaller number), and for every arc u -> v of these
 * rows the common entries of the rows of u and v are the third corners. Warps take pieces of arcs, so that they are
 * balanced whatever the degrees: no oriented row is longer than sqrt(2m).
 *
 * Rows are ascending by number, as the graph's; a row's arcs that are kept stand at the beginning of its place. */
enum { TILE = 32 }; /* arcs that a warp takes at once */

KERNEL tc_orient(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *kept,
                 GLOBAL u32 *lengths, GLOBAL u32 *counts) {
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
            count += total;
        }
        if (HD_LANE == 0) {
            lengths[v] = count;
            counts[2 * v] = 0;
            counts[2 * v + 1] = 0;
        }
    }
}

/* The row that place e lies in. */
INLINE u32 tc_row_of(GLOBAL const hd_offset *offsets, u32 n, u64 e) {
    u32 low = 0, high = n;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* All lanes of a warp are at the same place all the time. */
KERNEL tc_count(u32 n, u64 arcs, GLOBAL const hd_offset *offsets, GLOBAL const u32 *kept, GLOBAL const u32 *lengths,
                GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 first = HD_WARP_INDEX * TILE; first < arcs; first += HD_WARP_TOTAL * TILE) {
        u64 last = first + TILE < arcs ? first + TILE : arcs;
        u32 u = tc_row_of(offsets, n, first);
        for (u64 e = first; e < last;) {
            u64 begin, end;
            u32 length, v, both;
            while (offsets[u + 1] <= e)
                u++;
            begin = offsets[u];
            end = offsets[u + 1];
            length = lengths[u];
            int arc = e - begin < length;
            v = arc ? kept[e] : 0;
            both = hd_row_meet(scratch[HD_WARP_HERE], kept + begin, arc ? length : 0, kept + offsets[v], lengths[v],
                               counts);
            if (both && HD_LANE == 0) {
                hd_count64(counts, u, both);
                hd_count64(counts, v, both);
            }
            e = arc ? e + 1 : end; /* the rest of the row is not kept */
        }
    }
}
