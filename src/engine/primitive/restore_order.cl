/* restore_order.cl - values of a renamed graph's vertices (rename.cl), permuted back to the ids that the user knows.
 * A gather by `places`; labels of components become the smallest id of their members first. On the H200 it takes some
 * 0.03 ms for values and 0.2 for labels (bench/notes, Renaming). */

KERNEL hd_back_short(u32 n, GLOBAL const u32 *places, GLOBAL const u32 *values, GLOBAL u32 *to) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        to[v] = values[places[v]];
}

KERNEL hd_back_long(u32 n, GLOBAL const u32 *places, GLOBAL const u64 *values, GLOBAL u64 *to) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        to[v] = values[places[v]];
}

/* The label of a component is one of its members; first[label] becomes the smallest original vertex of the component.
 * `first` holds UINT32_MAX before. The load before the atomic saves most atomics: few vertices are smaller than what is
 * already there. */
KERNEL hd_back_least(u32 n, GLOBAL const u32 *names, GLOBAL const u32 *labels, GLOBAL u32 *first) {
    for (u64 p = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; p < n; p += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (names[p] < hd_load32(&first[labels[p]]))
            hd_min32(&first[labels[p]], names[p]);
}

KERNEL hd_back_labels(u32 n, GLOBAL const u32 *places, GLOBAL const u32 *labels, GLOBAL const u32 *first,
                      GLOBAL u32 *to) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        to[v] = first[labels[places[v]]];
}
