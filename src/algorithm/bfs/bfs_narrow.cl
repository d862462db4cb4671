/* bfs_narrow.cl - runs of small bfs levels in one launch, by one thread-block cluster; see bfs.cl.
 * Idea: a small level costs a few memory latencies and a barrier, so the frontier stays in the shared memory of a
 * cluster, whose barrier is cheaper than the grid's. On the grid, 4094 levels, it is what brings bfs to 9.30 ms against
 * 66.6 of the best schedule (docs/performance.md).
 *
 * Each group keeps what it found, with the rows' offsets, which are loaded together with the claim on the vertex; the
 * claim is on its level. Once in BFS_SHARE levels the groups redistribute all entries; in between each goes on with its
 * own and need not know what the others have. Once a level is too large, the frontier goes to the queue and bfs_wide
 * takes over: the bitmaps are rebuilt then. */
/* A vertex of the frontier with its row. */
typedef struct bfs_entry {
    u32 vertex;
    u32 degree;      /* with the flag BFS_IN_HEADS if the row is read from `heads` */
    hd_offset first; /* where the row begins there, or in out_targets */
} bfs_entry;

#define BFS_IN_HEADS 0x80000000u /* only with heads: no row of theirs is as long */

INLINE u32 bfs_degree_of(u32 flagged) { return HD_HEADS ? flagged & ~BFS_IN_HEADS : flagged; }

INLINE GLOBAL const u32 *bfs_row_at(const bfs_job *job, u32 degree, hd_offset first) {
#if HD_HEADS
    if (degree & BFS_IN_HEADS)
        return job->heads + first;
#endif
    return job->out_targets + first;
}

/* A group's entries of the frontier, in shared memory. */
typedef struct bfs_box {
    bfs_entry entries[2][BFS_ROOM];
    u32 counts[3]; /* entries, by depth; those beyond BFS_ROOM are in the queue */
    u32 longs[3];  /* by depth: whether a group found a long row, or had no room */
} bfs_box;

typedef struct bfs_lines {
    u32 scratch[HD_WARP + 2];
    u32 lengths[HD_WARP];
    hd_offset firsts[HD_WARP];
    u32 befores[HD_WARP]; /* for each group, the entries of all groups before it */
} bfs_lines;

/* Adds a vertex to the queue of a depth, and its edges to the depth's record. */
INLINE void bfs_narrow_put(const bfs_job *job, u32 depth, u32 v, u32 degree) {
    GLOBAL u32 *record = bfs_record(job, depth);
    bfs_put(job, depth, v, degree);
    hd_add_f32((GLOBAL f32 *)&record[BFS_EDGES], (f32)degree);
    hd_add_f32((GLOBAL f32 *)&record[BFS_LEFT_EDGES], (f32)degree);
}

/* Adds a vertex to the group's entries of a depth. Prefetches its row, and offsets and levels BFS_AHEAD vertices ahead:
 * if ids have locality, the next levels need them, and they arrive while the groups wait at the barrier. */
INLINE void bfs_box_push(const bfs_job *job, LOCAL bfs_box *box, u32 depth, u32 v, hd_offset first, hd_offset end) {
    u32 slot = hd_add_local(&box->counts[depth % 3], 1), degree = (u32)(end - first), flag = 0;
    u32 ahead = v + BFS_AHEAD < job->n ? v + BFS_AHEAD : v;
    if (bfs_is_near(job, v, degree))
        flag = BFS_IN_HEADS, first = bfs_near_row(job, v);
    hd_prefetch(bfs_row_at(job, flag, first));
    hd_prefetch(&job->out_offsets[ahead]);
    hd_prefetch(&job->levels[ahead]);
    if (degree > BFS_NARROW_ROW || slot >= BFS_ROOM) {
        for (u32 i = 0; i < HD_CLUSTER; i++)
            *HD_TO_CLUSTER(u32, &box->longs[depth % 3], i) = 1;
        hd_cluster_fence();
    }
    if (slot < BFS_ROOM) {
        box->entries[depth % 2][slot].vertex = v;
        box->entries[depth % 2][slot].degree = degree | flag;
        box->entries[depth % 2][slot].first = first;
    } else {
        bfs_narrow_put(job, depth, v, degree);
    }
}

/* Claims up to four vertices for a depth; BFS_NONE stands for no vertex. All loads and atomics are issued before the
 * first result is used. */
INLINE void bfs_claim(const bfs_job *job, LOCAL bfs_box *box, u32 depth, const u32 *w) {
    u32 before[4];
    hd_offset first[4], end[4];
    for (u32 i = 0; i < 4; i++) {
        before[i] = 0, first[i] = 0, end[i] = 0;
        if (w[i] != BFS_NONE) {
            first[i] = hd_constant(&job->out_offsets[w[i]]);
            end[i] = hd_constant(&job->out_offsets[w[i] + 1]);
            before[i] = hd_min32(&job->levels[w[i]], depth);
        }
    }
    for (u32 i = 0; i < 4; i++)
        if (before[i] > depth && end[i] > first[i])
            bfs_box_push(job, box, depth, w[i], first[i], end[i]);
}

/* Entry i of the whole frontier: a binary search finds the group that has it. */
INLINE bfs_entry bfs_entry_at(LOCAL const bfs_box *box, LOCAL const bfs_lines *lines, u32 depth, u32 i) {
    u32 group = 0;
    bfs_entry entry;
    for (u32 jump = HD_CLUSTER / 2; jump; jump /= 2)
        group += lines->befores[group + jump] <= i ? jump : 0;
    i -= lines->befores[group];
    entry.vertex = 0; /* callers do not use it */
    entry.degree = HD_IN_CLUSTER(bfs_entry, &box->entries[depth % 2][i], group)->degree;
    entry.first = HD_IN_CLUSTER(bfs_entry, &box->entries[depth % 2][i], group)->first;
    return entry;
}

/* Expands one level; returns the number of edges of this lane's entries. `apart`: each group takes its own `total`
 * entries; otherwise the `total` entries of all groups are divided evenly. */
INLINE u32 bfs_narrow_level(const bfs_job *job, LOCAL bfs_box *box, LOCAL bfs_lines *lines, u32 depth, u32 total,
                            u32 apart) {
    u32 lane = HD_LANE, warps = apart ? HD_WARPS : HD_WARPS * HD_CLUSTER, sum = 0;
    u32 warp = apart ? HD_WARP_HERE : HD_WARP_HERE * HD_CLUSTER + hd_cluster_rank();
    for (u32 base = warp * HD_WARP; base < total; base += warps * HD_WARP) {
        bfs_entry entry;
        GLOBAL const u32 *row;
        u32 rest, own, w[4];
        entry.vertex = 0, entry.degree = 0, entry.first = 0;
        if (base + lane < total && apart)
            entry = box->entries[depth % 2][base + lane];
        else if (base + lane < total)
            entry = bfs_entry_at(box, lines, depth, base + lane);
        row = bfs_row_at(job, entry.degree, entry.first);
        entry.degree = bfs_degree_of(entry.degree);
        sum += entry.degree;
        own = entry.degree > BFS_OWN ? 0 : entry.degree;
        for (u32 at = 0; at < own; at += 4) {
            for (u32 i = 0; i < 4; i++)
                w[i] = at + i < own ? hd_constant(&row[at + i]) : BFS_NONE;
            bfs_claim(job, box, depth + 1, w);
        }
        rest = hd_ballot(lines->scratch, own < entry.degree);
        lines->lengths[lane] = entry.degree;
        lines->firsts[lane] = entry.first;
        hd_warp_barrier();
        while (rest) {
            u32 owner = hd_lowest(rest), length = lines->lengths[owner];
            for (u32 at = lane; at < length; at += 4 * HD_WARP) {
                for (u32 i = 0; i < 4; i++)
                    w[i] = at + i * HD_WARP < length
                               ? hd_constant(&job->out_targets[lines->firsts[owner] + at + i * HD_WARP])
                               : BFS_NONE;
                bfs_claim(job, box, depth + 1, w);
            }
            rest &= rest - 1;
        }
        hd_warp_barrier();
    }
    return sum;
}

/* Counts the entries of all groups; each warp does so by itself. `over`: a group has too many entries for its room,
 * there are too many in all, or a row is long. */
INLINE u32 bfs_narrow_look(LOCAL const bfs_box *box, LOCAL bfs_lines *lines, u32 depth, u32 *over) {
    u32 lane = HD_LANE, count = 0, far = 0, total, before;
    if (lane < HD_CLUSTER) {
        count = *HD_IN_CLUSTER(u32, &box->counts[depth % 3], lane);
        far = *HD_IN_CLUSTER(u32, &box->longs[depth % 3], lane) | (count > BFS_ROOM);
    }
    before = hd_scan(lines->scratch, count, &total);
    *over = hd_ballot(lines->scratch, far != 0) != 0 || total > BFS_NARROW_MOST;
    lines->befores[lane] = before;
    hd_warp_barrier();
    return total;
}

/* Distributes the queue over the groups. */
INLINE void bfs_narrow_load(const bfs_job *job, LOCAL bfs_box *box, u32 depth, u32 count) {
    for (u32 i = HD_GROUP_LANE * HD_CLUSTER + hd_cluster_rank(); i < count; i += HD_GROUP_SIZE * HD_CLUSTER) {
        u32 v = bfs_queue(job, depth)[i];
        bfs_box_push(job, box, depth, v, job->out_offsets[v], job->out_offsets[v + 1]);
    }
}

/* Writes the group's entries back to the queue. */
INLINE void bfs_narrow_store(const bfs_job *job, LOCAL bfs_box *box, u32 depth, u32 on) {
    u32 count = on ? box->counts[depth % 3] : 0;
    count = count < BFS_ROOM ? count : BFS_ROOM;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE)
        bfs_narrow_put(job, depth, box->entries[depth % 2][i].vertex, bfs_degree_of(box->entries[depth % 2][i].degree));
}

/* Stores the state with which the next kernel continues. */
INLINE void bfs_narrow_leave(const bfs_job *job, u32 depth, u32 total, u32 over) {
    GLOBAL u32 *record = bfs_record(job, depth);
    record[BFS_FOUND] = record[BFS_LEFT] = total;
    job->words[BFS_STATE] = !total ? BFS_DONE : over ? BFS_REBUILD : BFS_NARROW;
    job->words[BFS_DEPTH] = depth;
}

/* Runs up to `limit` small levels. Launched as one cluster. */
CLUSTER_KERNEL bfs_narrow(BFS_ARGUMENTS) {
    SHARED bfs_box box;
    SHARED bfs_lines all_lines[HD_WARPS];
    LOCAL bfs_lines *lines = &all_lines[HD_WARP_HERE];
    BFS_MAKE_JOB;
    u32 state = hd_load32(&words[BFS_STATE]), depth = hd_load32(&words[BFS_DEPTH]), rounds = 0, total, over;
    u32 on = state == BFS_NARROW && HD_GROUP_INDEX < HD_CLUSTER, first = on && hd_cluster_rank() == 0;
    u32 count = on ? hd_load32(&bfs_record(&job, depth)[BFS_SMALL]) : 0;
    u64 sum = 0;
    if (HD_GROUP_LANE < 3)
        box.counts[HD_GROUP_LANE] = box.longs[HD_GROUP_LANE] = 0;
    hd_cluster_barrier(); /* all have read the words */
    if (first)
        for (u32 i = HD_GROUP_LANE; i < 4 * BFS_RECORD; i += HD_GROUP_SIZE)
            words[BFS_RECORDS + i] = 0;
    bfs_narrow_load(&job, &box, depth, count);
    hd_cluster_barrier();
    total = bfs_narrow_look(&box, lines, depth, &over);
    limit = on ? limit : 0;
    while ((rounds < limit) & (total != 0) & !over) {
        u32 apart = rounds % BFS_SHARE != 0;
        if (HD_GROUP_LANE == 0)
            box.counts[(depth + 2) % 3] = box.longs[(depth + 2) % 3] = 0;
        sum += bfs_narrow_level(&job, &box, lines, depth, apart ? box.counts[depth % 3] : total, apart);
        depth++;
        rounds++;
        hd_cluster_meet(rounds % BFS_SHARE == 0);
        over = box.longs[depth % 3];
        if (rounds % BFS_SHARE == 0)
            total = bfs_narrow_look(&box, lines, depth, &over);
    }
    hd_cluster_barrier();
    total = bfs_narrow_look(&box, lines, depth, &over);
    bfs_narrow_store(&job, &box, depth, on);
    if (sum)
        hd_add64(&walked[0], sum);
    if (first && HD_GROUP_LANE == 0)
        bfs_narrow_leave(&job, depth, total, over);
    hd_cluster_barrier(); /* no group may exit while others read its shared memory */
}
