/* mst.cl - minimum spanning forest on a device: keys, lists of edges, and how a list is collected.
 * Idea: Borůvka's rounds over batches of edges, light ones first, so that most edges are dropped by one comparison, as
 * in filter-Kruskal (Osipov, Sanders and Singler, ALENEX 2009). Beats ECL-MST: 2.60 ms on rmat22 against 19.9
 * (bench/notes).
 *
 * An edge's key is weight, smaller end, larger end, in one word. Where that is too long (MST_TWO) the key is weight and
 * smaller end, and the larger end is compared in a second step. An item of a list is a key and the roots of the trees
 * that the edge joins. A round: every tree takes its lightest edge (choose), which joins two trees and belongs to the
 * forest; items whose ends are in one tree now are dropped (sift), and the others offer themselves to their trees. */
#include "algorithm/mst/mst_state.h"

enum { MST_LOW, MST_HIGH }; /* bounds: keys of this batch are from LOW to below HIGH */
enum {
    MST_TILE = 1024, /* arcs that a warp takes at once; at a time, a lane takes … */
#ifdef __OPENCL_VERSION__
    MST_AHEAD = 1, /* the collectives are long there */
#else
    MST_AHEAD = 4,
#endif
    MST_SHORT = 16, /* arcs of a row that one lane walks */
    MST_ROOM = 128, /* items that wait in a warp's memory */
    MST_SAMPLES = 2 /* a lane */
};

/* Edges with the roots of the trees they join. */
typedef struct mst_list {
    GLOBAL u64 *pairs;
    GLOBAL u64 *keys;
    GLOBAL u32 *ends; /* MST_TWO */
    GLOBAL u32 *count;
    u32 room;
} mst_list;

/* For every root the lightest key, and with MST_TWO of these edges the smallest larger end. */
typedef struct mst_best {
    GLOBAL u64 *keys;
    GLOBAL u32 *ends;
} mst_best;

typedef struct mst_share {
    hd_walk_share walk;
    u64 pairs[MST_ROOM];
    u64 keys[MST_ROOM];
#if MST_TWO
    u32 ends[MST_ROOM];
#endif
    u32 count;
} mst_share;

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

/* A number that orders like the weight of an arc. Zeros of either sign are the same. */
INLINE u32 mst_weight(GLOBAL const u32 *weights, u64 e) {
#if HD_WEIGHT_TYPE == 0
    (void)weights, (void)e;
    return 0;
#elif HD_WEIGHT_TYPE == 1
    return hd_constant(&weights[e]);
#elif HD_WEIGHT_TYPE == 2
    return hd_constant(&weights[e]) ^ 0x80000000u;
#else
    u32 bits = hd_constant(&weights[e]);
    bits = bits == 0x80000000u ? 0 : bits;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
#endif
}

INLINE u64 mst_key(u32 weight, u32 u, u32 v, u32 bits) {
    u32 low = u < v ? u : v, high = u < v ? v : u;
#if MST_TWO
    (void)high, (void)bits;
    return (u64)weight << 32 | low;
#else
    return (u64)weight << 2 * bits | (u64)low << bits | high;
#endif
}

/* The weight of a key. */
INLINE u32 mst_key_weight(u64 key, u32 bits) {
#if MST_TWO
    (void)bits;
    return (u32)(key >> 32);
#else
    u64 weight = key >> 2 * bits;
    return weight > 0xffffffffu ? 0xffffffffu : (u32)weight;
#endif
}

INLINE int mst_too_heavy(u32 weight, u32 bits) {
#if MST_TWO
    (void)weight, (void)bits;
    return 0;
#else
    return 2 * bits > 32 && weight >> (64 - 2 * bits) != 0;
#endif
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* Appends to a list through the warp's buffer; all lanes call it. `last`: flushes the buffer. A full list only counts:
 * its count exceeds its room then, and no longer grows, so that it cannot wrap. */
INLINE void mst_put(LOCAL mst_share *share, const mst_list *list, int flag, u64 pair, u64 key, u32 end, int last) {
    u32 lane = HD_LANE, waiting = share->count, total, base = 0;
    u32 rank = hd_rank(share->walk.scratch, flag, &total);
    if (flag) {
        share->pairs[waiting + rank] = pair;
        share->keys[waiting + rank] = key;
#if MST_TWO
        share->ends[waiting + rank] = end;
#endif
    }
    (void)end;
    waiting += total;
    u32 full = last || waiting > MST_ROOM - HD_WARP ? waiting : 0;
    if (lane == 0 && full)
        base = hd_load32(list->count) > list->room ? list->room : hd_add32(list->count, full);
    hd_warp_barrier();
    HD_IF_UNIFORM(full) {
        base = hd_broadcast(share->walk.scratch, base);
        for (u32 i = lane; i < full; i += HD_WARP)
            if (base + i < list->room) {
                list->pairs[base + i] = share->pairs[i];
                list->keys[base + i] = share->keys[i];
#if MST_TWO
                list->ends[base + i] = share->ends[i];
#endif
            }
    }
    hd_warp_barrier();
    if (lane == 0)
        share->count = full ? 0 : waiting;
    hd_warp_barrier();
}

/* The first read may be stale. For large trees, whose word very many edges contend for, there is a second one. */
INLINE void mst_offer(const mst_best *best, u32 root, u64 key, int large) {
    if (key < best->keys[root] && (!large || key < hd_load64(&best->keys[root])))
        hd_min64(&best->keys[root], key);
}

/* ---- Testing an edge ------------------------------------------------------------------------------ */

typedef struct mst_job {
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets, *weights;
    GLOBAL u32 *parent, *state;
    GLOBAL const u32 *entries;
    LOCAL mst_share *share;
    mst_list list;
    mst_best best;
    u64 low, high;
    u32 bits, giant;
    int directed;
} mst_job;

#define MST_GRAPH                                                                                        \
    u32 n, u64 arcs, u32 bits, u32 directed, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, \
        GLOBAL const u32 *weights, GLOBAL u32 *parent, GLOBAL u32 *state, GLOBAL u64 *bounds, GLOBAL u32 *entries
#define MST_LIST(name) GLOBAL u64 *name##_pairs, GLOBAL u64 *name##_keys, GLOBAL u32 *name##_ends
#define MST_BEST(name) GLOBAL u64 *name##_best, GLOBAL u32 *name##_best_ends
#define MST_TAKE_JOB                                                                          \
    mst_job job;                                                                              \
    job.offsets = offsets, job.targets = targets, job.weights = weights, job.parent = parent; \
    job.state = state, job.entries = entries, job.share = &share[HD_WARP_HERE];               \
    job.list.pairs = to_pairs, job.list.keys = to_keys, job.list.ends = to_ends;              \
    job.list.count = &state[MST_FOUND], job.list.room = room;                                 \
    job.best.keys = to_best, job.best.ends = to_best_ends;                                    \
    job.low = bounds[MST_LOW], job.high = bounds[MST_HIGH];                                   \
    job.bits = bits, job.giant = state[SET_GIANT], job.directed = directed

/* Lists an arc if it joins two trees. `large`: the trees may be large. All lanes call it. */
INLINE void mst_take(const mst_job *job, int flag, u32 u, u32 v, u32 root, u32 other, u32 weight, int large) {
    u64 key = mst_key(weight, u, v, job->bits);
    flag = flag && root != other && key >= job->low && key < job->high;
    if (flag) {
        mst_offer(&job->best, root, key, large);
        mst_offer(&job->best, other, key, large);
    }
    mst_put(job->share, &job->list, flag, (u64)root << 32 | other, key, u < v ? v : u, 0);
}

/* ---- A batch of edges -------------------------------------------------------------------------------------------- */

/* `all`: the first batch is the only one. */
KERNEL mst_start(u32 n, u32 all, GLOBAL const hd_offset *offsets, GLOBAL u32 *parent, GLOBAL u32 *state,
                 GLOBAL u64 *bounds) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    u32 mine = 0, alive;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        parent[i] = (u32)i;
        mine += offsets[i] < offsets[i + 1];
    }
    hd_scan(scratch[HD_WARP_HERE], mine, &alive);
    if (HD_LANE == 0)
        hd_add32(&state[MST_ALIVE], alive);
    if (all && HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        bounds[MST_LOW] = 0;
        bounds[MST_HIGH] = ~(u64)0;
        state[MST_LAST] = 1;
    }
}

/* One group: from a sample of the arcs, chooses the upper bound of the next batch's keys, so that it has about `light`
 * tenths of an edge per vertex with edges. If no more than `worth` tenths are left, the batch takes them all. */
KERNEL mst_bound(u32 mode, u32 light, u32 worth, MST_GRAPH) {
    SHARED u64 keys[MST_SAMPLES * HD_WARPS * HD_WARP];
    SHARED u32 joining;
    u32 count = MST_SAMPLES * HD_GROUP_SIZE;
    u64 edges = directed ? arcs : arcs / 2 + 1,
        low = mode == MST_FIRST ? 0 : bounds[mode == MST_NEXT ? MST_HIGH : MST_LOW];
    (void)entries;
    if (HD_GROUP_LANE == 0)
        joining = 0;
    hd_group_barrier();
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
        u64 part = i * 2654435761u, key = ~(u64)0; /* of 2^32; the product with arcs may take more than 64 bits */
        u64 e = part * (arcs >> 32) + (part * (u32)arcs >> 32);
        u32 u = row_of(offsets, 0, n, e), v = targets[e];
        if (u != v && set_root(parent, u) != set_root(parent, v))
            key = mst_key(mst_weight(weights, e), u, v, bits);
        keys[i] = key >= low ? key : ~(u64)0;
        if (keys[i] != ~(u64)0)
            hd_add_local(&joining, 1);
    }
    hd_group_barrier();
    u64 alive = state[MST_ALIVE], place = alive * light / 10 / (edges / count + 1);
    int last = joining * (edges / count + 1) <= alive * worth / 10;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
        u32 before = 0;
        for (u32 k = 0; k < count; k++)
            before += keys[k] < keys[i] || (keys[k] == keys[i] && k < i);
        if (!last && before == (place < joining ? place : joining - 1))
            bounds[MST_HIGH] = keys[i] + 1;
    }
    if (HD_GROUP_LANE == 0) {
        bounds[MST_LOW] = low;
        if (last)
            bounds[MST_HIGH] = ~(u64)0;
        state[MST_LAST] = last;
        state[MST_FOUND] = state[MST_FOUND + 1] = state[MST_ENTRIES] = 0;
    }
}

#if !MST_NAMED
/* Lists the arcs of a tile whose keys are in the batch. */
typedef struct mst_tile {
    u32 count;
    unsigned short arcs[MST_TILE];
} mst_tile;

INLINE void mst_light_list(const mst_job *job, LOCAL mst_tile *tile, u64 begin, u64 end, u32 heaviest) {
    u32 lane = HD_LANE;
    for (u64 at = begin; at < end; at += MST_AHEAD * HD_WARP) {
        u32 weight[MST_AHEAD];
        for (u32 k = 0; k < MST_AHEAD; k++) {
            u64 e = at + k * HD_WARP + lane;
            weight[k] = e < end ? mst_weight(job->weights, e) : 0;
        }
        for (u32 k = 0; k < MST_AHEAD; k++) {
            u64 e = at + k * HD_WARP + lane;
            int light = e < end && weight[k] <= heaviest;
            u32 before = tile->count, total, rank = hd_rank(job->share->walk.scratch, light, &total);
            if (light)
                tile->arcs[before + rank] = (unsigned short)(e - begin);
            if (mst_too_heavy(weight[k], job->bits))
                hd_store32(&job->state[MST_TOO_HEAVY], 1);
            hd_warp_barrier();
            if (lane == 0)
                tile->count = before + total;
            hd_warp_barrier();
        }
    }
}

/* row_of, by all lanes of a warp together. */
#ifdef __OPENCL_VERSION__
#define mst_row_of(scratch, offsets, row, end, e) row_of(offsets, row, end, e)
#else
INLINE u32 mst_row_of(LOCAL u32 *scratch, GLOBAL const hd_offset *offsets, u32 row, u32 end, u64 e) {
    u32 size = end - row;
    while (size > 1) {
        u32 step = size / HD_WARP + (size % HD_WARP != 0), mine = HD_LANE * step, total;
        hd_rank(scratch, mine < size && offsets[row + (mine < size ? mine : 0)] <= e, &total);
        row += (total - 1) * step;
        size -= (total - 1) * step;
        size = size < step ? size : step;
    }
    return row;
}
#endif

/* The first batch: arcs in equal tiles, most of which fail by their weight. Every vertex is still its own tree. */
KERNEL mst_light(MST_GRAPH, u32 room, MST_LIST(to), MST_BEST(to)) {
    SHARED mst_share share[HD_WARPS];
    SHARED mst_tile tiles[HD_WARPS];
    LOCAL mst_tile *tile = &tiles[HD_WARP_HERE];
    MST_TAKE_JOB;
    u32 lane = HD_LANE, heaviest = mst_key_weight(job.high, bits);
    if (lane == 0)
        job.share->count = 0;
    hd_warp_barrier();
    for (u64 begin = HD_WARP_INDEX * MST_TILE; begin < arcs; begin += HD_WARP_TOTAL * MST_TILE) {
        u64 end = arcs - begin < MST_TILE ? arcs : begin + MST_TILE;
        u32 first = mst_row_of(job.share->walk.scratch, offsets, 0, n, begin);
        u32 last = mst_row_of(job.share->walk.scratch, offsets, first, n, end - 1);
        if (lane == 0)
            tile->count = 0;
        hd_warp_barrier();
        mst_light_list(&job, tile, begin, end, heaviest);
        for (u32 at = 0; at < tile->count; at += HD_WARP) {
            u32 u = 0, v = 0, weight = 0;
            if (at + lane < tile->count) {
                u64 e = begin + tile->arcs[at + lane];
                u = row_of(offsets, first, last + 1, e);
                v = targets[e];
                weight = mst_weight(weights, e);
            }
            mst_take(&job, u < v || directed, u, v, u, v, weight, 0);
        }
        hd_warp_barrier();
    }
    mst_put(job.share, &job.list, 0, 0, 0, 0, 1);
    (void)entries, (void)parent;
}

/* Lists the arcs of a short row. All lanes call it, idle ones with length 0. */
INLINE void mst_short_row(const mst_job *job, u32 u, u64 begin, u32 length) {
    u32 most = hd_largest(job->share->walk.scratch, length);
    for (u32 at = 0; at < most; at += MST_AHEAD) {
        u32 target[MST_AHEAD], weight[MST_AHEAD];
        for (u32 k = 0; k < MST_AHEAD; k++) {
            int there = at + k < length;
            target[k] = there ? job->targets[begin + at + k] : u;
            weight[k] = there ? mst_weight(job->weights, begin + at + k) : 0;
            if (mst_too_heavy(weight[k], job->bits))
                hd_store32(&job->state[MST_TOO_HEAVY], 1);
        }
        for (u32 k = 0; k < MST_AHEAD; k++)
            mst_take(job, u < target[k] || job->directed, u, target[k], u, target[k], weight[k], 0);
    }
}

/* The first batch if it takes all arcs: one lane per row. Long rows go to the list of entries, for mst_collect. */
KERNEL mst_short(MST_GRAPH, u32 room, MST_LIST(to), MST_BEST(to)) {
    SHARED mst_share share[HD_WARPS];
    MST_TAKE_JOB;
    u32 lane = HD_LANE;
    if (lane == 0)
        job.share->count = 0;
    hd_warp_barrier();
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 u = (u32)first + lane, length = 0;
        u64 begin = 0;
        if (first + lane < n) {
            begin = offsets[u];
            length = (u32)(offsets[u + 1] - begin);
        }
        hd_walk_append(&job.share->walk, length > MST_SHORT, u, length, entries, &state[MST_ENTRIES]);
        mst_short_row(&job, u, begin, length > MST_SHORT ? 0 : length);
    }
    mst_put(job.share, &job.list, 0, 0, 0, 0, 1);
    (void)arcs, (void)parent;
}
#endif

/* Flattens the trees. Lists the vertices outside the largest tree as entries. */
KERNEL mst_rows(MST_GRAPH) {
    SHARED hd_walk_share share[HD_WARPS];
    u32 giant = directed ? ~0u : state[SET_GIANT], lane = HD_LANE;
    (void)arcs, (void)bits, (void)targets, (void)weights, (void)bounds;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = (u32)first + lane, length = 0, outside = 0;
        if (first + lane < n) {
            u32 root = set_top(parent, v);
            hd_store32(&parent[v], root);
            outside = root != giant;
            length = (u32)(offsets[v + 1] - offsets[v]);
        }
        hd_walk_append(&share[HD_WARP_HERE], outside, v, length, entries, &state[MST_ENTRIES]);
    }
}

INLINE hd_entry mst_entry(const mst_job *job, u64 i) { return hd_walk_listed(job->entries, job->offsets, i); }

/* Both ends store an undirected edge: the smaller end processes it, or the one outside the largest tree. */
INLINE void mst_visit(const mst_job *job, LOCAL hd_walk_share *share, int there, u32 u, u64 e) {
    u32 v = 0, root = 0, other = 0, weight = 0;
    (void)share;
    if (there) {
        v = job->targets[e];
        root = job->parent[u];
        other = job->parent[v];
        there = root != other && (u < v || job->directed || other == job->giant);
    }
    if (there) {
        weight = mst_weight(job->weights, e);
        if (mst_too_heavy(weight, job->bits))
            hd_store32(&job->state[MST_TOO_HEAVY], 1);
    }
    mst_take(job, there, u, v, root, other, weight, 1);
}

HD_DEFINE_WALK(mst_walk, mst_job, mst_entry, mst_visit)

KERNEL mst_collect(MST_GRAPH, u32 room, MST_LIST(to), MST_BEST(to)) {
    SHARED mst_share share[HD_WARPS];
    MST_TAKE_JOB;
    if (HD_LANE == 0)
        job.share->count = 0;
    hd_warp_barrier();
    mst_walk(&job, &job.share->walk, state[MST_ENTRIES]);
    mst_put(job.share, &job.list, 0, 0, 0, 0, 1);
    (void)n, (void)arcs;
}
