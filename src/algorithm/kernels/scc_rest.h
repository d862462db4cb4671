/* scc_rest.h - components outside the giant: vertices without a way in or out are peeled off, and the others take
 * signatures, as ECL-SCC does (Alabandi, Sands, Biros and Burtscher, 2023).
 *
 * An undecided vertex's signature is the largest vertex that reaches it and the largest that it reaches, over arcs
 * between undecided vertices of one class. Where the two are the same it is in that vertex's component. The others'
 * signatures are their classes from then on: no component crosses them. */
#define SCC_NONE 0xffffffffu

#define SCC_REST                                                                                                   \
    u32 n, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, \
        GLOBAL const u32 *in_targets, GLOBAL u32 *state, GLOBAL u32 *member, GLOBAL u32 *class_from,               \
        GLOBAL u32 *class_to, GLOBAL u32 *from, GLOBAL u32 *to, GLOBAL u32 *rest, GLOBAL u32 *entries

typedef struct scc_job {
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets, *entries;
    GLOBAL u32 *member;     /* a vertex of the component, the same for all of it; SCC_NONE: undecided */
    GLOBAL u32 *class_from; /* two words make the class */
    GLOBAL u32 *class_to;
    GLOBAL u32 *from; /* the signature */
    GLOBAL u32 *to;
    GLOBAL u32 *changed;
} scc_job;

#define SCC_TAKE_JOB                                                                                  \
    scc_job job;                                                                                      \
    job.offsets = out_offsets, job.targets = out_targets, job.entries = entries, job.member = member; \
    job.class_from = class_from, job.class_to = class_to, job.from = from, job.to = to, job.changed = state

/* The giant is decided, and what has no arcs in or none out; the rest is listed. */
KERNEL scc_split(SCC_REST, GLOBAL const u32 *ahead, GLOBAL const u32 *back) {
    SHARED u32 scratch[HD_WARPS][HD_WARP];
    u32 root = state[SCC_ROOT], lane = HD_LANE;
    (void)out_targets, (void)in_targets, (void)from, (void)to, (void)entries;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = (u32)first + lane;
        int listed = 0;
        if (first + lane < n) {
            u32 reached = ahead[first / 32] >> lane & 1;
            int giant = reached && back[first / 32] >> lane & 1;
            listed = !giant && out_offsets[v] < out_offsets[v + 1] && in_offsets[v] < in_offsets[v + 1];
            member[v] = giant ? root : listed ? SCC_NONE : v;
            class_from[v] = reached;
            class_to[v] = 0;
        }
        scc_list(scratch[HD_WARP_HERE], listed, v, rest, &state[SCC_LISTED]);
    }
}

INLINE int scc_related(const scc_job *job, u32 v, u32 w) {
    return w != v && hd_load32(&job->member[w]) == SCC_NONE && job->class_from[w] == job->class_from[v] &&
           job->class_to[w] == job->class_to[v];
}

SCC_DEFINE_SCAN(scc_scan_related, scc_job, scc_related)

/* Vertices without a related one ahead, or without one behind, are components of their own; the others go to the other
 * list. Lists are the halves of `rest`. */
KERNEL scc_trim(u32 which, SCC_REST) {
    SHARED scc_share share[HD_WARPS];
    LOCAL scc_share *mine = &share[HD_WARP_HERE];
    u32 lane = HD_LANE, count = state[SCC_LISTED + which];
    GLOBAL const u32 *list = rest + (u64)which * n;
    SCC_TAKE_JOB;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = 0;
        u64 begin = 0, end = 0;
        int kept;
        if (first + lane < count) {
            v = list[first + lane];
            begin = out_offsets[v];
            end = out_offsets[v + 1];
        }
        kept = scc_scan_related(&job, mine, out_targets, v, begin, end);
        begin = kept ? (u64)in_offsets[v] : 0;
        end = kept ? (u64)in_offsets[v + 1] : 0;
        kept = scc_scan_related(&job, mine, in_targets, v, begin, end);
        if (first + lane < count && !kept)
            hd_store32(&member[v], v);
        scc_list(mine->walk.scratch, kept, v, rest + (u64)(1 - which) * n, &state[SCC_LISTED + 1 - which]);
    }
}

/* Vertices begin with themselves for signatures; their edges are made entries. */
KERNEL scc_spread(u32 which, SCC_REST) {
    SHARED hd_walk_share share[HD_WARPS];
    u32 lane = HD_LANE, count = state[SCC_LISTED + which];
    (void)out_targets, (void)in_offsets, (void)in_targets, (void)member, (void)class_from, (void)class_to;
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[SCC_LISTED + 1 - which] = 0;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = 0, length = 0;
        if (first + lane < count) {
            v = rest[(u64)which * n + first + lane];
            length = (u32)(out_offsets[v + 1] - out_offsets[v]);
            from[v] = to[v] = v;
        }
        hd_walk_append(&share[HD_WARP_HERE], length != 0, v, length, entries, &state[SCC_ENTRIES]);
    }
}

INLINE hd_entry scc_rest_entry(const scc_job *job, u64 i) { return hd_walk_listed(job->entries, job->offsets, i); }

/* What v has, and what that one has: it reaches v too. */
INLINE u32 scc_larger(GLOBAL u32 *signature, u32 v) {
    u32 mine = hd_load32(&signature[v]), further = hd_load32(&signature[mine]);
    return further > mine ? further : mine;
}

INLINE void scc_compare(const scc_job *job, LOCAL hd_walk_share *share, int there, u32 v, u64 e) {
    (void)share;
    if (there) {
        u32 w = job->targets[e];
        if (scc_related(job, v, w)) {
            u32 before = scc_larger(job->from, v), behind = scc_larger(job->to, w);
            int changed = before > hd_load32(&job->from[w]) && hd_max32(&job->from[w], before) < before;
            changed |= behind > hd_load32(&job->to[v]) && hd_max32(&job->to[v], behind) < behind;
            if (changed)
                hd_store32(job->changed, 1);
        }
    }
}

HD_DEFINE_WALK(scc_compare_all, scc_job, scc_rest_entry, scc_compare)

/* Signatures grow along all arcs, up to `rounds` times, until none does. */
KERNEL scc_grow(u32 round, u32 rounds, SCC_REST) {
    SHARED hd_walk_share share[HD_WARPS];
    u32 end = round + rounds, more = hd_load32(&state[SCC_CHANGED + round % 3]), count = hd_load32(&state[SCC_ENTRIES]),
        spent = 0;
    SCC_TAKE_JOB;
    (void)n, (void)in_offsets, (void)in_targets, (void)rest;
    while (round < end && more && spent < SCC_BUDGET) {
        job.changed = &state[SCC_CHANGED + (round + 1) % 3];
        if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
            hd_store32(&state[SCC_CHANGED + (round + 2) % 3], 0);
        scc_compare_all(&job, &share[HD_WARP_HERE], count);
        hd_grid_barrier(&state[SCC_BARRIER]);
        round++;
        spent += count < SCC_BUDGET ? count : SCC_BUDGET;
        more = hd_load32(&state[SCC_CHANGED + round % 3]);
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[SCC_ROUND] = round;
}

/* Decides where the two are the same; signatures become classes. */
KERNEL scc_settle(u32 which, SCC_REST) {
    SHARED u32 scratch[HD_WARPS][HD_WARP];
    u32 lane = HD_LANE, count = state[SCC_LISTED + which];
    (void)out_offsets, (void)out_targets, (void)in_offsets, (void)in_targets, (void)entries;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = 0;
        int open = 0;
        if (first + lane < count) {
            v = rest[(u64)which * n + first + lane];
            class_from[v] = from[v];
            class_to[v] = to[v];
            open = from[v] != to[v];
            if (!open)
                member[v] = from[v];
        }
        scc_list(scratch[HD_WARP_HERE], open, v, rest + (u64)(1 - which) * n, &state[SCC_LISTED + 1 - which]);
    }
}

/* The smallest of each component. A look at what may be old first: the giant's word is everybody's. */
KERNEL scc_least(u32 n, GLOBAL const u32 *member, GLOBAL u32 *least) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 name = member[i];
        if (least[name] > i && hd_load32(&least[name]) > i)
            hd_min32(&least[name], (u32)i);
    }
}

KERNEL scc_label(u32 n, GLOBAL const u32 *member, GLOBAL const u32 *least, GLOBAL u32 *label) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        label[i] = least[member[i]];
}
