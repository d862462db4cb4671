/* mst_rounds.cl - Borůvka's rounds over a list of edges (choose, sift); mst.cl has the words, and how a list is made.
 * Idea: a 64-bit atomic minimum per tree instead of a sort or a segmented reduction. While items are many, best edges
 * are cleared and trees flattened for all vertices at once, which is cheaper than by each item's ends
 * (bench/notes, mst on urand22). */
#if MST_TWO
/* Among a tree's edges of the lightest key, finds the one with the smallest larger end. */
KERNEL mst_second(u32 which, u32 room, GLOBAL u32 *state, MST_LIST(from), MST_BEST(from)) {
    u32 count = state[MST_FOUND + which];
    count = count <= room ? count : 0;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 root = (u32)(from_pairs[i] >> 32), other = (u32)from_pairs[i];
        if (from_keys[i] == from_best[root])
            hd_min32(&from_best_ends[root], from_ends[i]);
        if (from_keys[i] == from_best[other])
            hd_min32(&from_best_ends[other], from_ends[i]);
    }
}
#endif

INLINE int mst_is_best(const mst_best *best, u32 root, u64 key, u32 end) {
#if MST_TWO
    return best->keys[root] == key && best->ends[root] == end;
#else
    (void)end;
    return best->keys[root] == key;
#endif
}

INLINE void mst_forget(const mst_best *best, u32 root) {
    if (best->keys[root] != ~(u64)0)
        best->keys[root] = ~(u64)0;
#if MST_TWO
    if (best->ends[root] != ~0u)
        best->ends[root] = ~0u;
#endif
}

/* Joins trees by their lightest edges, adds these to the forest, and resets the minima for the next round if needed. */
KERNEL mst_choose(u32 which, u32 ready, u32 room, u32 forest_room, GLOBAL u32 *parent, GLOBAL u32 *state,
                  MST_LIST(from), MST_BEST(from), MST_BEST(next), MST_LIST(forest)) {
    SHARED mst_share share[HD_WARPS];
    LOCAL mst_share *mine = &share[HD_WARP_HERE];
    u32 lane = HD_LANE, count = state[MST_FOUND + which];
    mst_best best, next;
    mst_list forest;
    best.keys = from_best, best.ends = from_best_ends;
    next.keys = next_best, next.ends = next_best_ends;
    forest.pairs = forest_pairs, forest.keys = forest_keys, forest.ends = forest_ends;
    forest.count = &state[MST_FOREST], forest.room = forest_room;
    count = count <= room ? count : 0;
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[MST_FOUND + 1 - which] = 0;
    if (lane == 0)
        mine->count = 0;
    hd_warp_barrier();
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u64 i = first + lane, pair = 0, key = 0;
        u32 end = 0;
        int joined = 0;
        if (i < count) {
            pair = from_pairs[i];
            key = from_keys[i];
#if MST_TWO
            end = from_ends[i];
#endif
            u32 root = (u32)(pair >> 32), other = (u32)pair;
            if (mst_is_best(&best, root, key, end) || mst_is_best(&best, other, key, end))
                joined = set_join(parent, root, other);
            if (!ready) {
                mst_forget(&next, root);
                mst_forget(&next, other);
            }
        }
        mst_put(mine, &forest, joined, pair, key, end, 0);
    }
    mst_put(mine, &forest, 0, 0, 0, 0, 1);
}

/* Copies items that still join two trees to the other list. */
KERNEL mst_sift(u32 which, u32 room, GLOBAL u32 *parent, GLOBAL u32 *state, MST_LIST(from), MST_LIST(to),
                MST_BEST(to)) {
    SHARED mst_share share[HD_WARPS];
    LOCAL mst_share *mine = &share[HD_WARP_HERE];
    u32 lane = HD_LANE, count = state[MST_FOUND + which];
    mst_best best;
    mst_list to;
    best.keys = to_best, best.ends = to_best_ends;
    to.pairs = to_pairs, to.keys = to_keys, to.ends = to_ends;
    to.count = &state[MST_FOUND + 1 - which], to.room = room;
    count = count <= room ? count : 0;
    if (lane == 0)
        mine->count = 0;
    hd_warp_barrier();
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u64 i = first + lane, key = 0;
        u32 root = 0, other = 0, end = 0;
        if (i < count) {
            u64 pair = from_pairs[i];
            root = set_root(parent, (u32)(pair >> 32));
            other = set_root(parent, (u32)pair);
        }
        if (root != other) {
            key = from_keys[i];
#if MST_TWO
            end = from_ends[i];
#endif
            mst_offer(&best, root, key, 1);
            mst_offer(&best, other, key, 1);
        }
        mst_put(mine, &to, root != other, (u64)root << 32 | other, key, end, 0);
    }
    mst_put(mine, &to, 0, 0, 0, 0, 1);
}
