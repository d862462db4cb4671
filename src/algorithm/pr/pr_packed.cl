/* pr_packed.cl - PageRank over packed in-edges (graph/pack.h), which may lie in host memory.
 * Idea: rows too large for the device are bound by the bus, so they travel as sorted gaps, 32 at one bit width (Lemire
 * and Boytsov, 2015), and are decoded where they are used. Beats reading plain rows over the bus by the bits it saves.
 *
 * A group takes a bin of HD_BIN edges and copies its words to shared memory, in whole lines: a bus is slowed down by
 * the number of requests before it is by their bytes. Each of its warps then decodes one chunk of HD_BLOCKS_HERE
 * blocks, block by block, a lane for each entry, so that lanes use different banks of shared memory. Rows are then
 * summed as in pr_bins.cl.
 *
 * On skewed graphs sources have other names, by out-degree, under which shares are kept (`renamed`, `names`). Ranks are
 * not kept: what they would take holds rows. */
#define HD_PACK_BLOCK 32u /* as many as a warp has lanes */
#define HD_DECODED 8u     /* blocks that a warp decodes before it needs their shares */
#define HD_PACK_HEADER (1u + (HD_BLOCKS_HERE + 3u) / 4u)
#define HD_LINE 8u     /* uint4 in a line, the largest request of a bus */
#define HD_TAKEN 6u    /* loads that a lane has in flight: mostly the whole bin */
#define HD_STRIPES 64u /* places in the packed words where groups work at the same time */
/* uint4 of the largest bin, the line that it begins in, and one more: a field is read from two consecutive words. */
#define HD_STAGE (HD_ROW_LANES / HD_WARP * ((HD_PACK_HEADER + HD_BLOCKS_HERE * HD_PACK_BLOCK + 3u) / 4u) + HD_LINE + 1u)

HD_DEFINE_SHIFT(u32, shift_word)

/* The field of `width` bits that begins at `bit`. */
INLINE u32 take_field(LOCAL const u32 *words, u32 bit, u32 width) {
    u64 pair = words[bit / 32] | (u64)words[bit / 32 + 1] << 32;
    return (u32)(pair >> (bit % 32)) & (u32)(((u64)1 << width) - 1);
}

typedef struct unpack_scratch {
    u32 shifts[HD_SCRATCH], words[HD_WARP + 2];
    u32 widths[HD_WARP], starts[HD_WARP]; /* of the chunk's blocks */
} unpack_scratch;

/* Entry i of a block, without what the row has before the block: the sum of the differences since the row began. Bits
 * of `heads` say where rows begin, *within: whether the entry's row begins in the block. A prefix sum over the warp
 * that stops at heads: `reach` entries before this one are of its row. */
INLINE u32 decode_entry(LOCAL unpack_scratch *scratch, LOCAL const u32 *words, u32 width, u32 heads, u32 i,
                        u32 *within) {
    u32 sum = take_field(words, i * width, width), until = heads & (0xffffffffu >> (HD_PACK_BLOCK - 1 - i));
    u32 reach = until ? i - hd_highest(until) : i;
    for (u32 distance = 1; distance < HD_PACK_BLOCK; distance *= 2) {
        u32 before = shift_word(scratch->shifts, sum, distance);
        sum += reach >= distance ? before : 0;
    }
    *within = until != 0;
    return sum;
}

/* Notes where the blocks of a chunk are in its words, a lane for each. */
INLINE void find_blocks(LOCAL unpack_scratch *scratch, LOCAL const u32 *stage, u32 blocks) {
    u32 width = HD_LANE < blocks ? stage[1 + HD_LANE / 4] >> (HD_LANE % 4 * 8) & 255u : 0, all;
    scratch->starts[HD_LANE] = HD_PACK_HEADER + hd_scan(scratch->words, width, &all);
    scratch->widths[HD_LANE] = width;
    hd_warp_barrier();
}

/* Decodes a chunk and writes the shares of its sources to `here`; does nothing for a chunk without blocks. The warp
 * takes a block after the other, a lane for each entry, in reverse order, since sums come from earlier entries and a
 * shift reads from a higher lane. */
INLINE void unpack_chunk(LOCAL unpack_scratch *scratch, LOCAL const u32 *stage, u32 blocks, LOCAL const u32 *heads,
                         GLOBAL const f32 *shares, LOCAL f32 *here) {
    u32 carried = blocks ? stage[0] : 0, i = HD_PACK_BLOCK - 1 - HD_LANE;
    find_blocks(scratch, stage, blocks);
    for (u32 first = 0; first < HD_BLOCKS_HERE; first += HD_DECODED) {
        f32 got[HD_DECODED];
        HD_UNROLL for (u32 k = 0; k < HD_DECODED; k++) {
            u32 b = MINIMUM(first + k, HD_BLOCKS_HERE - 1), there = blocks && first + k < HD_BLOCKS_HERE, within;
            u32 source = decode_entry(scratch, stage + scratch->starts[b], scratch->widths[b], blocks ? heads[b] : 0, i,
                                      &within);
            source += within ? 0 : carried;
            carried = hd_broadcast(scratch->words, source);
            got[k] = there ? hd_constant(&shares[source]) : 0;
        }
        HD_UNROLL for (u32 k = 0; k < HD_DECODED; k++) {
            u32 b = first + k;
            if (b < HD_BLOCKS_HERE)
                here[b * HD_PACK_BLOCK + i] = got[k];
        }
    }
}

/* Copies from .. to of the packed words to shared memory, from the line on that the first is in. */
INLINE void take_bin(LOCAL uint4 *stage, GLOBAL const uint4 *packed, u32 from, u32 to) {
    u32 skip = from % HD_LINE, end = to - from + skip, size = HD_GROUP_SIZE;
    GLOBAL const uint4 *lines = packed + (from - skip);
    for (u32 i = HD_GROUP_LANE; i < end; i += HD_TAKEN * size) {
        uint4 got[HD_TAKEN];
        HD_UNROLL for (u32 k = 0; k < HD_TAKEN; k++) {
            u32 at = i + k * size;
            if (at >= skip && at < end)
                got[k] = lines[at];
        }
        HD_UNROLL for (u32 k = 0; k < HD_TAKEN; k++) {
            u32 at = i + k * size;
            if (at >= skip && at < end)
                stage[at] = got[k];
        }
    }
}

/* The bin that is taken as number i: HD_STRIPES places in turn, so that at any time some groups wait for the bus while
 * others have words that are on the device, wherever the pages of both kinds are. */
INLINE u32 bin_at(u32 i, u32 bins) {
    u32 each = bins / HD_STRIPES, more = bins % HD_STRIPES, stripe = i % HD_STRIPES;
    return stripe * each + MINIMUM(stripe, more) + i / HD_STRIPES;
}

/* Sets a bit for each place of the bin where a row begins. */
INLINE void mark_heads(LOCAL u32 *heads, GLOBAL const hd_offset *rows, hd_offset begin, hd_offset end, u32 first,
                       u32 owned) {
    for (u32 i = HD_GROUP_LANE; i < HD_BIN / HD_PACK_BLOCK; i += HD_GROUP_SIZE)
        heads[i] = 0;
    hd_group_barrier();
    for (u32 i = HD_GROUP_LANE; i < owned; i += HD_GROUP_SIZE) {
        hd_offset at = hd_constant(&rows[first + i]);
        if (at < end)
            hd_or_local(&heads[(u32)(at - begin) / 32], 1u << ((u32)(at - begin) % 32));
    }
    hd_group_barrier();
}

#define BEGIN_PACKED_ROUND             \
    GLOBAL const f32 *before = shares; \
    GLOBAL f32 *ranks = 0;             \
    BEGIN_ROUND(renamed, names)

/* Decodes and sums the rows of each bin, one group per bin. */
KERNEL_OF(HD_ROW_LANES)
rank_packed(u32 n, hd_offset edges, u32 bins, u64 chunks, u32 renamed, GLOBAL const u32 *RESTRICT names,
            GLOBAL const hd_offset *RESTRICT rows, GLOBAL const hd_offset *RESTRICT out,
            GLOBAL const f32 *RESTRICT shares, GLOBAL f32 *RESTRICT next, GLOBAL const u32 *RESTRICT firsts,
            GLOBAL const u32 *RESTRICT starts, GLOBAL const uint4 *RESTRICT packed, GLOBAL f64 *RESTRICT parts,
            GLOBAL const u32 *RESTRICT words, GLOBAL const f64 *RESTRICT numbers, GLOBAL tally *RESTRICT partials) {
    HD_LARGE_SHARED(uint4, room, (HD_BIN + 4u) / 4u + HD_STAGE);
    SHARED u32 heads[HD_BIN / HD_PACK_BLOCK];
    SHARED unpack_scratch scratches[HD_ROW_LANES / HD_WARP];
    SHARED span_sums spans;
    SHARED tallies all;
    LOCAL f32 *here = (LOCAL f32 *)room;
    LOCAL uint4 *stage = room + (HD_BIN + 4u) / 4u;
    u32 count = words[RANK_DONE] ? 0 : bins;
    BEGIN_PACKED_ROUND;
    for (u32 i = (u32)HD_GROUP_INDEX; i < count; i += (u32)HD_GROUP_TOTAL) {
        u32 b = bin_at(i, bins);
        hd_offset begin = (hd_offset)b * HD_BIN, end = edges - begin < HD_BIN ? edges : begin + HD_BIN;
        u32 first = firsts[b], owned = firsts[b + 1] - first;
        u64 warps = HD_ROW_LANES / HD_WARP, chunk = b * warps, own = chunk + HD_WARP_HERE;
        u32 blocks = own < chunks ? HD_BLOCKS_HERE : 0, from = starts[chunk], at = blocks ? starts[own] - from : 0;
        take_bin(stage, packed, from, starts[MINIMUM(chunk + warps, chunks)]);
        row_words row = look_row(&g, first + MINIMUM(row_seat(), owned));
        mark_heads(heads, rows, begin, end, first, owned);
        unpack_chunk(&scratches[HD_WARP_HERE], (LOCAL const u32 *)(stage + from % HD_LINE + at), blocks,
                     heads + HD_WARP_HERE * HD_BLOCKS_HERE, shares,
                     here + HD_WARP_HERE * HD_BLOCKS_HERE * HD_PACK_BLOCK);
        hd_group_barrier();
        sum_bin(&g, &spans, here, begin, end, first, owned, row, parts + 2 * (u64)b, &total);
    }
    report(&all, total, &partials[HD_GROUP_INDEX]);
}

/* Finishes rows that cross the end of a bin, and rows that begin after the last edge. The groups' sums are stored after
 * those of rank_packed. */
KERNEL rank_packed_rest(u32 n, u32 bins, u32 slot, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *rows,
                        GLOBAL const hd_offset *out, GLOBAL const f32 *shares, GLOBAL f32 *next,
                        GLOBAL const u32 *firsts, GLOBAL const f64 *parts, GLOBAL const u32 *words,
                        GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tallies all;
    u32 count = words[RANK_DONE] ? 0 : bins, end = words[RANK_DONE] ? 0 : n;
    BEGIN_PACKED_ROUND;
    join_bins(&g, count, firsts, parts, &total);
    for (u64 v = firsts[bins] + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < end;
         v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        finish_row(&g, v, 0, &total);
    report(&all, total, &partials[slot + HD_GROUP_INDEX]);
}

/* The ranks, once the last round is over. */
KERNEL rank_packed_end(u32 n, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *out,
                       GLOBAL const f32 *shares, GLOBAL f32 *ranks) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 degree = (u32)(out[v + 1] - out[v]);
        ranks[v] = shares[renamed ? names[v] : v] * (f32)(degree ? degree : 1u);
    }
}
