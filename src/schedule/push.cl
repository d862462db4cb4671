/* push.cl - what schedules share when messages go along out-edges: worklist entries, visiting an edge, appending.
 * Idea: the frontier as a queue without duplicates, a bit per vertex telling who is in it; a warp appends with one
 * atomic. Beats walking all vertices in every round (plans without a worklist) wherever few are active.
 *
 * An entry is a vertex with all its out-edges, or, where HD_CHUNK is set, a part of them: at most HD_CHUNK edges, one
 * consecutive or, with HD_COALESCED, strided by the number of the vertex's parts, so that neighbouring lanes read
 * neighbouring edges. A queue holds vertices, or pairs of a vertex and a part's number.
 *
 * There are two queues of senders, read and written in turn, each with a bitmap of the vertices in it. A bit is cleared
 * when its entry is read, in a round in which no lane sets bits of that queue. If messages are accumulated first, a
 * third queue holds the targets. */
typedef struct hd_entry {
    u32 vertex;
    u32 length; /* edges */
    u32 stride;
    u64 edge; /* the first of them */
} hd_entry;

#if !HD_SPAN
INLINE u64 hd_row_at(const hd_job *job, u64 v) { return job->offsets[v]; }
#endif
INLINE u32 hd_degree(const hd_job *job, u64 v) { return (u32)(hd_row_at(job, v + 1) - hd_row_at(job, v)); }

#if HD_CHUNK
INLINE u32 hd_parts(const hd_job *job, u64 v) {
    u32 degree = hd_degree(job, v);
    return degree / HD_CHUNK + (degree % HD_CHUNK != 0);
}

INLINE hd_entry hd_part(const hd_job *job, u32 vertex, u32 index) {
    hd_entry entry;
    u32 degree = hd_degree(job, vertex);
    entry.vertex = vertex;
#if HD_COALESCED
    u32 parts = hd_parts(job, vertex);
    entry.stride = parts;
    entry.edge = hd_row_at(job, vertex) + index;
    entry.length = (degree - index) / parts + ((degree - index) % parts != 0);
#else
    entry.stride = 1;
    entry.edge = hd_row_at(job, vertex) + (u64)index * HD_CHUNK;
    entry.length = MINIMUM(degree - index * HD_CHUNK, (u32)HD_CHUNK);
#endif
    return entry;
}
#endif

/* How many entries there are in this round. */
INLINE u64 hd_entries(const hd_job *job) {
    if (job->words[HD_DONE])
        return 0;
#if HD_SPAN
    return job->end_row - job->first_row;
#elif HD_WORKLIST
    return job->words[HD_COUNT + job->step - 1];
#elif HD_CHUNK && !HD_DYNAMIC
    return job->count;
#else
    return job->n;
#endif
}

/* Entry i; an empty one past the last. */
INLINE hd_entry hd_entry_at(const hd_job *job, u64 i, u64 entries) {
    hd_entry entry;
    entry.vertex = 0, entry.length = 0, entry.stride = 1, entry.edge = 0;
    if (i >= entries)
        return entry;
#if HD_CHUNK && !HD_DYNAMIC && HD_WORKLIST
    entry = hd_part(job, job->queue[2 * i], job->queue[2 * i + 1]);
#elif HD_CHUNK && !HD_DYNAMIC
    entry = hd_part(job, hd_constant(&job->layout[2 * i]), hd_constant(&job->layout[2 * i + 1]));
#else
#if HD_SPAN
    entry.vertex = job->first_row + (u32)i;
#elif HD_WORKLIST
    entry.vertex = job->queue[i];
#else
    entry.vertex = (u32)i;
#endif
    entry.edge = hd_row_at(job, entry.vertex);
    entry.length = hd_degree(job, entry.vertex);
#endif
#if HD_ACTIVE
    if (!hd_is_active(job, entry.vertex))
        entry.length = 0;
#endif
#if HD_WORKLIST && HD_PUSH && !HD_ACCUMULATE
    hd_and32(&job->queued[entry.vertex / 32], ~(1u << (entry.vertex % 32)));
#endif
    return entry;
}

INLINE hd_offset hd_scan_offset(LOCAL u32 *scratch, u32 mine, hd_offset *total) {
#ifdef HD_OFFSET_64
    u32 low_total, high_total;
    u64 low = hd_scan(scratch, mine & 0xffff, &low_total), high = hd_scan(scratch, mine >> 16, &high_total);
    *total = ((u64)high_total << 16) + low_total;
    return (high << 16) + low;
#else
    return hd_scan(scratch, mine, total);
#endif
}

#if HD_WORKLIST
/* Sets a bit. Returns true in the one lane that changed it from 0 to 1. */
INLINE int hd_set_bit(GLOBAL u32 *bits, u32 v) {
    u32 bit = 1u << (v % 32);
    return !(hd_load32(&bits[v / 32]) & bit) && !(hd_or32(&bits[v / 32], bit) & bit);
}

/* Appends the vertices of the lanes that have the flag, with one atomic per warp. */
INLINE void hd_append_vertices(LOCAL hd_shared *share, int flag, u32 v, GLOBAL u32 *queue, GLOBAL u32 *length) {
    u32 total, base = 0, rank = hd_rank(share->scratch, flag, &total);
    HD_IF_UNIFORM(total) {
        if (HD_LANE == 0 && total)
            base = hd_add32(length, total);
        base = hd_broadcast(share->scratch, base);
        if (flag)
            queue[base + rank] = v;
    }
}

/* Appends the entries of these vertices to the next round's queue. */
INLINE void hd_append(const hd_job *job, LOCAL hd_shared *share, int flag, u32 v) {
    GLOBAL u32 *length = &job->words[HD_COUNT + 2 - job->step];
#if HD_CHUNK && !HD_DYNAMIC
    u32 lane = HD_LANE, total, base = 0, any;
    hd_rank(share->scratch, flag, &any);
    HD_IF_UNIFORM(any) {
        u32 before = hd_scan(share->scratch, flag ? hd_parts(job, v) : 0, &total);
        share->ends[lane] = before;
        share->names[lane] = v;
        if (lane == 0 && total)
            base = hd_add32(length, total);
        base = hd_broadcast(share->scratch, base);
        hd_warp_barrier();
        for (u32 i = lane; i < total; i += HD_WARP) {
            u32 owner = hd_search(share->ends, HD_WARP, i);
            job->queue_next[2 * ((u64)base + i)] = share->names[owner];
            job->queue_next[2 * ((u64)base + i) + 1] = i - (u32)share->ends[owner];
        }
        hd_warp_barrier();
    }
#else
    hd_append_vertices(share, flag, v, job->queue_next, length);
#endif
}
#endif

#if HD_PUSH
/* All lanes call this; those with `there` send along edge e of vertex `from`. */
INLINE void hd_visit(const hd_job *job, LOCAL hd_shared *share, const run_info *run, int there, u64 e, u32 from,
                     hd_value value, hd_outflow degree, hd_tally *tally) {
    u32 target = 0;
    int news = 0;
    HD_COUNT_STEP(job, there);
    if (there) {
        target = hd_constant(&job->targets[e]);
#if HD_SPAN
        hd_end end = hd_end_of(job, target);
        target = end.vertex;
#endif
        hd_message message = hd_message_of(job, e, from, value, degree, target);
#if HD_ACCUMULATE
        hd_accumulate(&job->messages[target], message);
#if HD_WORKLIST
        news = hd_set_bit(job->touched_bits, target);
#endif
#else
        news = hd_deliver(job, run, target, message);
#if HD_WORKLIST
        news = news && hd_set_bit(job->queued_next, target);
#else
        tally->changes += news ? 1 : 0;
#endif
#if HD_SPAN
        if (news)
            hd_flag_here(job, hd_activate(job, end, tally));
#endif
#endif
    }
    (void)share, (void)tally, (void)run;
#if HD_WORKLIST
    tally->walked += there ? 1 : 0;
#if HD_ACCUMULATE
    hd_append_vertices(share, news, target, job->touched, &job->words[HD_TOUCHED]);
#else
    hd_append(job, share, news, target);
#endif
#endif
}

/* One lane per entry. The warp takes as many steps as its longest entry has edges. */
INLINE void hd_push_entries(const hd_job *job, LOCAL hd_shared *share, const run_info *run, hd_tally *tally) {
    u64 entries = hd_entries(job);
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < entries; first += HD_WARP_TOTAL * HD_WARP) {
        hd_entry entry = hd_entry_at(job, first + HD_LANE, entries);
        hd_value value = hd_read(&job->values[entry.vertex]);
        hd_outflow degree = job->degrees[entry.vertex];
        u32 most = hd_largest(share->scratch, entry.length);
        for (u32 i = 0; i < most; i++)
            hd_visit(job, share, run, i < entry.length, entry.edge + (u64)i * entry.stride, entry.vertex, value, degree,
                     tally);
    }
}

#if HD_ROWS && !HD_COO
/* A warp takes HD_WARP entries at a time and distributes their edges over its lanes; a lane finds the entry of its edge
 * by binary search in shared memory. */
INLINE void hd_push_segments(const hd_job *job, LOCAL hd_shared *share, const run_info *run, hd_tally *tally) {
    u32 lane = HD_LANE;
    u64 entries = hd_entries(job);
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < entries; first += HD_WARP_TOTAL * HD_WARP) {
        hd_entry entry = hd_entry_at(job, first + lane, entries);
        hd_offset total, start = hd_scan_offset(share->scratch, entry.length, &total);
        hd_warp_barrier();
        share->starts[lane] = start;
        share->firsts[lane] = (hd_offset)entry.edge;
        share->owners[lane] = entry.vertex;
        hd_warp_barrier();
        for (hd_offset at = 0; at < total; at += HD_WARP) {
            hd_offset place = at + lane;
            int there = place < total;
            u32 row = there ? hd_search(share->starts, HD_WARP, place) : 0, v = share->owners[row];
            u64 e = (u64)share->firsts[row] + (place - share->starts[row]);
            hd_visit(job, share, run, there, e, v, hd_read(&job->values[v]), job->degrees[v], tally);
        }
    }
}
#endif
#endif

#if HD_ACCUMULATE
/* Updates the vertices that received messages. */
KERNEL hd_apply(HD_ARGUMENTS) {
    HD_BEGIN;
#if HD_WORKLIST
    u64 vertices = job.words[HD_DONE] ? 0 : job.words[HD_TOUCHED];
#else
    u64 vertices = hd_vertices(&job);
#endif
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < vertices; first += HD_WARP_TOTAL * HD_WARP) {
        u64 v = first + lane;
        int changed = 0;
        if (v < vertices) {
#if HD_WORKLIST
            v = job.touched[v];
            hd_and32(&job.touched_bits[v / 32], ~(1u << (v % 32)));
#endif
            changed = hd_finish(&job, &run, v, job.messages[v], &tally);
            job.messages[v] = identity();
        }
#if HD_SPAN && !HD_SETTLES
        hd_end end;
        end.vertex = (u32)v, end.group = ~0u;
        if (changed)
            hd_flag(&job, hd_activate(&job, end, &tally));
#endif
#if HD_WORKLIST
        hd_append(&job, share, changed, (u32)v);
#endif
    }
    HD_END(HD_WARP_INDEX);
}
#endif
