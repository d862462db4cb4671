/* clusters.cl - neighbourhoods that are iterated in shared memory (graffix/latency.c).
 * Idea: Graffix, section 3: a warp copies the values of a cluster to shared memory, walks the edges inside it several
 * times, and writes back what has changed. It stands behind any schedule of a monotone program: hd_inside follows the
 * kernels of a round, before hd_turn, and enters vertices that have changed in the next worklist.
 *
 * `clusters` and `cluster_weights` are as hd_clusters_pack lays them out. */
#if HD_IN_PLACE
#define HD_LATEST(job, v) ((job)->values[v])
#else
#define HD_LATEST(job, v) ((job)->next[v])
#endif

typedef struct hd_inside_values {
    hd_value now[HD_CLUSTER_MOST], next[HD_CLUSTER_MOST];
} hd_inside_values;

INLINE hd_message hd_inside_message(const hd_job *job, u32 e, u32 from, hd_value value, u32 to) {
    hd_outflow degree = job->degrees[from];
#if defined(WEIGHT) && HD_WEIGHT_TYPE
    return hd_made_message(job, (hd_weight)job->cluster_weights[e], from, value, degree, to);
#else
    return hd_made_message(job, (hd_weight)1, from, value, degree, to);
#endif
}

/* Member i after one more round. */
INLINE hd_value hd_inside_value(const hd_job *job, const run_info *run, LOCAL const hd_value *now, u32 at, u32 count,
                                u32 sources, u32 i) {
    GLOBAL const u32 *member = job->clusters + at + 1, *first = member + count;
    hd_value value = now[i], old = value;
    hd_message sum = identity();
    for (u32 e = first[i]; e < first[i + 1]; e++) {
        u32 from = job->clusters[sources + e];
        sum = reduce(sum, hd_inside_message(job, e, member[from], now[from], member[i]));
    }
    about me = hd_about(job, member[i]);
    return update(&value, sum, &me, run) ? value : old;
}

KERNEL hd_inside(HD_ARGUMENTS) {
    SHARED hd_inside_values hd_inside_all[HD_WARPS];
    HD_BEGIN;
    LOCAL hd_inside_values *own = &hd_inside_all[HD_WARP_HERE];
    u32 sources = job.clusters[job.count];
    u64 all = job.words[HD_DONE] ? 0 : job.count;
    (void)tally, (void)share;
    for (u64 k = HD_WARP_INDEX; k < all; k += HD_WARP_TOTAL) {
        u32 at = job.clusters[k], count = job.clusters[at];
        for (u32 i = lane; i < count; i += HD_WARP)
            own->now[i] = HD_LATEST(&job, job.clusters[at + 1 + i]);
        hd_warp_barrier();
        for (u32 round = 0; round < HD_INSIDE; round++) {
            for (u32 i = lane; i < count; i += HD_WARP)
                own->next[i] = hd_inside_value(&job, &run, own->now, at, count, sources, i);
            hd_warp_barrier();
            for (u32 i = lane; i < count; i += HD_WARP)
                own->now[i] = own->next[i];
            hd_warp_barrier();
        }
        for (u32 first = 0; first < count; first += HD_WARP) {
            u32 i = first + lane, v = 0;
            int news = 0;
            if (i < count) {
                v = job.clusters[at + 1 + i];
                news = HD_LATEST(&job, v) != own->now[i];
                if (news)
                    HD_LATEST(&job, v) = own->now[i];
            }
#if HD_WORKLIST
            news = news && hd_set_bit(job.queued_next, v);
            hd_append(&job, share, news, v);
#else
            if (news)
                hd_store32(&job.words[HD_CHANGED], 1);
#endif
        }
        hd_warp_barrier();
    }
}
