/* clusters.cl - neighbourhoods that are iterated in shared memory (graffix/latency.c).
 * Idea: Graffix, section 3: a warp copies the values of a cluster to shared memory, walks the edges inside it several
 * times, and writes back what has changed. It stands behind any schedule: hd_inside follows the kernels of a round,
 * before hd_turn. Vertices of a monotone program that have changed enter the next worklist.
 *
 * Ranks add up over all in-edges, of which a cluster has some. What the others have brought is in the rank that the
 * round has made; edges inside add what their sources have gained since the round began. That is known of members from
 * the last hd_inside (`cluster_values`), or, in the first round, from init(). Members without out-edges keep the rank
 * of the round, as none inside waits for theirs: what they hold is spread over all vertices, by hd_turn, from the
 * round. The others share what they had together after the round: else all ranks would not add up to 1 any more, and
 * that error is the slowest to vanish.
 *
 * `clusters` and `cluster_weights` are as hd_clusters_pack lays them out; values have the places of members there. */
#if HD_IN_PLACE
#define HD_LATEST(job, v) ((job)->values[v])
#else
#define HD_LATEST(job, v) ((job)->next[v])
#endif

typedef struct hd_inside_values {
    hd_value now[HD_CLUSTER_MOST], next[HD_CLUSTER_MOST];
#ifdef HD_RANKS
    hd_value begun[HD_CLUSTER_MOST], made[HD_CLUSTER_MOST]; /* before the round, and by it */
#endif
} hd_inside_values;

INLINE hd_message hd_inside_message(const hd_job *job, u32 e, u32 from, hd_value value, u32 to) {
    hd_outflow degree = job->degrees[from];
#if defined(WEIGHT) && HD_WEIGHT_TYPE
    return hd_made_message(job, (hd_weight)job->cluster_weights[e], from, value, degree, to);
#else
    return hd_made_message(job, (hd_weight)1, from, value, degree, to);
#endif
}

/* Messages of members to member i; the sources of its edges stand at `edges`. */
INLINE hd_message hd_inside_sum(const hd_job *job, LOCAL const hd_inside_values *own, u32 at, u32 count, u32 edges,
                                u32 i) {
    GLOBAL const u32 *member = job->clusters + at + 1, *first = member + count;
    hd_message sum = identity();
    for (u32 e = first[i]; e < first[i + 1]; e++) {
        u32 from = job->clusters[edges + e];
#ifdef HD_RANKS
        hd_value value = own->now[from] - own->begun[from];
#else
        hd_value value = own->now[from];
#endif
        sum = reduce(sum, hd_inside_message(job, e, member[from], value, member[i]));
    }
    return sum;
}

/* Member i, which is vertex v, after one more round. */
INLINE hd_value hd_inside_value(const hd_job *job, const run_info *run, LOCAL const hd_inside_values *own,
                                hd_message sum, u32 i, u32 v) {
#ifdef HD_RANKS
    return HD_OUT_DEGREE(job->degrees[v]) ? (hd_value)((f64)own->made[i] + run->parameter[0] * sum) : own->made[i];
#else
    hd_value value = own->now[i], old = value;
    about me = hd_about(job, v);
    return update(&value, sum, &me, run) ? value : old;
#endif
}

/* Sum of the values that the round made for members with out-edges, divided by the sum of their present values. */
INLINE f64 hd_inside_scale(const hd_job *job, LOCAL const hd_inside_values *own, u32 at, u32 count) {
    f64 scale = 1;
#ifdef HD_RANKS
    f64 made = 0, now = 0;
    for (u32 i = 0; i < count; i++)
        if (HD_OUT_DEGREE(job->degrees[job->clusters[at + 1 + i]])) {
            made += (f64)own->made[i];
            now += (f64)own->now[i];
        }
    scale = now > 0 ? made / now : 1;
#endif
    (void)job, (void)own, (void)at, (void)count;
    return scale;
}

INLINE void hd_inside_begin(const hd_job *job, const run_info *run, LOCAL hd_inside_values *own, u32 place, u32 i) {
    u32 v = job->clusters[place];
    own->now[i] = HD_LATEST(job, v);
#ifdef HD_RANKS
    about me = hd_about(job, v);
    own->made[i] = own->now[i];
    own->begun[i] = run->iteration ? job->cluster_values[place] : init(&me, run);
#else
    (void)run;
#endif
}

/* Writes a member's value back. Returns whether it changed. */
INLINE int hd_inside_end(const hd_job *job, hd_value value, f64 scale, u32 place) {
    u32 v = job->clusters[place];
#ifdef HD_RANKS
    if (HD_OUT_DEGREE(job->degrees[v]))
        value = (hd_value)((f64)value * scale);
#endif
    int news = HD_LATEST(job, v) != value;
    (void)scale;
    if (news)
        HD_LATEST(job, v) = value;
#ifdef HD_SENT
    if (news)
        job->sent_next[v] = hd_sent_of(value, job->degrees[v]);
#endif
#ifdef HD_RANKS
    job->cluster_values[place] = value;
#endif
    return news;
}

/* The members of a cluster; 0 if none of them has changed in this round, where that is known: then nothing is left to
 * do inside, because members that hd_inside has changed were in the worklist of this round. All lanes call it. */
INLINE u32 hd_inside_members(const hd_job *job, LOCAL hd_shared *share, u32 at) {
    u32 count = job->clusters[at];
#if HD_WORKLIST || HD_ACTIVE
    u32 total;
    int news = 0;
    for (u32 i = HD_LANE; i < count; i += HD_WARP) {
        u32 v = job->clusters[at + 1 + i];
        news = news || (hd_load32(&job->queued_next[v / 32]) >> (v % 32) & 1);
    }
    hd_rank(share->scratch, news, &total);
    count = total ? count : 0;
#endif
    (void)share;
    return count;
}

KERNEL hd_inside(HD_ARGUMENTS) {
    SHARED hd_inside_values hd_inside_all[HD_WARPS];
    HD_BEGIN;
    LOCAL hd_inside_values *own = &hd_inside_all[HD_WARP_HERE];
    u32 edges = job.clusters[job.count];
    u64 all = job.words[HD_DONE] ? 0 : job.count;
    (void)share, (void)tally;
    for (u64 k = HD_WARP_INDEX; k < all; k += HD_WARP_TOTAL) {
        u32 at = job.clusters[k], count = hd_inside_members(&job, share, at);
        for (u32 i = lane; i < count; i += HD_WARP)
            hd_inside_begin(&job, &run, own, at + 1 + i, i);
        hd_warp_barrier();
        for (u32 round = 0; round < HD_INSIDE; round++) {
            for (u32 i = lane; i < count; i += HD_WARP)
                own->next[i] = hd_inside_value(&job, &run, own, hd_inside_sum(&job, own, at, count, edges, i), i,
                                               job.clusters[at + 1 + i]);
            hd_warp_barrier();
            for (u32 i = lane; i < count; i += HD_WARP)
                own->now[i] = own->next[i];
            hd_warp_barrier();
        }
        f64 scale = hd_inside_scale(&job, own, at, count);
        for (u32 first = 0; first < count; first += HD_WARP) {
            u32 i = first + lane, v = i < count ? job.clusters[at + 1 + i] : 0;
            int news = i < count ? hd_inside_end(&job, own->now[i], scale, at + 1 + i) : 0;
#if HD_WORKLIST
            news = news && hd_set_bit(job.queued_next, v);
            hd_append(&job, share, news, v);
#elif HD_SPAN && !HD_SETTLES
            hd_end end;
            end.vertex = v, end.group = ~0u;
            if (news)
                hd_flag(&job, hd_activate(&job, end, &tally));
            tally.changes += news ? 1 : 0;
#elif !HD_SETTLES
            if (news)
                hd_store32(&job.words[HD_CHANGED], 1);
#endif
#ifdef HD_RANGE /* hd_spread, which follows, looks at ranges with changes */
            if (news && !job.partials[v / HD_RANGE].changes)
                hd_store32(&job.partials[v / HD_RANGE].changes, 1);
#endif
            (void)v, (void)news;
        }
        hd_warp_barrier();
    }
#if HD_SPAN
    HD_END(HD_NO_SLOT);
#endif
}
