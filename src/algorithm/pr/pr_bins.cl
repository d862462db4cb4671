/* pr_bins.cl - PageRank by bins: no random reads beyond shared memory.
 * Idea: propagation blocking (Beamer, Asanović and Patterson, IPDPS 2017), with blocks of sources and bins of rows that
 * fit shared memory. Beats gathering by rows where shares are scattered: a random read of 4 bytes moves 32 from L2, 1.1
 * ms a round on urand22 whatever the schedule (bench/notes).
 *
 * In-edges are cut into bins of HD_BIN, in the order of the rows, and sources into blocks whose shares fit into shared
 * memory. Within a bin edges are sorted by their source's block (rank_sort, once for a graph): of each the source
 * within its block (`from`) and the place in the bin (`to`) are kept. A round: groups hold a block's shares and write
 * those of its edges to `values`, in the order of the bins (rank_deal); then groups bring a bin's values to their
 * places in shared memory and sum rows there (rank_rows); rows across the end of a bin are joined by rank_bridge. */
/* Edges are read and written four at a time. So the edges of a block in a bin are padded to a multiple of four, with
 * edges to the unused place HD_BIN. */
#define HD_FILLED(count) (((count) + 3) / 4 * 4)

/* ---- Once per graph --------------------------------------------------------------------------------------------- */

/* Sorts the edges of each bin by block. starts[block * bins + bin] is where a block's edges begin in the bin; the
 * entries after the last block are the bins' ends. totals[block] is the number of a block's edges, totals[blocks] the
 * largest number of rows that begin in one bin. */
KERNEL rank_sort(u32 n, u32 edges, u32 blocks, u32 block, u32 bins, u32 stride, GLOBAL const hd_offset *rows,
                 GLOBAL const u32 *sources, GLOBAL u16 *starts, GLOBAL u16 *from, GLOBAL u16 *to, GLOBAL u32 *firsts,
                 GLOBAL u32 *totals) {
    HD_LARGE_SHARED(u32, stage, HD_STRIDE);
    SHARED u32 counts[HD_BLOCKS];
    SHARED u32 places[HD_BLOCKS];
    SHARED u32 scratches[HD_WARPS][HD_WARP + 2];
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE;
    for (u32 b = (u32)HD_GROUP_INDEX; b < bins; b += (u32)HD_GROUP_TOTAL) {
        u32 begin = b * HD_BIN, count = MINIMUM(HD_BIN, edges - begin), base = 0, all;
        u64 at = (u64)b * stride;
        for (u32 i = lane; i < blocks; i += size)
            counts[i] = 0;
        for (u32 i = lane; i < stride; i += size)
            stage[i] = HD_BIN << 16;
        hd_group_barrier();
        for (u32 k = lane; k < count; k += size)
            hd_add_local(&counts[sources[begin + k] / block], 1);
        hd_group_barrier();
        for (u32 first = 0; first < blocks; first += HD_WARP) { /* every warp computes the same prefix sum */
            u32 i = first + HD_LANE, mine = HD_FILLED(counts[MINIMUM(i, HD_BLOCKS - 1)]);
            u32 place = base + hd_scan(scratches[HD_WARP_HERE], i < blocks ? mine : 0, &all);
            if (i < blocks)
                places[i] = place;
            base += all;
        }
        hd_group_barrier();
        for (u32 i = lane; i < blocks; i += size) {
            starts[(u64)i * bins + b] = (u16)places[i];
            if (counts[i])
                hd_add32(&totals[i], counts[i]);
        }
        if (lane == 0) {
            starts[(u64)blocks * bins + b] = (u16)base;
            hd_max32(&totals[blocks], note_rows(firsts, rows, n, b, bins));
        }
        hd_group_barrier();
        for (u32 k = lane; k < count; k += size) {
            u32 source = sources[begin + k], i = source / block;
            stage[hd_add_local(&places[i], 1)] = k << 16 | (source - i * block);
        }
        hd_group_barrier();
        for (u32 k = lane; k < base; k += size) {
            from[at + k] = (u16)(stage[k] & 0xffff);
            to[at + k] = (u16)(stage[k] >> 16);
        }
        hd_group_barrier();
    }
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

/* Writes the shares of a block, which is in shared memory, to bins first .. end, of which the warp takes every
 * `warps`-th: HD_WARP bins at a time, HD_RUN_LANES lanes per bin. */
INLINE void deal_bins(LOCAL const f32 *here, LOCAL u32 *lows, LOCAL u32 *highs, GLOBAL const u16 *starts,
                      GLOBAL const uint2 *from, GLOBAL float4 *values, u32 bins, u32 stride, u32 first, u32 end) {
    u32 lane = HD_LANE, warps = HD_GROUP_SIZE / HD_WARP, part = lane % HD_RUN_LANES;
    for (u32 b = first; b < end; b += warps * HD_WARP) {
        u32 mine = b + lane * warps;
        lows[lane] = mine < end ? starts[mine] / 4u : 0;
        highs[lane] = mine < end ? starts[bins + mine] / 4u : 0;
        hd_warp_barrier();
        for (u32 j = lane / HD_RUN_LANES; j < HD_WARP; j += HD_WARP / HD_RUN_LANES) {
            u32 high = highs[j];
            u64 at = (u64)(b + j * warps) * (stride / 4);
            for (u32 k = lows[j] + part; k < high; k += HD_AT_ONCE * HD_RUN_LANES) {
                uint2 place[HD_AT_ONCE];
                HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) place[i] =
                    from[at + MINIMUM(k + i * HD_RUN_LANES, high - 1)];
                HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) if (k + i * HD_RUN_LANES < high) {
                    float4 four;
                    four.x = here[place[i].x & 0xffff], four.y = here[place[i].x >> 16];
                    four.z = here[place[i].y & 0xffff], four.w = here[place[i].y >> 16];
                    values[at + k + i * HD_RUN_LANES] = four;
                }
            }
        }
        hd_warp_barrier();
    }
}

/* Writes the shares of all edges to their bins. seats[group] is a group's first unit, and the entry after the last
 * group ends the units. A unit is a triple: block, first bin, end of its bins. */
KERNEL rank_deal(u32 n, u32 block, u32 bins, u32 stride, GLOBAL const u32 *RESTRICT seats,
                 GLOBAL const u32 *RESTRICT units, GLOBAL const u16 *RESTRICT starts, GLOBAL const u16 *RESTRICT from,
                 GLOBAL const f32 *RESTRICT shares, GLOBAL f32 *RESTRICT values, GLOBAL const u32 *RESTRICT words) {
    HD_LARGE_SHARED(float4, held, HD_BLOCK / 4);
    SHARED u32 lows[HD_WARPS][HD_WARP];
    SHARED u32 highs[HD_WARPS][HD_WARP];
    u32 warp = HD_WARP_HERE, seat = seats[HD_GROUP_INDEX], last = words[RANK_DONE] ? seat : seats[HD_GROUP_INDEX + 1];
    for (; seat < last; seat++) {
        u32 which = units[3 * seat], base = which * block, count = MINIMUM(block, n - base);
        take_block(held, (GLOBAL const float4 *)(shares + base), (count + 3) / 4);
        hd_group_barrier();
        deal_bins((LOCAL const f32 *)held, lows[warp], highs[warp], starts + (u64)which * bins,
                  (GLOBAL const uint2 *)from, (GLOBAL float4 *)values, bins, stride, units[3 * seat + 1] + warp,
                  units[3 * seat + 2]);
        hd_group_barrier();
    }
}

/* Moves a bin's values to their places in shared memory, four at a time. */
INLINE void place_values(LOCAL f32 *here, GLOBAL const uint2 *to, GLOBAL const float4 *values, u32 count) {
    u32 size = HD_GROUP_SIZE;
    for (u32 k = HD_GROUP_LANE; k < count; k += HD_AT_ONCE * size) {
        uint2 place[HD_AT_ONCE];
        float4 four[HD_AT_ONCE];
        HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) {
            u32 at = MINIMUM(k + i * size, count - 1); /* past the end, the last four are written again */
            place[i] = to[at];
            four[i] = values[at];
        }
        HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) {
            here[place[i].x & 0xffff] = four[i].x;
            here[place[i].x >> 16] = four[i].y;
            here[place[i].y & 0xffff] = four[i].z;
            here[place[i].y >> 16] = four[i].w;
        }
    }
}

/* Sums the rows of each bin, one group per bin. */
KERNEL_OF(HD_ROW_LANES)
rank_rows(u32 n, u32 edges, u32 blocks, u32 bins, u32 stride, GLOBAL const hd_offset *RESTRICT rows,
          GLOBAL const hd_offset *RESTRICT out, GLOBAL const f32 *RESTRICT before, GLOBAL f32 *RESTRICT ranks,
          GLOBAL f32 *RESTRICT next, GLOBAL const u32 *RESTRICT firsts, GLOBAL const u16 *RESTRICT starts,
          GLOBAL const u16 *RESTRICT to, GLOBAL const f32 *RESTRICT values, GLOBAL f64 *RESTRICT parts,
          GLOBAL const u32 *RESTRICT words, GLOBAL const f64 *RESTRICT numbers, GLOBAL tally *RESTRICT partials) {
    HD_LARGE_SHARED(f32, here, HD_BIN + 4);
    SHARED span_sums spans;
    SHARED tallies all;
    u32 count = words[RANK_DONE] ? 0 : bins;
    BEGIN_ROUND(0, 0);
    for (u32 b = (u32)HD_GROUP_INDEX; b < count; b += (u32)HD_GROUP_TOTAL) {
        u32 begin = b * HD_BIN, end = begin + MINIMUM(HD_BIN, edges - begin);
        u32 first = firsts[b], owned = firsts[b + 1] - first;
        row_words row = look_row(&g, first + MINIMUM(row_seat(), owned));
        place_values(here, (GLOBAL const uint2 *)(to + (u64)b * stride),
                     (GLOBAL const float4 *)(values + (u64)b * stride), starts[(u64)blocks * bins + b] / 4u);
        sum_bin(&g, &spans, here, begin, end, first, owned, row, parts + 2 * (u64)b, &total);
    }
    report(&all, total, &partials[HD_GROUP_INDEX]);
}

/* Finishes rows that cross the end of a bin. The groups' sums are stored after those of rank_rows. */
KERNEL rank_bridge(u32 n, u32 bins, u32 slot, GLOBAL const hd_offset *rows, GLOBAL const hd_offset *out,
                   GLOBAL const f32 *before, GLOBAL f32 *ranks, GLOBAL f32 *next, GLOBAL const u32 *firsts,
                   GLOBAL const f64 *parts, GLOBAL const u32 *words, GLOBAL const f64 *numbers,
                   GLOBAL tally *partials) {
    SHARED tallies all;
    u32 count = words[RANK_DONE] ? 0 : bins;
    BEGIN_ROUND(0, 0);
    join_bins(&g, count, firsts, parts, &total);
    report(&all, total, &partials[slot + HD_GROUP_INDEX]);
}
