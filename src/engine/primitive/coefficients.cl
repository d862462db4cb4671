/* coefficients.cl - how many neighbours of each vertex are joined, counted on a device (coefficients.h).
 * Idea: a warp takes a vertex, collects its distinct neighbours in shared memory, and sorts them by rising degree:
 * those of few edges know fewest others, and have short rows. Then lanes take pairs, those of low degree first, and
 * look for one vertex in the row of the other (intersect.cl); the centre is given up as soon as too many pairs are
 * missing.
 *
 * Order and rule are those of graffix/latency.c, so that counts are the same even for a graph that claims to be
 * undirected and is not. */

typedef struct hd_near {
    u32 found[HD_CLUSTER_MOST]; /* neighbours, in the order of the rows */
    hd_offset degree[HD_CLUSTER_MOST];
    u32 member[HD_CLUSTER_MOST]; /* by rising degree: the neighbour, and its row */
    hd_offset begin[HD_CLUSTER_MOST], length[HD_CLUSTER_MOST];
} hd_near;

/* Whether the first `count` that were found, which are ascending, include w. */
INLINE int hd_near_found(LOCAL const hd_near *near, u32 count, u32 w) {
    u32 low = 0;
    for (u32 step = HD_CLUSTER_MOST / 2; step; step /= 2)
        if (low + step <= count && near->found[low + step - 1] < w)
            low += step;
    return low < count && near->found[low] == w;
}

/* Adds the neighbours of v in a row to the `known` ones of its other row. Returns how many there are now, v itself not
 * counted; those from HD_CLUSTER_MOST on are not kept. All lanes call it. */
INLINE u32 hd_near_add(LOCAL hd_near *near, LOCAL u32 *scratch, GLOBAL const u32 *targets, u64 begin, u64 end, u32 v,
                       u32 known) {
    u32 count = known;
    for (u64 first = begin; first < end && count < HD_CLUSTER_MOST; first += HD_WARP) {
        u64 e = first + HD_LANE;
        u32 w = e < end ? targets[e] : v, total;
        int fresh = w != v && (e == begin || targets[e - 1] != w) && !hd_near_found(near, known, w);
        u32 place = count + hd_rank(scratch, fresh, &total);
        if (fresh && place < HD_CLUSTER_MOST)
            near->found[place] = w;
        count += total;
    }
    hd_warp_barrier();
    return count;
}

/* Equal degrees stay in the order of the rows. */
INLINE void hd_near_sort(LOCAL hd_near *near, GLOBAL const hd_offset *offsets, u32 count) {
    for (u32 i = HD_LANE; i < count; i += HD_WARP)
        near->degree[i] = offsets[near->found[i] + 1] - offsets[near->found[i]];
    hd_warp_barrier();
    for (u32 i = HD_LANE; i < count; i += HD_WARP) {
        hd_offset mine = near->degree[i];
        u32 rank = 0, w = near->found[i];
        for (u32 k = 0; k < count; k++)
            rank += near->degree[k] < mine || (near->degree[k] == mine && k < i);
        near->member[rank] = w;
        near->begin[rank] = offsets[w];
        near->length[rank] = mine;
    }
    hd_warp_barrier();
}

/* Whether the row of member i has member j. */
INLINE int hd_near_arc(LOCAL const hd_near *near, GLOBAL const u32 *targets, u32 i, u32 j) {
    return hd_row_find(targets + near->begin[i], near->length[i], near->member[j]) < near->length[i];
}

/* Whether members i < j are joined, in either direction. */
INLINE int hd_near_joined(LOCAL const hd_near *near, GLOBAL const u32 *targets, u32 i, u32 j) {
#if HD_DIRECTED
    return hd_near_arc(near, targets, i, j) || hd_near_arc(near, targets, j, i);
#else
    int shorter = near->length[i] < near->length[j];
    return hd_near_arc(near, targets, shorter ? i : j, shorter ? j : i);
#endif
}

/* Pairs are 0 1, 0 2, 1 2, 0 3 …: the second member, j, of a pair; the first is what j (j - 1) / 2 leaves. It is
 * computed for every pair: PoCL 3.1 takes a variable that lanes only count up for the same in all lanes. */
INLINE u32 hd_near_second(u32 pair) {
    u32 j = 0;
    for (u32 step = HD_CLUSTER_MOST / 2; step; step /= 2)
        j += (j + step) * (j + step - 1) / 2 <= pair ? step : 0;
    return j;
}

/* How many of `all` pairs are not joined; it stops counting above `most`. All lanes call it. */
INLINE u32 hd_near_missing(LOCAL const hd_near *near, LOCAL u32 *scratch, GLOBAL const u32 *targets, u32 all,
                           u32 most) {
    u32 missing = 0;
    for (u32 first = 0; first < all && missing <= most; first += HD_WARP) {
        u32 pair = first + HD_LANE, j = hd_near_second(pair), i = pair - j * (j - 1) / 2, here;
        hd_rank(scratch, pair < all && !hd_near_joined(near, targets, i, j), &here);
        missing += here;
    }
    return missing;
}

/* Of `count` vertices from `first` on; in-edges are not read unless HD_DIRECTED.
 * Both rows are added by one call, and collectives have two scratch arrays: Debian's PoCL 3.1 crashes when it compiles
 * several calls of a function with collectives, all with the same scratch memory. */
KERNEL hd_coefficients(u64 first, u32 count, GLOBAL const u32 *most, GLOBAL const hd_offset *offsets,
                       GLOBAL const u32 *targets, GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets,
                       GLOBAL u32 *words) {
    SHARED hd_near near_all[HD_WARPS];
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH], scratch_pairs[HD_WARPS][HD_SCRATCH];
    LOCAL hd_near *near = &near_all[HD_WARP_HERE];
    for (u64 k = HD_WARP_INDEX; k < count; k += HD_WARP_TOTAL) {
        u32 v = (u32)(first + k), found = 0, all, missing;
        int few = offsets[v + 1] - offsets[v] < HD_CLUSTER_ROW;
        for (u32 in = 0; in <= HD_DIRECTED; in++) {
            u64 begin = in ? in_offsets[v] : offsets[v], end = in ? in_offsets[v + 1] : offsets[v + 1];
            found =
                hd_near_add(near, scratch[HD_WARP_HERE], in ? in_targets : targets, begin, few ? end : begin, v, found);
        }
        found = found >= HD_CLUSTER_LEAST && found + 1 < HD_CLUSTER_MOST ? found : 0;
        hd_near_sort(near, offsets, found);
        all = found ? found * (found - 1) / 2 : 0;
        missing = hd_near_missing(near, scratch_pairs[HD_WARP_HERE], targets, all, most[found]);
        if (HD_LANE == 0)
            words[k] = missing <= most[found] && missing < all ? found << HD_LINK_BITS | (all - missing) : 0;
        hd_warp_barrier();
    }
}
