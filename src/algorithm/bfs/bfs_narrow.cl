/* bfs_narrow.cl - runs of small bfs levels in one launch, by one thread-block cluster; see bfs.cl.
 * Idea: a small level costs a few memory latencies and a barrier, so the frontier stays in the shared memory of a
 * cluster (bfs_box.cl), whose barrier is cheaper than the grid's. On the grid, 4094 levels, it is what brings bfs to
 * 9.30 ms against 66.6 of the best schedule (bench/notes).
 *
 * Each group keeps what it found, with the rows' offsets, which are loaded together with the claim on the vertex; the
 * claim is on its level. Once in BFS_SHARE levels all entries are dealt out to the groups, in the order of their ids.
 * In between each goes on with its own, and need not know what the others have: so L1 is not emptied, and has the rows
 * and offsets of the next levels where ids have locality. Rows in host memory, which L2 does not keep, cross the bus
 * once then. If a level is too large, the frontier goes to the queue and bfs_wide takes over, which rebuilds the
 * bitmaps. */

/* Adds a vertex to the queue of a depth, and its edges to the depth's record. */
INLINE void bfs_narrow_put(const bfs_job *job, u32 depth, u32 v, u32 degree) {
    GLOBAL u32 *record = bfs_record(job, depth);
    bfs_put(job, depth, v, degree);
    hd_add_f32((GLOBAL f32 *)&record[BFS_EDGES], (f32)degree);
    hd_add_f32((GLOBAL f32 *)&record[BFS_LEFT_EDGES], (f32)degree);
}

/* Starts to load a row, which arrives while the groups wait at the barrier. If it lies in host memory, also what is
 * BFS_BESIDE edges beyond it, as seen from the row at `from` that led to it: if ids have locality, rows of the next
 * levels. */
INLINE void bfs_row_ahead(const bfs_job *job, LOCAL bfs_box *box, u32 flag, hd_offset from, hd_offset first,
                          hd_offset end) {
#if BFS_SPARE
    if (!flag) {
        hd_offset last = job->out_offsets[job->n] - 1, before = first > BFS_BESIDE ? first - BFS_BESIDE : 0;
        hd_offset after = end + BFS_BESIDE < last ? end + BFS_BESIDE : last;
        hd_touch(&box->touched[HD_GROUP_LANE], &job->out_targets[first]);
        hd_touch(&box->touched[HD_GROUP_LANE], &job->out_targets[first < from ? before : after]);
        return;
    }
#endif
    hd_prefetch(bfs_row_at(job, flag, first));
}

/* Adds a vertex to the group's entries of a depth. Prefetches its row, and offsets and levels BFS_AHEAD vertices ahead:
 * if ids have locality, the next levels need them. */
INLINE void bfs_box_push(const bfs_job *job, LOCAL bfs_box *box, u32 depth, u32 v, hd_offset from, hd_offset first,
                         hd_offset end) {
    u32 slot = hd_add_local(&box->counts[depth % 3], 1), degree = (u32)(end - first), flag = 0;
    u32 ahead = v + BFS_AHEAD < job->n ? v + BFS_AHEAD : v;
    /* With fewer heads most rows are longer, and looking up the few others delays their loads. */
    if (HD_HEADS == HD_MOST_HEADS && bfs_is_near(job, v, degree))
        flag = BFS_IN_HEADS, first = bfs_near_row(job, v);
    bfs_row_ahead(job, box, flag, from, first, end);
    hd_prefetch(&job->out_offsets[ahead]);
    hd_prefetch(&job->levels[ahead]);
    if (degree > BFS_NARROW_ROW || slot >= BFS_ROOM)
        box->longs[depth % 3] = 1;
    if (slot < BFS_ROOM) {
        box->entries[depth % 2][slot].vertex = v;
        box->entries[depth % 2][slot].degree = degree | flag;
        box->entries[depth % 2][slot].first = first;
    } else {
        bfs_narrow_put(job, depth, v, degree);
    }
}

/* Claims up to four vertices for a depth, from the row at `from`; BFS_NONE stands for no vertex. All loads and atomics
 * are issued before the first result is used. */
INLINE void bfs_claim(const bfs_job *job, LOCAL bfs_box *box, u32 depth, hd_offset from, const u32 *w) {
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
            bfs_box_push(job, box, depth, w[i], from, first[i], end[i]);
}

/* Expands one level; returns the number of edges of this lane's entries. `apart`: each group takes its own `total`
 * entries; otherwise those that were dealt to it. */
INLINE u32 bfs_narrow_level(const bfs_job *job, LOCAL bfs_box *box, LOCAL bfs_lines *lines, u32 depth, u32 total,
                            u32 apart) {
    u32 lane = HD_LANE, sum = 0;
    for (u32 base = HD_WARP_HERE * HD_WARP; base < total; base += HD_WARPS * HD_WARP) {
        bfs_entry entry;
        GLOBAL const u32 *row;
        u32 rest, own, w[4];
        entry.vertex = 0, entry.degree = 0, entry.first = 0;
        if (base + lane < total && apart)
            entry = box->entries[depth % 2][base + lane];
        else if (base + lane < total)
            entry = bfs_entry_dealt(box, depth, base + lane);
        row = bfs_row_at(job, entry.degree, entry.first);
        entry.degree = bfs_degree_of(entry.degree);
        sum += entry.degree;
        own = entry.degree > BFS_OWN ? 0 : entry.degree;
        for (u32 at = 0; at < own; at += 4) {
            for (u32 i = 0; i < 4; i++)
                w[i] = at + i < own ? hd_constant(&row[at + i]) : BFS_NONE;
            bfs_claim(job, box, depth + 1, entry.first, w);
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
                bfs_claim(job, box, depth + 1, lines->firsts[owner], w);
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
    u32 lane = HD_LANE, count = 0, far = 0, total;
    if (lane < HD_CLUSTER) {
        count = *HD_IN_CLUSTER(u32, &box->counts[depth % 3], lane);
        far = *HD_IN_CLUSTER(u32, &box->longs[depth % 3], lane) | (count > BFS_ROOM);
    }
    hd_scan(lines->scratch, count, &total);
    *over = hd_ballot(lines->scratch, far != 0) != 0 || total > BFS_NARROW_MOST;
    return total;
}

/* Distributes the queue over the groups. */
INLINE void bfs_narrow_load(const bfs_job *job, LOCAL bfs_box *box, u32 depth, u32 count) {
    for (u32 i = HD_GROUP_LANE * HD_CLUSTER + hd_cluster_rank(); i < count; i += HD_GROUP_SIZE * HD_CLUSTER) {
        u32 v = bfs_queue(job, depth)[i];
        bfs_box_push(job, box, depth, v, 0, job->out_offsets[v], job->out_offsets[v + 1]);
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
    if (HD_GROUP_LANE < 2 * HD_CLUSTER)
        box.arrived[HD_GROUP_LANE] = 0;
    hd_cluster_barrier(); /* all have read the words */
    if (first)
        for (u32 i = HD_GROUP_LANE; i < 4 * BFS_RECORD; i += HD_GROUP_SIZE)
            words[BFS_RECORDS + i] = 0;
    bfs_narrow_load(&job, &box, depth, count);
    hd_cluster_barrier();
    total = bfs_narrow_look(&box, lines, depth, &over);
    limit = on ? limit : 0;
    while ((rounds < limit) & (total != 0) & !over) {
        u32 apart = rounds % BFS_SHARE != 0, here = box.counts[depth % 3];
        if (!apart) {
            u32 each = (total + HD_CLUSTER - 1) / HD_CLUSTER, others = each * hd_cluster_rank();
            bfs_deal(&job, &box, lines, depth, each);
            here = others < total ? total - others : 0;
            here = here < each ? here : each;
        }
        if (HD_GROUP_LANE == 0)
            box.counts[(depth + 2) % 3] = box.longs[(depth + 2) % 3] = 0;
        sum += bfs_narrow_level(&job, &box, lines, depth, here, apart);
        depth++;
        rounds++;
        if (rounds % BFS_SHARE == 0) {
            hd_cluster_barrier();
            total = bfs_narrow_look(&box, lines, depth, &over);
        } else {
            over = hd_cluster_meet(box.arrived, rounds, &box.longs[depth % 3]);
        }
    }
    hd_cluster_barrier();
    total = bfs_narrow_look(&box, lines, depth, &over);
    bfs_narrow_store(&job, &box, depth, on);
    if (sum)
        hd_add64(&walked[0], sum);
    if (first && HD_GROUP_LANE == 0)
        bfs_narrow_leave(&job, depth, total, over);
    hd_touch_end();
    hd_cluster_barrier(); /* no group may exit while others read its shared memory */
}
