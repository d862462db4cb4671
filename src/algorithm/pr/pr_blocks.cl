/* pr_blocks.cl - what PageRank by bins (pr_bins.cl, pr_packed.cl) and by passes (pr_passes.cl) share: blocks of
 * sources, bins of in-edges.
 * Idea: a row's sum is the difference of two suffix sums within its bin (in double precision), so that row lengths do
 * not matter. Took a round of rmat22 from 0.787 to 0.697 ms, with indices in pairs (bench/notes). */
#define HD_BLOCKS 1024u /* largest number of blocks */
#define HD_AT_ONCE 4u   /* loads that a lane has in flight */

typedef unsigned short u16;

/* The first row that begins at edge e or later. */
INLINE u32 first_row(GLOBAL const hd_offset *rows, u32 n, u64 e) {
    u32 low = 0, high = n;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (rows[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets firsts[b], the first row that begins in bin b; firsts[bins] is n. Returns how many rows begin in bin b. */
INLINE u32 note_rows(GLOBAL u32 *firsts, GLOBAL const hd_offset *rows, u32 n, u32 b, u32 bins) {
    u32 here = b ? first_row(rows, n, (u64)b * HD_BIN) : 0;
    u32 next = b + 1 < bins ? first_row(rows, n, ((u64)b + 1) * HD_BIN) : n;
    firsts[b] = here;
    firsts[b + 1] = next;
    return next - here;
}

/* Copies a block's shares to shared memory, four at a time. */
INLINE void take_block(LOCAL float4 *here, GLOBAL const float4 *shares, u32 count) {
    u32 size = HD_GROUP_SIZE;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_AT_ONCE * size) {
        float4 got[HD_AT_ONCE];
        HD_UNROLL for (u32 k = 0; k < HD_AT_ONCE; k++) got[k] = shares[MINIMUM(i + k * size, count - 1)];
        HD_UNROLL for (u32 k = 0; k < HD_AT_ONCE; k++) if (i + k * size < count) here[i + k * size] = got[k];
    }
}

/* Suffix sums over a bin: each of HD_ROW_LANES lanes has HD_SPAN adjacent places. */
typedef struct span_sums {
    f64 behind[HD_ROW_LANES];                   /* sum of the warp's higher lanes */
    f64 warps[HD_ROW_LANES / HD_WARP];          /* sum of each warp */
    f64 later[HD_ROW_LANES / HD_WARP][HD_WARP]; /* sum of the higher warps; each warp has its own copy */
    f64 shifts[HD_ROW_LANES / HD_WARP][HD_SCRATCH];
} span_sums;

/* The sum of the higher lanes. `all`: theirs and this lane's own. */
INLINE f64 add_above(LOCAL f64 *scratch, f64 mine, f64 *all) {
    f64 sum = mine, above;
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        f64 other = shift_sum(scratch, sum, distance);
        sum += HD_LANE + distance < HD_WARP ? other : 0;
    }
    above = shift_sum(scratch, sum, 1);
    *all = sum;
    return HD_LANE + 1 < HD_WARP ? above : 0;
}

/* Makes the suffix sums of a bin, whose values are in `here` and stay there. All lanes of the group call it. The first
 * lane of each warp gets the sum of the whole bin. */
INLINE f64 add_spans(LOCAL span_sums *s, LOCAL const f32 *here) {
    u32 warp = HD_WARP_HERE, first = HD_GROUP_LANE * HD_SPAN;
    f64 mine = 0, all;
    HD_UNROLL for (u32 i = 0; i < HD_SPAN; i++) mine += (f64)here[first + i];
    s->behind[HD_GROUP_LANE] = add_above(s->shifts[warp], mine, &all);
    if (HD_LANE == 0)
        s->warps[warp] = all;
    hd_group_barrier();
    s->later[warp][HD_LANE] =
        add_above(s->shifts[warp], HD_LANE < HD_ROW_LANES / HD_WARP ? s->warps[HD_LANE] : 0, &all);
    hd_warp_barrier();
    return all;
}

/* The sum of the bin from `place` to its end. */
INLINE f64 sum_from(LOCAL const span_sums *s, LOCAL const f32 *here, u32 place) {
    u32 span = MINIMUM(place / HD_SPAN, HD_BIN / HD_SPAN - 1), end = (span + 1) * HD_SPAN;
    f64 sum = place < HD_BIN ? s->behind[span] + s->later[HD_WARP_HERE][span / HD_WARP] : 0;
    for (; place < end; place++)
        sum += (f64)here[place];
    return sum;
}

/* A row's facts: its offsets, its vertex's out-degree and rank. */
typedef struct row_words {
    u32 row, degree;
    hd_offset at, next;
    f32 before;
#ifdef RANKS_IN_SHARES
    u32 place;
#endif
} row_words;

#ifdef RANKS_IN_SHARES
#define ROW_PLACE(g, w) (w).place /* names may be far away: they are read once */
#else
#define ROW_PLACE(g, w) share_place(g, (w).row)
#endif

INLINE row_words look_row(const graph *g, u32 row) {
    row_words w;
    u32 v = MINIMUM(row, g->n - 1);
    w.row = row;
    w.at = hd_constant(&g->rows[row]);
    w.next = hd_constant(&g->rows[v + 1]);
#ifdef RANKS_IN_SHARES
    w.place = (u32)share_place(g, v);
    w.before = hd_constant(&g->before[w.place]);
#else
    w.before = RANK_BEFORE(g, v);
#endif
    w.degree = g->out == g->rows ? (u32)(w.next - w.at) : out_degree(g, v);
    return w;
}

/* Finishes HD_WARP - 1 rows of a bin per warp: each lane has the suffix sum at the start of its row and subtracts that
 * of the next lane's row. The bin, if `there`, has the edges begin .. end, whose shares sum to `sum`; `owned` rows
 * begin in it, and the lane's row is number i of them. parts[0] receives the sum of the edges before the first of these
 * rows, parts[1] that of a row which continues in the next bin. */
INLINE void finish_rows(const graph *g, LOCAL span_sums *s, LOCAL const f32 *here, u32 there, hd_offset begin,
                        hd_offset end, u32 owned, row_words w, u32 i, f64 sum, GLOBAL f64 *parts, tally *total) {
    f64 low = sum_from(s, here, (u32)(MINIMUM(w.at, end) - begin));
    f64 high = shift_sum(s->shifts[HD_WARP_HERE], low, 1);
    if (i == 0 && there)
        parts[0] = sum - low;
    if (HD_LANE + 1 < HD_WARP && i < owned) {
        if (w.next > end)
            parts[1] = low - high;
        else
            finish_with(g, w.row, ROW_PLACE(g, w), w.before, w.degree, low - high, total);
    }
}

/* The lanes of a group take the rows of a bin in turn, but for the last lane of each warp, which has the next row's sum
 * only: the number of the lane's first row among those that begin in the bin. */
INLINE u32 row_seat(void) { return HD_WARP_HERE * (HD_WARP - 1) + HD_LANE; }

/* Sums the rows of a bin, the edges begin .. end, whose shares are in `here`, after a barrier of the group; `first` is
 * the first of the `owned` rows that begin in it, `row` that of the lane's seat. */
INLINE void sum_bin(const graph *g, LOCAL span_sums *spans, LOCAL f32 *here, hd_offset begin, hd_offset end, u32 first,
                    u32 owned, row_words row, GLOBAL f64 *parts, tally *total) {
    u32 seat = row_seat(), seats = HD_ROW_LANES / HD_WARP * (HD_WARP - 1);
    for (u32 k = (u32)(end - begin) + HD_GROUP_LANE; k < HD_BIN; k += HD_ROW_LANES)
        here[k] = 0;
    hd_group_barrier();
    f64 sum = add_spans(spans, here);
    for (u32 i = seat; i - HD_LANE <= owned; i += seats) {
        if (i != seat)
            row = look_row(g, first + MINIMUM(i, owned));
        finish_rows(g, spans, here, 1, begin, end, owned, row, i, sum, parts, total);
    }
    hd_group_barrier();
}

/* Finishes rows that cross the end of a bin, one lane per bin. */
INLINE void join_bins(const graph *g, u32 bins, GLOBAL const u32 *firsts, GLOBAL const f64 *parts, tally *total) {
    for (u64 b = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; b + 1 < bins; b += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 behind = firsts[b + 1], end = (b + 1) * HD_BIN, last = g->rows[behind];
        f64 sum = parts[2 * b + 1];
        if (behind == firsts[b] || last <= end)
            continue;
        for (u64 c = b + 1; c * HD_BIN < last; c++)
            sum += parts[2 * c];
        finish_row(g, behind - 1, sum, total);
    }
}
