/* ceilings.cl - the device's peak rates: copying, and gathering at random. */
KERNEL ceiling_copy(u64 words, GLOBAL const u64 *from, GLOBAL u64 *to) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < words; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        to[i] = from[i]; /* 8 bytes each */
}

/* Writes a list of pseudo-random places in a table of `size` words. */
KERNEL ceiling_places(u64 words, u32 size, GLOBAL u32 *places) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < words; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 hash = (i + 1) * 0x9e3779b97f4a7c15ul;
        hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9ul;
        places[i] = (u32)(((hash >> 32) * size) >> 32);
    }
}

/* Gathers from these places. The sum is stored so that the compiler cannot remove the loads. */
KERNEL ceiling_gather(u64 words, GLOBAL const u32 *places, GLOBAL const u32 *table, GLOBAL u32 *sums) {
    u64 lane = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE, stride = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    u32 sum = 0;
    HD_UNROLL for (u64 i = lane; i < words; i += stride) sum += hd_constant(&table[hd_constant(&places[i])]);
    sums[lane] = sum;
}
