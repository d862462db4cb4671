/* paths_collect.cl - first half of a round of paths.cl: the pending vertices of the window, their edges numbered
 * consecutively.
 * Idea: flags per block instead of a worklist with duplicates; one atomic for a whole group gives queue places and edge
 * numbers together. So there is one atomic for a thousand vertices, and nothing to filter afterwards.
 *
 * A group lists the flagged blocks assigned to it, its warps search them for pending vertices below the bound, and what
 * they find is queued, a vertex to a lane. The label alone mostly shows whether a vertex is pending. */

INLINE void raise_flag(const paths *g, u32 v) {
    if (!g->flags[v / BLOCK])
        g->flags[v / BLOCK] = 1;
}

/* Prefix sum over the warp of numbers up to 2^37; low and high bits are summed separately. */
INLINE u64 scan_packed(LOCAL u32 *scratch, u64 mine, u64 *total) {
    u32 low_total, high_total, low = hd_scan(scratch, (u32)mine & 0xffffu, &low_total);
    u32 high = hd_scan(scratch, (u32)(mine >> 16), &high_total);
    *total = ((u64)high_total << 16) + low_total;
    return ((u64)high << 16) + low;
}
INLINE hd_offset scan_edges(LOCAL u32 *scratch, hd_offset mine, hd_offset *total) {
#ifdef HD_OFFSET_64
    return scan_packed(scratch, mine, total);
#else
    return hd_scan(scratch, mine, total);
#endif
}

/* Reserves queue entries and edge numbers for a warp's rows, with one atomic for the whole group. */
INLINE u64 reserve(const desk *h, GLOBAL u64 *slot, u32 count, hd_offset edges) {
    u64 mine = ((u64)count << EDGE_BITS) + edges;
#if HD_WARPS > 1
    if (HD_LANE == 0)
        h->sums[HD_WARP_HERE] = mine;
    hd_group_barrier();
    if (HD_WARP_HERE == 0) {
        u64 own = HD_LANE < HD_WARPS ? h->sums[HD_LANE] : 0, all_edges, base = 0;
        u32 all, below = hd_scan(h->scratch, (u32)(own >> EDGE_BITS), &all);
        u64 below_edges = scan_packed(h->scratch, own & EDGE_MASK, &all_edges);
        if (HD_LANE == 0 && all)
            base = hd_add64(slot + PATHS_PACKED, ((u64)all << EDGE_BITS) + all_edges);
        base = (u64)hd_broadcast(h->scratch, (u32)(base >> 32)) << 32 | hd_broadcast(h->scratch, (u32)base);
        if (HD_LANE < HD_WARPS)
            h->sums[HD_LANE] = base + ((u64)below << EDGE_BITS) + below_edges;
    }
    hd_group_barrier();
    return h->sums[HD_WARP_HERE];
#else
    if (HD_LANE == 0)
        h->sums[0] = count ? hd_add64(slot + PATHS_PACKED, mine) : 0;
    hd_group_barrier();
    return h->sums[0];
#endif
}

/* Groups of one warp have no stage: their barriers order shared memory only. */
#if HD_WARPS > 1
#define HD_STAGE
#endif

/* Queues the vertex of every lane that has one, if it has edges, and numbers these; PATHS_HYBRID: in any case, and
 * numbers those of its tail. */
#ifdef PATHS_HYBRID
#define QUEUED(has, degree) (has)
#else
#define QUEUED(has, degree) ((degree) != 0)
#endif
INLINE void queue_rows(const paths *g, const desk *h, GLOBAL u64 *slot, u32 i, u32 size) {
    u32 v = i < size && i < LIST ? h->near[i] : 0, count_all;
#ifdef HD_STAGE
    if (i < size && i >= LIST)
        v = g->stage[h->plan[PATHS_STAGED] + i];
#endif
    hd_offset degree = i < size ? g->offsets[v + 1] - g->offsets[v] : 0, edges_all;
    u32 place = hd_scan(h->scratch, QUEUED(i < size, degree), &count_all);
    hd_offset start = scan_edges(h->scratch, degree, &edges_all);
    u64 base = reserve(h, slot, count_all, edges_all);
    place += (u32)(base >> EDGE_BITS);
    start += (hd_offset)(base & EDGE_MASK);
    if (degree > LONG)
        slot[PATHS_ANY_LONG] = 1;
    if (QUEUED(i < size, degree)) {
        g->queue[place] = v;
        g->starts[place] = start;
        for (hd_offset c = (start + CHUNK - 1) / CHUNK; c * CHUNK < start + degree; c++)
            g->table[c] = place;
    }
}

/* A warp lists a block's pending vertices below the bound. Without a stage, vertices that find no room stay pending. */
INLINE void search_block(const paths *g, const desk *h, u32 block, label *lowest) {
    label bound = (label)h->plan[PATHS_BOUND], least = (label)h->plan[PATHS_FLOOR],
          most = (label)h->plan[PATHS_HIGHEST], now[PER];
    u64 first = (u64)block * BLOCK + HD_LANE;
    u32 bits = 0, left = 0;
    for (u32 j = 0; j < PER; j++)
        now[j] = g->labels[first + j * HD_WARP < g->n ? first + j * HD_WARP : 0];
    for (u32 j = 0; j < PER; j++) {
        int pending = first + j * HD_WARP < g->n && now[j] >= least && now[j] < UNREACHED;
        if (pending && now[j] < most)
            pending = now[j] < g->done[first + j * HD_WARP];
        *lowest = pending && now[j] < *lowest ? now[j] : *lowest;
        left |= pending && now[j] >= bound;
        bits |= (u32)(pending && now[j] < bound) << j;
    }
    u32 found = hd_popcount(bits);
#if HD_WARPS > 1 /* one atomic for the warp: those of single lanes would contend */
    u32 total, place = hd_scan(h->scratch, found, &total), base = 0;
    if (HD_LANE == 0 && total)
        base = hd_add_local(h->sizes + COLLECTED, total);
    place += hd_broadcast(h->scratch, base);
#else
    u32 place = found ? hd_add_local(h->sizes + COLLECTED, found) : 0;
#endif
    for (u32 j = 0; j < PER; j++)
        if (bits >> j & 1) {
            u32 v = (u32)(first + j * HD_WARP);
            if (place < LIST)
                h->near[place] = v;
#ifdef HD_STAGE
            else
                g->stage[h->plan[PATHS_STAGED] + place] = v;
            g->done[v] = now[j];
#else
            if (place < LIST)
                g->done[v] = now[j];
            else
                left = 1;
#endif
            place++;
        }
    if (left)
        g->flags[block] = 1;
}

/* Lowers the round's lowest pending label to that of the warp. */
INLINE void lower_slot(const desk *h, GLOBAL u64 *slot, label lowest) {
#ifdef LABEL_64
    u32 high = ~hd_largest(h->scratch, ~(u32)(lowest >> 32));
    u32 low = ~hd_largest(h->scratch, (u32)(lowest >> 32) == high ? ~(u32)lowest : 0);
    u64 least = (u64)high << 32 | low;
#else
    u64 least = ~hd_largest(h->scratch, ~lowest);
#endif
    if (HD_LANE == 0 && least < UNREACHED && least < hd_load64(slot + PATHS_LOWEST))
        hd_min64(slot + PATHS_LOWEST, least);
}

/* Collects the pending vertices of the window. Runs of HD_WARP blocks go to the groups in turn, so that pending
 * vertices with nearby ids are divided among them. */
INLINE void collect(const paths *g, const desk *h) {
    GLOBAL u64 *slot = g->state + h->plan[PATHS_ROUND] % 3 * PATHS_SLOT;
    u64 blocks = ((u64)g->n + BLOCK - 1) / BLOCK, runs = (blocks + HD_WARP - 1) / HD_WARP;
    label lowest = UNREACHED;
    if (HD_GROUP_LANE == 0)
        h->sizes[COLLECTED] = 0;
    for (u64 run = HD_GROUP_INDEX; run < runs; run += HD_GROUP_TOTAL * HD_WARPS) {
        u64 block = (run + HD_WARP_HERE * HD_GROUP_TOTAL) * HD_WARP + HD_LANE;
        hd_group_barrier();
        if (HD_GROUP_LANE == 0)
            h->sizes[LISTED] = 0;
        hd_group_barrier();
        if (block < blocks && g->flags[block]) {
            g->flags[block] = 0;
            h->blocks[hd_add_local(h->sizes + LISTED, 1)] = (u32)block;
        }
        hd_group_barrier();
        u32 listed = h->sizes[LISTED];
        for (u32 item = HD_WARP_HERE; item < listed; item += HD_WARPS)
            search_block(g, h, h->blocks[item], &lowest);
    }
    lower_slot(h, slot, lowest);
    hd_group_barrier();
    u32 size = h->sizes[COLLECTED];
#ifndef HD_STAGE
    if (HD_GROUP_LANE == 0 && size > LIST)
        hd_add64(slot + PATHS_AGAIN, size - LIST);
    size = size < LIST ? size : LIST;
#endif
    for (u32 i = 0; i < size; i += HD_GROUP_SIZE)
        queue_rows(g, h, slot, i + HD_GROUP_LANE, size);
}
