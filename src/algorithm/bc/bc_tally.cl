/* bc_tally.cl - an error budget needs the dependencies' squares too: takes those of one source from `total`. */
KERNEL bc_tally(u32 n, GLOBAL f64 *total, GLOBAL f64 *sums, GLOBAL f64 *squares) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        f64 delta = total[v];
        sums[v] += delta;
        squares[v] += delta * delta;
        total[v] = 0;
    }
}
