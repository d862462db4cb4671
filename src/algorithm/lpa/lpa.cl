/* lpa.cl - asynchronous label propagation on a device: the vertices of one colour at once, a warp per vertex. Rows
 * whose tables of labels fit into shared memory have one kernel, longer ones, whose tables are in the device's memory,
 * three. `both`: rows of the in-edges count too (a directed graph). */
#include "algorithm/lpa/lpa_state.h"
#include "engine/label_rank.h"

#define LPA_SLOTS (2 * LPA_SHORT)

#define LPA_ROWS                                                                                                      \
    u32 both, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, \
        GLOBAL const u32 *in_targets

INLINE u64 lpa_count(GLOBAL const hd_offset *offsets, u32 v) { return offsets[v + 1] - offsets[v]; }

/* Entry i of the row of v: out-edges first. */
#define LPA_ENTRY(i) ((i) < out ? out_targets[out_offsets[v] + (i)] : in_targets[in_offsets[v] + ((i)-out)])

KERNEL lpa_start(u32 n, GLOBAL u32 *label, GLOBAL u32 *marks) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        label[v] = (u32)v;
        marks[v] = 1;
    }
}

/* The best of the lanes' best labels, for all lanes, which call it together; `own` where there is none. */
INLINE u32 lpa_choose(LOCAL u32 *bests, LOCAL u32 *ranks, LOCAL u32 *chosen, u32 best, u32 rank, u32 label, u32 own) {
    u32 top = hd_mode_best(bests, ranks, best, rank);
    if (HD_LANE == 0) {
        ranks[0] = top;
        *chosen = own;
    }
    hd_warp_barrier();
    if (best && rank == ranks[0])
        *chosen = label;
    hd_warp_barrier();
    label = *chosen;
    hd_warp_barrier();
    return label;
}

/* Vertices [first, last) of the order, whose rows are short. */
KERNEL lpa_short(u64 first, u64 last, GLOBAL const u32 *order, LPA_ROWS, u32 seed, GLOBAL u32 *label, GLOBAL u32 *marks,
                 GLOBAL u32 *state) {
    SHARED u32 keys[HD_WARPS][LPA_SLOTS], counts[HD_WARPS][LPA_SLOTS];
    SHARED u32 bests[HD_WARPS][HD_WARP], ranks[HD_WARPS][HD_WARP], chosen[HD_WARPS];
    u32 here = HD_WARP_HERE, changed = 0;
    for (u64 i = first + HD_WARP_INDEX; i < last; i += HD_WARP_TOTAL) {
        u32 v = order[i], own = label[v], salt = HD_LABEL_SALT(v, seed), slots = 32, best = 0, rank = 0xffffffffu;
        u32 top = own;
        u64 out = lpa_count(out_offsets, v), all = out + (both ? lpa_count(in_offsets, v) : 0);
        u64 few = marks[v] ? all : 0; /* nothing to do else */
        while (slots < 2 * few)
            slots *= 2;
        for (u32 k = HD_LANE; k < slots; k += HD_WARP) {
            keys[here][k] = 0;
            counts[here][k] = 0;
        }
        hd_warp_barrier();
        if (HD_LANE == 0)
            marks[v] = 0;
        for (u64 k = HD_LANE; k < few; k += HD_WARP)
            hd_mode_add_local(keys[here], counts[here], slots - 1, label[LPA_ENTRY(k)]);
        hd_warp_barrier();
        for (u32 k = HD_LANE; k < slots; k += HD_WARP) {
            u32 key = keys[here][k] - 1, count = counts[here][k], its = HD_LABEL_RANK(key, own, salt);
            if (count && HD_MODE_BETTER(count, its, best, rank)) {
                best = count;
                rank = its;
                top = key;
            }
        }
        top = lpa_choose(bests[here], ranks[here], &chosen[here], best, rank, top, own);
        for (u64 k = HD_LANE; top != own && k < few; k += HD_WARP)
            hd_store32(&marks[LPA_ENTRY(k)], 1);
        if (HD_LANE == 0 && top != own) {
            label[v] = top;
            changed++;
        }
    }
    if (changed)
        hd_add32(&state[LPA_CHANGED], changed);
}

/* Long rows of a colour: tables are cleared, one kernel counts, the next one finds the best. Counts lie behind all
 * keys; `places` are the first slots of the vertices' tables, from `base` on those of this colour. */
KERNEL lpa_clear(u64 words, GLOBAL u32 *table) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < words; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        table[i] = 0;
}

KERNEL lpa_long(u64 first, u64 last, GLOBAL const u32 *order, GLOBAL const u64 *places, u64 base, LPA_ROWS,
                GLOBAL const u32 *label, GLOBAL const u32 *marks, GLOBAL u32 *table, u64 slots) {
    for (u64 i = first + HD_WARP_INDEX; i < last; i += HD_WARP_TOTAL) {
        u32 v = order[i];
        u64 out = lpa_count(out_offsets, v), all = out + (both ? lpa_count(in_offsets, v) : 0);
        GLOBAL u32 *keys = table + places[base + i - first];
        for (u64 k = HD_LANE; k < (marks[v] ? all : 0); k += HD_WARP)
            hd_mode_add(keys, keys + slots, 2 * all, label[LPA_ENTRY(k)]);
    }
}

KERNEL lpa_best(u64 first, u64 last, GLOBAL const u32 *order, GLOBAL const u64 *places, u64 base, LPA_ROWS, u32 seed,
                GLOBAL u32 *label, GLOBAL u32 *marks, GLOBAL const u32 *table, u64 slots, GLOBAL u32 *state) {
    SHARED u32 bests[HD_WARPS][HD_WARP], ranks[HD_WARPS][HD_WARP], chosen[HD_WARPS];
    u32 here = HD_WARP_HERE, changed = 0;
    for (u64 i = first + HD_WARP_INDEX; i < last; i += HD_WARP_TOTAL) {
        u32 v = order[i], own = label[v], salt = HD_LABEL_SALT(v, seed), best = 0, rank = 0xffffffffu, top = own;
        u64 out = lpa_count(out_offsets, v), all = out + (both ? lpa_count(in_offsets, v) : 0);
        u64 some = marks[v] ? all : 0;
        GLOBAL const u32 *keys = table + places[base + i - first];
        GLOBAL const u32 *counts = keys + slots;
        hd_warp_barrier();
        if (HD_LANE == 0)
            marks[v] = 0;
        for (u64 k = HD_LANE; k < 2 * some; k += HD_WARP) {
            u32 key = keys[k] - 1, count = counts[k], its = HD_LABEL_RANK(key, own, salt);
            if (count && HD_MODE_BETTER(count, its, best, rank)) {
                best = count;
                rank = its;
                top = key;
            }
        }
        top = lpa_choose(bests[here], ranks[here], &chosen[here], best, rank, top, own);
        for (u64 k = HD_LANE; top != own && k < some; k += HD_WARP)
            hd_store32(&marks[LPA_ENTRY(k)], 1);
        if (HD_LANE == 0 && top != own) {
            label[v] = top;
            changed++;
        }
    }
    if (changed)
        hd_add32(&state[LPA_CHANGED], changed);
}
