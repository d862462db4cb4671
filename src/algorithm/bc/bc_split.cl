/* bc_split.cl - betweenness on a split graph (Tigr's physical transforms): one source, one lane for each vertex' row.
 * Idea: Tigr (Nodehi Sabet, Qiu, Zhao, ASPLOS 2018, section 3): rows are short by construction, so one lane a row is
 * enough. It is there for plans with a transform; plan auto (bc.cl) is the fast way.
 *
 * Only rows of the split direction are walked (BCS_PULL: in-edges). Edges to vertices from `n` on lead to split
 * vertices and always count; others count where they lead to the next level. With split out-edges path counts are
 * pushed and shares gathered, with split in-edges the reverse. A launch handles one stage: the vertices of level
 * `level` among the numbers begin .. end, or, where `listed`, among these places of `order`. */
#include "algorithm/bc/bc_state.h"

#define BCS_NONE 0xffffffffu
#define BCS_MOST 1e270 /* sums of larger path counts might overflow a double */

#define BCS_ARGUMENTS                                                                                    \
    u32 begin, u32 end, u32 level, u32 n, u32 listed, GLOBAL const u32 *order, GLOBAL const u32 *levels, \
        GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL f64 *sigma, GLOBAL f64 *sums, \
        GLOBAL f64 *total, GLOBAL u32 *words

#define BCS_EACH(i, from, to) \
    for (u64 i = (from) + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < (to); i += HD_GROUP_TOTAL * HD_GROUP_SIZE)

/* Gives every vertex its level: vertices added by the split have that of their original. Counts the levels. */
KERNEL bcs_levels(u32 n, u32 all, GLOBAL const u32 *own, GLOBAL const u32 *family, GLOBAL u32 *levels,
                  GLOBAL u32 *words) {
    BCS_EACH(v, 0, all) {
        u32 level = own[v < n ? v : family[v - n]];
        levels[v] = level;
        if (level != BCS_NONE && level >= hd_load32(&words[BCS_LEVELS]))
            hd_max32(&words[BCS_LEVELS], level + 1);
    }
}

/* The stage in which a vertex is handled. Vertices added by the split are numbered by their level in the trees of
 * families; tree[l] is where the numbers of level l end. */
INLINE u32 bcs_stage(u32 n, u32 height, GLOBAL const u32 *tree, u32 v, u32 level) {
    u32 l = 0;
    if (v < n)
        return level * (height + 1) + (BCS_PULL ? height : 0);
    while (v >= tree[l])
        l++;
    return level * (height + 1) + (BCS_PULL ? l : height - l);
}

/* Counting sort of the vertices by stage: bcs_count counts those of each stage; after a prefix sum over the counts,
 * bcs_place writes them to `order`. */
KERNEL bcs_count(u32 n, u32 all, u32 height, GLOBAL const u32 *tree, GLOBAL const u32 *levels, GLOBAL u32 *counts) {
    BCS_EACH(v, 0, all)
    if (levels[v] != BCS_NONE)
        hd_add32(&counts[bcs_stage(n, height, tree, (u32)v, levels[v])], 1);
}

KERNEL bcs_place(u32 n, u32 all, u32 height, GLOBAL const u32 *tree, GLOBAL const u32 *levels, GLOBAL u32 *places,
                 GLOBAL u32 *order) {
    BCS_EACH(v, 0, all)
    if (levels[v] != BCS_NONE)
        order[hd_add32(&places[bcs_stage(n, height, tree, (u32)v, levels[v])], 1)] = (u32)v;
}

/* Sums what a vertex receives along its row. */
INLINE f64 bcs_gather(u32 n, GLOBAL const u32 *levels, GLOBAL const u32 *targets, u64 e, u64 to, u32 wanted,
                      GLOBAL const f64 *from) {
    f64 sum = 0;
    for (; e < to; e++) {
        u32 y = hd_constant(&targets[e]);
        if (y >= n || levels[y] == wanted)
            sum += from[y];
    }
    return sum;
}

/* Sends a value along a vertex's row. A vertex added by the split has one sender only, so it needs no atomic. */
INLINE void bcs_send(u32 n, GLOBAL const u32 *levels, GLOBAL const u32 *targets, u64 e, u64 end, u32 wanted, f64 value,
                     GLOBAL f64 *to) {
    for (; e < end; e++) {
        u32 y = hd_constant(&targets[e]);
        if (y >= n)
            to[y] = value;
        else if (levels[y] == wanted)
            hd_add_f64(&to[y], value);
    }
}

KERNEL bcs_forward(BCS_ARGUMENTS) {
    BCS_EACH(i, begin, end) {
        u32 x = listed ? order[i] : (u32)i;
        if (levels[x] != level)
            continue;
#if BCS_PULL
        if (level || x >= n)
            sigma[x] =
                bcs_gather(n, levels, targets, offsets[x], offsets[x + 1], level ? level - 1 : BCS_NONE - 1, sigma);
#else
        bcs_send(n, levels, targets, offsets[x], offsets[x + 1], level + 1, sigma[x], sigma);
#endif
        if (!(sigma[x] < BCS_MOST))
            words[BCS_EXCESS] = 1;
    }
    (void)sums, (void)total;
}

/* The value that a vertex passes on, from the sum that it received. A vertex added by the split passes on the sum
 * itself; an original one adds its dependency to `total` and passes on its share. */
INLINE f64 bcs_finish(u32 n, u32 level, u32 x, f64 sum, GLOBAL const f64 *sigma, GLOBAL f64 *total) {
    f64 delta;
    if (x >= n)
        return sum;
    delta = sigma[x] * sum;
    if (level)
        total[x] += delta;
    return (1 + delta) / sigma[x];
}

KERNEL bcs_backward(BCS_ARGUMENTS) {
    BCS_EACH(i, begin, end) {
        u32 x = listed ? order[i] : (u32)i;
        if (levels[x] != level)
            continue;
#if BCS_PULL
        bcs_send(n, levels, targets, offsets[x], offsets[x + 1], level ? level - 1 : BCS_NONE - 1,
                 bcs_finish(n, level, x, sums[x], sigma, total), sums);
#else
        sums[x] = bcs_finish(n, level, x, bcs_gather(n, levels, targets, offsets[x], offsets[x + 1], level + 1, sums),
                             sigma, total);
#endif
    }
    (void)words;
}
