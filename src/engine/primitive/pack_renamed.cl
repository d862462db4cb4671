/* pack_renamed.cl - packs rows whose targets are renamed, a piece of the edges at a time; after sort.cl.
 * Idea: names by degree make most differences small (graph/pack.h), but rows have to be sorted again: a stable sort by
 * name, then by row, puts all rows of a piece in order, whatever their lengths. Beats packing on the host, which sorts
 * nothing (bench/notes). */
#define PACK_BLOCK 32u /* as many as a warp has lanes */
#define PACK_ALIGN 4u
#define PACK_HEADER (1u + (PACK_BLOCKS + 3u) / 4u)

/* Edges `first` .. first + count of all, whose targets are given: the new name of each, and its row, counted from
 * `low`. A warp takes one part of them at a time. */
KERNEL hd_pack_take(u64 first, u64 count, u32 length, u32 parts, u32 low, u32 high, GLOBAL const hd_offset *offsets,
                    GLOBAL const u32 *names, GLOBAL const u32 *targets, GLOBAL u32 *keys, GLOBAL u32 *rows) {
    for (u64 part = HD_WARP_INDEX; part < parts; part += HD_WARP_TOTAL) {
        u64 from = part * length, to = count - from < length ? count : from + length;
        u32 row = row_of(offsets, low, high, first + from), end = row_of(offsets, row, high, first + to - 1) + 1;
        for (u64 e = from + HD_LANE; e < to; e += HD_WARP) {
            row = row_of(offsets, row, end, first + e);
            keys[e] = names[targets[e]];
            rows[e] = row - low;
        }
    }
}

/* Whether edge e of the piece is in the same row as the one before it, as far as the piece has it. */
INLINE u32 pack_goes_on(GLOBAL const u32 *rows, u64 e) { return e && rows[e] == rows[e - 1]; }

/* The stored value of edge e; 0 beyond the last. */
INLINE u32 pack_gap(u64 count, GLOBAL const u32 *rows, GLOBAL const u32 *names, u64 e) {
    return e >= count ? 0 : names[e] - (pack_goes_on(rows, e) ? names[e - 1] : 0);
}

INLINE u32 pack_width(LOCAL u32 *scratch, u32 gap) {
    u32 most = hd_largest(scratch, gap);
    return most ? hd_highest(most) + 1 : 0;
}

/* The size of each chunk, a warp for each; one more, which is not read as a size, is 0. */
KERNEL hd_pack_sizes(u64 count, u32 chunks, GLOBAL const u32 *rows, GLOBAL const u32 *names, GLOBAL u32 *sizes) {
    SHARED u32 scratches[HD_WARPS][HD_WARP + 2];
    for (u64 chunk = HD_WARP_INDEX; chunk <= chunks; chunk += HD_WARP_TOTAL) {
        u32 words = chunk < chunks ? PACK_HEADER : 0;
        for (u32 b = 0; b < PACK_BLOCKS; b++)
            words += pack_width(scratches[HD_WARP_HERE],
                                pack_gap(count, rows, names, (chunk * PACK_BLOCKS + b) * PACK_BLOCK + HD_LANE));
        if (HD_LANE == 0)
            sizes[chunk] = (words + PACK_ALIGN - 1) / PACK_ALIGN;
    }
}

/* Word k of a block of this width. */
INLINE u32 pack_word(LOCAL const u32 *gaps, u32 width, u32 k) {
    u32 i = k * 32 / width, bit = i * width, word = gaps[i] >> (k * 32 - bit);
    for (i++, bit += width; bit < k * 32 + 32; i++, bit += width)
        word |= gaps[i] << (bit - k * 32);
    return word;
}

/* Writes the chunks, a warp for each. */
KERNEL hd_pack_write(u64 count, u32 chunks, GLOBAL const u32 *rows, GLOBAL const u32 *names,
                     GLOBAL const hd_offset *starts, GLOBAL u32 *packed) {
    SHARED u32 scratches[HD_WARPS][HD_WARP + 2];
    SHARED u32 all_gaps[HD_WARPS][PACK_BLOCK];
    SHARED u32 all_widths[HD_WARPS][(PACK_BLOCKS + 3u) / 4u * 4u];
    LOCAL u32 *gaps = all_gaps[HD_WARP_HERE], *widths = all_widths[HD_WARP_HERE];
    for (u64 chunk = HD_WARP_INDEX; chunk < chunks; chunk += HD_WARP_TOTAL) {
        u64 first = chunk * PACK_BLOCKS * PACK_BLOCK;
        GLOBAL u32 *to = packed + (u64)starts[chunk] * PACK_ALIGN;
        u32 size = (u32)(starts[chunk + 1] - starts[chunk]) * PACK_ALIGN, at = PACK_HEADER;
        for (u32 b = HD_LANE; b < (PACK_BLOCKS + 3u) / 4u * 4u; b += HD_WARP)
            widths[b] = 0;
        for (u32 b = 0; b < PACK_BLOCKS; b++) {
            u32 gap = pack_gap(count, rows, names, first + b * PACK_BLOCK + HD_LANE);
            u32 width = pack_width(scratches[HD_WARP_HERE], gap);
            hd_warp_barrier();
            gaps[HD_LANE] = gap;
            widths[b] = width;
            hd_warp_barrier();
            if (HD_LANE < width)
                to[at + HD_LANE] = pack_word(gaps, width, HD_LANE);
            at += width;
        }
        if (HD_LANE == 0)
            to[0] = pack_goes_on(rows, first) ? names[first - 1] : 0;
        hd_warp_barrier();
        for (u32 k = HD_LANE; k + 1 < PACK_HEADER; k += HD_WARP)
            to[1 + k] = widths[4 * k] | widths[4 * k + 1] << 8 | widths[4 * k + 2] << 16 | widths[4 * k + 3] << 24;
        if (at + HD_LANE < size)
            to[at + HD_LANE] = 0;
        hd_warp_barrier();
    }
}
