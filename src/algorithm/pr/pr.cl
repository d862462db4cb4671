/* pr.cl - PageRank by rows: pull, without atomics, and what the other pr kernels share.
 * Idea: lanes by row length: a lane for a short row, a warp for a long one, several warps for pieces of a very long
 * one. It serves all graphs; pr_small.cl beats it on small ones, pr_bins.cl and pr_passes.cl where shares are scattered
 * and rows are not too short.
 *
 * A warp takes as many rows as it has lanes. Rows of at least HD_WARP_ROW in-edges are walked by the whole warp, one
 * after the other; shorter ones by a lane each. Rows longer than HD_LONG are cut into pieces of that many edges, a warp
 * for each (rank_pieces), and the partial sums are added in order (rank_join). Each lane has four loads in flight, none
 * behind a branch: a lane without an edge reads its row's last again. rank_turn ends a round; once RANK_DONE is set
 * the kernels do nothing. */
#include "algorithm/pr/pr_state.h"
#include "engine/primitive/long_rows.cl"

#define HD_WARP_ROW 32u
#define HD_LONG 2048u

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))

/* Sums over a lane, a group or a round: changes of ranks, and the rank of vertices without out-edges. */
typedef struct tally {
    f64 change, idle;
} tally;

typedef struct graph {
    u32 n;
    GLOBAL const hd_offset *rows; /* in-edges */
    GLOBAL const hd_offset *out;
    GLOBAL const f32 *before; /* ranks of the round before, never in the same buffer as `ranks`: reads of addresses that
                                 are about to be written are very slow */
    GLOBAL f32 *ranks;
    GLOBAL f32 *next;        /* shares of the next round: rank / out-degree */
    GLOBAL const u32 *names; /* position of a vertex's share, if `renamed` */
    u32 renamed;
    f64 damping, base;
} graph;

/* Declares the graph and the sums of a kernel that computes ranks, from its arguments. */
#define BEGIN_ROUND(is_renamed, its_names)                                                                       \
    graph g;                                                                                                     \
    tally total;                                                                                                 \
    g.n = n, g.rows = rows, g.out = out, g.before = before, g.ranks = ranks, g.next = next;                      \
    g.renamed = is_renamed, g.names = its_names, g.damping = numbers[RANK_DAMPING], g.base = numbers[RANK_BASE]; \
    total.change = 0, total.idle = 0

INLINE u32 out_degree(const graph *g, u64 v) { return (u32)(hd_constant(&g->out[v + 1]) - hd_constant(&g->out[v])); }

/* Where the share of a vertex is. */
INLINE u64 share_place(const graph *g, u64 v) { return g->renamed ? hd_constant(&g->names[v]) : v; }

/* A vertex without out-edges has its rank there: it is not read as a share. */
INLINE f32 share_of(u32 degree, f32 rank) { return degree ? rank / (f32)degree : rank; }

/* pr_packed.cl keeps no ranks: they are shares times out-degrees, and `before` are the shares that the round reads. */
#ifdef RANKS_IN_SHARES
#define RANK_BEFORE(g, v) hd_constant(&(g)->before[share_place(g, v)])
INLINE f64 keep_rank(const graph *g, u64 v, f32 before, u32 degree, f32 rank) {
    (void)g, (void)v;
    return ((f64)share_of(degree, rank) - (f64)before) * (f64)(degree ? degree : 1u);
}
#else
#define RANK_BEFORE(g, v) hd_constant(&(g)->before[v])
INLINE f64 keep_rank(const graph *g, u64 v, f32 before, u32 degree, f32 rank) {
    (void)degree;
    g->ranks[v] = rank;
    return (f64)rank - (f64)before;
}
#endif

/* `place`: share_place of v. */
INLINE void finish_with(const graph *g, u64 v, u64 place, f32 before, u32 degree, f64 shares, tally *sum) {
    f32 after = (f32)(g->base + g->damping * shares);
    f64 change = keep_rank(g, v, before, degree, after);
    g->next[place] = share_of(degree, after);
    sum->change += change < 0 ? -change : change;
    sum->idle += degree ? 0 : (f64)after;
}

INLINE void finish_row(const graph *g, u64 v, f64 shares, tally *sum) {
    finish_with(g, v, share_place(g, v), RANK_BEFORE(g, v), out_degree(g, v), shares, sum);
}

HD_DEFINE_SHIFT(tally, shift_tally)

typedef struct tallies {
    tally scratch[HD_WARPS][HD_SCRATCH];
    tally warps[HD_WARPS];
} tallies;

/* Stores the group's sum and returns it to all lanes. All lanes call it. */
INLINE tally report(LOCAL tallies *all, tally mine, GLOBAL tally *place) {
    u32 warps = HD_GROUP_SIZE / HD_WARP;
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        tally other = shift_tally(all->scratch[HD_WARP_HERE], mine, distance);
        mine.change += other.change;
        mine.idle += other.idle;
    }
    hd_group_barrier();
    if (HD_LANE == 0)
        all->warps[HD_WARP_HERE] = mine;
    hd_group_barrier();
    mine = all->warps[0];
    for (u32 i = 1; i < warps; i++) {
        mine.change += all->warps[i].change;
        mine.idle += all->warps[i].idle;
    }
    if (HD_GROUP_LANE == 0)
        *place = mine;
    return mine;
}

/* Lists long rows and their pieces. */
KERNEL rank_long(u32 n, GLOBAL const hd_offset *rows, GLOBAL u32 *words, GLOBAL u32 *long_rows, GLOBAL u32 *pieces) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 degree = (u32)(rows[v + 1] - rows[v]);
        if (degree >= HD_WARP_ROW && !words[RANK_WARP_ROWS])
            hd_store32(&words[RANK_WARP_ROWS], 1);
        if (degree > HD_LONG)
            list_long_row((u32)v, degree, HD_LONG, &words[RANK_LONG_ROWS], &words[RANK_PIECES], long_rows, pieces);
    }
}

/* ---- Renaming: the shares that are read most often are adjacent, so that caches hold them ------------------------ */

#define HD_CLASSES 33u /* a class is the bit length of an out-degree */
#define HD_RUN 8u      /* vertices per lane in a block: a block's vertices of one class stay adjacent */

INLINE u32 class_of(GLOBAL const hd_offset *out, u64 v) {
    u32 degree = (u32)(out[v + 1] - out[v]), bits = 0;
    for (; degree; degree >>= 1)
        bits++;
    return HD_CLASSES - 1 - bits;
}

/* Counts the vertices of each class; the first class has the largest degrees. */
KERNEL rank_classes(u32 n, GLOBAL const hd_offset *out, GLOBAL u32 *counts) {
    SHARED u32 here[HD_CLASSES];
    for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
        here[i] = 0;
    hd_group_barrier();
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        hd_add_local(&here[class_of(out, v)], 1);
    hd_group_barrier();
    for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
        hd_add32(&counts[i], here[i]);
}

/* Gives every vertex its new position. `counts` holds where each class begins, and advances as positions are taken. The
 * order within a class depends on timing; no result depends on that order. */
KERNEL rank_names(u32 n, GLOBAL const hd_offset *out, GLOBAL u32 *counts, GLOBAL u32 *names) {
    SHARED u32 here[HD_CLASSES];
    u64 block = (u64)HD_GROUP_SIZE * HD_RUN, blocks = (n + block - 1) / block;
    for (u64 b = HD_GROUP_INDEX; b < blocks; b += HD_GROUP_TOTAL) {
        hd_group_barrier();
        for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
            here[i] = 0;
        hd_group_barrier();
        for (u32 i = 0; i < HD_RUN; i++) {
            u64 v = b * block + (u64)i * HD_GROUP_SIZE + HD_GROUP_LANE;
            if (v < n)
                hd_add_local(&here[class_of(out, v)], 1);
        }
        hd_group_barrier();
        for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
            here[i] = here[i] ? hd_add32(&counts[i], here[i]) : 0;
        hd_group_barrier();
        for (u32 i = 0; i < HD_RUN; i++) {
            u64 v = b * block + (u64)i * HD_GROUP_SIZE + HD_GROUP_LANE;
            if (v < n)
                names[v] = hd_add_local(&here[class_of(out, v)], 1);
        }
    }
}

/* Replaces the sources of all edges by their new positions. */
KERNEL rank_rename(u64 edges, GLOBAL const u32 *sources, GLOBAL const u32 *names, GLOBAL u32 *renamed) {
    for (u64 e = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; e < edges; e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        renamed[e] = names[hd_constant(&sources[e])];
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

/* Sets the initial ranks and shares. */
KERNEL rank_start(u32 n, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *out, GLOBAL f32 *ranks,
                  GLOBAL f32 *next, GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tallies all;
    graph g;
    tally sum;
    g.n = n, g.rows = out, g.out = out, g.before = ranks, g.ranks = ranks, g.next = next, g.damping = 0, g.base = 0;
    g.renamed = renamed, g.names = names;
    sum.change = 0, sum.idle = 0;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 degree = out_degree(&g, v);
        f32 rank = (f32)(numbers[RANK_FIRST] + numbers[RANK_FIRST_EDGE] * (f64)degree);
        ranks[v] = rank;
        next[share_place(&g, v)] = share_of(degree, rank);
        sum.idle += degree ? 0 : (f64)rank;
    }
    report(&all, sum, &partials[HD_GROUP_INDEX]);
}

HD_DEFINE_SHIFT(f64, shift_sum)

/* name(…): the sum of the shares of edges e, e + step, e + 2 step …: the first `count` of them, as far as they are
 * below `end`. e itself is below `end`. */
#define DEFINE_ADD(name, count)                                                                                  \
    INLINE f64 name(GLOBAL const u32 *sources, GLOBAL const f32 *shares, hd_offset e, u32 step, hd_offset end) { \
        u32 from[count];                                                                                         \
        f32 got[count];                                                                                          \
        f64 sum;                                                                                                 \
        HD_UNROLL for (u32 i = 0; i < count; i++) from[i] =                                                      \
            hd_constant(&sources[MINIMUM(e + (hd_offset)(i * step), end - 1)]);                                  \
        HD_UNROLL for (u32 i = 0; i < count; i++) got[i] = hd_constant(&shares[from[i]]);                        \
        sum = (f64)got[0];                                                                                       \
        HD_UNROLL for (u32 i = 1; i < count; i++) sum += e + (hd_offset)(i * step) < end ? (f64)got[i] : 0;      \
        return sum;                                                                                              \
    }
DEFINE_ADD(add_two, 2)
DEFINE_ADD(add_four, 4)

/* The warp's sum over edges from .. to, in lane 0. All lanes call this. */
INLINE f64 add_wide(LOCAL f64 *scratch, GLOBAL const u32 *sources, GLOBAL const f32 *shares, hd_offset from,
                    hd_offset to) {
    f64 sum = 0;
    hd_offset e = from + HD_LANE;
    if (to - from <= 2 * HD_WARP) /* uniform over the warp, and a frequent case */
        sum = e < to ? add_two(sources, shares, e, HD_WARP, to) : 0;
    else
        for (; e < to; e += 4 * HD_WARP)
            sum += add_four(sources, shares, e, HD_WARP, to);
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        f64 other = shift_sum(scratch, sum, distance);
        if (HD_LANE < distance)
            sum += other;
    }
    return sum;
}

/* Sums the pieces of long rows, one warp per piece. */
KERNEL rank_pieces(GLOBAL const hd_offset *RESTRICT rows, GLOBAL const u32 *RESTRICT sources,
                   GLOBAL const f32 *RESTRICT shares, GLOBAL const u32 *RESTRICT pieces, GLOBAL f64 *RESTRICT parts,
                   GLOBAL const u32 *RESTRICT words) {
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    u64 count = words[RANK_DONE] ? 0 : words[RANK_PIECES];
    for (u64 k = HD_WARP_INDEX; k < count; k += HD_WARP_TOTAL) {
        u64 row = pieces[2 * k], from = rows[row] + (u64)pieces[2 * k + 1] * HD_LONG, end = rows[row + 1];
        f64 sum = add_wide(scratches[HD_WARP_HERE], sources, shares, from, MINIMUM(from + HD_LONG, end));
        if (HD_LANE == 0)
            parts[k] = sum;
    }
}

/* A round: a lane sums each short row, the whole warp each row of at least HD_WARP_ROW in-edges. */
KERNEL rank_round(u32 n, u32 renamed, GLOBAL const u32 *RESTRICT names, GLOBAL const hd_offset *RESTRICT rows,
                  GLOBAL const u32 *RESTRICT sources, GLOBAL const hd_offset *RESTRICT out,
                  GLOBAL const f32 *RESTRICT before, GLOBAL f32 *RESTRICT ranks, GLOBAL const f32 *RESTRICT shares,
                  GLOBAL f32 *RESTRICT next, GLOBAL const u32 *RESTRICT words, GLOBAL const f64 *RESTRICT numbers,
                  GLOBAL tally *RESTRICT partials) {
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    SHARED f64 sums[HD_WARPS][HD_WARP];
    SHARED u32 votes[HD_WARPS][HD_WARP + 2];
    SHARED tallies all;
    u64 blocks = words[RANK_DONE] ? 0 : ((u64)n + HD_WARP - 1) / HD_WARP;
    BEGIN_ROUND(renamed, names);
    for (u64 block = HD_WARP_INDEX; block < blocks; block += HD_WARP_TOTAL) {
        u64 v = block * HD_WARP + HD_LANE, mine = MINIMUM(v, (u64)n - 1);
        hd_offset from = hd_constant(&rows[mine]), to = hd_constant(&rows[mine + 1]);
        f32 old = hd_constant(&before[mine]); /* loaded early, to hide the latency */
        u32 degree = out == rows ? (u32)(to - from) : out_degree(&g, mine);
        int there = v < n && to - from <= HD_LONG, wide = there && to - from >= HD_WARP_ROW;
        u32 lanes = hd_ballot(votes[HD_WARP_HERE], wide);
        f64 sum = 0;
        hd_warp_barrier();
        while (lanes) {
            u32 lane = hd_lowest(lanes);
            u64 row = block * HD_WARP + lane;
            f64 whole = add_wide(scratches[HD_WARP_HERE], sources, shares, rows[row], rows[row + 1]);
            if (HD_LANE == 0)
                sums[HD_WARP_HERE][lane] = whole;
            lanes &= lanes - 1;
        }
        hd_warp_barrier();
        if (wide)
            sum = sums[HD_WARP_HERE][HD_LANE];
        else if (there)
            for (hd_offset e = from; e < to; e += 4)
                sum += add_four(sources, shares, e, 1, to);
        if (there)
            finish_with(&g, v, share_place(&g, v), old, degree, sum, &total);
    }
    report(&all, total, &partials[HD_GROUP_INDEX]);
}

/* The same for graphs without rows of HD_WARP_ROW in-edges or more: one lane per row. */
KERNEL rank_short(u32 n, u32 renamed, GLOBAL const u32 *RESTRICT names, GLOBAL const hd_offset *RESTRICT rows,
                  GLOBAL const u32 *RESTRICT sources, GLOBAL const hd_offset *RESTRICT out,
                  GLOBAL const f32 *RESTRICT before, GLOBAL f32 *RESTRICT ranks, GLOBAL const f32 *RESTRICT shares,
                  GLOBAL f32 *RESTRICT next, GLOBAL const u32 *RESTRICT words, GLOBAL const f64 *RESTRICT numbers,
                  GLOBAL tally *RESTRICT partials) {
    SHARED tallies all;
    u64 end = words[RANK_DONE] ? 0 : n;
    BEGIN_ROUND(renamed, names);
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < end; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        hd_offset from = hd_constant(&rows[v]), to = hd_constant(&rows[v + 1]);
        f32 old = hd_constant(&before[v]);
        u32 degree = out == rows ? (u32)(to - from) : out_degree(&g, v);
        f64 sum = 0;
        for (hd_offset e = from; e < to; e += 4)
            sum += add_four(sources, shares, e, 1, to);
        finish_with(&g, v, share_place(&g, v), old, degree, sum, &total);
    }
    report(&all, total, &partials[HD_GROUP_INDEX]);
}

/* Adds up the pieces of long rows, one lane per row. The groups' sums are stored after those of rank_round. */
KERNEL rank_join(u32 n, u32 slot, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *rows,
                 GLOBAL const hd_offset *out, GLOBAL const f32 *before, GLOBAL f32 *ranks, GLOBAL f32 *next,
                 GLOBAL const u32 *long_rows, GLOBAL const f64 *parts, GLOBAL const u32 *words,
                 GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tallies all;
    u64 count = words[RANK_DONE] ? 0 : words[RANK_LONG_ROWS];
    BEGIN_ROUND(renamed, names);
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k < count; k += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 first = long_rows[3 * k + 1], last = first + long_rows[3 * k + 2];
        f64 sum = 0;
        for (u32 i = first; i < last; i++)
            sum += parts[i];
        finish_row(&g, long_rows[3 * k], sum, &total);
    }
    report(&all, total, &partials[slot + HD_GROUP_INDEX]);
}

/* Ends a round, or, with round 0, prepares the first. One group. */
KERNEL rank_turn(u32 n, u32 count, u32 round, GLOBAL const tally *partials, GLOBAL u32 *words, GLOBAL f64 *numbers) {
    SHARED tallies all;
    GLOBAL tally *sums = (GLOBAL tally *)(numbers + RANK_SUMS);
    u32 done = words[RANK_DONE];
    tally sum;
    sum.change = 0, sum.idle = 0;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
        sum.change += partials[i].change;
        sum.idle += partials[i].idle;
    }
    sum = report(&all, sum, sums);
    if (HD_GROUP_LANE == 0 && !done) {
        numbers[RANK_BASE] = (1 - numbers[RANK_DAMPING] + numbers[RANK_DAMPING] * sum.idle) / (f64)n;
        if (!round) { /* for a second start, near the result: isolated vertices have their final rank */
            f64 even = (1 - numbers[RANK_DAMPING]) / (1 - numbers[RANK_DAMPING] * sum.idle);
            numbers[RANK_FIRST] = even / (f64)n;
            numbers[RANK_FIRST_EDGE] = (1 - even) * numbers[RANK_EDGE_SHARE];
        } else {
            words[RANK_ITERATION]++;
            numbers[RANK_RESIDUAL] = sum.change;
            words[RANK_CONVERGED] = sum.change < numbers[RANK_TOLERANCE];
            words[RANK_DONE] = words[RANK_CONVERGED] || words[RANK_ITERATION] == words[RANK_LIMIT];
        }
    }
}
