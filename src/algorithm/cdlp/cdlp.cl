/* cdlp.cl - label propagation on a device: a round is a kernel over rows whose tables of labels fit into shared memory,
 * and one over longer ones, whose tables are in the device's memory. A warp per vertex.
 * `both`: rows of the in-edges count too (a directed graph). */
#include "algorithm/cdlp/cdlp_state.h"

#define CDLP_SLOTS (2 * CDLP_SHORT)

#define CDLP_ROWS                                                                                                     \
    u32 both, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, \
        GLOBAL const u32 *in_targets

/* Entry i of the row of v: out-edges first. */
INLINE u32 cdlp_entry(CDLP_ROWS, u32 v, u64 out, u64 i) {
    (void)both, (void)out_offsets;
    return i < out ? out_targets[out_offsets[v] + i] : in_targets[in_offsets[v] + (i - out)];
}

INLINE u64 cdlp_out(GLOBAL const hd_offset *offsets, u32 v) { return offsets[v + 1] - offsets[v]; }

/* First labels, and the list of long rows: the vertex, and the first unit of its table. */
KERNEL cdlp_start(u32 n, CDLP_ROWS, GLOBAL u32 *label, GLOBAL u32 *rows, GLOBAL u32 *state) {
    (void)out_targets, (void)in_targets;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i;
        u64 count = cdlp_out(out_offsets, v) + (both ? cdlp_out(in_offsets, v) : 0);
        label[v] = v;
        if (count > CDLP_SHORT) {
            u32 place = hd_add32(&state[CDLP_LONG], 1);
            rows[2 * place] = v;
            rows[2 * place + 1] = hd_add32(&state[CDLP_UNITS], (u32)((2 * count + CDLP_UNIT - 1) / CDLP_UNIT));
        }
    }
}

KERNEL cdlp_short(u32 n, CDLP_ROWS, GLOBAL const u32 *label, GLOBAL u32 *next, GLOBAL u32 *state) {
    SHARED u32 keys[HD_WARPS][CDLP_SLOTS], counts[HD_WARPS][CDLP_SLOTS];
    SHARED u32 bests[HD_WARPS][HD_WARP], labels[HD_WARPS][HD_WARP];
    u32 here = HD_WARP_HERE, changed = 0;
    for (u64 i = HD_WARP_INDEX; i < n; i += HD_WARP_TOTAL) {
        u32 v = (u32)i, slots = 32, best = 0, top = 0xffffffffu;
        u64 out = cdlp_out(out_offsets, v), count = out + (both ? cdlp_out(in_offsets, v) : 0);
        u64 few = count > CDLP_SHORT ? 0 : count; /* a long one is not for this kernel */
        while (slots < 2 * few)
            slots *= 2;
        for (u32 k = HD_LANE; k < slots; k += HD_WARP) {
            keys[here][k] = 0;
            counts[here][k] = 0;
        }
        hd_warp_barrier();
        for (u64 k = HD_LANE; k < few; k += HD_WARP)
            hd_mode_add_local(keys[here], counts[here], slots - 1,
                              label[cdlp_entry(both, out_offsets, out_targets, in_offsets, in_targets, v, out, k)]);
        hd_warp_barrier();
        for (u32 k = HD_LANE; k < slots; k += HD_WARP)
            if (HD_MODE_BETTER(counts[here][k], keys[here][k] - 1, best, top)) {
                best = counts[here][k];
                top = keys[here][k] - 1;
            }
        top = hd_mode_best(bests[here], labels[here], best, top);
        if (HD_LANE == 0 && count <= CDLP_SHORT) {
            u32 old = label[v];
            top = count ? top : old;
            next[v] = top;
            changed += top != old;
        }
    }
    if (changed)
        hd_add32(&state[CDLP_CHANGED], changed);
}

/* Long rows: one kernel counts, the next one finds the best. Counts lie behind all keys. */
KERNEL cdlp_long(u32 longs, CDLP_ROWS, GLOBAL const u32 *label, GLOBAL const u32 *rows, GLOBAL u32 *table, u64 slots) {
    for (u64 i = HD_WARP_INDEX; i < longs; i += HD_WARP_TOTAL) {
        u32 v = rows[2 * i];
        u64 out = cdlp_out(out_offsets, v), count = out + (both ? cdlp_out(in_offsets, v) : 0);
        GLOBAL u32 *keys = table + (u64)rows[2 * i + 1] * CDLP_UNIT;
        for (u64 k = HD_LANE; k < count; k += HD_WARP)
            hd_mode_add(keys, keys + slots, 2 * count,
                        label[cdlp_entry(both, out_offsets, out_targets, in_offsets, in_targets, v, out, k)]);
    }
}

KERNEL cdlp_best(u32 longs, u32 both, GLOBAL const hd_offset *out_offsets, GLOBAL const hd_offset *in_offsets,
                 GLOBAL const u32 *label, GLOBAL u32 *next, GLOBAL const u32 *rows, GLOBAL const u32 *table, u64 slots,
                 GLOBAL u32 *state) {
    SHARED u32 bests[HD_WARPS][HD_WARP], labels[HD_WARPS][HD_WARP];
    u32 here = HD_WARP_HERE, changed = 0;
    for (u64 i = HD_WARP_INDEX; i < longs; i += HD_WARP_TOTAL) {
        u32 v = rows[2 * i], best = 0, top = 0xffffffffu;
        u64 count = cdlp_out(out_offsets, v) + (both ? cdlp_out(in_offsets, v) : 0);
        GLOBAL const u32 *keys = table + (u64)rows[2 * i + 1] * CDLP_UNIT;
        GLOBAL const u32 *counts = keys + slots;
        for (u64 k = HD_LANE; k < 2 * count; k += HD_WARP)
            if (HD_MODE_BETTER(counts[k], keys[k] - 1, best, top)) {
                best = counts[k];
                top = keys[k] - 1;
            }
        top = hd_mode_best(bests[here], labels[here], best, top);
        if (HD_LANE == 0) {
            next[v] = top;
            changed += top != label[v];
        }
    }
    if (changed)
        hd_add32(&state[CDLP_CHANGED], changed);
}

/* Empties the tables. */
KERNEL cdlp_clear(u64 words, GLOBAL u32 *table, GLOBAL u32 *state) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < words; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        table[i] = 0;
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        state[CDLP_CHANGED] = 0;
}
