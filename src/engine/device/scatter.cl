/* scatter.cl - rows that the host gathered (stream_gather.c), to the places where schedules look for the edges of a
 * partition.
 *
 * A block has, in 32-bit words: for each row its vertex and the number of edges before it; the targets of all rows;
 * their weights. One lane per edge; its row is found by bisection. The engine defines
 *   HD_SCATTER_COMPACT  edges stay next to each other, and the sources are written too: schedule coo needs no more
 *   HD_WEIGHT_WORDS     32-bit words of a weight; 0: there are none */
KERNEL scatter_rows(u64 first_edge, u32 rows, u32 edges, GLOBAL const hd_offset *RESTRICT offsets,
                    GLOBAL const u32 *RESTRICT block, GLOBAL u32 *RESTRICT targets, GLOBAL u32 *sources,
                    GLOBAL u32 *weights) {
    GLOBAL const u32 *from = block + 2 * (u64)rows, *more = from + edges;
    for (u64 i = HD_WARP_INDEX * HD_WARP + HD_LANE; i < edges; i += HD_WARP_TOTAL * HD_WARP) {
        u32 low = 0, high = rows;
        while (high - low > 1) {
            u32 middle = low + (high - low) / 2;
            if (block[2 * (u64)middle + 1] <= i)
                low = middle;
            else
                high = middle;
        }
        u32 v = block[2 * (u64)low];
#if HD_SCATTER_COMPACT
        u64 place = i;
        sources[place] = v;
#else
        u64 place = offsets[v] - first_edge + (i - block[2 * (u64)low + 1]);
#endif
        targets[place] = from[i];
#if HD_WEIGHT_WORDS
        for (u32 k = 0; k < HD_WEIGHT_WORDS; k++)
            weights[place * HD_WEIGHT_WORDS + k] = more[i * HD_WEIGHT_WORDS + k];
#endif
    }
    (void)first_edge, (void)offsets, (void)sources, (void)weights, (void)more;
}
