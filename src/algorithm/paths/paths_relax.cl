/* paths_relax.cl - second half of a round of paths.cl: relaxes the edges of what was collected.
 * Idea: balance over edges while there are many; while there are few, let groups run on asynchronously in shared
 * memory, which saves a barrier over the grid for each of many short rounds.
 *
 * Wide: every warp takes spans of the numbered edges, whichever rows they belong to. Narrow: every group takes some of
 * the vertices, and goes on with what it improves within the window. */

/* Loads of edges, which are read once: they need not stay in the caches. */
#ifdef __CUDACC_RTC__
#define hd_passing(place) __ldcs(place)
#else
#define hd_passing(place) (*(place))
#endif

/* Which of the warp's rows an edge number belongs to, by binary search. */
INLINE u32 owner_of(const desk *h, hd_offset number) {
    u32 owner = 0;
    for (u32 step = HD_WARP / 2; step; step /= 2)
        owner += h->starts[owner + step] <= number ? step : 0;
    return owner;
}

/* Loads the target and the weight of an edge. JOINED_BITS: both together (engine/device/joined_edges.h). */
#if HD_WEIGHT_TYPE == 0
#define TAKE_EDGE(load, from, k, target, weight) (target = load((from) + (k)), weight = 1u)
#elif defined(JOINED_BITS)
#define TAKE_EDGE(load, from, k, target, weight) \
    do {                                         \
        u64 both_;                               \
        JOINED_EDGE(load, from, k, both_);       \
        target = (u32)both_ & TARGET_MASK;       \
        weight = WEIGHT_OF(both_);               \
    } while (0)
#define WEIGHT_OF(both) ((u32)((both) >> TARGET_BITS & ((1ul << (JOINED_BITS - TARGET_BITS)) - 1)) + LEAST_WEIGHT)
#if JOINED_BITS == 32
#define JOINED_EDGE(load, from, k, both) (both = load((from) + (k)))
#else /* in two words, which are always in its line, or in three */
#define JOINED_EDGE(load, from, k, both)                                             \
    do {                                                                             \
        u32 bit_ = (u32)((k) % LINE_EDGES) * JOINED_BITS, shift_ = bit_ % 32;        \
        GLOBAL const u32 *word_ = (from) + (u64)((k) / LINE_EDGES) * 32 + bit_ / 32; \
        both = (load(word_) | (u64)load(word_ + 1) << 32) >> shift_;                 \
        if (shift_ + JOINED_BITS > 64)                                               \
            both |= (u64)load(word_ + 2) << (64 - shift_);                           \
    } while (0)
#endif
#else
#define TAKE_EDGE(load, from, k, target, weight) (target = load((from) + (k)), weight = load(g->weights + (k)))
#endif

/* A lane's finds in a wide round. */
typedef struct tally {
    u32 excess; /* a sum did not fit a label */
    u32 again;  /* labels improved below the bound */
    u32 walked; /* edges; PATHS_HYBRID only */
} tally;

/* Offers a label to a vertex. Comparing with its label first, even if the value read is stale, saves most atomics. */
INLINE void offer(const paths *g, u32 target, label fresh, label old, label bound, tally *t) {
    if (fresh < old && fresh < hd_label_min(g->labels + target, fresh)) {
        raise_flag(g, target);
        t->again += fresh < bound;
    }
}

#ifdef PATHS_LINES
/* Edges are in host memory: rows of ALONE edges and more are read one by one, in whole lines, and no edge twice. A line
 * is one request of the bus, which is slowed down by the number of requests before it is by their bytes. */
#define ALONE (HD_WARP / 2)
#if defined(LINE_EDGES) && LINE_EDGES < HD_WARP
#define STEP LINE_EDGES
#else
#define STEP HD_WARP
#endif

/* Relaxes UNROLL edges of each lane: edge k[j], from a vertex with the label from[j], if there[j]. `lines`: of lines,
 * whose loops are no edges. */
INLINE void relax_edges(const paths *g, int lines, u32 *there, const hd_offset *k, const label *from, label bound,
                        tally *t) {
#ifdef PATHS_HYBRID
    GLOBAL const u32 *edges = lines ? g->weights : g->targets;
#else
    GLOBAL const u32 *edges = g->targets;
    (void)lines;
#endif
    u32 target[UNROLL];
    weight_bits weight[UNROLL];
    label old[UNROLL];
    for (u32 j = 0; j < UNROLL; j++) {
        target[j] = 0;
        weight[j] = 0;
        if (there[j])
            TAKE_EDGE(hd_passing, edges, k[j], target[j], weight[j]);
    }
#ifdef PATHS_HYBRID
    for (u32 j = 0; j < UNROLL; j++) {
        there[j] = there[j] && !(lines && target[j] == (u32)(k[j] / LINE));
        t->walked += there[j];
    }
#endif
    for (u32 j = 0; j < UNROLL; j++)
        old[j] = there[j] ? g->labels[target[j]] : 0;
    for (u32 j = 0; j < UNROLL; j++)
        if (there[j])
            offer(g, target[j], ALONG(g, from[j], weight[j], target[j], &t->excess), old[j], bound, t);
}

INLINE void relax_row(const paths *g, hd_offset first, u32 length, label mine, label bound, tally *t) {
    u32 skip = (u32)(first % STEP), end = skip + length;
    for (u32 at = 0; at < end; at += STEP * UNROLL) {
        u32 there[UNROLL];
        hd_offset k[UNROLL];
        label from[UNROLL];
        for (u32 j = 0; j < UNROLL; j++) {
            u32 place = at + j * STEP + HD_LANE;
            there[j] = place >= skip && place < end && HD_LANE < STEP;
            k[j] = first - skip + place;
            from[j] = mine;
        }
        relax_edges(g, 0, there, k, from, bound, t);
    }
}

INLINE void relax_short_rows(const paths *g, const desk *h, u32 count, label bound, tally *t) {
    for (u32 at = 0; at < count; at += HD_WARP * UNROLL) {
        u32 there[UNROLL];
        hd_offset k[UNROLL];
        label from[UNROLL];
        for (u32 j = 0; j < UNROLL; j++) {
            u32 number = at + j * HD_WARP + HD_LANE, owner = owner_of(h, number);
            there[j] = number < count;
            k[j] = h->shift[owner] + number;
            from[j] = h->labels[owner];
        }
        relax_edges(g, 0, there, k, from, bound, t);
    }
}

/* Relaxes edges from .. to of the warp's rows, SPAN at most. */
INLINE void relax_window(const paths *g, const desk *h, hd_offset from, hd_offset to, label bound, tally *t) {
    u32 lane = HD_LANE, total;
    hd_offset begin = h->starts[lane], end = lane + 1 < HD_WARP ? h->starts[lane + 1] : to;
    begin = begin < from ? from : begin;
    end = end < to ? end : to;
    u32 length = begin < end ? (u32)(end - begin) : 0, alone = length >= ALONE;
    hd_offset first = h->shift[lane] + begin;
    u32 rows = hd_ballot(h->scratch, alone), start = hd_scan(h->scratch, alone ? 0 : length, &total);
    hd_warp_barrier();
    h->starts[lane] = length;
    h->shift[lane] = first;
    hd_warp_barrier();
    for (; rows; rows &= rows - 1) {
        u32 owner = hd_lowest(rows);
        relax_row(g, h->shift[owner], (u32)h->starts[owner], h->labels[owner], bound, t);
    }
    hd_warp_barrier();
    h->starts[lane] = start;
    h->shift[lane] = first - start;
    hd_warp_barrier();
    relax_short_rows(g, h, total, bound, t);
}
#else
/* Relaxes edges from .. to of the warp's rows. Loads are not conditional, so that UNROLL of them are in flight: lanes
 * past the end repeat the last edge. */
INLINE void relax_window(const paths *g, const desk *h, hd_offset from, hd_offset to, label bound, tally *t) {
    for (; from < to; from += HD_WARP * UNROLL) {
        u32 target[UNROLL];
        weight_bits weight[UNROLL];
        label fresh[UNROLL], old[UNROLL];
        for (u32 j = 0; j < UNROLL; j++) {
            hd_offset number = from + j * HD_WARP + HD_LANE;
            number = number < to ? number : to - 1;
            u32 owner = owner_of(h, number);
            hd_offset k = h->shift[owner] + number;
            TAKE_EDGE(hd_passing, g->targets, k, target[j], weight[j]);
            fresh[j] = h->labels[owner];
        }
        for (u32 j = 0; j < UNROLL; j++)
            old[j] = g->labels[target[j]];
        for (u32 j = 0; j < UNROLL; j++)
            offer(g, target[j], ALONG(g, fresh[j], weight[j], target[j], &t->excess), old[j], bound, t);
    }
}
#endif

#ifdef PATHS_HYBRID
/* Relaxes the lines of the queued vertices. A warp takes some of them at a time. */
INLINE void relax_lines(const paths *g, const desk *h, u64 count, label bound, tally *t) {
    u64 each = (count + HD_WARP_TOTAL - 1) / HD_WARP_TOTAL;
    each = each < HD_WARP ? each : HD_WARP;
    for (u64 first = HD_WARP_INDEX * each; first < count; first += HD_WARP_TOTAL * each) {
        u32 some = (u32)(count - first < each ? count - first : each), v = 0;
        if (HD_LANE < some)
            v = g->queue[first + HD_LANE];
        hd_warp_barrier();
        h->shift[HD_LANE] = v * LINE;
        h->labels[HD_LANE] = g->done[v];
        hd_warp_barrier();
        for (u32 at = 0; at < some * LINE; at += HD_WARP * UNROLL) {
            u32 there[UNROLL];
            hd_offset k[UNROLL];
            label from[UNROLL];
            for (u32 j = 0; j < UNROLL; j++) {
                u32 place = at + j * HD_WARP + HD_LANE, row = place / LINE;
                there[j] = row < some;
                row = there[j] ? row : 0;
                k[j] = h->shift[row] + place % LINE;
                from[j] = h->labels[row];
            }
            relax_edges(g, 1, there, k, from, bound, t);
        }
    }
}

#include "engine/primitive/row_of.cl"
#endif

/* Wide: every warp takes spans of equal length of the numbered edges. */
INLINE void relax_wide(const paths *g, const desk *h, GLOBAL u64 *slot, u64 count, u64 edges, label bound) {
    u64 span = SPAN;
    tally t;
    t.excess = t.again = t.walked = 0;
    if (HD_GROUP_LANE == 0)
        h->sizes[LEFT] = h->sizes[GONE] = 0;
    hd_group_barrier();
#ifdef PATHS_HYBRID
    relax_lines(g, h, edges ? count : 0, bound, &t);
    edges -= edges ? count * LINE : 0; /* those of tails are numbered */
#endif
    while (span > HD_WARP && edges < span * HD_WARP_TOTAL * (span > CHUNK ? 4 : 1))
        span /= 2;
    for (u64 at = HD_WARP_INDEX * span; at < edges; at += HD_WARP_TOTAL * span) {
        u64 end = at + span < edges ? at + span : edges;
        u64 first = g->table[at / CHUNK];
        for (u64 from = at; from < end; first += HD_WARP) {
            u64 i, after = first + HD_WARP < count ? g->starts[first + HD_WARP] : edges;
#ifdef PATHS_HYBRID /* many vertices have no tail: their places in the queue are skipped */
            if (after <= from) {
                first = row_of(g->starts, (u32)(first + HD_WARP), (u32)count, from);
                after = first + HD_WARP < count ? g->starts[first + HD_WARP] : edges;
            }
#endif
            i = first + HD_LANE;
            hd_offset start = i < count ? g->starts[i] : (hd_offset)edges, shift = 0;
            label mine = 0;
            u32 v = i < count ? g->queue[i] : 0;
            if (start < end) {
                shift = g->offsets[v] - start;
                mine = g->done[v];
            }
            hd_warp_barrier();
            h->starts[HD_LANE] = start;
            h->shift[HD_LANE] = shift;
            h->labels[HD_LANE] = mine;
            hd_warp_barrier();
            u64 to = after < end ? after : end;
            relax_window(g, h, (hd_offset)from, (hd_offset)to, bound, &t);
            from = to > from ? to : from;
        }
    }
    if (t.again)
        hd_add_local(h->sizes + LEFT, t.again);
    if (t.walked)
        hd_add_local(h->sizes + GONE, t.walked);
    hd_group_barrier();
    if (HD_GROUP_LANE == 0 && h->sizes[LEFT])
        hd_add64(slot + PATHS_AGAIN, h->sizes[LEFT]);
    if (HD_GROUP_LANE == 0 && h->sizes[GONE])
        hd_add64(g->state + PATHS_WALKED, h->sizes[GONE]);
    if (t.excess)
        g->state[PATHS_EXCESS] = 1;
}

/* Puts an improved vertex that is `within` the window in the group's next queue. If it is not, or finds no room, flags
 * it. */
INLINE void put_near(const paths *g, const desk *h, u32 round, u32 v, hd_offset begin, hd_offset degree, int within) {
    u32 place = NEAR, next = (round + 1) % 2 * NEAR;
    if (within && degree + LINE == 0)
        return;
    if (within && degree <= LONG)
        place = hd_add_local(h->sizes + (round + 1) % 3, 1);
    if (place < NEAR) {
        h->near[next + place] = v;
        h->near[2 * NEAR + next + place] = (u32)degree;
        h->begins[next + place] = begin;
    } else {
        raise_flag(g, v);
        if (within)
            hd_add_local(h->sizes + LEFT, 1);
    }
}

/* Loads an edge of the vertex v, the warp's row `owner`. */
#ifdef PATHS_HYBRID
#define NEAR_EDGE(v, owner, number, target, weight)                                         \
    do {                                                                                    \
        u32 within_ = (number) - (u32)h->starts[owner];                                     \
        if (within_ < LINE)                                                                 \
            TAKE_EDGE(hd_constant, g->weights, (v)*LINE + within_, target, weight);         \
        else                                                                                \
            TAKE_EDGE(hd_constant, g->targets, h->shift[owner] + (number), target, weight); \
    } while (0)
#else
#define NEAR_EDGE(v, owner, number, target, weight) \
    TAKE_EDGE(hd_constant, g->targets, h->shift[owner] + (number), target, weight)
#endif

/* Relaxes the edges of one warp's share of the group's queue, at most HD_WARP vertices. Two memory latencies in a row
 * cannot be avoided: that of the edge, then that of its target's label. To add no third one, the target's row offsets
 * are loaded together with its label, before they are known to be needed, and the labels of the sources are awaited
 * only after the first edges have been requested. */
INLINE void expand_near(const paths *g, const desk *h, u32 at, u32 each, u32 size, u32 round, label bound,
                        u32 *excess) {
    u32 base = round % 2 * NEAR + at, i = base + HD_LANE, total, target = 0, owner = 0, number = HD_LANE;
    u32 walked = 0;
    weight_bits weight = 0;
    int has = HD_LANE < each && at + HD_LANE < size;
    u32 v = has ? h->near[i] : 0, degree = has ? h->near[2 * NEAR + i] : 0;
    label mine = has ? hd_label_load(g->labels + v) : UNREACHED, before = has ? hd_label_load(g->done + v) : UNREACHED;
    u32 start = hd_scan(h->scratch, has ? degree + LINE : 0, &total);
    hd_warp_barrier();
    h->starts[HD_LANE] = start;
    h->shift[HD_LANE] = (has ? h->begins[i] : 0) - start - LINE;
    hd_warp_barrier();
    if (number < total) {
        owner = owner_of(h, number);
        NEAR_EDGE(h->near[base + owner], owner, number, target, weight);
    }
    if (has && (round == 0 || mine < before))
        g->done[v] = mine;
    else
        mine = UNREACHED; /* already expanded with this label */
    h->labels[HD_LANE] = mine;
    hd_warp_barrier();
    while (number < total) {
        label from = h->labels[owner], fresh = UNREACHED;
#ifdef PATHS_HYBRID
        u32 loop = target == h->near[base + owner];
        walked += !loop;
        from = loop ? UNREACHED : from;
#endif
        hd_offset begin = hd_offset_load(g->offsets + target), end = hd_offset_load(g->offsets + target + 1);
        if (from < UNREACHED)
            fresh = ALONG(g, from, weight, target, excess);
        if (fresh < UNREACHED && fresh < hd_label_min(g->labels + target, fresh))
            put_near(g, h, round, target, begin, end - begin, fresh < bound);
        number += HD_WARP;
        if (number < total) {
            owner = owner_of(h, number);
            NEAR_EDGE(h->near[base + owner], owner, number, target, weight);
        }
    }
    if (!LINE)
        walked = HD_LANE == 0 ? total : 0;
    if (walked)
        hd_add_local(h->sizes + GONE, walked);
}

/* Narrow: the group's share of the queue, then what it improves within the window, round by round. */
INLINE void relax_narrow(const paths *g, const desk *h, GLOBAL u64 *slot, u64 count, label bound) {
    u64 first = count * HD_GROUP_INDEX / HD_GROUP_TOTAL, last = count * (HD_GROUP_INDEX + 1) / HD_GROUP_TOTAL;
    u32 excess = 0, round = 0;
    hd_group_barrier();
    for (u64 i = first + HD_GROUP_LANE; i < last; i += HD_GROUP_SIZE) {
        u32 v = g->queue[i];
        h->near[i - first] = v;
        h->begins[i - first] = g->offsets[v];
        h->near[2 * NEAR + (i - first)] = (u32)(g->offsets[v + 1] - g->offsets[v]);
    }
    if (HD_GROUP_LANE <= LEFT)
        h->sizes[HD_GROUP_LANE] = HD_GROUP_LANE ? 0 : (u32)(last - first);
    hd_group_barrier();
    for (; round < LOCAL_ROUNDS; round++) {
        u32 size = h->sizes[round % 3];
        size = size < NEAR ? size : NEAR;
        if (size == 0 || (round && size > SPILL))
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
    if (HD_GROUP_LANE == 0 && h->sizes[GONE])
        hd_add64(g->state + PATHS_WALKED, h->sizes[GONE]);
    if (HD_GROUP_LANE == 0 && left + h->sizes[LEFT])
        hd_add64(slot + PATHS_AGAIN, left + h->sizes[LEFT]);
    if (excess)
        g->state[PATHS_EXCESS] = 1;
}

INLINE void relax(const paths *g, const desk *h) {
    u64 count = h->plan[PATHS_COUNT], edges = h->plan[PATHS_EDGES], is_narrow = h->plan[PATHS_IS_NARROW];
    GLOBAL u64 *slot = g->state + h->plan[PATHS_ROUND] % 3 * PATHS_SLOT;
    label bound = (label)h->plan[PATHS_BOUND];
    HD_IF_UNIFORM(!is_narrow && count) { relax_wide(g, h, slot, count, is_narrow ? 0 : edges, bound); }
    HD_IF_UNIFORM(is_narrow && count) { relax_narrow(g, h, slot, is_narrow ? count : 0, bound); }
}
