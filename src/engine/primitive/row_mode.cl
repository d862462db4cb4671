/* row_mode.cl - the most frequent label of a row on a device, of several the smallest: a warp counts the labels in a
 * hash table of at least twice as many slots, then each lane takes its share of the slots, and lane 0 the best of the
 * lanes'. Keys are 1 + label, 0 is free. */

#define HD_MODE_HASH(label) ((label)*2654435761u)

/* Lanes' bests, in shared memory. */
#define HD_MODE_BETTER(count, label, best, best_label) \
    ((count) > (best) || ((count) == (best) && (label) < (best_label)))

INLINE void hd_mode_add_local(LOCAL u32 *keys, LOCAL u32 *counts, u32 mask, u32 label) {
    u32 slot = HD_MODE_HASH(label) >> 7 & mask;
    for (;;) {
        u32 seen = hd_swap32_local(&keys[slot], 0, label + 1);
        if (seen == 0 || seen == label + 1)
            break;
        slot = (slot + 1) & mask;
    }
    hd_add_local(&counts[slot], 1);
}

INLINE void hd_mode_add(GLOBAL u32 *keys, GLOBAL u32 *counts, u64 slots, u32 label) {
    u64 slot = ((u64)HD_MODE_HASH(label) * slots) >> 32;
    for (;;) {
        u32 seen = hd_load32(&keys[slot]);
        if (seen == 0)
            seen = hd_swap32(&keys[slot], 0, label + 1);
        if (seen == 0 || seen == label + 1)
            break;
        slot = slot + 1 < slots ? slot + 1 : 0;
    }
    hd_add32(&counts[slot], 1);
}

/* The best of all lanes, for lane 0; all lanes call it. */
INLINE u32 hd_mode_best(LOCAL u32 *bests, LOCAL u32 *labels, u32 best, u32 label) {
    bests[HD_LANE] = best;
    labels[HD_LANE] = label;
    hd_warp_barrier();
    if (HD_LANE == 0)
        for (u32 i = 1; i < HD_WARP; i++)
            if (HD_MODE_BETTER(bests[i], labels[i], best, label)) {
                best = bests[i];
                label = labels[i];
            }
    hd_warp_barrier();
    return label;
}
