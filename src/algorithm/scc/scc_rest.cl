/* scc_rest.cl - strongly connected components outside the giant.
 * Idea: trimming, then signatures by propagation as in ECL-SCC (Alabandi, Sands, Biros and Burtscher, 2023), but with a
 * worklist and with pairs (scc.cl) joined. All components are found at the same time, not one per search.
 *
 * Vertices without a way in or out are trimmed. Sets of pairs count as one vertex. An undecided set's signature is the
 * largest set that reaches it and the largest that it reaches, over arcs between undecided vertices of one class. Where
 * the two are equal it is in that set's component. The others' signatures are their classes from then on: no component
 * crosses them. Only sets whose signature changed propagate it. */
#define SCC_NONE 0xffffffffu

#define SCC_REST                                                                                                   \
    u32 n, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, \
        GLOBAL const u32 *in_targets, GLOBAL u32 *state, GLOBAL u32 *parent, GLOBAL u32 *member,                   \
        GLOBAL u32 *class_from, GLOBAL u32 *class_to, GLOBAL u32 *from, GLOBAL u32 *to, GLOBAL u32 *due,           \
        GLOBAL u32 *rest, GLOBAL u32 *entries, u64 room

typedef struct scc_job {
    GLOBAL const u32 *member;     /* a vertex of the component, the same for all of it; SCC_NONE: undecided */
    GLOBAL const u32 *class_from; /* two words make the class */
    GLOBAL const u32 *class_to;
    GLOBAL const u32 *parent; /* the set */
    /* One direction of propagation. */
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets, *entries;
    GLOBAL u32 *signature;
    GLOBAL u32 *due; /* of a set: last round in which it had news */
    GLOBAL u32 *changed;
    u32 count, round;
} scc_job;

#define SCC_TAKE_JOB                                                                                \
    scc_job job;                                                                                    \
    job.member = member, job.class_from = class_from, job.class_to = class_to, job.parent = parent; \
    job.offsets = out_offsets, job.targets = out_targets, job.entries = entries, job.due = due;     \
    job.signature = from, job.changed = state, job.count = job.round = 0

/* A step reads one worklist, writes the next, and clears the count of the one after that. */
INLINE void scc_clear(GLOBAL u32 *state, u32 step) {
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[SCC_LISTED + (step + 2) % 3] = state[SCC_ENTRIES] = state[SCC_ENTRIES + 1] = 0;
}
#define SCC_STEP(step)                                              \
    GLOBAL const u32 *list = rest + (u64)((step) % 2) * n;          \
    GLOBAL u32 *next = rest + (u64)(((step) + 1) % 2) * n;          \
    GLOBAL u32 *next_count = &state[SCC_LISTED + ((step) + 1) % 3]; \
    u32 lane = HD_LANE, count = state[SCC_LISTED + (step) % 3];     \
    scc_clear(state, step)

/* Decides the giant component and the vertices without in-arcs or without out-arcs. Lists the others, and flattens
 * their sets. */
KERNEL scc_split(SCC_REST, GLOBAL const u32 *ahead, GLOBAL const u32 *back) {
    SHARED u32 scratch[HD_WARPS][HD_WARP];
    u32 root = state[SCC_ROOT], lane = HD_LANE;
    (void)out_targets, (void)in_targets, (void)from, (void)to, (void)due, (void)entries, (void)room;
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
            if (listed)
                hd_store32(&parent[v], set_top(parent, v));
        }
        scc_list(scratch[HD_WARP_HERE], listed, v, rest, &state[SCC_LISTED]);
    }
}

INLINE int scc_related(const scc_job *job, u32 v, u32 w) {
    return w != v && hd_load32(&job->member[w]) == SCC_NONE && job->class_from[w] == job->class_from[v] &&
           job->class_to[w] == job->class_to[v];
}

SCC_DEFINE_SCAN(scc_scan_related, scc_job, scc_related)

/* Examines at most SCC_TRIMMED arcs of the row. */
INLINE int scc_has_related(const scc_job *job, LOCAL scc_share *share, GLOBAL const u32 *targets, u32 v, u64 begin,
                           u64 end) {
    int more = end - begin > SCC_TRIMMED;
    return scc_scan_related(job, share, targets, v, begin, more ? begin + SCC_TRIMMED : end) || more;
}

/* A vertex without an undecided successor of its class, or without such a predecessor, is a component of its own. The
 * others are listed again, and so are those whose rows are too long to check. */
KERNEL scc_trim(u32 step, SCC_REST) {
    SHARED scc_share share[HD_WARPS];
    LOCAL scc_share *mine = &share[HD_WARP_HERE];
    SCC_STEP(step);
    SCC_TAKE_JOB;
    (void)to, (void)room;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        int kept = first + lane < count;
        u32 v = kept ? list[first + lane] : 0;
        for (u32 side = 0; side < 2; side++) {
            GLOBAL const hd_offset *offsets = side ? in_offsets : out_offsets;
            u64 begin = kept ? (u64)offsets[v] : 0, end = kept ? (u64)offsets[v + 1] : 0;
            kept = scc_has_related(&job, mine, side ? in_targets : out_targets, v, begin, end);
        }
        if (first + lane < count && !kept)
            hd_store32(&member[v], v);
        scc_list(mine->walk.scratch, kept, v, next, next_count);
    }
}

/* Each set's signature starts as the set itself. Lists the edges of the step's vertices as entries, out and in. */
KERNEL scc_spread(u32 step, SCC_REST) {
    SHARED hd_walk_share share[HD_WARPS];
    u32 lane = HD_LANE, count = state[SCC_LISTED + step % 3];
    GLOBAL const u32 *list = rest + (u64)(step % 2) * n;
    (void)out_targets, (void)in_targets, (void)member, (void)class_from, (void)class_to;
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        state[SCC_CHANGED] = 1;
        state[SCC_CHANGED + 1] = state[SCC_CHANGED + 2] = 0;
    }
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = 0, leaving = 0, entering = 0;
        if (first + lane < count) {
            v = list[first + lane];
            leaving = (u32)(out_offsets[v + 1] - out_offsets[v]);
            entering = (u32)(in_offsets[v + 1] - in_offsets[v]);
            from[v] = to[v] = parent[v];
            due[v] = 0;
        }
        for (u32 side = 0; side < 2; side++) {
            u32 length = side ? entering : leaving;
            hd_walk_append(&share[HD_WARP_HERE], length != 0, v, length, entries + side * room,
                           &state[SCC_ENTRIES + side]);
        }
    }
}

/* At first all entries have something to propagate. Later few do; then neighbours in the list go to different warps. */
INLINE hd_entry scc_rest_entry(const scc_job *job, u64 i) {
    u64 at = job->round < SCC_DENSE ? i : scc_apart(i);
    hd_entry entry = hd_entry_none();
    if (at < job->count && hd_load32(&job->due[job->parent[job->entries[2 * at]]]) >= job->round)
        entry = hd_walk_listed(job->entries, job->offsets, at);
    return entry;
}

/* Propagates v's signature, and that of the set it names, which reaches v too. Most targets have it already, so a plain
 * read comes before the atomic. */
INLINE void scc_tell(const scc_job *job, LOCAL hd_walk_share *share, int there, u32 v, u64 e) {
    (void)share;
    if (there) {
        u32 w = job->targets[e], mine = job->parent[v], best = hd_load32(&job->signature[mine]);
        u32 further = hd_load32(&job->signature[best]), other = mine;
        best = further > best ? further : best;
        if (job->member[w] == SCC_NONE)
            other = job->parent[w];
        if (other != mine && best > hd_load32(&job->signature[other]) && scc_related(job, v, w) &&
            hd_max32(&job->signature[other], best) < best) {
            hd_store32(&job->due[other], job->round + 1);
            hd_store32(job->changed, 1);
        }
    }
}

HD_DEFINE_WALK(scc_tell_all, scc_job, scc_rest_entry, scc_tell)

/* Propagates signatures along all arcs, for up to `rounds` rounds, until none changes. */
KERNEL scc_grow(u32 round, u32 rounds, SCC_REST) {
    SHARED hd_walk_share share[HD_WARPS];
    u32 end = round + rounds, more = hd_load32(&state[SCC_CHANGED + round % 3]), spent = 0;
    SCC_TAKE_JOB;
    (void)n, (void)rest;
    while (round < end && more && spent < SCC_BUDGET) {
        job.changed = &state[SCC_CHANGED + (round + 1) % 3];
        job.round = round;
        if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
            hd_store32(&state[SCC_CHANGED + (round + 2) % 3], 0);
        for (u32 side = 0; side < 2; side++) {
            job.offsets = side ? in_offsets : out_offsets;
            job.targets = side ? in_targets : out_targets;
            job.entries = entries + side * room;
            job.signature = side ? to : from;
            job.count = hd_load32(&state[SCC_ENTRIES + side]);
            scc_tell_all(&job, &share[HD_WARP_HERE], scc_places(job.count));
        }
        hd_grid_barrier(&state[SCC_BARRIER]);
        round++;
        spent += job.count < SCC_BUDGET ? job.count : SCC_BUDGET;
        more = hd_load32(&state[SCC_CHANGED + round % 3]);
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[SCC_ROUND] = round;
}

/* Decides the sets whose two signatures are equal; for the others the signatures become the class. */
KERNEL scc_settle(u32 step, SCC_REST) {
    SHARED u32 scratch[HD_WARPS][HD_WARP];
    SCC_STEP(step);
    (void)out_offsets, (void)out_targets, (void)in_offsets, (void)in_targets, (void)due, (void)entries, (void)room;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = 0;
        int open = 0;
        if (first + lane < count) {
            v = list[first + lane];
            u32 set = parent[v], before = from[set], behind = to[set];
            class_from[v] = before;
            class_to[v] = behind;
            open = before != behind;
            if (!open)
                member[v] = before;
        }
        scc_list(scratch[HD_WARP_HERE], open, v, next, next_count);
    }
}

/* The smallest vertex of each component. A plain, possibly stale read comes first: all lanes contend for the giant's
 * word. */
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
