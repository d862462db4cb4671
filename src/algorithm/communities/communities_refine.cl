/* communities_refine.cl - parts of communities that are connected inside, for leiden on a device.
 * Idea: every vertex begins as a part of its own. Those that are tied to their community well enough, and that no other
 * has joined, join the part of it in which they gain most, one class of vertices after the other (move_short …).
 *
 * A part has the number of the vertex that it began with, which stays in it: a vertex joins only if that one does not
 * move at the same time. So parts are connected, and the same in every run. */

/* inward[v]: weight of v's edges inside its community; 0 before. */
KERNEL refine_inward(u32 n, MOVE_LONG, MOVE_ROWS, GLOBAL const u32 *part, GLOBAL u64 *inward) {
    SHARED u64 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 i = HD_WARP_INDEX; i < (u64)n + pieces; i += HD_WARP_TOTAL) {
        stretch s = move_stretch(n, list, rows, offsets, i);
        u64 sum = move_inside_row(offsets, targets, weights, unit, even, part, s.v, s.begin, s.end);
        sum = move_sum(scratch[HD_WARP_HERE], sum);
        if (HD_LANE == 0 && sum)
            hd_add64(&inward[s.v], sum);
    }
}

/* Marks the vertices that may join; every vertex is a part. */
KERNEL refine_start(u32 n, GLOBAL const u64 *ends, GLOBAL const u64 *total, GLOBAL const u32 *part,
                    GLOBAL const u64 *inward, f64 all, GLOBAL u32 *inner, GLOBAL u32 *next, GLOBAL u32 *size,
                    GLOBAL u32 *marks) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 rest = total[part[i]] - ends[i];
        marks[i] = inward[i] && !((f64)inward[i] < (f64)ends[i] * (f64)rest / all);
        inner[i] = next[i] = (u32)i;
        size[i] = 1;
    }
}

KERNEL refine_ends(u32 n, GLOBAL const u64 *ends, GLOBAL u64 *inside) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        inside[v] = ends[v];
}

/* `next` differs from `inner` only for those whose turn it is. */
KERNEL refine_apply(u32 n, GLOBAL const u64 *ends, GLOBAL const u32 *next, GLOBAL u32 *inner, GLOBAL u64 *inside,
                    GLOBAL u32 *size, GLOBAL u32 *marks, GLOBAL u64 *numbers) {
    SHARED u64 scratch[HD_WARPS][HD_SCRATCH];
    u64 moved = 0;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i, to = next[v];
        if (to != inner[v] && next[to] == to) {
            inner[v] = to;
            hd_add64(&inside[to], ends[v]);
            hd_add64(&inside[v], 0 - ends[v]);
            hd_add32(&size[to], 1);
            hd_add32(&size[v], 0u - 1u);
            hd_store32(&marks[v], 0);
            hd_store32(&marks[to], 0);
            moved++;
        }
    }
    move_count(scratch[HD_WARP_HERE], moved, &numbers[MOVE_MOVED]);
}
