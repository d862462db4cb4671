/* vnode.cl - schedule vnode: virtual split.
 * Idea: Tigr (Nodehi Sabet, Qiu and Zhao, ASPLOS 2018, sections 4.1 and 4.4): a vertex of many edges is walked as
 * several virtual nodes of at most HD_CHUNK edges, one lane each; its value stays in one place. Beats the other
 * schedules for bfs, sssp and sswp on rmat22 (bench/notes, Schedules on CUDA).
 *
 * The virtual nodes are an array of pairs (vertex, number) made beforehand, and a worklist holds such pairs; or, with
 * HD_DYNAMIC, a warp takes as many vertices as it has lanes and numbers their virtual nodes by a prefix sum. Pull over
 * the array combines partial sums by atomics; the dynamic mapping has a vertex' nodes side by side and reduces them as
 * segments, without. */
#if HD_DYNAMIC
/* Numbers the virtual nodes of the warp's vertices; returns how many there are. */
INLINE hd_offset hd_split_rows(LOCAL hd_shared *share, const hd_entry *entry) {
    u32 lane = HD_LANE, parts = entry->length / HD_CHUNK + (entry->length % HD_CHUNK != 0);
    hd_offset total, start = hd_scan_offset(share->scratch, parts, &total);
    hd_warp_barrier();
    share->starts[lane] = start;
    share->owners[lane] = entry->vertex;
    if (lane == 0)
        share->starts[HD_WARP] = total;
    hd_warp_barrier();
    return total;
}

/* Walks virtual nodes at .. at + HD_WARP - 1 of the warp's vertices, as far as they exist, one per lane. */
INLINE void hd_walk_parts(const hd_job *job, LOCAL hd_shared *share, const run_info *run, hd_offset at, hd_offset total,
                          hd_tally *tally) {
    u32 lane = HD_LANE;
    hd_offset place = at + lane;
    int there = place < total;
    u32 row = there ? hd_search(share->starts, HD_WARP, place) : 0, v = share->owners[row];
    hd_entry part;
    part.vertex = v, part.length = 0, part.stride = 1, part.edge = 0;
    if (there)
        part = hd_part(job, v, (u32)(place - share->starts[row]));
    (void)run, (void)tally;
#if HD_PUSH
    hd_value value = hd_read(&job->values[v]);
    hd_outflow degree = job->degrees[v];
    u32 most = hd_largest(share->scratch, part.length);
    for (u32 i = 0; i < most; i++)
        hd_visit(job, share, run, i < part.length, part.edge + (u64)i * part.stride, v, value, degree, tally);
#else
    hd_message sum = hd_gather(job, v, part.edge, part.edge + (u64)part.length * part.stride, part.stride);
    HD_COUNT_LOOP(job);
    u32 below = there ? (u32)MINIMUM(lane, place - share->starts[row]) : 1;
    u32 above = there ? (u32)MINIMUM(HD_WARP - 1 - lane, share->starts[row + 1] - place - 1) : 0;
    sum = hd_reduce_segment(share, sum, above);
    if (there && below == 0)
        share->sums[row] = reduce(share->sums[row], sum);
    hd_warp_barrier();
#endif
}

KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
    u64 entries = hd_entries(&job);
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < entries; first += HD_WARP_TOTAL * HD_WARP) {
        hd_entry mine = hd_entry_at(&job, first + lane, entries);
        hd_offset total = hd_split_rows(share, &mine);
#if !HD_PUSH
        share->sums[lane] = identity();
        hd_warp_barrier();
#endif
        for (hd_offset at = 0; at < total; at += HD_WARP)
            hd_walk_parts(&job, share, &run, at, total, &tally);
#if !HD_PUSH
        if (first + lane < entries)
            hd_finish(&job, &run, first + lane, share->sums[lane], &tally);
#endif
    }
    HD_END_ROUND;
}
#elif HD_PUSH
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN;
    hd_push_entries(&job, share, &run, &tally);
    HD_END(HD_WARP_INDEX);
}
#else
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN;
    u64 entries = hd_entries(&job);
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < entries; first += HD_WARP_TOTAL * HD_WARP) {
        if (first + lane < entries) {
            hd_entry entry = hd_entry_at(&job, first + lane, entries);
            hd_message sum =
                hd_gather(&job, entry.vertex, entry.edge, entry.edge + (u64)entry.length * entry.stride, entry.stride);
#if HD_ACCUMULATE
            hd_accumulate(&job.messages[entry.vertex], sum);
#else
            tally.changes += hd_deliver(&job, &run, entry.vertex, sum) ? 1 : 0;
#endif
        }
        HD_COUNT_LOOP(&job);
    }
    HD_END(HD_WARP_INDEX);
}
#endif
