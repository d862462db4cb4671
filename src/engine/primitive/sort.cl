/* sort.cl - a stable radix sort by keys of 32 bits, from the lowest digit.
 * Idea: histogram, prefix sum, scatter in each pass, as Satish, Harris and Garland (IPDPS 2009). Keys are vertices, so
 * there are only as many passes as their bits ask for; it needs no atomics between groups, so that every device runs
 * it.
 *
 * A pass cuts the items into pieces. It counts each piece's digits, sums the counts digit by digit and piece by piece,
 * which says where the first item of each goes, and moves the items. */
#include "engine/primitive/row_of.cl"
#include "engine/primitive/sums.cl"

enum { BUCKETS = 256, EACH = 16 /* items of a lane in a tile */, TILE = HD_WARPS * HD_WARP * EACH };

/* Counts the digits of each piece, one warp per piece: counts[digit * pieces + piece]. */
KERNEL hd_sort_count(u64 items, u32 length, u32 pieces, u32 shift, u32 mask, GLOBAL const u32 *keys,
                     GLOBAL u32 *counts) {
    SHARED u32 all[HD_WARPS * BUCKETS];
    LOCAL u32 *here = &all[HD_WARP_HERE * BUCKETS];
    for (u64 piece = HD_WARP_INDEX; piece < pieces; piece += HD_WARP_TOTAL) {
        u64 from = piece * length, to = items - from < length ? items : from + length;
        for (u32 i = HD_LANE; i < BUCKETS; i += HD_WARP)
            here[i] = 0;
        hd_warp_barrier();
        for (u64 item = from + HD_LANE; item < to; item += HD_WARP)
            hd_add_local(&here[keys[item] >> shift & mask], 1);
        hd_warp_barrier();
        for (u32 i = HD_LANE; i <= mask; i += HD_WARP)
            counts[(u64)i * pieces + piece] = here[i];
        hd_warp_barrier();
    }
}

/* How many lower lanes have the same digit; `last`: no higher lane has it. */
INLINE u32 hd_equals_below(LOCAL u32 *scratch, u32 digit, u32 *last) {
    u32 lane = HD_LANE, rank = 0;
#ifdef HD_MATCHES
    u32 same = hd_match(digit);
    (void)scratch;
    rank = hd_popcount(same & ((1u << lane) - 1u));
    *last = same >> lane == 1u;
#else
    u32 above = 0;
    hd_warp_barrier();
    scratch[lane] = digit;
    hd_warp_barrier();
    for (u32 i = 0; i < HD_WARP; i++) {
        rank += i < lane && scratch[i] == digit;
        above |= i > lane && scratch[i] == digit;
    }
    *last = !above;
#endif
    return rank;
}

/* Moves the items, each a key and one or two words. With `rows`, the first word is the row of `offsets` that the item
 * lies in. If there is no second word, `seconds` and `seconds_to` may be any buffers.
 *
 * A group takes a piece, tile by tile. It sorts a tile by digit in shared memory first, so that the items of a digit
 * are written to adjacent addresses. */
KERNEL_DENSE(4)
hd_sort_move(u64 items, u32 length, u32 pieces, u32 shift, u32 mask, u32 rows, u32 second, u32 n,
             GLOBAL const hd_offset *offsets, GLOBAL const hd_offset *places, GLOBAL const u32 *keys,
             GLOBAL const u32 *firsts, GLOBAL const u32 *seconds, GLOBAL u32 *keys_to, GLOBAL u32 *firsts_to,
             GLOBAL u32 *seconds_to) {
    SHARED u32 counts[HD_WARPS * BUCKETS]; /* per warp and digit: number of items, then where they begin in the tile */
    SHARED u32 starts[BUCKETS];
    SHARED hd_offset next[BUCKETS]; /* per digit: where the items of the tile go */
    SHARED u32 staged[TILE];
    SHARED u32 words[TILE];
    SHARED u32 scratch[HD_WARPS * HD_SCRATCH];
    SHARED u32 parts[HD_WARPS];
    LOCAL u32 *mine = &counts[HD_WARP_HERE * BUCKETS];
    for (u64 piece = HD_GROUP_INDEX; piece < pieces; piece += HD_GROUP_TOTAL) {
        u64 from = piece * length, to = items - from < length ? items : from + length;
        u32 low = 0, high = n;
        if (rows) {
            low = row_of(offsets, low, high, from);
            high = row_of(offsets, low, high, to - 1) + 1;
        }
        for (u32 d = HD_GROUP_LANE; d < BUCKETS; d += HD_GROUP_SIZE)
            next[d] = d <= mask ? places[(u64)d * pieces + piece] : 0;
        for (u64 tile = from; tile < to; tile += TILE) {
            u64 first = tile + HD_WARP_HERE * (HD_WARP * EACH) + HD_LANE;
            u32 key[EACH], place[EACH], count = to - tile < TILE ? (u32)(to - tile) : TILE, sum = 0;
            for (u32 i = HD_GROUP_LANE; i < HD_WARPS * BUCKETS; i += HD_GROUP_SIZE)
                counts[i] = 0;
            hd_group_barrier();
            HD_UNROLL
            for (u32 k = 0; k < EACH; k++) {
                u32 inside = first + k * HD_WARP < to, last;
                key[k] = inside ? keys[first + k * HD_WARP] : 0;
                u32 digit = inside ? key[k] >> shift & mask : BUCKETS;
                u32 below = hd_equals_below(&scratch[HD_WARP_HERE * HD_SCRATCH], digit, &last);
                place[k] = inside ? mine[digit] + below : 0;
                hd_warp_barrier();
                if (inside && last)
                    mine[digit] = place[k] + 1;
                hd_warp_barrier();
            }
            hd_group_barrier();
            for (u32 base = 0; base < BUCKETS; base += HD_GROUP_SIZE) {
                u32 d = base + HD_GROUP_LANE, total = 0, all;
                for (u32 w = 0; w < HD_WARPS; w++)
                    total += counts[w * BUCKETS + d];
                u32 at = sum + hd_group_scan(scratch, parts, total, &all);
                starts[d] = at;
                for (u32 w = 0; w < HD_WARPS; w++) {
                    u32 here = counts[w * BUCKETS + d];
                    counts[w * BUCKETS + d] = at;
                    at += here;
                }
                sum += all;
            }
            hd_group_barrier();
            HD_UNROLL
            for (u32 k = 0; k < EACH; k++)
                if (first + k * HD_WARP < to) {
                    place[k] += mine[key[k] >> shift & mask];
                    staged[place[k]] = key[k];
                }
            hd_group_barrier();
            for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
                u32 d = staged[i] >> shift & mask;
                keys_to[next[d] + (i - starts[d])] = staged[i];
            }
            for (u32 word = 0; word < 1 + second; word++) {
                GLOBAL const u32 *source = word ? seconds : firsts;
                GLOBAL u32 *target = word ? seconds_to : firsts_to;
                u32 search = rows && !word;
                HD_UNROLL
                for (u32 k = 0; k < EACH; k++) {
                    u64 item = first + k * HD_WARP;
                    if (item < to)
                        words[place[k]] = search ? row_of(offsets, low, high, item) : source[item];
                }
                hd_group_barrier();
                for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
                    u32 d = staged[i] >> shift & mask;
                    target[next[d] + (i - starts[d])] = words[i];
                }
                hd_group_barrier();
            }
            for (u32 d = HD_GROUP_LANE; d < BUCKETS; d += HD_GROUP_SIZE)
                next[d] += (d + 1 < BUCKETS ? starts[d + 1] : count) - starts[d];
            hd_group_barrier();
        }
    }
}
