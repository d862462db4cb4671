/* row_sums.cl - sums over the rows of a graph on a device, without atomics, the same in every run.
 * Idea: lanes by row length, as in pr.cl: a lane for a short row, a warp for a long one, several warps for pieces of a
 * very long one, so that no warp waits for a hub.
 *
 * A vertex has SUM_COLUMNS numbers side by side, whose sums are independent: a lane adds up one column, and an edge is
 * read once for all of them. SUM_COLUMNS divides HD_WARP. Weights are those of HD_WEIGHT_TYPE, 0: all are 1. Numbers
 * are stored as SUM_VALUE and added up as f64.
 *
 * to[v] = terms[0] + terms[1] * from[v] + terms[2] * (the sum of `from` over the row of v). Nothing is done once
 * words[0] is set. */
#include "algorithm/power/row_sums_state.h"
#include "engine/primitive/long_rows.cl"

#ifndef SUM_COLUMNS
#define SUM_COLUMNS 1u
#endif
#ifndef SUM_VALUE
#define SUM_VALUE f64
#endif
#define SUM_ROWS (HD_WARP / SUM_COLUMNS) /* that a warp takes at once */
#define SUM_LONG 2048u                   /* HD_SUM_LONG of the host */

typedef SUM_VALUE sum_value;
#if HD_WEIGHT_TYPE == 2
typedef i32 sum_weight;
#elif HD_WEIGHT_TYPE == 3
typedef f32 sum_weight;
#elif HD_WEIGHT_TYPE == 4
typedef i64 sum_weight;
#elif HD_WEIGHT_TYPE == 5
typedef f64 sum_weight;
#else
typedef u32 sum_weight;
#endif
#if HD_WEIGHT_TYPE
#define SUM_TERM(e, value) ((f64)weights[e] * (f64)(value))
#else
#define SUM_TERM(e, value) ((f64)(value))
#endif

#define SUM_MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define SUM_EDGES \
    GLOBAL const u32 *RESTRICT targets, GLOBAL const sum_weight *RESTRICT weights, GLOBAL const sum_value *RESTRICT from

HD_DEFINE_SHIFT(f64, sum_shift)

/* Four edges, `step` apart; none of the loads is behind a branch: beyond the end the last edge is read again. */
INLINE f64 sum_four(SUM_EDGES, u64 e, u64 step, u64 end) {
    f64 sum = 0;
    u32 column = HD_LANE % SUM_COLUMNS;
    sum_value got[4];
    (void)weights;
    HD_UNROLL for (u32 i = 0; i < 4; i++) {
        u64 at = SUM_MINIMUM(e + i * step, end - 1);
        got[i] = from[(u64)targets[at] * SUM_COLUMNS + column];
    }
    HD_UNROLL for (u32 i = 0; i < 4; i++) sum += e + i * step < end ? SUM_TERM(e + i * step, got[i]) : 0;
    return sum;
}

/* By a whole warp; the sums of the columns are those of the first lanes. */
INLINE f64 sum_wide(LOCAL f64 *scratch, SUM_EDGES, u64 begin, u64 end) {
    f64 sum = 0;
    for (u64 e = begin + HD_LANE / SUM_COLUMNS; e < end; e += 4 * SUM_ROWS)
        sum += sum_four(targets, weights, from, e, SUM_ROWS, end);
    for (u32 distance = HD_WARP / 2; distance >= SUM_COLUMNS; distance /= 2) {
        f64 other = sum_shift(scratch, sum, distance);
        if (HD_LANE < distance)
            sum += other;
    }
    return sum;
}

INLINE void sum_store(GLOBAL const sum_value *from, GLOBAL sum_value *to, u64 place, GLOBAL const f64 *terms, f64 sum) {
    f64 own = terms[1] != 0 ? terms[1] * (f64)from[place] : 0;
    to[place] = (sum_value)(terms[0] + own + terms[2] * sum);
}

/* Lists very long rows and their pieces. */
KERNEL row_long(u32 n, GLOBAL const hd_offset *rows, GLOBAL u32 *counts, GLOBAL u32 *long_rows, GLOBAL u32 *pieces) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 degree = (u32)(rows[v + 1] - rows[v]);
        if (degree > SUM_LONG)
            list_long_row((u32)v, degree, SUM_LONG, &counts[SUM_LONG_ROWS], &counts[SUM_PIECES], long_rows, pieces);
    }
}

/* A warp per piece. */
KERNEL row_pieces(u32 count, GLOBAL const hd_offset *RESTRICT rows, SUM_EDGES, GLOBAL const u32 *RESTRICT pieces,
                  GLOBAL f64 *RESTRICT parts, GLOBAL const u32 *words) {
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    u64 end = words[0] ? 0 : count;
    for (u64 k = HD_WARP_INDEX; k < end; k += HD_WARP_TOTAL) {
        u64 row = pieces[2 * k], begin = rows[row] + (u64)pieces[2 * k + 1] * SUM_LONG, last = rows[row + 1];
        f64 sum = sum_wide(scratches[HD_WARP_HERE], targets, weights, from, begin, SUM_MINIMUM(begin + SUM_LONG, last));
        if (HD_LANE < SUM_COLUMNS)
            parts[k * SUM_COLUMNS + HD_LANE] = sum;
    }
}

/* Adds up the pieces of very long rows, a lane per row and column. */
KERNEL row_join(u32 count, GLOBAL const u32 *long_rows, GLOBAL const f64 *parts, GLOBAL const sum_value *from,
                GLOBAL sum_value *to, GLOBAL const f64 *terms, GLOBAL const u32 *words) {
    u64 end = words[0] ? 0 : (u64)count * SUM_COLUMNS;
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k < end; k += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 row = k / SUM_COLUMNS, column = k % SUM_COLUMNS;
        u64 first = long_rows[3 * row + 1], last = first + long_rows[3 * row + 2];
        f64 sum = 0;
        for (u64 i = first; i < last; i++)
            sum += parts[i * SUM_COLUMNS + column];
        sum_store(from, to, (u64)long_rows[3 * row] * SUM_COLUMNS + column, terms, sum);
    }
}

/* All other rows: a warp takes SUM_ROWS of them; those of HD_WARP edges or more are walked by the whole warp, one after
 * the other, shorter ones by a lane per column. */
KERNEL row_sums(u32 n, GLOBAL const hd_offset *RESTRICT rows, SUM_EDGES, GLOBAL sum_value *RESTRICT to,
                GLOBAL const f64 *RESTRICT terms, GLOBAL const u32 *words) {
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    SHARED f64 sums[HD_WARPS][HD_WARP];
    SHARED u32 votes[HD_WARPS][HD_WARP + 2];
    u32 here = HD_WARP_HERE;
    u64 blocks = words[0] ? 0 : ((u64)n + SUM_ROWS - 1) / SUM_ROWS;
    for (u64 block = HD_WARP_INDEX; block < blocks; block += HD_WARP_TOTAL) {
        u64 v = block * SUM_ROWS + HD_LANE / SUM_COLUMNS, mine = SUM_MINIMUM(v, (u64)n - 1);
        hd_offset begin = hd_constant(&rows[mine]), end = hd_constant(&rows[mine + 1]);
        int there = v < n && end - begin <= SUM_LONG, wide = there && end - begin >= HD_WARP;
        u32 lanes = hd_ballot(votes[here], wide && HD_LANE % SUM_COLUMNS == 0);
        f64 sum = 0;
        hd_warp_barrier();
        while (lanes) {
            u32 lane = hd_lowest(lanes);
            u64 row = block * SUM_ROWS + lane / SUM_COLUMNS;
            f64 whole = sum_wide(scratches[here], targets, weights, from, rows[row], rows[row + 1]);
            if (HD_LANE < SUM_COLUMNS)
                sums[here][lane + HD_LANE] = whole;
            lanes &= lanes - 1;
        }
        hd_warp_barrier();
        if (wide)
            sum = sums[here][HD_LANE];
        else if (there)
            for (u64 e = begin; e < end; e += 4)
                sum += sum_four(targets, weights, from, e, 1, end);
        if (there)
            sum_store(from, to, v * SUM_COLUMNS + HD_LANE % SUM_COLUMNS, terms, sum);
    }
}
