/* span.cl - walking a span of rows whose edges passed to the device for this round: residency stream.
 * Idea: Graphie (Han, Mawhirter, Wu and Buland, PACT 2017). Vertices are divided into groups, one for each partition of
 * the edges; a vertex that changes flags its group, and the flags show the host which partitions the next round needs.
 *
 * Stands between common.cl and push.cl. The engine defines
 *   HD_VIRTUAL     targets are virtual ids: a vertex' group is its id / range, the vertex is id - shifts[group], and
 *                  ids from groups * range on belong to vertices of no group. Otherwise shifts are the groups' first
 *                  rows, which are searched
 *   HD_FLAGS       places of flags in shared memory, at least `groups`; 0: flags are set in memory
 *   HD_SOURCES     sources' values are copied to shared memory (coo.cl)
 *   HD_ACTIVE      bits in `queued` mark active vertices, those of the next round go to queued_next;
 *                  otherwise all rows of a partition are walked
 *   HD_SINKS       vertices without edges may be in groups: they do not flag them
 *   HD_AGAIN_ON    spans may be walked again in the same round (again.cl): hd_round then gets the group, plus 1, as
 *                  its count, and `flagged` has a second word for each group */

/* Where row v begins in the span's buffers. Of a row that crosses the ends of the span, only the part inside counts. */
INLINE u64 hd_row_at(const hd_job *job, u64 v) {
    u64 e = job->offsets[v];
    e = e < job->first_edge ? job->first_edge : e > job->end_edge ? job->end_edge : e;
    return e - job->first_edge;
}

/* Sets a bit. Returns true in the one lane that changed it from 0 to 1. */
INLINE int hd_set_bit(GLOBAL u32 *bits, u32 v) {
    u32 bit = 1u << (v % 32);
    return !(hd_load32(&bits[v / 32]) & bit) && !(hd_or32(&bits[v / 32], bit) & bit);
}

INLINE int hd_is_active(const hd_job *job, u32 v) {
#if HD_ACTIVE && HD_AGAIN_ON /* vertices of another span in the same word may be given other bits */
    return hd_load32(&job->queued[v / 32]) >> (v % 32) & 1;
#elif HD_ACTIVE
    return job->queued[v / 32] >> (v % 32) & 1;
#else
    (void)job, (void)v;
    return 1;
#endif
}

/* The first row of a group. */
INLINE u32 hd_group_first(const hd_job *job, u32 group) {
#if HD_VIRTUAL
    return group * job->range - job->shifts[group];
#else
    return job->shifts[group];
#endif
}

/* The group of a vertex, by search; `groups` for one that has none. The last entry of shifts ends the last group. */
INLINE u32 hd_group_of(const hd_job *job, u32 v) {
    u32 low = 0, high = job->groups;
    if (v >= hd_group_first(job, high))
        return high;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (hd_group_first(job, middle) <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The target of an edge, and the target's group; ~0: not known yet. */
typedef struct hd_end {
    u32 vertex, group;
} hd_end;

/* Decodes a stored target. If the group does not follow from the id, it is searched later, where it is needed. */
INLINE hd_end hd_end_of(const hd_job *job, u32 id) {
    hd_end end;
#if HD_VIRTUAL
    end.group = MINIMUM(id / job->range, job->groups);
    end.vertex = id - hd_constant(&job->shifts[end.group]);
#else
    end.group = ~0u;
    end.vertex = id;
#endif
    return end;
}

/* Makes a vertex that has changed active in the next round. Returns the group to flag, or `groups` for none. */
INLINE u32 hd_activate(const hd_job *job, hd_end end, hd_tally *tally) {
    (void)tally;
#if HD_AGAIN_ON
    hd_atomic_fence(); /* the value first, then its bit or flag: see again.cl */
#endif
#if HD_ACTIVE
    if (hd_set_bit(job->queued_next, end.vertex)) {
        tally->activated++;
        tally->walked += HD_OUT_DEGREE(job->degrees[end.vertex]);
    }
#endif
#if HD_SINKS
    if (!HD_OUT_DEGREE(job->degrees[end.vertex]))
        return job->groups;
#endif
    return end.group == ~0u ? hd_group_of(job, end.vertex) : end.group;
}

/* Flags a group of vertices in global memory. */
INLINE void hd_flag(const hd_job *job, u32 group) {
    if (group < job->groups && !hd_load32(&job->flagged[group]))
        hd_store32(&job->flagged[group], 1);
}

/* The same in hd_round, where flags are set in shared memory first if HD_FLAGS is not 0. */
INLINE void hd_flag_here(const hd_job *job, u32 group) {
#if HD_FLAGS
    if (group < job->groups && !job->here[group])
        hd_or_local(&job->here[group], 1);
#else
    hd_flag(job, group);
#endif
}

/* Of a group whose span is to be walked again: whether it has work. Set by hd_again only (again.cl). */
INLINE GLOBAL u32 *hd_mark_of(const hd_job *job, u64 group) { return &job->flagged[job->groups + 1 + group]; }

/* A second walk that has nothing to do ends at once. All lanes see the same: the word is not written now. */
#if HD_AGAIN_ON
#define HD_BEGIN_SPAN                                   \
    if (job.count && !*hd_mark_of(&job, job.count - 1)) \
    job.end_row = job.first_row, job.end_edge = job.first_edge
#else
#define HD_BEGIN_SPAN ((void)0)
#endif

/* Begin and end of hd_round: flags that were set in shared memory are written to global memory at the end. */
#if HD_FLAGS
#define HD_BEGIN_ROUND                                                     \
    SHARED u32 hd_flags_here[HD_FLAGS];                                    \
    HD_BEGIN;                                                              \
    HD_BEGIN_SPAN;                                                         \
    job.here = hd_flags_here;                                              \
    for (u32 hd_i = HD_GROUP_LANE; hd_i < HD_FLAGS; hd_i += HD_GROUP_SIZE) \
        hd_flags_here[hd_i] = 0;                                           \
    hd_group_barrier()
#define HD_END_ROUND                                                         \
    hd_group_barrier();                                                      \
    for (u32 hd_i = HD_GROUP_LANE; hd_i < job.groups; hd_i += HD_GROUP_SIZE) \
        if (hd_flags_here[hd_i])                                             \
            hd_store32(&job.flagged[hd_i], 1);                               \
    HD_END(HD_NO_SLOT)
#else
#define HD_BEGIN_ROUND \
    HD_BEGIN;          \
    HD_BEGIN_SPAN
#define HD_END_ROUND HD_END(HD_NO_SLOT)
#endif
