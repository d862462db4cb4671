/* bc_order.cl - counting sort of the vertices by level, for bc.cl.
 * Idea: histogram, prefix sum, scatter; the same pass counts the vertices and edges of each level and bounds how large
 * path counts may become. The search itself leaves no order: its large levels are bitmaps. */

/* Each group takes a range of vertices, so that the vertices of a level stay nearly in ascending order. */
#define BC_RANGE_BEGIN(total) ((total) / HD_GROUP_TOTAL * HD_GROUP_INDEX)
#define BC_RANGE_END(total) \
    (HD_GROUP_INDEX + 1 == HD_GROUP_TOTAL ? (total) : (total) / HD_GROUP_TOTAL * (HD_GROUP_INDEX + 1))

/* Counts the vertices of each level, into `starts`; those of the first BC_NEAR levels in shared memory first. */
KERNEL bc_count(BC_ARGUMENTS) {
    SHARED u32 near[BC_NEAR];
    SHARED u32 most;
    u64 end = BC_RANGE_END((u64)n);
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE;
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = 0;
    if (lane == 0)
        most = 0;
    hd_group_barrier();
    for (u64 v = BC_RANGE_BEGIN((u64)n) + lane; v < end; v += size) {
        u32 level = levels[v];
        if (level < BC_NEAR)
            hd_add_local(&near[level], 1);
        else if (level != BC_NONE)
            hd_add32(&starts[level], 1);
        if (level >= BC_NEAR && level != BC_NONE && hd_load32(&words[BC_LEVELS]) <= level)
            hd_max32(&words[BC_LEVELS], level + 1);
    }
    hd_group_barrier();
    for (u32 i = lane; i < BC_NEAR; i += size)
        if (near[i]) {
            hd_add32(&starts[i], near[i]);
            hd_max32(&words[BC_LEVELS], i + 1);
        }
}

/* Prefix sum of the counts: where each level begins. Run by one warp. The sum of the bit lengths of the level sizes
 * bounds the bits of a path count. */
KERNEL bc_scan(BC_ARGUMENTS) {
    SHARED u32 scratch[HD_WARP + 2];
    u32 count = hd_load32(&words[BC_LEVELS]), base = 0, all, widths, width_sum = 0;
    count = HD_GROUP_INDEX == 0 && HD_WARP_HERE == 0 ? count : 0;
    for (u32 first = 0; first < count; first += HD_WARP) {
        u32 i = first + HD_LANE, mine = i < count ? starts[i] : 0, place = hd_scan(scratch, mine, &all), width = 0;
        if (i < count)
            starts[i] = cursors[i] = base + place;
        while (width < 32 && mine >> width > 1)
            width++;
        hd_scan(scratch, mine > 1 ? width + 1 : 0, &widths);
        base += all;
        width_sum = width_sum + widths < width_sum ? BC_NONE : width_sum + widths;
    }
    if (count && HD_LANE == 0) {
        starts[count] = base;
        words[BC_BITS] = width_sum;
    }
}

/* Cuts a long row into parts and lists them, so that several warps can share the row. */
INLINE void bc_place_big(const bc_job *job, u32 v, u32 degree) {
    u32 count = (degree + BC_PART - 1) / BC_PART, base = hd_add32(&job->words[BC_PARTS], count);
    u32 k = hd_add32(&job->words[BC_BIGS], 1);
    job->bigs[2 * (u64)k] = v;
    job->bigs[2 * (u64)k + 1] = base;
    for (u32 i = 0; i < count; i++) {
        job->parts[2 * ((u64)base + i)] = v;
        job->parts[2 * ((u64)base + i) + 1] = i;
    }
}

/* Reserves a position in its level's section of `order` for each lane's vertex, with one atomic per level that occurs
 * in the warp. All lanes call it; lanes without such a vertex pass BC_NONE. */
INLINE u32 bc_space(LOCAL u32 *scratch, LOCAL u32 *warp_levels, LOCAL u32 *near, u32 level) {
    u32 lane = HD_LANE, rest = hd_ballot(scratch, level != BC_NONE), place = 0;
    warp_levels[lane] = level;
    hd_warp_barrier();
    while (rest) {
        u32 key = warp_levels[hd_lowest(rest)], same = hd_ballot(scratch, level == key), base = 0;
        if (lane == 0)
            base = hd_add_local(&near[key], hd_popcount(same));
        base = hd_broadcast(scratch, base);
        place = level == key ? base + hd_popcount(same & ((1u << lane) - 1)) : place;
        rest &= ~same;
    }
    hd_warp_barrier();
    return place;
}

#define BC_SPREAD 8u /* counters per level, so that fewer lanes add to the same word */

/* Scatters the vertices into `order`, lists long rows, and counts the edges of each level. */
KERNEL bc_place(BC_ARGUMENTS) {
    SHARED u32 near[BC_NEAR];
    SHARED u32 heavy[BC_NEAR * BC_SPREAD];
    SHARED u32 scratch[HD_WARPS][HD_WARP + 2];
    SHARED u32 warp_levels[HD_WARPS][HD_WARP];
    u64 first = BC_RANGE_BEGIN((u64)n), end = BC_RANGE_END((u64)n);
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE, most = 0;
    BC_MAKE_JOB;
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = 0;
    for (u32 i = lane; i < BC_NEAR * BC_SPREAD; i += size)
        heavy[i] = 0;
    hd_group_barrier();
    for (u64 v = first + lane; v < end; v += size)
        if (levels[v] < BC_NEAR)
            hd_add_local(&near[levels[v]], 1);
    hd_group_barrier();
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = near[i] ? hd_add32(&cursors[i], near[i]) : 0;
    hd_group_barrier();
    for (u64 base = first; base < end; base += size) {
        u64 v = base + lane;
        u32 level = v < end ? levels[v] : BC_NONE, degree = level == BC_NONE ? 0 : bc_degree(&job, (u32)v);
        u32 place = bc_space(scratch[HD_WARP_HERE], warp_levels[HD_WARP_HERE], near, level < BC_NEAR ? level : BC_NONE);
        if (level < BC_NEAR) {
            order[place] = (u32)v;
            hd_add_local(&heavy[level * BC_SPREAD + lane % BC_SPREAD], degree);
        } else if (level != BC_NONE) {
            order[hd_add32(&cursors[level], 1)] = (u32)v;
        }
        most = degree > most ? degree : most;
        if (degree > BC_LONG)
            bc_place_big(&job, (u32)v, degree);
        if (v < end)
            sigma[v] = level == 0; /* 0 but for the source: a push adds to it */
        if (level == 0)
            exponents[v] = 0;
    }
    if (most > hd_load32(&words[BC_MOST]))
        hd_max32(&words[BC_MOST], most);
    hd_group_barrier();
    for (u32 i = lane; i < BC_NEAR; i += size) {
        u32 sum = BC_UNIT - 1;
        for (u32 k = 0; k < BC_SPREAD; k++)
            sum += heavy[i * BC_SPREAD + k];
        if (sum >= BC_UNIT)
            hd_add32(&words[BC_HEAVY + i], sum / BC_UNIT);
    }
}
