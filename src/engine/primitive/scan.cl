/* scan.cl - prefix sums over the lanes of a group, for sort.cl and bfs_order.cl.
 * Shuffles inside a warp, then over the warps' sums in shared memory: two barriers. */

/* Exclusive prefix sum of `mine` over the lanes of the group; `all`: the sum of all lanes. */
INLINE u32 hd_group_scan(LOCAL u32 *scratch, LOCAL u32 *sums, u32 mine, u32 *all) {
    u32 total, below = hd_scan(&scratch[HD_WARP_HERE * HD_SCRATCH], mine, &total);
    if (HD_LANE == 0)
        sums[HD_WARP_HERE] = total;
    hd_group_barrier();
    *all = 0;
    for (u32 w = 0; w < HD_WARPS; w++) {
        below += w < HD_WARP_HERE ? sums[w] : 0;
        *all += sums[w];
    }
    hd_group_barrier();
    return below;
}
