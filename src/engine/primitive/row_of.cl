/* row_of.cl - the row of an edge, for kernels whose share of the work is a range of edges. Other kernel texts include
 * it. */

/* Binary search: the last of rows low .. high - 1 that begins at the edge or before. */
INLINE u32 row_of(GLOBAL const hd_offset *offsets, u32 low, u32 high, u64 edge) {
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (offsets[middle] <= edge)
            low = middle;
        else
            high = middle;
    }
    return low;
}
