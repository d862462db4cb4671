/* bc_split_walk.cl - betweenness on a split graph, or one with copies of vertices, under a schedule of the user's
 * choice (schedule/walk.cl). Idea: the stages of bc_split.cl, which stands before it; the edges of a stage's vertices
 * are listed, then walked, and what they carry is added by 64-bit atomics, also where a row is gathered: several lanes
 * share it. It is there for named plans. */
typedef struct bcs_job {
    GLOBAL const u32 *list;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
    GLOBAL const u32 *levels;
    GLOBAL f64 *values; /* path counts, or sums */
    u32 n, wanted, gathers;
} bcs_job;

INLINE hd_entry bcs_entry(const bcs_job *job, u64 i) { return hd_walk_listed(job->list, job->offsets, i); }

INLINE void bcs_visit(const bcs_job *job, LOCAL hd_walk_share *share, int there, u32 x, u64 e) {
    (void)share;
    if (there) {
        u32 y = hd_constant(&job->targets[e]);
        if (y >= job->n || job->levels[y] == job->wanted)
            hd_add_f64(&job->values[job->gathers ? x : y], job->values[job->gathers ? y : x]);
    }
}

HD_DEFINE_WALK(bcs_walk_all, bcs_job, bcs_entry, bcs_visit)

/* Lists the entries of a stage; path counts that sums may exceed are reported in either pass. */
KERNEL bcs_list(u32 begin, u32 end, u32 level, u32 listed, GLOBAL const u32 *order, GLOBAL const u32 *levels,
                GLOBAL const hd_offset *offsets, GLOBAL const f64 *sigma, GLOBAL u32 *words, GLOBAL u32 *list) {
    SHARED hd_walk_share all[HD_WARPS];
    LOCAL hd_walk_share *share = &all[HD_WARP_HERE];
    for (u64 first = begin + HD_WARP_INDEX * HD_WARP; first < end; first += HD_WARP_TOTAL * HD_WARP) {
        u64 i = first + HD_LANE;
        u32 x = i >= end ? begin : listed ? order[i] : (u32)i;
        int there = i < end && levels[x] == level;
        if (there && !(sigma[x] < BCS_MOST))
            words[BCS_EXCESS] = 1;
        hd_walk_append(share, there, x, (u32)(offsets[x + 1] - offsets[x]), list, &words[BCS_ENTRIES]);
    }
}

KERNEL bcs_walk(u32 n, u32 wanted, u32 gathers, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
                GLOBAL const u32 *levels, GLOBAL const u32 *words, GLOBAL const u32 *list, GLOBAL f64 *values) {
    SHARED hd_walk_share all[HD_WARPS];
    bcs_job job;
    job.list = list, job.offsets = offsets, job.targets = targets, job.levels = levels, job.values = values;
    job.n = n, job.wanted = wanted, job.gathers = gathers;
    bcs_walk_all(&job, &all[HD_WARP_HERE], words[BCS_ENTRIES]);
}

/* Backward: what the vertices of a stage pass on, from the sums that they received. */
KERNEL bcs_end(u32 begin, u32 end, u32 level, u32 n, u32 listed, GLOBAL const u32 *order, GLOBAL const u32 *levels,
               GLOBAL const f64 *sigma, GLOBAL f64 *sums, GLOBAL f64 *total) {
    BCS_EACH(i, begin, end) {
        u32 x = listed ? order[i] : (u32)i;
        if (levels[x] == level)
            sums[x] = bcs_finish(n, level, x, sums[x], sigma, total);
    }
}
