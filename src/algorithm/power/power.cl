/* power.cl - power iterations on a device, beside the sums of row_sums.cl: norms, the change in a round, its end.
 * Once POWER_DONE is set the kernels do nothing, so that rounds can be queued ahead of the host. */
#include "algorithm/power/power_state.h"

typedef struct tally {
    f64 change, norm;
} tally;

HD_DEFINE_SHIFT(tally, shift_tally)

typedef struct tallies {
    tally scratch[HD_WARPS][HD_SCRATCH];
    tally warps[HD_WARPS];
} tallies;

/* a NaN stays one. */
INLINE f64 power_join(u32 norm, f64 a, f64 b) { return norm != POWER_MOST ? a + b : a > b || a != a ? a : b; }

INLINE tally power_join_both(u32 norm, tally a, tally b) {
    a.change = power_join(norm, a.change, b.change);
    a.norm = power_join(norm, a.norm, b.norm);
    return a;
}

INLINE f64 power_term(u32 norm, f64 x) { return norm == POWER_LENGTH ? x * x : x < 0 ? -x : x; }
INLINE f64 power_root(u32 norm, f64 sum) { return norm == POWER_LENGTH ? sqrt(sum) : sum; }

/* That of the whole group, for all lanes, which all call it. */
INLINE tally power_join_group(LOCAL tallies *all, u32 norm, tally mine) {
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        tally other = shift_tally(all->scratch[HD_WARP_HERE], mine, distance);
        if (HD_LANE < distance)
            mine = power_join_both(norm, mine, other);
    }
    hd_group_barrier();
    if (HD_LANE == 0)
        all->warps[HD_WARP_HERE] = mine;
    hd_group_barrier();
    mine = all->warps[0];
    for (u32 i = 1; i < HD_GROUP_SIZE / HD_WARP; i++)
        mine = power_join_both(norm, mine, all->warps[i]);
    return mine;
}

KERNEL power_start(u32 n, f64 first, GLOBAL f64 *x) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        x[v] = first;
}

/* The norm of y; at the end of a round also that of its distance from x, once it is scaled. */
KERNEL power_measure(u32 n, u32 norm, u32 what, GLOBAL const f64 *x, GLOBAL f64 *y, GLOBAL const u32 *words,
                     GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tallies all;
    u64 end = words[POWER_DONE] ? 0 : n;
    f64 scale = numbers[POWER_SCALE];
    tally total;
    total.change = 0, total.norm = 0;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < end; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        f64 value = y[v];
        if (what == POWER_RATIO)
            value /= x[v];
        if (what == POWER_ROUND) {
            f64 before = x[v];
            value = scale != 0 ? value * scale : before;
            y[v] = value;
            total.change = power_join(norm, total.change, power_term(norm, value - before));
        }
        total.norm = power_join(norm, total.norm, power_term(norm, value));
    }
    total = power_join_group(&all, norm, total);
    if (HD_GROUP_LANE == 0)
        partials[HD_GROUP_INDEX] = total;
}

/* Acts on a measurement. One group. */
KERNEL power_turn(u32 count, u32 norm, u32 what, u32 scaled, GLOBAL const tally *partials, GLOBAL u32 *words,
                  GLOBAL f64 *numbers, GLOBAL f64 *terms) {
    SHARED tallies all;
    u32 done = words[POWER_DONE];
    tally sum;
    sum.change = 0, sum.norm = 0;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE)
        sum = power_join_both(norm, sum, partials[i]);
    sum = power_join_group(&all, norm, sum);
    sum.change = power_root(norm, sum.change);
    sum.norm = power_root(norm, sum.norm);
    if (HD_GROUP_LANE != 0 || done)
        return;
    if (what == POWER_STEP) /* against sums that grow beyond all numbers where weights are large */
        terms[2] = sum.norm > 0 ? 1 / sum.norm : 1;
    if (what == POWER_NORM)
        numbers[POWER_SCALE] = sum.norm > 0 ? 1 / sum.norm : 0;
    if (what != POWER_ROUND || !scaled)
        numbers[POWER_GROWN] = sum.norm;
    if (what == POWER_ROUND) {
        f64 change = scaled ? sum.change : sum.change / sum.norm;
        numbers[POWER_CHANGE] = change;
        words[POWER_ITERATION]++;
        words[POWER_TOO_LARGE] = !(sum.norm < POWER_LARGEST);
        words[POWER_CONVERGED] = change <= numbers[POWER_TOLERANCE];
        words[POWER_DONE] =
            words[POWER_CONVERGED] || words[POWER_TOO_LARGE] || words[POWER_ITERATION] == words[POWER_LIMIT];
    }
}

/* A proof that alpha is too large (power.h): the values that have grown by 1 or more. */
KERNEL power_mark(u32 n, GLOBAL const f64 *now, GLOBAL const f64 *before, GLOBAL f64 *marked) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        marked[v] = now[v] - before[v] >= 1 ? now[v] : 0;
}

/* Whether alpha times their sums are at least as large. */
KERNEL power_prove(u32 n, GLOBAL const f64 *marked, GLOBAL const f64 *sums, GLOBAL u32 *words) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (marked[v] > 0) {
            hd_store32(&words[POWER_MARKED], 1);
            if (!(sums[v] >= (1 + POWER_ROUNDING) * marked[v]))
                hd_store32(&words[POWER_SMALLER], 1);
        }
}
