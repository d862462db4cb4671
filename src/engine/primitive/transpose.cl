/* transpose.cl - row offsets from arcs that are sorted by the vertex whose rows they are (sort.cl).
 * A binary search for each vertex: no counting, no atomics, and vertices without arcs need nothing special. */

/* A row begins at the first arc whose key is not below its vertex. */
KERNEL hd_transpose_rows(u64 arcs, u32 n, GLOBAL const u32 *keys, GLOBAL hd_offset *offsets) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v <= n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 low = 0, high = arcs;
        while (low < high) {
            u64 middle = low + (high - low) / 2;
            if (keys[middle] < v)
                low = middle + 1;
            else
                high = middle;
        }
        offsets[v] = (hd_offset)low;
    }
}
