/* pr_each.cl - personalised PageRank from several sources side by side, beside the sums of row_sums.cl: the ranks of a
 * round, its end. A vertex has SUM_COLUMNS numbers; a lane of these kernels always has the same column. */
#include "algorithm/pr/pr_each_state.h"

typedef struct tally {
    f64 change, idle;
} tally;

HD_DEFINE_SHIFT(tally, shift_tally)

typedef struct tallies {
    tally scratch[HD_WARPS][HD_SCRATCH];
    tally warps[HD_WARPS][SUM_COLUMNS];
} tallies;

/* The sums of the group's columns, for the first SUM_COLUMNS lanes. All lanes call it. */
INLINE tally add_columns(LOCAL tallies *all, tally mine) {
    for (u32 distance = HD_WARP / 2; distance >= SUM_COLUMNS; distance /= 2) {
        tally other = shift_tally(all->scratch[HD_WARP_HERE], mine, distance);
        mine.change += HD_LANE < distance ? other.change : 0;
        mine.idle += HD_LANE < distance ? other.idle : 0;
    }
    hd_group_barrier();
    if (HD_LANE < SUM_COLUMNS)
        all->warps[HD_WARP_HERE][HD_LANE] = mine;
    hd_group_barrier();
    mine = all->warps[0][HD_LANE % SUM_COLUMNS];
    for (u32 i = 1; i < HD_GROUP_SIZE / HD_WARP; i++) {
        mine.change += all->warps[i][HD_LANE % SUM_COLUMNS].change;
        mine.idle += all->warps[i][HD_LANE % SUM_COLUMNS].idle;
    }
    return mine;
}

/* All rank is at the sources. */
KERNEL each_start(u32 n, u32 count, GLOBAL const u32 *sources, GLOBAL const f64 *out, GLOBAL f64 *share) {
    u32 column = HD_GROUP_LANE % SUM_COLUMNS;
    u64 items = (u64)n * SUM_COLUMNS;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < items; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 v = i / SUM_COLUMNS;
        share[i] = column < count && v == sources[column] ? 1 / (out[v] > 0 ? out[v] : 1) : 0;
    }
}

/* `next` has the sums, and gets the shares. */
KERNEL each_finish(u32 n, GLOBAL const u32 *sources, GLOBAL const f64 *out, GLOBAL const f64 *share, GLOBAL f64 *next,
                   GLOBAL const u32 *words, GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tallies all;
    u32 column = HD_GROUP_LANE % SUM_COLUMNS, source = sources[column];
    u32 live = words[EACH_LIVE] >> column & 1;
    u64 items = words[EACH_DONE] ? 0 : (u64)n * SUM_COLUMNS;
    f64 base = numbers[EACH_BASE + column];
    tally total;
    total.change = 0, total.idle = 0;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < items; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 v = i / SUM_COLUMNS;
        f64 degree = out[v], by = degree > 0 ? degree : 1, before = share[i];
        f64 rank = next[i] + (v == source ? base : 0), change = rank - before * by;
        next[i] = live ? rank / by : before;
        total.change += change < 0 ? -change : change;
        total.idle += degree > 0 ? 0 : rank;
    }
    total = add_columns(&all, total);
    if (HD_GROUP_LANE < SUM_COLUMNS)
        partials[HD_GROUP_INDEX * SUM_COLUMNS + column] = total;
}

/* Ends a round. One group. */
KERNEL each_turn(u32 count, GLOBAL const tally *partials, GLOBAL u32 *words, GLOBAL f64 *numbers) {
    SHARED tallies all;
    SHARED u32 lives[SUM_COLUMNS];
    u32 done = words[EACH_DONE], column = HD_GROUP_LANE % SUM_COLUMNS, live = words[EACH_LIVE];
    tally sum;
    sum.change = 0, sum.idle = 0;
    for (u32 i = HD_GROUP_LANE; i < count * SUM_COLUMNS; i += HD_GROUP_SIZE) {
        sum.change += partials[i].change;
        sum.idle += partials[i].idle;
    }
    sum = add_columns(&all, sum);
    if (HD_GROUP_LANE < SUM_COLUMNS) {
        u32 mine = live >> column & 1;
        if (mine && !done) {
            numbers[EACH_CHANGE + column] = sum.change;
            numbers[EACH_BASE + column] = 1 - numbers[EACH_DAMPING] + numbers[EACH_DAMPING] * sum.idle;
        }
        lives[column] = mine && !(sum.change < numbers[EACH_TOLERANCE]);
    }
    hd_group_barrier();
    if (HD_GROUP_LANE != 0 || done)
        return;
    live = 0;
    for (u32 i = 0; i < SUM_COLUMNS; i++)
        live |= lives[i] << i;
    words[EACH_LIVE] = live;
    words[EACH_ITERATION]++;
    words[EACH_DONE] = !live || words[EACH_ITERATION] == words[EACH_LIMIT];
}
