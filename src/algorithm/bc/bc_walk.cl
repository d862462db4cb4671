/* bc_walk.cl - betweenness under a schedule of the user's choice (schedule/walk.cl).
 * Idea: both passes push along edges with 64-bit atomics: forward path counts to neighbours one level down, backward,
 * along in-edges, shares to neighbours one level up. It is there for named plans; plan auto (bc.cl) is faster on every
 * graph measured (bench/notes).
 *
 * Levels and order are those of bc.cl; cursors[level] counts the entries of a level. */
typedef struct bcw_job {
    GLOBAL const u32 *list;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
    GLOBAL const u32 *levels;
    GLOBAL const f64 *from;
    GLOBAL f64 *to;
    u32 wanted; /* the level that receives */
} bcw_job;

INLINE hd_entry bcw_entry(const bcw_job *job, u64 i) { return hd_walk_listed(job->list, job->offsets, i); }

/* Adds a vertex's value to a neighbour at the receiving level. Parallel edges are adjacent and count once. */
INLINE void bcw_visit(const bcw_job *job, LOCAL hd_walk_share *share, int there, u32 v, u64 e) {
    (void)share;
    if (there) {
        u32 w = hd_constant(&job->targets[e]);
        if (job->levels[w] == job->wanted && !(e > job->offsets[v] && hd_constant(&job->targets[e - 1]) == w))
            hd_add_f64(&job->to[w], job->from[v]);
    }
}

HD_DEFINE_WALK(bcw_walk_all, bcw_job, bcw_entry, bcw_visit)

/* Lists the entries of the vertices of a level. */
KERNEL bcw_list(u32 level, GLOBAL const hd_offset *offsets, GLOBAL const u32 *order, GLOBAL const u32 *starts,
                GLOBAL u32 *cursors, GLOBAL u32 *list) {
    SHARED hd_walk_share all[HD_WARPS];
    LOCAL hd_walk_share *share = &all[HD_WARP_HERE];
    u64 end = starts[level + 1];
    for (u64 first = starts[level] + HD_WARP_INDEX * HD_WARP; first < end; first += HD_WARP_TOTAL * HD_WARP) {
        u64 i = first + HD_LANE;
        u32 v = i < end ? order[i] : 0;
        hd_walk_append(share, i < end, v, (u32)(offsets[v + 1] - offsets[v]), list, &cursors[level]);
    }
}

/* Sends the values of a level along all its edges. */
KERNEL bcw_walk(u32 level, u32 wanted, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
                GLOBAL const u32 *levels, GLOBAL const u32 *cursors, GLOBAL const u32 *list, GLOBAL const f64 *from,
                GLOBAL f64 *to) {
    SHARED hd_walk_share all[HD_WARPS];
    bcw_job job;
    job.list = list, job.offsets = offsets, job.targets = targets, job.levels = levels;
    job.from = from, job.to = to, job.wanted = wanted;
    bcw_walk_all(&job, &all[HD_WARP_HERE], cursors[level]);
}

/* Backward, after a level has received all shares: its dependencies, and the shares that it sends itself. */
KERNEL bcw_finish(u32 level, GLOBAL const u32 *order, GLOBAL const u32 *starts, GLOBAL const f64 *sigma,
                  GLOBAL const f64 *received, GLOBAL f64 *shares, GLOBAL f64 *total) {
    u64 end = starts[level + 1];
    for (u64 i = starts[level] + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < end;
         i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = order[i];
        f64 own = sigma[v], delta = own * received[v];
        shares[v] = (1 + delta) / own;
        total[v] += delta;
    }
}
