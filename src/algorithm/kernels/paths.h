/* paths.h - kernels of shortest and widest paths: labels that improve along edges, best first.
 *
 * Labels are unsigned numbers, smaller is better (engine/path.h). A vertex is pending while its label is below the one
 * it was last expanded with (`done`). Whoever improves a label raises the flag of the vertex's block; a round collects
 * the pending vertices of flagged blocks whose labels lie below the window's bound, with their edges numbered through,
 * and relaxes these edges: either all warps equal shares of them (`wide`), or, where there are few, every group its
 * share of the vertices and what it improves within the window by itself, for many rounds in its own memory (`narrow`).
 * The window grows while rounds have little to do, and shrinks when they have much. Nothing is lost when a queue is
 * full or work is put off: the flag is all that is needed to find a vertex again. */
#define BLOCK (4u * HD_WARP) /* vertices under one flag */
#define CHUNK 256u           /* edges between two entries of `table` */
#define UNROLL 4u            /* edges that a lane has on the way at once */
#define NEAR 1024u           /* vertices in a group's own queue */
#define LOCAL_ROUNDS 32u     /* rounds of a group by itself */
#define NARROW 32768u        /* edges of a round that is done narrow, at most */
#define LONG 256u            /* rows longer than this are for all warps */
#define LITTLE 4096u         /* edges of a round that makes the window grow, */
#define MUCH 16384u          /* and shrink */

/* Places in the state. Three slots of four, used in turn, then the others. */
#define PACKED 0 /* vertices << 36 | edges */
#define LOWEST 1 /* label that is pending */
#define ANY_LONG 2
#define SLOT 4
#define ROUND 12
#define BOUND 13
#define WIDTH 14
#define FINISHED 15
#define LEAST 16 /* width */
#define WALKED 17
#define EXCESS 18
#define BOUNDS 19
#define ROUNDS 20
/* Only in a group's plan: */
#define COUNT 21
#define EDGES 22
#define IS_NARROW 23
#define WITHIN 24 /* the bound this round was collected with */
#define PLAN 25

#define EDGE_BITS 36
#define EDGE_MASK ((1ul << EDGE_BITS) - 1)
#define NOTHING (~(u64)0)

#ifdef HD_OFFSET_64
typedef u64 hd_offset;
#else
typedef u32 hd_offset;
#endif

#ifdef LABEL_64
typedef u64 label;
#define hd_label_load hd_load64
#define hd_label_min hd_min64
#else
typedef u32 label;
#define hd_label_load hd_load32
#define hd_label_min hd_min32
#endif

#ifndef LABEL_FLOAT
#define UNREACHED ((label) ~(label)0)
#elif defined(LABEL_64)
#define UNREACHED ((label)0x7ff0000000000000ul)
#else
#define UNREACHED ((label)0x7f800000u)
#endif

typedef struct paths {
    u32 n;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets, *weights;
    GLOBAL label *labels, *done;
    GLOBAL unsigned char *flags;
    GLOBAL u32 *queue;        /* collected vertices */
    GLOBAL hd_offset *starts; /* the number of a vertex's first edge, over all collected */
    GLOBAL u32 *table;        /* where in the queue every CHUNK-th edge is */
    GLOBAL const label *bounds;
    GLOBAL u64 *state;
} paths;

/* A group's own memory. */
typedef struct desk {
    LOCAL u32 *scratch;               /* of this warp */
    LOCAL hd_offset *starts, *shift;  /* of this warp: rows in its window */
    LOCAL label *labels;              /* of this warp */
    LOCAL u32 *near;                  /* two queues; a list of blocks */
    LOCAL u32 *sizes;                 /* of the queues, in turn; 3: edges walked; 4: blocks listed */
    LOCAL u32 *counts;                /* of the warps */
    LOCAL hd_offset *sums;            /* of the warps */
    LOCAL u64 *plan;
} desk;

#define DESK                                                                                                 \
    SHARED u32 desk_scratch[HD_SCRATCH * HD_WARPS], desk_near[2 * NEAR], desk_sizes[8], desk_counts[HD_WARPS]; \
    SHARED hd_offset desk_starts[HD_WARP * HD_WARPS], desk_shift[HD_WARP * HD_WARPS], desk_sums[HD_WARPS];   \
    SHARED label desk_labels[HD_WARP * HD_WARPS];                                                            \
    SHARED u64 desk_plan[PLAN];                                                                              \
    desk h;                                                                                                  \
    h.scratch = desk_scratch + HD_SCRATCH * HD_WARP_HERE;                                                    \
    h.starts = desk_starts + HD_WARP * HD_WARP_HERE;                                                         \
    h.shift = desk_shift + HD_WARP * HD_WARP_HERE;                                                           \
    h.labels = desk_labels + HD_WARP * HD_WARP_HERE;                                                         \
    h.near = desk_near;                                                                                      \
    h.sizes = desk_sizes;                                                                                    \
    h.counts = desk_counts;                                                                                  \
    h.sums = desk_sums;                                                                                      \
    h.plan = desk_plan

#define ARGUMENTS                                                                                                   \
    u32 n, u32 most, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *weights,         \
        GLOBAL label *labels, GLOBAL label *done, GLOBAL unsigned char *flags, GLOBAL u32 *queue,                   \
        GLOBAL hd_offset *starts, GLOBAL u32 *table, GLOBAL const label *bounds, GLOBAL u64 *state,                 \
        GLOBAL u32 *barrier_word
#define PATHS           \
    paths g;            \
    g.n = n;            \
    g.offsets = offsets; \
    g.targets = targets; \
    g.weights = weights; \
    g.labels = labels;  \
    g.done = done;      \
    g.flags = flags;    \
    g.queue = queue;    \
    g.starts = starts;  \
    g.table = table;    \
    g.bounds = bounds;  \
    g.state = state

/* ---- Labels ----------------------------------------------------------------------------------------------------- */

#ifdef PATH_WIDE
/* The label of a path that is one edge. */
INLINE label edge_label(u32 bits) {
#if HD_WEIGHT_TYPE == 3
    bits = hd_f32_bits(hd_bits_f32(bits) + 0.0f); /* -0 is 0 */
    return bits >> 31 ? bits : ~bits & 0x7fffffffu;
#else
#if HD_WEIGHT_TYPE == 2
    bits ^= 0x80000000u;
#endif
#ifdef LABEL_64
    return (1ul << 32) - bits;
#else
    return ~bits;
#endif
#endif
}
#endif

/* What a label becomes along an edge. A number that is no label of this size: UNREACHED, and `excess` is raised. */
INLINE label along(label from, u32 bits, u32 *excess) {
#if defined(PATH_WIDE)
    label edge = edge_label(bits);
    *excess |= edge == UNREACHED;
    return from > edge ? from : edge;
#elif defined(LABEL_FLOAT) && defined(LABEL_64)
    (void)excess;
    return hd_f64_bits(hd_bits_f64(from) + (f64)hd_bits_f32(bits));
#elif defined(LABEL_FLOAT)
    (void)excess;
    return hd_f32_bits(hd_bits_f32(from) + hd_bits_f32(bits));
#elif defined(LABEL_64)
    (void)excess;
    return from + bits;
#else
    u32 over = bits >= UNREACHED - from;
    *excess |= over;
    return over ? UNREACHED : from + bits;
#endif
}

/* A window of this width from a label on ends here; always behind the label. Widths are in the state's words: of
 * labels, as bits of an f32, or for widest paths numbers of bounds. */
INLINE label window_end(const paths *g, label from, u64 width) {
#if defined(PATH_WIDE)
    u64 low = 0, count = g->state[BOUNDS], last = count;
    while (count) { /* the first bound above */
        u64 middle = count / 2;
        int right = g->bounds[low + middle] <= from;
        low = right ? low + middle + 1 : low;
        count = right ? count - middle - 1 : middle;
    }
    low += width - 1;
    return low < last ? g->bounds[low] : UNREACHED;
#elif defined(LABEL_FLOAT)
#ifdef LABEL_64
    label end = hd_f64_bits(hd_bits_f64(from) + (f64)hd_bits_f32((u32)width));
#else
    label end = hd_f32_bits(hd_bits_f32(from) + hd_bits_f32((u32)width));
#endif
    (void)g;
    return end > from ? end : from + 1;
#else
    (void)g;
    return width >= UNREACHED - from ? UNREACHED : (label)(from + width);
#endif
}

INLINE u64 wider(u64 width) {
#ifdef LABEL_FLOAT
    f32 now = hd_bits_f32((u32)width);
    return now < 1e37f ? hd_f32_bits(now * 2) : width;
#else
    return width < (1ul << 40) ? width * 2 : width;
#endif
}

INLINE u64 narrower(u64 width, u64 least) {
#ifdef LABEL_FLOAT
    f32 middle = hd_bits_f32((u32)width) / 2, low = hd_bits_f32((u32)least);
    return hd_f32_bits(middle > low ? middle : low);
#else
    return width / 2 > least ? width / 2 : least;
#endif
}

/* ---- Collecting ------------------------------------------------------------------------------------------------- */

INLINE void raise_flag(const paths *g, u32 v) {
    if (!g->flags[v / BLOCK])
        g->flags[v / BLOCK] = 1;
}

INLINE hd_offset scan_edges(LOCAL u32 *scratch, hd_offset mine, hd_offset *total) {
#ifdef HD_OFFSET_64
    u32 low_total, high_total, low = hd_scan(scratch, (u32)mine & 0xffffu, &low_total);
    u32 high = hd_scan(scratch, (u32)(mine >> 16), &high_total);
    *total = ((u64)high_total << 16) + low_total;
    return ((u64)high << 16) + low;
#else
    return hd_scan(scratch, mine, total);
#endif
}

/* Places for a warp's finds in the queue and among the edges: one request for the whole group. */
INLINE u64 reserve(const desk *h, GLOBAL u64 *slot, u32 count, hd_offset edges) {
    u32 lane = HD_LANE, all, before = lane < HD_WARPS ? 1 : 0;
    hd_offset sum;
    if (lane == 0) {
        h->counts[HD_WARP_HERE] = count;
        h->sums[HD_WARP_HERE] = edges;
    }
    hd_group_barrier();
    HD_IF_UNIFORM(HD_WARP_HERE == 0) {
        u32 above = hd_scan(h->scratch, before ? h->counts[lane] : 0, &all);
        hd_offset above_edges = scan_edges(h->scratch, before ? h->sums[lane] : 0, &sum);
        if (before) {
            h->counts[lane] = above;
            h->sums[lane] = above_edges;
        }
        if (lane == 0)
            h->plan[PACKED] = all ? hd_add64(slot + PACKED, ((u64)all << EDGE_BITS) + sum) : 0;
    }
    hd_group_barrier();
    return h->plan[PACKED] + ((u64)h->counts[HD_WARP_HERE] << EDGE_BITS) + h->sums[HD_WARP_HERE];
}

/* One block for each warp: what is pending and below the bound goes to the queue. */
INLINE void collect_blocks(const paths *g, const desk *h, GLOBAL u64 *slot, u32 item, u32 listed, label bound,
                           label *lowest) {
    int has = item < listed, keep = 0, is_long = 0;
    u64 first = has ? (u64)h->near[item] * BLOCK + HD_LANE : 0;
    label now[4];
    hd_offset degree[4], edges = 0, edges_all;
    u32 count = 0, count_all;
    for (u32 j = 0; j < 4; j++) {
        u64 v = first + j * HD_WARP;
        int there = has && v < g->n;
        label old = there ? g->done[v] : 0;
        now[j] = there ? g->labels[v] : 0;
        int pending = there && now[j] < old;
        *lowest = pending && now[j] < *lowest ? now[j] : *lowest;
        keep |= pending && now[j] >= bound;
        degree[j] = 0;
        if (pending && now[j] < bound) {
            degree[j] = g->offsets[v + 1] - g->offsets[v];
            g->done[v] = now[j];
        }
    }
    for (u32 j = 0; j < 4; j++) {
        count += degree[j] != 0;
        edges += degree[j];
        is_long |= degree[j] > LONG;
    }
    if (keep)
        g->flags[h->near[item]] = 1;
    if (is_long)
        slot[ANY_LONG] = 1;
    u32 place = hd_scan(h->scratch, count, &count_all);
    hd_offset start = scan_edges(h->scratch, edges, &edges_all);
    u64 base = reserve(h, slot, count_all, edges_all);
    place += (u32)(base >> EDGE_BITS);
    start += (hd_offset)(base & EDGE_MASK);
    for (u32 j = 0; j < 4; j++)
        if (degree[j]) {
            g->queue[place] = (u32)(first + j * HD_WARP);
            g->starts[place] = start;
            for (hd_offset c = (start + CHUNK - 1) / CHUNK; c * CHUNK < start + degree[j]; c++)
                g->table[c] = place;
            start += degree[j];
            place++;
        }
}

INLINE void lower_slot(const desk *h, GLOBAL u64 *slot, label lowest) {
#ifdef LABEL_64
    u32 high = ~hd_largest(h->scratch, ~(u32)(lowest >> 32));
    u32 low = ~hd_largest(h->scratch, (u32)(lowest >> 32) == high ? ~(u32)lowest : 0);
    u64 least = (u64)high << 32 | low;
#else
    u64 least = ~hd_largest(h->scratch, ~lowest);
#endif
    if (HD_LANE == 0 && least < UNREACHED && least < hd_load64(slot + LOWEST))
        hd_min64(slot + LOWEST, least);
}

/* Runs of HD_WARP blocks go round the groups, so that neighbours are shared out. */
INLINE void collect(const paths *g, const desk *h, GLOBAL u64 *slot, label bound) {
    u64 blocks = ((u64)g->n + BLOCK - 1) / BLOCK, runs = (blocks + HD_WARP - 1) / HD_WARP;
    label lowest = UNREACHED;
    for (u64 run = HD_GROUP_INDEX; run < runs; run += HD_GROUP_TOTAL * HD_WARPS) {
        u64 block = (run + HD_WARP_HERE * HD_GROUP_TOTAL) * HD_WARP + HD_LANE;
        hd_group_barrier();
        if (HD_GROUP_LANE == 0)
            h->sizes[4] = 0;
        hd_group_barrier();
        if (block < blocks && g->flags[block]) {
            g->flags[block] = 0;
            h->near[hd_add_local(h->sizes + 4, 1)] = (u32)block;
        }
        hd_group_barrier();
        u32 listed = h->sizes[4];
        for (u32 item = 0; item < listed; item += HD_WARPS)
            collect_blocks(g, h, slot, item + HD_WARP_HERE, listed, bound, &lowest);
    }
    lower_slot(h, slot, lowest);
}

/* ---- Relaxing --------------------------------------------------------------------------------------------------- */

/* Which of the window's rows the edge of that number belongs to. */
INLINE u32 owner_of(const desk *h, hd_offset number) {
    u32 owner = 0;
    for (u32 step = HD_WARP / 2; step; step /= 2)
        owner += h->starts[owner + step] <= number ? step : 0;
    return owner;
}

INLINE u32 weight_of(const paths *g, hd_offset k) {
#if HD_WEIGHT_TYPE == 0
    (void)g, (void)k;
    return 1;
#else
    return hd_constant(g->weights + k);
#endif
}

/* Edges from .. to of the window. A look at the old label, perhaps an older one, saves most atomics. */
INLINE void relax_window(const paths *g, const desk *h, hd_offset from, hd_offset to, u32 *excess) {
    for (; from < to; from += HD_WARP * UNROLL) {
        u32 target[UNROLL];
        label fresh[UNROLL], old[UNROLL];
        for (u32 j = 0; j < UNROLL; j++) {
            hd_offset number = from + j * HD_WARP + HD_LANE;
            target[j] = 0;
            fresh[j] = UNREACHED;
            if (number < to) {
                u32 owner = owner_of(h, number);
                hd_offset k = h->shift[owner] + number;
                target[j] = hd_constant(g->targets + k);
                fresh[j] = along(h->labels[owner], weight_of(g, k), excess);
            }
        }
        for (u32 j = 0; j < UNROLL; j++)
            old[j] = fresh[j] < UNREACHED ? g->labels[target[j]] : 0;
        for (u32 j = 0; j < UNROLL; j++)
            if (fresh[j] < old[j] && fresh[j] < hd_label_min(g->labels + target[j], fresh[j]))
                raise_flag(g, target[j]);
    }
}

/* Every warp takes spans of equal length of all edges of the queue. */
INLINE void relax_wide(const paths *g, const desk *h, u64 count, u64 edges) {
    u64 span = CHUNK;
    u32 excess = 0;
    while (span > HD_WARP && edges < span * HD_WARP_TOTAL)
        span /= 2;
    for (u64 at = HD_WARP_INDEX * span; at < edges; at += HD_WARP_TOTAL * span) {
        u64 end = at + span < edges ? at + span : edges;
        u64 first = g->table[at / CHUNK];
        for (u64 from = at; from < end; first += HD_WARP) {
            u64 i = first + HD_LANE;
            hd_offset start = (hd_offset)edges, after = (hd_offset)(first + HD_WARP < count ? g->starts[first + HD_WARP] : edges);
            hd_offset shift = 0;
            label mine = 0;
            if (i < count) {
                u32 v = g->queue[i];
                start = g->starts[i];
                shift = g->offsets[v] - start;
                mine = g->done[v];
            }
            hd_warp_barrier();
            h->starts[HD_LANE] = start;
            h->shift[HD_LANE] = shift;
            h->labels[HD_LANE] = mine;
            hd_warp_barrier();
            u64 to = after < end ? after : end;
            relax_window(g, h, (hd_offset)from, (hd_offset)to, &excess);
            from = to > from ? to : from;
        }
    }
    if (excess)
        g->state[EXCESS] = 1;
}

/* Follows the edges of a window of the group's queue; improved vertices go to its other queue, or are flagged. */
INLINE void relax_near(const paths *g, const desk *h, u32 total, u32 round, label bound, u32 *excess) {
    LOCAL u32 *next = h->near + (round + 1) % 2 * NEAR, *size = h->sizes + (round + 1) % 3;
    for (u32 number = HD_LANE; number < total; number += HD_WARP) {
        u32 owner = owner_of(h, number);
        hd_offset k = h->shift[owner] + number;
        u32 target = hd_constant(g->targets + k);
        label fresh = along(h->labels[owner], weight_of(g, k), excess);
        if (fresh < UNREACHED && fresh < hd_label_min(g->labels + target, fresh)) {
            u32 place = fresh < bound ? hd_add_local(size, 1) : NEAR;
            if (place < NEAR)
                next[place] = target;
            else
                raise_flag(g, target);
        }
    }
}

/* One warp's share of the group's queue, at most HD_WARP vertices. */
INLINE void expand_near(const paths *g, const desk *h, u32 at, u32 each, u32 size, u32 round, label bound,
                        u32 *excess) {
    u32 i = at + HD_LANE, degree = 0, total;
    hd_offset begin = 0;
    label mine = 0;
    if (HD_LANE < each && i < size) {
        u32 v = h->near[round % 2 * NEAR + i];
        mine = hd_label_load(g->labels + v);
        label before = hd_label_load(g->done + v);
        begin = g->offsets[v];
        hd_offset length = g->offsets[v + 1] - begin;
        if (length > LONG) {
            if (mine < before)
                raise_flag(g, v);
        } else if (round == 0 || mine < before) {
            degree = (u32)length;
            g->done[v] = mine;
        }
    }
    u32 start = hd_scan(h->scratch, degree, &total);
    hd_warp_barrier();
    h->starts[HD_LANE] = start;
    h->shift[HD_LANE] = begin - start;
    h->labels[HD_LANE] = mine;
    hd_warp_barrier();
    relax_near(g, h, total, round, bound, excess);
    if (HD_LANE == 0)
        hd_add_local(h->sizes + 3, total);
}

/* The group's share of the queue, and what follows from it within the window. */
INLINE void relax_narrow(const paths *g, const desk *h, u64 count, label bound) {
    u64 first = count * HD_GROUP_INDEX / HD_GROUP_TOTAL, last = count * (HD_GROUP_INDEX + 1) / HD_GROUP_TOTAL;
    u32 excess = 0, round = 0;
    hd_group_barrier();
    for (u64 i = first + HD_GROUP_LANE; i < last; i += HD_GROUP_SIZE)
        h->near[i - first] = g->queue[i];
    if (HD_GROUP_LANE < 4)
        h->sizes[HD_GROUP_LANE] = HD_GROUP_LANE ? 0 : (u32)(last - first);
    hd_group_barrier();
    for (; round < LOCAL_ROUNDS; round++) {
        u32 size = h->sizes[round % 3];
        size = size < NEAR ? size : NEAR;
        if (size == 0)
            break;
        u32 each = (size + HD_WARPS - 1) / HD_WARPS;
        each = each < HD_WARP ? each : HD_WARP;
        if (HD_GROUP_LANE == 0)
            h->sizes[(round + 2) % 3] = 0;
        for (u32 at = HD_WARP_HERE * each; at < size; at += HD_WARPS * each)
            expand_near(g, h, at, each, size, round, bound, &excess);
        hd_group_barrier();
    }
    u32 left = h->sizes[round % 3];
    left = left < NEAR ? left : NEAR;
    for (u32 i = HD_GROUP_LANE; i < left; i += HD_GROUP_SIZE)
        raise_flag(g, h->near[round % 2 * NEAR + i]);
    if (HD_GROUP_LANE == 0 && h->sizes[3])
        hd_add64(g->state + WALKED, h->sizes[3]);
    if (excess)
        g->state[EXCESS] = 1;
}

INLINE void relax(const paths *g, const desk *h) {
    u64 count = h->plan[COUNT], edges = h->plan[EDGES], is_narrow = h->plan[IS_NARROW];
    label bound = (label)h->plan[WITHIN];
    HD_IF_UNIFORM(!is_narrow && count) { relax_wide(g, h, count, is_narrow ? 0 : edges); }
    HD_IF_UNIFORM(is_narrow && count) { relax_narrow(g, h, is_narrow ? count : 0, bound); }
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

INLINE void load_plan(const paths *g, const desk *h) {
    if (HD_GROUP_LANE == 0)
        for (u32 i = 0; i < COUNT; i++)
            h->plan[i] = g->state[i];
    hd_group_barrier();
}

/* From what a round collected to what is done with it, and to the next window. One lane of every group comes to the
 * same conclusion. */
INLINE void decide(const paths *g, LOCAL u64 *plan, u64 groups) {
    GLOBAL u64 *slot = g->state + plan[ROUND] % 3 * SLOT;
    u64 packed = hd_load64(slot + PACKED), lowest = hd_load64(slot + LOWEST), any_long = hd_load64(slot + ANY_LONG);
    u64 count = packed >> EDGE_BITS, edges = packed & EDGE_MASK;
    plan[COUNT] = count;
    plan[EDGES] = edges;
    plan[WITHIN] = plan[BOUND];
    plan[IS_NARROW] = edges < NARROW && !any_long && count <= groups * NEAR;
    plan[FINISHED] = lowest == NOTHING;
    plan[ROUND]++;
    plan[ROUNDS] += count != 0;
    if (lowest == NOTHING)
        return;
    if (count && edges < LITTLE)
        plan[WIDTH] = wider(plan[WIDTH]);
    if (edges > MUCH)
        plan[WIDTH] = narrower(plan[WIDTH], plan[LEAST]);
    label end = window_end(g, (label)lowest, plan[WIDTH]);
#ifndef PATH_WIDE
    /* In narrow windows few edges lead back into the window: the next one need not wait for them. */
    if (count && plan[WIDTH] == plan[LEAST] && plan[BOUND] < UNREACHED) {
        label ahead = window_end(g, (label)plan[BOUND], plan[WIDTH]);
        end = ahead > end ? ahead : end;
    }
#endif
    plan[BOUND] = end;
}

/* The slot of the round before the last is made ready for the next but one; one lane. */
INLINE void clear_slot(const paths *g, u64 round) {
    GLOBAL u64 *slot = g->state + round % 3 * SLOT;
    slot[PACKED] = 0;
    slot[LOWEST] = NOTHING;
    slot[ANY_LONG] = 0;
}

INLINE void save_plan(const paths *g, LOCAL const u64 *plan) {
    g->state[ROUND] = plan[ROUND];
    g->state[BOUND] = plan[BOUND];
    g->state[WIDTH] = plan[WIDTH];
    g->state[FINISHED] = plan[FINISHED];
    g->state[ROUNDS] = plan[ROUNDS];
}

INLINE void count_wide(const paths *g, LOCAL const u64 *plan) {
    if (!plan[IS_NARROW] && plan[EDGES])
        hd_add64(g->state + WALKED, plan[EDGES]);
}

KERNEL paths_start(u32 n, GLOBAL label *labels, GLOBAL label *done, GLOBAL unsigned char *flags) {
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += lanes) {
        labels[v] = UNREACHED;
        done[v] = UNREACHED;
        if (v % BLOCK == 0)
            flags[v / BLOCK] = 0;
    }
}

KERNEL paths_sources(u32 count, GLOBAL const u32 *sources, GLOBAL label *labels, GLOBAL unsigned char *flags) {
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += lanes) {
        labels[sources[i]] = 0;
        flags[sources[i] / BLOCK] = 1;
    }
}

#ifdef PATHS_SHAPE
/* Rounds in one launch, until all is done or there have been `most` of them or more than enough edges. */
KERNEL PATHS_SHAPE paths_run(ARGUMENTS) {
    DESK;
    PATHS;
    u64 walked = 0;
    int first = HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0;
    load_plan(&g, &h);
    for (u32 i = 0; i < most && walked < ENOUGH; i++) {
        u64 round = h.plan[ROUND];
        collect(&g, &h, state + round % 3 * SLOT, (label)h.plan[BOUND]);
        hd_grid_barrier(barrier_word);
        if (HD_GROUP_LANE == 0)
            decide(&g, h.plan, HD_GROUP_TOTAL);
        hd_group_barrier();
        if (h.plan[FINISHED])
            break;
        if (first) {
            clear_slot(&g, round + 2);
            count_wide(&g, h.plan);
        }
        u64 edges = h.plan[EDGES];
        walked += edges;
        relax(&g, &h);
        HD_IF_UNIFORM(edges) { hd_grid_barrier(barrier_word); }
    }
    hd_group_barrier();
    if (first)
        save_plan(&g, h.plan);
}
#endif

/* The same, a launch for each step, where groups cannot wait for each other; `most` is how many groups relax. */
KERNEL paths_collect(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    g.n = h.plan[FINISHED] ? 0 : n;
    collect(&g, &h, state + h.plan[ROUND] % 3 * SLOT, (label)h.plan[BOUND]);
}

KERNEL paths_relax(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    if (HD_GROUP_LANE == 0)
        decide(&g, h.plan, most);
    hd_group_barrier();
    relax(&g, &h);
}

KERNEL paths_turn(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    if (HD_GROUP_LANE == 0 && !h.plan[FINISHED]) {
        u64 round = h.plan[ROUND];
        decide(&g, h.plan, most);
        clear_slot(&g, round + 2);
        count_wide(&g, h.plan);
        save_plan(&g, h.plan);
    }
}
