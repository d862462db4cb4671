/* copies.cl - vertices with copies, which Graffix places beside their neighbours (graffix/coalesce.c). Idea: a copy has
 * out-edges and no in-edges, so only the vertex itself receives messages, and what the program's reduction makes of a
 * vertex and its copies is the vertex' own value. It stands behind any schedule: hd_merge follows the kernels of a
 * round, before hd_turn, and enters copies that have changed in the next worklist.
 *
 * `copies` holds triples: a copy, its vertex, the number of both. All copies of a vertex have the same value. With
 * HD_MEAN all of them get the mean, copies that are not reached left out; where that is the copies' old value
 * already, by rounding, they get the vertex': every merge brings them nearer to it. A vertex of more than one copy
 * is written after all of them have read it, by hd_merge_owners. */
#if HD_IN_PLACE
#define HD_LATEST(job, v) ((job)->values[v])
#else
#define HD_LATEST(job, v) ((job)->next[v])
#endif

/* Step 0: after the last round. */
INLINE int hd_merges(const hd_job *job) {
    u32 every = job->words[HD_EVERY];
    return job->step == 0 || (every && (job->words[HD_ITERATION] + 1) % every == 0);
}
INLINE u64 hd_copy_count(const hd_job *job) { return job->step && job->words[HD_DONE] ? 0 : job->count; }

INLINE void hd_set_merged(const hd_job *job, u32 v, hd_value value) {
    HD_LATEST(job, v) = value;
#ifdef HD_SENT
    job->sent_next[v] = hd_sent_of(value, job->degrees[v]);
#endif
}

INLINE hd_value hd_merged(hd_value copy, hd_value owner, u32 members) {
#if HD_MEAN && !HD_SETTLES
    hd_value mean =
        copy > owner ? copy - (copy - owner) / (hd_value)members : copy + (owner - copy) / (hd_value)members;
    return copy == identity() || mean == copy ? owner : mean;
#else
    (void)copy, (void)members;
    return owner;
#endif
}

KERNEL hd_merge(HD_ARGUMENTS) {
    HD_BEGIN;
    u64 total = hd_copy_count(&job);
    int merges = hd_merges(&job);
    (void)share;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < total; first += HD_WARP_TOTAL * HD_WARP) {
        u64 i = first + lane;
        int news = 0;
        u32 copy = 0;
        if (i < total) {
            copy = job.copies[3 * i];
            hd_value old = HD_LATEST(&job, copy), owner = HD_LATEST(&job, job.copies[3 * i + 1]);
            news = old != owner;
            if (news && merges)
                hd_set_merged(&job, copy, hd_merged(old, owner, job.copies[3 * i + 2]));
        }
        if (news && !merges && job.words[HD_EVERY])
            hd_store32(&job.words[HD_STALE], 1);
        news = news && merges && job.step;
#if HD_WORKLIST
#if HD_PUSH && !HD_ACCUMULATE
        news = news && hd_set_bit(job.queued_next, copy);
#endif
        hd_append(&job, share, news, copy);
#elif HD_SPAN && !HD_SETTLES
        hd_end end;
        end.vertex = copy, end.group = ~0u;
        if (news)
            hd_flag(&job, hd_activate(&job, end, &tally));
        tally.changes += news ? 1 : 0;
#elif !HD_SETTLES
        if (news)
            hd_store32(&job.words[HD_CHANGED], 1);
#endif
#ifdef HD_RANGE /* hd_spread, which follows, looks at ranges with changes */
        if (news && !job.partials[copy / HD_RANGE].changes)
            hd_store32(&job.partials[copy / HD_RANGE].changes, 1);
#endif
    }
#if HD_SPAN
    HD_END(HD_NO_SLOT);
#endif
}

#if HD_MEAN
KERNEL hd_merge_owners(HD_ARGUMENTS) {
    HD_MAKE_JOB;
    u64 total = hd_merges(&job) ? hd_copy_count(&job) : 0;
    for (u64 i = HD_WARP_INDEX * HD_WARP + HD_LANE; i < total; i += HD_WARP_TOTAL * HD_WARP) {
        u32 owner = job.copies[3 * i + 1];
        if (i == 0 || job.copies[3 * i - 2] != owner)
            hd_set_merged(&job, owner, HD_LATEST(&job, job.copies[3 * i]));
    }
}
#endif
