/* communities_merge.cl - the graph of communities, on a device: the level of louvain or leiden that follows.
 * Idea: every community has a hash table with room for all entries of its members' rows. Warps add up the rows there,
 * and what is in the tables, in their order, are the rows of the next level. Where an entry stands in its row depends
 * on chance, but nothing that is computed from the row does: all sums are whole numbers. */
#include "engine/primitive/sums.cl"

#define MERGE_FOR(i, count) \
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < (count); i += HD_GROUP_TOTAL * HD_GROUP_SIZE)

/* Which labels there are; the prefix sums of the flags number them. */
KERNEL merge_flag(u32 n, GLOBAL const u32 *label, GLOBAL u32 *flags) {
    MERGE_FOR(v, n)
    hd_store32(&flags[label[v]], 1);
}

KERNEL merge_number(u32 n, GLOBAL const u64 *numbers, GLOBAL u32 *label) {
    MERGE_FOR(v, n)
    label[v] = (u32)numbers[label[v]];
}

/* The community of each part. */
KERNEL merge_parts(u32 n, GLOBAL const u32 *inner, GLOBAL const u32 *part, GLOBAL u32 *next) {
    MERGE_FOR(v, n)
    hd_store32(&next[inner[v]], part[v]);
}

/* The user's vertices follow. */
KERNEL merge_member(u32 n, GLOBAL const u32 *label, GLOBAL u32 *member) {
    MERGE_FOR(u, n)
    member[u] = label[member[u]];
}

/* Adds up entries, ends and loops by label. */
KERNEL merge_bounds(u32 n, GLOBAL const u64 *offsets, GLOBAL const u32 *label, GLOBAL const u64 *ends,
                    GLOBAL const u64 *own, GLOBAL u32 *bounds, GLOBAL u64 *next_ends, GLOBAL u64 *next_own) {
    MERGE_FOR(v, n) {
        u32 c = label[v], count = (u32)(offsets[v + 1] - offsets[v]);
        if (count)
            hd_add32(&bounds[c], count);
        if (ends[v])
            hd_add64(&next_ends[c], ends[v]);
        if (own[v])
            hd_add64(&next_own[c], own[v]);
    }
}

/* Slots of a table: half as many again as it can have keys. */
KERNEL merge_slots(u32 count, GLOBAL u32 *bounds) {
    MERGE_FOR(c, count) {
        u32 entries = bounds[c], most = entries + entries / 2 + 1;
        bounds[c] = entries == 0 ? 0 : most / 2 < count ? most : 2 * count;
    }
}

/* Adds one range of a row to the table of its community. Edges inside become a loop. */
INLINE u64 merge_row(MOVE_ROWS, GLOBAL const u32 *label, u32 c, u64 begin, u64 end, GLOBAL const u64 *starts,
                     GLOBAL u32 *keys, GLOBAL u64 *sums) {
    u64 table = starts[c], slots = starts[c + 1] - table, inside = 0;
    (void)offsets;
    for (u64 e = begin + HD_LANE; e < end; e += HD_WARP) {
        u32 other = label[targets[e]];
        if (other == c)
            inside += MOVE_WEIGHT(e);
        else
            move_insert(keys + table, sums + table, slots, other + 1, MOVE_WEIGHT(e));
    }
    return inside;
}

KERNEL merge_rows(u32 n, MOVE_LONG, MOVE_ROWS, GLOBAL const u32 *label, GLOBAL const u64 *starts, GLOBAL u32 *keys,
                  GLOBAL u64 *sums, GLOBAL u64 *own) {
    SHARED u64 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 i = HD_WARP_INDEX; i < (u64)n + pieces; i += HD_WARP_TOTAL) {
        stretch s = move_stretch(n, list, rows, offsets, i);
        u32 c = label[s.v];
        u64 inside = merge_row(offsets, targets, weights, unit, even, label, c, s.begin, s.end, starts, keys, sums);
        inside = move_sum(scratch[HD_WARP_HERE], inside);
        if (HD_LANE == 0 && inside)
            hd_add64(&own[c], inside);
    }
}

/* ---- From tables to rows ----------------------------------------------------------------------------------------- */

/* How many of the slots first .. end - 1 are taken; all lanes get it. */
INLINE u32 merge_taken(LOCAL u32 *scratch, GLOBAL const u32 *keys, u64 first, u64 end) {
    u32 mine = 0, total;
    for (u64 k = first + HD_LANE; k < end; k += HD_WARP)
        mine += keys[k] != 0;
    hd_scan(scratch, mine, &total);
    return total;
}

KERNEL merge_count(u64 slots, GLOBAL const u32 *keys, GLOBAL u32 *counts) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    u64 pieces = (slots + MERGE_PIECE - 1) / MERGE_PIECE;
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u64 first = p * MERGE_PIECE, end = slots - first < MERGE_PIECE ? slots : first + MERGE_PIECE;
        u32 taken = merge_taken(scratch[HD_WARP_HERE], keys, first, end);
        if (HD_LANE == 0)
            counts[p] = taken;
    }
}

/* Starts of tables become those of rows: behind what is taken in the pieces before, and in the piece that the table
 * begins in. */
KERNEL merge_offsets(u32 count, GLOBAL u64 *starts, GLOBAL const u32 *keys, GLOBAL const u64 *places) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 c = HD_WARP_INDEX; c <= count; c += HD_WARP_TOTAL) {
        u64 start = starts[c], piece = start / MERGE_PIECE;
        u32 taken = merge_taken(scratch[HD_WARP_HERE], keys, piece * MERGE_PIECE, start);
        hd_warp_barrier();
        if (HD_LANE == 0)
            starts[c] = places[piece] + taken;
    }
}

KERNEL merge_write(u64 slots, GLOBAL const u32 *keys, GLOBAL const u64 *sums, GLOBAL const u64 *places,
                   GLOBAL u32 *targets, GLOBAL u64 *weights) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    u64 pieces = (slots + MERGE_PIECE - 1) / MERGE_PIECE;
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u64 place = places[p];
        for (u32 step = 0; step < MERGE_PIECE; step += HD_WARP) {
            u64 k = p * MERGE_PIECE + step + HD_LANE;
            u32 key = k < slots ? keys[k] : 0, total, below = hd_rank(scratch[HD_WARP_HERE], key != 0, &total);
            if (key) {
                targets[place + below] = key - 1;
                weights[place + below] = sums[k];
            }
            place += total;
        }
    }
}

/* ---- In the end -------------------------------------------------------------------------------------------------- */

/* Communities get the name of their smallest vertex. */
KERNEL merge_smallest(u32 n, GLOBAL const u32 *member, GLOBAL const u32 *part, GLOBAL u32 *first) {
    MERGE_FOR(u, n)
    hd_min32(&first[part[member[u]]], (u32)u);
}

KERNEL merge_name(u32 n, GLOBAL const u32 *member, GLOBAL const u32 *part, GLOBAL const u32 *first, GLOBAL u32 *label) {
    MERGE_FOR(u, n)
    label[u] = first[part[member[u]]];
}

/* Joins the ends of edges inside communities: sets are their connected pieces. */
KERNEL merge_pieces(u32 n, MOVE_LONG, GLOBAL const u64 *offsets, GLOBAL const u32 *targets, GLOBAL const u32 *label,
                    GLOBAL u32 *parent) {
    for (u64 i = HD_WARP_INDEX; i < (u64)n + pieces; i += HD_WARP_TOTAL) {
        stretch s = move_stretch(n, list, rows, offsets, i);
        for (u64 e = s.begin + HD_LANE; e < s.end; e += HD_WARP) {
            u32 w = targets[e];
            if (w < s.v && label[w] == label[s.v])
                set_join(parent, s.v, w);
        }
    }
}
