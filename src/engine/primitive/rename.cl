/* rename.cl - the rows of a graph whose vertices are renamed, made on the device.
 * Idea: lay the arcs down row by row in the new order and sort them stably by the new name of their target (sort.cl):
 * what comes out are the rows of in-edges, by ascending source. Beats the host (bench/notes, Renaming); small
 * graphs are left to it.
 *
 * `names` are the vertices in their new order, `places` the inverse. */

KERNEL hd_rename_degrees(u32 n, GLOBAL const hd_offset *offsets, GLOBAL u32 *degrees) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        degrees[v] = (u32)(offsets[v + 1] - offsets[v]);
}

/* Adds the in-degrees. */
KERNEL hd_rename_into(u64 arcs, GLOBAL const u32 *targets, GLOBAL u32 *degrees) {
    for (u64 e = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; e < arcs; e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        hd_add32(&degrees[targets[e]], 1);
}

/* Sort keys: the largest degree first; all degrees from `most` on count as equal. */
KERNEL hd_rename_keys(u32 n, u32 most, GLOBAL const u32 *degrees, GLOBAL u32 *keys, GLOBAL u32 *names) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        keys[v] = most - (degrees[v] < most ? degrees[v] : most);
        names[v] = (u32)v;
    }
}

KERNEL hd_rename_places(u32 n, GLOBAL const u32 *names, GLOBAL u32 *places) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        places[names[i]] = (u32)i;
}

/* Row lengths in the new order, then a 0. */
KERNEL hd_rename_lengths(u32 n, GLOBAL const u32 *names, GLOBAL const hd_offset *offsets, GLOBAL u32 *lengths) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i <= n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        lengths[i] = i < n ? (u32)(offsets[names[i] + 1] - offsets[names[i]]) : 0;
}

/* Writes the arcs in the new order of the rows: new target, row and weight. A warp takes one piece of them at a time;
 * `starts` are the offsets of the renamed rows. */
KERNEL hd_rename_arcs(u64 arcs, u32 length, u32 pieces, u32 n, u32 weighted, GLOBAL const hd_offset *starts,
                      GLOBAL const u32 *names, GLOBAL const u32 *places, GLOBAL const hd_offset *offsets,
                      GLOBAL const u32 *targets, GLOBAL const u32 *weights, GLOBAL u32 *keys, GLOBAL u32 *rows,
                      GLOBAL u32 *weights_to) {
    for (u64 piece = HD_WARP_INDEX; piece < pieces; piece += HD_WARP_TOTAL) {
        u64 from = piece * length, to = arcs - from < length ? arcs : from + length;
        u32 low = row_of(starts, 0, n, from), high = row_of(starts, low, n, to - 1) + 1;
        for (u64 arc = from + HD_LANE; arc < to; arc += HD_WARP) {
            u32 row = row_of(starts, low, high, arc);
            u64 old = offsets[names[row]] + (arc - starts[row]);
            keys[arc] = places[targets[old]];
            rows[arc] = row;
            if (weighted)
                weights_to[arc] = weights[old];
            low = row;
        }
    }
}
