/* distances.cl - adds the depths of a batch of searches (many.cl) up at each vertex. A lane has a vertex, so that
 * nothing is shared but the depths of searches.
 * Sums have two words of 64 bits: DISTANCES_NEAR: the sum of 2^62 / depth, as a number of 128 bits, lower word first;
 * else the sum of depths and the largest. */
KERNEL distances_add(u32 n, u32 shift, u32 full, GLOBAL const u32 *rows, GLOBAL u32 *reached, GLOBAL u64 *sums,
                     GLOBAL u32 *depths) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 low = sums[2 * v], high = sums[2 * v + 1];
        u32 count = 0;
        for (u32 j = 0; j < 32 && full >> j; j++) {
            u32 depth = rows[(v << shift) + j];
            if (depth == 0 || depth == 0xffffffffu)
                continue;
            count++;
#if DISTANCES_NEAR
            u64 before = low;
            low += ((u64)1 << 62) / depth;
            high += low < before;
#else
            low += depth;
            high = depth > high ? depth : high;
#endif
            if (depth > hd_load32(&depths[j]))
                hd_max32(&depths[j], depth);
        }
        reached[v] += count;
        sums[2 * v] = low;
        sums[2 * v + 1] = high;
    }
}
