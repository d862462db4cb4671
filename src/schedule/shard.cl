/* shard.cl - schedule shard: G-Shards and Concatenated Windows, a group for each shard.
 * Idea: CuSha (Khorasani, Vora, Gupta, Bhuyan, HPDC 2014). Edges carry copies of their sources' values, so that all of
 * global memory is read in order; the price is room for the copies, and writing them. Beats thread on skewed graphs: 16
 * times for bfs on rmat22; on the grid it is slower (bench/notes).
 *
 * A shard holds the edges into a range of HD_RANGE vertices as entries with a copy of their source's value each, so
 * that a round reads memory in order: messages are reduced into the range's slots in shared memory by atomics, vertices
 * are updated, and new values are written to all their copies. Groups have any size; they meet at group barriers only.
 * In relaxed rounds a group writes the copies at once; in strict ones hd_spread does, when all have read theirs.
 *
 * Here the arguments hold
 *   offsets         where each shard's entries begin
 *   targets, weights, splits    of entries: target, weight, and with HD_COPIED_DEGREES the source's out-degree
 *   next            the copies
 *   layout, touched G-Shards: layout[i * shards + j] is where in shard j the window of range i begins; sources of
 *   entries
 *   layout, touched, touched_bits    HD_LISTED, Concatenated Windows: where the list of range i begins; of what is in
 *                   the lists the source, and the entry's place */
#define HD_AHEAD 4u /* entries that a lane has in flight */

#ifdef HD_SENT
typedef hd_sent hd_copy;
#else
typedef hd_value hd_copy;
#endif
#if HD_MESSAGE_BYTES == 4
typedef u32 hd_local_word;
#define HD_SWAP_LOCAL hd_swap32_local
#else
typedef u64 hd_local_word;
#define HD_SWAP_LOCAL hd_swap64_local
#endif
typedef union hd_slot {
    hd_message sum;
    hd_copy copy;
    hd_local_word word; /* gives the alignment that atomics need */
} hd_slot;

#ifdef HD_PART
#define HD_LOCAL_NAME(name) name##_local
#define HD_LOCAL_OF(name) HD_LOCAL_NAME(name)
INLINE void hd_reduce_local(LOCAL hd_message *place, hd_message message) {
    union {
        hd_message whole;
        HD_PART parts[sizeof(hd_message) / sizeof(HD_PART)];
    } bits;
    bits.whole = message;
    for (u32 i = 0; i < sizeof(hd_message) / sizeof(HD_PART); i++)
        HD_LOCAL_OF(HD_ADD_PART)((LOCAL HD_PART *)place + i, bits.parts[i]);
}
#else
INLINE void hd_reduce_local(LOCAL hd_message *place, hd_message message) {
    union {
        hd_message whole;
        hd_local_word word;
    } before, after;
    hd_local_word seen = *(LOCAL volatile hd_local_word *)place;
    do {
        before.word = seen;
        after.whole = reduce(before.whole, message);
        if (after.word == before.word)
            return;
        seen = HD_SWAP_LOCAL((LOCAL hd_local_word *)place, before.word, after.word);
    } while (seen != before.word);
}
#endif

/* HD_PROFILE: counts a step of a warp whose first lane has entry `at`, the next one at + 1, up to `end`. The first lane
 * counts for its warp. Copies made before the first round are not counted. */
INLINE void hd_count_entries(const hd_job *job, u64 at, u64 end) {
#ifdef HD_PROFILE
    u64 place = 2 * (HD_GROUP_INDEX * (HD_GROUP / HD_WARP) + HD_GROUP_LANE / HD_WARP);
    if (job->step && HD_GROUP_LANE % HD_WARP == 0 && at < end) {
        job->walked[place] += MINIMUM(HD_WARP, end - at);
        job->walked[place + 1] += HD_WARP;
    }
#else
    (void)job, (void)at, (void)end;
#endif
}

/* The message of entry e. */
INLINE hd_message hd_entry_message(const hd_job *job, u64 e) {
    GLOBAL const hd_copy *copies = (GLOBAL const hd_copy *)job->next;
#ifdef SEND_EDGE /* never with HD_LISTED */
    u32 from = job->touched[e], to = job->targets[e];
#else
    u32 from = 0, to = 0;
#endif
    (void)from, (void)to;
#ifdef HD_SENT
    return hd_arriving(job, e, copies[e], 0);
#elif defined(HD_COPIED_DEGREES)
    return hd_message_of(job, e, from, hd_read(&copies[e]), job->splits[e], to);
#else
    return hd_message_of(job, e, from, hd_read(&copies[e]), 0, to);
#endif
}

/* Reduces a message into a slot; HD_RANGE stands for no slot. All lanes of a warp call it together. If values settle
 * (HD_SETTLES), lanes with the same slot combine their messages first: many atomics on one address would be
 * serialised. */
#if HD_SETTLES && defined(HD_MATCHES)
HD_DEFINE_TAKE(hd_message, hd_take)
INLINE void hd_reduce_slot(LOCAL hd_slot *slots, u32 slot, hd_message message) {
    u32 lane = HD_LANE, same = hd_match(slot), rank = hd_popcount(same & ((1u << lane) - 1u));
    u32 above = same & (0xfffffffeu << lane);
    int leads = rank == 0 && slot < HD_RANGE;
    while (hd_ballot((LOCAL u32 *)0, above != 0)) { /* tree reduction: every second lane left takes from the next */
        hd_message other = hd_take(message, above ? hd_lowest(above) : lane);
        if (above)
            message = reduce(message, other);
        above &= hd_ballot((LOCAL u32 *)0, !(rank & 1u));
        rank >>= 1;
    }
    if (leads)
        hd_reduce_local(&slots[slot].sum, message);
}
#else
INLINE void hd_reduce_slot(LOCAL hd_slot *slots, u32 slot, hd_message message) {
    if (slot < HD_RANGE)
        hd_reduce_local(&slots[slot].sum, message);
}
#endif

/* Reduces entries at + lane, at + lane + HD_GROUP …, HD_AHEAD of them per lane; all are loaded before the first is
 * used. */
INLINE void hd_gather_entries(const hd_job *job, LOCAL hd_slot *slots, u64 first, u64 at, u64 end) {
    u32 slot[HD_AHEAD];
    hd_message message[HD_AHEAD];
#pragma unroll
    for (u32 i = 0; i < HD_AHEAD; i++) {
        u64 e = at + i * HD_GROUP + HD_GROUP_LANE;
        hd_count_entries(job, e, end);
        slot[i] = e < end ? (u32)(hd_constant(&job->targets[e]) - first) : HD_RANGE;
        message[i] = e < end ? hd_entry_message(job, e) : identity();
    }
#pragma unroll
    for (u32 i = 0; i < HD_AHEAD; i++)
        hd_reduce_slot(slots, slot[i], message[i]);
}

/* The value that is written to all copies of vertex v. */
INLINE hd_copy hd_copy_of(const hd_job *job, u64 v) {
#ifdef HD_SENT
    return job->sent_next[v];
#else
    return hd_read(&job->values[v]);
#endif
}

INLINE void hd_write_copy(const hd_job *job, u64 e, hd_copy copy) {
    GLOBAL hd_copy *copies = (GLOBAL hd_copy *)job->next;
#ifdef HD_SENT
    copies[e] = copy;
#else
    hd_write(&copies[e], copy);
#endif
}

/* Writes the copies of the marked vertices of range `shard`. */
INLINE void hd_write_copies(const hd_job *job, LOCAL const hd_slot *slots, LOCAL const unsigned char *marked, u64 shard,
                            int wanted) {
    u32 first = (u32)shard * HD_RANGE;
#if HD_LISTED
    GLOBAL const hd_offset *lists = (GLOBAL const hd_offset *)job->layout;
    GLOBAL const hd_offset *mapper = (GLOBAL const hd_offset *)job->touched_bits;
    u64 end = wanted ? lists[shard + 1] : 0;
    for (u64 at = wanted ? lists[shard] : 0; at < end; at += HD_AHEAD * HD_GROUP) {
        u32 slot[HD_AHEAD];
#pragma unroll
        for (u32 i = 0; i < HD_AHEAD; i++) {
            u64 k = at + i * HD_GROUP + HD_GROUP_LANE;
            hd_count_entries(job, k, end);
            slot[i] = k < end ? hd_constant(&job->touched[k]) - first : HD_RANGE;
        }
#pragma unroll
        for (u32 i = 0; i < HD_AHEAD; i++)
            if (slot[i] < HD_RANGE && marked[slot[i]])
                hd_write_copy(job, hd_constant(&mapper[at + i * HD_GROUP + HD_GROUP_LANE]), slots[slot[i]].copy);
    }
#else
    u64 shards = wanted ? job->count : 0;
    for (u64 j = HD_GROUP_LANE / HD_WARP; j < shards; j += HD_GROUP / HD_WARP) {
        u64 e = job->offsets[j] + (u64)job->layout[shard * shards + j];
        u64 end = job->offsets[j] + (u64)job->layout[(shard + 1) * shards + j];
        for (e += HD_GROUP_LANE % HD_WARP; e < end; e += HD_WARP) {
            u32 slot = hd_constant(&job->touched[e]) - first;
            hd_count_entries(job, e, end);
            if (marked[slot])
                hd_write_copy(job, e, slots[slot].copy);
        }
    }
#endif
}

/* Joins the lanes' tallies to the shard's; returns how many values changed. */
#if HD_SETTLES
#define HD_TALLIES MINIMUM(64u, HD_GROUP)
#else
#define HD_TALLIES 1
#endif
INLINE u32 hd_report_shard(const hd_job *job, LOCAL hd_tally *tallies, hd_tally tally) {
    u32 lane = HD_GROUP_LANE;
#if HD_SETTLES
    for (u32 part = 0; part < HD_GROUP / HD_TALLIES; part++) {
        if (lane / HD_TALLIES == part)
            tallies[lane % HD_TALLIES] = part ? hd_join(tallies[lane % HD_TALLIES], tally) : tally;
        hd_group_barrier();
    }
    for (u32 distance = HD_TALLIES / 2; distance; distance /= 2) {
        if (lane < distance)
            tallies[lane] = hd_join(tallies[lane], tallies[lane + distance]);
        hd_group_barrier();
    }
#else
    if (lane == 0)
        tallies[0] = hd_nothing();
    hd_group_barrier();
    if (tally.changes)
        hd_or_local(&tallies[0].changes, 1);
    hd_group_barrier();
    if (lane == 0 && tallies[0].changes)
        hd_store32(&job->words[HD_CHANGED], 1);
#endif
    if (lane == 0)
        job->partials[HD_GROUP_INDEX] = tallies[0];
    return tallies[0].changes;
}

KERNEL_OF(HD_GROUP) hd_round(HD_ARGUMENTS) {
    SHARED hd_slot slots[HD_RANGE];
    SHARED unsigned char marked[HD_RANGE];
    SHARED hd_tally tallies[HD_TALLIES];
    HD_MAKE_JOB;
    HD_MAKE_RUN;
    hd_tally tally = hd_nothing();
    u64 shard = HD_GROUP_INDEX, first = shard * HD_RANGE;
    int there = shard < job.count && !job.words[HD_DONE];
    u32 vertices = there ? (u32)MINIMUM(HD_RANGE, job.n - first) : 0;
    u64 begin = there ? job.offsets[shard] : 0, end = there ? job.offsets[shard + 1] : 0;
    for (u32 i = HD_GROUP_LANE; i < vertices; i += HD_GROUP)
        slots[i].sum = identity();
    hd_group_barrier();
    for (u64 at = begin; at < end; at += HD_AHEAD * HD_GROUP)
        hd_gather_entries(&job, slots, first, at, end);
    hd_group_barrier();
    for (u32 i = HD_GROUP_LANE; i < vertices; i += HD_GROUP) {
        marked[i] = hd_finish(&job, &run, first + i, slots[i].sum, &tally) ? 1 : 0;
        slots[i].copy = hd_copy_of(&job, first + i);
    }
    u32 changes = hd_report_shard(&job, tallies, tally);
#if HD_MIXED
    hd_write_copies(&job, slots, marked, shard, there && changes);
#else
    (void)changes;
#endif
}

/* Writes the copies after a strict round, for ranges in which a value changed; before the first round, for all
 * ranges. */
KERNEL_OF(HD_GROUP) hd_spread(HD_ARGUMENTS) {
    SHARED hd_slot slots[HD_RANGE];
    SHARED unsigned char marked[HD_RANGE];
    HD_MAKE_JOB;
    u64 shard = HD_GROUP_INDEX, first = shard * HD_RANGE;
    int there = shard < job.count;
    if (there && job.step)
        there = !job.words[HD_DONE] && job.partials[shard].changes;
    u32 vertices = there ? (u32)MINIMUM(HD_RANGE, job.n - first) : 0;
    for (u32 i = HD_GROUP_LANE; i < vertices; i += HD_GROUP) {
        marked[i] = 1;
        slots[i].copy = hd_copy_of(&job, first + i);
    }
    hd_group_barrier();
    hd_write_copies(&job, slots, marked, shard, there);
}
