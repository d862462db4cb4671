/* again.cl - a span that is walked twice in a round, because its edges leave the device after it: what became active in
 * it meanwhile would have to send it again. For monotone programs, whose values are the same in any order.
 *
 * Other queues may activate vertices of the span at any time. Nothing is lost: a lane that activates a vertex changes
 * its value first, then sets its bit (or, without bits, the group's flag); hd_again clears these before the second walk
 * reads any value. A vertex whose bit was cleared is walked with a value at least as new; one whose bit is set later
 * stays active in the next round. The argument `count` is the span's group. Rows cut over several spans do not come
 * here: their group's other spans would miss what is cleared. */
#if HD_ACTIVE
/* Of bitmap word w, the bits of rows first .. end - 1. */
INLINE u32 hd_rows_mask(u64 w, u32 first, u32 end) {
    u32 mask = w == first / 32 ? 0xffffffffu << first % 32 : 0xffffffffu;
    return w == (end - 1) / 32 ? mask & 0xffffffffu >> (31 - (end - 1) % 32) : mask;
}

/* Whether one of these vertices of word w flags its group: see hd_activate. */
INLINE int hd_any_flags(const hd_job *job, u64 w, u32 bits) {
#if HD_SINKS
    for (; bits; bits &= bits - 1)
        if (HD_OUT_DEGREE(job->degrees[w * 32 + hd_lowest(bits)]))
            return 1;
    return 0;
#else
    (void)job, (void)w;
    return bits != 0;
#endif
}
#endif

/* Vertices activated in the span for the next round become active in this one, and no others in it. */
KERNEL hd_again(HD_ARGUMENTS) {
    HD_BEGIN;
#if HD_ACTIVE
    u32 first = job.first_row, end = job.end_row;
    u64 past = end > first ? (end - 1) / 32 + 1 : 0;
    for (u64 w = first / 32 + HD_WARP_INDEX * HD_WARP + lane; w < past; w += HD_WARP_TOTAL * HD_WARP) {
        u32 mask = hd_rows_mask(w, first, end), taken = 0;
        if (hd_load32(&job.queued_next[w]) & mask)
            taken = hd_and32(&job.queued_next[w], ~mask) & mask;
        hd_and32(&job.queued[w], taken | ~mask);
        if (taken)
            hd_or32(&job.queued[w], taken);
        if (hd_any_flags(&job, w, taken))
            hd_store32(hd_mark_of(&job, job.count), 1);
        tally.activated += hd_popcount(taken);
        for (u32 bits = taken; bits; bits &= bits - 1)
            tally.walked += HD_OUT_DEGREE(job.degrees[w * 32 + hd_lowest(bits)]);
    }
    tally = hd_join_lanes(share, tally);
    if (lane == 0 && tally.activated)
        hd_add_active(&job, HD_AGAIN, &tally);
#else
    if (HD_WARP_INDEX == 0 && lane == 0 && hd_load32(&job.flagged[job.count])) {
        hd_store32(&job.flagged[job.count], 0);
        hd_store32(hd_mark_of(&job, job.count), 1);
    }
    (void)tally, (void)share;
#endif
}

#if HD_ACTIVE
/* After all walks: groups that were walked again keep their flag only if a vertex is active. (Kernels write flags when
 * they end, which may be long after hd_again has taken the vertex.) */
KERNEL hd_unflag(HD_ARGUMENTS) {
    HD_BEGIN;
    for (u64 g = HD_WARP_INDEX; g < job.groups; g += HD_WARP_TOTAL) {
        u32 first = hd_group_first(&job, (u32)g), end = hd_group_first(&job, (u32)g + 1), marked = *hd_mark_of(&job, g);
        u64 past = marked && end > first ? (end - 1) / 32 + 1 : 0;
        int found = 0;
        for (u64 w = first / 32 + lane; w < past && !found; w += HD_WARP)
            found = hd_any_flags(&job, w, job.queued_next[w] & hd_rows_mask(w, first, end));
        u32 any = hd_ballot(share->scratch, found);
        if (lane == 0 && marked && !any)
            job.flagged[g] = 0;
    }
    (void)tally;
}
#endif
