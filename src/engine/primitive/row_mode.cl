/* row_mode.cl - the most frequent label of a row on a device: hash tables to count labels in. Keys are 1 + label, 0 is
 * free. */

/* Of labels that are equally frequent the one of smallest rank is better. */
#define HD_MODE_BETTER(count, rank, best, best_rank) ((count) > (best) || ((count) == (best) && (rank) < (best_rank)))

INLINE u32 hd_mode_slot(u32 label, u32 slots) { return (u32)((u64)(label * 2654435761u) * slots >> 32); }

INLINE void hd_mode_add_local(LOCAL u32 *keys, LOCAL u32 *counts, u32 slots, u32 label, u32 more) {
    u32 slot = hd_mode_slot(label, slots);
    for (;;) {
        u32 seen = *(LOCAL volatile u32 *)&keys[slot];
        if (seen == 0)
            seen = hd_swap32_local(&keys[slot], 0, label + 1);
        if (seen == 0 || seen == label + 1)
            break;
        slot = slot + 1 < slots ? slot + 1 : 0;
    }
    hd_add_local(&counts[slot], more);
}

INLINE void hd_mode_add(GLOBAL u32 *keys, GLOBAL u32 *counts, u32 slots, u32 label, u32 more) {
    u32 slot = hd_mode_slot(label, slots);
    for (;;) {
        u32 seen = hd_load32(&keys[slot]);
        if (seen == 0)
            seen = hd_swap32(&keys[slot], 0, label + 1);
        if (seen == 0 || seen == label + 1)
            break;
        slot = slot + 1 < slots ? slot + 1 : 0;
    }
    hd_add32(&counts[slot], more);
}

/* The label that a lane, a warp or a group likes best; count 0: none. */
typedef struct hd_mode {
    u32 count, rank, label;
} hd_mode;

INLINE hd_mode hd_mode_none(u32 label) {
    hd_mode none;
    none.count = 0, none.rank = 0xffffffffu, none.label = label;
    return none;
}

INLINE hd_mode hd_mode_better(hd_mode a, u32 count, u32 rank, u32 label) {
    if (count && HD_MODE_BETTER(count, rank, a.count, a.rank))
        a.count = count, a.rank = rank, a.label = label;
    return a;
}

/* The best of all lanes', for all lanes of a warp, which call it together. Different labels have different ranks. */
INLINE hd_mode hd_mode_choose(LOCAL u32 *scratch, LOCAL u32 *chosen, hd_mode mine) {
    hd_mode best = mine;
    best.count = hd_largest(scratch, mine.count);
    best.rank = ~hd_largest(scratch, mine.count == best.count ? ~mine.rank : 0);
    if (mine.count == best.count && mine.rank == best.rank)
        *chosen = mine.label;
    hd_warp_barrier();
    best.label = *chosen;
    hd_warp_barrier();
    return best;
}
