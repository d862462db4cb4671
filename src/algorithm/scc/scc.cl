/* scc.cl - strongly connected components on a device: the giant component; scc_rest.cl has the others.
 * Idea: forward-backward search (Fleischer, Hendrickson and Pinar, 2000) from a good pivot, the searches
 * direction-optimising. Joining vertices with arcs both ways first makes most of the giant of a road-like graph at
 * once. Beats ECL-SCC: 0.790 ms on rmat22 against 7.38, 0.928 on the grid against 95.9 (bench/notes).
 *
 * Short rows are searched for pairs with arcs both ways, which are in one component, and the pairs' sets are joined;
 * the searches then start from the largest set and are short. A search pushes from a list, level by level, while the
 * list is short; otherwise every unvisited vertex looks for a visited one before it (pull), which needs no levels: it
 * does not matter who visited whom. */
#include "algorithm/scc/scc_state.h"

enum {
    SCC_PAIRED = 8,      /* length of the longest rows that are searched for pairs */
    SCC_SHORT = 32,      /* edges that a lane scans alone */
    SCC_TRIMMED = 1024,  /* edges per vertex that trimming examines */
    SCC_DENSE = 3,       /* rounds of signatures in which most of the rest takes part */
    SCC_BUDGET = 1 << 24 /* entries after which a kernel returns to the host */
};
typedef struct scc_share {
    hd_walk_share walk;
    u64 begins[HD_WARP];
    u64 ends[HD_WARP];
    u32 names[HD_WARP];
} scc_share;

/* name(job, share, targets, v, begin, end): whether test(job, v, target) holds for an arc of the row. All lanes call
 * it, each with a row of its own. A lane scans a short row alone; the warp scans what is left of a long one together,
 * one warp's width of arcs per step. */
#define SCC_DEFINE_SCAN(name, type, test)                                                                            \
    INLINE int name(const type *job, LOCAL scc_share *share, GLOBAL const u32 *targets, u32 v, u64 begin, u64 end) { \
        u32 lane = HD_LANE, waiting;                                                                                 \
        u64 stop = end - begin > SCC_SHORT ? begin + SCC_SHORT : end;                                                \
        int found = 0;                                                                                               \
        for (; begin < stop && !found; begin++)                                                                      \
            found = test(job, v, targets[begin]);                                                                    \
        hd_warp_barrier();                                                                                           \
        share->begins[lane] = begin, share->ends[lane] = end, share->names[lane] = v;                                \
        waiting = hd_ballot(share->walk.scratch, !found && begin < end);                                             \
        while (waiting) {                                                                                            \
            u32 k = hd_lowest(waiting), any;                                                                         \
            u64 at = share->begins[k] + lane, last = share->ends[k];                                                 \
            int hit = 0;                                                                                             \
            if (at < last)                                                                                           \
                hit = test(job, share->names[k], targets[at]);                                                       \
            any = hd_ballot(share->walk.scratch, hit);                                                               \
            if (lane == k) {                                                                                         \
                found = any != 0;                                                                                    \
                share->begins[k] = any ? last : at - lane + HD_WARP;                                                 \
            }                                                                                                        \
            hd_warp_barrier();                                                                                       \
            waiting = share->begins[k] < last ? waiting : waiting & (waiting - 1);                                   \
        }                                                                                                            \
        return found;                                                                                                \
    }

/* Appends the vertices of the lanes that have the flag. All lanes call it. */
INLINE void scc_list(LOCAL u32 *scratch, int flag, u32 v, GLOBAL u32 *list, GLOBAL u32 *count) {
    u32 total, base = 0, rank = hd_rank(scratch, flag, &total);
    HD_IF_UNIFORM(total) {
        if (HD_LANE == 0 && total)
            base = hd_add32(count, total);
        base = hd_broadcast(scratch, base);
        if (flag)
            list[base + rank] = v;
    }
}

/* A warp takes consecutive entries, so a short list would occupy few warps. Indices below scc_places(count), mapped by
 * scc_apart, spread the entries over all warps. */
INLINE u64 scc_places(u32 count) {
    u64 all = HD_WARP_TOTAL * HD_WARP;
    return count < HD_WARP_TOTAL ? (u64)count * HD_WARP : (count + all - 1) / all * all;
}
INLINE u64 scc_apart(u64 i) {
    u64 all = HD_WARP_TOTAL * HD_WARP, block = i < all ? 0 : i / all * all;
    u32 place = (u32)(i - block);
    return block + (u64)(place % HD_WARP) * (u32)HD_WARP_TOTAL + place / HD_WARP;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/* Next vertex below v that is in both rows, in ascending order; advances the positions `out` and `in`. Returns v if
 * there is none left. */
INLINE u32 scc_pair(GLOBAL const u32 *outs, hd_offset *out, hd_offset out_end, GLOBAL const u32 *ins, hd_offset *in,
                    hd_offset in_end, u32 v) {
    while (*out < out_end && *in < in_end) {
        u32 to = outs[*out], from = ins[*in];
        if (to >= v || from >= v)
            break;
        *out += to <= from;
        *in += from <= to;
        if (to == from)
            return to;
    }
    return v;
}

#define SCC_GRAPH                                                                                                  \
    u32 n, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, \
        GLOBAL const u32 *in_targets, GLOBAL u32 *state

/* Makes each vertex' smallest partner its parent, and finds the best score for a pivot: in-degree times out-degree. */
KERNEL scc_start(SCC_GRAPH, GLOBAL u32 *parent) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    u32 most = 0;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i, partner = v, score;
        hd_offset out = out_offsets[v], out_end = out_offsets[v + 1], in = in_offsets[v], in_end = in_offsets[v + 1];
        score = (out_end - out < 65535 ? (u32)(out_end - out) : 65535u) *
                (in_end - in < 65535 ? (u32)(in_end - in) : 65535u);
        most = score > most ? score : most;
        if (out_end - out <= SCC_PAIRED && in_end - in <= SCC_PAIRED)
            partner = scc_pair(out_targets, &out, out_end, in_targets, &in, in_end, v);
        parent[v] = partner;
    }
    most = hd_largest(scratch[HD_WARP_HERE], most);
    if (HD_LANE == 0)
        hd_max32(&state[SCC_SCORE], most);
}

/* Joins with the other partners; the smallest vertex with the best score is the pivot. */
KERNEL scc_pairs(SCC_GRAPH, GLOBAL u32 *parent) {
    u32 best = state[SCC_SCORE];
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i, partner, score;
        hd_offset out = out_offsets[v], out_end = out_offsets[v + 1], in = in_offsets[v], in_end = in_offsets[v + 1];
        score = (out_end - out < 65535 ? (u32)(out_end - out) : 65535u) *
                (in_end - in < 65535 ? (u32)(in_end - in) : 65535u);
        if (score == best && v < hd_load32(&state[SCC_PIVOT]))
            hd_min32(&state[SCC_PIVOT], v);
        if (out_end - out > SCC_PAIRED || in_end - in > SCC_PAIRED || in_end == in)
            continue;
        partner = scc_pair(out_targets, &out, out_end, in_targets, &in, in_end, v);
        while (partner != v && (partner = scc_pair(out_targets, &out, out_end, in_targets, &in, in_end, v)) != v)
            set_join(parent, v, partner);
    }
}

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

/* Rows are those of the direction in which the search goes (ahead), and the others (back). */
#define SCC_SEARCH                                                                                                  \
    u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const hd_offset *back_offsets,        \
        GLOBAL const u32 *back_targets, GLOBAL u32 *state, u32 bounded, GLOBAL const u32 *inside, GLOBAL u32 *bits, \
        GLOBAL u32 *lists, u64 room

typedef struct scc_search {
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
    GLOBAL const u32 *inside; /* a bounded search stays inside these */
    GLOBAL u32 *bits;         /* the vertices that it has seen */
    GLOBAL const u32 *from;   /* lists of entries */
    GLOBAL u32 *to;
    GLOBAL u32 *to_count;
    u32 count; /* of entries to come from */
    u32 bounded;
} scc_search;

INLINE int scc_bit(GLOBAL const u32 *bits, u32 v) { return bits[v / 32] >> v % 32 & 1; }

/* Starts from the largest set of pairs if that is large, otherwise from the pivot's set; only then are the start
 * vertices put into the worklist. */
KERNEL scc_seeds(SCC_SEARCH, GLOBAL u32 *parent) {
    SHARED scc_share share[HD_WARPS];
    LOCAL scc_share *mine = &share[HD_WARP_HERE];
    u32 lane = HD_LANE, large = state[SET_VOTES] * 8 > SET_SAMPLES * HD_GROUP_SIZE;
    u32 root = set_root(parent, large ? state[SET_GIANT] : state[SCC_PIVOT]);
    (void)targets, (void)back_offsets, (void)back_targets, (void)bounded, (void)inside, (void)room;
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        state[SCC_ROOT] = root;
        state[SCC_LARGE] = large;
    }
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = (u32)first + lane, length = 0, word;
        int seed = 0;
        if (first + lane < n) {
            seed = set_root(parent, v) == root;
            length = (u32)(offsets[v + 1] - offsets[v]);
        }
        word = hd_ballot(mine->walk.scratch, seed);
        if (lane == 0)
            bits[first / 32] = word;
        HD_IF_UNIFORM(word && !large)
        hd_walk_append(&mine->walk, seed && !large, v, length, lists, &state[SCC_COUNTS]);
    }
}

INLINE hd_entry scc_entry(const scc_search *job, u64 i) {
    u64 at = scc_apart(i);
    hd_entry entry = hd_entry_none();
    if (at < job->count)
        entry = hd_walk_listed(job->from, job->offsets, at);
    return entry;
}

INLINE void scc_visit(const scc_search *job, LOCAL hd_walk_share *share, int there, u32 v, u64 e) {
    u32 w = 0, length = 0;
    int fresh = 0;
    (void)v;
    if (there) {
        w = job->targets[e];
        fresh = !scc_bit(job->bits, w) && (!job->bounded || scc_bit(job->inside, w));
    }
    if (fresh) {
        fresh = !(hd_or32(&job->bits[w / 32], 1u << w % 32) >> w % 32 & 1);
        length = (u32)(job->offsets[w + 1] - job->offsets[w]);
    }
    hd_walk_append(share, fresh, w, length, job->to, job->to_count);
}

HD_DEFINE_WALK(scc_walk, scc_search, scc_entry, scc_visit)

/* Up to `rounds` levels from level `round` on, while the list is neither empty nor longer than `limit`. */
KERNEL scc_push(u32 round, u32 rounds, u32 limit, SCC_SEARCH) {
    SHARED scc_share share[HD_WARPS];
    u32 end = round + rounds, count = hd_load32(&state[SCC_COUNTS + round % 3]), spent = 0;
    scc_search job;
    job.offsets = offsets, job.targets = targets, job.inside = inside, job.bits = bits, job.bounded = bounded;
    (void)back_offsets, (void)back_targets, (void)n;
    while (round < end && count && count <= limit && spent < SCC_BUDGET) {
        job.from = lists + round % 2 * room;
        job.to = lists + (round + 1) % 2 * room;
        job.to_count = &state[SCC_COUNTS + (round + 1) % 3];
        if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
            hd_store32(&state[SCC_COUNTS + (round + 2) % 3], 0);
        job.count = count;
        scc_walk(&job, &share[HD_WARP_HERE].walk, scc_places(count));
        hd_grid_barrier(&state[SCC_BARRIER]);
        round++;
        spent += count < SCC_BUDGET ? count : SCC_BUDGET;
        count = hd_load32(&state[SCC_COUNTS + round % 3]);
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        state[SCC_ROUND] = round;
        state[SCC_SPENT] = spent;
    }
}

INLINE int scc_seen(const scc_search *job, u32 v, u32 w) {
    (void)v;
    return scc_bit(job->bits, w);
}

SCC_DEFINE_SCAN(scc_scan_seen, scc_search, scc_seen)

/* A pull step: every unvisited vertex looks for a visited predecessor. New ones are counted, and on request listed as
 * level `round`. */
KERNEL scc_pull(u32 round, u32 listing, SCC_SEARCH) {
    SHARED scc_share share[HD_WARPS];
    LOCAL scc_share *mine = &share[HD_WARP_HERE];
    u32 lane = HD_LANE, found = 0;
    scc_search job;
    job.bits = bits;
    (void)targets;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = (u32)first + lane, word = bits[first / 32], length = 0, more;
        u64 begin = 0, end = 0;
        if (first + lane < n && !(word >> lane & 1) && (!bounded || scc_bit(inside, v))) {
            begin = back_offsets[v];
            end = back_offsets[v + 1];
        }
        int hit = scc_scan_seen(&job, mine, back_targets, v, begin, end);
        more = hd_ballot(mine->walk.scratch, hit);
        if (lane == 0 && more)
            hd_store32(&bits[first / 32], word | more);
        found += hd_popcount(more);
        if (hit)
            length = (u32)(offsets[v + 1] - offsets[v]);
        HD_IF_UNIFORM(listing)
        hd_walk_append(&mine->walk, hit && listing, v, length, lists + round % 2 * room,
                       &state[SCC_COUNTS + round % 3]);
    }
    if (lane == 0 && found)
        hd_add32(&state[SCC_FOUND], found);
}
